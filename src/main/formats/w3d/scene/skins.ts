/** Skins of meshes, whose vertices stand in the space of their bones. */
import { invertAffine, transformPoint } from '../../../../shared/scene/matrix.ts'
import { SkinJoints, packInfluences } from '../../../../shared/scene/skinning.ts'
import { matrixToScene, vectorToScene, unitNormal } from './basis.ts'
import { vertexInfluence } from '../codecs/mesh.ts'
import { fixupOf } from './skeleton.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { Mesh, Scene } from '../../../../shared/scene/types.ts'
import type { MeshView } from '../codecs/mesh.ts'
import type { PlacedHierarchy } from './skeleton.ts'

/** Vertices from the space of their bones to the model's at rest; two bones agree there to 1e-4 [V], their weights say how much of each counts. */
export function addSkin(
  scene: Scene,
  worlds: number[],
  mesh: MeshView,
  out: Mesh,
  placed: PlacedHierarchy,
  diagnostics: Diagnostics,
): number {
  const { ref, path } = out.source
  const influences = mesh.influences!
  const { vertices2, normals2 } = influences
  const count = out.nativeVertexCount
  const own = new SkinJoints()
  const joints = own.list
  const withNormals = out.normals.length > 0
  const w = worlds
  const one = [0, 0, 0, 0]
  const bind = [0, 0, 0]
  const outside = new Set<number>()
  let second = 0
  const rows = packInfluences(count, (v, push) => {
    if (v >= influences.table.count) return
    vertexInfluence(influences, v, one)
    if (one[3] > 0 && vertices2.length < 3 * v + 3) {
      second++
      one[1] = 1
      one[3] = 0
    }
    let x = 0,
      y = 0,
      z = 0,
      nx = 0,
      ny = 0,
      nz = 0,
      sum = 0
    for (let i = 0; i < 4; i += 2) {
      const weight = one[i + 1]
      if (!(weight > 0)) continue
      const joint = placed.joints[one[i] + placed.nativeShift]
      if (joint === undefined) {
        outside.add(one[i])
        continue
      }
      const from = i === 0 ? mesh.vertices : vertices2
      const fixup = fixupOf(placed, one[i] + placed.nativeShift)
      if (fixup) transformPoint(bind, 0, fixup, 0, from[3 * v], from[3 * v + 1], from[3 * v + 2])
      else for (let c = 0; c < 3; c++) bind[c] = from[3 * v + c]
      transformPoint(bind, 0, w, 16 * joint, bind[0], bind[1], bind[2])
      x += weight * bind[0]
      y += weight * bind[1]
      z += weight * bind[2]
      sum += weight
      if (withNormals) {
        const n = i === 0 || normals2.length < 3 * v + 3 ? mesh.normals : normals2
        const m = 16 * joint
        const a = n[3 * v],
          b = n[3 * v + 1],
          c = n[3 * v + 2]
        nx += weight * (w[m] * a + w[m + 4] * b + w[m + 8] * c)
        ny += weight * (w[m + 1] * a + w[m + 5] * b + w[m + 9] * c)
        nz += weight * (w[m + 2] * a + w[m + 6] * b + w[m + 10] * c)
      }
      push(own.slot(joint), weight)
    }
    if (sum > 0) {
      bind[0] = x / sum
      bind[1] = y / sum
      bind[2] = z / sum
      vectorToScene(out.positions, 3 * v, bind, 0)
      if (withNormals) unitNormal(out.normals, 3 * v, nx, ny, nz)
    } else vectorToScene(out.positions, 3 * v, mesh.vertices, 3 * v)
  })
  if (influences.table.count < count)
    diagnostics.add(
      'warning',
      'w3d.influence-count',
      say('scene.influenceCount', { name: mesh.fullName, count: count, influences: influences.table.count }),
      path,
    )
  if (outside.size)
    diagnostics.add(
      'warning',
      'w3d.influence-bone',
      say('scene.bonesOutside', { name: mesh.fullName, bones: [...outside].slice(0, 8).join(', ') }),
      path,
    )
  if (second)
    diagnostics.add('warning', 'w3d.second-stream-missing', say('scene.secondStream', { count: second, name: mesh.fullName }), path)

  const inverseBind = new Float32Array(16 * joints.length)
  const world = new Float64Array(16)
  joints.forEach((joint, s) => {
    matrixToScene(world, 0, w, 16 * joint)
    invertAffine(inverseBind, 16 * s, world, 0)
  })
  scene.skins.push({
    name: mesh.fullName,
    joints: Uint32Array.from(joints),
    inverseBind,
    ...rows,
    source: { ref, path: `${path}.influences` },
  })
  return scene.skins.length - 1
}
