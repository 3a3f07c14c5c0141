/** FrameList Struct: the node tree of a clump. n records of 56 bytes; the frames' plugins follow as n Extension chunks. */
import { flags32, floatRuns, i32, recordList } from '../../../binary/layout.ts'
import { reference } from '../../../binary/field-use.ts'
import type { LeafCodec } from './chunk.ts'

const FRAMES = recordList(
  {
    place: floatRuns({ right: { count: 3 }, up: { count: 3 }, at: { count: 3 }, position: { count: 3 } }),
    parent: reference(i32, 'frames', -1),
    matFlags: flags32,
  },
  'frames',
  { most: Infinity },
  'Frame',
)
/** Words per frame: right[3], up[3], at[3], pos[3], parent, matFlags. */
export const FRAME_WORDS = FRAMES.stride / 4

/**
 * Row vectors: world = local * parentWorld. The 56-byte records stay one strided column, seen as floats and as integers.
 */
export interface FrameListStruct {
  count: number
  /** 14 per frame: [0..8] right, up, at; [9..11] position; lengths in game units (metres), parent's space */
  floats: Float32Array
  /** the same bytes: [12] parent (-1 root), [13] matFlags */
  ints: Int32Array
}

export const frameListStruct: LeafCodec<FrameListStruct> = {
  id: 'frameList',
  fixed: -1,
  read(r) {
    const count = r.count(r.i32('numFrames'), FRAMES.stride, 'numFrames')
    return frameColumns(r.f32s(FRAME_WORDS * count, 'frames'))
  },
  write(v, out) {
    out.i32(v.count)
    out.raw(v.floats)
  },
  fields(v, list) {
    list.add('numFrames', 'i32', 4, v.count, { use: { is: 'structure' } }).records(FRAMES, v.floats)
  },
}

/** A frame list over 14 words per frame. */
export function frameColumns(floats: Float32Array): FrameListStruct {
  return { count: Math.floor(floats.length / FRAME_WORDS), floats, ints: new Int32Array(floats.buffer, floats.byteOffset, floats.length) }
}
