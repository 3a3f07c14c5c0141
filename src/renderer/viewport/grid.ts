/** The floor: lines at round distances that suit the model, with the axes of the scene. */
import type { Bounds } from './bounds.ts'
import { radius, withExtent } from './bounds.ts'
import type { FlatData, Tint } from './flat-batch.ts'
import type { Stand } from './orbit.ts'

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

/**
 * Where the floor is: under the lowest point of the resting model. A model that stands on the scene's own floor, or nearly, keeps that.
 * @param rest box of the model at rest
 */
export function floorUnder(rest: Bounds): number {
  const lowest = rest.min[1]
  return Math.abs(lowest) < radius(rest) * 0.02 ? 0 : lowest
}

/** @param rest box of the model at rest */
export function standOf(rest: Bounds): Stand {
  const { min, max } = withExtent(rest)
  return { floor: floorUnder(rest), extent: max[1] - min[1] || 1 }
}

/** @param y height of the floor */
export function fillGrid(data: FlatData, grid: GridMeasure, dark: boolean, y = 0): void {
  data.clear()
  const fine: Tint = dark ? [1, 1, 1, 0.055] : [0, 0, 0, 0.07]
  const strong: Tint = dark ? [1, 1, 1, 0.16] : [0, 0, 0, 0.2]
  const e = grid.extent
  for (let i = -grid.lines; i <= grid.lines; i++) {
    const at = i * grid.step
    const tint = i % 10 ? fine : strong
    // in pieces, since the fade is worked out per vertex on some drivers' line clipping
    if (i !== 0) {
      data.line([at, y, -e], [at, y, e], tint)
      data.line([-e, y, at], [e, y, at], tint)
    }
  }
  const soft = (t: Tint, a: number): Tint => [t[0], t[1], t[2], a]
  data.line([0, y, 0], [e, y, 0], soft(AXIS_X, 0.9))
  data.line([-e, y, 0], [0, y, 0], soft(AXIS_X, 0.35))
  data.line([0, y, 0], [0, y, e], soft(AXIS_Z, 0.9))
  data.line([0, y, -e], [0, y, 0], soft(AXIS_Z, 0.35))
}
