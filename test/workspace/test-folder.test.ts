/** A folder to try a mod in: it has what changed and nothing else, and nothing that Marrow did not write is touched. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { TestFolders } from '../../src/main/workspace/test-folder.ts'
import type { ChangedPair } from '../../src/main/workspace/changed-files.ts'
import { temporaryFolder, writeFiles } from './support.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function start() {
  const base = temporaryFolder()
  const [root, mod, out] = ['game', 'mod', 'out'].map((name) => join(base, name))
  mkdirSync(root)
  const pair = (path: string): ChangedPair => ({ path, original: '', now: join(mod, path) })
  const put = (files: Record<string, string>): void =>
    writeFiles(mod, Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytes(text)])))
  const tests = (): TestFolders => new TestFolders(new StateFiles(join(base, 'state')))
  const places = { root, modFolder: mod }
  const files = (): Record<string, string> =>
    Object.fromEntries(
      (existsSync(out) ? readdirSync(out, { recursive: true, withFileTypes: true }) : [])
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path): [string, string] => [path.slice(out.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  put({ 'models/gta3.img': 'archive', 'Art/W3D/a.w3d': 'mesh' })
  const pairs = [pair('models/gta3.img'), pair('Art/W3D/a.w3d')]
  return { base, root, mod, out, pair, put, tests, places, files, pairs }
}

describe('a test folder', () => {
  it('gets what changed, is told before, and is up to date with the second run', async () => {
    const { out, tests, places, files, pairs, put, mod } = start()
    const plan = await tests().plan(pairs, out, places)
    expect(plan).toEqual({
      folder: out,
      bytes: 11,
      files: [
        { path: 'Art/W3D/a.w3d', bytes: 4, state: 'new' },
        { path: 'models/gta3.img', bytes: 7, state: 'new' },
      ],
    })
    expect(existsSync(out)).toBe(false)
    const told: string[] = []
    const done = await tests().write(pairs, out, places, {
      onProgress: ({ done, total, current }) => told.push(`${done}/${total} ${current}`),
    })
    expect([done.written, done.removed, told]).toEqual([2, 0, ['0/2 Art/W3D/a.w3d', '1/2 models/gta3.img']])
    expect(files()).toEqual({ 'Art/W3D/a.w3d': 'mesh', 'models/gta3.img': 'archive' })
    // the mod goes on: one file is another, one is as the game has it again
    put({ 'models/gta3.img': 'more' })
    rmSync(join(mod, 'Art'), { recursive: true })
    const again = await tests().write([pairs[0]], out, places)
    expect(again.files.map(({ path, state }) => [path, state])).toEqual([
      ['Art/W3D/a.w3d', 'gone'],
      ['models/gta3.img', 'changed'],
    ])
    expect([again.written, again.removed, files()]).toEqual([1, 1, { 'models/gta3.img': 'more' }])
    // folders that nothing stands in any more go, too
    expect(existsSync(join(out, 'Art'))).toBe(false)
    expect((await tests().write([pairs[0]], out, places)).files).toMatchObject([{ state: 'same' }])
  })

  it('keeps what others put there, before it and after it', async () => {
    const { out, tests, places, files, pairs } = start()
    writeFiles(out, { 'models/gta3.img': bytes('the game’s own'), 'Art/note.txt': bytes('mine') })
    const done = await tests().write(pairs, out, places)
    expect(done.files.map(({ state }) => state)).toEqual(['new', 'taken'])
    expect(files()).toMatchObject({ 'models/gta3.img': 'the game’s own', 'Art/W3D/a.w3d': 'mesh' })
    // somebody edits what was written: it is theirs now
    writeFileSync(join(out, 'Art/W3D/a.w3d'), 'edited')
    await tests().write([], out, places)
    expect(files()).toEqual({ 'models/gta3.img': 'the game’s own', 'Art/W3D/a.w3d': 'edited', 'Art/note.txt': 'mine' })
  })

  it('keeps a folder that has the name of a file, and a file that has the name of a folder, and says so before', async () => {
    const { base, out, tests, places, files, pairs } = start()
    mkdirSync(join(out, 'models/gta3.img'), { recursive: true })
    writeFiles(out, { Art: bytes('mine') })
    const states = [
      ['Art/W3D/a.w3d', 'taken'],
      ['models/gta3.img', 'taken'],
    ]
    expect((await tests().plan(pairs, out, places)).files.map(({ path, state }) => [path, state])).toEqual(states)
    expect(await tests().write(pairs, out, places)).toMatchObject({ written: 0, bytes: 0 })
    expect(files()).toEqual({ Art: 'mine' })
    writeFileSync(join(base, 'a file'), '')
    await expect(tests().plan(pairs, join(base, 'a file'), places)).rejects.toMatchObject({ code: 'refused' })
  })

  it('that ended early is gone on with: what it had written is known as its own', async () => {
    const { out, tests, places, files, pairs, put } = start()
    const stop = new AbortController()
    const cut = tests().write(pairs, out, places, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(cut).rejects.toMatchObject({ code: 'cancelled' })
    expect(files()).toEqual({ 'Art/W3D/a.w3d': 'mesh' })
    put({ 'Art/W3D/a.w3d': 'another' })
    const done = await tests().write(pairs, out, places)
    expect(done.files.map(({ state }) => state)).toEqual(['changed', 'new'])
    expect(files()).toEqual({ 'Art/W3D/a.w3d': 'another', 'models/gta3.img': 'archive' })
  })

  it('gets nothing of a file that is saved again meanwhile', async () => {
    const { out, tests, places, files, pairs, put } = start()
    const onProgress = ({ current }: { current: string }): void => put({ [current]: 'saved again' })
    await expect(tests().write(pairs, out, places, { onProgress })).rejects.toMatchObject({ code: 'changed-on-disk' })
    expect(files()).toEqual({})
    await tests().write(pairs, out, places)
    expect(files()).toEqual({ 'Art/W3D/a.w3d': 'saved again', 'models/gta3.img': 'archive' })
  })

  it('stands beside the game and the mod, and is left by no link', async () => {
    const { base, root, mod, out, tests, places, pairs } = start()
    for (const folder of [root, mod, base, join(root, 'x'), join(mod, 'x')])
      await expect(tests().plan(pairs, folder, places), folder).rejects.toMatchObject({ code: 'refused' })
    // each by its own name
    await expect(tests().plan(pairs, root, places)).rejects.toThrow(/beside the game: .+ is the game folder/)
    await expect(tests().plan(pairs, mod, places)).rejects.toThrow(/beside the mod: .+ is the mod folder/)
    mkdirSync(out)
    mkdirSync(join(base, 'elsewhere'))
    symlinkSync(join(base, 'elsewhere'), join(out, 'models'))
    await expect(tests().write(pairs, out, places)).rejects.toMatchObject({ code: 'refused' })
    expect(readdirSync(join(base, 'elsewhere'))).toEqual([])
  })
})
