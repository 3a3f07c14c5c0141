/**
 * Files of chunks: a head (its size is that of the content alone), then the content. Containers hold chunks; a leaf is typed where its codec explains it, else kept raw.
 *
 * Lossless by construction: every chunk keeps its own stamp and the size its header declares, what follows the
 * chunks of a container or the fields of a leaf is kept behind them, and a leaf that its codec cannot read stays raw.
 */
import { FormatError } from '../../../binary/format-error.ts'
import { ID, chunkName } from './chunk-ids.ts'
import { HEAD, NOTHING, codecLabel, numbered } from './chunk.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Diagnostics } from '../../format.ts'
import type { Chunk, LeafScope, LeafCodec } from './chunk.ts'

/**
 * Which codec reads a leaf.
 * @param open containers around the leaf, outermost first; the last is its parent
 * @param nth for a Struct how many stood before it there
 */
export type CodecChooser = (open: readonly Chunk[], type: number, nth: number, geometry: LeafScope['geometry']) => LeafCodec<any> | null

const CONTAINERS = new Set<number>([
  ID.extension,
  ID.texture,
  ID.material,
  ID.materialList,
  ID.frameList,
  ID.geometry,
  ID.clump,
  ID.light,
  ID.camera,
  ID.atomic,
  ID.textureNative,
  ID.texDictionary,
  ID.geometryList,
  ID.uvAnimDict,
])

const { type: TYPE_AT, size: SIZE_AT, stamp: STAMP_AT } = HEAD.at
const HEAD_SIZE = HEAD.size

/** Deeper nesting than this is kept raw. Real files reach 9. */
const MAX_DEPTH = 24

const MAX_DIAGNOSTICS = 200

export interface ChunkFile {
  roots: Chunk[]
  /** what follows the last root chunk: padding to the sector of an archive, or junk */
  trailing: Uint8Array
}

/** Reads root chunks until the bytes no longer look like one. Throws FormatError when the first one does not fit the file. */
export function readChunkFile(reader: Reader, choose: CodecChooser, diagnostics: Diagnostics): ChunkFile {
  const tree = new TreeReader(reader, choose, diagnostics)
  return tree.file()
}

class TreeReader {
  private readonly reader: Reader
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly ref: string
  private readonly choose: CodecChooser
  private readonly diagnostics: Diagnostics
  private readonly scope: LeafScope
  /** containers being read, for paths */
  private readonly open: Chunk[] = []

  constructor(reader: Reader, choose: CodecChooser, diagnostics: Diagnostics) {
    this.reader = reader
    this.bytes = reader.bytes
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength)
    this.ref = reader.file
    this.choose = choose
    this.diagnostics = diagnostics
    this.scope = { stamp: 0, size: 0, geometry: null, nested: (reader) => this.nested(reader) }
  }

  file(): ChunkFile {
    const end = this.bytes.length
    const roots: Chunk[] = []
    let at = 0
    if (end < HEAD_SIZE)
      throw new FormatError('truncated', say('codecs.headerNeeds', { count: end }), { file: this.ref, offset: 0, path: 'type' })
    while (at + HEAD_SIZE <= end) {
      if (roots.length > 0 && !this.looksLikeRoot(at, roots[0].stamp)) break
      const declared = this.view.getUint32(at + SIZE_AT, true)
      if (at + HEAD_SIZE + declared > end && !(at + HEAD_SIZE + (declared & 0xffffff) <= end && declared > 0xffffff)) {
        if (roots.length > 0) break
        throw new FormatError(
          'truncated',
          say('binary.needs', { field: chunkName(this.view.getUint32(at + TYPE_AT, true)), count: declared, left: end - at - HEAD_SIZE }),
          {
            file: this.ref,
            offset: at + SIZE_AT,
            path: `${chunkName(this.view.getUint32(at + TYPE_AT, true))}.size`,
            expected: say('files.atMost', { most: end - at - HEAD_SIZE }),
            actual: String(declared),
          },
        )
      }
      const chunk = this.chunk(at, end, null, 0, 0)
      roots.push(chunk)
      at = chunk.end
    }
    const trailing = at < end ? this.raw(at, end) : NOTHING
    return { roots, trailing }
  }

  private raw(start: number, end: number): Uint8Array {
    return this.reader.sub(start, end).rest()
  }

  /** A damaged file may have trouble in every one of a million chunks: the first ones tell enough. */
  private say(severity: 'warning' | 'info', code: string, message: () => string, path: () => string, offset: number): void {
    if (this.diagnostics.list.length < MAX_DIAGNOSTICS) this.diagnostics.add(severity, code, message(), path(), offset)
  }

  /** After the first root only chunks with its stamp count: padding and junk rarely have one. */
  private looksLikeRoot(at: number, stamp: number): boolean {
    return this.view.getUint32(at + STAMP_AT, true) === stamp && this.view.getUint32(at + TYPE_AT, true) !== 0
  }

  /** True where the bytes at `at` can be the header of a chunk of this stream, or where nothing is left to read. */
  private headerAt(at: number, limit: number, stamp: number): boolean {
    if (at === limit) return true
    if (at + HEAD_SIZE > this.bytes.length) return false
    return this.view.getUint32(at + STAMP_AT, true) === stamp && this.view.getUint32(at + TYPE_AT, true) !== 0
  }

  /** `limit` is where the container ends by its header; a salvaged chunk may reach past it, never past the file. */
  private chunk(at: number, limit: number, parent: Chunk | null, nth: number, depth: number): Chunk {
    const view = this.view
    const type = view.getUint32(at + TYPE_AT, true)
    const size = view.getUint32(at + SIZE_AT, true)
    const stamp = view.getUint32(at + STAMP_AT, true)
    const start = at + HEAD_SIZE
    let end = start + size
    if (end > limit) end = this.salvage(type, size, stamp, at, limit, parent)
    const chunk: Chunk = { type, size, stamp, start: at, end, children: null, codec: null, value: null, data: NOTHING }
    if (depth < MAX_DEPTH && CONTAINERS.has(type)) this.container(chunk, depth)
    else this.leaf(chunk, parent, nth)
    return chunk
  }

  /** End of a chunk that reaches past its container. */
  private salvage(type: number, size: number, stamp: number, at: number, limit: number, parent: Chunk | null): number {
    const masked = at + HEAD_SIZE + (size & 0xffffff)
    // "locked" models: bits above the lower 24 are set in a size field so that tools give up; games ignore the field
    if (size > 0xffffff && masked <= limit && (parent === null || masked === limit || this.headerAt(masked, limit, stamp))) {
      this.say(
        'info',
        'renderware.locked-size',
        () => say('codecs.lockedSize', { chunk: chunkName(type), hex: size.toString(16), size: size & 0xffffff }),
        () => this.pathOf(type, parent, 'size'),
        at + SIZE_AT,
      )
      return masked
    }
    return at + HEAD_SIZE + size
  }

  private container(chunk: Chunk, depth: number): void {
    const children: Chunk[] = []
    const limit = chunk.end
    let at = chunk.start + HEAD_SIZE
    let structs = 0
    chunk.children = children
    this.open.push(chunk)
    const geometry = this.scope.geometry
    if (chunk.type === ID.geometry || chunk.type === ID.clump) this.scope.geometry = null
    while (at < limit) {
      if (!this.childFits(at, limit, chunk)) break
      const type = this.view.getUint32(at + TYPE_AT, true)
      const child = this.chunk(at, Math.max(limit, at + HEAD_SIZE), chunk, type === ID.struct ? structs++ : 0, depth + 1)
      children.push(child)
      at = child.end
    }
    if (at >= limit && chunk.type === ID.clump) at = this.pushedOut(chunk, at, depth)
    if (at > limit) this.shortSize(chunk, at)
    else if (at < limit) this.notChunks(chunk, at)
    this.scope.geometry = chunk.type === ID.geometry ? geometry : this.scope.geometry
    this.open.pop()
  }

  // What is said of a chunk is said in functions of its own: a function that may make a closure over its variables keeps them
  // in an object from its beginning, and files have chunks by the hundred that nothing is said of.

  /**
   * RenderWare reads what a container's Struct announces and ignores the container's own size [librw; a 3.1 sample]: harmless, and
   * III's own figure on PlayStation 2 has it. An Extension has no Struct that says
   * what is in it: how games go on behind one that is short is not known.
   */
  private shortSize(chunk: Chunk, end: number): void {
    const short = end - chunk.end
    chunk.end = end
    this.say(
      chunk.type === ID.extension ? 'warning' : 'info',
      'renderware.short-size',
      () => say('codecs.shortSize', { chunk: chunkName(chunk.type), count: short }),
      () => this.pathOf(-1, null, 'size'),
      chunk.start + SIZE_AT,
    )
  }

  /** From `at` on the container holds bytes that are no chunk. */
  private notChunks(chunk: Chunk, at: number): void {
    chunk.data = this.raw(at, chunk.end)
    this.say(
      'warning',
      'renderware.not-chunks',
      () => say('codecs.notChunks', { count: chunk.end - at, chunk: chunkName(chunk.type) }),
      () => this.pathOf(-1, null),
      at,
    )
  }

  /**
   * Chunks that belong to a clump and stand behind its end because its size is short: atomics that its Struct counts, and its
   * Extension where it has none. Returns the end of the last one.
   */
  private pushedOut(clump: Chunk, from: number, depth: number): number {
    const children = clump.children!
    const first = children[0]
    const counted = first?.codec?.id === 'clump' ? (first.value as { numAtomics: number }).numAtomics : 0
    let atomics = 0
    let extended = false
    for (const child of children) {
      if (child.type === ID.atomic) atomics++
      if (child.type === ID.extension) extended = true
    }
    let at = from
    while (first && !extended && at + HEAD_SIZE <= this.bytes.length) {
      const type = this.view.getUint32(at + TYPE_AT, true)
      const end = at + HEAD_SIZE + this.view.getUint32(at + SIZE_AT, true)
      if (this.view.getUint32(at + STAMP_AT, true) !== clump.stamp || end > this.bytes.length) break
      if (type === ID.atomic && atomics < counted) atomics++
      else if (type === ID.extension) extended = true
      else break
      const child = this.chunk(at, end, clump, 0, depth + 1)
      children.push(child)
      at = child.end
    }
    return at
  }

  /** Whether a chunk can be read at `at` of a container that ends at `limit`; where not, the rest of it stays raw. */
  private childFits(at: number, limit: number, parent: Chunk): boolean {
    if (at + HEAD_SIZE > limit && (at + HEAD_SIZE > this.bytes.length || this.view.getUint32(at + STAMP_AT, true) !== parent.stamp))
      return false
    const size = this.view.getUint32(at + SIZE_AT, true)
    const end = at + HEAD_SIZE + size
    if (end <= limit) return true
    const stamp = this.view.getUint32(at + STAMP_AT, true)
    const masked = at + HEAD_SIZE + (size & 0xffffff)
    if (size > 0xffffff && masked <= limit && this.headerAt(masked, limit, stamp)) return true
    // a container that is short: its last chunk has the stamp of the stream, fits the file, and is followed by a chunk, padding or the end
    if (stamp !== parent.stamp || end > this.bytes.length) return false
    return this.headerAt(end, this.bytes.length, stamp) || this.zeroFrom(end)
  }

  private zeroFrom(at: number): boolean {
    for (let i = at; i < this.bytes.length; i++) if (this.bytes[i] !== 0) return false
    return true
  }

  private leaf(chunk: Chunk, parent: Chunk | null, nth: number): void {
    const at = chunk.start + HEAD_SIZE
    const codec = this.choose(this.open, chunk.type, nth, this.scope.geometry)
    if (codec) {
      const { scope } = this
      scope.stamp = chunk.stamp
      scope.size = chunk.end - at
      try {
        if (codec.fixed >= 0) {
          if (chunk.end - at < codec.fixed) this.tooShort(codec, codec.fixed, at, chunk.end)
          this.reader.position = at
          chunk.value = codec.read(this.reader, scope)
          if (at + codec.fixed < chunk.end) this.leftOver(chunk, parent, at + codec.fixed)
        } else if (codec.direct) {
          this.reader.position = at
          chunk.value = codec.read(this.reader, scope)
          if (this.reader.position > chunk.end) this.tooShort(codec, this.reader.position - at, at, chunk.end)
          if (this.reader.position < chunk.end) this.leftOver(chunk, parent, this.reader.position)
        } else {
          const reader = this.reader.sub(at, chunk.end)
          chunk.value = codec.read(reader, scope)
          if (reader.position < chunk.end) this.leftOver(chunk, parent, reader.position)
        }
        chunk.codec = codec
        if (chunk.type === ID.struct && parent !== null && parent.type === ID.geometry)
          scope.geometry = chunk.value as LeafScope['geometry']
        return
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        this.keptRaw(chunk, parent, codec, error)
      }
    }
    if (at < chunk.end) chunk.data = this.raw(at, chunk.end)
  }

  private tooShort(codec: LeafCodec<any>, size: number, at: number, end: number): never {
    throw new FormatError('truncated', say('codecs.chunkTooShort', { chunk: codecLabel(codec), count: size, left: end - at }), {
      file: this.ref,
      offset: at,
    })
  }

  private keptRaw(chunk: Chunk, parent: Chunk | null, codec: LeafCodec<any>, error: FormatError): void {
    chunk.value = null
    this.say(
      'warning',
      'renderware.raw-chunk',
      () => say('codecs.rawChunk', { chunk: codecLabel(codec), why: error.message }),
      () => this.pathOf(chunk.type, parent, error.path),
      error.offset,
    )
  }

  private leftOver(chunk: Chunk, parent: Chunk | null, at: number): void {
    chunk.data = this.raw(at, chunk.end)
    this.say(
      'warning',
      'renderware.left-over',
      () => say('codecs.leftOver', { count: chunk.end - at, chunk: chunkName(chunk.type) }),
      () => this.pathOf(chunk.type, parent),
      at,
    )
  }

  private nested(reader: Reader): Chunk {
    const at = reader.position
    // materials nest them by the thousand: a text is made only where it is said
    if (reader.remaining < HEAD_SIZE) reader.need(HEAD_SIZE, say('codecs.chunkHeader'))
    const size = this.view.getUint32(at + SIZE_AT, true)
    if (size > reader.end - at - HEAD_SIZE)
      reader.fail('bad-count', say('codecs.nestedOutsideOf', { count: size }), 'size', { offset: at + SIZE_AT })
    const geometry = this.scope.geometry
    const stamp = this.scope.stamp
    const chunk = this.chunk(at, reader.end, null, 0, this.open.length + 1)
    if (chunk.end > reader.end) reader.fail('bad-count', say('codecs.nestedOutside'), 'size', { offset: at + SIZE_AT })
    this.scope.geometry = geometry
    this.scope.stamp = stamp
    reader.position = chunk.end
    return chunk
  }

  /** Path of a chunk of `type` that is about to be added to the innermost open container; -1 for the container itself. */
  private pathOf(type: number, parent: Chunk | null, tail = ''): string {
    const parts: string[] = []
    for (let i = 0; i < this.open.length; i++) {
      const above = i > 0 ? this.open[i - 1].children! : null
      parts.push(
        above ? numbered(this.open[i].type, above.filter((c) => c.type === this.open[i].type).length) : chunkName(this.open[i].type),
      )
    }
    if (type >= 0) {
      const siblings = parent?.children?.filter((c) => c.type === type).length ?? 0
      parts.push(parent ? numbered(type, siblings) : chunkName(type))
    }
    if (tail) parts.push(tail)
    return parts.join('.')
  }
}

export function writeChunk(chunk: Chunk, out: Writer): void {
  const at = out.position
  HEAD.write(out, { type: chunk.type, size: 0, stamp: chunk.stamp })
  if (chunk.children) for (const child of chunk.children) writeChunk(child, out)
  else if (chunk.codec) chunk.codec.write(chunk.value, out)
  if (chunk.data.length) out.opaque(chunk.data)
  out.setU32(at + SIZE_AT, headerSize(chunk, out.position - at - HEAD_SIZE))
}

/**
 * The size field for a content of `content` bytes: as it was while the content has its old size, so that locked and short
 * sizes stay; changed by as much as the content grew otherwise.
 */
function headerSize(chunk: Chunk, content: number): number {
  if (chunk.size < 0) return content
  return (chunk.size + content - (chunk.end - chunk.start - HEAD_SIZE)) >>> 0
}

export function writeChunkFile(file: ChunkFile, out: Writer): void {
  for (const root of file.roots) writeChunk(root, out)
  if (file.trailing.length) out.opaque(file.trailing)
}
