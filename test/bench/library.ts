/** Scanning a folder against reading its files, by the command line as it is built: the window scans with the same threads. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildAll, isBuilt, projectRoot } from '../../scripts/lib/build.mjs'
import { filesBelow } from './corpus.ts'
import { mixedLibrary } from './mixed-library.ts'
import { atMost, best, type Row } from './measure.ts'
import { FileStore } from '../../src/main/files/store.ts'
import type { FileFormat } from '../../src/main/formats/format.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { Library } from '../../src/main/library/library.ts'
import type { ScanProgress } from '../../src/shared/api/types/library.ts'
import type { SampleFile } from '../../src/main/sample/write-sample.ts'

const FILES = 4000
const FILES_OF_GAMES = 6000
/** As many as the games of all families have together; members of archives count. */
const WHOLE_GAMES = 33_380
const STOPPED = 100

/** Files and members of archives that have a format, read. */
function documentsBelow(root: string): { ref: string; bytes: Uint8Array; format: FileFormat }[] {
  const store = new FileStore()
  const refs = filesBelow(root).flatMap((path) => [path, ...(store.openArchive(path)?.members.map(({ ref }) => ref) ?? [])])
  const found = refs.flatMap((ref) => {
    const format = store.identify(ref)?.format
    return format ? [{ ref, bytes: store.read(ref), format }] : []
  })
  store.close()
  return found
}

/** Milliseconds that SQLite takes for the rows of an index alone: it is given them by itself, in one transaction, and nothing else is done. */
function rowsCopied(file: string, to: string): number {
  const db = openDatabase(to)
  db.prepare('ATTACH ? AS made').run(file)
  const tables = db
    .prepare("SELECT name FROM made.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'names%' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all() as string[]
  const start = performance.now()
  db.transaction(() => {
    db.pragma('defer_foreign_keys = ON')
    for (const table of tables) db.exec(`INSERT INTO main.${table} SELECT * FROM made.${table}`)
    db.exec('INSERT INTO main.names (rowid, text) SELECT rowid, text FROM made.names')
  })()
  const ms = performance.now() - start
  db.close()
  return ms
}

/** @returns bytes of all of them */
function written(folder: string, files: Iterable<SampleFile>): number {
  let size = 0
  for (const { path, bytes } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes)
    size += bytes.length
  }
  flushed()
  return size
}

/** What was written is on the disk: else the system writes gigabytes of it while something is measured, on the same cores. Windows does so as it is written. */
function flushed(): void {
  if (process.platform !== 'win32') execFileSync('sync')
}

/** Milliseconds in which every file is read, one after the other, out of the page cache. */
function reading(folder: string): number {
  const paths = filesBelow(folder)
  const read = (): number => {
    const start = performance.now()
    let size = 0
    for (const path of paths) size += readFileSync(path).length
    void size
    return performance.now() - start
  }
  read()
  return Math.min(read(), read(), read())
}

/** The same by promises, as a program reads that has something else to do meanwhile. */
async function awaiting(folder: string): Promise<number> {
  const paths = filesBelow(folder)
  const read = async (): Promise<number> => {
    const start = performance.now()
    let size = 0
    for (const path of paths) size += (await readFile(path)).length
    void size
    return performance.now() - start
  }
  await read()
  return Math.min(await read(), await read())
}

/** Milliseconds of a scan, the start and the end of its program among them. */
async function scanned(game: string, index: string): Promise<number> {
  if (!isBuilt('cli')) await buildAll()
  const start = performance.now()
  await promisify(execFile)(process.execPath, [join(projectRoot, 'out/main/cli.js'), 'scan', game, '--db', index])
  return performance.now() - start
}

/** Milliseconds from the wish to stop a scan that puts models together to the word that it stopped. */
async function stopping(game: string, index: string): Promise<number> {
  const library = Library.open(game, index)
  const stop = new AbortController()
  let wished = 0
  let told = 0
  const onProgress = ({ phase }: ScanProgress): void => {
    if (phase === 'bind' && wished === 0) {
      wished = performance.now()
      stop.abort()
    } else if (phase === 'cancelled') told = performance.now() - wished
  }
  await library.scan({ signal: stop.signal, onProgress }).catch(() => {})
  library.close()
  if (told === 0) throw new Error('the scan was not stopped')
  return told
}

/** Another value of a key in some motion. */
function editOne(game: string): void {
  const path = filesBelow(game).find((file) => file.endsWith('.mot'))!
  const bytes = readFileSync(path)
  bytes[Math.floor(0.7 * bytes.length)] ^= 1
  writeFileSync(path, bytes)
}

/** As many files as games have, of their sizes. */
async function wholeGamesRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    const game = join(root, 'game')
    const bytes = written(game, mixedLibrary(WHOLE_GAMES, 1, 'games'))
    const note = `${Math.round(reading(game))} ms where nothing is awaited`
    const againstMs = await awaiting(game)
    // the better of two, as of reading
    const ms = Math.min(await scanned(game, join(root, 'index.db')), await scanned(game, join(root, 'second.db')))
    const files = `${WHOLE_GAMES} files of games' sizes`
    editOne(game)
    const again = await scanned(game, join(root, 'index.db'))
    return [
      { name: `marrow scan of ${files}`, note, bytes, ms, against: 'reading the files, each awaited', againstMs, aim: 0.33 },
      {
        name: `marrow scan of ${files}, a key changed in one`,
        bytes,
        ms: again,
        against: 'reading the files, each awaited',
        againstMs,
        aim: 1,
      },
      atMost(`first scan, ${files}, stopped while models are put together`, await stopping(game, join(root, 'other.db')), STOPPED),
    ]
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** Files of the sizes that games have: what a scan does for a file, however small, is a smaller part of it. */
async function gamesRow(): Promise<Row> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    const game = join(root, 'game')
    const bytes = written(game, mixedLibrary(FILES_OF_GAMES, 1, 'games'))
    const againstMs = reading(game)
    const ms = await scanned(game, join(root, 'index.db'))
    const note = `${Math.round(bytes / 1e3 / FILES_OF_GAMES)} KB a file`
    return {
      name: `marrow scan of ${FILES_OF_GAMES} files of games' sizes`,
      note,
      bytes,
      ms,
      against: 'reading the files',
      againstMs,
      aim: 0.33,
    }
  } finally {
    rmSync(root, { recursive: true })
  }
}

export async function libraryRows(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    const size = written(join(root, 'game'), mixedLibrary(FILES))
    const readMs = reading(join(root, 'game'))
    const first = await scanned(join(root, 'game'), join(root, 'index.db'))
    const again = await scanned(join(root, 'game'), join(root, 'index.db'))
    const copied = rowsCopied(join(root, 'index.db'), join(root, 'copy.db'))
    const documents = documentsBelow(join(root, 'game'))
    const decoded = best(3, () => documents.forEach(({ format, bytes, ref }) => void format.decode(bytes, ref)))
    const summed = best(3, () => documents.forEach(({ format, bytes, ref }) => void format.summarize(format.decode(bytes, ref))))
    const inAll = { bytes: documents.reduce((n, { bytes }) => n + bytes.length, 0), against: 'the first scan', againstMs: first }
    return [
      { name: `marrow scan of ${FILES} files`, bytes: size, ms: first, against: 'reading the files', againstMs: readMs, aim: 0 },
      {
        name: `marrow scan of ${FILES} files: to the limit`,
        note: `${copied.toFixed(0)} ms of it the rows`,
        bytes: size,
        ms: first,
        against: 'reading the files, and SQLite copying the rows of the index',
        againstMs: readMs + copied,
        aim: 0.33,
      },
      await gamesRow(),
      ...(await wholeGamesRows()),
      { name: 'marrow scan with nothing changed', bytes: size, ms: again, against: 'reading the files', againstMs: readMs, aim: 0 },
      // whole documents are decoded for what the library keeps of them: reading their heads alone saves less than this
      { ...inAll, name: `what a first scan decodes`, note: `${documents.length} documents`, ms: decoded, aim: 10 },
      { ...inAll, name: `what a first scan decodes, with summaries`, ms: summed, aim: 5 },
    ]
  } finally {
    rmSync(root, { recursive: true })
  }
}
