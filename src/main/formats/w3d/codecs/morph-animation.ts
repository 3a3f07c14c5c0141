/** MORPH_ANIMATION: poses of other meshes, blended. Layouts from the released engine headers; no real file with one is known. It is shown, not played. */
import { ID } from './chunk-ids.ts'
import { chars, f32s, u32 } from '../../../binary/layout.ts'
import { records, struct, text, version, words } from './leaves.ts'
import { say } from '../texts/index.ts'
import type { LeafCodec } from './chunk.ts'

export const MORPHANIM_HEADER = struct(ID.MORPHANIM_HEADER, {
  version,
  name: chars(16),
  hierarchyName: chars(16),
  frameCount: u32,
  frameRate: f32s(1),
  channelCount: u32,
})
const MORPHANIM_POSENAME = text(ID.MORPHANIM_POSENAME)
const MORPHANIM_KEYDATA = records(ID.MORPHANIM_KEYDATA, { morphFrame: u32, poseFrame: u32 })
const MORPHANIM_PIVOTCHANNELDATA = words(ID.MORPHANIM_PIVOTCHANNELDATA, 1, () => say('codecs.pivotChannels'))

export const morphAnimationCodecs: readonly LeafCodec[] = [
  MORPHANIM_HEADER,
  MORPHANIM_POSENAME,
  MORPHANIM_KEYDATA,
  MORPHANIM_PIVOTCHANNELDATA,
]
