/**
 * The chunk tree: u32 id, u32 size (bit 31: "payload is chunks"), payload; no padding between chunks. Sizes exclude the
 * 8-byte header. A reader decides by id what is a container; the stored bit is kept per chunk and written back as it was,
 * because old files have it clear everywhere and exporters set it on leaves [V].
 */
import { FormatError } from '../../../binary/format-error.ts'
import { Writer } from '../../../binary/writer.ts'
import { record, shownAs, u32 } from '../../../binary/layout.ts'
import { sizing, structural } from '../../../binary/field-use.ts'
import { field, hex, node } from '../../../binary/structure.ts'
import { chunkInfo, chunkKey, chunkName } from './chunk-ids.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Diagnostics, StructureField, StructureNode } from '../../format.ts'

export const SIZE_MASK = 0x7fffffff
const CHUNKS_BIT = 0x80000000
/** A size without its head, and bit 31, which says that the payload is chunks. */
export const sizeWord = shownAs(u32, (word) => `${word & SIZE_MASK}${word & CHUNKS_BIT ? ' | 0x80000000' : ''}`)

/** What every chunk begins with. */
export const HEAD = record({ id: structural(shownAs(u32, (id) => `0x${id.toString(16)} ${chunkName(id)}`)), size: sizing(sizeWord) })
// files have heads by the thousand: they are read at these places, without an object for each
const ID_AT = HEAD.at.id
const SIZE_AT = HEAD.at.size
const HEAD_SIZE = HEAD.size

/** The word of a size as it is stored. */
export function sizeWordOf(size: number, flag: boolean): number {
  return (size | (flag ? CHUNKS_BIT : 0)) >>> 0
}

interface ChunkBase {
  id: number
  /** bit 31 of the size word as stored */
  flag: boolean
  /** range in the file, header included; -1 for a chunk made by an edit */
  start: number
  end: number
}

export interface ContainerChunk extends ChunkBase {
  kind: 'container'
  children: Chunk[]
  /** bytes behind the last whole child; empty in every known file */
  trailing: Uint8Array
}

export interface RawChunk extends ChunkBase {
  kind: 'raw'
  bytes: Uint8Array
  /** why a known chunk was not read into fields; '' for chunks that nobody interprets */
  reason: string
}

export interface TypedChunk<T = unknown> extends ChunkBase {
  kind: 'typed'
  data: T
  codec: LeafCodec<T>
  /** bytes behind the layout; the engine skips them */
  tail: Uint8Array
}

export type Chunk = ContainerChunk | RawChunk | TypedChunk<any>

/** Layout of a leaf: reads what it knows from the front of the payload; what it leaves becomes the chunk's tail. */
export interface LeafCodec<T = any> {
  id: number
  /** copies bits only, so that reading and writing cannot differ and need no check */
  exact?: boolean
  /** as `exact`, of some data */
  exactFor?(data: T): boolean
  /** @param siblings chunks of the same container that stand before this one (headers with counts and codings) */
  read(r: Reader, siblings: readonly Chunk[]): T
  write(data: T, out: Writer): void
  /** @param at offset of the payload in the file */
  describe(data: T, at: number): { fields: StructureField[]; children: StructureNode[]; summary?: string }
}

export interface ChunkList {
  chunks: Chunk[]
  trailing: Uint8Array
}

/** Deepest nesting that is followed; real files have 5 levels. */
const MOST_DEPTH = 24
/** Most chunks of one file: real files have a few thousand; a hostile file of empty chunks must not fill the memory. */
const MOST_CHUNKS = 100_000
const MOST_DIAGNOSTICS = 300

/** what nearly all tails are: not made for each chunk */
const NOTHING = new Uint8Array(0)

interface ReadState {
  codecs: ReadonlyMap<number, LeafCodec>
  diagnostics: Diagnostics
  left: number
  /** error for a top-level chunk that reaches outside the file, by id */
  isTopLevel: (id: number) => boolean
}

export function readChunks(
  r: Reader,
  codecs: ReadonlyMap<number, LeafCodec>,
  isTopLevel: (id: number) => boolean,
  diagnostics: Diagnostics,
): ChunkList {
  return readList(r, 0, { codecs, diagnostics, left: MOST_CHUNKS, isTopLevel })
}

function report(
  state: ReadState,
  severity: 'error' | 'warning' | 'info',
  code: string,
  message: () => string,
  path: string,
  offset: number,
): void {
  if (state.diagnostics.list.length < MOST_DIAGNOSTICS) state.diagnostics.add(severity, code, message(), path, offset)
}

/** Path of the chunk that follows on some: files have chunks by the thousand, so it is made where an error says it. */
class NextKey {
  private readonly before: readonly Chunk[]
  private readonly id: number

  constructor(before: readonly Chunk[], id: number) {
    this.before = before
    this.id = id
  }

  toString(): string {
    return chunkKey(this.id, this.before.filter((chunk) => chunk.id === this.id).length)
  }
}

function readList(r: Reader, depth: number, state: ReadState): ChunkList {
  const chunks: Chunk[] = []
  while (r.remaining >= HEAD_SIZE && state.left > 0) {
    const start = r.position
    const id = r.peekU32(start + ID_AT, 'id')
    const word = r.peekU32(start + SIZE_AT, 'size')
    const size = word & SIZE_MASK
    const key = new NextKey(chunks, id)
    if (size > r.remaining - HEAD_SIZE) {
      reachesOutside(r, id, size, key, depth === 0 && (chunks.length === 0 || state.isTopLevel(id)), state)
      break
    }
    state.left--
    const end = start + HEAD_SIZE + size
    r.seek(end)
    chunks.push(readChunk(r.sub(start + HEAD_SIZE, end, key), id, word >>> 31 === 1, start, chunks, depth, state))
  }
  return { chunks, trailing: r.remaining > 0 ? behindChunks(r, state) : NOTHING }
}

// What is said of a chunk is said in functions of its own: a function that may make a closure over its variables keeps them
// in an object from its beginning, and nearly all chunks are read without a word.

/** A chunk that its list has no room for: nothing behind it can be read. */
function reachesOutside(r: Reader, id: number, size: number, key: NextKey, fatal: boolean, state: ReadState): void {
  const left = r.remaining - HEAD_SIZE
  const start = r.position
  if (fatal)
    r.fail('truncated', say('codecs.chunkSize', { chunk: chunkName(id), count: size, left }), `${key.toString()}.size`, {
      offset: start + SIZE_AT,
      expected: say('files.byteCount', { count: size }),
      actual: say('files.byteCount', { count: left }),
    })
  report(
    state,
    'error',
    'w3d.chunk-overrun',
    () => say('codecs.chunkOverrun', { chunk: chunkName(id), count: size, left }),
    r.path(key.toString()),
    start,
  )
}

function behindChunks(r: Reader, state: ReadState): Uint8Array {
  if (r.remaining >= HEAD_SIZE && state.left <= 0)
    report(state, 'error', 'w3d.too-many-chunks', () => say('codecs.tooManyChunks', { most: MOST_CHUNKS }), r.path(), r.position)
  else
    report(state, 'warning', 'w3d.trailing-bytes', () => say('codecs.bytesBehind', { count: r.remaining }), r.path('trailing'), r.position)
  return r.rest()
}

function readChunk(
  body: Reader,
  id: number,
  flag: boolean,
  start: number,
  siblings: readonly Chunk[],
  depth: number,
  state: ReadState,
): Chunk {
  const { end } = body
  const info = chunkInfo(id)
  if (depth < MOST_DEPTH && (info ? info.container : flag && tiles(body))) {
    const { chunks: children, trailing } = readList(body, depth + 1, state)
    return { kind: 'container', id, flag, start, end, children, trailing }
  }
  const codec = info?.container ? undefined : state.codecs.get(id)
  if (!codec) {
    if (!info) report(state, 'info', 'w3d.unknown-chunk', () => say('codecs.unknownChunk', { chunk: chunkName(id) }), body.path(), start)
    return { kind: 'raw', id, flag, start, end, bytes: body.rest(), reason: info?.container ? say('codecs.nestedTooDeep') : '' }
  }
  try {
    const data: unknown = codec.read(body, siblings)
    const tail = body.remaining > 0 ? body.rest() : NOTHING
    if (codec.exact || codec.exactFor?.(data) || isWrittenAgain(codec, data, body, end - tail.length))
      return { kind: 'typed', id, flag, start, end, data, codec, tail }
    return keptRaw(body, id, flag, start, state, say('codecs.notAgainTheSame'))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return keptRaw(body, id, flag, start, state, error.message, error)
  }
}

function isWrittenAgain(codec: LeafCodec, data: unknown, body: Reader, end: number): boolean {
  const check = new Writer(body.end - body.start)
  codec.write(data, check)
  return Buffer.compare(check.finish(), body.bytes.subarray(body.start, end)) === 0
}

/** @param place where the trouble is, where that is not the chunk */
function keptRaw(
  body: Reader,
  id: number,
  flag: boolean,
  start: number,
  state: ReadState,
  reason: string,
  place: { path: string; offset: number } = { path: body.path(), offset: start },
): RawChunk {
  const message = (): string => say('codecs.chunkKeptRaw', { chunk: chunkName(id), why: reason })
  report(state, 'warning', 'w3d.chunk-kept-raw', message, place.path, place.offset)
  body.seek(body.start)
  return { kind: 'raw', id, flag, start, end: body.end, bytes: body.rest(), reason }
}

/** True when the range is a list of whole chunks, none of them a MESH (id 0: zero padding would look like empty ones). */
function tiles(body: Reader): boolean {
  let at = body.start
  while (body.end - at >= HEAD_SIZE) {
    const size = body.peekU32(at + SIZE_AT) & SIZE_MASK
    if (size > body.end - at - HEAD_SIZE || body.peekU32(at + ID_AT) === 0) return false
    at += HEAD_SIZE + size
  }
  return at === body.end
}

export function writeChunks(list: ChunkList, out: Writer): void {
  for (const chunk of list.chunks) writeChunk(chunk, out)
  out.opaque(list.trailing)
}

function writeChunk(chunk: Chunk, out: Writer): void {
  const at = out.position
  HEAD.write(out, { id: chunk.id, size: 0 })
  if (chunk.kind === 'container') writeChunks({ chunks: chunk.children, trailing: chunk.trailing }, out)
  else if (chunk.kind === 'raw') out.opaque(chunk.bytes)
  else {
    chunk.codec.write(chunk.data, out)
    out.opaque(chunk.tail)
  }
  out.setU32(at + SIZE_AT, sizeWordOf(out.position - at - HEAD_SIZE, chunk.flag))
}

// --- finding and making ---------------------------------------------------------------------------------------

/** The first child with this layout, when it could be read. */
export function leafOf<T>(parent: { children: readonly Chunk[] } | undefined, codec: LeafCodec<T>): TypedChunk<T> | undefined {
  return parent?.children.find((c): c is TypedChunk<T> => c.kind === 'typed' && c.codec === codec)
}

export function dataOf<T>(parent: { children: readonly Chunk[] } | undefined, codec: LeafCodec<T>): T | undefined {
  return leafOf(parent, codec)?.data
}

export function leavesOf<T>(parent: { children: readonly Chunk[] } | undefined, codec: LeafCodec<T>): TypedChunk<T>[] {
  return parent?.children.filter((c): c is TypedChunk<T> => c.kind === 'typed' && c.codec === codec) ?? []
}

export function containerOf(parent: { children: readonly Chunk[] } | undefined, id: number): ContainerChunk | undefined {
  return parent?.children.find((c): c is ContainerChunk => c.kind === 'container' && c.id === id)
}

export function containersOf(parent: { children: readonly Chunk[] } | undefined, id: number): ContainerChunk[] {
  return parent?.children.filter((c): c is ContainerChunk => c.kind === 'container' && c.id === id) ?? []
}

export function newLeaf<T>(codec: LeafCodec<T>, data: T): TypedChunk<T> {
  return { kind: 'typed', id: codec.id, flag: false, start: -1, end: -1, data, codec, tail: new Uint8Array(0) }
}

export function newContainer(id: number, children: Chunk[]): ContainerChunk {
  return { kind: 'container', id, flag: true, start: -1, end: -1, children, trailing: new Uint8Array(0) }
}

/** `mesh[0].header` and such for every chunk of a list, in order. */
function keysOf(chunks: readonly Chunk[]): string[] {
  const seen = new Map<number, number>()
  return chunks.map((chunk) => {
    const k = seen.get(chunk.id) ?? 0
    seen.set(chunk.id, k + 1)
    return chunkKey(chunk.id, k)
  })
}

/** Path of a chunk below a list of chunks; '' when it is not there. */
export function pathOf(chunks: readonly Chunk[], wanted: Chunk): string {
  const keys = keysOf(chunks)
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]
    if (chunk === wanted) return keys[i]
    if (chunk.kind === 'container') {
      const below = pathOf(chunk.children, wanted)
      if (below) return `${keys[i]}.${below}`
    }
  }
  return ''
}

/** Paths of all chunks below a list at once. */
export function pathsOf(chunks: readonly Chunk[], prefix = '', out = new Map<Chunk, string>()): Map<Chunk, string> {
  keysOf(chunks).forEach((key, i) => {
    const path = prefix ? `${prefix}.${key}` : key
    const chunk = chunks[i]
    out.set(chunk, path)
    if (chunk.kind === 'container') pathsOf(chunk.children, path, out)
  })
  return out
}

/** The chunk at a path, with the list it stands in. */
export function chunkAt(chunks: Chunk[], path: string): { chunk: Chunk; list: Chunk[] } | undefined {
  let list = chunks
  let found: Chunk | undefined
  for (const part of path.split('.')) {
    if (found) {
      if (found.kind !== 'container') return undefined
      list = found.children
    }
    const at = keysOf(list).indexOf(part)
    if (at < 0) return undefined
    found = list[at]
  }
  return found && { chunk: found, list }
}

// --- description ----------------------------------------------------------------------------------------------

export function describeChunks(list: ChunkList): StructureNode[] {
  const keys = keysOf(list.chunks)
  return list.chunks.map((chunk, i) => describeChunk(chunk, keys[i]))
}

function describeChunk(chunk: Chunk, key: string): StructureNode {
  const at = chunk.start + HEAD_SIZE
  const head = HEAD.describe({ id: chunk.id, size: sizeWordOf(chunk.end - at, chunk.flag) }, chunk.start)
  const type = chunkName(chunk.id)
  if (chunk.kind === 'container') {
    const children = describeChunks({ chunks: chunk.children, trailing: chunk.trailing })
    if (chunk.trailing.length)
      head.push(
        field('trailing', `u8[${chunk.trailing.length}]`, chunk.end - chunk.trailing.length, chunk.trailing.length, hex(chunk.trailing), {
          unknown: true,
          note: say('codecs.behindLastChunk'),
        }),
      )
    return node(key, type, chunk, head, children)
  }
  if (chunk.kind === 'raw') {
    const known = chunkInfo(chunk.id)
    const note = chunk.reason || (known ? say('codecs.carriedRaw') : say('codecs.unknownToAll'))
    if (chunk.bytes.length)
      head.push(field('bytes', `u8[${chunk.bytes.length}]`, at, chunk.bytes.length, hex(chunk.bytes), { unknown: true, note }))
    return node(key, type, chunk, head, [], { opaque: true })
  }
  const { fields, children, summary } = chunk.codec.describe(chunk.data, at)
  if (chunk.tail.length)
    fields.push(
      field('tail', `u8[${chunk.tail.length}]`, chunk.end - chunk.tail.length, chunk.tail.length, hex(chunk.tail), {
        unknown: true,
        note: say('codecs.behindLayout'),
      }),
    )
  return node(key, type, chunk, [...head, ...fields], children, summary ? { summary } : {})
}
