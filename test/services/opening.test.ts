import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { zipSync, strToU8 } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenTarget } from '../../src/shared/api/desktop.ts'
import { INBOX_LIMITS } from '../../src/shared/api/desktop.ts'
import { say } from '../../src/shared/texts/say.ts'
import { fakeRegistry, numbersBytes, packBytes } from '../workspace/fake-family.ts'
import { writeFiles } from '../workspace/support.ts'
import { caller } from '../support/caller.ts'
import { serviceBenches } from '../support/service-bench.ts'
import type { ServiceBench } from '../support/service-bench.ts'

const INBOX_REASON = say('given.inboxReadOnly')

const start = serviceBenches(afterEach)
let bench: ServiceBench
beforeEach(() => {
  bench = start({
    registry: fakeRegistry,
    files: {
      'a.num': numbersBytes([1, 2, 3]),
      'a.extra.num': numbersBytes([4]),
      'sub/pack.fpk': packBytes({ 'b.num': numbersBytes([5]) }),
      'notes.bin': Uint8Array.of(9, 9, 9),
    },
  })
})
const join_ = (...parts: string[]) => join(bench.base, ...parts)
const call = caller(() => bench.services)
const look = async (...paths: string[]): Promise<OpenTarget[]> => call('open.look', { paths })

describe('what a path means', () => {
  it('is a folder, a file with the folder around it, or nothing, which says why', async () => {
    const file = join_('game', 'a.num')
    expect(await look(join_('game'), file, join_('game', 'notes.bin'), join_('gone'), 'relative.num')).toEqual([
      { kind: 'folder', path: join_('game'), root: join_('game') },
      { kind: 'file', path: file, root: join_('game'), ref: file, archive: false, scan: true },
      { kind: 'none', path: join_('game', 'notes.bin'), message: 'notes.bin: no format that Marrow knows' },
      { kind: 'none', path: join_('gone'), message: expect.stringContaining('gone') },
      { kind: 'none', path: 'relative.num', message: 'a file is named by its whole path' },
    ])
    expect(await look(join_('game', 'sub', 'pack.fpk'))).toMatchObject([{ kind: 'file', archive: true, root: join_('game', 'sub') }])
  })

  it('is looked at in the library that it stands in, also one of earlier, the innermost', async () => {
    const pack = join_('game', 'sub', 'pack.fpk')
    const { root } = await call('library.open', { root: join_('game') })
    expect(await look(pack)).toMatchObject([{ root }])
    await bench.close()
    bench = start({ after: bench, registry: fakeRegistry })
    expect(await look(pack)).toMatchObject([{ root }])
    await call('library.open', { root: join_('game', 'sub') })
    expect(await look(pack)).toMatchObject([{ root: join_('game', 'sub') }])
  })

  it('is opened in the folder around it where no open library holds it, a member too', async () => {
    const pack = join_('game', 'sub', 'pack.fpk')
    expect(await call('open.around', { ref: `${pack}!b.num` })).toEqual({ root: join_('game', 'sub') })
    const { root } = await call('library.open', { root: join_('game') })
    expect(await call('open.around', { ref: `${pack}!b.num` })).toEqual({ root: '' })
    // one of earlier before the folder alone
    await bench.close()
    bench = start({ after: bench, registry: fakeRegistry })
    expect(await call('open.around', { ref: pack })).toEqual({ root })
    await expect(call('open.around', { ref: join_('game', 'gone.num') })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('opens the model with its neighbours', async () => {
    const [target] = await look(join_('game', 'a.extra.num'))
    if (target.kind !== 'file') throw new Error(target.kind)
    await call('library.open', { root: target.root })
    const { info } = await call('model.open', { ref: target.ref })
    expect(info.primary).toBe(join_('game', 'a.num'))
    expect(info.files.map((f) => f.name)).toEqual(['a.num', 'a.extra.num'])
  })

  it('is no reason to walk through a home folder', async () => {
    // in a home folder of its own, which the process is told of
    const home = process.env.HOME
    process.env.HOME = process.env.USERPROFILE = bench.base
    try {
      if (homedir() !== bench.base) throw new Error('the home folder is not that of the environment')
      mkdirSync(join_('Downloads'))
      for (const folder of [bench.base, join_('Downloads')]) writeFileSync(join(folder, 'x.num'), numbersBytes([1]))
      expect(await look(join_('x.num'), join_('Downloads', 'x.num'), join_('game', 'a.num'))).toMatchObject([
        { scan: false },
        { scan: false },
        { scan: true },
      ])
    } finally {
      process.env.HOME = home
      delete process.env.USERPROFILE
    }
  })

  it('is a mod package by its name or what is in it, which is read before anything is written', async () => {
    const original = readFileSync(join_('game', 'a.num'))
    const library = await call('library.open', { root: join_('game') })
    mkdirSync(join_('mod'))
    writeFileSync(join_('mod', 'a.num'), numbersBytes([7, 8, 9]))
    await call('settings.set', { saveMode: 'mod-folder', modFolder: join_('mod') })
    const made = await call('modPackage.export', { library: library.id })
    expect(made.fileName).toMatch(/\.marrow\.zip$/)
    writeFileSync(join_('x.marrow'), made.bytes)
    expect(await look(join_('x.marrow'))).toEqual([{ kind: 'package', path: join_('x.marrow') }])
    // by what is in it, where it is called otherwise; any other zip is a folder
    writeFileSync(join_('mine.zip'), made.bytes)
    expect(await look(join_('mine.zip'))).toEqual([{ kind: 'package', path: join_('mine.zip') }])
    const [plain, broken] = [join_('game', 'plain.zip'), join_('game', 'broken.zip')]
    writeFileSync(plain, zipSync({ 'b.num': numbersBytes([5]) }))
    writeFileSync(broken, zipSync({ 'b.num': numbersBytes([5]) }).subarray(0, 40))
    expect(await look(plain, broken)).toEqual([
      { kind: 'file', path: plain, root: join_('game'), ref: plain, archive: true, scan: true },
      { kind: 'none', path: broken, message: expect.stringMatching(/^broken\.zip: .*no end record/) },
    ])
    rmSync(plain)
    rmSync(broken)
    const expected = {
      name: 'game',
      files: [{ path: 'a.num', member: '', size: numbersBytes([7, 8, 9]).length, originalSize: original.length }],
    }
    expect(await call('modPackage.read', { modPackage: join_('x.marrow') })).toMatchObject(expected)
    expect(await call('modPackage.read', { modPackage: made.bytes })).toMatchObject(expected)
    await expect(call('modPackage.read', { modPackage: zipSync({ 'a.txt': strToU8('hello') }) })).rejects.toMatchObject({
      code: 'bad-magic',
    })
    await expect(call('modPackage.read', { modPackage: 'x.marrow' })).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})

describe('files of a window that knows no paths', () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  it('are found in libraries that are open by name, size and hash', async () => {
    const bytes = new Uint8Array(readFileSync(join_('game', 'a.num')))
    const wanted = { name: 'A.NUM', size: bytes.length, sha256: sha256(bytes) }
    expect(await call('open.match', { files: [wanted] })).toEqual([null])
    const { id, root } = await call('library.open', { root: join_('game') })
    await call('library.scan', { library: id })
    expect(
      await call('open.match', {
        files: [wanted, { ...wanted, size: 1 }, { ...wanted, sha256: sha256(Uint8Array.of(1)) }, { ...wanted, name: 'num' }],
      }),
    ).toEqual([{ kind: 'file', path: join(root, 'a.num'), root, ref: join(root, 'a.num'), archive: false, scan: true }, null, null, null])
  })

  it('are copied beside each other, opened, and cannot be edited', async () => {
    const { id } = await call('inbox.begin', { name: 'Dropped files' })
    await call('inbox.add', { id, path: 'a.num', bytes: numbersBytes([1, 2]) })
    await call('inbox.add', { id, path: 'a.extra.num', bytes: numbersBytes([4]) })
    const targets = await call('inbox.open', { id })
    expect(targets).toMatchObject([{ kind: 'file' }, { kind: 'file' }])
    const [target] = targets as Extract<OpenTarget, { kind: 'file' }>[]
    expect(target.root).toBe(join_('state', 'inbox', id, 'Dropped files'))
    await call('library.open', { root: target.root })
    // nothing to come back to
    expect((await call('app.info', {})).recent).toEqual([])
    const { info } = await call('model.open', { ref: target.ref })
    expect(info.files.map((f) => [f.name, f.readOnly])).toEqual([
      ['a.num', INBOX_REASON],
      ['a.extra.num', INBOX_REASON],
    ])
    await expect(call('skeleton.setField', { model: info.id, joint: 0, key: 'first', value: [9] })).rejects.toMatchObject({
      code: 'read-only',
    })
    await expect(call('inbox.add', { id, path: 'late.num', bytes: numbersBytes([4]) })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('stand in folders as they were, and a folder opens as one', async () => {
    const { id } = await call('inbox.begin', { name: 'chara' })
    await call('inbox.add', { id, path: 'sub/a.num', bytes: numbersBytes([1, 2]) })
    expect(await call('inbox.open', { id })).toMatchObject([{ kind: 'folder', root: join_('state', 'inbox', id, 'chara') }])
  })

  it('lead nowhere else, and are bounded', async () => {
    const { id } = await call('inbox.begin', { name: '../../out' })
    for (const path of ['../x', '/etc/x', 'a/../../x', 'C:\\x', 'a\\b', '', 'nul', 'x/'.repeat(40) + 'y'])
      await expect(call('inbox.add', { id, path, bytes: new Uint8Array(1) }), path).rejects.toMatchObject({ code: 'refused' })
    await call('inbox.add', { id, path: 'x', bytes: new Uint8Array(1) })
    await expect(call('inbox.add', { id, path: 'x', bytes: new Uint8Array(1) })).rejects.toMatchObject({ code: 'io' })
    await expect(call('inbox.add', { id, path: 'big', bytes: new Uint8Array(INBOX_LIMITS.file + 1) })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    for (const bad of ['', '..', '0123456789abcdef'])
      await expect(call('inbox.add', { id: bad, path: 'x', bytes: new Uint8Array(1) })).rejects.toMatchObject({ code: 'not-found' })
    expect(existsSync(join_('out'))).toBe(false)
    // the one file that came in, of a kind that nobody knows
    const [{ path }] = await call('inbox.open', { id })
    expect(dirname(dirname(path))).toBe(join_('state', 'inbox', id))
  })

  it('are cleared away after a week, but not while they are open', async () => {
    const make = async (): Promise<string> => {
      const { id } = await call('inbox.begin', { name: 'd' })
      await call('inbox.add', { id, path: 'a/a.num', bytes: numbersBytes([1]) })
      await call('inbox.open', { id })
      const old = new Date(Date.now() - 8 * 24 * 3600 * 1000)
      utimesSync(join_('state', 'inbox', id), old, old)
      return id
    }
    const [gone, shown] = [await make(), await make()]
    await call('library.open', { root: join_('state', 'inbox', shown, 'd') })
    writeFiles(join_('state', 'inbox'), { 'not-ours.txt': Uint8Array.of(1) })
    await call('inbox.begin', { name: 'next' })
    expect([gone, shown].map((id) => existsSync(join_('state', 'inbox', id)))).toEqual([false, true])
    expect(existsSync(join_('state', 'inbox', 'not-ours.txt'))).toBe(true)
  })
})
