/** Meshes of the scene: vertices on their joint or skinned, triangles in groups by material. */
import { transformPoint } from '../../../../shared/scene/matrix.ts'
import { vectorToScene, unitNormal } from './basis.ts'
import { addMaterial, materialSetOf, passKey } from './materials.ts'
import { ATTRIBUTE } from '../codecs/mesh.ts'
import { fixupOf } from './skeleton.ts'
import { addSkin } from './skins.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { Mesh, MeshGroup, Scene } from '../../../../shared/scene/types.ts'
import type { MaterialContext } from './materials.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { File } from './objects.ts'
import type { PlacedHierarchy } from './skeleton.ts'
import type { Textures } from './textures.ts'

/** Where a mesh stands. */
export interface MeshPlace {
  joint: number
  placed: PlacedHierarchy
  /** level of detail, -1 for all */
  lod: number
  shown: boolean
}

/** @param worlds places of the joints at rest, file space */
export function addMesh(
  scene: Scene,
  worlds: number[],
  textures: Textures,
  file: File,
  mesh: MeshView,
  { joint, placed, lod, shown }: MeshPlace,
  diagnostics: Diagnostics,
): void {
  const path = file.paths.get(mesh.chunk) ?? ''
  const count = Math.floor(mesh.vertices.length / 3)
  const look = lookOf(mesh, {
    scene,
    textures,
    ref: file.ref,
    pathOf: (chunk) => file.paths.get(chunk) ?? '',
    diagnostics,
  })
  const attributes = mesh.header?.attributes ?? 0
  const geometry = attributes & ATTRIBUTE.GEOMETRY
  const out: Mesh = {
    name: mesh.fullName,
    joint,
    positions: new Float32Array(3 * count),
    normals: new Float32Array(mesh.normals.length === mesh.vertices.length ? 3 * count : 0),
    ...look,
    skin: -1,
    nativeVertex: Uint32Array.from({ length: count }, (_, i) => i),
    nativeVertexCount: count,
    visible: shown && (attributes & ATTRIBUTE.HIDDEN) === 0,
    lod,
    // the engine turns +X of the mesh, our +Z, to the viewer
    ...(geometry === ATTRIBUTE.CAMERA_ALIGNED
      ? { billboard: 'full' as const }
      : geometry === ATTRIBUTE.CAMERA_ORIENTED
        ? { billboard: 'eye' as const }
        : {}),
    ...(mesh.header?.sortLevel ? { sortLevel: mesh.header.sortLevel } : {}),
    source: { ref: file.ref, path },
  }
  if (mesh.isSkin && placed.hierarchy) {
    // where a skin hangs means nothing: its vertices stand in the space of their bones
    out.joint = placed.joints[0]
    out.skin = addSkin(scene, worlds, mesh, out, placed, diagnostics)
  } else {
    if (mesh.isSkin) diagnostics.add('error', 'w3d.skin-without-skeleton', say('scene.skinWithoutSkeleton', { name: mesh.fullName }), path)
    const fixup = fixupOf(placed, placed.joints.indexOf(joint))
    const p = [0, 0, 0]
    for (let v = 0; v < count; v++) {
      if (fixup) transformPoint(p, 0, fixup, 0, mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2])
      else for (let i = 0; i < 3; i++) p[i] = mesh.vertices[3 * v + i]
      vectorToScene(out.positions, 3 * v, p, 0)
      if (out.normals.length) unitNormal(out.normals, 3 * v, mesh.normals[3 * v], mesh.normals[3 * v + 1], mesh.normals[3 * v + 2])
    }
  }
  scene.meshes.push(out)
}

interface Look {
  groups: MeshGroup[]
  indices: Uint32Array
  /** v = 0 at the top row */
  uvs: Float32Array[]
  colors: Float32Array
}

/** Materials, groups, texture coordinates and colours of a mesh. Triangles with a vertex that is not there are left out. */
function lookOf(mesh: MeshView, context: MaterialContext): Look {
  const set = materialSetOf(mesh.chunk)
  const vertexCount = Math.floor(mesh.vertices.length / 3)
  const path = context.pathOf(mesh.chunk)

  const uvs: Float32Array[] = []
  const uvSet = (coordinates: Float32Array): number => {
    if (coordinates.length === 0) return 0
    const out = new Float32Array(2 * vertexCount)
    for (let i = 0; i < Math.min(vertexCount, coordinates.length / 2); i++) {
      out[2 * i] = coordinates[2 * i]
      out[2 * i + 1] = 1 - coordinates[2 * i + 1]
    }
    uvs.push(out)
    return uvs.length - 1
  }
  const sets = set.passes.map((pass) => (pass.stages.length ? pass.stages.map((stage) => uvSet(stage.texcoords)) : [uvSet(pass.texcoords)]))

  const triangles = mesh.triangles?.u32 ?? new Uint32Array(0)
  const count = mesh.triangles?.count ?? 0
  const groups = new Map<string, number[]>()
  const same = set.passes.every((pass) =>
    [pass.vertexMaterialIds, pass.shaderIds, pass.shaderMaterialIds, ...pass.stages.map((stage) => stage.textureIds)].every(
      (ids) => ids.length <= 1,
    ),
  )
  let broken = 0
  for (let t = 0; t < count; t++) {
    if (triangles[8 * t] >= vertexCount || triangles[8 * t + 1] >= vertexCount || triangles[8 * t + 2] >= vertexCount) {
      broken++
      continue
    }
    const key = same ? '' : set.passes.map((pass) => passKey(set, pass, t, triangles[8 * t])).join('|')
    const list = groups.get(key)
    if (list) list.push(t)
    else groups.set(key, [t])
  }
  if (broken)
    context.diagnostics.add(
      'warning',
      'w3d.triangle-vertex',
      say('scene.trianglesBroken', { count: broken, mesh: mesh.fullName }),
      `${path}.triangles`,
    )

  const indices = new Uint32Array(3 * (count - broken))
  const out: MeshGroup[] = []
  let at = 0
  for (const list of groups.values()) {
    const start = at
    for (const t of list) for (let i = 0; i < 3; i++) indices[at++] = triangles[8 * t + i]
    out.push({ start, count: at - start, material: addMaterial(mesh, set, list[0], triangles[8 * list[0]], sets, context, path) })
  }

  const dcg = set.passes[0]?.colors
  const colors =
    dcg && dcg.length >= 4 * vertexCount ? Float32Array.from(dcg.subarray(0, 4 * vertexCount), (v) => v / 255) : new Float32Array(0)
  return { groups: out, indices, uvs, colors }
}
