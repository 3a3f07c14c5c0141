/** COLLECTION: render objects under one name, with placeholders for others. Layouts [V] on 2 files, placeholders after the engine. */
import { nameOf } from '../../../binary/reader.ts'
import { field } from '../../../binary/structure.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, leavesOf } from './chunk.ts'
import { chars, u32, u32s } from '../../../binary/layout.ts'
import { struct, text, version } from './leaves.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'

const COLLECTION_HEADER = struct(ID.COLLECTION_HEADER, { version, name: chars(16), renderObjectCount: u32, padding: u32s(2) })
const COLLECTION_OBJ_NAME = text(ID.COLLECTION_OBJ_NAME)

/** A name at a place: `transform` has three basis rows and the translation. */
export interface PlacedName {
  version: number
  transform: Float32Array
  name: Uint8Array
}

function placedName(id: number): LeafCodec<PlacedName> {
  return {
    id,
    read(r) {
      const v = r.u32('version')
      const transform = r.f32s(12, 'transform')
      return { version: v, transform, name: r.take(r.count(r.u32('nameLength'), 1, 'nameLength'), 'name') }
    },
    write(data, out) {
      out.u32(data.version)
      out.raw(data.transform)
      out.u32(data.name.length)
      out.raw(data.name)
    },
    describe: (data, at) => ({
      fields: [
        field('version', 'u32', at, 4, version.show(data.version)),
        field('transform', 'f32[4][3]', at + 4, 48, data.transform),
        field('name', `u32 length, char[${data.name.length}]`, at + 52, 4 + data.name.length, nameOf(data.name)),
      ],
      children: [],
      summary: nameOf(data.name),
    }),
  }
}

const PLACEHOLDER = placedName(ID.PLACEHOLDER)
const TRANSFORM_NODE = placedName(ID.TRANSFORM_NODE)

export const collectionCodecs: readonly LeafCodec[] = [COLLECTION_HEADER, COLLECTION_OBJ_NAME, PLACEHOLDER, TRANSFORM_NODE]

export interface Collection {
  chunk: ContainerChunk
  name: string
  objects: string[]
  placeholders: PlacedName[]
}

export function collectionsOf(document: { chunks: readonly Chunk[] }): Collection[] {
  return containersOf({ children: document.chunks }, ID.COLLECTION).map((chunk) => {
    const header = dataOf(chunk, COLLECTION_HEADER)
    return {
      chunk,
      name: header ? nameOf(header.name) : '',
      objects: leavesOf(chunk, COLLECTION_OBJ_NAME).map((leaf) => nameOf(leaf.data)),
      placeholders: [...leavesOf(chunk, PLACEHOLDER), ...leavesOf(chunk, TRANSFORM_NODE)].map((leaf) => leaf.data),
    }
  })
}
