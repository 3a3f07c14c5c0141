/** The folder of a library is looked through again by itself, once it changed on disk; nothing is watched that nobody wants watched. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FolderWatch } from '../../src/main/library/folder-watch.ts'
import { serviceBenches } from '../support/service-bench.ts'
import { tempFolder } from '../files/temp.ts'

const PAUSE = 50
const bench = serviceBenches(afterEach)
const watches: FolderWatch[] = []
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.close()))
})

/** A watch on a folder, once it watches. */
async function watched(
  root: string,
  { ignore = [], leftOut = [], lookEvery = 100_000 }: { ignore?: string[]; leftOut?: string[]; lookEvery?: number } = {},
) {
  const onChanged = vi.fn<() => void>()
  const onUnwatched = vi.fn<(why: string) => void>()
  watches.push(new FolderWatch(root, ignore, { pause: PAUSE, leftOut, onChanged, onUnwatched, lookEvery }))
  // a thread says nothing of when it began
  await soon(() => {
    writeFileSync(join(root, 'begun'), String(Math.random()))
    expect(onChanged).toHaveBeenCalled()
  })
  await quiet()
  onChanged.mockClear()
  return { onChanged, onUnwatched }
}

/** Threads begin and tell in their own time, on a busy machine after more than the second that is waited for where nothing is said. */
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 })

const quiet = (): Promise<void> => new Promise((done) => setTimeout(done, 6 * PAUSE))

describe('a watch on a folder', () => {
  it('tells of files that come, change and go, in folders that come later too, and of a round of changes once', async () => {
    const root = tempFolder({ 'a/one.txt': '1', 'b/c/two.txt': '2' })
    const { onChanged } = await watched(root)
    for (const change of [
      () => writeFileSync(join(root, 'b/c/two.txt'), 'changed'),
      () => rmSync(join(root, 'a/one.txt')),
      () => mkdirSync(join(root, 'new/deep'), { recursive: true }),
      () => writeFileSync(join(root, 'new/deep/file'), 'x'),
      () => renameSync(join(root, 'new'), join(root, 'other')),
      () => writeFileSync(join(root, 'other/deep/file'), 'y'),
      () => {
        rmSync(join(root, 'other'), { recursive: true })
        mkdirSync(join(root, 'other'))
      },
      () => writeFileSync(join(root, 'other/file'), 'z'),
    ]) {
      change()
      await soon(() => expect(onChanged, String(change)).toHaveBeenCalled())
      await quiet()
      onChanged.mockClear()
    }
    for (let i = 0; i < 20; i++) writeFileSync(join(root, `a/${i}`), 'x')
    await soon(() => expect(onChanged).toHaveBeenCalled())
    await quiet()
    expect(onChanged.mock.calls.length).toBeLessThan(3)
  })

  it('passes over what Marrow writes for moments, its own files, and what a link leads to', async () => {
    const outside = tempFolder({ 'x.txt': 'x' })
    const root = tempFolder({ 'state/index.sqlite': 'x', 'index.db': 'y' })
    if (process.platform !== 'win32') symlinkSync(outside, join(root, 'link'))
    const { onChanged } = await watched(root, { ignore: [join(root, 'state'), join(root, 'index.db')] })
    writeFileSync(join(root, '.a.txt.0123abcd-17-0123456789ab.marrow-tmp'), 'x')
    writeFileSync(join(root, 'state/index.sqlite'), 'z')
    writeFileSync(join(root, 'index.db-wal'), 'z')
    writeFileSync(join(root, 'index.db.seal'), 'z')
    writeFileSync(join(outside, 'x.txt'), 'y')
    await quiet()
    expect(onChanged).not.toHaveBeenCalled()
  })

  it('passes over folders that are left out, those that come later too, and over nothing that is called almost so', async () => {
    const root = tempFolder({ 'old/deep/x.txt': 'x', 'old-2/x.txt': 'x', 'sub/a.txt': 'a' })
    const { onChanged } = await watched(root, { leftOut: ['old', 'sub/later'] })
    writeFileSync(join(root, 'old/deep/x.txt'), 'y')
    writeFileSync(join(root, 'old/new.txt'), 'y')
    mkdirSync(join(root, 'sub/later/deep'), { recursive: true })
    writeFileSync(join(root, 'sub/later/deep/x.txt'), 'y')
    await quiet()
    expect(onChanged).not.toHaveBeenCalled()
    writeFileSync(join(root, 'old-2/x.txt'), 'y')
    await soon(() => expect(onChanged).toHaveBeenCalled())
  })

  it('goes on with a folder that was away and is back, and says nothing of it meanwhile', async () => {
    const root = join(tempFolder(), 'drive')
    mkdirSync(root)
    writeFileSync(join(root, 'a'), 'x')
    const { onChanged } = await watched(root, { lookEvery: 20 })
    renameSync(root, `${root}-away`)
    await quiet()
    onChanged.mockClear()
    await quiet()
    expect(onChanged).not.toHaveBeenCalled()
    renameSync(`${root}-away`, root)
    await soon(() => expect(onChanged).toHaveBeenCalled())
    await quiet()
    onChanged.mockClear()
    writeFileSync(join(root, 'a'), 'y')
    await soon(() => expect(onChanged).toHaveBeenCalled())
  })
})

describe('services', () => {
  const files = { 'readme.txt': Uint8Array.of(1) }

  it('tell windows of a folder that was looked through, also of what changed before they ran', async () => {
    const first = bench({ files, watchPause: PAUSE })
    const { id: library } = await first.call('library.open', { root: first.game })
    writeFileSync(join(first.game, 'early'), 'x')
    await quiet()
    // nobody asked for a look through it
    expect(first.events['folder.changed']).toBeUndefined()
    await first.call('library.scan', { library })
    // before anything watches: the thread that does begins in its own time
    writeFileSync(join(first.game, 'new'), 'x')
    await soon(() => expect(first.events['folder.changed']).toContainEqual({ library }))
    await first.close()
    const second = bench({ after: first, watchPause: PAUSE })
    await second.call('library.open', { root: second.game })
    await soon(() => expect(second.events['folder.changed']).toEqual([{ library }]))
    // the folder can be forgotten while it is watched
    await second.call('library.forget', { root: second.game })
  })

  it('watch what is left out no more, and again once it is taken in', async () => {
    const { call, game, events } = bench({ files: { ...files, 'old/x.txt': Uint8Array.of(1) }, watchPause: PAUSE })
    const { id: library } = await call('library.open', { root: game })
    await call('library.scan', { library })
    const told = async (path: string): Promise<void> => {
      await soon(() => {
        writeFileSync(join(game, path), String(Math.random()))
        expect(events['folder.changed']).toContainEqual({ library })
      })
      await quiet()
      delete events['folder.changed']
    }
    await told('old/x.txt')
    await call('library.leaveOut', { library, folder: join(game, 'old') })
    // it watches by now
    await told('readme.txt')
    writeFileSync(join(game, 'old/x.txt'), 'y')
    await quiet()
    expect(events['folder.changed']).toBeUndefined()
    await call('library.takeIn', { library, place: 'old' })
    await told('old/x.txt')
  })

  it('watch nothing where the setting says so', async () => {
    const { call, game, events } = bench({ files, watchPause: PAUSE })
    await call('settings.set', { watchFolders: false })
    const { id: library } = await call('library.open', { root: game })
    await call('library.scan', { library })
    writeFileSync(join(game, 'new'), 'x')
    await quiet()
    expect(events['folder.changed']).toBeUndefined()
  })
})
