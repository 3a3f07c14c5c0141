/** FrameList Struct: the node tree of a clump. n records of 56 bytes; the frames' plugins follow as n Extension chunks. */
import type { LeafCodec } from './chunk.ts'

/** Words per frame: right[3], up[3], at[3], pos[3], parent, matFlags. */
export const FRAME_WORDS = 14

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
  label: 'FrameList Struct',
  fixed: -1,
  read(r) {
    const count = r.count(r.i32('numFrames'), 56, 'numFrames')
    return frameColumns(r.f32s(FRAME_WORDS * count, 'frames'))
  },
  write(v, out) {
    out.i32(v.count)
    out.raw(v.floats)
  },
  fields(v, list) {
    list.add('numFrames', 'i32', 4, v.count)
    for (let i = 0; i < v.count; i++) {
      const o = FRAME_WORDS * i
      list.group(`frames[${i}]`, 'Frame', (f) =>
        f
          .add('right', 'f32[3]', 12, v.floats.subarray(o, o + 3))
          .add('up', 'f32[3]', 12, v.floats.subarray(o + 3, o + 6))
          .add('at', 'f32[3]', 12, v.floats.subarray(o + 6, o + 9))
          .add('position', 'f32[3]', 12, v.floats.subarray(o + 9, o + 12))
          .add('parent', 'i32', 4, v.ints[o + 12])
          .add('matFlags', 'u32', 4, `0x${(v.ints[o + 13] >>> 0).toString(16)}`),
      )
    }
  },
}

/** A frame list over 14 words per frame. */
export function frameColumns(floats: Float32Array): FrameListStruct {
  return { count: Math.floor(floats.length / FRAME_WORDS), floats, ints: new Int32Array(floats.buffer, floats.byteOffset, floats.length) }
}
