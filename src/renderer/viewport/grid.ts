/** The floor: lines at round distances that suit the model, with the axes of the scene. */
import type { Bounds } from './bounds.ts'
import { radius } from './bounds.ts'
import type { FlatData, Tint } from './flat-batch.ts'

export interface GridMeasure {
  /** between fine lines; every tenth is strong */
  step: number
  /** lines on each side of the middle */
  lines: number
  extent: number
}

/** A power of ten below a sixth of the model, so that a figure stands on a handful of strong squares at most. */
export function measureGrid(bounds: Bounds): GridMeasure {
  const size = Math.max(radius(bounds) * 2, 1e-4)
  const step = 10 ** Math.floor(Math.log10(size / 6))
  const lines = Math.min(200, Math.max(20, Math.ceil((size * 2.2) / step / 10) * 10))
  return { step, lines, extent: lines * step }
}

export const AXIS_X: Tint = [0.86, 0.29, 0.33, 1]
export const AXIS_Y: Tint = [0.45, 0.74, 0.3, 1]
export const AXIS_Z: Tint = [0.3, 0.52, 0.93, 1]

export function fillGrid(data: FlatData, grid: GridMeasure, dark: boolean): void {
  data.clear()
  const fine: Tint = dark ? [1, 1, 1, 0.055] : [0, 0, 0, 0.07]
  const strong: Tint = dark ? [1, 1, 1, 0.16] : [0, 0, 0, 0.2]
  const e = grid.extent
  for (let i = -grid.lines; i <= grid.lines; i++) {
    const at = i * grid.step
    const tint = i % 10 ? fine : strong
    // in pieces, since the fade is worked out per vertex on some drivers' line clipping
    if (i !== 0) {
      data.line([at, 0, -e], [at, 0, e], tint)
      data.line([-e, 0, at], [e, 0, at], tint)
    }
  }
  const soft = (t: Tint, a: number): Tint => [t[0], t[1], t[2], a]
  data.line([0, 0, 0], [e, 0, 0], soft(AXIS_X, 0.9))
  data.line([-e, 0, 0], [0, 0, 0], soft(AXIS_X, 0.35))
  data.line([0, 0, 0], [0, 0, e], soft(AXIS_Z, 0.9))
  data.line([0, 0, -e], [0, 0, 0], soft(AXIS_Z, 0.35))
}
