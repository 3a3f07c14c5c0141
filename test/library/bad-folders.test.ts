/** Folders as no game has them: names that are no text, very many files in one place, a disk that is full before the index is done. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { fake, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'

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
