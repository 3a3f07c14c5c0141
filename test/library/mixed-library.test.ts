/** The library that `npm run make-library` writes is of the size that was asked for, the same each time, and whole. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mixedLibrary } from '../bench/mixed-library.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { FileStore } from '../../src/main/files/store.ts'

test('as many files as asked for, of all families, each read without an error', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'marrow-mixed-'))
  const root = join(temporary, 'game')
  for (const { path, bytes } of mixedLibrary(100)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
  const db = openDatabase(':memory:')
  const store = new FileStore()
  const report = indexFolder(db, store, root)
  expect(report).toMatchObject({ files: 100, errors: [] })
  const problems = db.prepare('SELECT count(*) FROM diagnostics').pluck().get()
  const families = db.prepare('SELECT DISTINCT family FROM models ORDER BY 1').pluck().all()
  store.close()
  db.close()
  rmSync(temporary, { recursive: true })
  expect(problems).toBe(0)
  expect(families).toEqual(['level5', 'lostsaga', 'renderware', 'w3d'])
})

test('the seed decides every byte', () => {
  const hash = (seed: number): string => {
    const sum = createHash('sha256')
    for (const { path, bytes } of mixedLibrary(30, seed)) sum.update(path).update(bytes)
    return sum.digest('hex')
  }
  expect(hash(7)).toBe(hash(7))
  expect(hash(7)).not.toBe(hash(8))
})
