/** Drawing of what is checked in the motion: bars of a value a frame, and ranges. Frames that share a pixel show the greatest of them. */
import { lowerBound, timeToX, xToTime, type View } from './geometry.ts'

/** Height of a bar, 0 to 1: small values are seen beside large ones. */
export function barHeight(value: number, full: number): number {
  if (!(value > 0)) return 0
  return Math.min(1, 0.15 + 0.85 * Math.sqrt(Math.min(1, value / full)))
}

/** @param full value of the tallest bar */
export function drawBars(
  g: CanvasRenderingContext2D,
  view: View,
  width: number,
  height: number,
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  full: number,
  color: string,
): void {
  g.fillStyle = color
  const last = xToTime(view, width)
  const wide = times.length > 1 ? Math.max(1, (times[1] - times[0]) * view.scale) : 3
  let [at, most] = [-Infinity, 0]
  const put = (): void => {
    const tall = barHeight(most, full)
    if (!tall) return
    g.globalAlpha = 0.35 + 0.65 * tall
    g.fillRect(at - wide / 2, height - tall * height, Math.ceil(wide), tall * height)
  }
  for (let k = Math.max(0, lowerBound(times, view.start) - 1); k < times.length && times[k] <= last + wide / view.scale; k++) {
    const x = Math.round(timeToX(view, times[k]))
    if (x !== at) {
      put()
      at = x
      most = 0
    }
    most = Math.max(most, values[k])
  }
  put()
  g.globalAlpha = 1
}

/** Ranges of frames that are 1, as a quiet line. */
export function drawRanges(
  g: CanvasRenderingContext2D,
  view: View,
  top: number,
  height: number,
  times: ArrayLike<number>,
  on: ArrayLike<number>,
  color: string,
): void {
  g.fillStyle = color
  for (let k = 0; k < times.length; k++) {
    if (!on[k] || (k > 0 && on[k - 1])) continue
    let end = k
    while (end + 1 < times.length && on[end + 1]) end++
    const [a, b] = [timeToX(view, times[k]), timeToX(view, times[end])]
    g.fillRect(a, top, Math.max(2, b - a), height)
    k = end
  }
}
