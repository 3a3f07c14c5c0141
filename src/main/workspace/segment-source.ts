/** Files that are not written yet, read as they will be. */
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import type { ArchiveMember, ByteSource, Segment } from '../formats/format.ts'

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

  /** The segment that a byte is in. */
  private at(offset: number): number {
    let low = 0
    let high = this.starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.starts[middle] <= offset) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
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
