/**
 * Small pictures of models, kept between runs. A picture is known by what it was made from (a hash of all bytes and choices), so that copies
 * of a model share one; a model is known by its stamp, which the index has at hand, so that no file is read to find a picture.
 * A cache like the index: each row has a checksum, a damaged one counts as missing; a damaged file is begun anew.
 */
import { crc32 } from 'node:zlib'
import { CacheDatabase } from './database.ts'
import type { Db, DatabaseKind } from './database.ts'
import type { ModelPicture } from '../../shared/api/types/library.ts'

/** Marks the file as ours: `MRWP`. The version is raised when pictures are drawn in another way. */
const KIND: DatabaseKind = {
  id: 0x4d525750,
  version: 3,
  table: 'pictures',
  // rows are checked one by one, and the file may be large
  structure: false,
  schema: `
CREATE TABLE pictures (content TEXT PRIMARY KEY, png BLOB NOT NULL, number INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE INDEX pictures_number ON pictures (number);
-- content is '' where there is no picture; reason then says why
CREATE TABLE models (ref TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL, reason TEXT NOT NULL, broken INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
}

/** About 300 MB; the oldest make room. */
const MOST_PICTURES = 20_000
const MOST_REASON = 500

export class PictureStore {
  private readonly cache: CacheDatabase
  private readonly most: number

  /** @param file path on disk, or `:memory:` @throws FormatError io */
  constructor(file: string, options: { most?: number } = {}) {
    this.cache = new CacheDatabase(file, KIND)
    this.most = options.most ?? MOST_PICTURES
  }

  /** What is known of a model as it is now; undefined where a picture is still to be made. */
  get(ref: string, stamp: string): ModelPicture | undefined {
    return this.cache.run((db) => {
      const known = db.prepare('SELECT content, reason, broken, sum FROM models WHERE ref = ? AND stamp = ?').get(ref, stamp) as
        ModelRow | undefined
      if (!known || known.sum !== modelSum(ref, stamp, known)) return undefined
      if (known.content === '') return { reason: known.reason, broken: known.broken === 1 }
      return pictureOf(db, known.content)
    })
  }

  /** A picture made from the same bytes and choices, of whichever model; from now on it is this model's. */
  adopt(ref: string, stamp: string, content: string): ModelPicture | undefined {
    return this.cache.run((db) => {
      const picture = pictureOf(db, content)
      if (picture) putModel(db, ref, stamp, { content, reason: '', broken: 0 })
      return picture
    })
  }

  put(ref: string, stamp: string, content: string, png: Uint8Array): void {
    this.cache.run((db) =>
      db
        .transaction(() => {
          const number = (db.prepare('SELECT max(number) FROM pictures').pluck().get() as number | null) ?? 0
          db.prepare('INSERT OR REPLACE INTO pictures VALUES (?, ?, ?, ?)').run(content, png, number + 1, pictureSum(content, png))
          putModel(db, ref, stamp, { content, reason: '', broken: 0 })
          if ((db.prepare('SELECT count(*) FROM pictures').pluck().get() as number) > this.most) {
            db.prepare('DELETE FROM pictures WHERE content IN (SELECT content FROM pictures ORDER BY number LIMIT ?)').run(
              Math.ceil(this.most / 10),
            )
            db.prepare("DELETE FROM models WHERE content <> '' AND content NOT IN (SELECT content FROM pictures)").run()
          }
        })
        .immediate(),
    )
  }

  /** There is no picture, and none is tried until the model changes. */
  refuse(ref: string, stamp: string, reason: string, broken: boolean): void {
    this.cache.run((db) => putModel(db, ref, stamp, { content: '', reason: reason.slice(0, MOST_REASON), broken: broken ? 1 : 0 }))
  }

  /** The model is to be looked at again, although its stamp is the same. */
  forget(ref: string): void {
    this.cache.run((db) => db.prepare('DELETE FROM models WHERE ref = ?').run(ref))
  }

  close(): void {
    this.cache.close()
  }
}

interface ModelRow {
  content: string
  reason: string
  broken: number
  sum: number
}

function pictureOf(db: Db, content: string): ModelPicture | undefined {
  const row = db.prepare('SELECT png, sum FROM pictures WHERE content = ?').get(content) as { png: Buffer; sum: number } | undefined
  return row && row.sum === pictureSum(content, row.png) ? { png: new Uint8Array(row.png) } : undefined
}

function pictureSum(content: string, png: Uint8Array): number {
  return crc32(png, crc32(content))
}

function modelSum(ref: string, stamp: string, { content, reason, broken }: Omit<ModelRow, 'sum'>): number {
  return crc32(JSON.stringify([ref, stamp, content, reason, broken]))
}

function putModel(db: Db, ref: string, stamp: string, row: Omit<ModelRow, 'sum'>): void {
  db.prepare('INSERT OR REPLACE INTO models VALUES (?, ?, ?, ?, ?, ?)').run(
    ref,
    stamp,
    row.content,
    row.reason,
    row.broken,
    modelSum(ref, stamp, row),
  )
}
