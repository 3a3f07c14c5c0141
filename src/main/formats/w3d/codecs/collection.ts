/** COLLECTION: render objects under one name, with placeholders for others. Layouts [V] on 2 files, placeholders after the engine. */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, leavesOf } from './chunk.ts'
import { chars, counted, f32s, u32, u32s } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { struct, text, version } from './leaves.ts'
import type { Struct } from '../../../binary/layout.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'

const COLLECTION_HEADER = struct(ID.COLLECTION_HEADER, { version, name: chars(16), renderObjectCount: structural(u32), padding: u32s(2) })
const COLLECTION_OBJ_NAME = text(ID.COLLECTION_OBJ_NAME)

/** A name at a place: `transform` has three basis rows and the translation. */
const placedName = { version, transform: { ...f32s(12), type: 'f32[4][3]' }, name: counted }
export type PlacedName = Struct<typeof placedName>

const PLACEHOLDER = struct(ID.PLACEHOLDER, placedName, {}, ({ name }) => nameOf(name))
const TRANSFORM_NODE = struct(ID.TRANSFORM_NODE, placedName, {}, ({ name }) => nameOf(name))

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
