/**
 * The skeleton as a glTF has it: names that no two nodes share, rest transforms in parts, and for every joint the one
 * bind matrix that all skins agree on. An export writes it; an import measures what came back against it.
 */
import { jointNames } from '../../shared/scene/animation-names.ts'
import { createPose } from '../../shared/scene/pose.ts'
import { compose, identity, invertAffine, multiply } from '../../shared/scene/matrix.ts'
import { unitQuaternion } from '../../shared/scene/length.ts'
import type { Mesh, Scene, Skin } from '../../shared/scene/types.ts'

export interface ExportedRest {
  /** of the joints, no two alike */
  names: string[]
  /** 16 per joint: the rest pose in scene space as translation, rotation and scale hold it, without what is skewed */
  world: Float64Array
  /** 16 per joint: from `world` to the rest pose in the joint's space; the identity but for joints whose rest is skewed */
  skew: Float64Array
  /** 16 per joint: scene space at bind to the joint's space, as the first skin says that has the joint, otherwise by its rest below its parent */
  inverseBind: Float64Array
  /** joints whose rest is skewed, and the greatest part of a length that it moves a point by */
  skewed: number[]
  worstSkew: number
}

/** What rounding of 32-bit matrices leaves. */
const SKEW = 1e-4

export function exportedRest(scene: Scene): ExportedRest {
  const s = scene.skeleton
  const rest: ExportedRest = {
    names: jointNames(s),
    world: new Float64Array(16 * s.count),
    skew: new Float64Array(16 * s.count),
    inverseBind: new Float64Array(16 * s.count),
    skewed: [],
    worstSkew: 0,
  }
  const real = Float64Array.from(createPose(scene).world)
  const local = new Float64Array(16)
  const back = new Float64Array(16)
  for (let i = 0; i < s.count; i++) {
    compose(local, 0, finiteOf(s.restTranslation, 3 * i, 3), 0, unitOf(s.restRotation, 4 * i), 0, finiteOf(s.restScale, 3 * i, 3), 0)
    const parent = s.parents[i]
    if (parent < 0) rest.world.set(local, 16 * i)
    else multiply(rest.world, 16 * i, rest.world, 16 * parent, local, 0)
    identity(rest.skew, 16 * i)
    if (!invertAffine(back, 0, rest.world, 16 * i)) continue
    multiply(back, 0, back, 0, real, 16 * i)
    let worst = 0
    for (let c = 0; c < 12; c++) if (c % 4 < 3) worst = Math.max(worst, Math.abs(back[c] - (c % 5 === 0 ? 1 : 0)))
    if (!(worst > SKEW) || !back.every(Number.isFinite)) continue
    rest.skew.set(back, 16 * i)
    rest.skewed.push(i)
    rest.worstSkew = Math.max(rest.worstSkew, worst)
  }
  const known = new Uint8Array(s.count)
  for (const skin of usedSkins(scene))
    skin.joints.forEach((joint, slot) => {
      if (joint >= s.count || known[joint]) return
      known[joint] = 1
      multiply(rest.inverseBind, 16 * joint, rest.skew, 16 * joint, finiteOf(skin.inverseBind, 16 * slot, 16), 0)
    })
  for (let i = 0; i < s.count; i++) {
    if (known[i]) continue
    // bound below its parent as it rests below it
    const parent = s.parents[i]
    if (parent < 0) invertAffine(rest.inverseBind, 16 * i, rest.world, 16 * i)
    else {
      invertAffine(local, 0, rest.world, 16 * i)
      multiply(local, 0, local, 0, rest.world, 16 * parent)
      multiply(rest.inverseBind, 16 * i, local, 0, rest.inverseBind, 16 * parent)
    }
  }
  return rest
}

/** Skins that a mesh of the highest level of detail has, the one with the most joints first. */
function usedSkins(scene: Scene): Skin[] {
  const shown = (mesh: Mesh): boolean => mesh.skin >= 0 && (mesh.lod < 0 || mesh.lod === scene.lods.length - 1)
  const used = [...new Set(scene.meshes.filter(shown).map((mesh) => mesh.skin))].flatMap((i) => scene.skins[i] ?? [])
  return used.sort((a, b) => b.joints.length - a.joints.length)
}

function finiteOf(values: Float32Array, offset: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => (Number.isFinite(values[offset + i]) ? values[offset + i] : 0))
}

function unitOf(values: Float32Array, offset: number): Float64Array {
  const q = finiteOf(values, offset, 4)
  unitQuaternion(q, 0)
  return q
}
