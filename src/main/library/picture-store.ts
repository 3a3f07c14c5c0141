/**
 * Small pictures of models, kept between runs. A picture is known by what it was made from (a hash of all bytes and choices), so that copies
 * of a model share one; a model is known by its stamp, which the index has at hand, so that no file is read to find a picture.
 * A cache like the index: a damaged one is begun anew.
 */
import { openDatabase } from './database.ts'
import type { Db, DatabaseKind } from './database.ts'
import type { ModelPicture } from '../../shared/api/types.ts'

/** Marks the file as ours: `MRWP`. The version is raised when pictures are drawn in another way. */
const KIND: DatabaseKind = {
  id: 0x4d525750,
  version: 1,
  table: 'pictures',
  schema: `
CREATE TABLE pictures (content TEXT PRIMARY KEY, png BLOB NOT NULL, number INTEGER NOT NULL) STRICT;
CREATE INDEX pictures_number ON pictures (number);
-- content is '' where there is no picture; reason then says why
CREATE TABLE models (ref TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL, reason TEXT NOT NULL, broken INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
}

/** About 300 MB; the oldest make room. */
const MOST_PICTURES = 20_000
const MOST_REASON = 500

export class PictureStore {
  private readonly db: Db
  private readonly most: number

  /** @param file path on disk, or `:memory:` @throws FormatError io */
  constructor(file: string, options: { most?: number } = {}) {
    this.db = openDatabase(file, KIND)
    this.most = options.most ?? MOST_PICTURES
  }

  /** What is known of a model as it is now; undefined where a picture is still to be made. */
  get(ref: string, stamp: string): ModelPicture | undefined {
    const known = this.db.prepare('SELECT content, reason, broken FROM models WHERE ref = ? AND stamp = ?').get(ref, stamp) as
      { content: string; reason: string; broken: number } | undefined
    if (!known) return undefined
    if (known.content === '') return { reason: known.reason, broken: known.broken === 1 }
    return this.ofContent(known.content)
  }

  /** A picture made from the same bytes and choices, of whichever model; from now on it is this model's. */
  adopt(ref: string, stamp: string, content: string): ModelPicture | undefined {
    const picture = this.ofContent(content)
    if (picture) this.model(ref, stamp, content, '', false)
    return picture
  }

  put(ref: string, stamp: string, content: string, png: Uint8Array): void {
    const { db } = this
    db.transaction(() => {
      const number = (db.prepare('SELECT max(number) FROM pictures').pluck().get() as number | null) ?? 0
      db.prepare('INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)').run(content, png, number + 1)
      this.model(ref, stamp, content, '', false)
      if ((db.prepare('SELECT count(*) FROM pictures').pluck().get() as number) > this.most) {
        db.prepare('DELETE FROM pictures WHERE content IN (SELECT content FROM pictures ORDER BY number LIMIT ?)').run(
          Math.ceil(this.most / 10),
        )
        db.prepare("DELETE FROM models WHERE content <> '' AND content NOT IN (SELECT content FROM pictures)").run()
      }
    }).immediate()
  }

  /** There is no picture, and none is tried until the model changes. */
  refuse(ref: string, stamp: string, reason: string, broken: boolean): void {
    this.model(ref, stamp, '', reason.slice(0, MOST_REASON), broken)
  }

  /** The model is to be looked at again, although its stamp is the same. */
  forget(ref: string): void {
    this.db.prepare('DELETE FROM models WHERE ref = ?').run(ref)
  }

  close(): void {
    this.db.close()
  }

  private ofContent(content: string): ModelPicture | undefined {
    const png = this.db.prepare('SELECT png FROM pictures WHERE content = ?').pluck().get(content) as Buffer | undefined
    return png && { png: new Uint8Array(png) }
  }

  private model(ref: string, stamp: string, content: string, reason: string, broken: boolean): void {
    this.db.prepare('INSERT OR REPLACE INTO models VALUES (?, ?, ?, ?, ?)').run(ref, stamp, content, reason, broken ? 1 : 0)
  }
}
