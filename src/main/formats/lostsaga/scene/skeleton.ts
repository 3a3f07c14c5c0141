/** Joints of the scene from a skeleton and the one that it links to. */
import { baseName } from '../../../../shared/ref.ts'
import { compose, identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { buildSkeleton, updateWorld } from '../../../../shared/scene/pose.ts'
import { mendMatrices } from '../../finite.ts'
import { Diagnostics } from '../../format.ts'
import { flipRotations, flipVectors } from './basis.ts'
import { INVERSE_POSITION, INVERSE_ROTATION, LOCAL_POSITION, LOCAL_ROTATION, NO_PARENT } from '../codecs/skl.ts'
import { say } from '../texts/index.ts'
import type { ModelBinding } from '../../binding.ts'
import type { Scene, Skeleton } from '../../../../shared/scene/types.ts'
import { unitQuaternion } from '../../../../shared/scene/length.ts'
import type { SklBone, SklDocument } from '../codecs/skl.ts'

export interface Rig {
  skeleton: Skeleton
  /** bone name, lower case -> joint */
  jointByName: Map<string, number>
  /** 16 per joint: inverse bind from the file, in scene space */
  inverseBind: Float32Array
  /** how far a bone's place in the bind pose is from the one at rest, at most */
  bindOffset: number
}

const ONE = new Float32Array([1, 1, 1])

/** @param skeletons that of the model and those that it links to; without any the model stands on one joint */
export function addSkeleton(
  scene: Scene,
  binding: ModelBinding,
  skeletons: readonly SklDocument[],
  report: (ref: string) => Diagnostics,
): Rig {
  const rig = skeletons.length ? rigOf(skeletons, report) : rootRig(binding)
  scene.skeleton = rig.skeleton
  return rig
}

function rootRig(binding: ModelBinding): Rig {
  const matrix = new Float32Array(16)
  identity(matrix)
  const { skeleton } = buildSkeleton([binding.name], [-1], matrix, () => ({ ref: binding.primary, path: '' }))
  skeleton.roles = ['hidden']
  return { skeleton, jointByName: new Map(), inverseBind: matrix.slice(), bindOffset: 0 }
}

/** How far the inverse bind matrices and the rest pose of a skeleton are apart: world * inverse bind should be the identity. In units. */
export function bindOffset(skl: SklDocument): number {
  return rigOf([skl], (ref) => new Diagnostics(ref)).bindOffset
}

/**
 * One skeleton of the bones of all: a linked skeleton gives those that the ones before it lack, hung on the bones that they name as
 * their parents. What the game does with it no original file has shown: this is said.
 */
function rigOf(skeletons: readonly SklDocument[], report: (ref: string) => Diagnostics): Rig {
  const byName = new Map<string, number>()
  const bones: { bone: SklBone; ref: string; path: string }[] = []
  skeletons.forEach(({ ref, bones: own }, s) => {
    const first = bones.length
    own.forEach((bone, i) => {
      const key = bone.name.text.toLowerCase()
      const known = byName.get(key)
      const path = `bones[${i}]`
      // of two skeletons the one that links has the report
      if (known !== undefined && known < first) return
      if (known !== undefined)
        report(ref).add(
          'warning',
          'lostsaga.duplicate-bone',
          say('scene.twoBones', { bone: bone.name.text }),
          `${path}.name`,
          bone.range.start,
        )
      else byName.set(key, bones.length)
      bones.push({ bone, ref, path })
    })
    if (s > 0)
      report(ref).add(
        'info',
        'lostsaga.linked-skeleton',
        say('scene.linkedBones', { count: bones.length - first, all: own.length, skeleton: baseName(ref) }),
        'linkedSkeleton',
      )
  })
  const n = bones.length
  if (n === 0) {
    const { ref } = skeletons[0]
    const matrix = new Float32Array(16)
    identity(matrix)
    return {
      ...buildSkeleton(['root'], [-1], matrix, () => ({ ref, path: '' })),
      jointByName: new Map(),
      inverseBind: matrix.slice(),
      bindOffset: 0,
    }
  }
  const local = new Float32Array(16 * n)
  const inverse = new Float32Array(16 * n)
  const parents = bones.map(({ bone, ref, path }, i) => {
    const t = flipVectors(bone.transform.slice(LOCAL_POSITION, LOCAL_POSITION + 3)),
      q = flipRotations(bone.transform.slice(LOCAL_ROTATION, LOCAL_ROTATION + 4))
    unitQuaternion(q, 0, 0)
    compose(local, 16 * i, t, 0, q, 0, ONE, 0)
    const it = flipVectors(bone.transform.slice(INVERSE_POSITION, INVERSE_POSITION + 3)),
      iq = flipRotations(bone.transform.slice(INVERSE_ROTATION, INVERSE_ROTATION + 4))
    unitQuaternion(iq, 0, 0)
    compose(inverse, 16 * i, it, 0, iq, 0, ONE, 0)
    const parent = bone.parent.text
    if (parent === NO_PARENT || parent === '') return -1
    const p = byName.get(parent.toLowerCase())
    if (p === undefined)
      report(ref).add(
        'warning',
        'lostsaga.unknown-parent',
        say('scene.unknownParent', { parent, bone: bone.name.text }),
        `${path}.parent`,
        bone.range.start,
      )
    return p ?? -1
  })
  mendMatrices(local)
  const { skeleton, jointOf } = buildSkeleton(
    bones.map(({ bone }) => bone.name.text),
    parents,
    local,
    (i) => ({ ref: bones[i].ref, path: bones[i].path }),
  )
  const inverseBind = new Float32Array(16 * n)
  const world = new Float32Array(16 * n)
  updateWorld(skeleton, skeleton.restLocal, world)
  const product = new Float32Array(16)
  let worst = 0
  bones.forEach((_, i) => {
    const j = jointOf[i]
    const file = inverse.subarray(16 * i, 16 * i + 16)
    if (file.every(Number.isFinite) && Math.abs(file[0]) + Math.abs(file[1]) + Math.abs(file[2]) > 1e-6) inverseBind.set(file, 16 * j)
    else invertAffine(inverseBind, 16 * j, world, 16 * j)
    multiply(product, 0, world, 16 * j, inverseBind, 16 * j)
    for (let k = 12; k < 15; k++) worst = Math.max(worst, Math.abs(product[k]))
  })
  const jointByName = new Map<string, number>()
  for (const [name, i] of byName) jointByName.set(name, jointOf[i])
  return { skeleton, jointByName, inverseBind, bindOffset: worst }
}
