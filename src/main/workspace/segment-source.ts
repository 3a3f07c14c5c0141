/** Files that are not written yet, read as they will be. */
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import type { ArchiveMember, ByteSource, Segment } from '../formats/archive.ts'

export class SegmentSource implements ByteSource {
  readonly ref: string
  readonly size: number
  private readonly segments: readonly Segment[]
  private readonly starts: number[] = []
  private readonly old: ByteSource

  constructor(segments: readonly Segment[], old: ByteSource, ref: string) {
    this.ref = ref
    this.segments = segments
    this.old = old
    let at = 0
    for (const segment of segments) {
      this.starts.push(at)
      at += lengthOf(segment)
    }
    this.size = at
  }

  /** Whether the bytes at `offset` are those of the old file at a member's place. */
  takes(offset: number, member: ArchiveMember): boolean {
    if (offset + member.size > this.size || member.offset + member.size > this.old.size) return false
    for (let i = this.at(offset), done = 0; done < member.size; i++) {
      const segment = this.segments[i]
      const from = offset + done - this.starts[i]
      if (segment.kind !== 'copy' || segment.offset + from !== member.offset + done) return false
      done += lengthOf(segment) - from
    }
    return true
  }

  /** Where in the old file a byte comes from, -1 for one that is new. */
  origin(offset: number): number {
    const i = this.at(offset)
    const segment = this.segments[i]
    return segment?.kind === 'copy' ? segment.offset + offset - this.starts[i] : -1
  }

  /** What is made of this file, made of the one that this is made of. */
  through(segments: readonly Segment[]): Segment[] {
    const out: Segment[] = []
    for (const segment of segments) {
      if (segment.kind === 'bytes') out.push(segment)
      else this.range(segment.offset, segment.length, out)
    }
    return out
  }

  private range(offset: number, length: number, out: Segment[]): void {
    for (let i = this.at(offset), done = 0; done < length; i++) {
      const segment = this.segments[i]
      const from = offset + done - this.starts[i]
      const n = Math.min(length - done, lengthOf(segment) - from)
      if (n <= 0) continue
      if (segment.kind === 'bytes') out.push({ ...segment, bytes: segment.bytes.subarray(from, from + n) })
      else {
        const last = out.at(-1)
        // one range, however often it was cut
        if (last?.kind === 'copy' && last.offset + last.length === segment.offset + from) last.length += n
        else out.push({ kind: 'copy', offset: segment.offset + from, length: n })
      }
      done += n
    }
  }

  /** The segment that a byte is in. */
  private at(offset: number): number {
    return pieceAt(this.starts, offset)
  }

  read(offset: number, length: number): Uint8Array {
    if (offset < 0 || length < 0 || offset + length > this.size)
      throw new FormatError('truncated', say('files.outside', { start: offset, end: offset + length, size: this.size }), {
        file: this.ref,
        offset: Math.max(0, Math.min(offset, this.size)),
      })
    const out = new Uint8Array(length)
    for (let i = this.at(offset), done = 0; done < length; i++) {
      const segment = this.segments[i]
      const from = offset + done - this.starts[i]
      const n = Math.min(length - done, lengthOf(segment) - from)
      if (n <= 0) continue
      out.set(segment.kind === 'bytes' ? segment.bytes.subarray(from, from + n) : this.old.read(segment.offset + from, n), done)
      done += n
    }
    return out
  }
}

export function lengthOf(segment: Segment): number {
  return segment.kind === 'bytes' ? segment.bytes.length : segment.length
}

/** Number of the piece that a byte is in, of pieces that begin at `starts`. */
export function pieceAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle] <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
