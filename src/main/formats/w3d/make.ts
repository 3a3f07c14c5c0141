/** New W3D content from plain arrays: for the sample library and for tests. Everything is in file space: Z up, the front along +X. */
import { Writer } from '../../binary/writer.ts'
import { invertAffine, transformPoint } from '../../../shared/scene/matrix.ts'
import { BOX } from './codecs/box.ts'
import { ID } from './codecs/chunk-ids.ts'
import { newContainer, newLeaf, writeChunks } from './codecs/chunk.ts'
import { nameField } from './codecs/hierarchy.ts'
import { emptyRecords, makeRecords } from '../../binary/layout.ts'
import {
  MATERIAL_INFO,
  SHADERS,
  SHADER_IDS,
  STAGE_TEXCOORDS,
  TEXTURE_IDS,
  TEXTURE_INFO,
  TEXTURE_NAME,
  VERTEX_MATERIAL_IDS,
  VERTEX_MATERIAL_INFO,
  VERTEX_MATERIAL_NAME,
} from './codecs/material.ts'
import {
  ATTRIBUTE,
  MESH_HEADER3,
  NORMALS_2,
  TRIANGLES,
  VERTEX_INFLUENCES,
  VERTEX_NORMALS,
  VERTEX_SHADE_INDICES,
  VERTICES,
  VERTICES_2,
} from './codecs/mesh.ts'
import type { Chunk, ContainerChunk } from './codecs/chunk.ts'

export interface MeshParts {
  meshName: string
  containerName: string
  /** 3 per vertex; of a skin as it stands at rest */
  positions: ArrayLike<number>
  normals: ArrayLike<number>
  /** 2 per vertex, v from the bottom of the picture */
  uvs?: ArrayLike<number>
  /** three vertices per triangle, counter-clockwise from the front */
  triangles: ArrayLike<number>
  /** bits of ATTRIBUTE; SKIN is added where there are bones */
  attributes?: number
  sortLevel?: number
  texture?: string
  diffuse?: readonly [number, number, number]
  blend?: 'opaque' | 'alpha' | 'additive'
  skin?: {
    /** of the skeleton at rest, 16 per pivot: restWorld() */
    world: ArrayLike<number>
    /** bone of each vertex */
    bones: ArrayLike<number>
    /** BFME: a second bone and the percents of the first; 100 for a vertex with one */
    second?: { bones: ArrayLike<number>; percent: ArrayLike<number> }
  }
}

const SHADER_BYTES = { opaque: [1, 0], alpha: [2, 5], additive: [1, 1] } as const

/** A mesh with one pass; box, sphere and triangle normals are worked out. */
export function newMesh(parts: MeshParts): ContainerChunk {
  const vertexCount = parts.positions.length / 3
  const triangleCount = parts.triangles.length / 3
  const { min, max, center, radius } = bounds(parts.positions)
  const attributes = (parts.attributes ?? 0) | (parts.skin ? ATTRIBUTE.SKIN : 0)
  const two = parts.skin?.second
  const first = parts.skin
    ? inBoneSpace(parts, parts.skin.bones)
    : { positions: Float32Array.from(parts.positions), normals: Float32Array.from(parts.normals) }
  const children: Chunk[] = [
    newLeaf(MESH_HEADER3, {
      version: two ? 0x00050000 : 0x00040002,
      attributes,
      meshName: nameField(parts.meshName, 16),
      containerName: nameField(parts.containerName, 16),
      numTris: triangleCount,
      numVertices: vertexCount,
      numMaterials: 1,
      numDamageStages: 0,
      sortLevel: parts.sortLevel ?? 0,
      prelitVersion: 0,
      futureCounts: 0,
      vertexChannels: parts.skin ? 0x13 : 3,
      faceChannels: 1,
      min,
      max,
      sphCenter: center,
      sphRadius: Float32Array.of(radius),
    }),
    newLeaf(VERTICES, first.positions),
    newLeaf(VERTEX_NORMALS, first.normals),
  ]
  if (parts.skin) {
    if (two) {
      const bones = Array.from(two.bones, (bone, v) => (two.percent[v] < 100 ? bone : parts.skin!.bones[v]))
      const second = inBoneSpace(parts, bones)
      children.push(newLeaf(VERTICES_2, second.positions), newLeaf(NORMALS_2, second.normals))
    }
    const influences = emptyRecords(VERTEX_INFLUENCES.stride, vertexCount)
    for (let v = 0; v < vertexCount; v++) {
      const blended = two !== undefined && two.percent[v] < 100
      influences.u16.set(
        [parts.skin.bones[v], blended ? two.bones[v] : 0, two ? two.percent[v] : 0, blended ? 100 - two.percent[v] : 0],
        4 * v,
      )
    }
    children.push(newLeaf(VERTEX_INFLUENCES, influences))
  }
  children.push(
    newLeaf(TRIANGLES, triangleRecords(parts)),
    newLeaf(
      VERTEX_SHADE_INDICES,
      Uint32Array.from({ length: vertexCount }, (_, i) => i),
    ),
  )
  children.push(...materialChunks(parts))
  return newContainer(ID.MESH, children)
}

function inBoneSpace(parts: MeshParts, bones: ArrayLike<number>): { positions: Float32Array; normals: Float32Array } {
  const count = parts.positions.length / 3
  const positions = new Float32Array(3 * count)
  const normals = new Float32Array(3 * count)
  const world = Float64Array.from(parts.skin!.world)
  const inverse = new Float64Array(16)
  for (let v = 0; v < count; v++) {
    invertAffine(inverse, 0, world, 16 * bones[v])
    transformPoint(positions, 3 * v, inverse, 0, parts.positions[3 * v], parts.positions[3 * v + 1], parts.positions[3 * v + 2])
    inverse.fill(0, 12, 15)
    transformPoint(normals, 3 * v, inverse, 0, parts.normals[3 * v], parts.normals[3 * v + 1], parts.normals[3 * v + 2])
  }
  return { positions, normals }
}

function bounds(positions: ArrayLike<number>): { min: Float32Array; max: Float32Array; center: Float32Array; radius: number } {
  const min = new Float32Array(3).fill(positions.length ? Infinity : 0)
  const max = new Float32Array(3).fill(positions.length ? -Infinity : 0)
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i])
    max[i % 3] = Math.max(max[i % 3], positions[i])
  }
  const center = Float32Array.from(min, (v, c) => (v + max[c]) / 2)
  let radius = 0
  for (let i = 0; i < positions.length; i += 3)
    radius = Math.max(radius, Math.hypot(positions[i] - center[0], positions[i + 1] - center[1], positions[i + 2] - center[2]))
  return { min, max, center, radius }
}

function triangleRecords(parts: MeshParts) {
  const { positions: p, triangles } = parts
  const table = emptyRecords(TRIANGLES.stride, triangles.length / 3)
  for (let t = 0; t < table.count; t++) {
    const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]]
    const u = [0, 1, 2].map((i) => p[3 * b + i] - p[3 * a + i])
    const v = [0, 1, 2].map((i) => p[3 * c + i] - p[3 * a + i])
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    const length = Math.hypot(...n) || 1
    table.u32.set([a, b, c, 13], 8 * t) // 13: the default surface
    for (let i = 0; i < 3; i++) table.f32[8 * t + 4 + i] = n[i] / length
    table.f32[8 * t + 7] = (n[0] * p[3 * a] + n[1] * p[3 * a + 1] + n[2] * p[3 * a + 2]) / length
  }
  return table
}

function cstring(text: string): Uint8Array {
  return nameField(text, text.length + 1)
}

function materialChunks(parts: MeshParts): Chunk[] {
  const [srcBlend, destBlend] = SHADER_BYTES[parts.blend ?? 'opaque']
  const textured = parts.texture !== undefined && parts.uvs !== undefined
  const shader = makeRecords(
    Uint8Array.of(3, parts.blend === 'additive' ? 0 : 1, 0, destBlend, 0, 1, 0, srcBlend, textured ? 1 : 0, 0, 0, 0, 0, 0, 0, 0),
    SHADERS.stride,
  )
  const [r, g, b] = parts.diffuse ?? [255, 255, 255]
  const stage = textured
    ? [newContainer(ID.TEXTURE_STAGE, [newLeaf(TEXTURE_IDS, Uint32Array.of(0)), newLeaf(STAGE_TEXCOORDS, Float32Array.from(parts.uvs!))])]
    : []
  return [
    newLeaf(MATERIAL_INFO, { passCount: 1, vertexMaterialCount: 1, shaderCount: 1, textureCount: textured ? 1 : 0 }),
    newContainer(ID.VERTEX_MATERIALS, [
      newContainer(ID.VERTEX_MATERIAL, [
        newLeaf(VERTEX_MATERIAL_NAME, cstring(parts.meshName)),
        newLeaf(VERTEX_MATERIAL_INFO, {
          attributes: 0,
          ambient: Uint8Array.of(r, g, b, 0),
          diffuse: Uint8Array.of(r, g, b, 0),
          specular: new Uint8Array(4),
          emissive: new Uint8Array(4),
          shininess: Float32Array.of(1),
          opacity: Float32Array.of(1),
          translucency: Float32Array.of(0),
        }),
      ]),
    ]),
    newLeaf(SHADERS, shader),
    ...(textured
      ? [
          newContainer(ID.TEXTURES, [
            newContainer(ID.TEXTURE, [
              newLeaf(TEXTURE_NAME, cstring(parts.texture!)),
              newLeaf(TEXTURE_INFO, { attributes: 0, animType: 0, frameCount: 1, frameRate: Float32Array.of(0) }),
            ]),
          ]),
        ]
      : []),
    newContainer(ID.MATERIAL_PASS, [newLeaf(VERTEX_MATERIAL_IDS, Uint32Array.of(0)), newLeaf(SHADER_IDS, Uint32Array.of(0)), ...stage]),
  ]
}

/** A box object; `extent` are half sizes. */
export function newBox(
  name: string,
  center: readonly number[],
  extent: readonly number[],
  color: readonly [number, number, number] = [255, 255, 255],
): Chunk {
  return newLeaf(BOX, {
    version: 0x00010000,
    attributes: 2,
    name: nameField(name, 32),
    color: Uint8Array.of(...color, 0),
    center: Float32Array.from(center),
    extent: Float32Array.from(extent),
  })
}

/** The bytes of a file of these chunks. */
export function newFile(chunks: Chunk[]): Uint8Array {
  const out = new Writer()
  writeChunks({ chunks, trailing: new Uint8Array(0) }, out)
  return out.finish().slice()
}
