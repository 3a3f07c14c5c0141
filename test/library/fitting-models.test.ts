/**
 * Models are put together again where something changed that binders see, and left as they are where not. What a scan that left them has is what an index
 * has that is made anew, whatever was changed, in files and in members of archives.
 */
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mixedLibrary } from '../bench/mixed-library.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { put, tempFolder } from '../files/temp.ts'
import { Random } from '../fuzz/random.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { FittingModels } from '../../src/main/library/fitting-models.ts'
import { prepareRows } from '../../src/main/library/index-rows.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { checkRows } from '../../src/main/library/row-counts.ts'
import { writeSample } from '../../src/main/sample/write-sample.ts'
import type { Db } from '../../src/main/library/database.ts'

/** All that an index says, without the numbers of rows and the times of files. */
function said(db: Db): Record<string, unknown[]> {
  const all = (sql: string): unknown[] => db.prepare(sql).all()
  const member = 'x.number, x.ref, x.role, x.why, x.detail, x.matched, x.total, f.ref AS file'
  const columns = (db.pragma('table_info(files)') as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !['id', 'parent', 'folder', 'mtime', 'changed', 'stamp', 'companion'].includes(name))
  return {
    files: all(`SELECT d.path, p.ref AS parent, ${columns.map((name) => `f.${name}`).join(', ')}, e.data, e.diagnostics, n.text FROM files f
      JOIN folders d ON d.id = f.folder LEFT JOIN files p ON p.id = f.parent LEFT JOIN details e ON e.file = f.id LEFT JOIN names n ON n.file = f.id ORDER BY f.ref`),
    keys: all('SELECT k.key, k.direction, k.number, f.ref FROM keys k LEFT JOIN files f ON f.id = k.file ORDER BY 1, 2, 4, 3'),
    models:
      all(`SELECT m.family, m.name, m.name_key, m."primary", d.path, m.size, m.bones, m.meshes, m.clips, m.slices, m.textures, m.members, m.lists
      FROM models m LEFT JOIN folders d ON d.id = m.folder ORDER BY m.id`),
    members: all(
      `SELECT m."primary", ${member} FROM members x JOIN models m ON m.id = x.model LEFT JOIN files f ON f.id = x.file ORDER BY m.id, x.number`,
    ),
    listed: all(`SELECT x.list, ${member} FROM listed x LEFT JOIN files f ON f.id = x.file ORDER BY x.list, x.number`),
    lists: all('SELECT m."primary", l.number, l.list FROM model_lists l JOIN models m ON m.id = l.model ORDER BY m.id, l.number'),
    opened: all('SELECT ref FROM opened ORDER BY ref'),
  }
}

/** Scans, and holds the index against one that is made anew. @returns whether models were put together again */
function scan(db: Db, store: FileStore, root: string): boolean {
  db.exec('DROP TABLE IF EXISTS temp.again; CREATE TEMP TABLE again (n)')
  db.exec('CREATE TEMP TRIGGER put_together AFTER DELETE ON main.models BEGIN INSERT INTO again VALUES (1); END')
  indexFolder(db, store, root)
  const again = (db.prepare('SELECT count(*) FROM temp.again').pluck().get() as number) > 0
  db.exec('DROP TRIGGER temp.put_together')
  const fresh = openDatabase(':memory:')
  try {
    indexFolder(fresh, store, root)
    expect(said(db)).toEqual(said(fresh))
    expect(checkRows(db)).toBeUndefined()
  } finally {
    fresh.close()
  }
  return again
}

test('values that binders do not see leave models as they are; names, keys, numbers of parts and files that came or went do not', () => {
  const store = new FileStore({ registry: fakeRegistry })
  const db = openDatabase(':memory:')
  const hero = 'mesh=a\nbone=hip\nneeds=anim:hero\n'
  const pack = (orc: string, more: [string, Uint8Array][] = []) =>
    fakePack([['orc.fake', fake(orc)], ['note.txt', new Uint8Array(3)], ...more])
  const root = tempFolder({
    'hero.fake': fake(hero),
    'sub/anim.fake': fake('clip=walk\nprovides=ANIM:hero'),
    'p.fpak': pack('mesh=orc\nneeds=anim:hero'),
  })
  const after = (name: string, bytes: Uint8Array): boolean => {
    put(root, name, bytes)
    return scan(db, store, root)
  }
  scan(db, store, root)
  const left = {
    'a skin': after('hero.fake', fake(`${hero}skin=a`)),
    'another note, of a file that two models have': after('sub/anim.fake', fake('clip=walk\nprovides=ANIM:hero\nnote=quicker')),
    'a file of no format': after('sub/read me.txt', new Uint8Array(9)),
    'a member': after('p.fpak', pack('mesh=orc\nneeds=anim:hero\nskin=orc\nnote=of another size')),
    'its diagnostics': after('hero.fake', fake(`${hero}skin=a`, 'behind the end')),
  }
  expect(left).toEqual(Object.fromEntries(Object.keys(left).map((what) => [what, false])))
  const again = {
    'a mesh more': after('hero.fake', fake(`${hero}mesh=b`)),
    'a slice more': after('hero.fake', fake(`${hero}mesh=b\nslice=x`)),
    'another key': after('sub/anim.fake', fake('clip=walk\nprovides=ANIM:orc')),
    'a damaged file': after('sub/anim.fake', fake('clip=walk\nprovides=ANIM:orc').slice(0, 12)),
    'a sound one again': after('sub/anim.fake', fake('clip=walk\nprovides=ANIM:hero')),
    'a member more': after('p.fpak', pack('mesh=orc\nneeds=anim:hero', [['elf.fake', fake('mesh=elf')]])),
    'a member less': after('p.fpak', pack('mesh=orc\nneeds=anim:hero')),
    'a file more': after('new.fake', fake('mesh=new')),
  }
  expect(again).toEqual(Object.fromEntries(Object.keys(again).map((what) => [what, true])))
  rmSync(join(root, 'sub/read me.txt'))
  expect(scan(db, store, root), 'a file of no format less').toBe(false)
  rmSync(join(root, 'new.fake'))
  expect(scan(db, store, root), 'a file less').toBe(true)
  expect(scan(db, store, root), 'nothing').toBe(false)
  db.close()
  store.close()
})

test('a script that a binder opened has models put together again, whatever its summary says', async () => {
  const root = tempFolder()
  await writeSample(root)
  const script = join(root, 'Dark Cloud 2/adventurer/info.cfg')
  const db = openDatabase(':memory:')
  const store = new FileStore()
  scan(db, store, root)
  const summary = (): unknown =>
    db.prepare('SELECT data FROM details WHERE file = (SELECT id FROM files WHERE ref = ?)').pluck().get(script)
  const before = summary()
  writeFileSync(script, readFileSync(script, 'latin1').replace('MOTION 0', 'MOTION 1'), 'latin1')
  expect(scan(db, store, root)).toBe(true)
  expect(summary()).toBe(before)
  db.close()
  store.close()
})

test('an archive that a scan was stopped in has models put together again; one that is read to its end has its members as they were', () => {
  const store = new FileStore({ registry: fakeRegistry })
  const db = openDatabase(':memory:')
  const pack = (note: string): Uint8Array =>
    fakePack(Array.from({ length: 1200 }, (_, i) => [`m${i}.fake`, fake(`mesh=m${i}\nnote=${i === 900 ? note : ''}`)]))
  const root = tempFolder({ 'p.fpak': pack('old') })
  scan(db, store, root)
  for (const [n, after] of [3, 600, 1100, 1199].entries()) {
    put(root, 'p.fpak', pack(`new ${'x'.repeat(n)}`))
    let asked = 0
    expect(() => indexFolder(db, store, root, { cancelled: () => ++asked > after })).toThrow('stopped')
    expect(scan(db, store, root), 'behind a stop').toBe(true)
    put(root, 'p.fpak', pack(`newer ${'x'.repeat(n)}`))
    expect(scan(db, store, root), 'one that is not stopped').toBe(false)
  }
  db.close()
  store.close()
})

test('of an archive with more than is held nothing is, and models are put together again', () => {
  const store = new FileStore({ registry: fakeRegistry })
  const db = openDatabase(':memory:')
  const root = tempFolder({
    'p.fpak': fakePack([
      ['a.fake', fake('mesh=a')],
      ['b.fake', fake('mesh=b')],
    ]),
  })
  scan(db, store, root)
  const id = db.prepare("SELECT id FROM files WHERE name = 'p.fpak'").pluck().get() as number
  const bound = (): unknown => db.prepare('SELECT bound FROM roots').pluck().get()
  for (const [most, fit] of [
    [1e6, true],
    [root.length + 20, false],
  ] as const) {
    const models = new FittingModels(db, prepareRows(db), most)
    models.fit = true
    models.hold(id)
    expect(models.fit).toBe(fit)
    expect(bound()).toBe(0)
  }
  db.close()
  store.close()
})

test('what is changed by chance in a library of all families has the index that is made anew', () => {
  const root = join(tempFolder(), 'game')
  const files: string[] = []
  for (const { path, bytes } of mixedLibrary(150)) {
    put(root, path, bytes)
    files.push(path)
  }
  const other = new Map([...mixedLibrary(150, 2)].map(({ path, bytes }) => [path, bytes]))
  const db = openDatabase(':memory:')
  const store = new FileStore()
  scan(db, store, root)
  const random = new Random(7)
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]
  const flip = (path: string): void => {
    const bytes = readFileSync(path)
    const half = bytes.length >> 1
    for (let n = 0; n < 3; n++) bytes[half + random.below(half)] ^= 1 << random.below(8)
    writeFileSync(path, bytes)
  }
  const changes: ((path: string) => void)[] = [
    flip,
    flip,
    (path) => appendFileSync(path, new Uint8Array(1 + random.below(20))),
    (path) => rmSync(path),
    (path) => copyFileSync(path, `${path}.new`),
  ]
  const told = { left: 0, again: 0 }
  for (let round = 0; round < 60; round++) {
    const name = one(files)
    const path = join(root, name)
    const bytes = other.get(name)
    try {
      if (bytes && random.below(10) < 3) writeFileSync(path, bytes)
      else one(changes)(path)
    } catch {
      // it went before
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, other.get(name) ?? new Uint8Array(0))
    }
    told[scan(db, store, root) ? 'again' : 'left']++
  }
  expect(told.left).toBeGreaterThan(10)
  expect(told.again).toBeGreaterThan(10)
  db.close()
  store.close()
}, 240_000)
