/** The animation file of a clip, and how rotations are packed into it. */
import { clipAt, ofFormat } from '../../address.ts'
import { ani } from '../codecs/ani.ts'
import { OPTION } from '../scene/options.ts'
import type { AniDocument } from '../codecs/ani.ts'
import type { PackMode } from '../codecs/rotation.ts'
import type { OpenDocuments } from '../../editing.ts'

/** @throws FormatError not-found */
export function aniOf(model: OpenDocuments, clip: number): AniDocument {
  return ofFormat<AniDocument>(model.document(clipAt(model, clip).source.ref), ani.id, 'clip', String(clip))
}

export function packing(model: OpenDocuments): PackMode {
  return model.assembled.options.find((o) => o.key === OPTION.packing)?.value === 'game' ? 'game' : 'round'
}
