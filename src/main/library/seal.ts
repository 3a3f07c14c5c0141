/**
 * A seal beside an index says which bytes its last scan left: SQLite's own checks see a broken structure, not a letter that
 * is another one. It is taken away before a scan writes and made anew behind it, so that a changed file under a seal is a
 * damaged one; without a seal (a scan was killed) the structure is checked as far as SQLite can, and the numbers of rows
 * (row-counts.ts).
 *
 *   <database>.seal      size of the file and CRC-32 of its bytes
 */
import { closeSync, fstatSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Db } from './database.ts'

const WINDOW = 1 << 20

export function sealFile(file: string): string {
  return `${file}.seal`
}

/** Before the index is written to. */
export function breakSeal(db: Db): void {
  if (!db.memory) rmSync(sealFile(db.name), { force: true })
}

/** What was written is brought into the file itself, and its bytes are noted. Nothing else may be in it while they are read. */
export function setSeal(db: Db): void {
  if (db.memory || db.inTransaction) return
  try {
    const [{ busy }] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    // another run reads what was there before: the next scan seals
    if (busy !== 0) return
    db.exec('BEGIN IMMEDIATE')
    try {
      if (walSize(db.name) === 0) writeFileSync(sealFile(db.name), sumOf(db.name), { mode: 0o600 })
    } finally {
      db.exec('ROLLBACK')
    }
  } catch {
    // an index without a seal is checked in another way
    breakSeal(db)
  }
}

/** @returns whether the file is what its seal says; undefined without a seal, or while somebody writes */
export function sealHolds(file: string): boolean | undefined {
  let sealed: string
  try {
    sealed = readSmall(sealFile(file))
    if (walSize(file) > 0) return undefined
    return sumOf(file) === sealed
  } catch {
    return undefined
  }
}

function walSize(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

function readSmall(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(64)
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString('latin1')
  } finally {
    closeSync(fd)
  }
}

function sumOf(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const { size } = fstatSync(fd)
    const window = Buffer.allocUnsafe(Math.max(1, Math.min(WINDOW, size)))
    let sum = 0
    for (let at = 0; at < size;) {
      const read = readSync(fd, window, 0, window.length, at)
      if (read === 0) break
      sum = crc32(window.subarray(0, read), sum)
      at += read
    }
    return `${size} ${sum.toString(16)}\n`
  } finally {
    closeSync(fd)
  }
}
