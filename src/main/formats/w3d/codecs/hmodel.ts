/** HMODEL: the older form of HLOD, one level, names without their container. Layouts [V] on 6 files. */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf } from './chunk.ts'
import { chars, u16 } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { struct, version } from './leaves.ts'
import type { Chunk, ContainerChunk, LeafCodec, TypedChunk } from './chunk.ts'
import type { Struct } from '../../../binary/layout.ts'

const HMODEL_HEADER = struct(ID.HMODEL_HEADER, { version, name: chars(16), hierarchyName: chars(16), numConnections: structural(u16) })
const connection = { renderObjName: chars(16), pivot: reference(u16, 'pivot') }
const NODE = struct(ID.NODE, connection)
const COLLISION_NODE = struct(ID.COLLISION_NODE, connection)
const SKIN_NODE = struct(ID.SKIN_NODE, connection)

export const hmodelCodecs: readonly LeafCodec[] = [HMODEL_HEADER, NODE, COLLISION_NODE, SKIN_NODE]

export interface Hmodel {
  chunk: ContainerChunk
  name: string
  hierarchyName: string
  /** before 3.0 pivot numbers count without the root that the engine puts in */
  preRoot: boolean
  connections: { chunk: TypedChunk<Struct<typeof connection>>; kind: 'node' | 'collision' | 'skin'; pivot: number; name: string }[]
}

function hmodelOf(chunk: ContainerChunk): Hmodel {
  const header = dataOf(chunk, HMODEL_HEADER)
  const connections: Hmodel['connections'] = []
  for (const child of chunk.children) {
    if (child.kind !== 'typed') continue
    const kind =
      child.codec === NODE ? 'node' : child.codec === COLLISION_NODE ? 'collision' : child.codec === SKIN_NODE ? 'skin' : undefined
    if (!kind) continue
    const chunk = child as TypedChunk<Struct<typeof connection>>
    connections.push({ chunk, kind, pivot: chunk.data.pivot, name: nameOf(chunk.data.renderObjName) })
  }
  return {
    chunk,
    name: header ? nameOf(header.name) : '',
    hierarchyName: header ? nameOf(header.hierarchyName) : '',
    preRoot: header !== undefined && header.version >>> 16 < 3,
    connections,
  }
}

export function hmodelsOf(document: { chunks: readonly Chunk[] }): Hmodel[] {
  return containersOf({ children: document.chunks }, ID.HMODEL).map(hmodelOf)
}
