/**
 * Fields of the directory of an archive: told as they are edited, and given other bytes where they stand. What comes out is read as the new
 * archive before anything is written: the same members at the same places, and the same fields but for those that were set.
 */
import { FormatError } from '../binary/format-error.ts'
import { notHere } from '../formats/address.ts'
import { editableField, findField, refusalOf } from '../formats/fields.ts'
import { freshTrouble, newBytes, own, wrong } from '../formats/set-field.ts'
import { firstDifference } from '../formats/format.ts'
import { baseName } from '../../shared/ref.ts'
import { lengthOf } from './segment-source.ts'
import type { FoundField } from '../formats/fields.ts'
import type { EditableField } from '../../shared/api/types/fields.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchiveMember, ArchiveParts, ByteSource, Segment } from '../formats/archive.ts'
import type { StructureNode } from '../formats/format.ts'
import { say } from '../../shared/texts/say.ts'

/** A field of the archive itself. */
export const WHOLE = -1

export interface ArchiveFieldValue {
  /** number of the member whose entry has it, or WHOLE */
  member: number
  /** below the node of the entry, or of the archive */
  path: string
  /** as a field of a document is given */
  value: string
}

/** The archive as it is read. */
export type ReadArchive = Pick<OpenArchive, 'ref' | 'format' | 'index' | 'source'>

/** What the directory says of a member, or of the archive: then without its members. @throws FormatError not-found */
export function archiveNode({ format, index, ref }: Omit<ReadArchive, 'source'>, member: number): StructureNode {
  if (member === WHOLE) return format.describe(index, [])
  const node = format.describe(index, [member]).children.find(({ name }) => name.endsWith(`[${member}]`))
  return node ?? notHere('member', member, ref)
}

/** The field, its bytes, in which alone its `start` counts, and where they are. @throws FormatError not-found */
export function fieldIn(archive: ReadArchive, member: number, path: string): { field: FoundField; bytes: Uint8Array; at: number } {
  const field = findField(archiveNode(archive, member), path) ?? notHere('field', path, archive.ref)
  const bytes = archive.source.read(field.start, field.size)
  return { field: { ...field, start: 0 }, bytes, at: field.start }
}

/** @param readOnly why nothing in the archive can be changed, '' where it can @throws FormatError not-found */
export function archiveField(archive: ReadArchive, member: number, path: string, readOnly: string): EditableField {
  const { field, bytes } = fieldIn(archive, member, path)
  const told = editableField(field, bytes, () => [])
  return readOnly ? { ...told, form: 'none', refused: say('edits.readOnly', { why: readOnly }) } : told
}

/** The path of a field from the top down, as `marrow info` shows it, and the member whose entry has it. */
export function fieldAddress({ format, index }: Pick<ReadArchive, 'format' | 'index'>, path: string): { member: number; path: string } {
  const entry = /^(\w+\[(\d+)\])\.(.+)$/.exec(path)
  const member = entry ? Number(entry[2]) : WHOLE
  const named = member !== WHOLE && format.describe(index, [member]).children.some(({ name }) => name === entry![1])
  return named ? { member, path: entry![3] } : { member: WHOLE, path }
}

/** The same archive with other bytes in some fields. @throws FormatError not-found, invalid-edit with the path of the field */
export function fieldParts(open: OpenArchive, values: readonly ArchiveFieldValue[]): ArchiveParts {
  const { source, data, dataRef, peers, ref } = open
  const puts = values.map(({ member, path, value }) => {
    const { field, bytes, at } = fieldIn(open, member, path)
    const refused = refusalOf(field)
    if (refused) wrong(refused, path, ref)
    return { path, at, bytes: newBytes({}, field, bytes, value, ref), size: bytes.length }
  })
  puts.sort((a, b) => a.at - b.at)
  const directory: Segment[] = []
  let end = 0
  for (const { path, at, bytes, size } of puts) {
    if (at < end) wrong(say('fields.twice'), path, ref)
    if (at > end) directory.push({ kind: 'copy', offset: end, length: at - end })
    directory.push({ kind: 'bytes', bytes, as: 'typed' })
    end = at + size
  }
  if (end < source.size) directory.push({ kind: 'copy', offset: end, length: source.size - end })
  const whole = (of: ByteSource): Segment[] => (of.size > 0 ? [{ kind: 'copy', offset: 0, length: of.size }] : [])
  if (dataRef === '') return { data: directory }
  return { data: whole(data), directory, peers: peers.map((peer) => ({ ref: peer.ref, segments: whole(peer.source) })) }
}

/**
 * Nothing is read in another way than before but these fields.
 * @throws FormatError invalid-edit
 */
export function expectSameBut(store: FileStore, before: ReadArchive, after: ReadArchive, values: readonly ArchiveFieldValue[]): void {
  const [{ path }] = values
  const decides = (): never => wrong(say('fields.decides', { field: own(path) }), path, before.ref)
  if (store.registry.identify(store.headOf(after.source), baseName(before.ref), after.source.size)?.archive?.id !== before.format.id)
    decides()
  const fresh = freshTrouble(before.index, after.index)
  if (fresh) wrong(say('fields.notRead', { field: own(path), why: fresh }), path, before.ref)
  if (!sameMembers(before.index.members, after.index.members)) decides()
  const set = [...new Set([WHOLE, ...values.map(({ member }) => member)])]
  const ranges = values.map((value) => {
    const { field, at } = fieldIn(before, value.member, value.path)
    return { start: at, end: at + field.size }
  })
  if (!set.every((member) => sameBut(archiveNode(before, member), archiveNode(after, member), ranges))) decides()
  if (!isEncoded(after)) decides()
}

function sameMembers(before: Iterable<ArchiveMember>, after: Iterable<ArchiveMember>): boolean {
  const now = after[Symbol.iterator]()
  for (const { offset, size, duplicate, rawName } of before) {
    const next = now.next()
    if (next.done) return false
    const member = next.value
    if (member.offset !== offset || member.size !== size || member.duplicate !== duplicate) return false
    if (firstDifference(member.rawName, rawName) >= 0) return false
  }
  return now.next().done === true
}

/** @param ranges where values may differ */
function sameBut(before: StructureNode, after: StructureNode, ranges: readonly { start: number; end: number }[]): boolean {
  if (before.name !== after.name || before.fields.length !== after.fields.length || before.children.length !== after.children.length)
    return false
  return (
    before.fields.every(({ name, type, start, size, value }, i) => {
      const now = after.fields[i]
      if (now.name !== name || now.type !== type || now.start !== start || now.size !== size) return false
      return now.value === value || ranges.some((range) => range.start < start + size && range.end > start)
    }) && before.children.every((child, i) => sameBut(child, after.children[i], ranges))
  )
}

/** Whether what is written from its fields are its bytes. */
function isEncoded({ format, index, source }: ReadArchive): boolean {
  let at = 0
  for (const segment of format.encode(index)) {
    const length = lengthOf(segment)
    if (segment.kind === 'copy' ? segment.offset !== at : at + length > source.size) return false
    if (segment.kind === 'bytes' && firstDifference(source.read(at, length), segment.bytes) >= 0) return false
    at += length
  }
  return at === source.size
}

/** @throws FormatError unsupported for an archive of which no field is set */
export function expectFields({ format, ref }: Pick<ReadArchive, 'format' | 'ref'>): void {
  if (format.replaceFiles) throw new FormatError('unsupported', say('archiveEdits.noFields', { format: format.label }), { file: ref })
}
