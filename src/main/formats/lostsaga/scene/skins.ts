/** Weights of a mesh on the joints that its bones are. */
import { packInfluences } from '../../../../shared/scene/skinning.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { Scene } from '../../../../shared/scene/types.ts'
import type { MshDocument } from '../codecs/msh.ts'
import type { Rig } from './skeleton.ts'

/** @param names of the bones that the mesh numbers @returns index into Scene.skins */
export function addSkin(
  scene: Scene,
  rig: Rig,
  document: MshDocument,
  names: NonNullable<MshDocument['boneNames']>,
  name: string,
  report: Diagnostics,
): number {
  const missing = names.filter((n) => !rig.jointByName.has(n.text.toLowerCase()))
  if (missing.length)
    report.add(
      'warning',
      'lostsaga.bone-missing',
      say('scene.missingBones', {
        count: missing.length,
        all: names.length,
        bones: missing
          .slice(0, 4)
          .map((m) => m.text || '(empty)')
          .join(', '),
      }),
      'bones',
      document.places.bones,
    )
  const joints = Uint32Array.from(names, (n) => rig.jointByName.get(n.text.toLowerCase()) ?? 0)
  const inverseBind = new Float32Array(16 * joints.length)
  joints.forEach((j, i) => inverseBind.set(rig.inverseBind.subarray(16 * j, 16 * j + 16), 16 * i))
  scene.skins.push({
    name,
    joints,
    inverseBind,
    ...packInfluences(document.vertexCount, (vertex, push) => {
      for (let s = 0; s < 4; s++) {
        const w = document.influences[8 * vertex + s],
          b = document.influences[8 * vertex + 4 + s]
        // the game stops at the first weight that is not above zero
        if (!(w > 0)) break
        if (Number.isInteger(b) && b >= 0 && b < names.length) push(b, w)
      }
    }),
    source: { ref: document.ref, path: 'influences' },
  })
  return scene.skins.length - 1
}
