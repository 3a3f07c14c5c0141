/** Meshes of the scene from MSH files, and from the collision meshes beside them. */
import { stemOf } from '../../../../shared/ref.ts'
import { plainMaterial } from '../../../../shared/scene/types.ts'
import { flipVectors, flipWinding } from './basis.ts'
import { faceIndices } from '../codecs/msh.ts'
import { addSkin } from './skins.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { Mesh, Scene } from '../../../../shared/scene/types.ts'
import type { CmsDocument } from '../codecs/cms.ts'
import type { MshDocument } from '../codecs/msh.ts'
import type { Rig } from './skeleton.ts'

/** @param materials of the scene, one per submesh */
export function addMesh(
  scene: Scene,
  rig: Rig,
  document: MshDocument,
  materials: number[],
  hasSkeleton: boolean,
  report: Diagnostics,
): void {
  const v = document.vertexCount
  if (document.positions.length < 3 * v) {
    report.add('warning', 'lostsaga.no-positions', say('scene.noPositions'), 'vertexMask', 12)
    return
  }
  const raw = faceIndices(document)
  const indices = new Uint32Array(raw.length)
  let used = 0
  const start: number[] = []
  const submeshes = document.submeshes.length / 4
  const groups: Mesh['groups'] = []
  const taken = new Uint8Array(raw.length / 3)
  const take = (face: number): void => {
    const [a, b, c] = [raw[3 * face], raw[3 * face + 1], raw[3 * face + 2]]
    taken[face] = 1
    if (a >= v || b >= v || c >= v) return
    indices[used++] = a
    indices[used++] = b
    indices[used++] = c
  }
  for (let s = 0; s < submeshes; s++) {
    const from = document.submeshes[4 * s + 2] / 3,
      count = document.submeshes[4 * s + 3]
    start[s] = used
    if (from >= 0 && count >= 0) for (let f = Math.floor(from); f < Math.min(from + count, taken.length); f++) if (!taken[f]) take(f)
    groups.push({
      start: start[s],
      count: used - start[s],
      material: materials[s] ?? -1,
      source: { ref: document.ref, path: `submeshes[${s}]` },
    })
  }
  const rest = used
  for (let f = 0; f < taken.length; f++) if (!taken[f]) take(f)
  if (used > rest) groups.push({ start: rest, count: used - rest, material: materials[0] ?? -1 })
  const colors = new Float32Array(document.colors.length * 4)
  document.colors.forEach((c, i) => {
    colors[4 * i] = ((c >>> 16) & 255) / 255
    colors[4 * i + 1] = ((c >>> 8) & 255) / 255
    colors[4 * i + 2] = (c & 255) / 255
    colors[4 * i + 3] = (c >>> 24) / 255
  })
  const uvs = [document.uv0, document.uv1].filter((uv) => uv.length).map((uv) => uv.slice())
  const mesh: Mesh = {
    name: stemOf(document.ref),
    joint: 0,
    positions: flipVectors(document.positions.slice()),
    normals: flipVectors(document.normals.slice()),
    uvs,
    colors,
    indices: flipWinding(indices.slice(0, used)),
    groups,
    skin: -1,
    nativeVertex: Uint32Array.from({ length: v }, (_, i) => i),
    nativeVertexCount: v,
    visible: true,
    lod: -1,
    source: { ref: document.ref, path: '' },
  }
  if (document.meshType === 3 || document.meshType === 4) mesh.billboard = 'full'
  if (document.boneNames && hasSkeleton) mesh.skin = addSkin(scene, rig, document, document.boneNames, mesh.name, report)
  else if (document.boneNames) report.add('warning', 'lostsaga.no-skeleton', say('scene.noSkeleton'), 'bones', document.places.bones)
  addControlPoints(scene, rig, document)
  scene.meshes.push(mesh)
}

function addControlPoints(scene: Scene, rig: Rig, document: MshDocument): void {
  document.controlPoints?.forEach((point, i) => {
    const joint = rig.jointByName.get(point.linkedBone.text.toLowerCase()) ?? 0
    const [x, y, z] = point.position
    scene.helpers.push({
      name: point.type.text || say('scene.controlPoint', { number: i }),
      kind: 'point',
      joint,
      center: [x, y, -z],
      extent: [0, 0, 0],
      color: [1, 0.7, 0.2],
      label: [point.type.text, point.linkedBone.text, point.extra.text].filter(Boolean).join(' · '),
      source: { ref: document.ref, path: `controlPoints[${i}]` },
    })
  })
}

/** @param alone nothing else is shown: the collision mesh is the model */
export function addCollision(scene: Scene, document: CmsDocument, alone: boolean): void {
  const v = document.positions.length / 3
  const valid: number[] = []
  for (let f = 0; f < document.faces.length; f += 3) {
    const [a, b, c] = document.faces.subarray(f, f + 3)
    if (a < v && b < v && c < v) valid.push(a, b, c)
  }
  const indices = flipWinding(Uint32Array.from(valid))
  const material = plainMaterial('collision', { ref: document.ref, path: '' })
  material.diffuse = [0.45, 0.75, 0.95, 0.5]
  material.blend = 'alpha'
  material.doubleSided = false
  scene.materials.push(material)
  scene.meshes.push({
    name: `${stemOf(document.ref)} (collision)`,
    joint: 0,
    positions: flipVectors(document.positions.slice()),
    normals: new Float32Array(0),
    uvs: [],
    colors: new Float32Array(0),
    indices,
    groups: [{ start: 0, count: indices.length, material: scene.materials.length - 1 }],
    skin: -1,
    nativeVertex: Uint32Array.from({ length: v }, (_, i) => i),
    nativeVertexCount: v,
    visible: alone,
    lod: -1,
    source: { ref: document.ref, path: '' },
  })
}
