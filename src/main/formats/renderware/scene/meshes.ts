/** Meshes of the scene from the atomics of a clump. */
import { IDENTITY } from '../../../../shared/scene/matrix.ts'
import { finiteOr, mendNumbers } from '../../finite.ts'
import { basisVector } from './basis.ts'
import { addMaterial } from './materials.ts'
import { addSkin } from './skins.ts'
import { isVisible } from './vehicle.ts'
import { meshTriangles } from '../codecs/bin-mesh.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Mesh, MeshGroup, Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { Diagnostics } from '../../format.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { ClumpView, GeometryView } from '../codecs/model.ts'
import type { GeometryStruct } from '../codecs/geometry.ts'
import type { Rig } from './skeleton.ts'
import type { Textures } from './textures.ts'

/** Vertices and indices of one scene beyond which further atomics are left out. Real models stay below a million. */
const MOST_VERTICES = 4_000_000
const MOST_INDICES = 24_000_000

/** What the atomics of one clump share: a geometry's materials are made once, and all count against what can be shown. */
export interface ClumpMeshes {
  readonly clump: ClumpView
  /** its number in the file */
  readonly c: number
  /** first material of the scene of each geometry */
  readonly firstMaterial: Map<GeometryView, number>
  readonly indicesOf: Map<GeometryView, number>
  vertices: number
  indices: number
  /** no further atomic is shown */
  full: boolean
}

export function clumpMeshes(scene: Scene, clump: ClumpView, c: number): ClumpMeshes {
  return {
    clump,
    c,
    firstMaterial: new Map(),
    indicesOf: new Map(),
    vertices: scene.meshes.reduce((sum, m) => sum + m.nativeVertexCount, 0),
    indices: scene.meshes.reduce((sum, m) => sum + m.indices.length, 0),
    full: false,
  }
}

/** The mesh of atomic `a` of a clump; nothing where it has no geometry that can be shown. */
export function addMesh(
  scene: Scene,
  rig: Rig,
  shared: ClumpMeshes,
  a: number,
  textures: Textures,
  sourceOf: (chunk: Chunk) => SourceRef,
  diagnostics: Diagnostics,
): void {
  if (shared.full) return
  const { clump, c } = shared
  const atomic = clump.atomics[a]
  const source = sourceOf(atomic.chunk)
  const { path } = source
  const geometry = clump.geometries[atomic.geometry]
  if (!geometry) {
    diagnostics.add('warning', 'renderware.atomic-geometry', say('scene.atomicGeometry', { atomic: a }), path, atomic.chunk.start)
    return
  }
  if (atomic.frame < 0)
    diagnostics.add('warning', 'renderware.atomic-frame', say('scene.atomicFrame', { atomic: a }), path, atomic.chunk.start)
  const { struct } = geometry
  const morph = struct?.morphs[0]
  if (!struct || geometry.native || !morph || morph.vertices.length === 0) {
    diagnostics.add(
      'info',
      'renderware.no-vertices',
      geometry.native ? say('scene.nativeGeometry') : say('scene.noVertices'),
      sourceOf(geometry.chunk).path,
      geometry.chunk.start,
    )
    return
  }
  shared.vertices += struct.numVertices
  let share = shared.indicesOf.get(geometry)
  if (share === undefined)
    shared.indicesOf.set(
      geometry,
      (share = geometry.binMesh
        ? 3 * geometry.binMesh.meshes.reduce((sum, m) => sum + (m.indices?.length ?? 0), 0)
        : struct.triangles.length),
    )
  shared.indices += share
  if (shared.vertices > MOST_VERTICES || shared.indices > MOST_INDICES) {
    diagnostics.add('warning', 'renderware.too-many-vertices', say('scene.tooManyVertices'), path, atomic.chunk.start)
    shared.full = true
    return
  }
  let first = shared.firstMaterial.get(geometry)
  if (first === undefined) {
    first = scene.materials.length
    geometry.materials.forEach((m, i) => addMaterial(scene, textures, geometry, i, sourceOf(m.chunk)))
    shared.firstMaterial.set(geometry, first)
  }
  const skin = geometry.skin ?? atomic.legacySkin
  const usable = skin && skin.numVertices === struct.numVertices ? skin : undefined
  const joints = rig.clumps[c]
  const positions = new Float32Array(morph.vertices.length)
  const normals = new Float32Array(morph.normals.length)
  const toScene = new Float64Array(16)
  // rigid vertices stand in the frame's space; skinned ones are turned into the rest pose first
  if (usable) sceneFrom(joints.skinToRest, toScene)
  else sceneFrom(UNTURNED, toScene)
  transform(positions, morph.vertices, toScene, 1)
  transform(normals, morph.normals, toScene, 0)
  normalize(normals)
  const { indices, groups } = trianglesOf(geometry, first, sourceOf(geometry.chunk).path, diagnostics)
  const name = clump.frames[atomic.frame]?.name || `atomic ${a}`
  const mesh: Mesh = {
    name,
    joint: atomic.frame >= 0 ? rig.jointOf[rig.first[c] + atomic.frame] : 0,
    positions,
    normals,
    uvs: struct.uvs.map((uv) => finiteCopy(uv)),
    colors: colorsOf(struct.prelit),
    indices,
    groups,
    skin: -1,
    nativeVertex: Uint32Array.from({ length: struct.numVertices }, (_, i) => i),
    nativeVertexCount: struct.numVertices,
    visible: isVisible(name, atomic.flags),
    lod: -1,
    source,
  }
  if (scene.skeleton.count === 0) mesh.joint = -1
  if (usable) {
    mesh.skin = addSkin(scene, rig, c, usable, name, sourceOf((geometry.skinChunk ?? atomic.skinChunk)!), diagnostics)
  } else if (skin)
    diagnostics.add(
      'warning',
      'renderware.skin-vertices',
      say('scene.skinVertices', { skin: skin.numVertices, vertices: struct.numVertices }),
      path,
      atomic.chunk.start,
    )
  scene.meshes.push(mesh)
}

/** BinMesh is what the game draws; the Struct's triangles only where there is none. */
function trianglesOf(
  geometry: GeometryView,
  firstMaterial: number,
  path: string,
  diagnostics: Diagnostics,
): { indices: Uint32Array; groups: MeshGroup[] } {
  const struct = geometry.struct!
  const materials = geometry.materials.length
  const parts: { list: Uint32Array; material: number }[] = []
  if (geometry.binMesh?.meshes.some((m) => m.indices)) {
    for (const group of geometry.binMesh.meshes)
      parts.push({ list: meshTriangles(geometry.binMesh, group, struct.numVertices), material: group.material })
    if (geometry.binMesh.flags & 1)
      mendWinding(
        struct,
        parts.map((p) => p.list),
      )
  } else {
    const byMaterial = new Map<number, number[]>()
    for (let t = 0; t + 3 < struct.triangles.length; t += 4) {
      const [b, a, material, c] = struct.triangles.subarray(t, t + 4)
      if (a >= struct.numVertices || b >= struct.numVertices || c >= struct.numVertices) continue
      let list = byMaterial.get(material)
      if (!list) byMaterial.set(material, (list = []))
      list.push(a, b, c)
    }
    for (const [material, list] of byMaterial) parts.push({ list: Uint32Array.from(list), material })
  }
  const indices = new Uint32Array(parts.reduce((sum, p) => sum + p.list.length, 0))
  const groups: MeshGroup[] = []
  let at = 0
  for (const { list, material } of parts) {
    indices.set(list, at)
    groups.push({ start: at, count: list.length, material: material < materials ? firstMaterial + material : -1 })
    if (material >= materials)
      diagnostics.add(
        'warning',
        'renderware.material-range',
        say('scene.materialRange', { material, count: materials }),
        path,
        geometry.chunk.start,
      )
    at += list.length
  }
  return { indices, groups }
}

const UNTURNED = Float64Array.from(IDENTITY)

/** basis * m: a point through m and then into the scene's space. */
function sceneFrom(m: Float64Array, out: Float64Array): void {
  for (let c = 0; c < 4; c++) {
    basisVector(out, 4 * c, m, 4 * c)
    out[4 * c + 3] = m[4 * c + 3]
  }
}

function transform(out: Float32Array, source: Float32Array, m: Float64Array, w: number): void {
  for (let i = 0; i + 2 < source.length; i += 3) {
    const x = finiteOr(source[i], 0),
      y = finiteOr(source[i + 1], 0),
      z = finiteOr(source[i + 2], 0)
    out[i] = m[0] * x + m[4] * y + m[8] * z + m[12] * w
    out[i + 1] = m[1] * x + m[5] * y + m[9] * z + m[13] * w
    out[i + 2] = m[2] * x + m[6] * y + m[10] * z + m[14] * w
  }
}

function normalize(normals: Float32Array): void {
  for (let i = 0; i + 2 < normals.length; i += 3) {
    const length = length3(normals[i], normals[i + 1], normals[i + 2])
    if (length > 0) for (let c = 0; c < 3; c++) normals[i + c] /= length
    else normals[i + 1] = 1
  }
}

function finiteCopy(values: Float32Array): Float32Array {
  const out = values.slice()
  mendNumbers(out)
  return out
}

function colorsOf(prelit: Uint8Array): Float32Array {
  const out = new Float32Array(prelit.length)
  for (let i = 0; i < prelit.length; i++) out[i] = prelit[i] / 255
  return out
}

/**
 * Strips made for the PlayStation 2, which draws both sides, do not keep the winding [V: iii-ps2]. Triangles that the Struct
 * has the other way round are turned.
 */
function mendWinding(struct: GeometryStruct, lists: readonly Uint32Array[]): void {
  const n = struct.numVertices
  // three vertex numbers in one exact number
  if (n > 200_000) return
  const key = (a: number, b: number, c: number): number =>
    a <= b && a <= c ? (a * n + b) * n + c : b <= c ? (b * n + c) * n + a : (c * n + a) * n + b
  const known = new Set<number>()
  for (let t = 0; t + 3 < struct.triangles.length; t += 4)
    known.add(key(struct.triangles[t + 1], struct.triangles[t], struct.triangles[t + 3]))
  for (const list of lists) {
    for (let i = 0; i + 2 < list.length; i += 3) {
      const [a, b, c] = [list[i], list[i + 1], list[i + 2]]
      if (known.has(key(a, b, c)) || !known.has(key(b, a, c))) continue
      list[i] = b
      list[i + 1] = a
    }
  }
}
