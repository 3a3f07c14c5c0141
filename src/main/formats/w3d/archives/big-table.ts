/** The table of a BIG archive, read front to back to where its entries stand. */
import { FormatError } from '../../../binary/format-error.ts'
import { say } from '../texts/index.ts'
import { ENTRY } from './big-members.ts'
import type { ByteSource } from '../../archive.ts'

/** with its NUL */
export const LONGEST_NAME = 4096
const CHUNK = 256 * 1024

/** Walks the table in pieces: it may reach far, and the header's word on its length is not to be trusted. */
export class TableReader {
  position: number
  private readonly source: ByteSource
  private piece: Uint8Array = new Uint8Array(0)
  private from = 0

  constructor(source: ByteSource, position: number) {
    this.source = source
    this.position = position
  }

  private need(size: number, i: number, field: string): number {
    if (this.position + size > this.source.size) {
      const path = `members[${i}].${field}`
      throw new FormatError('truncated', say('binary.needs', { field: path, count: size, left: this.source.size - this.position }), {
        file: this.source.ref,
        path,
        offset: this.position,
        expected: say('files.byteCount', { count: size }),
        actual: say('files.byteCount', { count: this.source.size - this.position }),
      })
    }
    if (this.position < this.from || this.position + size > this.from + this.piece.length) {
      this.from = this.position
      this.piece = this.source.read(this.from, Math.min(Math.max(size, CHUNK), this.source.size - this.from))
    }
    return this.position - this.from
  }

  /** an entry up to its name */
  skipHead(i: number): void {
    this.need(ENTRY.size, i, 'offset')
    this.position += ENTRY.size
  }

  /** bytes up to and with the NUL */
  skipName(i: number): void {
    const left = Math.min(LONGEST_NAME, this.source.size - this.position)
    const at = this.need(left, i, 'name')
    const { piece } = this
    let size = 0
    while (size < left && piece[at + size] !== 0) size++
    if (size === left) {
      const path = `members[${i}].name`
      throw new FormatError('bad-value', say('archives.big.nameEnds', { path, count: left }), {
        file: this.source.ref,
        path,
        offset: this.position,
      })
    }
    this.position += size + 1
  }
}
