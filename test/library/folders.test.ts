/** The folders of a library as a tree, what a folder narrows the list to, and rows that are gone to by their first letters. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { FolderTree } from '../../src/main/library/folder-tree.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { Library } from '../../src/main/library/library.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import type { LibraryQuery } from '../../src/shared/api/types/library.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

function indexed(files: Record<string, Uint8Array | string>): Library {
  const root = tempFolder(files)
  const store = new FileStore({ registry: fakeRegistry })
  const library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store })
  open.push(() => (library.close(), store.close()))
  const db = openDatabase(library.database)
  try {
    indexFolder(db, store, root)
  } finally {
    db.close()
  }
  return library
}

const FILES = {
  'top.fake': fake('mesh=a'),
  'peds/anna.fake': fake('mesh=a'),
  'peds/Bob.fake': fake('mesh=b'),
  'peds/old/anton.fake': fake('mesh=c'),
  'peds10/carl.fake': fake('mesh=d'),
  'peds2/!mod/dora.fake': fake('mesh=e'),
  'packs/all.pack': fakePack([
    ['in/emma.fake', fake('mesh=f')],
    ['zoe.fake', fake('mesh=g')],
  ]),
}
const files: Omit<LibraryQuery, 'library' | 'offset' | 'limit'> = { show: 'files', sort: 'name' }
const names = (library: Library, folder: string): string[] =>
  library
    .query({ ...files, folder, offset: 0, limit: 100 })
    .rows.map(({ name }) => name)
    .filter((name) => !name.endsWith('.pack'))

describe('the folders', () => {
  it('are a tree with what stands below each, in the order that people count in, archives among them', () => {
    const library = indexed(FILES)
    expect(library.folders(files, '').map(({ name, count, folders, archive }) => [name, count, folders, archive])).toEqual([
      ['packs', 3, 1, false],
      ['peds', 3, 1, false],
      ['peds2', 1, 1, false],
      ['peds10', 1, 0, false],
    ])
    expect(library.folders(files, 'packs')).toEqual([
      { name: 'all.pack', place: join('packs', 'all.pack'), archive: true, count: 2, folders: 1 },
    ])
    expect(library.folders(files, join('peds2', '!mod'))).toEqual([])
    expect(library.folders(files, 'nowhere')).toEqual([])
    expect(library.folders({ ...files, show: 'errors' }, '')).toEqual([])
  })

  it('count what is listed: what a search and the filters leave, and the one that the list is narrowed to even without any of it', () => {
    const library = indexed({ ...FILES, 'peds/anna.clips.fake': fake('clip=anna'), 'peds/old/antonia.fake': fake('mesh=h') })
    const counts = (query: Partial<LibraryQuery>, place = ''): [string, number][] =>
      library.folders({ ...files, ...query }, place).map(({ name, count }) => [name, count])
    for (const query of [
      { text: 'ann' },
      { text: 'ma' },
      { has: ['clips' as const] },
      { kind: 'animation' as const },
      { family: 'none' },
      { text: 'an', show: 'models' as const },
      { text: 'ped', show: 'errors' as const },
    ])
      for (const [name, count] of counts(query))
        expect(library.query({ ...files, ...query, folder: name, offset: 0, limit: 0 }).total, JSON.stringify([query, name])).toBe(count)
    expect(counts({ text: 'ant' })).toEqual([['peds', 2]])
    expect(counts({ text: 'ant' }, 'peds')).toEqual([['old', 2]])
    expect(counts({ text: 'emma' }, join('packs', 'all.pack'))).toEqual([['in', 1]])
    expect(counts({ has: ['clips'] })).toEqual([['peds', 1]])
    expect(counts({ text: 'nothing is called so' })).toEqual([])
    // in whatever folder one is
    const narrowed = { text: 'carl', folder: join('packs', 'all.pack') }
    expect(counts(narrowed)).toEqual([
      ['packs', 0],
      ['peds10', 1],
    ])
    expect(library.folders({ ...files, ...narrowed }, 'packs')).toEqual([
      { name: 'all.pack', place: join('packs', 'all.pack'), archive: true, count: 0, folders: 0 },
    ])
    // and again as they are, for another text
    expect(counts({ text: 'dora' })).toEqual([['peds2', 1]])
    expect(counts({})).toHaveLength(4)
  })

  it('are those of their text when letters are taken back, of any number of texts, and of their list', () => {
    const library = indexed(FILES)
    const of = (text: string, show: LibraryQuery['show'] = 'files', folder?: string): [string, number][] =>
      library.folders({ ...files, show, folder, text }, '').map(({ name, count }) => [name, count])
    const texts = ['a', 'an', 'ann', 'anna', 'z', 'zo', '']
    const first = texts.map((text) => [of(text), of(text, 'models'), of(text, 'files', 'peds')])
    expect([...texts].reverse().map((text) => [of(text), of(text, 'models'), of(text, 'files', 'peds')])).toEqual([...first].reverse())
    expect(first[2][0]).toEqual([['peds', 1]])
    expect(first[4][0]).toEqual([['packs', 1]])
  })

  it('narrow the list to what stands in and below them, and what is counted with it', () => {
    const library = indexed(FILES)
    expect(names(library, '')).toHaveLength(8)
    expect(names(library, 'peds')).toEqual(['anna.fake', 'anton.fake', 'Bob.fake'])
    expect(names(library, join('peds', 'old'))).toEqual(['anton.fake'])
    expect(names(library, join('packs', 'all.pack'))).toEqual(['emma.fake', 'zoe.fake'])
    expect(names(library, join('peds2', '!mod'))).toEqual(['dora.fake'])
    expect(names(library, 'ped')).toEqual([])
    const { total, facets } = library.query({ ...files, folder: 'peds', offset: 0, limit: 1 })
    expect([total, facets.kinds]).toEqual([3, [{ value: 'model', count: 3 }]])
    expect(library.query({ ...files, folder: 'peds', text: 'ann', offset: 0, limit: 9 }).rows.map(({ name }) => name)).toEqual([
      'anna.fake',
    ])
  })

  it('say where each of them is, so that rows lead back to them', () => {
    const library = indexed(FILES)
    const all: string[] = []
    const walk = (place: string): void => {
      for (const folder of library.folders(files, place)) {
        all.push(folder.place)
        walk(folder.place)
      }
    }
    walk('')
    for (const { where } of library.query({ ...files, offset: 0, limit: 100 }).rows) if (where) expect(all).toContain(where)
  })

  it('are two where their names differ in a separator alone', () => {
    const tree = new FolderTree([
      { id: 1, place: 'a/b', count: 2, archive: false },
      { id: 2, place: 'a\\b', count: 3, archive: false },
    ])
    expect(tree.children('')).toEqual([{ name: 'a', place: 'a', archive: false, count: 5, folders: 2 }])
    expect([tree.below('a/b'), tree.below('a\\b')]).toEqual([[1], [2]])
  })
})

describe('letters', () => {
  it('lead to the first row that begins so, from the present one on, in the order of the list', () => {
    const library = indexed(FILES)
    const list = library.query({ ...files, offset: 0, limit: 100 }).rows.map(({ name }) => name)
    const at = (name: string): number => list.indexOf(name)
    expect(library.seek(files, 'an', 0)).toBe(at('anna.fake'))
    expect(library.seek(files, 'an', at('anna.fake') + 1)).toBe(at('anton.fake'))
    expect(library.seek(files, 'an', at('anton.fake') + 1)).toBe(at('anna.fake'))
    expect(library.seek(files, 'BO', 0)).toBe(at('Bob.fake'))
    expect(library.seek(files, 'q', 0)).toBe(-1)
    const down = library.query({ ...files, descending: true, offset: 0, limit: 100 }).rows.map(({ name }) => name)
    expect(library.seek({ ...files, descending: true }, 'an', 0)).toBe(down.indexOf('anton.fake'))
    expect(library.seek({ ...files, folder: 'peds' }, 'z', 0)).toBe(-1)
    expect(library.seek({ ...files, show: 'models' }, 'top', 0)).toBeGreaterThanOrEqual(0)
  })
})

describe('a row', () => {
  it('is found by its file in whatever the list is and however it is ordered, and is nowhere where it is not listed', () => {
    const library = indexed(FILES)
    for (const query of [files, { ...files, descending: true }, { ...files, text: 'an' }, { ...files, show: 'models' as const }]) {
      const { rows } = library.query({ ...query, offset: 0, limit: 100 })
      expect(rows.length).toBeGreaterThan(1)
      expect(rows.map(({ ref }) => library.place(query, ref))).toEqual(rows.map((_, i) => i))
    }
    const [{ ref }] = library.query({ ...files, offset: 0, limit: 1 }).rows
    expect(library.place({ ...files, text: 'no such word' }, ref)).toBe(-1)
    expect(library.place(files, `${ref}.other`)).toBe(-1)
  })
})

describe('models by their files', () => {
  it('come in the order that was asked for, without those that are none', () => {
    const library = indexed(FILES)
    const all = library.query({ show: 'models', sort: 'name', offset: 0, limit: 100 }).rows
    const wanted = [all[2].ref, 'nowhere', all[0].ref]
    expect(library.modelRows(wanted)).toEqual([all[2], all[0]].map(({ ref, name, where }) => ({ ref, name, where })))
  })
})
