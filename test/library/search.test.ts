/** What a search gives first and why, what counts for a model, and files that are not what they are called. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { createRegistry, registry } from '../../src/main/formats/registry.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { Library } from '../../src/main/library/library.ts'
import { Names } from '../../src/main/library/names.ts'
import { Queries } from '../../src/main/library/queries.ts'
import { sampleFiles } from '../support/sample.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'
import type { Registry } from '../../src/main/formats/registry.ts'
import type { LibraryPart, LibraryQuery, LibraryRow } from '../../src/shared/api/types/library.ts'
import type { Family } from '../../src/main/formats/family.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

function indexed(files: Record<string, Uint8Array | string>, of: Registry): { root: string; library: Library; scan: () => void } {
  const root = tempFolder(files)
  const store = new FileStore({ registry: of })
  const library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store })
  open.push(() => (library.close(), store.close()))
  const scan = (): void => {
    const db = openDatabase(library.database)
    try {
      indexFolder(db, store, root)
    } finally {
      db.close()
    }
  }
  scan()
  return { root, library, scan }
}

/** Before its first scan, which threads of its own make. */
function unscanned(files: Record<string, Uint8Array | string>): Library {
  const store = new FileStore({ registry: fakeRegistry })
  const library = Library.open(tempFolder(files), join(tempFolder(), 'index.sqlite'), {
    store,
    registryModule: new URL('../files/fake-family.ts', import.meta.url).href,
  })
  open.push(() => (library.close(), store.close()))
  return library
}

type Narrowed = Omit<LibraryQuery, 'library' | 'sort' | 'offset' | 'limit'>

const page = (library: Library, query: Partial<LibraryQuery> = {}) =>
  library.query({ show: 'files', sort: 'name', offset: 0, limit: 100, ...query })

describe('a search', () => {
  it('that fails leaves nothing that the next one takes for found', () => {
    const { library } = indexed({ 'wind.fake': fake('mesh=b'), 'wind.pack': fakePack([]) }, fakeRegistry)
    const failing = vi.spyOn(fakeRegistry, 'archiveById').mockImplementation(() => {
      throw new Error('the registry fails')
    })
    try {
      expect(() => page(library, { text: 'wind' })).toThrow('the registry fails')
    } finally {
      failing.mockRestore()
    }
    expect(page(library, { text: 'wind' }).rows.map(({ name }) => name)).toEqual(['wind.fake', 'wind.pack'])
    expect(library.seek({ show: 'files', text: 'wind', sort: 'name' }, 'wind.p', 0)).toBe(1)
  })

  it('is answered again as before until the index changes, and counts what lists show alone', () => {
    const { root, library, scan } = indexed({ 'wind.fake': fake('bone=mill'), 'wind mill.txt': 'no format knows it' }, fakeRegistry)
    const ask = (text: string) => {
      const { rows, total, counts } = page(library, { text })
      return { names: rows.map(({ name }) => name), total, files: counts.files }
    }
    const first = ask('wind mill')
    expect(first).toEqual({ names: ['wind.fake'], total: 1, files: 1 })
    expect(page(library, { text: 'wind' })).toMatchObject({ total: 1, counts: { files: 1, models: 0 } })
    expect(ask('wind mill')).toEqual(first)
    writeFileSync(join(root, 'windmill.fake'), fake('mesh=b'))
    scan()
    expect(ask('wind mill')).toEqual({ names: ['windmill.fake', 'wind.fake'], total: 2, files: 2 })
  })

  it('looks through what it has in memory until something in the index changes: a scan may find nothing new', () => {
    const { root, library, scan } = indexed({ 'wind.fake': fake('bone=mill') }, fakeRegistry)
    const [find, forget] = [vi.spyOn(Names.prototype, 'find'), vi.spyOn(Names.prototype, 'forgetFiles')]
    try {
      page(library, { text: 'wind' })
      scan()
      page(library, { text: 'wind' })
      page(library, { text: 'mill' })
      expect(forget).not.toHaveBeenCalled()
      expect(find.mock.calls).toEqual([[['wind']], [['mill']]])
      rmSync(join(root, 'wind.fake'))
      scan()
      expect(page(library, { text: 'mill' }).total).toBe(0)
      expect(forget).toHaveBeenCalledOnce()
    } finally {
      find.mockRestore()
      forget.mockRestore()
    }
  })

  it('answers in each moment of a scan as it would without anything in memory', () => {
    const files = Object.fromEntries(
      Array.from({ length: 700 }, (_, i) => [`${i % 3 ? 'weather' : 'mills'}/wind${i}.fake`, fake('mesh=b')]),
    )
    const { root, library } = indexed({ ...files, 'packs/wind.fpak': fakePack([['mill.fake', fake('bone=wind')]]) }, fakeRegistry)
    const store = new FileStore({ registry: fakeRegistry })
    const db = openDatabase(library.database)
    open.push(() => (db.close(), store.close()))
    const inMemory = new Queries(db, root, fakeRegistry)
    /** Scans, and asks in each of its phases, in which it has written more each time. @returns how many files were found when */
    const ask = (): number[] => {
      const found: number[] = []
      let asked = 0
      const both = (): void => {
        for (const show of ['files', 'models'] as const) {
          const query = { show, text: 'wind', sort: 'name', offset: 0, limit: 5 } as const
          const page = inMemory.page(query)
          expect(page).toEqual(new Queries(db, root, fakeRegistry).page(query))
          if (show === 'files' && page.total !== found.at(-1)) found.push(page.total)
        }
      }
      const writer = openDatabase(library.database)
      try {
        indexFolder(writer, store, root, {
          onProgress({ phase }) {
            if (phase !== 'bind' && phase !== 'done' && asked++ % 150 > 0) return
            // as it is read ahead: of models only what a scan does not change any more
            while (inMemory.ready(phase === 'done'));
            both()
          },
        })
      } finally {
        writer.close()
      }
      both()
      return found
    }
    expect(ask()).toEqual([702])
    writeFileSync(join(root, 'mills/wind0.fake'), fake('bone=other'))
    writeFileSync(join(root, 'mills/wind3.fake'), fake('not what the format says'))
    writeFileSync(join(root, 'mills/window.fake'), fake('mesh=c'))
    expect(ask()).toEqual([702, 703])
    rmSync(join(root, 'weather'), { recursive: true })
    expect(ask()).toEqual([703, 237])
    rmSync(join(root, 'mills'), { recursive: true })
    for (const name of Object.keys(files)) put(root, `again/${name}`, files[name])
    expect(ask().length).toBeGreaterThan(2)
  })

  it('counts in memory what the index would say, and what its rows are', () => {
    const files = {
      'a/wind.fake': fake('mesh=m\nbone=hip\nclip=walk'),
      'a/b/wind.fake': fake('bone=wind'),
      'a/b/p.fpak': fakePack([
        ['x/wind.fake', fake('texture=mill')],
        ['mill.fake', fake('slice=wind\nmesh=m')],
      ]),
      'c/mill.fake': fake('mesh=m\nskin=m'),
      'c/wind.txt': 'no format knows it',
      'wind bad.fake': 'nothing of it',
    }
    const { root, library } = indexed(files, fakeRegistry)
    const db = openDatabase(library.database)
    const [asked, held] = [new Queries(db, root, fakeRegistry), new Queries(db, root, fakeRegistry)]
    try {
      while (held.ready(true));
      const rowsOf = (query: Narrowed): LibraryRow[] => held.page({ ...query, sort: 'name', offset: 0, limit: 500 }).rows
      const numbersOf = (queries: Queries, query: Narrowed) => {
        const { total, facets, counts } = queries.page({ ...query, sort: 'name', offset: 0, limit: 0 })
        return { total, facets, counts, folders: queries.folders({ ...query, sort: 'name' }, '') }
      }
      let met = 0
      for (const show of ['models', 'files', 'errors'] as const)
        for (const folder of [undefined, 'a', join('a', 'b', 'p.fpak')])
          for (const kind of [undefined, 'model', 'archive'] as const)
            for (const has of [undefined, ['meshes'], ['meshes', 'bones']] as (LibraryPart[] | undefined)[]) {
              const narrowed = { show, folder, kind, has }
              // with nothing in memory all numbers come from the index
              expect(numbersOf(held, narrowed), JSON.stringify(narrowed)).toEqual(numbersOf(asked, narrowed))
              for (const text of ['wind', 'mill', 'wind mill', 'none']) {
                const rows = rowsOf({ ...narrowed, text })
                const { total, facets, folders } = numbersOf(held, { ...narrowed, text })
                expect(total, JSON.stringify({ ...narrowed, text })).toBe(rows.length)
                for (const { value, count } of facets.families) expect(count).toBe(rows.filter(({ family }) => family === value).length)
                if (kind === undefined && show !== 'models')
                  for (const { value, count } of facets.kinds) expect(count).toBe(rows.filter((row) => row.kind === value).length)
                for (const { value, count } of facets.has) expect(count).toBe(rows.filter((row) => row[value] > 0).length)
                if (!folder)
                  expect(folders.reduce((sum, { count }) => sum + count, 0)).toBe(rows.filter(({ where }) => where !== '').length)
                met += rows.length
              }
            }
      expect(met).toBeGreaterThan(50)
    } finally {
      db.close()
    }
  })

  it('counts files among the errors that were there before a family stumbled over their folder', () => {
    const { root, library } = indexed({ 'wind.fake': fake('mesh=b') }, fakeRegistry)
    const [family] = fakeRegistry.families
    const bind = vi.spyOn(family, 'bind').mockImplementation(() => {
      expect(page(library, { text: 'wind' }).counts.errors).toBe(0)
      throw new Error('a binder fails')
    })
    const store = new FileStore({ registry: fakeRegistry })
    const db = openDatabase(library.database)
    try {
      indexFolder(db, store, root, { full: true })
      expect(page(library, { text: 'wind' }).counts.errors).toBe(1)
    } finally {
      bind.mockRestore()
      db.close()
      store.close()
    }
  })

  it('has what files are called in memory when a scan is over, before anybody searches', async () => {
    const library = unscanned({ 'wind.fake': fake('mesh=mill') })
    // a window has the rows of what was found before, none yet
    page(library)
    const { ready } = Names.prototype
    const spied = vi.spyOn(Names.prototype, 'ready')
    try {
      const read = new Promise<Names>((resolve) =>
        spied.mockImplementation(function (this: Names, models) {
          const more = ready.call(this, models)
          if (models && !more) resolve(this)
          return more
        }),
      )
      await library.scan()
      const names = await read
      // nothing of the index is left to be read
      const { files, models, counts } = names.find(['mill'])
      expect([Math.max(...files), Math.max(...models), counts.files]).toEqual([4, 4, 1])
    } finally {
      spied.mockRestore()
    }
  })

  it('has no names in memory for a scan whose rows nobody asks for, as of the command line', async () => {
    const library = unscanned({ 'wind.fake': fake('mesh=mill') })
    const ready = vi.spyOn(Names.prototype, 'ready')
    try {
      await library.scan()
      await setImmediate()
      expect(ready).not.toHaveBeenCalled()
    } finally {
      ready.mockRestore()
    }
  })

  const files = {
    'a_windmill.fake': fake('mesh=a'),
    'chimes.fake': fake('bone=Wind_Bone\nclip=idle'),
    'tree.fake': fake('clip=Sway in the Wind'),
    'wind.fake': fake('mesh=b'),
    'windows.fake': fake('mesh=c'),
    'weather/wind/leaf.fake': fake('mesh=d'),
  }
  it('gives what is called so first, then what has it in it, with the name that was found', () => {
    const { library } = indexed(files, fakeRegistry)
    const found = page(library, { text: 'Wind' }).rows.map(({ name, hit }) => [name, hit])
    expect(found).toEqual([
      ['wind.fake', undefined],
      ['windows.fake', undefined],
      ['a_windmill.fake', undefined],
      ['chimes.fake', { what: 'bones', name: 'Wind_Bone' }],
      ['leaf.fake', { what: 'folder', name: join('weather', 'wind') }],
      ['tree.fake', { what: 'clips', name: 'Sway in the Wind' }],
    ])
    // the order that was asked for holds among equals, and a word that the name lacks is the one that is shown
    expect(
      page(library, { text: 'wind', descending: true })
        .rows.map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(['wind.fake', 'windows.fake', 'a_windmill.fake'])
    expect(page(library, { text: 'tree sway' }).rows.map(({ name, hit }) => [name, hit?.name])).toEqual([['tree.fake', 'Sway in the Wind']])
    expect(page(library, { text: 'wind', limit: 2, offset: 2 }).rows.map(({ name }) => name)).toEqual(['a_windmill.fake', 'chimes.fake'])
    expect(page(library, {}).rows.every(({ hit }) => hit === undefined)).toBe(true)
  })

  it('shows of all that it found in a file the name that is nearest to what was looked for', () => {
    const { library } = indexed(
      {
        // the first that has it is not the one that is called so
        'a.fake': fake('clip=prune_tree\nclip=swim_run\nclip=running\nclip=run\nbone=run\nmesh=x'),
        'b.fake': fake('clip=prune_tree\nclip=swim_run\nclip=running\nbone=run\nmesh=x'),
        'c.fake': fake('clip=prune_tree\nclip=swim_run'),
        'd.fake': fake('clip=prune_tree'),
        'runners/e.fake': fake('mesh=run'),
        'run/f.fake': fake('mesh=run'),
        'runners/g.fake': fake('mesh=pruned'),
        'h.fake': fake('clip=run_left\nclip=left_swim\nclip=swim left run'),
      },
      fakeRegistry,
    )
    const hits = (text: string, show: 'files' | 'models' = 'files') =>
      page(library, { text, show }).rows.map(({ name, hit }) => `${name}: ${hit?.what} ${hit?.name}`)
    expect(hits('run')).toEqual([
      'a.fake: clips run',
      'b.fake: bones run',
      'c.fake: clips swim_run',
      'd.fake: clips prune_tree',
      'e.fake: meshes run',
      'f.fake: folder run',
      'g.fake: folder runners',
      'h.fake: clips run_left',
    ])
    // of several words the name that has most of them
    expect(hits('swim left')).toEqual(['h.fake: clips swim left run'])
    expect(hits('left run h')).toEqual(['h.fake: clips run_left'])
    expect(hits('run', 'models').filter((row) => /^[ab]/.test(row))).toEqual(['a: clips run', 'b: bones run'])
  })

  it('finds models in the same way', () => {
    const { library } = indexed(files, fakeRegistry)
    const rows = page(library, { text: 'wind', show: 'models' }).rows
    expect(rows.map(({ name }) => name).slice(0, 3)).toEqual(['wind', 'windows', 'a_windmill'])
    for (const { name, hit } of rows.slice(3)) expect(hit, name).toBeDefined()
  })
})

describe('a model', () => {
  it('has the bones of its own files, not those of the animations of all, and the size of what is its own', () => {
    const shared = fake(['mover', 'hand', 'tail', 'wing', 'ear'].map((name) => `bone=${name}`).join('\n'))
    const one = fake('mesh=one\nbone=mover\nbone=hand')
    const two = fake('mesh=two\nbone=mover')
    const [family] = fakeRegistry.families
    const pair: Family = {
      ...family,
      bind: (folder, around) =>
        around
          .inFolder(folder)
          .filter(({ name }) => name !== 'shared.fake')
          .map(({ ref, name }) => ({
            family: family.id,
            name,
            primary: ref,
            members: [
              { role: 'model', ref, why: 'self', detail: '' },
              { role: 'animation', ref: join(folder, 'shared.fake'), why: 'name', detail: '' },
            ],
          })),
    }
    const { library } = indexed({ 'one.fake': one, 'two.fake': two, 'shared.fake': shared }, createRegistry([pair]))
    const rows = page(library, { show: 'models' }).rows.map(({ name, bones, size }) => ({ name, bones, size }))
    expect(rows).toEqual([
      { name: 'one.fake', bones: 2, size: one.length },
      { name: 'two.fake', bones: 1, size: two.length },
    ])
  })
})

describe('files that are not what they are called', () => {
  it('are among the errors: empty ones, and those that no format knows', () => {
    const dff = sampleFiles().find(({ path }) => path.endsWith('peds/adventurer.dff'))!.bytes
    const { root, library, scan } = indexed(
      { 'a/empty.dff': '', 'rubbish.W3D': 'this is none', 'good.dff': dff, 'notes.txt': '', 'unknown.xyz': 'x' },
      registry,
    )
    const errors = page(library, { show: 'errors' })
    expect(errors.rows.map(({ name, family, kind, error }) => [name, family, kind, error?.code, error?.message])).toEqual([
      ['empty.dff', 'renderware', 'model', 'truncated', 'the file is empty'],
      ['rubbish.W3D', 'w3d', 'model', 'bad-magic', 'it is called .w3d, and no format that Marrow knows begins as it does'],
    ])
    // whatever is counted where: tab, page and library say the same
    expect([errors.total, errors.counts.errors, library.info().errors]).toEqual([2, 2, 2])
    const { total, counts } = page(library, {})
    expect([total, counts.files, library.info().files]).toEqual([1, 1, 1])
    writeFileSync(join(root, 'a/empty.dff'), dff)
    rmSync(join(root, 'rubbish.W3D'))
    scan()
    expect(page(library, { show: 'errors' }).total).toBe(0)
    expect(page(library, {}).total).toBe(2)
  })

  it.each([
    ['level5', ['chr', 'mds', 'wgt', 'mot', 'bbp', 'tm2', 'tim2']],
    ['w3d', ['w3d', 'big']],
    ['renderware', ['dff', 'txd', 'ifp']],
    ['lostsaga', ['skl', 'ani', 'msh', 'cms']],
  ])('are found by every ending that %s has for itself', (family, endings) => {
    const files = endings.flatMap((ending) => [[`empty.${ending}`, ''] as const, [`rubbish.${ending}`, 'this is none'] as const])
    const { library } = indexed(Object.fromEntries(files), registry)
    const { rows } = page(library, { show: 'errors' })
    expect(rows.map(({ name }) => name).sort()).toEqual(files.map(([name]) => name).sort())
    expect([...new Set(rows.map((row) => row.family))]).toEqual([family])
  })
})
