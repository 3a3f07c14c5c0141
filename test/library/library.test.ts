import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import Database from 'better-sqlite3'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { createRegistry, families as productFamilies } from '../../src/main/formats/registry.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { IndexNeighbourhood } from '../../src/main/library/index-neighbourhood.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { Library } from '../../src/main/library/library.ts'
import { checkRows } from '../../src/main/library/row-counts.ts'
import { fake, fakePack, fakeRegistry, fakeSplit } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'
import type { Neighbourhood } from '../../src/main/formats/binding.ts'
import type { Family } from '../../src/main/formats/family.ts'
import type { LibraryQuery, ScanProgress, ScanReport } from '../../src/shared/api/types/library.ts'

const registryModule = new URL('../files/fake-family.ts', import.meta.url).href
const store = new FileStore({ registry: fakeRegistry })
const opened: Library[] = []
afterEach(() => {
  for (const library of opened.splice(0)) library.close()
})

function open(root: string, file = join(tempFolder(), 'index.sqlite')): Library {
  const library = Library.open(root, file, { store, registryModule })
  opened.push(library)
  return library
}

/** A scan without its worker, which takes a second to start: for cases that are about the scan itself. */
function scanHere(library: Library, options: { full?: boolean } = {}): ScanReport {
  const db = openDatabase(library.database)
  try {
    return indexFolder(db, store, library.root, options)
  } finally {
    db.close()
  }
}

const page = (library: Library, query: Partial<LibraryQuery>) =>
  library.query({ show: 'files', sort: 'name', offset: 0, limit: 100, ...query })
const names = (library: Library, query: Partial<LibraryQuery>): string[] => page(library, query).rows.map((row) => row.name)
const rejected = async (promise: Promise<unknown>): Promise<FormatError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FormatError)
  return error as FormatError
}

const HERO =
  'mesh=Körper\nbone=hip\nbone=腰\nslice=立ち\nslice=走りモーション\nclip=Walk Cycle\ntexture=skin_a\nskin=Körper\nprovides=Rig:Hero\nneeds=anim:hero\nnote=a hero'

function sample(): string {
  return tempFolder({
    'hero.fake': fake(HERO),
    'sub/anim.fake': fake('clip=한국어 걷기\nprovides=ANIM:hero'),
    'sub/broken.fake': fake('cut off').slice(0, 10),
    'sub/note.txt': 'unknown',
    'packs/p.fpak': fakePack([
      ['art\\orc.fake', fake('mesh=orc\nbone=root')],
      ['deep.fpak', fakePack([['x_percent%.fake', fake('texture=100%_sure')]])],
      ['gone.fake', fake('refused')],
    ]),
  })
}

describe('scan', () => {
  it('indexes files, members and models, and reports sums', async () => {
    const root = sample()
    const library = open(root)
    const phases: string[] = []
    const report = await library.scan({ onProgress: (p) => phases.push(p.phase) })
    expect(report).toMatchObject({ files: 9, recognised: 8, models: 2, bones: 3, meshes: 2, slices: 2, weights: 4, textures: 2 })
    expect(report.errors).toEqual([
      { path: `${root}/packs/p.fpak!gone.fake`, code: 'refused', message: 'this cousin is refused', offset: 0 },
      { path: `${root}/sub/broken.fake`, code: 'truncated', message: expect.stringContaining('(text)'), offset: 8 },
    ])
    expect(report.seconds).toBeGreaterThan(0)
    expect(new Set(phases)).toEqual(new Set(['walk', 'index', 'bind', 'done'].filter((p) => phases.includes(p))))
    expect(phases.at(-1)).toBe('done')
    expect(library.info()).toMatchObject({ id: library.id, root, files: 8, models: 2, errors: 2 })
    expect(library.info().scannedAt).toBeGreaterThan(Date.now() - 60_000)
  })

  it('skips what did not change, sees what is new, changed and gone', async () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const library = open(root, file)
    scanHere(library)
    const stamps = (): Record<string, number> => {
      const db = new Database(file, { readonly: true })
      const rows = db.prepare('SELECT ref, id FROM files').all() as { ref: string; id: number }[]
      db.close()
      return Object.fromEntries(rows.map(({ ref, id }) => [ref.slice(root.length + 1), id]))
    }
    const first = stamps()
    scanHere(library)
    expect(stamps()).toEqual(first)

    put(root, 'sub/new.fake', fake('bone=new'))
    put(root, 'hero.fake', fake('mesh=other'))
    rmSync(join(root, 'sub/anim.fake'))
    rmSync(join(root, 'packs'), { recursive: true })
    const report = scanHere(library)
    const second = stamps()
    expect(Object.keys(second).sort()).toEqual(['hero.fake', 'sub/broken.fake', 'sub/new.fake', 'sub/note.txt'])
    expect(second['sub/note.txt']).toBe(first['sub/note.txt'])
    expect(second['hero.fake']).not.toBe(first['hero.fake'])
    expect(report).toMatchObject({ files: 4, models: 1, bones: 1, meshes: 1, slices: 0, weights: 0 })
    expect(names(library, { text: 'orc' })).toEqual([])
    const db = new Database(file, { readonly: true })
    for (const table of ['bones', 'meshes', 'skins', 'skin_bones', 'slices', 'clips', 'textures', 'keys']) {
      expect(db.prepare(`SELECT count(*) FROM ${table} WHERE file NOT IN (SELECT id FROM files)`).pluck().get(), table).toBe(0)
    }
    expect(db.prepare('SELECT count(*) FROM names').pluck().get()).toBe(4)
    db.close()
  })

  it('forgets what a file that went gave to others and looked for, and of an archive what its members did', () => {
    const root = sample()
    put(root, 'packs/p.fpak', fakePack([['orc.fake', fake('provides=rig:orc\nprovides=rig:other\nneeds=rig:orc')]]))
    const library = open(root)
    const keys = (): unknown[] => {
      const db = openDatabase(library.database)
      try {
        expect(checkRows(db)).toBeUndefined()
        return db.prepare('SELECT key FROM keys ORDER BY key').pluck().all()
      } finally {
        db.close()
      }
    }
    scanHere(library)
    expect(keys()).toEqual(['anim:hero', 'anim:hero', 'rig:hero', 'rig:orc', 'rig:orc', 'rig:other'])
    rmSync(join(root, 'packs/p.fpak'))
    scanHere(library)
    expect(keys()).toEqual(['anim:hero', 'anim:hero', 'rig:hero'])
    rmSync(join(root, 'hero.fake'))
    scanHere(library)
    expect(keys()).toEqual(['anim:hero'])
  })

  it('looks again at a file of the same size whose time changed, and at all with full', async () => {
    const root = tempFolder({ 'a.fake': fake('bone=one') })
    const library = open(root)
    scanHere(library)
    const { mtimeMs } = store.stat(join(root, 'a.fake'))
    writeFileSync(join(root, 'a.fake'), fake('bone=two'))
    utimesSync(join(root, 'a.fake'), mtimeMs / 1000, mtimeMs / 1000)
    scanHere(library)
    expect(names(library, { text: 'two' })).toEqual(['a.fake'])
    scanHere(library, { full: true })
    expect(names(library, { text: 'two' })).toEqual(['a.fake'])
    utimesSync(join(root, 'a.fake'), 1000, 1000)
    writeFileSync(join(root, 'a.fake'), fake('bone=six'))
    scanHere(library)
    expect(names(library, { text: 'six' })).toEqual(['a.fake'])
  })

  it('goes by the bytes of a file whose times lie, and lets its row be where nothing but a time changed', () => {
    const root = tempFolder({ 'a.fake': fake('bone=one'), 'b.fake': fake('bone=x'), 'c.fpak': fakePack([['in.fake', fake('bone=old')]]) })
    const database = join(tempFolder(), 'index.sqlite')
    const library = open(root, database)
    const later = vi.spyOn(Date, 'now')
    const rows = (): Record<string, { id: number; changed: number }> => {
      const db = new Database(database, { readonly: true })
      const found = db.prepare('SELECT name, id, changed FROM files WHERE parent IS NULL').all() as {
        name: string
        id: number
        changed: number
      }[]
      db.close()
      return Object.fromEntries(found.map(({ name, ...row }) => [name, row]))
    }
    try {
      scanHere(library)
      // just written: another change within the clock's step would have the same times
      expect(Object.values(rows()).every(({ changed }) => changed === -1)).toBe(true)
      later.mockReturnValue(Date.now() + 10_000)
      scanHere(library)
      expect(Object.values(rows()).every(({ changed }) => changed > 0)).toBe(true)
      // nothing is read any more
      const read = vi.spyOn(store, 'read')
      scanHere(library)
      expect(read).not.toHaveBeenCalled()
      read.mockRestore()

      const stamps = ['a.fake', 'b.fake'].map((name) => library.stamp(join(root, name)))
      for (const [name, bytes] of [
        ['a.fake', fake('bone=two')],
        ['b.fake', fake('bone=x')],
        ['c.fpak', fakePack([['in.fake', fake('bone=new')]])],
      ] as const) {
        utimesSync(join(root, name), 1000, 1000)
        scanHere(library)
        writeFileSync(join(root, name), bytes)
        utimesSync(join(root, name), 1000, 1000)
      }
      const touched = rows()
      scanHere(library)
      expect(names(library, { text: 'two' })).toEqual(['a.fake'])
      expect(names(library, { text: 'new' })).toEqual(['in.fake'])
      expect(rows()['b.fake'].id).toBe(touched['b.fake'].id)
      expect(library.stamp(join(root, 'a.fake'))).not.toBe(stamps[0])
    } finally {
      later.mockRestore()
    }
  })

  it('reads a file that changed, or went, between the walk and its turn as it is then, and the next scan looks at it again', () => {
    const root = tempFolder({ 'a.fake': fake('bone=old'), 'b.fake': fake('bone=old'), 'c.fake': fake('bone=old') })
    const db = openDatabase(':memory:')
    const onProgress = ({ phase, current }: Pick<ScanProgress, 'phase' | 'current'>): void => {
      if (phase !== 'index') return
      if (current.endsWith('b.fake')) put(root, 'b.fake', fake('bone=new\nbone=newer'))
      if (current.endsWith('c.fake')) rmSync(join(root, 'c.fake'), { force: true })
    }
    expect(indexFolder(db, store, root, { onProgress })).toMatchObject({ files: 3, bones: 3, errors: [{ code: 'not-found' }] })
    const bones = (): unknown => db.prepare('SELECT name FROM bones ORDER BY file, number').pluck().all()
    expect(bones()).toEqual(['old', 'new', 'newer'])
    put(root, 'b.fake', fake('bone=newest'))
    expect(indexFolder(db, store, root)).toMatchObject({ files: 2, bones: 2, errors: [] })
    expect(bones()).toEqual(['old', 'newest'])
    db.close()
  })

  it('notices that the data file of an archive came, changed, went', async () => {
    const { directory, data } = fakeSplit([['x.fake', fake('bone=early')]])
    const root = tempFolder({ 'set.fdir': directory })
    const library = open(root)
    expect(scanHere(library).errors).toMatchObject([{ path: `${root}/set.fdir`, code: 'not-found' }])
    put(root, 'set.fdat', data)
    expect(scanHere(library)).toMatchObject({ errors: [], bones: 1, files: 3 })
    put(root, 'set.fdat', fakeSplit([['x.fake', fake('bone=later')]]).data)
    utimesSync(join(root, 'set.fdat'), 1000, 1000)
    scanHere(library)
    expect(names(library, { text: 'later' })).toEqual(['x.fake'])
    rmSync(join(root, 'set.fdat'))
    expect(scanHere(library).errors).toHaveLength(1)
  })

  it('does not stop at codecs that fail, deep nesting, links, or names that mean two things', async () => {
    let nested = fakePack([['x.fake', fake('bone=deep')]])
    for (let i = 0; i < 12; i++) nested = fakePack([['n.fpak', nested]])
    const root = tempFolder({
      'crash.fake': fake('crash'),
      'nested.fpak': nested,
      'p.fpak': fakePack([
        ['a.fake', fake('bone=member')],
        ['a.fake', fake('bone=again')],
      ]),
      'p.fpak!a.fake': fake('bone=ondisk'),
      'fine.fake': fake('bone=fine'),
    })
    symlinkSync(root, join(root, 'loop'))
    symlinkSync('/etc', join(root, 'out'))
    const library = open(root)
    const report = scanHere(library)
    expect(report.errors.map((e) => e.code).sort()).toEqual(['internal', 'unsupported'])
    expect(names(library, { text: 'ondisk' })).toEqual(['p.fpak!a.fake'])
    expect(names(library, { text: 'again' })).toEqual(['a.fake~2'])
    expect(names(library, { text: 'fine' })).toEqual(['fine.fake'])
    expect(scanHere(library)).toMatchObject({ files: report.files, errors: report.errors })
  })

  it('does not read the same bytes for each of thousands of members', async () => {
    const body = fake('x'.repeat(200_000))
    const bytes = fakePack([['a', body], ...Array.from({ length: 600 }, (_, i): [string, Uint8Array] => [`b${i}`, new Uint8Array(0)])], 0)
    const view = new DataView(bytes.buffer)
    for (let i = 0, at = 8; i < 601; i++, at += 8) {
      at += 1 + view.getUint8(at)
      view.setUint32(at, bytes.length - body.length, true)
      view.setUint32(at + 4, body.length, true)
    }
    const root = tempFolder({ 'p.fpak': bytes, 'fine.fake': fake('bone=fine') })
    const library = open(root)
    const report = scanHere(library)
    expect(report.errors).toEqual([{ path: `${root}/p.fpak`, code: 'refused', message: expect.stringContaining('overlap'), offset: -1 }])
    expect(report.files).toBeLessThan(450)
    expect(names(library, { text: 'fine' })).toEqual(['fine.fake'])
  })

  it('binds the nearest of many files with one name, and says that there are more', () => {
    const root = tempFolder(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [
          [`mod${i}/hero.fake`, fake('mesh=hero\nneeds=walk')],
          [`mod${i}/walk.fake`, fake('bone=a\nprovides=walk')],
        ]).flat(),
      ),
    )
    const library = open(root)
    expect(scanHere(library)).toMatchObject({ files: 60, models: 30 })
    for (const i of [0, 17, 29]) {
      const [model] = library.modelOf(join(root, `mod${i}/hero.fake`))
      expect(model.members[0]).toMatchObject({ why: 'self', detail: '' })
      expect(model.members[1]).toMatchObject({
        ref: join(root, `mod${i}/walk.fake`),
        detail: 'needs; there are 30 files of this name, the nearest 8 were looked at',
      })
    }
    // edits reach all of them
    expect(library.neighbourhood().providing('walk', join(root, 'mod5'))).toHaveLength(30)
  })

  it('lists what cannot be reached among the errors, once', async () => {
    const root = tempFolder({ 'a.fake': fake('a') })
    symlinkSync(join(root, 'nowhere'), join(root, 'broken'))
    const library = open(root)
    for (let i = 0; i < 2; i++)
      expect(scanHere(library)).toMatchObject({ files: 1, errors: [{ path: join(root, 'broken'), code: 'not-found' }] })
    rmSync(join(root, 'broken'))
    expect(scanHere(library)).toMatchObject({ files: 1, errors: [] })
  })

  it.skipIf(process.getuid?.() === 0)('lists folders that cannot be read among the errors', async () => {
    const root = tempFolder({ 'locked/a.fake': fake('a') })
    chmodSync(join(root, 'locked'), 0)
    expect(scanHere(open(root)).errors).toMatchObject([{ path: join(root, 'locked'), code: 'io' }])
    chmodSync(join(root, 'locked'), 0o755)
  })

  it('scans again behind a scan that runs or was stopped, and not at all where that was given up meanwhile', async () => {
    const library = open(sample())
    const [stop, given] = [new AbortController(), new AbortController()]
    const stopped = rejected(library.scan({ signal: stop.signal }))
    const dropped = rejected(library.scan({ signal: given.signal }))
    const last = library.scan()
    stop.abort()
    given.abort()
    expect([(await stopped).code, (await dropped).code]).toEqual(['cancelled', 'cancelled'])
    expect((await last).models).toBe(2)
    expect(library.info().models).toBe(2)
  })

  it('gives up a scan that waits for another at once', async () => {
    const library = open(sample())
    const given = new AbortController()
    const over: string[] = []
    const first = library.scan().then(() => over.push('first'))
    const dropped = rejected(library.scan({ signal: given.signal })).then(({ code }) => over.push(code))
    given.abort()
    await Promise.all([first, dropped])
    expect(over).toEqual(['cancelled', 'first'])
  })

  it('fails with a typed error for a folder that is missing', async () => {
    expect(() => open(join(tempFolder(), 'none'))).toThrow(FormatError)
    const root = sample()
    const library = open(root)
    await library.scan()
    rmSync(root, { recursive: true })
    expect((await rejected(library.scan())).code).toBe('not-found')
    expect(library.info().models).toBe(2)
  })

  it('ignores its own index in the folder', async () => {
    const root = tempFolder({ 'a.fake': fake('a') })
    const library = open(root, join(root, 'index.sqlite'))
    expect((await library.scan()).files).toBe(1)
    expect((await library.scan()).files).toBe(1)
  })
})

describe('stopping', () => {
  const many = (): string =>
    tempFolder(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`d${i % 7}/f${i}.fake`, fake(`bone=b${i}\nmesh=m${i}`)])))

  it('keeps what was done and goes on from there', () => {
    const root = many()
    const file = join(tempFolder(), 'index.sqlite')
    const db = openDatabase(file)
    let asked = 0
    expect(() => indexFolder(db, store, root, { cancelled: () => ++asked > 700 })).toThrow(expect.objectContaining({ code: 'cancelled' }))
    const indexed = db.prepare('SELECT count(*) FROM files').pluck().get() as number
    expect(indexed).toBeGreaterThan(500)
    expect(indexed).toBeLessThan(1500)
    const before = db.prepare('SELECT max(id) FROM files').pluck().get()
    expect(indexFolder(db, store, root)).toMatchObject({ files: 1500, models: 1500, bones: 1500 })
    expect(db.prepare('SELECT count(*) FROM files WHERE id <= ?').pluck().get(before)).toBe(indexed)
    db.close()
  })

  it('in the middle of an archive takes the archive again', () => {
    const root = tempFolder({ 'p.fpak': fakePack(Array.from({ length: 700 }, (_, i) => [`f${i}.fake`, fake(`bone=b${i}`)])) })
    const db = openDatabase(':memory:')
    let asked = 0
    expect(() => indexFolder(db, store, root, { cancelled: () => ++asked > 600 })).toThrow(expect.objectContaining({ code: 'cancelled' }))
    expect(db.prepare('SELECT count(*) FROM files').pluck().get()).toBeGreaterThan(500)
    expect(indexFolder(db, store, root)).toMatchObject({ files: 701, bones: 700 })
    expect(db.prepare('SELECT count(*) FROM names').pluck().get()).toBe(701)
    db.close()
  })

  it('of every file again has the old rows until then, and the next scan reads those that were left', () => {
    const root = many()
    const db = openDatabase(':memory:')
    indexFolder(db, store, root)
    const ids = (): Set<number> => new Set(db.prepare('SELECT id FROM files').pluck().all() as number[])
    const before = ids()
    let asked = 0
    const stop = (): boolean => ++asked > 600
    expect(() => indexFolder(db, store, root, { full: true, cancelled: stop })).toThrow(expect.objectContaining({ code: 'cancelled' }))
    const between = ids()
    expect(between.size).toBe(before.size)
    const left = [...between].filter((id) => before.has(id))
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(before.size)
    expect(db.prepare('SELECT count(*) FROM models').pluck().get()).toBeGreaterThan(0)
    indexFolder(db, store, root)
    const after = ids()
    // what was read before the stop is not read again, what was left is
    expect([...after].filter((id) => before.has(id))).toEqual([])
    expect([...after].filter((id) => between.has(id))).toHaveLength(before.size - left.length)
    db.close()
  })

  it('while models are put together leaves the old models, and they are made by the next scan', () => {
    const root = tempFolder({ 'a/a.fake': fake('mesh=a'), 'b/b.fake': fake('mesh=b') })
    const db = openDatabase(':memory:')
    expect(indexFolder(db, store, root).models).toBe(2)
    put(root, 'c/c.fake', fake('mesh=c'))
    let phase = ''
    const stop = { onProgress: (p: { phase: string }) => (phase = p.phase), cancelled: () => phase === 'bind' }
    expect(() => indexFolder(db, store, root, stop)).toThrow(expect.objectContaining({ code: 'cancelled' }))
    expect(db.prepare('SELECT count(*) FROM models').pluck().get()).toBe(2)
    expect(indexFolder(db, store, root).models).toBe(3)
    db.close()
  })

  it('through the worker rejects with cancelled, told by an event', async () => {
    const root = many()
    const library = open(root)
    const controller = new AbortController()
    const seen: ScanProgress[] = []
    const scan = library.scan({
      signal: controller.signal,
      onProgress: (progress) => {
        seen.push(progress)
        controller.abort()
      },
    })
    expect((await rejected(scan)).code).toBe('cancelled')
    expect(seen.every((p) => p.library === library.id)).toBe(true)
    expect((await rejected(library.scan({ signal: controller.signal }))).code).toBe('cancelled')
    expect(await library.scan()).toMatchObject({ files: 1500, models: 1500 })
  })
})

describe('search', async () => {
  const root = sample()
  const library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store, registryModule })
  afterAll(() => library.close())
  await library.scan()

  it('finds parts of names of files, folders, bones, meshes, clips, slices, textures', () => {
    expect(names(library, { text: 'HER' })).toContain('hero.fake')
    for (const text of ['körp', 'KÖRPER', 'alk cyc', 'skin_', 'hip']) expect(names(library, { text }), text).toEqual(['hero.fake'])
    expect(names(library, { text: 'packs' }).sort()).toEqual(['deep.fpak', 'gone.fake', 'orc.fake', 'p.fpak', 'x_percent%.fake'])
  })
  it('finds Japanese and Korean, short and in other spellings', () => {
    for (const text of ['立ち', '走り', '腰', 'モーション', 'ﾓｰｼｮﾝ']) expect(names(library, { text }), text).toEqual(['hero.fake'])
    for (const text of ['한국', '걷', '걷기'.normalize('NFD')]) expect(names(library, { text }), text).toEqual(['anim.fake'])
  })
  it('wants every word, and takes signs as they are', () => {
    expect(names(library, { text: 'hero hip 立ち' })).toEqual(['hero.fake'])
    expect(names(library, { text: 'hero orc' })).toEqual([])
    expect(names(library, { text: '%' })).toEqual(['x_percent%.fake'])
    expect(names(library, { text: '0%_su' })).toEqual(['x_percent%.fake'])
    for (const text of [
      'x'.repeat(100_000),
      `${'ab '.repeat(50_000)}c`,
      '\ud800',
      'abc\udc00',
      '\0a\0b\0c',
      '%'.repeat(60_000),
      'ﷺ'.repeat(5000),
    ])
      expect(() => page(library, { text }), text.slice(0, 9)).not.toThrow()
    for (const text of ['"', '" OR "', 'a*', 'NEAR(', '\\', "'", '-', 'name:x', '\0', '_', '🦴', ' '.repeat(50)])
      expect(() => page(library, { text }), text).not.toThrow()
  })
  it('finds models by what is in their files', () => {
    expect(names(library, { show: 'models' })).toEqual(['hero', 'orc'])
    expect(names(library, { show: 'models', text: '걷기' })).toEqual(['hero'])
    expect(names(library, { show: 'models', text: 'root' })).toEqual(['orc'])
    expect(names(library, { show: 'models', text: 'or' })).toEqual(['orc'])
  })
  it('gives rows, facets, counts, pages and orders', () => {
    const all = page(library, {})
    expect(all.total).toBe(8)
    expect(all.counts).toEqual({ models: 2, files: 8, errors: 2 })
    expect(all.facets).toEqual({
      families: [{ value: 'fake', count: 8 }],
      kinds: [
        { value: 'model', count: 6 },
        { value: 'archive', count: 2 },
      ],
      has: expect.any(Array),
    })
    const has = (query: Parameters<typeof page>[1]) =>
      Object.fromEntries(page(library, query).facets.has.map(({ value, count }) => [value, count]))
    expect(names(library, { has: ['slices'] })).toEqual(['hero.fake'])
    expect(names(library, { show: 'models', has: ['bones', 'clips'] })).toEqual(['hero'])
    expect(names(library, { show: 'models', has: [] })).toEqual(['hero', 'orc'])
    // what one more choice would leave
    expect(has({ has: ['slices'] })).toEqual({ bones: 1, meshes: 1, clips: 1, slices: 1, textures: 1 })
    expect(has({ show: 'models' })).toEqual({ bones: 2, meshes: expect.any(Number), clips: 1, slices: 1, textures: 1 })
    expect(page(library, { kind: 'archive' })).toMatchObject({ total: 2, facets: { kinds: [{ count: 6 }, { count: 2 }] } })
    expect(page(library, { family: 'w3d' }).total).toBe(0)
    const hero = all.rows.find((row) => row.name === 'hero.fake')
    expect(hero).toEqual({
      ref: join(root, 'hero.fake'),
      name: 'hero.fake',
      where: '',
      type: 'file',
      family: 'fake',
      kind: 'model',
      format: 'fake.text',
      size: fake(HERO).length,
      bones: 2,
      meshes: 1,
      clips: 1,
      slices: 2,
      textures: 1,
      note: 'a hero',
    })
    expect(page(library, { text: 'orc' }).rows[0]).toMatchObject({
      where: 'packs/p.fpak!art',
      archive: `${root}/packs/p.fpak`,
      ref: `${root}/packs/p.fpak!art/orc.fake`,
    })
    const paged = [0, 3, 6].flatMap((offset) => names(library, { offset, limit: 3 }))
    expect(paged).toEqual(all.rows.map((row) => row.name))
    expect(names(library, { sort: 'bones', descending: true, limit: 2 })).toEqual(['hero.fake', 'orc.fake'])
    expect(names(library, { sort: 'size', limit: 1, show: 'errors' })).toEqual(['broken.fake'])
    expect(page(library, { show: 'errors' }).rows.find((row) => row.name === 'broken.fake')).toMatchObject({
      type: 'error',
      error: { code: 'truncated', offset: 8 },
    })
    expect(page(library, { show: 'models' }).rows[0]).toMatchObject({
      type: 'model',
      kind: 'model',
      ref: join(root, 'hero.fake'),
      bones: 2,
      clips: 2,
      format: 'fake.text',
    })
  })
  it('keeps how each bone of a skin is used', () => {
    const summary = library.neighbourhood().summary(join(root, 'hero.fake'))
    expect(summary?.skins).toEqual([
      { mesh: 'Körper', vertices: 3, weights: 4, maxInfluences: 2, bones: [{ name: 'hip', vertices: 2, sum: 150 }] },
    ])
  })
  it('tells the models of a file', () => {
    expect(library.modelOf(join(root, 'sub/anim.fake'))).toEqual([
      {
        family: 'fake',
        name: 'hero',
        primary: join(root, 'hero.fake'),
        members: [
          { role: 'model', ref: join(root, 'hero.fake'), why: 'self', detail: '' },
          { role: 'animation', ref: join(root, 'sub/anim.fake'), why: 'explicit', detail: 'needs', fit: { matched: 1, total: 2 } },
        ],
      },
    ])
    expect(library.modelOf('nothing')).toEqual([])
  })
  it('gives every model a stamp', () => {
    const hero = library.stamp(join(root, 'hero.fake'))
    expect(hero).toMatch(/\d/)
    expect(library.stamp(join(root, 'sub/anim.fake'))).toBe(hero)
    expect(library.stamp('nothing')).toBe('')
  })
  it('has the same neighbourhood as the one in memory', () => {
    const memory = MemoryNeighbourhood.of(store, root)
    const db = new Database(library.database, { readonly: true })
    for (const index of [
      library.neighbourhood(),
      ...[0, 1000].map((mostHeld) => new IndexNeighbourhood((body) => body(db), store, { unchanging: true, mostHeld })),
    ])
      expectSame(index, memory)
    db.close()
  })

  function expectSame(index: Neighbourhood, memory: MemoryNeighbourhood): void {
    const folders = [...memory.allFolders(), root.toUpperCase(), `${root}/sub/`, join(root, 'none')]
    for (const folder of folders) {
      expect(index.inFolder(folder), folder).toEqual(memory.inFolder(folder))
      for (const stem of ['hero', 'ORC', 'x_percent%', 'none']) expect(index.byStem(stem, folder)).toEqual(memory.byStem(stem, folder))
      for (const key of ['RIG:hero', 'anim:hero', 'none']) {
        expect(index.providing(key, folder)).toEqual(memory.providing(key, folder))
        expect(index.needing(key, folder)).toEqual(memory.needing(key, folder))
      }
    }
    for (const { ref, kind } of memory.all()) {
      // the index leaves empty lists out, has keys in lower case, and tells every file's kind
      const plain = (summary: unknown): unknown =>
        JSON.parse(JSON.stringify(summary ?? null, (_, value) => (Array.isArray(value) && value.length === 0 ? undefined : value)))
      const lower = plain(memory.summary(ref)) as { kind?: string; provides?: string[] } | null
      if (lower) lower.kind ??= kind
      if (lower?.provides) lower.provides = lower.provides.map((key) => key.toLowerCase())
      expect(plain(index.summary(ref)), ref).toEqual(lower)
      expect(index.document(ref)?.format).toBe(memory.document(ref)?.format)
    }
  }
})

describe('the index file', () => {
  const scanned = async (): Promise<{ root: string; file: string; report: ScanReport }> => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const library = open(root, file)
    const report = await library.scan()
    library.close()
    return { root, file, report }
  }
  it('is moved aside and built again when it is no database, of another version, or another program', async () => {
    const { root, file, report } = await scanned()
    const spoil: (() => void)[] = [
      () => writeFileSync(file, 'this is no database, but it is long enough to be taken for one'.repeat(100)),
      () => {
        const db = new Database(file)
        db.pragma('user_version = 999')
        db.close()
      },
      () => {
        rmSync(file)
        const db = new Database(file)
        db.exec('CREATE TABLE theirs (x)')
        db.close()
      },
      () => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
      () => writeFileSync(file, ''),
    ]
    for (const [i, body] of spoil.entries()) {
      body()
      const library = open(root, file)
      expect(await library.scan(), `case ${i}`).toMatchObject({ files: report.files, models: report.models })
      library.close()
      if (i < 4) expect(existsSync(`${file}.damaged`)).toBe(true)
    }
  })
  it('looks again at files that a version without their format left out', () => {
    const root = tempFolder({ 'data/peds.ide': new TextEncoder().encode('peds\n7, hero, hero_skin, CIVMALE, x, man, 0, 0, null\nend\n') })
    const db = openDatabase(':memory:')
    const known = (formats: (id: string) => boolean): unknown[] => {
      const families = productFamilies.map((family): Family => ({
        ...family,
        formats: family.formats.filter((format) => formats(format.id)),
      }))
      indexFolder(db, new FileStore({ registry: createRegistry(families) }), root)
      return db.prepare('SELECT name, format FROM files').all()
    }
    expect(known((id) => id !== 'renderware.ide')).toEqual([{ name: 'peds.ide', format: '' }])
    expect(known(() => true)).toEqual([{ name: 'peds.ide', format: 'renderware.ide' }])
    db.close()
  })
  it('survives damage in the middle: a scan builds it again', async () => {
    const { root, file, report } = await scanned()
    const bytes = readFileSync(file)
    for (let at = 4096; at < bytes.length; at += 4096) bytes.fill(0xa5, at + 8, at + 2000)
    writeFileSync(file, bytes)
    const library = open(root, file)
    const again = await library.scan()
    expect(again).toMatchObject({ files: report.files, models: report.models })
    expect(names(library, { text: 'hero' })).toContain('hero.fake')
  })
  it('gives no answer from a damaged page, but an empty index', async () => {
    const { root, file } = await scanned()
    const library = open(root, file)
    const bytes = readFileSync(file)
    for (let at = 4096; at < bytes.length; at += 4096) bytes.fill(0xa5, at, at + 4000)
    writeFileSync(file, bytes)
    // the open connection may have the pages at hand still
    const { total } = page(library, { show: 'files', sort: 'clips' })
    expect([0, 8]).toContain(total)
  })
  it('is opened and asked while another process writes to it', async () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    await open(root, file).scan()
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE; DELETE FROM members')
    expect(page(open(root, file), {}).total).toBe(8)
    other.exec('ROLLBACK')
    other.close()
    expect(existsSync(`${file}.damaged`)).toBe(false)
  })

  it('belongs to one folder: with another root it starts anew', async () => {
    const { file } = await scanned()
    const other = tempFolder({ 'b.fake': fake('bone=other') })
    const library = open(other, file)
    expect(await library.scan()).toMatchObject({ files: 1, bones: 1 })
  })
  it('stands in folders that are made for it', async () => {
    const file = join(tempFolder(), 'a/b/index.sqlite')
    mkdirSync(join(file, '../..'), { recursive: true })
    expect(await open(sample(), file).scan()).toMatchObject({ files: 9 })
  })
})

describe('memory and speed', () => {
  it('a file that claims to be huge is an error row, not read', async () => {
    const root = tempFolder({ 'a.fake': fake('a') })
    execFileSync('truncate', ['-s', String(300 * 2 ** 20), join(root, 'a.fake')])
    expect((await open(root).scan()).errors).toMatchObject([{ code: 'unsupported' }])
  })
})
