/**
 * IMG: a table of pictures. Header 0x10: magic `IMG\0`, `IM2\0` or `IM3\0`, u32 count (IM3: at 0x08), the rest 0 or 0xCD.
 * Entry of IMG and IM2, 0x30: char[32] name, u32 offset, 12 bytes. Entry of IM3, 0x40: char[32] name, u32 header size,
 * u32 offset, u32 swizzle flag, u32 block, u16 "no image", 2 bytes, u32 size, u32 clamp bits, 4 bytes; offsets count from
 * the start of the file in all three. Entries whose name begins with `#` are text scripts, not pictures.
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { Reader } from '../../../binary/reader.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { decodeText, fieldText } from './names.ts'
import { decodeTim2, describeTim2, encodeTim2, pixelLabel, tim2Size } from './tim2.ts'
import type { Document, FileFormat, StructureNode } from '../../format.ts'
import type { Tim2Node } from './tim2.ts'

export type ImgMagic = 'IMG' | 'IM2' | 'IM3'

export interface ImgEntry {
  name: Uint8Array
  /** as read; encode writes the place of `body` when there is one */
  offset: number
  /** index into `bodies`, -1 for none */
  body: number
  /** the words of the entry as they are, 4 in IMG and IM2 (the first is the offset), 8 in IM3 (the second is) */
  words: Uint32Array
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
  /** words 1..3 of the header as they are (the count is one of them) */
  header: Uint32Array
  entries: ImgEntry[]
  bodies: ImgBody[]
}

export const HEADER = 0x10

export function entrySize(magic: ImgMagic): number {
  return magic === 'IM3' ? 0x40 : 0x30
}

/** Which of the entry's words is the offset. */
function offsetWord(magic: ImgMagic): number {
  return magic === 'IM3' ? 1 : 0
}

export function countWord(magic: ImgMagic): number {
  return magic === 'IM3' ? 1 : 0
}

export function entryName(entry: ImgEntry): string {
  return fieldText(entry.name)
}

function bodySize(body: ImgBody): number {
  return body.kind === 'tim2' ? tim2Size(body.tim2) : body.bytes.length
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

/** Does the table say that an entry is swizzled? Of the three only IM3 has a word for it; where it is 0 or missing, the pixels must tell. */
export function saysSwizzled(document: ImgDocument, entry: number): boolean {
  return document.magic === 'IM3' && (document.entries[entry]?.words[2] ?? 0) !== 0
}

export const imgFormat: FileFormat<ImgDocument> = {
  id: 'level5.img',
  label: 'Level-5 pictures',
  family: 'level5',
  kind: 'texture',
  extensions: ['img'],
  identify(head, name, size) {
    const magic = magicOf(head)
    if (!magic || head.length < HEADER) return 0
    const count = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(4 + 4 * countWord(magic), true)
    if (count * entrySize(magic) > size - HEADER) return extensionOf(name) === 'img' ? 0.6 : 0.3
    return 0.95
  },
  decode(bytes, ref) {
    const r = new Reader(bytes, ref)
    const diagnostics = new Diagnostics(ref)
    const magic = magicOf(bytes)
    if (!magic) return r.fail('bad-magic', 'no IMG, IM2 or IM3 magic', 'magic', { offset: 0, expected: 'IMG, IM2 or IM3' })
    r.skip(4, 'magic')
    const header = r.u32s(3, 'header')
    const count = header[countWord(magic)]
    r.count(count, entrySize(magic), 'count')
    const document: ImgDocument = { format: 'level5.img', ref, diagnostics: diagnostics.list, magic, header, entries: [], bodies: [] }
    for (let i = 0; i < count; i++) {
      r.within(`entries[${i}]`, () => {
        const name = r.take(32, 'name')
        const words = r.u32s((entrySize(magic) - 32) / 4, 'words')
        document.entries.push({ name, offset: words[offsetWord(magic)], body: -1, words })
      })
    }
    readBodies(document, r, diagnostics)
    return document
  },
  encode(document, out) {
    const offsets = bodyOffsets(document)
    out.fourcc(`${document.magic}\0`)
    out.raw(document.header)
    for (const entry of document.entries) {
      out.raw(entry.name)
      const words = entry.words.slice()
      words[offsetWord(document.magic)] = entry.body >= 0 ? offsets[entry.body] : entry.offset
      out.raw(words)
    }
    for (const body of document.bodies) {
      if (body.kind === 'tim2') encodeTim2(body.tim2, out)
      else if (body.kind === 'text') out.raw(body.bytes)
      else out.opaque(body.bytes)
    }
  },
  describe(document) {
    const { magic } = document
    const offsets = bodyOffsets(document)
    const fields = [field('magic', 'char[4]', 0, 4, magic)]
    for (let i = 0; i < 3; i++)
      fields.push(
        field(
          i === countWord(magic) ? 'count' : `unused${i}`,
          'u32',
          4 + 4 * i,
          4,
          document.header[i],
          i === countWord(magic) ? {} : { unknown: true },
        ),
      )
    const size = entrySize(magic)
    const children: StructureNode[] = document.entries.map((entry, i) => {
      const at = HEADER + size * i
      const list = [field('name', 'char[32]', at, 32, entryName(entry))]
      const labels =
        magic === 'IM3'
          ? ['headerSize', 'offset', 'swizzle', 'block', 'noImage', 'size', 'clamp', 'unknown3C']
          : ['offset', 'unknown24', 'unknown28', 'unknown2C']
      labels.forEach((label, w) => {
        const value = label === 'offset' && entry.body >= 0 ? offsets[entry.body] : entry.words[w]
        if (label === 'noImage') {
          // half a word; nobody says what stands in the other half
          list.push(
            field(label, 'u16', at + 32 + 4 * w, 2, value & 0xffff),
            field('unknown32', 'u16', at + 34 + 4 * w, 2, value >>> 16, { unknown: true }),
          )
          return
        }
        list.push(field(label, 'u32', at + 32 + 4 * w, 4, value, label.startsWith('unknown') || label === 'block' ? { unknown: true } : {}))
      })
      return node(`entries[${i}]`, 'entry', { start: at, end: at + size }, list, [], { summary: entryName(entry) })
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
            body.kind === 'text' ? 'text script' : body.kind,
            { start, end },
            [
              field(
                body.kind === 'text' ? 'text' : 'bytes',
                body.kind === 'text' ? 'text' : `u8[${end - start}]`,
                start,
                end - start,
                body.kind === 'text' ? decodeText(body.bytes) : body.bytes,
                body.kind === 'text' ? {} : { unknown: true },
              ),
            ],
            [],
            { opaque: body.kind !== 'text' },
          ),
        )
    })
    return node('', 'level5.img', { start: 0, end }, fields, children, { summary: `${magic}, ${document.entries.length} entries` })
  },
  summarize(document) {
    const pictures = imgPictures(document)
    return {
      textures: pictures.map(({ name, tim2 }) => ({
        name,
        width: tim2.pictures[0]?.width ?? 0,
        height: tim2.pictures[0]?.height ?? 0,
        format: tim2.pictures[0] ? pixelLabel(tim2.pictures[0].imageType) : 'none',
      })),
      provides: pictures.map(({ name }) => `level5.texture:${name}`),
      note: `${document.magic}, ${pictures.length} pictures`,
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
  const noImage = (entry: ImgEntry): boolean => entry.offset === 0 || (document.magic === 'IM3' && (entry.words[4] & 0xffff) !== 0)
  const ownerOf = new Map<number, number>()
  document.entries.forEach((e, i) => {
    if (!noImage(e) && !ownerOf.has(e.offset)) ownerOf.set(e.offset, i)
  })
  const starts = [...ownerOf.keys()].sort((a, b) => a - b)
  starts.forEach((start, i) => {
    const owner = ownerOf.get(start)!
    const entry = document.entries[owner]
    const path = `entries[${owner}].offset`
    const fieldAt = HEADER + owner * entrySize(document.magic) + 32 + 4 * offsetWord(document.magic)
    if (start >= size)
      throw new FormatError('truncated', `picture ${owner} stands at ${start}, the file has ${size} bytes`, {
        file: r.file,
        path,
        offset: fieldAt,
        expected: `below ${size}`,
        actual: String(start),
      })
    if (start < at) {
      diagnostics.add('error', 'level5.img-offset', `picture ${owner} would stand at ${start}, inside what comes before it`, path, fieldAt)
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
          `entry ${owner} is kept as it is: ${error.message}`,
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
