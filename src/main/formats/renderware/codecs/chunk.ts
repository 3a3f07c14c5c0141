/**
 * The chunk tree that DFF, TXD and ANM files are made of: chunks, how they are made, found and named in paths. chunk-file.ts reads and writes them.
 */
import { flags32, record, u32 } from '../../../binary/layout.ts'
import { sizing, structural } from '../../../binary/field-use.ts'
import { ID, chunkName, plausibleStamp, versionText } from './chunk-ids.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { ChunkText } from '../texts/chunks.ts'
import type { FieldList } from './field-list.ts'
import type { Writer } from '../../../binary/writer.ts'

/** What every chunk begins with. Files have heads by the ten thousand: they are read at its places, without an object for each. */
export const HEAD = record(
  { type: structural(flags32), size: sizing(u32), stamp: structural(flags32) },
  { notes: { stamp: (stamp: number) => (plausibleStamp(stamp) ? versionText(stamp) : say('codecs.noVersion')) } },
)

export interface Chunk {
  type: number
  /** content size as the header declares it; -1 for a chunk that was made and not read */
  size: number
  /** library id as stored */
  stamp: number
  /** offset of the header in the file */
  start: number
  /** end of the content as it was read; differs from what `size` says for locked and short chunks */
  end: number
  children: Chunk[] | null
  codec: LeafCodec<any> | null
  /** typed content of a leaf with a codec */
  value: unknown
  /** content of a raw leaf, or what follows the chunks of a container or the fields of a typed leaf */
  data: Uint8Array
}

export const NOTHING: Uint8Array = new Uint8Array(0)

/** What a leaf's codec may know about the chunks around it. */
export interface LeafScope {
  /** of the leaf's own header */
  stamp: number
  /** bytes of the leaf's content */
  size: number
  /** the geometry Struct read last, for plugins of the same geometry */
  geometry: { numVertices: number; format: number } | null
  /** reads one nested chunk, for leaves that hold chunks between their fields (MatFX) */
  nested(reader: Reader): Chunk
}

export interface LeafCodec<T> {
  id: ChunkText
  /** size of the content in bytes where it never varies, else -1 */
  fixed: number
  /** the reader ends with the file and not with the leaf: the codec goes by `scope.size`. For small leaves that files have by the hundred */
  direct?: true
  /** Reads the fields from the reader's position; may leave bytes over. Throws FormatError where they do not fit. */
  read(reader: Reader, scope: LeafScope): T
  write(value: T, out: Writer): void
  fields(value: T, list: FieldList): void
}

/**
 * What the leaves of a codec are called. Said by its id and not by a getter of the codec: an object with a getter is slow in all of its
 * properties, and these are read for every leaf.
 */
export function codecLabel(codec: LeafCodec<any>): string {
  return say(`codecs.chunks.${codec.id}`)
}

/** Chunks that come in numbers carry one from the first on, so that a path does not depend on what follows. */
const NUMBERED = new Set<number>([ID.geometry, ID.material, ID.atomic, ID.textureNative, ID.animAnimation])

export function numbered(type: number, nth: number): string {
  if (type === ID.extension || type === ID.struct || type === ID.string) return nth === 0 ? chunkName(type) : `${chunkName(type)}[${nth}]`
  return NUMBERED.has(type) || nth > 0 ? `${chunkName(type)}[${nth}]` : chunkName(type)
}

/** Names of chunks that stand side by side, as paths have them. */
export function siblingNames(chunks: readonly Chunk[]): string[] {
  const seen = new Map<number, number>()
  return chunks.map((chunk) => {
    const nth = seen.get(chunk.type) ?? 0
    seen.set(chunk.type, nth + 1)
    return numbered(chunk.type, nth)
  })
}

/** Path of a chunk below `roots`, '' when it is not there. */
export function chunkPath(roots: readonly Chunk[], wanted: Chunk): string {
  const way = (chunks: readonly Chunk[]): string[] | null => {
    for (let i = 0; i < chunks.length; i++) {
      if (chunks[i] === wanted) return [siblingNames(chunks)[i]]
      const below = chunks[i].children ? way(chunks[i].children!) : null
      if (below) return [siblingNames(chunks)[i], ...below]
    }
    return null
  }
  return way(roots)?.join('.') ?? ''
}

/** Paths of all chunks below `roots`. */
export function chunkPaths(roots: readonly Chunk[]): Map<Chunk, string> {
  const out = new Map<Chunk, string>()
  const walk = (chunks: readonly Chunk[], prefix: string): void => {
    const names = siblingNames(chunks)
    chunks.forEach((chunk, i) => {
      const path = prefix + names[i]
      out.set(chunk, path)
      if (chunk.children) walk(chunk.children, `${path}.`)
    })
  }
  walk(roots, '')
  return out
}

export function makeContainer(type: number, stamp: number, children: Chunk[]): Chunk {
  return { type, size: -1, stamp, start: 0, end: 0, children, codec: null, value: null, data: NOTHING }
}

export function makeLeaf<T>(type: number, stamp: number, codec: LeafCodec<T>, value: T): Chunk {
  return { type, size: -1, stamp, start: 0, end: 0, children: null, codec, value, data: NOTHING }
}

export function makeRaw(type: number, stamp: number, data: Uint8Array): Chunk {
  return { type, size: -1, stamp, start: 0, end: 0, children: null, codec: null, value: null, data }
}

/** First child of a type. */
export function childOf(chunk: Chunk | undefined, type: number): Chunk | undefined {
  return chunk?.children?.find((c) => c.type === type)
}

export function childrenOf(chunk: Chunk | undefined, type: number): Chunk[] {
  return chunk?.children?.filter((c) => c.type === type) ?? []
}

/** Typed value of a leaf, undefined where the chunk is absent, raw or of another codec. */
export function valueOf<T>(chunk: Chunk | undefined, codec: LeafCodec<T>): T | undefined {
  return chunk && chunk.codec === codec ? (chunk.value as T) : undefined
}

/** Plugin data of a chunk: a child of its Extension. */
export function pluginOf(chunk: Chunk | undefined, type: number): Chunk | undefined {
  for (const extension of childrenOf(chunk, ID.extension)) {
    const found = childOf(extension, type)
    if (found) return found
  }
  return undefined
}
