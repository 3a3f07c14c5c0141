/**
 * `marrow info --text`: a document as a text that can be held against that of another one: every byte is in it, as the value of its field
 * where it has one, a line for each field and each entry of a column. Nothing is told by its place in the file, and entries of columns
 * have no numbers, so that a key that came in is one more line and changes no other.
 */
import { hex } from '../binary/structure.ts'
import { MAX_MEMBERS } from '../files/store.ts'
import { readForDecoding } from '../files/open-document.ts'
import { partsOf } from '../workspace/alignment.ts'
import { sha256 } from '../workspace/originals.ts'
import { fieldLayout } from '../formats/field-type.ts'
import { FormatError } from '../binary/format-error.ts'
import { printable } from '../../shared/printable.ts'
import { say } from '../../shared/texts/say.ts'
import type { FieldLayout, FieldPart, ScalarTypes } from '../formats/field-type.ts'
import type { OpenArchive } from '../files/places.ts'
import type { StructureField, StructureNode } from '../formats/format.ts'
import type { FileStore } from '../files/store.ts'

/** Bytes that are written out; of more, size and SHA-256. */
const MOST_HEX = 32

interface DocumentText {
  path: string
  size: number
  format: string
  /** for JSON */
  toJSON(): { path: string; size: number; format: string; lines: string[] }
}

/** @throws FormatError of a file that is none of a known format, or broken */
export function documentText(store: FileStore, ref: string): { report: DocumentText; lines: () => Iterable<string> } {
  // what is in a data file, its directory knows
  const archive = store.archiveOfData(ref)
  const open = store.identify(archive)?.archive ? store.openArchive(archive)! : undefined
  const { size } = store.stat(ref)
  let lines: () => Iterable<string>
  let format: string
  if (open) {
    format = open.format.id
    lines = () => archiveLines(store, open)
  } else {
    const { format: own, bytes } = readForDecoding(store, ref)
    format = own.id
    const root = own.describe(own.decode(bytes, ref))
    lines = () => new Lines(bytes, own.scalars ?? {}).node(root, '')
  }
  const head = { path: ref, size, format }
  const all = function* (): Generator<string> {
    yield `format = ${format}\n`
    for (const line of lines()) yield `${printable(line)}\n`
  }
  return { report: { ...head, toJSON: () => ({ ...head, lines: [...all()].map((line) => line.trimEnd()) }) }, lines: all }
}

/** Members in their order, by what is in them. */
function* archiveLines(store: FileStore, open: OpenArchive): Generator<string> {
  if (open.members.length > MAX_MEMBERS)
    throw new FormatError('unsupported', say('files.tooManyMembers', { most: MAX_MEMBERS }), { file: open.ref })
  for (const { ref, key, size } of open.members) {
    const source = store.source(ref)
    yield `members ${key} = ${size === 0 ? size : blob(source.read(0, source.size))}`
  }
}

/** Bytes by themselves: as text where they are text. The same in every language. */
function blob(bytes: Uint8Array): string {
  if (bytes.length > 1 && bytes.every((byte) => byte === 0)) return `[${bytes.length} zeros]`
  const text = textOf(bytes)
  if (text !== undefined) return text
  return bytes.length <= MOST_HEX ? `[${hex(bytes)}]` : `[${[bytes.length, 'sha256', sha256(bytes)].join(' ')}]`
}

/** Of bytes that are all letters, tabs and ends of lines. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0 || bytes.length > MOST_TEXT) return undefined
  const printed = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13)
  return printed ? JSON.stringify(Buffer.from(bytes).toString('latin1')) : undefined
}

class Lines {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly scalars: ScalarTypes

  constructor(bytes: Uint8Array, scalars: ScalarTypes) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.scalars = scalars
  }

  *node(node: StructureNode, path: string): Generator<string> {
    const at = (name: string): string => (path && name ? `${path}.${name}` : path || name)
    yield `${path || 'file'}: ${node.type}`
    for (const part of partsOf(node)) {
      if (part.node) yield* this.node(part.node, at(part.name))
      else if (part.field) yield* this.field(part.field, at(part.name))
      // bytes of a node that no field explains
      else yield `${path || 'file'} = ${blob(this.bytes.subarray(part.start, part.end))}`
    }
  }

  private *field(field: StructureField, path: string): Generator<string> {
    const { start, size, type, value } = field
    const bytes = this.bytes.subarray(start, start + size)
    const layout = fieldLayout(field, this.scalars)
    if (!layout || layout.parts.length > MOST_PARTS || field.use?.is === 'pixels') {
      yield `${path} = ${told(value, type, bytes)}`
      return
    }
    if (!layout.column) {
      const own = this.record(layout, start)
      yield `${path} = ${layout.parts.length > 1 || alike(value, own) ? own : value.startsWith('0x') && Number(value) === Number(own) ? value : `${value} [${own}]`}`
      return
    }
    for (let i = 0; i < layout.count; i++) yield `${path} = ${this.record(layout, start + i * layout.stride)}`
  }

  private record({ parts }: FieldLayout, at: number): string {
    const texts: string[] = []
    for (const part of parts) {
      const name = part.name.startsWith('[') ? '' : part.name.replace(/^\./, '')
      texts.push(name ? `${name} ${this.part(part, at)}` : this.part(part, at))
    }
    return texts.join(', ')
  }

  /** The number, with its bytes where it is not told by them alone. */
  private part({ offset, size, type }: FieldPart, at: number): string {
    const bytes = this.bytes.subarray(at + offset, at + offset + size)
    if (!type) return blob(bytes)
    const text = type.show(this.view, at + offset)
    if (text === '0' && size > 1 && bytes.at(-1) === 0x80 && bytes.subarray(0, -1).every((byte) => byte === 0)) return '-0'
    return this.isOwn(type) || text === 'NaN' || (text === '0' && bytes.some((byte) => byte !== 0)) ? `${text} [${hex(bytes)}]` : text
  }

  /** A packed rotation may be shown alike for two values. */
  private isOwn(type: FieldPart['type']): boolean {
    return Object.values(this.scalars).includes(type!)
  }
}

/** Fields of more numbers are told as bytes. */
const MOST_PARTS = 64
const MOST_TEXT = 200

/** One number, with fewer digits here than there: what the format makes of others (names, a size without its bit) is told beside it. */
function alike(value: string, own: string): boolean {
  if (value === own) return true
  const [a, b] = [Number(value), Number(own)]
  return !value.startsWith('0x') && value !== '' && Math.abs(a - b) <= 1e-6 * Math.abs(b)
}

/** A value that is no number: with its bytes, unless those say it. */
function told(value: string, type: string, bytes: Uint8Array): string {
  const whole = textOf(bytes)
  if (whole !== undefined) return whole
  const plain = textOf(Buffer.from(value))
  if (plain !== undefined) {
    const text = Buffer.from(value, 'latin1')
    const filled =
      bytes.length === 0 ||
      (type === `char[${bytes.length}]` && isTextIn(bytes, text, 0) && bytes.subarray(text.length).every((byte) => byte === 0))
    const counted = bytes.length === 4 + text.length && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === text.length
    if (filled || (counted && isTextIn(bytes, text, 4))) return plain
  }
  return value === '' || /^u8\[/.test(type) ? blob(bytes) : `${JSON.stringify(value)} ${blob(bytes)}`
}

function isTextIn(bytes: Uint8Array, text: Uint8Array, at: number): boolean {
  return Buffer.compare(bytes.subarray(at, at + text.length), text) === 0
}
