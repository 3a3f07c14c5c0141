/** The animation file of a clip, how rotations are packed into it, and what a bone at rest has there. */
import { clipAt, ofFormat } from '../../address.ts'
import { ani } from '../codecs/ani.ts'
import { OPTION } from '../scene/options.ts'
import type { AniDocument } from '../codecs/ani.ts'
import type { PackMode } from '../codecs/rotation.ts'
import type { BonePose } from './clip-windows.ts'
import type { OpenDocuments } from '../../editing.ts'

/** @throws FormatError not-found */
export function aniOf(model: OpenDocuments, clip: number): AniDocument {
  return ofFormat<AniDocument>(model.document(clipAt(model, clip).source.ref), ani.id, 'clip', String(clip))
}

export function packing(model: OpenDocuments): PackMode {
  return model.assembled.options.find((o) => o.key === OPTION.packing)?.value === 'game' ? 'game' : 'round'
}

/** A joint of the scene at rest, as the file has it: Lost Saga's space is the other hand's. */
export function restPose(model: OpenDocuments, joint: number): BonePose {
  const { restRotation, restTranslation } = model.assembled.scene.skeleton
  const q = restRotation.subarray(4 * joint, 4 * joint + 4)
  const t = restTranslation.subarray(3 * joint, 3 * joint + 3)
  return { rotation: [-q[0], -q[1], q[2], q[3]], position: [t[0], t[1], -t[2]] }
}
