/** `marrow archive ...` as it is typed. */
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { filesBelow, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { readBig } from '../support/read-archives.ts'
import { put, tempFolder } from '../files/temp.ts'
import { zipOf } from '../fixtures/zip.ts'
import { makeDisc } from '../support/discs.ts'
import { marrow } from './run.ts'

const big = (): Uint8Array =>
  makeBig('BIGF', [
    { name: 'art\\w3d\\a.w3d', bytes: junk(100, 1) },
    { name: 'art\\w3d\\b.w3d', bytes: junk(200, 2) },
    { name: 'data\\c.ini', bytes: junk(50, 3) },
  ])

/** A call with a state folder of its own. */
function caller(): (...args: string[]) => ReturnType<typeof marrow> {
  const stateFolder = tempFolder()
  return (...args) => marrow(args, { stateFolder })
}

const names = (path: string): string[] => readBig(readBytes(path)).map(({ name }) => name)

describe('marrow archive', () => {
  it('lists members with places and sizes, by words of their names', async () => {
    const path = put(tempFolder(), 'x.big', big())
    const call = caller()
    const report = (await call('archive', 'list', path, '--json')).json()
    expect(report).toMatchObject({ archive: path, format: 'w3d.big', size: big().length })
    expect(report.members.map(({ name, size }: any) => [name, size])).toEqual([
      ['art/w3d/a.w3d', 100],
      ['art/w3d/b.w3d', 200],
      ['data/c.ini', 50],
    ])
    const fits = async (filter: string): Promise<number> =>
      (await call('archive', 'list', path, '--filter', filter, '--json')).json().members.length
    expect(await fits('W3D b.')).toBe(1)
    // a pattern is of the whole name, or of its last part
    const patterns = { '*.W3D': 2, 'art\\*': 2, '?.ini': 1, '*.w': 0, 'w3d/?.w3d': 0, '*/w3d/?.w3d': 2, 'data *.ini': 1 }
    for (const [pattern, n] of Object.entries(patterns)) expect(await fits(pattern), pattern).toBe(n)
    const { out, status } = await call('archive', 'list', path)
    expect(status).toBe(0)
    expect(out).toContain('art/w3d/a.w3d\n')
    expect(out).toContain('3 members\n')
    expect((await call('archive', 'list', put(tempFolder(), 'a.txt', 'a'), '--json')).json().error.code).toBe('bad-magic')
    expect((await call('archive', 'list', join(path, 'none'), '--json')).json().error.code).toBe('not-found')
  })

  it('extracts all, folders, single members and those that fit a filter, and replaces nothing unasked', async () => {
    const root = tempFolder({ 'x.big': big() })
    const path = join(root, 'x.big')
    const call = caller()
    const below = (folder: string): string[] => filesBelow(join(root, folder)).map((file) => file.slice(join(root, folder).length + 1))
    expect((await call('archive', 'extract', path, '--out', join(root, 'all'), '--json')).json()).toMatchObject({ failures: [] })
    expect(below('all')).toEqual(['art/w3d/a.w3d', 'art/w3d/b.w3d', 'data/c.ini'])
    expect(readBytes(join(root, 'all/art/w3d/b.w3d'))).toEqual(junk(200, 2))
    await call('archive', 'extract', path, 'ART\\W3D', '--out', join(root, 'folder'))
    expect(below('folder')).toEqual(['art/w3d/a.w3d', 'art/w3d/b.w3d'])
    await call('archive', 'extract', path, 'data/c.ini', 'art/w3d/a.w3d', '--out', join(root, 'two'))
    expect(below('two')).toEqual(['art/w3d/a.w3d', 'data/c.ini'])
    await call('archive', 'extract', path, '--filter', 'b.w3d', '--out', join(root, 'filter'))
    expect(below('filter')).toEqual(['art/w3d/b.w3d'])
    put(root, 'all/data/c.ini', 'mine')
    const again = await call('archive', 'extract', path, '--out', join(root, 'all'), '--json')
    expect(again.status).toBe(1)
    expect(again.json().failures).toHaveLength(3)
    expect(readBytes(join(root, 'all/data/c.ini'))).toHaveLength(4)
    expect((await call('archive', 'extract', path, '--out', join(root, 'all'), '--force')).status).toBe(0)
    expect(readBytes(join(root, 'all/data/c.ini'))).toEqual(junk(50, 3))
    expect((await call('archive', 'extract', path, 'nothing', '--out', join(root, 'no'), '--json')).json().error.code).toBe('not-found')
    expect((await call('archive', 'extract', path)).status).toBe(2)
  })

  it('writes nothing outside of the folder, whatever names say and links lead to', async () => {
    const odd = [
      '..\\..\\up.txt',
      '/etc/root.txt',
      'C:\\win.txt',
      'a\\..\\..\\b.txt',
      'con',
      'x.txt ',
      '...',
      'dir\\',
      'link\\in.txt',
      'A.txt',
      'a.TXT',
      './x.txt',
    ]
    const root = tempFolder({
      'deep/er/x.big': makeBig(
        'BIGF',
        odd.map((name, i) => ({ name, bytes: junk(5 + i, i) })),
      ),
    })
    const outside = tempFolder()
    const out = join(root, 'deep/er/out')
    mkdirSync(out)
    symlinkSync(outside, join(out, 'link'))
    const report = (await caller()('archive', 'extract', join(root, 'deep/er/x.big'), '--out', out, '--json')).json()
    expect(report.failures).toMatchObject([{ code: 'refused' }])
    expect(report.files).toHaveLength(odd.length - 1)
    expect(readdirSync(outside)).toEqual([])
    expect(readdirSync(root)).toEqual(['deep'])
    expect(readdirSync(join(root, 'deep'))).toEqual(['er'])
    expect(existsSync('/etc/root.txt')).toBe(false)
    for (const { file } of report.files) expect(file.startsWith(`${out}/`), file).toBe(true)
    expect(new Set(report.files.map(({ file }: any) => file.toLowerCase())).size).toBe(odd.length - 1)
    const places = new Map<string, string>(report.files.map(({ name, file }: any) => [name, file.slice(out.length + 1)]))
    expect(['/etc/root.txt', './x.txt', 'dir/'].map((name) => places.get(name))).toEqual(['etc/root.txt', '2-x.txt', 'dir'])
  })

  it('takes an archive of two files by either of them', async () => {
    const { files } = archiveCases['IMG v1']()
    const root = tempFolder({ ...files, 'new.dff': junk(10, 1), 'other.img': junk(9, 2) })
    const call = caller()
    const [data, directory] = [join(root, 'gta3.img'), join(root, 'gta3.dir')]
    const info = (await call('info', data, '--json')).json()
    expect(info).toMatchObject({ path: data, size: files['gta3.img'].length, format: 'renderware.img1', directory, kind: 'archive' })
    expect(info.members).toHaveLength(5)
    expect((await call('info', data)).out).toContain(`the data of ${directory}`)
    expect((await call('info', directory, '--json')).json().directory).toBeUndefined()
    expect((await call('info', join(root, 'other.img'), '--json')).json()).toMatchObject({ format: null })
    expect((await call('archive', 'list', data, '--json')).json()).toMatchObject({ archive: directory })
    expect((await call('archive', 'add', data, join(root, 'new.dff'), '--json')).json().written).toEqual([data, directory])
    expect((await call('archive', 'extract', data, 'new.dff', '--out', join(root, 'out'), '--json')).json().files).toHaveLength(1)
  })

  it('puts what is in one folder into one, however each member spells it, and finds it again there', async () => {
    const names = ['art\\w3d\\a.w3d', 'Art\\W3D\\b.w3d', 'ART\\Textures\\c.tga']
    const root = tempFolder({
      'x.big': makeBig(
        'BIGF',
        names.map((name, i) => ({ name, bytes: junk(5 + i, i) })),
      ),
    })
    const call = caller()
    const [path, out] = [join(root, 'x.big'), join(root, 'out')]
    const { files } = (await call('archive', 'extract', path, '--out', out, '--json')).json()
    expect(files.map(({ file, renamed }: any) => [file.slice(out.length + 1), renamed])).toEqual([
      ['art/w3d/a.w3d', undefined],
      ['art/w3d/b.w3d', undefined],
      ['art/Textures/c.tga', undefined],
    ])
    expect((await call('compare', path, out, '--json')).json()).toMatchObject({ equal: true, files: 3 })
    expect((await call('archive', 'put', path, out, '--json')).json().error.message).toBe('the archive has all of them as they are')
  })

  it('writes members whose folder is another member under a name of their own, in whatever order they stand, and says so', async () => {
    for (const names of [
      ['a', 'a\\b.txt', 'A\\c.txt'],
      ['a\\b.txt', 'a\\c.txt', 'A'],
    ]) {
      const root = tempFolder({
        'x.big': makeBig(
          'BIGF',
          names.map((name, i) => ({ name, bytes: junk(5 + i, i) })),
        ),
      })
      const call = caller()
      const path = join(root, 'x.big')
      const report = (await call('archive', 'extract', path, '--out', join(root, 'out'), '--json')).json()
      expect(report.failures).toEqual([])
      expect(report.files.map(({ name }: any) => name)).toEqual(names.map((name) => name.replaceAll('\\', '/')))
      for (const [i, { file }] of report.files.entries()) expect(readBytes(file)).toEqual(junk(5 + i, i))
      const renamed = report.files.filter((one: any) => one.renamed).map(({ file }: any) => file.slice(join(root, 'out').length + 1))
      expect(renamed).toEqual(names[0] === 'a' ? ['2-a/b.txt', '2-a/c.txt'] : ['2-A'])
      const { out } = await call('archive', 'extract', path, '--out', join(root, 'again'))
      for (const name of renamed) expect(out).toContain(`has another name there: ${join(root, 'again', name)}\n`)
    }
  })

  it('is stopped by none of its members: each that cannot be written is told in plain words', async () => {
    const names = [
      `${'p'.repeat(222)}. ${'p'.repeat(60)}`,
      `${'n'.repeat(300)}.txt`,
      `${`${'d'.repeat(200)}\\`.repeat(19)}deep.txt`,
      'nul.txt',
      'last.txt',
    ]
    const root = tempFolder({
      'x.big': makeBig(
        'BIGF',
        names.map((name, i) => ({ name, bytes: junk(5 + i, i) })),
      ),
      file: 'a',
    })
    const call = caller()
    const path = join(root, 'x.big')
    const out = join(root, 'o'.repeat(200), 'o'.repeat(200))
    const report = (await call('archive', 'extract', path, '--out', out, '--json')).json()
    expect(report.files.map(({ file }: any) => file.slice(out.length + 1))).toEqual([
      'p'.repeat(222),
      `${'n'.repeat(224)}.txt`,
      '_nul.txt',
      'last.txt',
    ])
    expect(report.failures).toEqual([
      {
        path: expect.stringContaining('deep.txt'),
        code: 'not-found',
        message: expect.stringMatching(/ is longer than this system takes$/),
        offset: -1,
      },
    ])
    const into = async (...steps: string[]) =>
      (await call('archive', 'extract', path, '--out', join(root, ...steps), '--json')).json().error
    expect(await into('file')).toMatchObject({ code: 'io', message: `${join(root, 'file')} is not a folder` })
    expect(await into('file', 'below', 'it')).toMatchObject({ code: 'io', message: `${join(root, 'file')} is not a folder` })
  })

  it('takes a folder with its slash, and of a folder what fits the filter; a link that leads out gets not even a folder', async () => {
    const outside = tempFolder()
    const linked = makeBig('BIGF', [{ name: 'link\\sub\\deep.txt', bytes: junk(5) }])
    const root = tempFolder({ 'x.big': big(), 'l.big': linked })
    const call = caller()
    const extracted = async (...args: string[]): Promise<unknown> =>
      (await call('archive', 'extract', join(root, 'x.big'), ...args, '--json')).json().files.map(({ name }: any) => name)
    expect(await extracted('art/w3d/', '--out', join(root, 'slash'))).toEqual(['art/w3d/a.w3d', 'art/w3d/b.w3d'])
    expect(await extracted('art', '--filter', 'b.w3d', '--out', join(root, 'fits'))).toEqual(['art/w3d/b.w3d'])
    mkdirSync(join(root, 'out'))
    symlinkSync(outside, join(root, 'out', 'link'))
    const { failures } = (await call('archive', 'extract', join(root, 'l.big'), '--out', join(root, 'out'), '--json')).json()
    expect(failures).toMatchObject([{ code: 'refused' }])
    expect(readdirSync(outside)).toEqual([])
  })

  it('writes no member in the place of its archive', async () => {
    const whole = makeBig('BIGF', [
      { name: 'x.big', bytes: junk(9, 1) },
      { name: 'DATA.HED', bytes: junk(9, 2) },
      { name: 'b.w3d', bytes: junk(9, 3) },
    ])
    const root = tempFolder({ 'x.big': whole })
    const path = join(root, 'x.big')
    const { status, json } = await caller()('archive', 'extract', path, '--out', root, '--force', '--json')
    expect(status).toBe(1)
    expect(json().failures).toEqual([expect.objectContaining({ path: `${path}!x.big`, code: 'refused' })])
    expect(json().files.map(({ name }: any) => name)).toEqual(['DATA.HED', 'b.w3d'])
    expect(readBytes(path)).toEqual(whole)
  })

  it('adds, replaces, renames and removes; tells the plan first, and keeps the original', async () => {
    const root = tempFolder({ 'x.big': big(), 'new.w3d': junk(77, 9) })
    const path = join(root, 'x.big')
    const stateFolder = tempFolder()
    const call = (...args: string[]) => marrow(args, { stateFolder })
    const added = await call('archive', 'add', path, join(root, 'new.w3d'), '--name', 'art/w3d/new.w3d')
    expect(added.status).toBe(0)
    expect(added.err).toContain('add art/w3d/new.w3d, 77 bytes\n')
    expect(added.err).toContain('3 members -> 4')
    expect(added.out).toBe(`${path}\n`)
    expect(names(path)).toEqual(['art\\w3d\\a.w3d', 'art\\w3d\\b.w3d', 'data\\c.ini', 'art\\w3d\\new.w3d'])
    expect(filesBelow(stateFolder).some((file) => Buffer.from(readBytes(file)).equals(Buffer.from(big())))).toBe(true)
    const renamed = (await call('archive', 'rename', path, 'data/c.ini', 'data/d.ini', '--json')).json()
    expect(renamed).toMatchObject({ action: 'rename', name: 'data/c.ini', to: 'data/d.ini', member: [50, 50], written: [path] })
    expect((await call('archive', 'replace', path, 'ART/W3D/A.W3D', join(root, 'new.w3d'))).status).toBe(0)
    const removed = (await call('archive', 'remove', path, 'art/w3d/b.w3d', '--json')).json()
    expect(removed).toMatchObject({ member: [200, 0], plan: { members: [4, 3], bodies: 0 } })
    expect(readBig(readBytes(path)).map(({ name, bytes }) => [name, bytes])).toEqual([
      ['art\\w3d\\a.w3d', junk(77, 9)],
      ['data\\d.ini', junk(50, 3)],
      ['art\\w3d\\new.w3d', junk(77, 9)],
    ])
    // a member of another archive is a file like any other
    expect((await call('archive', 'add', path, `${path}!data/d.ini`, '--name', 'e.ini')).status).toBe(0)
    expect(readBig(readBytes(path)).at(-1)).toMatchObject({ name: 'e.ini', bytes: junk(50, 3) })
  })

  it('puts members elsewhere, makes an archive anew with what that gains, and makes new ones', async () => {
    const root = tempFolder({ 'x.big': big(), 'sub/deep/new.w3d': junk(77, 9) })
    const path = join(root, 'x.big')
    const call = caller()
    const order = async (...args: string[]): Promise<string> => {
      expect((await call('archive', 'reorder', path, ...args)).status, args.join(' ')).toBe(0)
      return names(path)
        .map((name) => name.split('\\').at(-1)![0])
        .join('')
    }
    expect(await order('data/c.ini', '--first')).toBe('cab')
    expect(await order('data/c.ini', 'art/w3d/a.w3d', '--last')).toBe('bca')
    expect(await order('art/w3d/a.w3d', '--before', 'data/c.ini')).toBe('bac')
    expect(await order('art/w3d/b.w3d', '--after', 'art/w3d/a.w3d')).toBe('abc')
    expect(await order('data/c.ini', '--first')).toBe('cab')
    expect(await order('--by', 'name')).toBe('abc')
    for (const args of [['data/c.ini'], ['--first'], ['data/c.ini', '--first', '--last'], ['data/c.ini', '--by', 'name']])
      expect((await call('archive', 'reorder', path, ...args)).status, args.join(' ')).toBe(2)
    const itself = await call('archive', 'reorder', path, 'data/c.ini', '--after', 'data/c.ini', '--json')
    expect(itself.json().error.code).toBe('invalid-edit')

    const compact = await call('archive', 'rebuild', path)
    expect(compact.out).toContain('no byte could be left out')
    await call('archive', 'replace', path, 'art/w3d/a.w3d', join(root, 'sub/deep/new.w3d'))
    const dry = (await call('archive', 'rebuild', path, '--dry-run', '--json')).json()
    expect(dry).toMatchObject({ action: 'rebuild', written: [], plan: { size: [big().length, big().length - 23] } })
    const built = await call('archive', 'rebuild', path)
    expect(built.err).toContain('23 bytes less')
    expect(readBytes(path)).toHaveLength(big().length - 23)

    const out = join(root, 'made', 'y.big')
    const told = await call('archive', 'new', out, path + '!data', join(root, 'sub'), '--dry-run')
    expect(told.status).toBe(1)
    const made = (await call('archive', 'new', out, `${path}!data/c.ini`, join(root, 'sub'), '--json')).json()
    expect(made).toMatchObject({ archive: out, format: 'w3d.big', written: [out], plan: { members: [0, 2] } })
    expect(readBig(readBytes(out)).map(({ name, bytes }) => [name, bytes])).toEqual([
      ['c.ini', junk(50, 3)],
      ['deep\\new.w3d', junk(77, 9)],
    ])
    expect((await call('archive', 'new', out, path, '--json')).json().error.code).toBe('io')
    // of the two kinds with this ending the first, unless the other is asked for
    const later = join(root, 'later.big')
    expect((await call('archive', 'new', later, path, '--format', 'w3d.big4', '--json')).json().format).toBe('w3d.big4')
    expect(Buffer.from(readBytes(later).subarray(0, 4)).toString()).toBe('BIG4')
    expect((await call('archive', 'new', join(root, 'z.foo'), path, '--json')).json().error.code).toBe('invalid-argument')
    const pack = join(root, 'z.chr')
    expect((await call('archive', 'new', pack, out, '--format', 'level5.pack', '--dry-run')).out).toContain('nothing is written')
    expect(existsSync(pack)).toBe(false)
  })

  it('of a new archive of two files names both, with their bytes', async () => {
    const call = caller()
    const root = tempFolder({ 'a.txt': junk(3000, 4) })
    const out = join(root, 'new.dir')
    const args = ['archive', 'new', out, join(root, 'a.txt'), '--format', 'renderware.img1']
    const told = (await call(...args, '--dry-run')).out
    const { plan, written } = (await call(...args, '--json')).json()
    expect(plan.each.map(({ file }: { file: string }) => file).sort()).toEqual([out, join(root, 'new.img')].sort())
    expect(written.sort()).toEqual(plan.each.map(({ file }: { file: string }) => file).sort())
    for (const { file, bytes } of plan.each) {
      expect(told).toContain(`${file}: ${bytes} bytes\n`)
      expect(readBytes(file).length).toBe(bytes)
    }
  })

  it('of a disc names each file that is written, with its bytes', async () => {
    const call = caller()
    const root = tempFolder(makeDisc())
    const at = (name: string) => join(root, name)
    put(root, 'new.cfg', junk(5000, 3))
    const args = ['archive', 'replace', at('DATA.HD2'), 'gedit/a.cfg', at('new.cfg')]
    const { plan } = (await call(...args, '--dry-run', '--json')).json()
    const told = (await call(...args, '--dry-run')).out
    const names = ['DATA.DAT', 'DATA.HED', 'DATA.HD3', 'DATA.HD4', 'DATA.HD2']
    expect(plan.each.map(({ file }: { file: string }) => file).sort()).toEqual(names.map(at).sort())
    expect(plan.each.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0)).toBe(plan.written)
    for (const { file, bytes } of plan.each) expect(told).toContain(`${file}: ${bytes} bytes\n`)
    const written: string[] = (await call(...args, '--json')).json().written
    expect(written.sort()).toEqual(names.map(at).sort())
    for (const { file, bytes } of plan.each) expect(readBytes(file).length).toBe(bytes)
    // of an archive that is one file there is one line
    put(root, 'x.chr', archiveCases.PAK().files['x.chr'])
    expect((await call('archive', 'rebuild', at('x.chr'), '--dry-run', '--json')).json().plan).not.toHaveProperty('each')
  })

  it('writes nothing where every byte is there already, and keeps no original for it', async () => {
    const root = tempFolder({ 'x.big': big(), 'same.ini': junk(50, 3), ...makeDisc() })
    const path = join(root, 'x.big')
    const stateFolder = tempFolder()
    const call = (...args: string[]) => marrow(['archive', ...args], { stateFolder })
    const stamp = statSync(path).mtimeMs
    for (const args of [
      ['rename', path, 'data/c.ini', 'data/c.ini'],
      ['replace', path, 'data/c.ini', join(root, 'same.ini')],
      ['reorder', path, 'art/w3d/a.w3d', '--first'],
      ['rename', join(root, 'DATA.HD2'), 'tmp.txt', 'tmp.txt'],
    ]) {
      expect((await call(...args, '--json')).json(), args.join(' ')).toMatchObject({ written: [], unchanged: true })
      for (const dry of [[], ['--dry-run']])
        expect(await call(...args, ...dry)).toMatchObject({ out: 'nothing is written: the archive is as it would be\n', err: '' })
    }
    const rebuilt = await call('rebuild', path)
    expect(rebuilt).toMatchObject({ out: 'no byte could be left out: the archive stays as it is\n', err: '' })
    expect(statSync(path).mtimeMs).toBe(stamp)
    const originals = filesBelow(stateFolder).filter((file) => file.includes('originals'))
    expect(originals).toEqual([])
    // what is asked for as a copy is one
    expect((await call('rename', path, 'data/c.ini', 'data/c.ini', '--out', join(root, 'y.big'))).status).toBe(0)
    expect(readBytes(join(root, 'y.big'))).toEqual(big())
    // another case of a name is another name, bytes behind the end are bytes
    expect((await call('rename', path, 'data/c.ini', 'data/C.INI', '--json')).json().written).toEqual([path])
    expect((await call('rename', join(root, 'DATA.HD4'), 'tmp.txt', 'TMP.TXT', '--json')).json().written).toHaveLength(5)
  })

  it('tells what opening found, entries that are left out among it, and takes no file for a folder', async () => {
    const zip = zipOf(['../out.txt', 'in.txt'].map((name) => ({ name, body: junk(9) })))
    const root = tempFolder({ 'x.big': big(), 'm.zip': zip })
    const call = caller()
    const found = [{ severity: 'error', code: 'zip.name-outside' }]
    const calls = [
      ['archive', 'list', join(root, 'm.zip')],
      ['archive', 'extract', join(root, 'm.zip'), '--force', '--out', join(root, 'out')],
    ]
    for (const args of calls) {
      expect((await call(...args, '--json')).json().diagnostics).toMatchObject(found)
      expect(await call(...args)).toMatchObject({ status: 0, err: expect.stringContaining('"../out.txt" leads out of the zip') })
    }
    expect((await call('archive', 'list', join(root, 'x.big'), '--json')).json().diagnostics).toEqual([])
    // what is in a zip is read alone, an archive of another kind in it too
    writeFileSync(join(root, 'n.zip'), zipOf([{ name: 'x.big', body: big() }]))
    for (const more of [[], ['--out', join(root, 'y.big')]])
      expect((await call('archive', 'remove', join(root, 'n.zip!x.big'), 'data/c.ini', ...more, '--json')).json().error).toMatchObject({
        code: 'read-only',
        message: 'this archive cannot be changed: a zip is only read: unpack it to edit what is in it',
      })
    const put = (await call('archive', 'put', join(root, 'x.big'), join(root, 'm.zip'), '--json')).json()
    expect(put.error).toMatchObject({ code: 'not-found', message: `${join(root, 'm.zip')} is not a folder` })
    for (const name of [' ', 'a/ /b', '. .'])
      expect(
        (await call('archive', 'add', join(root, 'x.big'), join(root, 'm.zip'), '--name', name, '--json')).json().error,
        name,
      ).toMatchObject({
        code: 'invalid-edit',
      })
  })

  it('tells without writing, writes a copy, and refuses with a code', async () => {
    const root = tempFolder({ 'x.big': big(), 'new.w3d': junk(77, 9), 'there.big': 'mine' })
    const path = join(root, 'x.big')
    const call = caller()
    const dry = await call('archive', 'remove', path, 'data/c.ini', '--dry-run', '--json')
    expect(dry.json()).toMatchObject({ written: [], plan: { members: [3, 2] }, target: path })
    const told = (await call('archive', 'remove', path, 'data/c.ini', '--dry-run')).out
    expect(told).toContain('nothing is written')
    expect(told).toMatch(/a copy of the whole, \d+ bytes, is written to .*x\.big\n/)
    expect(readBytes(path)).toEqual(big())
    // what stands where the copy would is no surprise behind the plan
    for (const [out, message] of [
      [join(root, 'there.big'), 'is there already'],
      [path, 'cannot take the place of the archive'],
    ])
      for (const more of [[], ['--dry-run']]) {
        const refused = await call('archive', 'remove', path, 'data/c.ini', '--out', out, ...more)
        expect(refused, out).toMatchObject({ status: 1, out: '' })
        expect(refused.err.trimEnd().split('\n'), out).toEqual([expect.stringContaining(message)])
      }
    const large = put(
      root,
      'large.big',
      makeBig(
        'BIGF',
        [...Array(5)].map((_, i) => ({ name: `m${i}`, bytes: junk(1 << 20, i) })),
      ),
    )
    const renamed = await call('archive', 'rename', large, 'm3', 'z3', '--dry-run')
    expect(renamed.out).toContain(`1 byte is written in place, where it stands in ${large}\n`)
    const out = join(root, 'copy.big')
    expect((await call('archive', 'remove', path, 'data/c.ini', '--out', out, '--json')).json().written).toEqual([out])
    expect(names(out)).toHaveLength(2)
    expect(readBytes(path)).toEqual(big())
    const code = async (...args: string[]): Promise<[number, string]> => {
      const { status, json } = await call('archive', ...args, '--json')
      return [status, json().error.code]
    }
    expect(await code('remove', path, 'data/c.ini', '--out', join(root, 'there.big'))).toEqual([1, 'io'])
    expect(await code('remove', path, 'none')).toEqual([1, 'not-found'])
    expect(await code('rename', path, 'data/c.ini', 'ART/W3D/A.W3D')).toEqual([1, 'invalid-edit'])
    expect(await code('add', path, join(root, 'none'))).toEqual([1, 'not-found'])
    expect(await code('add', path, join(root, 'new.w3d'), '--name', 'x'.repeat(5000))).toEqual([1, 'invalid-edit'])
    expect(readBytes(path)).toEqual(big())
    const disc = tempFolder(archiveCases['HD3']().files)
    expect(await code('remove', join(disc, 'DATA.HD3'), 'b.dff')).toEqual([2, 'unsupported'])

    // a copy in the place of the archive would be a save that keeps no original
    symlinkSync(path, join(root, 'link.big'))
    for (const own of [path, join(root, 'link.big')])
      expect(await code('remove', path, 'data/c.ini', '--out', own, '--force')).toEqual([1, 'refused'])
    expect(readBytes(path)).toEqual(big())
    const members = (await call('archive', 'list', join(disc, 'DATA.HD3'), '--json')).json().members
    const before = readBytes(join(disc, 'DATA.DAT'))
    for (const own of ['DATA.HD3', 'DATA.DAT'])
      expect(
        await code('replace', join(disc, 'DATA.HD3'), members[0].name, join(root, 'new.w3d'), '--out', join(disc, own), '--force'),
        own,
      ).toEqual([1, 'refused'])
    expect(readBytes(join(disc, 'DATA.DAT'))).toEqual(before)
  })
})
