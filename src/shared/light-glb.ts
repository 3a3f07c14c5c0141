/**
 * A GLB without what no import reads. Its pictures, and whatever else its animations, skins and skinned meshes do not stand on, are never
 * read, so that a file of any size is taken with the memory that these need. What is wrong with a file its reader says, of the lighter one as well.
 */

/** A file or a part of one; nothing of it is in memory before it is read. */
export interface ByteSource {
  size: number
  /** bytes from `from` up to `to`, as far as there are any */
  read(from: number, to: number): Promise<Uint8Array>
}

export interface Lighter {
  /** most bytes of what is given back, and up to which a file is taken as it is */
  most: number
  /** skinned meshes too */
  meshes: boolean
}

/** First word of a GLB, little-endian. */
export const GLB = 0x46546c67
export const JSON_CHUNK = 0x4e4f534a
const BIN_CHUNK = 0x004e4942
/** Header of the file, and of a chunk. */
const HEAD = 12
const CHUNK = 8
/** Attributes of vertices that weights are matched by. */
const ATTRIBUTES = /^(POSITION|NORMAL|TEXCOORD_0|_MARROW_VERTEX|(JOINTS|WEIGHTS)_\d+)$/u

type Entry = Record<string, unknown>

/** @returns undefined where the file is larger and cannot be made lighter */
export async function lightGlb(source: ByteSource, { most, meshes }: Lighter): Promise<Uint8Array | undefined> {
  if (source.size <= most) return source.read(0, source.size)
  const head = await chunkAt(source, HEAD)
  if (wordAt(await source.read(0, 4), 0) !== GLB || head?.type !== JSON_CHUNK || head.size > most) return undefined
  const json = parsed(await source.read(head.start, head.start + head.size))
  const data = await chunkAt(source, head.start + head.size)
  if (!json || data?.type !== BIN_CHUNK || data.start + data.size > source.size) return undefined

  const views = entries(json.bufferViews)
  const kept = neededViews(json, meshes)
  const parts: { from: number; length: number; at: number }[] = []
  let size = 0
  const lighter = views.map((view, i): Entry => {
    const { buffer, byteOffset = 0, byteLength } = view
    // of other buffers, and such as are not there: as they are
    if (buffer !== 0 || !whole(byteOffset) || !whole(byteLength) || byteOffset + byteLength > data.size) return view
    if (!kept.has(i)) return { buffer: 0, byteOffset: 0, byteLength: 0 }
    const at = size
    parts.push({ from: data.start + byteOffset, length: byteLength, at })
    size += byteLength + (-byteLength & 3)
    return { ...view, byteOffset: at }
  })
  const { images: _images, textures: _textures, ...rest } = json
  const [first, ...others] = entries(json.buffers)
  const text = new TextEncoder().encode(
    JSON.stringify({ ...rest, bufferViews: lighter, buffers: first && [{ ...first, byteLength: size }, ...others] }),
  )
  const room = text.length + (-text.length & 3)
  const total = HEAD + CHUNK + room + CHUNK + size
  if (total > most) return undefined

  const out = new Uint8Array(total)
  const words = new DataView(out.buffer)
  const put = (at: number, ...values: number[]): void => values.forEach((value, i) => words.setUint32(at + 4 * i, value, true))
  put(0, GLB, 2, total, room, JSON_CHUNK)
  out.fill(0x20, HEAD + CHUNK, HEAD + CHUNK + room)
  out.set(text, HEAD + CHUNK)
  put(HEAD + CHUNK + room, size, BIN_CHUNK)
  for (const { from, length, at } of parts) out.set(await source.read(from, from + length), HEAD + CHUNK + room + CHUNK + at)
  return out
}

/** Numbers of the views that accessors of animations, skins and skinned meshes stand on. */
function neededViews(json: Entry, meshes: boolean): Set<number> {
  const wanted: unknown[] = [
    ...entries(json.animations).flatMap((animation) => entries(animation.samplers).flatMap(({ input, output }) => [input, output])),
    ...entries(json.skins).map((skin) => skin.inverseBindMatrices),
  ]
  if (meshes) {
    const all = entries(json.meshes)
    const skinned = new Set(entries(json.nodes).flatMap(({ mesh, skin }) => (whole(mesh) && skin !== undefined ? [mesh] : [])))
    for (const primitive of [...skinned].flatMap((mesh) => entries(all[mesh]?.primitives)))
      wanted.push(
        primitive.indices,
        ...Object.entries(entryOf(primitive.attributes)).flatMap(([name, at]) => (ATTRIBUTES.test(name) ? [at] : [])),
      )
  }
  const accessors = entries(json.accessors)
  const views = wanted.flatMap((number) => {
    const accessor = entryOf(accessors[whole(number) ? number : -1])
    const sparse = entryOf(accessor.sparse)
    return [accessor.bufferView, entryOf(sparse.indices).bufferView, entryOf(sparse.values).bufferView]
  })
  return new Set(views.filter(whole))
}

async function chunkAt(source: ByteSource, at: number): Promise<{ type: number; size: number; start: number } | undefined> {
  const bytes = await source.read(at, at + CHUNK)
  return bytes.length < CHUNK ? undefined : { size: wordAt(bytes, 0), type: wordAt(bytes, 4), start: at + CHUNK }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes.length < at + 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)
}

function parsed(bytes: Uint8Array): Entry | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Entry) : undefined
  } catch {
    return undefined
  }
}

const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const entryOf = (value: unknown): Entry => (typeof value === 'object' && value !== null ? (value as Entry) : {})
const entries = (value: unknown): Entry[] => (Array.isArray(value) ? value.map(entryOf) : [])
