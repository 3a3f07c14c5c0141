/** Folders that the user leaves out of a library: gone from the index with the next scan, back with the one after they are taken in. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { leftOutOf } from '../../src/main/files/left-out.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { withLeftOut } from '../../src/main/library/folder-tree.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { Library } from '../../src/main/library/library.ts'
import type { DiskTouch } from '../../src/shared/worker/disk-mark.ts'
import type { LibraryFolder } from '../../src/shared/api/types/library.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'

const registryModule = new URL('../files/fake-family.ts', import.meta.url).href
const store = new FileStore({ registry: fakeRegistry })
const close: (() => void)[] = []
afterEach(() => {
  for (const one of close.splice(0)) one()
})

const FILES = {
  'hero.fake': fake('mesh=a\nbone=hip'),
  'old/hero.fake': fake('mesh=b\nbone=hip'),
  'old/deep/p.fpak': fakePack([['in.fake', fake('bone=in')]]),
  'old/cut.fake': fake('cut').slice(0, 9),
  'older/x.fake': fake('bone=x'),
}

describe('a scan', () => {
  it('forgets what is left out, in archives too, and finds it again', async () => {
    const root = tempFolder(FILES)
    let leftOut: string[] = []
    const library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store, registryModule, leftOut: () => leftOut })
    close.push(() => library.close())
    const refs = (): string[] =>
      library.query({ show: 'files', sort: 'name', offset: 0, limit: 100 }).rows.map(({ ref }) => ref.slice(root.length + 1))
    const whole = await library.scan()
    expect(whole).toMatchObject({ files: 6, bones: 4, errors: [{ code: 'truncated' }] })
    const before = refs()
    leftOut = ['old']
    const rest = await library.scan()
    expect(rest).toMatchObject({ files: 2, recognised: 2, bones: 2, models: 1, errors: [] })
    expect(refs().sort()).toEqual(['hero.fake', 'older/x.fake'])
    expect(library.info()).toMatchObject({ files: 2, errors: 0 })
    expect(library.folders({ show: 'files', sort: 'name' }, '').map(({ name }) => name)).toEqual(['older'])
    expect(library.modelOf(join(root, 'old/hero.fake'))).toEqual([])
    leftOut = []
    const { seconds: _then, ...first } = whole
    const { seconds: _now, ...again } = await library.scan()
    expect(again).toEqual(first)
    expect(refs()).toEqual(before)
  })

  it('has its files in no model of another folder', () => {
    const root = tempFolder({ 'hero.fake': fake('mesh=a\nneeds=anim:hero'), 'old/run.fake': fake('clip=run\nprovides=anim:hero') })
    const library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store })
    close.push(() => library.close())
    const members = (places: readonly string[]): string[] => {
      const db = openDatabase(library.database)
      try {
        indexFolder(db, store, root, { ignore: leftOutOf(root, places) })
      } finally {
        db.close()
      }
      return library.modelOf(join(root, 'hero.fake')).flatMap((model) => model.members.map(({ ref }) => ref.slice(root.length + 1)))
    }
    expect(members([])).toEqual(['hero.fake', join('old', 'run.fake')])
    expect(members(['old'])).toEqual(['hero.fake'])
    expect(members([])).toEqual(['hero.fake', join('old', 'run.fake')])
  })

  it('takes what is left out for nothing where it is first, and where all is read again', async () => {
    const root = tempFolder(FILES)
    let leftOut = ['old', 'older']
    const library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store, registryModule, leftOut: () => leftOut })
    close.push(() => library.close())
    const done: number[] = []
    expect(await library.scan({ onProgress: ({ total }) => done.push(total) })).toMatchObject({ files: 1, models: 1, errors: [] })
    expect(Math.max(...done)).toBe(1)
    expect(await library.scan({ full: true })).toMatchObject({ files: 1, models: 1, errors: [] })
    leftOut = []
    expect(await library.scan()).toMatchObject({ files: 6 })
    leftOut = ['old']
    expect(await library.scan({ full: true })).toMatchObject({ files: 2, errors: [] })
  })

  it('forgets it below a folder that does not answer, too, and asks that drive nothing of it', () => {
    const root = tempFolder({ 'a.fake': fake('bone=a'), 'drive/b.fake': fake('bone=b'), 'drive/old/c.fake': fake('bone=c') })
    const db = openDatabase(':memory:')
    close.push(() => db.close())
    const refs = () =>
      db
        .prepare("SELECT ref FROM files WHERE stamp <> '#folder' ORDER BY ref")
        .pluck()
        .all()
        .map((ref) => String(ref).slice(root.length + 1))
    indexFolder(db, store, root)
    const silent: DiskTouch = {
      begin(path) {
        if (path.startsWith(join(root, 'drive'))) throw new FormatError('no-answer', 'silent', { file: path })
      },
      end: () => {},
    }
    indexFolder(db, store, root, { touch: silent })
    expect(refs()).toEqual(['a.fake', 'drive/b.fake', 'drive/old/c.fake'])
    indexFolder(db, store, root, { touch: silent, ignore: leftOutOf(root, ['drive/old']) })
    expect(refs()).toEqual(['a.fake', 'drive/b.fake'])
    // a drive that is left out as a whole is no error any more
    const report = indexFolder(db, store, root, { touch: silent, ignore: leftOutOf(root, ['drive']) })
    expect(report).toMatchObject({ files: 1, errors: [] })
  })

  it('has nothing of what comes into a folder that is left out', () => {
    const root = tempFolder(FILES)
    const db = openDatabase(':memory:')
    close.push(() => db.close())
    const ignore = leftOutOf(root, ['old'])
    indexFolder(db, store, root, { ignore })
    put(root, 'old/new.fake', fake('bone=new'))
    expect(indexFolder(db, store, root, { ignore })).toMatchObject({ files: 2 })
  })
})

describe('the tree', () => {
  const folder = (place: string, more: Partial<LibraryFolder> = {}): LibraryFolder => ({
    name: place.slice(place.lastIndexOf('/') + 1),
    place: join(place),
    archive: false,
    count: 1,
    folders: 0,
    ...more,
  })
  const known: Record<string, LibraryFolder[]> = { '': [folder('b', { folders: 1 }), folder('d')], b: [folder('b/x')] }
  const tree = (place: string, leftOut: string[]) => withLeftOut((at) => known[at] ?? [], place, leftOut)

  it('has folders that are left out at their places, with those that lead there', () => {
    expect(tree('', [])).toEqual(known[''])
    expect(tree('', ['c', 'b/old', 'e/f/g'])).toEqual([
      folder('b', { folders: 2 }),
      folder('c', { count: 0, leftOut: true }),
      folder('d'),
      folder('e', { count: 0, folders: 1 }),
    ])
    expect(tree('b', ['c', 'b/old', 'e/f/g'])).toEqual([folder('b/old', { count: 0, leftOut: true }), folder('b/x')])
    expect(tree(join('e/f'), ['e/f/g'])).toEqual([folder('e/f/g', { count: 0, leftOut: true })])
    expect(tree('d', ['b/old', 'dd/x'])).toEqual([])
  })

  it('opens none that is left out, whatever of it is still indexed or left out below it', () => {
    for (const leftOut of [
      ['b', 'b/x'],
      ['b/x', 'b'],
    ])
      expect(tree('', leftOut)).toEqual([folder('b', { leftOut: true }), folder('d')])
  })
})
