/** Files of a scan are read by other threads: the index is the same whoever reads, and none of them takes more with it than the file that it was at. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { Library } from '../../src/main/library/library.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexing } from '../../src/main/library/indexer.ts'
import { Flow, MOST_UNTAKEN, ReadingPool } from '../../src/main/library/reading-pool.ts'
import { Batch, type Readers } from '../../src/main/library/read-batches.ts'
import { atOnce } from '../../src/shared/stepwise.ts'
import { mixedLibrary } from '../bench/mixed-library.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'

const TABLES = ['folders', 'files', 'details', 'keys', 'models', 'members', 'lists', 'listed', 'model_lists', 'names']

/** All that a scan wrote, but for when: whether the time of a file may be trusted depends on it. */
function rowsOf(file: string): Record<string, unknown[]> {
  const db = new Database(file, { readonly: true })
  const rows = Object.fromEntries(
    TABLES.map((table) => [table, db.prepare(`SELECT ${table === 'names' ? 'rowid, ' : ''}* FROM ${table}`).all()]),
  )
  db.close()
  for (const file of rows.files) delete (file as { changed?: number }).changed
  return rows
}

type Row = Record<string, unknown>

/** The same whatever number a row has: an archive that a stop cut in two is read again, behind what stood after it. */
function byName(rows: Record<string, unknown[]>): Record<string, string[]> {
  const name = (table: string, column: string): Map<unknown, unknown> => new Map((rows[table] as Row[]).map((row) => [row.id, row[column]]))
  const file = name('files', 'ref')
  const folder = name('folders', 'path')
  const model = new Map((rows.models as Row[]).map(({ id, primary, name }) => [id, `${String(primary)} ${String(name)}`]))
  const list = new Map(
    (rows.lists as Row[]).map(({ id }) => [id, (rows.listed as Row[]).filter((row) => row.list === id).map(({ ref }) => ref)]),
  )
  const names: Record<string, Map<unknown, unknown>> = { file, parent: file, rowid: file, folder, model, list }
  return Object.fromEntries(
    Object.entries(rows).map(([table, all]) => [
      table,
      (all as Row[])
        .map(({ id: _number, ...row }) =>
          JSON.stringify(
            Object.entries(row).map(([column, value]) => [column, value === null ? null : (names[column]?.get(value) ?? value)]),
          ),
        )
        .sort(),
    ]),
  )
}

function write(root: string, files: Iterable<{ path: string; bytes: Uint8Array }>): void {
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
}

/** Files of all families, archives among them, and some that are none: enough for a dozen batches. */
function mixed(): string {
  const root = tempFolder({ 'empty.w3d': '', 'no.dff': 'not what it is called', 'other.txt': 'words' })
  write(root, mixedLibrary(900))
  return root
}

/** A library whose scans other threads read for, and how many files those read. */
function open(root: string, file: string, readers: number) {
  const told = join(tempFolder({ read: '' }), 'read')
  process.env.MARROW_READ = told
  const registryModule = readers > 0 ? new URL('./reading-threads.ts', import.meta.url).href : undefined
  const library = Library.open(root, file, { readers, registryModule })
  return {
    library,
    read: (): number => readFileSync(told).length,
    close() {
      library.close()
      delete process.env.MARROW_READ
    },
  }
}

const index = (): string => join(tempFolder(), 'index.sqlite')

describe('an index', () => {
  it('is the same with no thread that reads, with one and with three', async () => {
    const root = mixed()
    const made = []
    for (const readers of [0, 1, 3]) {
      const file = index()
      const { library, read, close } = open(root, file, readers)
      const report = await library.scan()
      const threads = read()
      close()
      if (readers > 0) expect([readers, threads > 50]).toEqual([readers, true])
      expect(report.errors.map(({ code }) => code).sort()).toEqual(['bad-magic', 'truncated'])
      made.push({ readers, rows: rowsOf(file) })
    }
    const [alone, ...others] = made
    expect(alone.rows.files.length).toBeGreaterThan(900)
    expect(alone.rows.models.length).toBeGreaterThan(100)
    for (const { readers, rows } of others)
      for (const table of TABLES) expect([readers, table, rows[table]]).toEqual([readers, table, alone.rows[table]])
  })

  it('is the same where a scan was stopped in the middle and went on', async () => {
    const root = mixed()
    const [whole, stopped] = [index(), index()]
    const first = Library.open(root, whole, { readers: 0 })
    await first.scan()
    first.close()
    const { library, read, close } = open(root, stopped, 3)
    const stop = new AbortController()
    const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
      if (phase === 'index' && done > 0 && read() > 50) stop.abort()
    }
    await expect(library.scan({ signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'cancelled' })
    await library.scan()
    close()
    expect(byName(rowsOf(stopped))).toEqual(byName(rowsOf(whole)))
  })
})

describe('a walk', () => {
  it('goes on while others read what it has met', () => {
    const root = tempFolder(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`d${i % 9}/f${i}.fake`, fake(`bone=b${i}`)])))
    const met: string[] = []
    let at = ''
    const readers: Readers = {
      room: 3,
      // nobody takes what is handed over: whoever writes reads all of it
      order: (line) => void (line.some(({ state }) => state === 'waits') && met.push(at)),
      taken() {},
      end: () => Promise.resolve(),
    }
    const db = openDatabase(':memory:')
    const store = new FileStore({ registry: fakeRegistry })
    const report = atOnce(
      indexing(db, store, root, { onProgress: ({ phase, total, done }) => (at = `${phase} ${total} ${done}`) }, readers),
    )
    store.close()
    db.close()
    expect(report).toMatchObject({ files: 1000, bones: 1000 })
    expect(met.slice(0, 2)).toEqual(['walk 64 0', 'walk 128 0'])
    // what there is to read is known before any of it is read by the thread that walks
    expect(met.filter((one) => one.startsWith('walk') && !one.endsWith(' 0'))).toEqual([])
    expect(met).toContain('walk 1000 0')
  })
})

describe('a thread that reads', () => {
  const registryModule = new URL('./ending-threads.ts', import.meta.url).href

  it('takes the file with it that it was at, and nothing else', async () => {
    const ending = [400, 700, 1000].map((n) => `f${n}-ends-thread.fake`)
    const files = Array.from({ length: 1400 }, (_, i) => [`f${String(i).padStart(4, '0')}.fake`, fake(`bone=b${i}`)] as const)
    const root = tempFolder(Object.fromEntries([...files, ...ending.map((name) => [name, fake('bone=e')] as const)]))
    put(root, 'g.pack', fakePack(['a', 'ends-thread', 'c'].map((name) => [`${name}.fake`, fake(`mesh=${name}`)])))
    const store = new FileStore({ registry: fakeRegistry })
    const file = index()
    const library = Library.open(root, file, { store, registryModule, readers: 2 })
    const report = await library.scan()
    expect(report.errors.length).toBeGreaterThan(0)
    const ended = report.errors.map(({ path, code }) => [path.includes('ends-thread') || path.endsWith('g.pack'), code])
    expect(ended).toEqual(report.errors.map(() => [true, 'internal']))
    const count = (sql: string): unknown => {
      const db = new Database(file, { readonly: true })
      const n = db.prepare(sql).pluck().get()
      db.close()
      return n
    }
    // each file on disk has its row once
    expect(count('SELECT count(*) FROM files WHERE parent IS NULL')).toBe(1404)
    expect(count("SELECT count(*) FROM files WHERE format <> '' AND parent IS NULL AND kind <> 'archive'")).toBe(
      1403 - report.errors.filter(({ path }) => path.endsWith('.fake')).length,
    )
    // the next scan, by one thread that ends at nothing, has them all
    library.close()
    const equal = new URL('../files/fake-family.ts', import.meta.url).href
    const again = Library.open(root, file, { store, registryModule: equal, readers: 0 })
    expect(await again.scan()).toMatchObject({ errors: [], files: 1407 })
    again.close()
    store.close()
  })

  it('waits where it has told more than was taken, until some is taken or nobody wants it', () => {
    const flow = new Flow()
    let asked = 0
    const stop = (): void => {
      if (++asked > 2) throw new Error('stopped')
    }
    for (let i = 0; i < MOST_UNTAKEN; i++) flow.told(stop)
    expect(() => flow.told(stop)).toThrow('stopped')
    // the part that nobody wanted counts as told
    flow.taken()
    flow.taken()
    asked = 0
    flow.told(stop)
    expect(asked).toBe(0)
  })

  it('brings what was written into the file of the index before it ends', async () => {
    const root = tempFolder({ 'a.fake': fake('bone=b') })
    const file = index()
    const db = openDatabase(file)
    db.prepare('INSERT INTO roots (path) VALUES (?)').run('x'.repeat(100_000))
    const before = statSync(file).size
    const pool = new ReadingPool({ root, left: [], registryModule, threads: 1, cancelled: () => false })
    // three that wait start it
    const batches = [new Batch(), new Batch(), new Batch()]
    while (batches.some(({ state }) => state !== 'read')) {
      pool.order(batches)
      await pool.news(batches.find(({ state }) => state === 'away'))
    }
    await pool.end(file)
    expect(statSync(file).size).toBeGreaterThan(before + 100_000)
    expect(statSync(`${file}-wal`).size).toBe(0)
    expect(db.prepare('SELECT length(path) FROM roots').pluck().get()).toBe(100_000)
    db.close()
  })

  it.runIf(process.platform !== 'win32')('is shown to the host of the scan while it waits for its drive', async () => {
    const names = ['a.fake', 'open-stalls.fake', 'c.fake']
    const root = tempFolder(Object.fromEntries(names.map((name) => [name, fake('bone=b')])))
    const pipe = join(tempFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const told: string[] = []
    let answering: number | undefined
    const pool = new ReadingPool({
      root,
      left: [],
      registryModule: new URL('./stalling-drive.ts', import.meta.url).href,
      threads: 1,
      touch: {
        begin(path) {
          told.push(path)
          // whoever opened the pipe for reading goes on
          answering = openSync(pipe, 'r+')
        },
        end: () => void told.push('it answered'),
      },
      cancelled: () => false,
    })
    const batches = names.map((name) => {
      const batch = new Batch()
      const ref = join(root, name)
      const { size, mtimeMs: mtime } = statSync(ref)
      batch.add({ file: { ref, name, folder: root, size, mtime, changed: -1, position: 0, stamp: '' }, known: undefined })
      return batch
    })
    process.env.MARROW_STALL = pipe
    try {
      while (batches.some(({ state }) => state !== 'read')) {
        pool.order(batches)
        await pool.news(batches.find(({ state }) => state === 'away'))
      }
    } finally {
      delete process.env.MARROW_STALL
      await pool.end()
      if (answering !== undefined) closeSync(answering)
    }
    expect(batches.map(({ parts }) => parts.flat().map((row) => row.kind === 'file' && row.ref))).toEqual(
      names.map((name) => [join(root, name)]),
    )
    expect(told).toEqual([join(root, 'open-stalls.fake'), 'it answered'])
  })
})
