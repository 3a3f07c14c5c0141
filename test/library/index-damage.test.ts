import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { CacheDatabase, comesOfDamage, moveAside, openDatabase } from '../../src/main/library/database.ts'
import type { Db } from '../../src/main/library/database.ts'
import { IndexNeighbourhood } from '../../src/main/library/index-neighbourhood.ts'
import { Library } from '../../src/main/library/library.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { PictureStore } from '../../src/main/library/picture-store.ts'
import { sealFile, sealHolds, setSeal } from '../../src/main/library/seal.ts'
import { flipped, sampleBits } from '../support/state-damage.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'

const store = new FileStore({ registry: fakeRegistry })

function sample(): string {
  return tempFolder({
    'hero.fake': fake('mesh=Körper\nbone=hip\nslice=立ち\nclip=Walk\ntexture=skin\nprovides=rig:hero\nneeds=anim:hero'),
    'odd.fake': fake('bone=hip\nmesh=odd\nskin=odd'),
    'sub/anim.fake': fake('clip=한국어\nprovides=anim:hero'),
    'sub/pack.fpak': fakePack([['in.fake', fake('bone=x\nmesh=y')]]),
    ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`many/f${i}.fake`, fake(`bone=b${i}\nmesh=m${i}`)])),
  })
}

/** The column that tells rows of a table apart: its own number, or the one of what it belongs to. */
function keyOf(db: Db, table: string): string {
  const key = db.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk = 1`).pluck().get() as string | undefined
  return key ?? 'rowid'
}

/** Everything that the index says of its files, without numbers of rows and times. */
function rows(db: Db): string {
  const all = (sql: string): unknown[] => db.prepare(sql).raw().all()
  return JSON.stringify([
    all('SELECT ref, name, size, format, kind, note, bones, meshes, clips, slices, textures, error_code FROM files ORDER BY ref'),
    all('SELECT f.ref, b.number, b.name FROM bones b JOIN files f ON f.id = b.file ORDER BY 1, 2'),
    all('SELECT f.ref, b.direction, b.number, b.key FROM keys b JOIN files f ON f.id = b.file ORDER BY 1, 2, 3'),
    all('SELECT name, "primary", size, bones FROM models ORDER BY 2'),
    all('SELECT ref, role, why FROM members ORDER BY 1, 2'),
    all('SELECT text FROM names ORDER BY 1'),
  ])
}

/** A scan of what is there, as a start and a scan do it: an index that is damaged is begun anew. */
function scan(root: string, file: string): string {
  let db = openDatabase(file)
  try {
    try {
      indexFolder(db, store, root)
    } catch (error) {
      if (!comesOfDamage(db, error)) throw error
      db.close()
      moveAside(file)
      db = openDatabase(file)
      indexFolder(db, store, root)
    }
    setSeal(db)
    return rows(db)
  } finally {
    db.close()
  }
}

describe('an index', () => {
  it('with any bit flipped has the right rows after the next scan, and the damaged one is moved aside', { timeout: 300_000 }, () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const want = scan(root, file)
    expect(sealHolds(file)).toBe(true)
    const bytes = new Uint8Array(readFileSync(file))
    const seal = readFileSync(sealFile(file))
    for (const bit of sampleBits(bytes.length, 120, 5)) {
      writeFileSync(file, flipped(bytes, bit))
      writeFileSync(sealFile(file), seal)
      expect(scan(root, file) === want, `bit ${bit}`).toBe(true)
      expect(readFileSync(`${file}.damaged`).equals(flipped(bytes, bit)), `bit ${bit}`).toBe(true)
    }
  })

  it('whose seal is damaged is begun anew', () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const want = scan(root, file)
    writeFileSync(sealFile(file), 'nonsense')
    expect(scan(root, file)).toBe(want)
    expect(existsSync(`${file}.damaged`)).toBe(true)
  })

  it('has no seal while it is written to, and is looked into by itself then', () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    scan(root, file)
    const db = openDatabase(file)
    // a scan that is killed
    expect(() =>
      indexFolder(db, store, root, {
        full: true,
        onProgress: () => {
          throw new Error('killed')
        },
      }),
    ).toThrow('killed')
    expect(existsSync(sealFile(file))).toBe(false)
    db.close()
    const whole = openDatabase(file)
    whole.close()
    expect(existsSync(`${file}.damaged`)).toBe(false)
    // structure that is not as it was made
    const bytes = readFileSync(file)
    // pages that are not in use any more may have it, too
    for (let at = bytes.indexOf('name_key TEXT'); at >= 0; at = bytes.indexOf('name_key TEXT', at)) bytes[at] ^= 1
    writeFileSync(file, bytes)
    openDatabase(file).close()
    expect(existsSync(`${file}.damaged`)).toBe(true)
  })

  it.each(['details', 'keys', 'files', 'folders', 'models', 'members', 'names'])(
    'that was left without a seal and lost a row of %s is begun anew',
    (table) => {
      const root = sample()
      const file = join(tempFolder(), 'index.sqlite')
      const want = scan(root, file)
      rmSync(sealFile(file))
      // sound, though nothing says so: it stays
      openDatabase(file).close()
      expect(existsSync(`${file}.damaged`)).toBe(false)
      const db = new Database(file)
      // a page that lost one asks no other table
      db.pragma('foreign_keys = OFF')
      const lost = db
        .prepare(`DELETE FROM ${table} WHERE rowid = (SELECT max(rowid) FROM ${table})`.replaceAll('rowid', keyOf(db, table)))
        .run()
      expect(lost.changes).toBeGreaterThan(0)
      db.close()
      expect(scan(root, file)).toBe(want)
      expect(existsSync(`${file}.damaged`)).toBe(true)
    },
  )

  it.each([
    ...['$.bones', '$.meshes', '$.skins', '$.skins[0].bones', '$.clips', '$.slices', '$.textures', '$.provides', '$.needs'].map((list) => [
      'data',
      list,
    ]),
    ['diagnostics', '$'],
  ])('that was left without a seal and lost an entry of %s %s is begun anew', (column, list) => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const want = scan(root, file)
    rmSync(sealFile(file))
    const db = new Database(file)
    const lost = db
      .prepare(`UPDATE details SET ${column} = json_remove(${column}, '${list}[0]') WHERE json_array_length(${column}, '${list}') > 0`)
      .run()
    expect(lost.changes).toBeGreaterThan(0)
    db.close()
    expect(scan(root, file)).toBe(want)
    expect(existsSync(`${file}.damaged`)).toBe(true)
  })

  it('in which what a file has cannot be read is begun anew, whether that is seen at once or by the first who asks', () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const want = scan(root, file)
    const spoil = (db: Db): void => void db.exec('UPDATE details SET data = substr(data, 2); UPDATE roots SET bound = 0')
    rmSync(sealFile(file))
    const other = new Database(file)
    spoil(other)
    other.close()
    expect(scan(root, file)).toBe(want)
    expect(existsSync(`${file}.damaged`)).toBe(true)
    const db = openDatabase(file)
    spoil(db)
    const around = new IndexNeighbourhood((body) => body(db), store)
    let found: unknown
    try {
      around.summary(join(root, 'hero.fake'))
    } catch (error) {
      found = error
    }
    expect(comesOfDamage(db, found)).toBe(true)
    db.close()
  })

  it('that a scan was killed in at any file counts as sound', () => {
    const root = sample()
    for (let strike = 1, died = true; died; strike++) {
      const file = join(tempFolder(), 'index.sqlite')
      const db = openDatabase(file)
      let calls = 0
      died = false
      try {
        // a stop keeps what was indexed so far, as a kill keeps the last batch
        indexFolder(db, store, root, { cancelled: () => ++calls === strike })
      } catch (error) {
        died = (error as { code?: string }).code === 'cancelled'
        if (!died) throw error
      }
      db.close()
      openDatabase(file).close()
      expect(existsSync(`${file}.damaged`), `stopped at ${strike}`).toBe(false)
    }
  })

  it('is nobody else’s', () => {
    if (process.platform === 'win32') return
    const file = join(tempFolder(), 'state', 'index.sqlite')
    scan(sample(), file)
    expect(readdirSync(dirname(file), { withFileTypes: true }).every((entry) => entry.isFile())).toBe(true)
  })
})

describe('the store of pictures', () => {
  it('with any bit flipped gives the right picture, or none', { timeout: 300_000 }, () => {
    const file = join(tempFolder(), 'pictures.sqlite')
    const png = (i: number): Uint8Array => new Uint8Array(300).fill(i + 1)
    const first = new PictureStore(file)
    for (let i = 0; i < 12; i++) first.put(`m${i}`, 's', `c${i}`, png(i))
    first.refuse('none', 's', 'nothing to see', true)
    first.close()
    const bytes = new Uint8Array(readFileSync(file))
    let missing = 0
    for (const bit of sampleBits(bytes.length, 160, 9)) {
      for (const tail of ['-wal', '-shm']) rmSync(file + tail, { force: true })
      writeFileSync(file, flipped(bytes, bit))
      const pictures = new PictureStore(file)
      for (let i = 0; i < 12; i++) {
        const found = pictures.get(`m${i}`, 's')
        if (found === undefined) missing++
        else expect(found, `bit ${bit}`).toEqual({ png: png(i) })
      }
      const reason = pictures.get('none', 's')
      if (reason) expect(reason, `bit ${bit}`).toEqual({ reason: 'nothing to see', broken: true })
      // and goes on
      pictures.put('m0', 's', 'c0', png(0))
      expect(pictures.get('m0', 's'), `bit ${bit}`).toEqual({ png: png(0) })
      pictures.close()
    }
    expect(missing).toBeGreaterThan(0)
  })
})

describe('a cache that was found damaged', () => {
  it('and cannot be begun anew is tried again with the next call', () => {
    let full = false
    const cache = new CacheDatabase(join(tempFolder(), 'cache.sqlite'), {
      id: 7,
      version: 1,
      table: 'things',
      structure: false,
      get schema() {
        if (full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
        return 'CREATE TABLE things (name TEXT) STRICT'
      },
    })
    const count = (db: Db): number => db.prepare('SELECT count(*) FROM things').pluck().get() as number
    const damaged = (): never => {
      throw Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' })
    }
    cache.run((db) => db.exec("INSERT INTO things VALUES ('kept')"))
    full = true
    for (const body of [damaged, count, count]) expect(() => cache.run(body)).toThrow(expect.objectContaining({ code: 'io' }))
    full = false
    expect(cache.run(count)).toBe(0)
    cache.close()
    expect(() => cache.run(count)).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
  })

  it('leaves no binder with the connection of before', async () => {
    const root = sample()
    const file = join(tempFolder(), 'index.sqlite')
    const registryModule = new URL('../files/fake-family.ts', import.meta.url).href
    const library = Library.open(root, file, { store, registryModule })
    try {
      await library.scan()
      const around = library.neighbourhood()
      expect(around.byStem('hero', root)).toHaveLength(1)
      const other = new Database(file)
      other.exec('DROP TABLE models')
      other.close()
      expect(library.info().scannedAt).toBe(0)
      expect(around.byStem('hero', root)).toHaveLength(0)
      await library.scan()
      expect(around.byStem('hero', root)).toHaveLength(1)
    } finally {
      library.close()
    }
  })
})
