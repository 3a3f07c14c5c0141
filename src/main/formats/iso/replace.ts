/**
 * An image with other files in it. Nothing moves: a file has the sectors that it has, and those of a padding file directly behind it, which masters
 * put there to fill the disc; anything more would need the file system to be made anew.
 */
import { FormatError } from '../../binary/format-error.ts'
import { baseName } from '../../../shared/ref.ts'
import { say } from '../../../shared/texts/say.ts'
import { SECTOR } from './volume.ts'
import type { Segment } from '../archive.ts'
import type { IsoFile, Volume } from './volume.ts'

/** What discs call it: `DMMY`, `DUMMY.DAT`, `PADDING.BIN`. */
const PADDING = /^(dmmy|dummy|padding)[^a-z]*($|\.)/i

interface Splice {
  start: number
  end: number
  segments: Segment[]
}

/**
 * @param files new contents by member; what they copy counts from the member's beginning
 * @throws FormatError invalid-edit where there is no room
 */
export function replaceFiles(
  { files: members, beside }: Volume,
  files: ReadonlyMap<number, Segment[]>,
  fileSize: number,
  file: string,
): { data: Segment[]; notes: string[] } {
  const splices: Splice[] = []
  const notes: string[] = []
  let resized = false
  for (const [i, segments] of files) {
    const member = members[i]
    const size = segments.reduce((sum, segment) => sum + lengthOf(segment), 0)
    const shifted = segments.map((segment): Segment =>
      segment.kind === 'copy' ? { ...segment, offset: segment.offset + member.offset } : segment,
    )
    splices.push({ start: member.offset, end: member.offset + size, segments: shifted })
    expectAlone(members, member, file)
    if (size === member.size) continue
    resized = true
    if (member.parts > 1) throw new FormatError('invalid-edit', say('formats.iso.severalParts', { name: member.name }), { file })
    splices.push(twice(member.at + 10, size))
    const [had, needs] = [sectorsOf(member.size), sectorsOf(size)]
    if (needs <= had) continue
    const more = needs - had
    const behind = paddingBehind(members, member, more)
    if (!behind)
      throw new FormatError('invalid-edit', say('formats.iso.noRoom', { name: member.name, more: size - had * SECTOR }), { file })
    splices.push(twice(behind.at + 2, behind.extent + more), twice(behind.at + 10, Math.max(0, behind.size - more * SECTOR)))
    notes.push(say('formats.iso.padding', { name: behind.name, bytes: more * SECTOR, to: member.name }))
  }
  if (resized) notes.push(...beside.map((other) => say(`formats.iso.beside.${other}`)))
  return { data: spliced(splices, fileSize, file), notes }
}

/** @throws FormatError invalid-edit where another file has bytes of this one */
function expectAlone(members: readonly IsoFile[], member: IsoFile, file: string): void {
  const end = member.offset + member.size
  const other = members.find((one) => one !== member && one.size > 0 && one.offset < end && member.offset < one.offset + one.size)
  if (other) throw new FormatError('invalid-edit', say('formats.iso.shared', { name: member.name, other: other.name }), { file })
}

/** The padding file that begins where a file's sectors end, where nothing else stands in what is taken of it. */
function paddingBehind(members: readonly IsoFile[], member: IsoFile, more: number): IsoFile | undefined {
  const end = member.offset + sectorsOf(member.size) * SECTOR
  const found = members.find(({ offset, size, name }) => offset === end && size > 0 && PADDING.test(baseName(name)))
  if (!found || found.parts > 1 || found.extent * SECTOR !== found.offset || sectorsOf(found.size) < more) return undefined
  const stop = end + more * SECTOR
  const other = members.some((one) => one !== found && one !== member && one.size > 0 && one.offset < stop && end < one.offset + one.size)
  return other ? undefined : found
}

function sectorsOf(size: number): number {
  return Math.ceil(size / SECTOR)
}

/** A number in both byte orders. */
function twice(start: number, value: number): Splice {
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, value, true)
  view.setUint32(4, value, false)
  return { start, end: start + 8, segments: [{ kind: 'bytes', bytes, as: 'typed' }] }
}

function spliced(splices: Splice[], fileSize: number, file: string): Segment[] {
  const out: Segment[] = []
  let at = 0
  for (const { start, end, segments } of splices.sort((a, b) => a.start - b.start)) {
    if (start < at) throw new FormatError('invalid-edit', say('formats.iso.over', { at: start }), { file })
    if (start > at) out.push({ kind: 'copy', offset: at, length: start - at })
    out.push(...segments)
    at = end
  }
  if (at < fileSize) out.push({ kind: 'copy', offset: at, length: fileSize - at })
  return out
}

function lengthOf(segment: Segment): number {
  return segment.kind === 'bytes' ? segment.bytes.length : segment.length
}
