/**
 * LODMODEL: whole objects at distances, older than HLOD and without a skeleton. Layouts from the released engine headers; no real file with
 * one is known.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, leavesOf } from './chunk.ts'
import { chars, f32s, u16 } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { struct, version } from './leaves.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'

const LODMODEL_HEADER = struct(ID.LODMODEL_HEADER, { version, name: chars(16), numLods: structural(u16) })
const LOD = struct(
  ID.LOD,
  { renderObjName: chars(32), lodMin: f32s(1), lodMax: f32s(1) },
  { notes: { lodMin: () => say('codecs.lodMin'), lodMax: () => say('codecs.lodMax') } },
)

export const lodModelCodecs: readonly LeafCodec[] = [LODMODEL_HEADER, LOD]

export interface LodModel {
  chunk: ContainerChunk
  name: string
  /** nearest first */
  lods: { name: string; min: number; max: number }[]
}

export function lodModelsOf(document: { chunks: readonly Chunk[] }): LodModel[] {
  return containersOf({ children: document.chunks }, ID.LODMODEL).map((chunk) => {
    const header = dataOf(chunk, LODMODEL_HEADER)
    return {
      chunk,
      name: header ? nameOf(header.name) : '',
      lods: leavesOf(chunk, LOD)
        .map(({ data }) => ({ name: nameOf(data.renderObjName), min: data.lodMin[0], max: data.lodMax[0] }))
        .sort((a, b) => a.min - b.min),
    }
  })
}
