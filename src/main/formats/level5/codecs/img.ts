/**
 * IMG: a table of pictures. Header 0x10: magic `IMG\0`, `IM2\0` or `IM3\0`, u32 count (IM3: at 0x08), the rest 0 or 0xCD.
 * Entry of IMG and IM2, 0x30: char[32] name, u32 offset, 12 bytes. Entry of IM3, 0x40: char[32] name, u32 header size,
 * u32 offset, u32 swizzle flag, u32 block, u16 "no image", 2 bytes, u32 size, u32 clamp bits, 4 bytes; offsets count from
 * the start of the file in all three. Entries whose name begins with `#` are text scripts, not pictures.
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { structural } from '../../../binary/field-use.ts'
import { Reader } from '../../../binary/reader.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { magic, record, u16, u32, type ValueOf } from '../../../binary/layout.ts'
import { Diagnostics } from '../../format.ts'
import { field, leftover, node } from '../../../binary/structure.ts'
import { decodeText, encodeText, fieldText, text } from './names.ts'
import { decodeTim2, describeTim2, encodeTim2, tim2Size } from './tim2.ts'
import { pixelLabel } from './tim2-pixels.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Document, FileFormat, StructureField, StructureNode } from '../../format.ts'
import type { Swizzle } from './tim2-pixels.ts'
import type { Tim2Node } from './tim2.ts'

export type ImgMagic = 'IMG' | 'IM2' | 'IM3'

const IM2_ENTRY = record(
  { name: text(32), offset: structural(u32), unknown24: u32, unknown28: u32, unknown2C: u32 },
  { unknown: ['unknown24', 'unknown28', 'unknown2C'] },
)
const IM3_ENTRY = record(
  {
    name: text(32),
    headerSize: u32,
    offset: structural(u32),
    swizzle: u32,
    block: u32,
    noImage: u16,
    unknown32: u16,
    size: u32,
    clamp: u32,
    unknown3C: u32,
  },
  { unknown: ['block', 'unknown32', 'unknown3C'] },
)
type EntryRecord = Pick<ValueOf<typeof IM3_ENTRY>, 'name' | 'offset'> &
  Partial<ValueOf<typeof IM3_ENTRY>> &
  Partial<ValueOf<typeof IM2_ENTRY>>

/** `offset` as read; encode writes the place of `body` when there is one. The other fields are those of its kind of table, as they are. */
export type ImgEntry = EntryRecord & {
  /** index into `bodies`, -1 for none */
  body: number
}

interface TableHeader {
  count: number
  unused0?: number
  unused1?: number
  unused2: number
}

/** Records of the three kinds of table. */
interface Layout<T> {
  size: number
  at: { offset: number }
  read(r: Reader): T
  write(out: Writer, data: T): void
  describe(data: T, at: number): StructureField[]
}
const headerOf = (name: ImgMagic): Omit<Layout<TableHeader>, 'at'> =>
  name === 'IM3'
    ? record({ magic: magic('IM3\0', noMagic), unused0: u32, count: structural(u32), unused2: u32 }, { unknown: ['unused0', 'unused2'] })
    : record(
        { magic: magic(`${name}\0`, noMagic), count: structural(u32), unused1: u32, unused2: u32 },
        { unknown: ['unused1', 'unused2'] },
      )
const noMagic = (): string => say('codecs.img.noMagic')
const TABLE: Readonly<Record<ImgMagic, { header: Omit<Layout<TableHeader>, 'at'>; entry: Layout<EntryRecord> }>> = {
  IMG: { header: headerOf('IMG'), entry: IM2_ENTRY },
  IM2: { header: headerOf('IM2'), entry: IM2_ENTRY },
  IM3: { header: headerOf('IM3'), entry: IM3_ENTRY },
}

/** What follows the table, in file order. */
export type ImgBody =
  | { kind: 'tim2'; tim2: Tim2Node }
  | { kind: 'text'; bytes: Uint8Array }
  | { kind: 'raw'; bytes: Uint8Array }
  | { kind: 'gap'; bytes: Uint8Array }

export interface ImgDocument extends Document {
  readonly format: 'level5.img'
  magic: ImgMagic
  /** as it is; `count` is that of the entries */
  header: TableHeader
  entries: ImgEntry[]
  bodies: ImgBody[]
}

export const HEADER = 0x10

export function entrySize(magic: ImgMagic): number {
  return TABLE[magic].entry.size
}

/** A header and an entry that say nothing. */
export function emptyTable(magic: ImgMagic): { header: TableHeader; entry: EntryRecord } {
  const { header, entry } = TABLE[magic]
  const bytes = new Uint8Array(header.size)
  bytes.set(new TextEncoder().encode(magic))
  return { header: header.read(new Reader(bytes, '')), entry: entry.read(new Reader(new Uint8Array(entry.size), '')) }
}

export function entryName(entry: ImgEntry): string {
  return fieldText(entry.name)
}

function bodySize(body: ImgBody): number {
  return body.kind === 'tim2' ? tim2Size(body.tim2) : body.bytes.length
}

/** As it is written: with the place that its body has now. */
function recordOf(entry: ImgEntry, bodies: readonly number[]): EntryRecord {
  return entry.body >= 0 ? { ...entry, offset: bodies[entry.body] } : entry
}

function bodyOffsets(document: ImgDocument): number[] {
  let at = HEADER + document.entries.length * entrySize(document.magic)
  return document.bodies.map((body) => {
    const start = at
    at += bodySize(body)
    return start
  })
}

/** Pictures by name, in the order of the table; text entries are left out. */
export function imgPictures(document: ImgDocument): { name: string; entry: number; tim2: Tim2Node }[] {
  return document.entries.flatMap((entry, i) => {
    const body = document.bodies[entry.body]
    return body?.kind === 'tim2' ? [{ name: entryName(entry), entry: i, tim2: body.tim2 }] : []
  })
}

/**
 * The order in which the bank says that the pixels of an entry are: Dark Cloud 1 takes those of an IM2 for swizzled and those of an IMG for rows;
 * IM3 has a word for it, and where that is 0 the pixels must tell.
 */
export function saidSwizzle(document: ImgDocument, entry: number): Swizzle {
  if (document.magic === 'IM3') return (document.entries[entry]?.swizzle ?? 0) !== 0 ? 'swizzled' : 'auto'
  return document.magic === 'IM2' ? 'swizzled' : 'linear'
}

export const imgFormat: FileFormat<ImgDocument> = {
  id: 'level5.img',
  get label() {
    return say('codecs.img.label')
  },
  family: 'level5',
  kind: 'texture',
  extensions: ['img'],
  identify(head, name, size) {
    const magic = magicOf(head)
    if (!magic || head.length < HEADER) return 0
    const { count } = TABLE[magic].header.read(new Reader(head, name))
    if (count * entrySize(magic) > size - HEADER) return extensionOf(name) === 'img' ? 0.6 : 0.3
    return 0.95
  },
  decode(bytes, ref) {
    const r = new Reader(bytes, ref)
    const diagnostics = new Diagnostics(ref)
    const magic = magicOf(bytes)
    if (!magic) return r.fail('bad-magic', noMagic(), 'magic', { offset: 0, expected: say('codecs.img.oneOfThree') })
    const header = TABLE[magic].header.read(r)
    r.count(header.count, entrySize(magic), 'count')
    const entries = r.each('entries', header.count, (): ImgEntry => ({ ...TABLE[magic].entry.read(r), body: -1 }))
    const document: ImgDocument = { format: 'level5.img', ref, diagnostics: diagnostics.list, magic, header, entries, bodies: [] }
    readBodies(document, r, diagnostics)
    return document
  },
  encode(document, out) {
    const { header, entry: layout } = TABLE[document.magic]
    const offsets = bodyOffsets(document)
    header.write(out, document.header)
    for (const entry of document.entries) layout.write(out, recordOf(entry, offsets))
    for (const body of document.bodies) {
      if (body.kind === 'tim2') encodeTim2(body.tim2, out)
      else if (body.kind === 'text') out.raw(body.bytes)
      else out.opaque(body.bytes)
    }
  },
  describe(document) {
    const { magic } = document
    const offsets = bodyOffsets(document)
    const layout = TABLE[magic].entry
    const size = layout.size
    const children: StructureNode[] = document.entries.map((entry, i) => {
      const at = HEADER + size * i
      return node(
        `entries[${i}]`,
        say('formats.nodes.entry'),
        { start: at, end: at + size },
        layout.describe(recordOf(entry, offsets), at),
        [],
        {
          summary: entryName(entry),
        },
      )
    })
    let end = HEADER + size * document.entries.length
    const names = bodyNames(document)
    document.bodies.forEach((body, i) => {
      const start = offsets[i]
      end = start + bodySize(body)
      const name = names[i]
      if (body.kind === 'tim2') children.push(describeTim2(body.tim2, name, start))
      else
        children.push(
          node(
            name,
            body.kind === 'text' ? say('codecs.img.textScript') : body.kind,
            { start, end },
            body.kind === 'text'
              ? [field('text', 'text', start, end - start, decodeText(body.bytes))]
              : leftover('bytes', start, body.bytes),
            [],
            { opaque: body.kind !== 'text' },
          ),
        )
    })
    return node('', 'level5.img', { start: 0, end }, TABLE[magic].header.describe(document.header, 0), children, {
      summary: [magic, say('codecs.img.entries', { count: document.entries.length })].join(', '),
    })
  },
  encodeText: (text) => encodeText(text),
  summarize(document) {
    const pictures = imgPictures(document)
    return {
      textures: pictures.map(({ name, tim2 }) => ({
        name,
        width: tim2.pictures[0]?.width ?? 0,
        height: tim2.pictures[0]?.height ?? 0,
        format: tim2.pictures[0] ? pixelLabel(tim2.pictures[0].imageType) : say('codecs.tim2.pixels.none'),
      })),
      provides: pictures.map(({ name }) => `level5.texture:${name}`),
      counted: say('codecs.img.pictures', { count: pictures.length }),
      note: document.magic,
    }
  },
}

function magicOf(bytes: Uint8Array): ImgMagic | undefined {
  if (bytes.length < 4 || bytes[0] !== 0x49 || bytes[1] !== 0x4d || bytes[3] !== 0) return undefined
  return bytes[2] === 0x47 ? 'IMG' : bytes[2] === 0x32 ? 'IM2' : bytes[2] === 0x33 ? 'IM3' : undefined
}

/** Path of each body: the picture of its first entry. */
function bodyNames(document: ImgDocument): string[] {
  const names = document.bodies.map((_, i) => `gap[${i}]`)
  for (let e = document.entries.length - 1; e >= 0; e--)
    if (document.entries[e].body >= 0) names[document.entries[e].body] = `entries[${e}].image`
  return names
}

function readBodies(document: ImgDocument, r: Reader, diagnostics: Diagnostics): void {
  let at = r.position
  const size = r.end
  const bodyAt = new Map<number, number>()
  const noImage = (entry: ImgEntry): boolean => entry.offset === 0 || (entry.noImage ?? 0) !== 0
  const ownerOf = new Map<number, number>()
  document.entries.forEach((e, i) => {
    if (!noImage(e) && !ownerOf.has(e.offset)) ownerOf.set(e.offset, i)
  })
  const starts = [...ownerOf.keys()].sort((a, b) => a - b)
  starts.forEach((start, i) => {
    const owner = ownerOf.get(start)!
    const entry = document.entries[owner]
    const path = `entries[${owner}].offset`
    const fieldAt = HEADER + owner * entrySize(document.magic) + TABLE[document.magic].entry.at.offset
    if (start >= size)
      throw new FormatError('truncated', say('codecs.img.startOutside', { picture: owner, start, size }), {
        file: r.file,
        path,
        offset: fieldAt,
        expected: say('files.below', { end: size }),
        actual: String(start),
      })
    if (start < at) {
      diagnostics.add('error', 'level5.img-offset', say('codecs.img.startInside', { picture: owner, start }), path, fieldAt)
      return
    }
    if (start > at) document.bodies.push({ kind: 'gap', bytes: r.bytes.slice(at, start) })
    const end = starts[i + 1] ?? size
    const isText = entry.name[0] === 0x23
    bodyAt.set(start, document.bodies.length)
    if (isText) document.bodies.push({ kind: 'text', bytes: r.bytes.slice(start, end) })
    else {
      try {
        document.bodies.push({ kind: 'tim2', tim2: decodeTim2(r.sub(start, end, `entries[${owner}].image`), diagnostics) })
      } catch (error) {
        // the last picture of a cut file is an error; one that does not fit before the next is kept raw
        if (!(error instanceof FormatError) || (error.code === 'truncated' && end === size)) throw error
        diagnostics.add(
          error.code === 'bad-magic' ? 'warning' : 'error',
          'level5.img-unread',
          say('codecs.img.kept', { entry: owner, why: error.message }),
          error.path,
          error.offset,
        )
        document.bodies.push({ kind: 'raw', bytes: r.bytes.slice(start, end) })
      }
    }
    at = end
  })
  if (at < size) document.bodies.push({ kind: 'gap', bytes: r.bytes.slice(at, size) })
  for (const entry of document.entries) entry.body = noImage(entry) ? -1 : (bodyAt.get(entry.offset) ?? -1)
}
