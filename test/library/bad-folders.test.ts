/** Folders as no game has them: names that are no text, folders in a circle, very many files in one place, a disk that is full before the index is done. */
import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { encodeUndo } from '../../src/main/files/undo-record.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const { readdirSync: readdir, statSync: stat } = fs
afterEach(() => {
  Object.assign(fs, { readdirSync: readdir, statSync: stat })
  syncBuiltinESMExports()
})

/** Lets the file system give these in place of its own. */
function withCalls(calls: {
  readdirSync?: (path: string, options: object) => unknown
  statSync?: (path: string, options: object) => unknown
}) {
  Object.assign(fs, calls)
  syncBuiltinESMExports()
}

function scan(root: string) {
  const db = openDatabase(':memory:')
  const store = new FileStore({ registry: fakeRegistry })
  try {
    return { first: indexFolder(db, store, root), again: indexFolder(db, store, root) }
  } finally {
    store.close()
    db.close()
  }
}

// other systems take no such names
it.runIf(process.platform === 'linux')('says of names that are no UTF-8 that they were left, each time, and goes on', () => {
  const root = tempFolder({ 'fine.fake': fake('bone=fine') })
  const named = (...bytes: number[]): Buffer => Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from(bytes)])
  // both are read as the same text
  for (const letter of [0xe9, 0xe8]) writeFileSync(Buffer.concat([named(letter), Buffer.from('.fake')]), fake('bone=lost'))
  for (const letter of [0xe9, 0xe8]) {
    mkdirSync(named(letter))
    writeFileSync(Buffer.concat([named(letter), Buffer.from('/x.fake')]), fake('bone=lost'))
  }
  const { first, again } = scan(root)
  expect(first).toMatchObject({ files: 1, recognised: 1 })
  expect(first.errors.map(({ path, code }) => [path, code])).toEqual([
    [join(root, 'caf\ufffd'), 'not-found'],
    [join(root, 'caf\ufffd.fake'), 'not-found'],
  ])
  expect({ ...again, seconds: 0 }).toEqual({ ...first, seconds: 0 })
})

it('ends with the error of a full disk, and the next scan goes on from what was kept', () => {
  const root = tempFolder(Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`f${i}.fake`, fake(`bone=b${i}`)])))
  const file = join(tempFolder(), 'index.sqlite')
  const store = new FileStore({ registry: fakeRegistry })
  const db = openDatabase(file)
  try {
    const pages = (of: typeof db): number => of.pragma('page_count', { simple: true }) as number
    const empty = pages(db)
    const whole = openDatabase(':memory:')
    indexFolder(whole, store, root)
    // room for the first batch of files, and not for all
    db.pragma(`max_page_count = ${Math.round(empty + 0.7 * (pages(whole) - empty))}`)
    whole.close()
    expect(() => indexFolder(db, store, root)).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }))
    expect(db.inTransaction).toBe(false)
    const kept = db.prepare('SELECT count(*) FROM files').pluck().get() as number
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(1200)
    db.pragma('max_page_count = 1000000')
    const before = db.prepare('SELECT max(id) FROM files').pluck().get() as number
    expect(indexFolder(db, store, root)).toMatchObject({ files: 1200, errors: [] })
    expect(db.prepare('SELECT count(*) FROM files WHERE id <= ?').pluck().get(before)).toBe(kept)
  } finally {
    db.close()
    store.close()
  }
})

it('goes through a folder that leads back to one around it once, and says so', () => {
  const root = tempFolder({ 'a.fake': fake('bone=a'), 'sub/b.fake': fake('bone=b'), 'sub/next/c.fake': fake('bone=c') })
  // a drive of another machine that follows links by itself: `round` is the folder above, to everybody who looks
  const straight = (path: string): string => path.replaceAll(join('sub', 'next', 'round'), 'sub')
  withCalls({
    statSync: (path, options) => stat(straight(path), options),
    readdirSync(path, options) {
      const entries = readdir(straight(path), options as { withFileTypes: true })
      const [folder] = readdir(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      return straight(path).endsWith('next') ? [...entries, Object.assign(Object.create(folder), { name: 'round' })] : entries
    },
  })
  const round = join(root, 'sub', 'next', 'round')
  expect(stat(straight(round)).ino).toBe(stat(join(root, 'sub')).ino)
  const { first, again } = scan(root)
  expect(first).toMatchObject({ files: 3, bones: 3 })
  expect(first.errors).toEqual([
    { path: round, code: 'refused', message: expect.stringContaining(`leads back to ${join(root, 'sub')},`), offset: -1 },
  ])
  expect({ ...again, seconds: 0 }).toEqual({ ...first, seconds: 0 })
})

it('has the first rows of 100,000 files in one folder long before the last, holds little for them, and stops at any of them', () => {
  const MANY = 100_000
  const root = tempFolder({ 'one.txt': '' })
  const [file] = readdir(root, { withFileTypes: true })
  let looked = 0
  withCalls({
    // each of them is the one that is there
    statSync: (path, options) => (looked++, stat(path.startsWith(root) && path !== root ? join(root, 'one.txt') : path, options)),
    readdirSync: (path, options) =>
      path === root
        ? Array.from({ length: MANY }, (_, i) => Object.assign(Object.create(file), { name: `f${(i * 7919) % MANY}.txt` }))
        : readdir(path, options),
  })
  const [store, index] = [new FileStore({ registry: fakeRegistry }), join(tempFolder(), 'index.sqlite')]
  const [db, window] = [openDatabase(index), openDatabase(index)]
  const stopAt = (there: (progress: { phase: string; done: number; total: number }) => boolean): void => {
    let stop = false
    const options = { cancelled: () => stop, onProgress: (progress: Parameters<typeof there>[0]) => void (stop ||= there(progress)) }
    expect(() => indexFolder(db, store, root, options)).toThrow(expect.objectContaining({ code: 'cancelled' }))
  }
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  try {
    // while the folder is listed
    stopAt(({ phase, total }) => phase === 'walk' && total >= 1000)
    expect(looked).toBeLessThan(1200)
    const before = used()
    let [held, rows, total] = [0, 0, 0]
    stopAt((progress) => {
      if (progress.phase !== 'index' || progress.done < 1000) return false
      ;[held, total] = [used() - before, progress.total]
      rows = window.prepare('SELECT count(*) FROM files').pluck().get() as number
      return true
    })
    expect(total).toBe(MANY)
    expect(rows).toBe(1000)
    expect(held).toBeLessThan(64 * 2 ** 20)
    // what was done is kept
    expect(window.prepare('SELECT count(*) FROM files').pluck().get()).toBeGreaterThanOrEqual(1000)
  } finally {
    window.close()
    db.close()
    store.close()
  }
})

it('opens an archive in an archive in an archive, and binds what is in it', () => {
  const inner = fakePack([
    ['hero.fake', fake('mesh=hero\nneeds=walk')],
    ['walk.fake', fake('bone=a\nprovides=walk')],
  ])
  const root = tempFolder({
    'a.fpak': fakePack([
      [
        'b.fpak',
        fakePack([
          ['c.fpak', inner],
          ['cut.fpak', inner.subarray(0, 20)],
        ]),
      ],
    ]),
  })
  const { first, again } = scan(root)
  const deepest = join(root, 'a.fpak!b.fpak!')
  expect(first).toMatchObject({ files: 6, models: 1, bones: 1, meshes: 1 })
  expect(first.errors).toEqual([expect.objectContaining({ path: `${deepest}cut.fpak`, code: 'bad-count' })])
  expect({ ...again, seconds: 0 }).toEqual({ ...first, seconds: 0 })
})

it('says of a damaged record of a write that was killed what to do, puts nothing back and leaves it', () => {
  const root = tempFolder({ 'sub/big.fpak': 'half of it new', 'fine.fake': fake('bone=fine') })
  const record = newTemporary(join(root, 'sub'), 'big.fpak', 'undo').replace(`-${process.pid}-`, '-4194305-')
  const bytes = encodeUndo([
    { target: 'big.fpak', size: 14, mtimeMs: 1e12, ranges: [{ offset: 0, old: Buffer.from('even'), fresh: Buffer.from('half') }] },
  ])
  for (const at of [0, 30, bytes.length - 40, bytes.length - 1]) {
    const damaged = Buffer.from(bytes)
    damaged[at] ^= 1
    writeFileSync(record, damaged)
    const { first, again } = scan(root)
    expect(first.errors).toEqual([
      { path: record, code: 'unreadable', message: expect.stringMatching(/big\.fpak was interrupted.*damaged.*restore/), offset: -1 },
    ])
    expect(first).toMatchObject({ recognised: 1 })
    expect(again.errors).toEqual(first.errors)
    expect(readFileSync(record)).toEqual(damaged)
    expect(readFileSync(join(root, 'sub/big.fpak'), 'utf8')).toBe('half of it new')
  }
  // whole, it is carried out and gone
  writeFileSync(record, bytes)
  expect(scan(root).first.errors).toEqual([])
  expect(readFileSync(join(root, 'sub/big.fpak'), 'utf8')).toBe('even of it new')
  expect(readdirSync(join(root, 'sub'))).toEqual(['big.fpak'])
})
