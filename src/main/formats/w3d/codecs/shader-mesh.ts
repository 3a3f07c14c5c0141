/**
 * SHDMESH: a mesh for the scaleable shaders of late Westwood tools. Layouts from the released engine headers; no real file with one is known.
 * The definition of a shader is a stream of chunks of its own: walked and kept.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf } from './chunk.ts'
import { localChunks } from './local-chunks.ts'
import { f32s, flags32, u32, u32s } from '../../../binary/layout.ts'
import { floats, shorts, struct, text, version, words } from './leaves.ts'
import type { Chunk, LeafCodec } from './chunk.ts'

const bounds = { boxMin: f32s(3), boxMax: f32s(3), sphCenter: f32s(3), sphRadius: f32s(1) }
const SHDMESH_NAME = text(ID.SHDMESH_NAME)
const SHDMESH_HEADER = struct(
  ID.SHDMESH_HEADER,
  { version, attributes: flags32, numTris: u32, numVertices: u32, numSubMeshes: u32, futureCounts: u32s(5), ...bounds },
  { unknown: ['futureCounts'] },
)
const SHDSUBMESH_HEADER = struct(
  ID.SHDSUBMESH_HEADER,
  { numTris: u32, numVertices: u32, futureCounts: u32s(2), ...bounds },
  { unknown: ['futureCounts'] },
)

export const shaderMeshCodecs: readonly LeafCodec[] = [
  SHDMESH_NAME,
  SHDMESH_HEADER,
  text(ID.SHDMESH_USER_TEXT),
  SHDSUBMESH_HEADER,
  struct(ID.SHDSUBMESH_SHADER_CLASSID, { classId: u32 }),
  localChunks(ID.SHDSUBMESH_SHADER_DEF, { names: { 0x16490430: 'classVariables', 0x16490450: 'parameters' } }),
  floats(ID.SHDSUBMESH_VERTICES, 3),
  floats(ID.SHDSUBMESH_VERTEX_NORMALS, 3),
  shorts(ID.SHDSUBMESH_TRIANGLES, 3),
  words(ID.SHDSUBMESH_VERTEX_SHADE_INDICES),
  floats(ID.SHDSUBMESH_UV0, 2),
  floats(ID.SHDSUBMESH_UV1, 2),
  floats(ID.SHDSUBMESH_TANGENT_BASIS_S, 3),
  floats(ID.SHDSUBMESH_TANGENT_BASIS_T, 3),
  floats(ID.SHDSUBMESH_TANGENT_BASIS_SXT, 3),
  words(ID.SHDSUBMESH_VERTEX_COLOR),
]

export function shaderMeshNames(document: { chunks: readonly Chunk[] }): string[] {
  return containersOf({ children: document.chunks }, ID.SHDMESH).map((chunk) => nameOf(dataOf(chunk, SHDMESH_NAME) ?? new Uint8Array(0)))
}
