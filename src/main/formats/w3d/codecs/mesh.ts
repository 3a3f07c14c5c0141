/**
 * MESH: vertices, triangles, influences and the header that counts them. Layouts [V] on 193 meshes. The vertices of a skin stand in
 * the space of their bone (of both bones where a vertex has two); all else stands in the mesh's own space.
 */
import { nameOf } from '../../../binary/reader.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, leafOf } from './chunk.ts'
import { chars, f32s, flags32, i32, u16, u32, u32s } from '../../../binary/layout.ts'
import { bitsOf, structural } from '../../../binary/field-use.ts'
import { floats, records, struct, text, version, words } from './leaves.ts'
import { valuesText } from './value-names.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk, LeafCodec } from './chunk.ts'
import type { Records, Struct } from '../../../binary/layout.ts'

const GEOMETRY_TYPES = ['normal', 'cameraAligned', 'skin', 'shadowObsolete', 'aaboxObsolete', 'obboxObsolete', 'cameraOriented'] as const
const headerFields = {
  version,
  attributes: bitsOf(
    flags32,
    {
      physicalCollision: 0x10,
      projectileCollision: 0x20,
      visCollision: 0x40,
      cameraCollision: 0x80,
      vehicleCollision: 0x100,
      hidden: 0x1000,
      twoSided: 0x2000,
      castsShadow: 0x8000,
      prelitUnlit: 0x01000000,
      prelitVertex: 0x02000000,
      prelitMultiPass: 0x04000000,
      prelitMultiTexture: 0x08000000,
      shatterable: 0x10000000,
      npatchable: 0x20000000,
    },
    [{ name: 'geometry', at: 16, width: 8, values: GEOMETRY_TYPES }],
  ),
  meshName: chars(16),
  containerName: chars(16),
  numTris: structural(u32),
  numVertices: structural(u32),
  numMaterials: structural(u32),
  numDamageStages: structural(u32),
  sortLevel: i32,
  prelitVersion: u32,
  futureCounts: u32,
  vertexChannels: bitsOf(flags32, { position: 1, normal: 2, uv: 4, color: 8, bone: 0x10, tangent: 0x20, bitangent: 0x40 }),
  faceChannels: flags32,
  min: f32s(3),
  max: f32s(3),
  sphCenter: f32s(3),
  sphRadius: f32s(1),
}
export const MESH_HEADER3 = struct(ID.MESH_HEADER3, headerFields, {
  unknown: ['futureCounts'],
  notes: { attributes: attributesNote, sortLevel: () => say('codecs.sortLevel'), min: () => say('codecs.boxAtRest') },
})
export type MeshHeader = Struct<typeof headerFields>

export const ATTRIBUTE = {
  COLLISION: 0xff0,
  HIDDEN: 0x1000,
  TWO_SIDED: 0x2000,
  CAST_SHADOW: 0x8000,
  GEOMETRY: 0xff0000,
  CAMERA_ALIGNED: 0x10000,
  SKIN: 0x20000,
  CAMERA_ORIENTED: 0x60000,
  PRELIT: 0x0f000000,
} as const

function attributesNote(v: number): string {
  return valuesText(
    GEOMETRY_TYPES[(v & ATTRIBUTE.GEOMETRY) >>> 16] ?? 'unknownGeometry',
    v & ATTRIBUTE.HIDDEN && 'hidden',
    v & ATTRIBUTE.TWO_SIDED && 'twoSided',
    v & ATTRIBUTE.CAST_SHADOW && 'castsShadow',
    v & ATTRIBUTE.COLLISION && 'collision',
  )
}

export const VERTICES = floats(ID.VERTICES, 3)
export const VERTEX_NORMALS = floats(ID.VERTEX_NORMALS, 3)
export const VERTICES_2 = floats(ID.VERTICES_2, 3)
export const NORMALS_2 = floats(ID.NORMALS_2, 3)
const TANGENTS = floats(ID.TANGENTS, 3)
const BITANGENTS = floats(ID.BITANGENTS, 3)
const MESH_USER_TEXT = text(ID.MESH_USER_TEXT)
/**
 * 8 bytes per vertex. Before BFME: a bone and six bytes of padding. BFME: two bones and two weights in percent, where 0 and 0 mean
 * "all of bone 0". See influencesOf() for how the two are told apart.
 */
export const VERTEX_INFLUENCES = records(ID.VERTEX_INFLUENCES, { bone0: u16, bone1: u16, weight0: u16, weight1: u16 }, '', {
  entries: { what: 'vertex' },
})
/** 32 bytes each; stored normals and distances are not to be trusted: 11047 of 28372 are off [V]. */
export const TRIANGLES = records(ID.TRIANGLES, { vertices: u32s(3), attributes: u32, normal: f32s(3), distance: f32s(1) })
export const VERTEX_SHADE_INDICES = words(ID.VERTEX_SHADE_INDICES)
const POINTS = floats(ID.POINTS, 3)

/** Obsolete; the engine ignores it. All six known ones are zeros; a payload of sets may follow the header. */
const DEFORM = struct(ID.DEFORM, { setCount: u32, alphaPasses: u32, reserved: u32s(3) }, { unknown: ['reserved'] })

export const meshCodecs: readonly LeafCodec[] = [
  MESH_HEADER3,
  VERTICES,
  VERTEX_NORMALS,
  VERTICES_2,
  NORMALS_2,
  TANGENTS,
  BITANGENTS,
  MESH_USER_TEXT,
  VERTEX_INFLUENCES,
  TRIANGLES,
  VERTEX_SHADE_INDICES,
  POINTS,
  DEFORM,
]

// --- views ----------------------------------------------------------------------------------------------------

export interface MeshView {
  chunk: ContainerChunk
  header: MeshHeader | undefined
  /** CONTAINER.MESH, or MESH where there is no container */
  fullName: string
  /** 3 per vertex, in the mesh's space; in bone space for a skin */
  vertices: Float32Array
  normals: Float32Array
  triangles: Records | undefined
  influences: Influences | undefined
  isSkin: boolean
}

export function meshOf(chunk: ContainerChunk): MeshView {
  const header = dataOf(chunk, MESH_HEADER3)
  const vertices = dataOf(chunk, VERTICES) ?? new Float32Array(0)
  const influences = influencesOf(chunk, header, vertices.length / 3)
  return {
    chunk,
    header,
    fullName: header ? fullNameOf(header) : '',
    vertices,
    normals: dataOf(chunk, VERTEX_NORMALS) ?? new Float32Array(0),
    triangles: dataOf(chunk, TRIANGLES),
    influences,
    isSkin: header !== undefined && isSkin(header) && influences !== undefined,
  }
}

function fullNameOf(header: MeshHeader): string {
  const container = nameOf(header.containerName)
  return container ? `${container}.${nameOf(header.meshName)}` : nameOf(header.meshName)
}

/** Before version 4.1 the low bits of the attributes had the geometry type: 2 was a skin [engine]. */
function isSkin(header: MeshHeader): boolean {
  if (header.version < 0x00040001) return (header.attributes & 2) !== 0 || (header.attributes & ATTRIBUTE.GEOMETRY) === ATTRIBUTE.SKIN
  return (header.attributes & ATTRIBUTE.GEOMETRY) === ATTRIBUTE.SKIN
}

export function meshesOf(document: { chunks: readonly Chunk[] }): MeshView[] {
  return containersOf({ children: document.chunks }, ID.MESH).map(meshOf)
}

export interface Influences {
  table: Records
  /** the file uses bone1, weight0 and weight1; otherwise those bytes are padding */
  twoBone: boolean
  /** 3 per vertex in the space of bone1; empty where the mesh has no second stream */
  vertices2: Float32Array
  normals2: Float32Array
}

/**
 * A mesh has two bones per vertex when it has the second position stream, or when it is of version 5, all its weight pairs sum to 0 (all of
 * bone 0) or 100, and some to 100. Junk in an older file's padding then stays padding.
 */
function influencesOf(chunk: ContainerChunk, header: MeshHeader | undefined, vertexCount: number): Influences | undefined {
  const table = leafOf(chunk, VERTEX_INFLUENCES)?.data
  if (!table || vertexCount === 0) return undefined
  const vertices2 = dataOf(chunk, VERTICES_2) ?? new Float32Array(0)
  const normals2 = dataOf(chunk, NORMALS_2) ?? new Float32Array(0)
  let twoBone = vertices2.length > 0
  if (!twoBone && header && header.version >>> 16 >= 5) {
    let weighted = 0
    let odd = 0
    for (let v = 0; v < table.count; v++) {
      const sum = table.u16[4 * v + 2] + table.u16[4 * v + 3]
      if (sum === 100) weighted++
      else if (sum !== 0) odd++
    }
    twoBone = weighted > 0 && odd === 0
  }
  return { table, twoBone, vertices2, normals2 }
}

/** Bones and weights (0..1, summing to 1) of a vertex: [bone0, weight0, bone1, weight1]; weight1 0 for a vertex with one bone. */
export function vertexInfluence(influences: Influences, v: number, out: number[]): void {
  const { u16: words16 } = influences.table
  out[0] = words16[4 * v]
  out[1] = 1
  out[2] = 0
  out[3] = 0
  if (!influences.twoBone) return
  const w0 = words16[4 * v + 2]
  const w1 = words16[4 * v + 3]
  if (w1 === 0 || w0 + w1 === 0) return
  out[1] = w0 / (w0 + w1)
  out[2] = words16[4 * v + 1]
  out[3] = w1 / (w0 + w1)
}
