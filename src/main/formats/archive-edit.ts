/** Members that come, go or get another name: what the archives of all families have in common when they do that. */
import { FormatError } from '../binary/format-error.ts'
import { hashOf } from '../binary/lazy-list.ts'
import { memberKey } from '../../shared/ref.ts'
import { notHere } from './address.ts'
import type { ArchiveIndex, MemberList, Segment } from './archive.ts'
import { say } from '../../shared/texts/say.ts'

/** One kind of change, of one or several members. */
export type ArchiveEdit =
  | { kind: 'add'; members: readonly { name: string; bytes: Uint8Array }[] }
  /** names by number; they change places at once, so that two members may swap theirs */
  | { kind: 'rename'; names: ReadonlyMap<number, string> }
  | { kind: 'remove'; members: ReadonlySet<number> }
  /** for each place of the table the number of the member that stands there from now on */
  | { kind: 'reorder'; order: readonly number[] }
  /** the same members without a byte that none of them needs */
  | { kind: 'rebuild' }

/** A member that a new archive is made of. */
export interface NewMember {
  name: string
  /** in the bytes that are given with it */
  offset: number
  size: number
}

/** The most bytes that a u32 counts. */
export const MOST_U32 = 0xffffffff

/** @throws FormatError not-found for members that are not there, invalid-edit for names that no archive can give to a member */
export function expectEdit(index: ArchiveIndex, edit: ArchiveEdit): void {
  if (edit.kind === 'rebuild') return
  const numbers =
    edit.kind === 'rename' ? edit.names.keys() : edit.kind === 'remove' ? edit.members : edit.kind === 'reorder' ? edit.order : []
  for (const i of numbers) if (!Number.isInteger(i) || i < 0 || i >= index.members.length) notHere('member', i, index.ref)
  if (edit.kind === 'remove') return
  if (edit.kind === 'reorder') {
    if (edit.order.length !== index.members.length || new Set(edit.order).size !== edit.order.length)
      throw new FormatError('invalid-edit', say('formats.archives.notAnOrder', { count: index.members.length }), { file: index.ref })
    return
  }
  const own = edit.kind === 'rename' ? edit.names : new Map<number, string>()
  expectNames(index, edit.kind === 'rename' ? edit.names.values() : edit.members.map(({ name }) => name), own)
}

/**
 * @param names of members that come, or that `own` get in the place of theirs
 * @throws FormatError invalid-edit for names that no archive can give to a member, or that are taken
 */
export function expectNames(
  index: Pick<ArchiveIndex, 'members' | 'ref'>,
  names: Iterable<string>,
  own: { has(member: number): boolean } = new Set(),
): void {
  const key = (name: string): string => memberKey(name, 0).toLowerCase()
  // few come, and many are there: those are asked for, and not kept
  const given = new Map<string, string>()
  for (const name of names) {
    if (name === '' || name.includes('\0')) refuseName(index, name, say('formats.archives.noName'))
    if (leadsOut(name)) refuseName(index, name, say('formats.archives.leadsOut', { name: JSON.stringify(name) }))
    if (given.has(key(name))) refuseName(index, name, say('formats.archives.nameTaken', { name }))
    given.set(key(name), name)
  }
  if (given.size === 0) return
  const { members } = index
  const hashes = new Set(Array.from(given.keys(), hashOf))
  for (let i = 0; i < members.length; i++) {
    // of very many nearly all are passed over by their hash
    if (own.has(i) || (members.columns && !hashes.has(members.columns.nameHash(i)))) continue
    const name = given.get(key(members.at(i)!.name))
    if (name !== undefined) refuseName(index, name, say('formats.archives.nameTaken', { name }))
  }
}

/** No game asks for a file by a name that begins at a drive or a root, climbs, or has a part without letters: what is called so is found by nobody. */
function leadsOut(name: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(name) || /^[a-z]:/i.test(name) || name.split(/[/\\]/).some((part) => /^[. ]*$/.test(part))
}

/** @throws FormatError invalid-edit */
export function refuseName(index: Pick<ArchiveIndex, 'ref'>, name: string, message: string): never {
  throw new FormatError('invalid-edit', message, { file: index.ref, path: 'name', actual: name })
}

/** A name of one byte a character. @throws FormatError invalid-edit for others, and for one of more than `most` bytes */
export function plainName(index: Pick<ArchiveIndex, 'ref'>, name: string, most: number): Uint8Array {
  const odd = [...name].find((character) => character < ' ' || character > '~')
  if (odd !== undefined) refuseName(index, name, say('formats.archives.notPlain', { name, character: odd }))
  if (name.length > most) refuseName(index, name, say('formats.archives.nameTooLong', { name, count: name.length, most }))
  return Uint8Array.from(name, (character) => character.charCodeAt(0))
}

/** A field of fixed size with another name in it: the rest of the old name goes, what stands behind its end stays. */
export function namedField(field: Uint8Array, name: Uint8Array): Uint8Array {
  const out = field.slice()
  const end = field.indexOf(0)
  out.fill(0, 0, end < 0 ? field.length : end)
  out.set(name)
  if (name.length < out.length) out[name.length] = 0
  return out
}

interface Range {
  start: number
  end: number
}

/** Ranges of a file, in order and apart. */
function merged(ranges: readonly Range[]): Range[] {
  const out: Range[] = []
  for (const { start, end } of [...ranges].filter((range) => range.end > range.start).sort((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else out.push({ start, end })
  }
  return out
}

/** Where a member's body goes in an archive that is made anew. */
interface Placed {
  /** body of the old archive */
  from: number
  length: number
  at: number
}

/**
 * Bodies one behind the other in the order in which they stand, each once, whoever shares it, and nothing between them.
 * @param start where the first one goes @param unit what each begins on, and is filled up to
 * @returns the place of each member, the bodies as they are written, and the end of the last
 * @param size of the file that they are copied from
 * @throws FormatError invalid-edit for members that are not whole in it
 */
export function closedUp(
  index: { ref: string; members: MemberList<NewMember> },
  size: number,
  start: number,
  unit = 1,
): { places: number[]; segments: Segment[]; end: number } {
  const order: number[] = []
  let i = 0
  for (const { name, offset, size: length } of index.members) {
    // one without bytes is nowhere: the file may end in front of it
    if (length > 0 && offset + length > size)
      throw new FormatError('invalid-edit', say('formats.archives.notWhole', { name, end: offset + length, size }), { file: index.ref })
    order.push(i++)
  }
  const [offsets, sizes] = [new Float64Array(i), new Float64Array(i)]
  i = 0
  for (const member of index.members) [offsets[i], sizes[i++]] = [member.offset, member.size]
  order.sort((a, b) => offsets[a] - offsets[b] || sizes[b] - sizes[a] || a - b)
  const places = new Array<number>(order.length).fill(start)
  const segments: Segment[] = []
  let end = start
  let last: Placed | undefined
  for (const number of order) {
    const [offset, length] = [offsets[number], sizes[number]]
    if (length === 0) places[number] = end
    else if (last && offset + length <= last.from + last.length) places[number] = last.at + offset - last.from
    else if (last && offset < last.from + last.length)
      throw new FormatError('invalid-edit', say('formats.archives.overlap', { name: index.members.at(number)!.name }), { file: index.ref })
    else {
      last = { from: offset, length, at: end }
      places[number] = end
      segments.push({ kind: 'copy', offset, length })
      const over = length % unit
      if (over > 0) segments.push({ kind: 'bytes', bytes: new Uint8Array(unit - over), as: 'opaque' })
      end += over > 0 ? length + unit - over : length
    }
  }
  return { places, segments, end }
}

/** Bytes that only members of `gone` have: nothing that stays, and nothing of `kept`, is in them. */
export function ownBytes(index: ArchiveIndex, gone: ReadonlySet<number>, kept: readonly Range[], size: number): Range[] {
  if (gone.size === 0) return []
  const [theirs, others]: [Range[], Range[]] = [[], [...kept]]
  let i = 0
  for (const { offset, size: length } of index.members)
    (gone.has(i++) ? theirs : others).push({ start: Math.min(offset, size), end: Math.min(offset + length, size) })
  const stay = merged(others)
  const out: Range[] = []
  let k = 0
  for (const { start, end } of merged(theirs)) {
    let at = start
    while (k > 0 && stay[k - 1].end > start) k--
    for (; k < stay.length && stay[k].start < end; k++) {
      if (stay[k].end <= at) continue
      if (stay[k].start > at) out.push({ start: at, end: stay[k].start })
      at = Math.max(at, stay[k].end)
    }
    if (at < end) out.push({ start: at, end })
  }
  return out
}

/** A file with some of its ranges replaced or taken out: where everything else goes, and what it is written from. */
export class Rewrite {
  private readonly size: number
  /** in the order of the file, apart */
  private readonly splices: readonly (Range & { length: number })[]
  private readonly shifts: number[] = []

  /** @param splices the ranges, and how many bytes each becomes */
  constructor(size: number, splices: readonly (Range & { length: number })[]) {
    this.size = size
    this.splices = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
    let shift = 0
    for (const { start, end, length } of this.splices) this.shifts.push((shift += length - (end - start)))
  }

  /** Size of the new file before anything is put behind it. */
  get end(): number {
    return this.size + (this.shifts.at(-1) ?? 0)
  }

  /** Where a byte of the old file is; one behind the file as far behind it. */
  place(offset: number): number {
    let low = 0
    let high = this.splices.length
    while (low < high) {
      const middle = (low + high) >> 1
      // a place in what was taken out is the place behind it
      if (this.splices[middle].start < offset || (this.splices[middle].end === offset && this.splices[middle].start === offset))
        low = middle + 1
      else high = middle
    }
    if (low === 0) return offset
    const last = this.splices[low - 1]
    return last.end <= offset ? offset + this.shifts[low - 1] : last.end + this.shifts[low - 1]
  }

  /** @param put bytes of each range, by where it begins; ranges that are only taken out have none */
  segments(put: ReadonlyMap<number, Uint8Array>, behind: readonly Uint8Array[]): Segment[] {
    const out: Segment[] = []
    let at = 0
    for (const { start, end } of this.splices) {
      if (start > at) out.push({ kind: 'copy', offset: at, length: start - at })
      const bytes = put.get(start)
      if (bytes && bytes.length > 0) out.push({ kind: 'bytes', bytes, as: 'typed' })
      at = end
    }
    if (at < this.size) out.push({ kind: 'copy', offset: at, length: this.size - at })
    for (const bytes of behind) if (bytes.length > 0) out.push({ kind: 'bytes', bytes, as: 'member' })
    return out
  }
}
