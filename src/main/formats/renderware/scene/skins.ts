/** Weights of a skinned geometry on the joints of its clump. */
import { identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { packInfluences } from '../../../../shared/scene/skinning.ts'
import { mendMatrices } from '../../finite.ts'
import { basisMatrix, paddedMatrix } from './basis.ts'
import { boneMatrix } from '../codecs/skin.ts'
import { say } from '../texts/index.ts'
import type { Scene, SourceRef } from '../../../../shared/scene/types.ts'
import type { Diagnostics } from '../../format.ts'
import type { Rig } from './skeleton.ts'
import type { Skin } from '../codecs/skin.ts'

/** @param c number of the clump, @param source of the skin in the file @returns index into Scene.skins */
export function addSkin(
  scene: Scene,
  rig: Rig,
  c: number,
  native: Skin,
  name: string,
  source: SourceRef,
  diagnostics: Diagnostics,
): number {
  const joints = rig.clumps[c]
  const count = native.numBones
  const list = new Uint32Array(count)
  const inverseBind = new Float32Array(16 * count)
  const back = new Float64Array(16)
  const inverse = new Float64Array(16)
  if (!invertAffine(back, 0, joints.skinToRest, 0)) identity(back, 0)
  for (let b = 0; b < count; b++) {
    list[b] = rig.jointOf[rig.first[c] + Math.max(0, joints.jointOfNode[b])]
    paddedMatrix(inverse, 0, boneMatrix(native, b), 0)
    // rest pose to raw vertices to bone
    multiply(inverse, 0, inverse, 0, back, 0)
    basisMatrix(inverseBind, 16 * b, inverse, 0)
  }
  mendMatrices(inverseBind)
  let outside = 0
  const rows = packInfluences(native.numVertices, (v, push) => {
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      const w = native.weights[i]
      if (!(w > 0) || !Number.isFinite(w)) continue
      if (native.indices[i] < count) push(native.indices[i], w)
      else outside++
    }
  })
  if (outside) diagnostics.add('warning', 'renderware.bone-range', say('scene.boneRange', { count: outside }), source.path)
  scene.skins.push({ name, joints: list, inverseBind, ...rows, source })
  return scene.skins.length - 1
}
