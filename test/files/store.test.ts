import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { openDocument } from '../../src/main/files/open-document.ts'
import { bindFilesBelow } from '../../src/main/files/memory-neighbourhood.ts'
import { walk } from '../../src/main/files/walk.ts'
import { fake, fakePack, fakeRegistry, fakeSplit, join as concat } from './fake-family.ts'
import { put, tempFolder } from './temp.ts'

const store = (): FileStore => new FileStore({ registry: fakeRegistry })
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function errorOf(body: () => unknown): FormatError {
  try {
    body()
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError)
    return error as FormatError
  }
  throw new Error('nothing was thrown')
}

describe('references', () => {
  const inner = fakePack([['deep.fake', fake('deep')]])
  const root = tempFolder({
    'plain.fake': fake('plain'),
    'pack.fpak': fakePack([
      ['a.fake', fake('first')],
      ['A.FAKE', fake('second')],
      ['art\\walk\\b.fake', fake('b')],
      ['inner.fpak', inner],
      ['odd!name.fake', fake('odd')],
      ['../../escape.fake', fake('escape')],
    ]),
    '!patch.fpak': fakePack([['p.fake', fake('patch')]]),
    'pack.fpak!a.txt': 'a file on disk with a ! in its name',
  })
  const files = store()
  // not joined: that would fold `..`
  const at = (name: string): string => `${root}/${name}`

  it('read files on disk, members, nested members', () => {
    expect(files.read(at('plain.fake'))).toEqual(fake('plain'))
    expect(text(files.read(at('pack.fpak!a.fake')))).toContain('first')
    expect(text(files.read(at('pack.fpak!A.FAKE~2')))).toContain('second')
    expect(text(files.read(at('pack.fpak!art/walk/b.fake')))).toContain('b')
    expect(files.read(at('pack.fpak!inner.fpak'))).toEqual(inner)
    expect(text(files.read(at('pack.fpak!inner.fpak!deep.fake')))).toContain('deep')
    expect(text(files.read(at('pack.fpak!odd!name.fake')))).toContain('odd')
  })
  it('decide by what is on disk where a ! could mean both', () => {
    expect(text(files.read(at('!patch.fpak!p.fake')))).toContain('patch')
    expect(text(files.read(at('pack.fpak!a.txt')))).toBe('a file on disk with a ! in its name')
  })
  it('find members without regard to case and kind of slash', () => {
    expect(files.stat(at('pack.fpak!ART/Walk/B.fake')).size).toBe(fake('b').length)
    expect(files.canonical(at('pack.fpak!Art\\walk/b.fake'))).toBe(at('pack.fpak!art/walk/b.fake'))
    expect(files.isFolder(at('pack.fpak!art\\walk\\'))).toBe(true)
  })
  it('are read into room that is given, as many bytes as there are and no other', () => {
    const room = new Uint8Array(64).fill(0xaa)
    for (const ref of ['plain.fake', 'pack.fpak!a.fake', 'pack.fpak!inner.fpak!deep.fake']) {
      const source = store().source(join(root, ref))
      const bytes = source.read(0, source.size, room)
      expect(bytes.buffer).toBe(room.buffer)
      expect(bytes).toEqual(source.read(0, source.size))
      expect(room.subarray(source.size).every((byte) => byte === 0xaa)).toBe(true)
      room.fill(0xaa)
    }
  })
  it('never leave the archive', () => {
    expect(text(files.read(at('pack.fpak!../../escape.fake')))).toContain('escape')
    expect(errorOf(() => files.read(at('pack.fpak!../plain.fake'))).code).toBe('not-found')
    expect(errorOf(() => files.read(`${root}/pack.fpak!../../../../../../etc/passwd`)).code).toBe('not-found')
  })
  it('say what and where they are', () => {
    const ref = at('pack.fpak!inner.fpak!deep.fake')
    expect(files.stat(ref)).toMatchObject({ size: fake('deep').length, disk: at('pack.fpak'), member: true })
    expect(files.stat(at('plain.fake'))).toMatchObject({ disk: at('plain.fake'), member: false })
    expect(files.container(ref)).toBe(at('pack.fpak!inner.fpak'))
    expect(files.container(at('plain.fake'))).toBeUndefined()
    expect(files.diskFile(ref)).toBe(at('pack.fpak'))
    expect(files.folderOf(at('pack.fpak!art/walk/b.fake'))).toBe(at('pack.fpak!art/walk'))
    expect(files.folderOf(ref)).toBe(at('pack.fpak!inner.fpak'))
    expect(files.folderOf(at('!patch.fpak'))).toBe(root)
    expect(files.isFolder(at('pack.fpak!art'))).toBe(true)
    expect(files.isFolder(at('pack.fpak'))).toBe(false)
    expect(files.identify(at('plain.fake'))?.format?.id).toBe('fake.text')
    expect(files.identify(at('pack.fpak'))?.archive?.id).toBe('fake.pak')
    expect(files.archive(at('plain.fake'))).toBeUndefined()
    expect(files.members(at('pack.fpak')).map((m) => m.key)).toEqual([
      'a.fake',
      'A.FAKE~2',
      'art/walk/b.fake',
      'inner.fpak',
      'odd!name.fake',
      '../../escape.fake',
    ])
  })
  it('fail with typed errors', () => {
    for (const name of ['none.fake', 'pack.fpak!none', 'plain.fake!x', 'none.fpak!x', 'plain.fake/below', 'x\0y'])
      expect(errorOf(() => files.read(at(name))).code, name).toBe('not-found')
    expect(errorOf(() => files.read(root)).code).toBe('io')
    expect(errorOf(() => files.read('')).code).toBe('not-found')
    expect(errorOf(() => files.members(at('plain.fake'))).code).toBe('bad-magic')
    expect(errorOf(() => files.source(at('plain.fake')).read(4, 1000))).toMatchObject({
      code: 'truncated',
      file: at('plain.fake'),
      offset: 4,
    })
    expect(errorOf(() => openDocument(files, at('pack.fpak'))).code).toBe('unsupported')
  })
  it('list folders, archives and folders in archives', () => {
    expect(files.list(root).map((e) => [e.name, e.folder, e.archive])).toEqual([
      ['!patch.fpak', true, true],
      ['pack.fpak', true, true],
      ['pack.fpak!a.txt', false, false],
      ['plain.fake', false, false],
    ])
    const inPack = files.list(at('pack.fpak'))
    expect(inPack.map((e) => e.name)).toEqual(['..', 'art', 'a.fake', 'A.FAKE~2', 'inner.fpak', 'odd!name.fake'])
    expect(inPack.find((e) => e.name === 'art')).toMatchObject({ ref: at('pack.fpak!art'), folder: true, archive: false })
    expect(inPack.find((e) => e.name === 'inner.fpak')).toMatchObject({ folder: true, archive: true, size: inner.length })
    expect(files.list(at('pack.fpak!art')).map((e) => e.ref)).toEqual([at('pack.fpak!art/walk')])
    expect(files.list(at('pack.fpak!art/walk')).map((e) => e.ref)).toEqual([at('pack.fpak!art/walk/b.fake')])
    expect(files.list(at('pack.fpak!inner.fpak')).map((e) => e.name)).toEqual(['deep.fake'])
    for (const entry of [...files.list(root), ...inPack]) expect(files.exists(entry.ref), entry.ref).toBe(true)
  })
  it('list what stands in one folder once, however each member spells it', () => {
    const spelled = ['art\\x.fake', 'Art\\W3D\\a.fake', 'ART\\w3d\\b.fake', 'art\\X.FAKE']
    const pack = join(tempFolder({ 'a.fpak': fakePack(spelled.map((name) => [name, fake(name)])) }), 'a.fpak')
    const below = (ref: string): string[] => files.list(ref).map((entry) => entry.ref.slice(pack.length + 1))
    expect(below(pack)).toEqual(['art'])
    for (const folder of ['art', 'Art', 'ART'])
      expect(below(`${pack}!${folder}`), folder).toEqual(['Art/W3D', 'art/x.fake', 'art/X.FAKE~2'])
    for (const folder of ['Art/W3D', 'art/w3d']) expect(below(`${pack}!${folder}`), folder).toEqual(['Art/W3D/a.fake', 'ART/w3d/b.fake'])
    for (const entry of files.list(`${pack}!art`)) expect(files.canonical(entry.ref)).toBe(entry.ref)
  })
  it('open as documents that can be written back', () => {
    expect(openDocument(files, at('pack.fpak!a.fake')).document).toMatchObject({
      format: 'fake.text',
      text: 'first',
      ref: at('pack.fpak!a.fake'),
    })
    expect(openDocument(files, put(root, 'lossy.fake', fake('lossy'))).document.readOnly).toContain('byte 8')
  })
})

describe('archives', () => {
  it('with a companion need it beside them, in any case', () => {
    const { directory, data } = fakeSplit([
      ['x.fake', fake('x')],
      ['y.fake', fake('yy')],
    ])
    const root = tempFolder({ 'set.fdir': directory, 'SET.fdat': data, 'alone.fdir': directory })
    const files = store()
    expect(files.read(join(root, 'set.fdir!y.fake'))).toEqual(fake('yy'))
    expect(files.openArchive(join(root, 'set.fdir'))?.dataRef).toBe(join(root, 'SET.fdat'))
    expect(errorOf(() => files.read(join(root, 'alone.fdir!y.fake'))).code).toBe('not-found')
    const packed = join(
      tempFolder({
        'p.fpak': fakePack([
          ['in/set.fdir', directory],
          ['IN\\set.fdat', data],
        ]),
      }),
      'p.fpak',
    )
    expect(files.read(`${packed}!in/set.fdir!x.fake`)).toEqual(fake('x'))
  })
  it('take no data from elsewhere that a link gives the name of their companion', () => {
    const { directory, data } = fakeSplit([['x.fake', fake('secret')]])
    const elsewhere = tempFolder({ 'data.bin': data })
    const root = tempFolder({ 'set.fdir': directory, 'own.fdir': directory, 'real.bin': data })
    symlinkSync(join(elsewhere, 'data.bin'), join(root, 'set.FDAT'))
    symlinkSync(join(root, 'real.bin'), join(root, 'own.FDAT'))
    const files = store()
    expect(errorOf(() => files.read(join(root, 'set.fdir!x.fake'))).code).toBe('refused')
    // a link beside it leads nowhere else
    expect(files.read(join(root, 'own.fdir!x.fake'))).toEqual(fake('secret'))
  })
  it('are opened again when their file changed, and old sources refuse to mix', () => {
    const path = join(tempFolder({ 'p.fpak': fakePack([['a.fake', fake('one')]]) }), 'p.fpak')
    const files = store()
    const old = files.source(`${path}!a.fake`)
    expect(files.read(`${path}!a.fake`)).toEqual(fake('one'))
    writeFileSync(path, fakePack([['b.fake', fake('two, longer')]]))
    utimesSync(path, 1000, 1000)
    expect(files.read(`${path}!b.fake`)).toEqual(fake('two, longer'))
    expect(files.exists(`${path}!a.fake`)).toBe(false)
    expect(errorOf(() => old.read(0, 4)).code).toBe('changed-on-disk')
    files.invalidate(`${path}!b.fake`)
    expect(files.read(`${path}!b.fake`)).toEqual(fake('two, longer'))
    files.close()
  })
  it('that end early give a typed error for the members behind', () => {
    const whole = fakePack([
      ['a.fake', fake('here')],
      ['b.fake', fake('gone')],
    ])
    const path = join(tempFolder({ 'cut.fpak': whole.slice(0, -3) }), 'cut.fpak')
    expect(store().read(`${path}!a.fake`)).toEqual(fake('here'))
    expect(errorOf(() => store().read(`${path}!b.fake`))).toMatchObject({ code: 'truncated', file: `${path}!b.fake`, offset: 9 })
    for (let n = 4; n < whole.length; n += 3) {
      writeFileSync(path, whole.slice(0, n))
      try {
        for (const member of store().members(path)) store().read(member.ref)
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }
  })
  it('are forgotten when there are too many, and nest only so deep', () => {
    let body = fakePack([['x.fake', fake('x')]])
    for (let i = 0; i < 12; i++) body = fakePack([['n', body]])
    const path = join(tempFolder({ 'p.fpak': body }), 'p.fpak')
    const files = new FileStore({ registry: fakeRegistry, maxArchives: 2 })
    expect(files.exists(`${path}!n!n!n!n`)).toBe(true)
    expect(errorOf(() => files.read(path + '!n'.repeat(12) + '!x.fake')).code).toBe('unsupported')
  })
  it('that hold themselves are opened once', () => {
    const size = 60
    const bytes = fakePack([
      ['self1', new Uint8Array(0)],
      ['self2', new Uint8Array(0)],
    ])
    const view = new DataView(bytes.buffer)
    for (const at of [8 + 6, 8 + 6 + 8 + 6]) {
      view.setUint32(at, 0, true)
      view.setUint32(at + 4, size, true)
    }
    const body = new Uint8Array(size)
    body.set(bytes.subarray(0, size))
    const path = join(tempFolder({ 'p.fpak': body }), 'p.fpak')
    expect(store().members(path)).toHaveLength(2)
    expect(errorOf(() => store().members(`${path}!self1`)).code).toBe('refused')
    expect([...bindFilesBelow(store(), path)]).toEqual([])
  })
  it('with the same archive under many names do not read it through for each of them', () => {
    const inner = fakePack([['deep.fake', fake('deep')]])
    const twins = (count: number): string => {
      const bytes = fakePack(
        [['n0', inner], ...Array.from({ length: count - 1 }, (_, i): [string, Uint8Array] => [`n${i + 1}`, new Uint8Array(0)])],
        0,
      )
      const head = bytes.length - inner.length
      const view = new DataView(bytes.buffer)
      for (let i = 0, at = 8; i < count; i++, at += 8) {
        at += 1 + view.getUint8(at)
        view.setUint32(at, 0, true)
        view.setUint32(at + 4, bytes.length, true)
        if (count > 4) continue
        view.setUint32(at, head, true)
        view.setUint32(at + 4, inner.length, true)
      }
      return join(tempFolder({ 'p.fpak': bytes }), 'p.fpak')
    }
    // two names for one file are usual on discs
    const two = twins(2)
    expect([...bindFilesBelow(store(), two)].map((f) => f.ref)).toEqual([`${two}!n0!deep.fake`, `${two}!n1!deep.fake`])
    const many = twins(50)
    const error = errorOf(() => store().members(`${many}!n7`))
    expect([error.code, error.message]).toEqual(['refused', 'the members of the archive around this one overlap'])
    expect([...bindFilesBelow(store(), many)]).toEqual([])
  })
  it('keep members apart that would have one key', () => {
    const path = join(
      tempFolder({
        'p.fpak': fakePack([
          ['a', fake('1')],
          ['a', fake('2')],
          ['a~2', fake('3')],
          ['', fake('4')],
        ]),
      }),
      'p.fpak',
    )
    const members = store().members(path)
    expect(new Set(members.map((m) => m.ref)).size).toBe(4)
    expect(members.map((m) => text(store().read(m.ref)).slice(8))).toEqual(['1', '2', '3', '4'])
  })
})

describe('large files', () => {
  it('are read in windows', () => {
    const path = join(tempFolder(), 'large.bin')
    execFileSync('truncate', ['-s', String(3 * 2 ** 30), path])
    const source = store().source(path)
    expect(source.read(source.size - 4, 4)).toEqual(new Uint8Array(4))
    expect(errorOf(() => store().read(path)).code).toBe('unsupported')
  })
})

describe('walk', () => {
  it('gives every file once, follows no link out or round, and does not stop at pipes', () => {
    const outside = tempFolder({ 'secret.fake': fake('secret') })
    const root = tempFolder({ 'b.fake': 'b', 'sub/a.fake': 'a', 'sub/deep/c.fake': 'c' })
    symlinkSync(root, join(root, 'sub/loop'))
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(outside, 'secret.fake'), join(root, 'secret.fake'))
    symlinkSync(join(root, 'b.fake'), join(root, 'sub/link.fake'))
    symlinkSync(join(root, 'nowhere'), join(root, 'broken.fake'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    const errors: string[] = []
    const seen = [...walk(root, (error) => errors.push(error.code))].map((f) => f.path.slice(root.length + 1))
    expect(seen).toEqual(['b.fake', 'sub/a.fake', 'sub/link.fake', 'sub/deep/c.fake'])
    expect(errors).toEqual(['not-found'])
    expect(store().exists(join(root, 'pipe'))).toBe(false)
  })
  it('starts at a link, and says when the root is missing or a file', () => {
    const real = tempFolder({ 'a.fake': 'a' })
    const link = join(tempFolder(), 'link')
    symlinkSync(real, link)
    expect([...walk(link)].map((f) => f.path)).toEqual([join(link, 'a.fake')])
    expect(errorOf(() => [...walk(join(real, 'none'))]).code).toBe('not-found')
    expect(errorOf(() => [...walk(join(real, 'a.fake'))]).code).not.toBe('internal')
  })
  it('goes deep without recursion', () => {
    const root = tempFolder()
    let folder = root
    for (let i = 0; i < 400; i++) folder = join(folder, 'd')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'x'), 'x')
    expect([...walk(root)].length).toBe(1)
  })
})

it('the fixtures are what the fake codec writes', () => {
  expect(concat([fake('a'), fake('b')]).length).toBe(18)
  expect(readFileSync(put(tempFolder(), 'x', fake('x')))).toEqual(Buffer.from(fake('x')))
})
