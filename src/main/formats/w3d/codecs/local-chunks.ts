/**
 * Leaves that hold a small file of their own: chunks whose ids mean something inside this leaf alone (1 is a sphere's definition here and an
 * obsolete mesh header elsewhere), and at the bottom micro chunks of u8 id, u8 size, bytes. After the released engine sources.
 */
import { flags32, record, u8 } from '../../../binary/layout.ts'
import { sizing, structural } from '../../../binary/field-use.ts'
import { field, node } from '../../../binary/structure.ts'
import { SIZE_MASK, sizeWord, sizeWordOf } from './chunk.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { StructureNode } from '../../format.ts'
import type { ValueText } from '../texts/values.ts'
import type { LeafCodec } from './chunk.ts'

/** Ids have no names of their own here. */
const HEAD = record({ id: structural(flags32), size: sizing(sizeWord) })
const PIECE = record({ id: u8, size: u8 })

interface LocalBase {
  id: number
  /** bit 31 of the size word as stored */
  flag: boolean
}
export type LocalChunk = LocalBase &
  (
    | { kind: 'chunks'; children: LocalChunk[] }
    | { kind: 'micro'; pieces: { id: number; bytes: Uint8Array }[] }
    | { kind: 'struct'; codec: LeafCodec; data: unknown; tail: Uint8Array }
    | { kind: 'raw'; bytes: Uint8Array }
  )

/** What the ids of one leaf mean; the names count at its first level. */
export interface LocalLayout {
  names: Readonly<Record<number, ValueText>>
  structs?: Readonly<Record<number, LeafCodec>>
  /** what a micro chunk holds, by its size; without a word its bytes are opaque */
  micro?: (size: number) => string | undefined
}

const MOST_DEPTH = 6
/** real ones have some dozens */
const MOST_PIECES = 4096

/** True when [start, end) is a list of whole chunks, at least one. */
function tiles(r: Reader, start: number, end: number): boolean {
  let at = start
  let seen = 0
  while (end - at >= HEAD.size && seen++ < MOST_PIECES) {
    const size = r.peekU32(at + HEAD.at.size) & SIZE_MASK
    if (size > end - at - HEAD.size) return false
    at += HEAD.size + size
  }
  return at === end && end > start
}

function tilesMicro(r: Reader, start: number, end: number): boolean {
  let at = start
  let seen = 0
  while (end - at >= PIECE.size && seen++ < MOST_PIECES) at += PIECE.size + r.bytes[at + PIECE.at.size]
  return at === end && end > start
}

function readList(r: Reader, layout: LocalLayout, depth: number): LocalChunk[] {
  const out: LocalChunk[] = []
  while (r.remaining >= HEAD.size && out.length < MOST_PIECES) {
    const size = r.peekU32(r.position + HEAD.at.size) & SIZE_MASK
    if (size > r.remaining - HEAD.size) break
    const { id, size: word } = HEAD.read(r)
    const flag = word > SIZE_MASK
    const body = r.sub(r.position, r.position + size)
    r.skip(size)
    const codec = depth === 0 ? layout.structs?.[id] : undefined
    if (codec && size >= structSize(codec)) {
      const data: unknown = codec.read(body, [])
      out.push({ kind: 'struct', id, flag, codec, data, tail: body.rest() })
    } else if (depth < MOST_DEPTH && tiles(body, body.start, body.end))
      out.push({ kind: 'chunks', id, flag, children: readList(body, layout, depth + 1) })
    else if (tilesMicro(body, body.start, body.end)) {
      const pieces: { id: number; bytes: Uint8Array }[] = []
      while (body.remaining) {
        const piece = PIECE.read(body)
        pieces.push({ id: piece.id, bytes: body.take(piece.size, 'bytes') })
      }
      out.push({ kind: 'micro', id, flag, pieces })
    } else out.push({ kind: 'raw', id, flag, bytes: body.rest() })
  }
  return out
}

function structSize(codec: LeafCodec): number {
  return (codec as { size?: number }).size ?? 0
}

function bodySize(chunk: LocalChunk): number {
  switch (chunk.kind) {
    case 'chunks':
      return chunk.children.reduce((n, c) => n + HEAD.size + bodySize(c), 0)
    case 'micro':
      return chunk.pieces.reduce((n, p) => n + PIECE.size + p.bytes.length, 0)
    case 'struct':
      return structSize(chunk.codec) + chunk.tail.length
    case 'raw':
      return chunk.bytes.length
  }
}

function writeList(list: readonly LocalChunk[], layout: LocalLayout, out: Writer): void {
  for (const chunk of list) {
    HEAD.write(out, { id: chunk.id, size: sizeWordOf(bodySize(chunk), chunk.flag) })
    if (chunk.kind === 'chunks') writeList(chunk.children, layout, out)
    else if (chunk.kind === 'struct') {
      chunk.codec.write(chunk.data, out)
      out.opaque(chunk.tail)
    } else if (chunk.kind === 'raw') out.opaque(chunk.bytes)
    else
      for (const piece of chunk.pieces) {
        PIECE.write(out, { id: piece.id, size: piece.bytes.length })
        if (layout.micro?.(piece.bytes.length)) out.raw(piece.bytes)
        else out.opaque(piece.bytes)
      }
  }
}

function describeList(list: readonly LocalChunk[], layout: LocalLayout, at: number, depth: number): StructureNode[] {
  return list.map((chunk, i) => {
    const size = bodySize(chunk)
    const start = at
    at += HEAD.size + size
    const name = depth === 0 ? layout.names[chunk.id] : undefined
    const type = name ? say(`codecs.values.${name}`) : `0x${chunk.id.toString(16)}`
    const fields = HEAD.describe({ id: chunk.id, size: sizeWordOf(size, chunk.flag) }, start)
    let children: StructureNode[] = []
    const from = start + HEAD.size
    if (chunk.kind === 'chunks') children = describeList(chunk.children, layout, from, depth + 1)
    else if (chunk.kind === 'struct') {
      fields.push(...chunk.codec.describe(chunk.data, from).fields)
      if (chunk.tail.length)
        fields.push(field('tail', `u8[${chunk.tail.length}]`, at - chunk.tail.length, chunk.tail.length, chunk.tail, { unknown: true }))
    } else if (chunk.kind === 'raw') {
      if (size) fields.push(field('bytes', `u8[${size}]`, from, size, chunk.bytes, { unknown: true }))
    } else {
      let p = from
      chunk.pieces.forEach((piece, k) => {
        const what = layout.micro?.(piece.bytes.length)
        const length = PIECE.size + piece.bytes.length
        const value = what ? new Float32Array(piece.bytes.slice().buffer) : piece.bytes
        fields.push(
          field(`piece[${k}]`, `{u8 id, u8 size, ${what ?? `u8[${piece.bytes.length}]`}}`, p, length, value, {
            ...(what ? {} : { unknown: true }),
            note: say('codecs.pieceId', { id: piece.id }),
          }),
        )
        p += length
      })
    }
    return node(`chunk[${i}]`, type, { start, end: at }, fields, children)
  })
}

/** A leaf of local chunks; what does not tile behind them is its tail. */
export function localChunks(id: number, layout: LocalLayout): LeafCodec<LocalChunk[]> {
  return {
    id,
    read: (r) => readList(r, layout, 0),
    write: (data, out) => writeList(data, layout, out),
    describe: (data, at) => ({ fields: [], children: describeList(data, layout, at, 0) }),
  }
}
