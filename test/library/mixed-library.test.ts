/** The library that `npm run make-library` writes is of the size that was asked for, the same each time, and whole. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { mixedLibrary } from '../bench/mixed-library.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { FileStore } from '../../src/main/files/store.ts'

test.each(['small', 'games'] as const)('as many files as asked for, of all families, each read without an error: %s', (sizes) => {
  const temporary = mkdtempSync(join(tmpdir(), 'marrow-mixed-'))
  const root = join(temporary, 'game')
  for (const { path, bytes } of mixedLibrary(100, 1, sizes)) {
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

test('models of files that were read just now are put together without a look at the disk', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'marrow-mixed-'))
  const root = join(temporary, 'game')
  for (const { path, bytes } of mixedLibrary(100)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
  const db = openDatabase(':memory:')
  let phase = ''
  const asked = new Map<string, string[]>()
  const touch = { begin: (path: string) => asked.set(phase, [...(asked.get(phase) ?? []), path]), end: () => {} }
  const store = new FileStore({ touch })
  indexFolder(db, store, root, { touch, onProgress: (progress) => (phase = progress.phase) })
  const models = db.prepare('SELECT family, count(*) FROM models GROUP BY family').raw().all()
  store.close()
  db.close()
  rmSync(temporary, { recursive: true })
  expect(models).toHaveLength(4)
  expect(asked.get('index')!.length).toBeGreaterThan(50)
  expect(asked.get('bind') ?? []).toEqual([])
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

test('the command writes it where the user is, and into no folder that has something', () => {
  const place = mkdtempSync(join(tmpdir(), 'marrow-mixed-'))
  const run = () =>
    spawnSync(process.execPath, ['test/bench/make-library.ts', 'lib', '--files', '60', '--seed', '3'], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, INIT_CWD: place },
    })
  const first = run()
  expect(first.stderr).not.toContain('Error')
  expect(first.stdout).toContain('60 files')
  const wanted = [...mixedLibrary(60, 3)]
  const there = readdirSync(join(place, 'lib'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(there).toHaveLength(wanted.length)
  for (const { path, bytes } of wanted) expect(readFileSync(join(place, 'lib', path)).equals(bytes)).toBe(true)
  const again = run()
  expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('is not empty')])
  rmSync(place, { recursive: true })
})
