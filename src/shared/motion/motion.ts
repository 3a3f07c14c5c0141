/** Poses of a figure, frame after frame, each joint within its parent. */
import type { FigureParts } from './figure.ts'

/** Frames one behind the other. */
export interface Motion {
  frames: number
  /** 3 per joint, all joints of a frame together */
  translation: Float64Array
  /** 4 per joint */
  rotation: Float64Array
}

/** One frame, without copying. */
export function frameOf(motion: Motion, frame: number, joints: number): FigureParts {
  return {
    translation: motion.translation.subarray(3 * joints * frame, 3 * joints * (frame + 1)),
    rotation: motion.rotation.subarray(4 * joints * frame, 4 * joints * (frame + 1)),
  }
}

/** Quaternions of a frame on the side of the frame before. */
export function sameSide(rotation: Float64Array, width: number, frame: number): void {
  for (let o = frame * width; o < (frame + 1) * width; o += 4) {
    let dot = 0
    for (let c = 0; c < 4; c++) dot += rotation[o + c] * rotation[o - width + c]
    if (dot < 0) for (let c = 0; c < 4; c++) rotation[o + c] = -rotation[o + c]
  }
}
