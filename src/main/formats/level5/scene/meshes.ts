/** Meshes of nodes: one vertex per different corner, triangles in groups by material. */
import { mendNumbers } from '../../finite.ts'
import { keptOf } from '../../kept.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { addMaterial } from './materials.ts'
import { meshOf, nodeName } from '../codecs/mds.ts'
import { cornerRoles, primitiveStride, triangleCorners } from '../codecs/mdt.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Diagnostics } from '../../format.ts'
import type { Mesh, Scene } from '../../../../shared/scene/types.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { MdtNode } from '../codecs/mdt.ts'
import type { MdsInScene } from './skeleton.ts'
import type { Textures } from './textures.ts'

/** The mesh of a node, with its materials; nothing where the node has none. */
export function addMesh(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  i: number,
  textures: Textures,
  diagnostics: Diagnostics,
): void {
  const n = model.nodes[i]
  const mdt = meshOf(model, n)
  if (!mdt) return
  const name = nodeName(n)
  const attributes = nodeAttributes(name)
  const source = { ref: model.ref, path: `nodes[${i}].mdt` }
  const firstMaterial = scene.materials.length
  place.materialOfNode[i] = firstMaterial
  mdt.materials.forEach((_, k) => addMaterial(scene, model, i, mdt, k, textures))
  // an edit of keys is one of another file
  const geometry = keptOf(model, `geometry ${i} ${firstMaterial}`, () => geometryOf(mdt, firstMaterial))
  if (geometry.odd)
    diagnostics.add('warning', 'level5.mesh-number', say('scene.coordinates', { count: geometry.odd, mesh: name }), source.path)
  place.meshOfNode[i] = scene.meshes.length
  scene.meshes.push({
    name,
    joint: place.jointOf[i],
    ...geometry.mesh,
    skin: -1,
    nativeVertexCount: mdt.vertices.length / 4,
    visible: !attributes.hidden,
    lod: -1,
    sortLevel: attributes.blend === 'additive' || attributes.blend === 'subtractive' ? 1 : 0,
    source,
  })
}

type Geometry = Pick<Mesh, 'positions' | 'normals' | 'uvs' | 'colors' | 'indices' | 'groups' | 'nativeVertex'>

/** Triangles with one vertex per different corner (position, normal, uv, colour). */
function geometryOf(mdt: MdtNode, firstMaterial: number): { mesh: Geometry; odd: number } {
  const primitives = mdt.faces?.primitives ?? []
  const limit = { position: mdt.vertices.length / 4, normal: mdt.normals.length / 4, uv: mdt.uvs.length / 4, color: mdt.colors.length / 4 }
  const total = primitives.reduce((n, p) => n + p.indices.length / primitiveStride(p.type), 0)
  // corner -> vertex, by open addressing over the four indices
  let bits = 4
  while (1 << bits < 2 * total) bits++
  const slots = new Int32Array(1 << bits).fill(-1)
  const mask = slots.length - 1
  const corners = new Int32Array(4 * total)
  let used = 0
  const vertexOf = (position: number, normal: number, uv: number, color: number): number => {
    let h =
      (Math.imul(position, 0x9e3779b1) ^ Math.imul(normal, 0x85ebca6b) ^ Math.imul(uv, 0xc2b2ae35) ^ Math.imul(color, 0x27d4eb2f)) >>> 0
    h = (h ^ (h >>> 15)) & mask
    for (;;) {
      const v = slots[h]
      if (v < 0) {
        slots[h] = used
        corners[4 * used] = position
        corners[4 * used + 1] = normal
        corners[4 * used + 2] = uv
        corners[4 * used + 3] = color
        return used++
      }
      if (corners[4 * v] === position && corners[4 * v + 1] === normal && corners[4 * v + 2] === uv && corners[4 * v + 3] === color)
        return v
      h = (h + 1) & mask
    }
  }
  const byMaterial = new Map<number, number[]>()
  for (const p of primitives) {
    const stride = primitiveStride(p.type)
    const roles = cornerRoles(p.type)
    const n = p.indices.length / stride
    const vertices = new Int32Array(n)
    const value = { position: -1, normal: -1, uv: -1, color: -1 }
    for (let c = 0; c < n; c++) {
      value.position = value.normal = value.uv = value.color = -1
      for (let r = 0; r < stride; r++) {
        const index = p.indices[c * stride + r]
        value[roles[r]] = index >= 0 && index < limit[roles[r]] ? index : -1
      }
      vertices[c] = value.position < 0 ? -1 : vertexOf(value.position, value.normal, value.uv, value.color)
    }
    const material = p.material < mdt.materials.length ? firstMaterial + p.material : -1
    let list = byMaterial.get(material)
    if (!list) byMaterial.set(material, (list = []))
    const triangles = triangleCorners(p)
    for (let t = 0; t < triangles.length; t += 3) {
      const a = vertices[triangles[t]],
        b = vertices[triangles[t + 1]],
        c = vertices[triangles[t + 2]]
      // what points outside the mesh is reported by its decoder
      if (a >= 0 && b >= 0 && c >= 0) list.push(a, b, c)
    }
  }
  const count = [...byMaterial.values()].reduce((n, list) => n + list.length, 0)
  const indices = new Uint32Array(count)
  const groups: Mesh['groups'] = []
  let at = 0
  for (const [material, list] of byMaterial) {
    if (!list.length) continue
    indices.set(list, at)
    groups.push({ start: at, count: list.length, material })
    at += list.length
  }
  const positions = new Float32Array(3 * used)
  const normals = new Float32Array(3 * used)
  const uvs = new Float32Array(2 * used)
  const colors = limit.color ? new Float32Array(4 * used).fill(1) : new Float32Array(0)
  const nativeVertex = new Uint32Array(used)
  // colours run to 1 or to 128: nobody settles it, the values do
  let most = 0
  for (const v of mdt.colors) if (v > most) most = v
  const colorScale = most > 2 ? 1 / 128 : 1
  const bare: number[] = []
  for (let v = 0; v < used; v++) {
    const [p, n, uv, color] = [corners[4 * v], corners[4 * v + 1], corners[4 * v + 2], corners[4 * v + 3]]
    nativeVertex[v] = p
    for (let c = 0; c < 3; c++) positions[3 * v + c] = mdt.vertices[4 * p + c]
    if (n >= 0) {
      const x = mdt.normals[4 * n],
        y = mdt.normals[4 * n + 1],
        z = mdt.normals[4 * n + 2]
      const length = length3(x, y, z)
      if (length > 0 && Number.isFinite(length)) {
        normals[3 * v] = x / length
        normals[3 * v + 1] = y / length
        normals[3 * v + 2] = z / length
      } else bare.push(v)
    } else bare.push(v)
    if (uv >= 0) {
      uvs[2 * v] = mdt.uvs[4 * uv]
      uvs[2 * v + 1] = mdt.uvs[4 * uv + 1]
    }
    if (color >= 0) for (let c = 0; c < 4; c++) colors[4 * v + c] = mdt.colors[4 * color + c] * colorScale
  }
  const odd = mendNumbers(positions) + mendNumbers(uvs) + mendNumbers(colors, 1)
  if (bare.length) faceNormals(positions, indices, normals, bare)
  return { mesh: { positions, normals, uvs: limit.uv ? [uvs] : [], colors, indices, groups, nativeVertex }, odd }
}

/** Normals for vertices that the file gives none: the sum of their triangles'. */
function faceNormals(positions: Float32Array, indices: Uint32Array, normals: Float32Array, bare: number[]): void {
  const wanted = new Uint8Array(positions.length / 3)
  for (const v of bare) wanted[v] = 1
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]]
    const ux = positions[b] - positions[a],
      uy = positions[b + 1] - positions[a + 1],
      uz = positions[b + 2] - positions[a + 2]
    const vx = positions[c] - positions[a],
      vy = positions[c + 1] - positions[a + 1],
      vz = positions[c + 2] - positions[a + 2]
    for (const at of [a, b, c]) {
      if (!wanted[at / 3]) continue
      normals[at] += uy * vz - uz * vy
      normals[at + 1] += uz * vx - ux * vz
      normals[at + 2] += ux * vy - uy * vx
    }
  }
  for (const v of bare) {
    const length = length3(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2])
    if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 3; c++) normals[3 * v + c] /= length
    else normals.set([0, 1, 0], 3 * v)
  }
}
