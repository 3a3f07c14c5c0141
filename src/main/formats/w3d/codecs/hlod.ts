/** HLOD: which render objects hang on which pivots, for each level of detail. Layouts [V]; level 0 is the lowest detail [engine]. */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containerOf, containersOf, dataOf, leavesOf, newContainer, newLeaf } from './chunk.ts'
import { nameField } from './hierarchy.ts'
import { chars, f32s, u32 } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { struct, version } from './leaves.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk, LeafCodec, TypedChunk } from './chunk.ts'
import type { Struct } from '../../../binary/layout.ts'

const headerFields = { version, lodCount: structural(u32), name: chars(16), hierarchyName: chars(16) }
export const HLOD_HEADER = struct(ID.HLOD_HEADER, headerFields)
export const HLOD_SUB_OBJECT_ARRAY_HEADER = struct(
  ID.HLOD_SUB_OBJECT_ARRAY_HEADER,
  { modelCount: structural(u32), maxScreenSize: f32s(1) },
  { notes: { maxScreenSize: () => say('codecs.screenSizeNote') } },
)
const subObjectFields = { boneIndex: reference(u32, 'pivot'), name: chars(32) }
const HLOD_SUB_OBJECT = struct(ID.HLOD_SUB_OBJECT, subObjectFields)
export type SubObjectData = Struct<typeof subObjectFields>

export const hlodCodecs: readonly LeafCodec[] = [HLOD_HEADER, HLOD_SUB_OBJECT_ARRAY_HEADER, HLOD_SUB_OBJECT]

export interface SubObject {
  chunk: TypedChunk<SubObjectData>
  bone: number
  name: string
}

export interface SubObjectArray {
  chunk: ContainerChunk
  /** as the header counts them; -1 without a header */
  modelCount: number
  maxScreenSize: number
  objects: SubObject[]
}

export interface Hlod {
  chunk: ContainerChunk
  header: Struct<typeof headerFields> | undefined
  name: string
  hierarchyName: string
  /** lowest detail first */
  lods: SubObjectArray[]
  /** other models that are attached */
  aggregates: SubObject[]
  /** names that the game gives a meaning to */
  proxies: SubObject[]
}

function hlodOf(chunk: ContainerChunk): Hlod {
  const header = dataOf(chunk, HLOD_HEADER)
  return {
    chunk,
    header,
    name: header ? nameOf(header.name) : '',
    hierarchyName: header ? nameOf(header.hierarchyName) : '',
    lods: containersOf(chunk, ID.HLOD_LOD_ARRAY).map(arrayOf),
    aggregates: objectsOf(containerOf(chunk, ID.HLOD_AGGREGATE_ARRAY)),
    proxies: objectsOf(containerOf(chunk, ID.HLOD_PROXY_ARRAY)),
  }
}

export function hlodsOf(document: { chunks: readonly Chunk[] }): Hlod[] {
  return containersOf({ children: document.chunks }, ID.HLOD).map(hlodOf)
}

function arrayOf(chunk: ContainerChunk): SubObjectArray {
  const header = dataOf(chunk, HLOD_SUB_OBJECT_ARRAY_HEADER)
  return { chunk, modelCount: header?.modelCount ?? -1, maxScreenSize: header?.maxScreenSize[0] ?? 0, objects: objectsOf(chunk) }
}

function objectsOf(chunk: ContainerChunk | undefined): SubObject[] {
  return leavesOf(chunk, HLOD_SUB_OBJECT).map((object) => ({ chunk: object, bone: object.data.boneIndex, name: nameOf(object.data.name) }))
}

/** A new HLOD; `lods` lowest detail first, each with the largest size on screen up to which it is shown. */
export function makeHlod(
  name: string,
  hierarchyName: string,
  lods: readonly { maxScreenSize: number; objects: readonly { bone: number; name: string }[] }[],
): ContainerChunk {
  return newContainer(ID.HLOD, [
    newLeaf(HLOD_HEADER, {
      version: 0x00010000,
      lodCount: lods.length,
      name: nameField(name, 16),
      hierarchyName: nameField(hierarchyName, 16),
    }),
    ...lods.map((lod) =>
      newContainer(ID.HLOD_LOD_ARRAY, [
        newLeaf(HLOD_SUB_OBJECT_ARRAY_HEADER, { modelCount: lod.objects.length, maxScreenSize: new Float32Array([lod.maxScreenSize]) }),
        ...lod.objects.map((object) => newLeaf(HLOD_SUB_OBJECT, { boneIndex: object.bone, name: nameField(object.name, 32) })),
      ]),
    ),
  ])
}
