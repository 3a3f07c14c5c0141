/**
 * AGGREGATE: a model with other objects on its bones and some textures exchanged, under a name of its own. Layouts from the released engine
 * headers; no real file with one is known.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf } from './chunk.ts'
import { bytes, chars, f32s, flags32, u16, u32, u32s } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { headed, struct, version } from './leaves.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'

const AGGREGATE_HEADER = struct(ID.AGGREGATE_HEADER, { version, name: chars(16) })
/** behind it for each object: char[32] its name, char[32] the bone */
const AGGREGATE_INFO = headed(ID.AGGREGATE_INFO, { baseModelName: chars(32), subobjectCount: structural(u32) }, 64, (head) => [
  { name: 'subobjects', layout: '{u8[32] name, u8[32] bone}', what: 'object', count: head.subobjectCount },
])
const PATH_ENTRIES = 15
const PATH_ENTRY = 32
const PATH = PATH_ENTRIES * PATH_ENTRY
const FILE_NAME = 260
const OLD_TEXTURE = 2 * PATH
const NEW_TEXTURE = OLD_TEXTURE + FILE_NAME
/** one replaced texture: two paths of up to 15 names, two file names, how the new one is used */
const REPLACER = {
  meshPath: bytes(PATH),
  bonePath: bytes(PATH),
  oldTexture: chars(FILE_NAME),
  newTexture: chars(FILE_NAME),
  attributes: u16,
  animType: u16,
  frameCount: u32,
  frameRate: f32s(1),
}
const REPLACER_SIZE = Object.values(REPLACER).reduce((n, f) => n + f.size, 0)
const TEXTURE_REPLACER_INFO = headed(ID.TEXTURE_REPLACER_INFO, { replacedTexturesCount: structural(u32) }, REPLACER_SIZE, (head) => [
  {
    name: 'replacers',
    layout:
      '{u8[480] meshPath, u8[480] bonePath, u8[260] oldTexture, u8[260] newTexture, u16 attributes, u16 animType, u32 frameCount, f32 frameRate}',
    what: 'texture',
    count: head.replacedTexturesCount,
  },
])
const AGGREGATE_CLASS_INFO = struct(
  ID.AGGREGATE_CLASS_INFO,
  { originalClassId: u32, flags: flags32, reserved: u32s(3) },
  { unknown: ['reserved'] },
)

export const aggregateCodecs: readonly LeafCodec[] = [AGGREGATE_HEADER, AGGREGATE_INFO, TEXTURE_REPLACER_INFO, AGGREGATE_CLASS_INFO]

export interface Aggregate {
  chunk: ContainerChunk
  name: string
  base: string
  objects: { name: string; bone: string }[]
  replaced: TextureReplacer[]
}

/** A texture that takes another's place. Released engines call the chunk obsolete and skip it. */
export interface TextureReplacer {
  /** the last name of the path, which begins with the model; '' for the model itself */
  mesh: string
  /** file names */
  from: string
  to: string
}

function replacerAt(row: Uint8Array): TextureReplacer {
  const texture = (at: number): string => nameOf(row.subarray(at, at + FILE_NAME))
  let mesh = ''
  for (let entry = 1; entry < PATH_ENTRIES; entry++) {
    const name = nameOf(row.subarray(PATH_ENTRY * entry, PATH_ENTRY * (entry + 1)))
    if (!name) break
    mesh = name
  }
  return { mesh, from: texture(OLD_TEXTURE), to: texture(NEW_TEXTURE) }
}

export function aggregatesOf(document: { chunks: readonly Chunk[] }): Aggregate[] {
  return containersOf({ children: document.chunks }, ID.AGGREGATE).map((chunk) => {
    const header = dataOf(chunk, AGGREGATE_HEADER)
    const info = dataOf(chunk, AGGREGATE_INFO)
    const replaced = dataOf(chunk, TEXTURE_REPLACER_INFO)?.rows
    const rows = info?.rows
    return {
      chunk,
      name: header ? nameOf(header.name) : '',
      base: info ? nameOf(info.head.baseModelName) : '',
      objects: rows
        ? Array.from({ length: rows.count }, (_, i) => ({
            name: nameOf(rows.bytes.subarray(64 * i, 64 * i + 32)),
            bone: nameOf(rows.bytes.subarray(64 * i + 32, 64 * i + 64)),
          }))
        : [],
      replaced: replaced
        ? Array.from({ length: replaced.count }, (_, i) => replacerAt(replaced.bytes.subarray(REPLACER_SIZE * i, REPLACER_SIZE * (i + 1))))
        : [],
    }
  })
}
