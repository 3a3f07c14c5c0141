/**
 * Drawing of curves. Keys are found by halving, only those in sight are touched; where they stand closer than pixels a column of pixels gets one line from
 * its least to its greatest value, so that a spike shows at any zoom.
 */
import type { Curve, ValueRange } from './curves.ts'
import { valueToY } from './curves.ts'
import { lowerBound, markStep, timeToX, xToTime, type View } from './geometry.ts'
import { traceKey } from './key-mark.ts'

/** What of a canvas is used; a test or a bench may give less than a real one. */
export type CurveCanvas = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
  | 'fill'
  | 'rect'
  | 'closePath'
  | 'fillText'
  | 'strokeStyle'
  | 'fillStyle'
  | 'lineWidth'
  | 'font'
  | 'textBaseline'
  | 'globalAlpha'
>

/** Chosen points while they are dragged. */
export interface Moving {
  dt: number
  dv: number
  track: string
  component: number
}

export interface CurveColors {
  line: string
  text: string
  chosen: string
  /** of the components */
  axes: readonly string[]
}

export function drawValueAxis(
  g: CurveCanvas,
  range: ValueRange,
  width: number,
  height: number,
  colors: CurveColors,
  format: (value: number) => string,
): void {
  const step = markStep(height / (range.max - range.min), 28, false)
  g.lineWidth = 1
  g.strokeStyle = colors.line
  g.fillStyle = colors.text
  g.textBaseline = 'middle'
  g.beginPath()
  const first = Math.ceil(range.min / step)
  const last = Math.floor(range.max / step)
  for (let i = first; i <= last && i - first < 500; i++) {
    const v = i * step
    const y = Math.round(valueToY(range, height, v)) + 0.5
    g.moveTo(0, y)
    g.lineTo(width, y)
    g.fillText(format(Math.abs(v) < step / 1e6 ? 0 : v), 4, y - 7)
  }
  g.stroke()
}

export function drawTimeLines(g: CurveCanvas, view: View, width: number, height: number, whole: boolean, color: string): void {
  const step = markStep(view.scale, 64, whole)
  const first = Math.floor(view.start / step)
  const last = Math.ceil(xToTime(view, width) / step)
  g.lineWidth = 1
  g.strokeStyle = color
  g.globalAlpha = 0.5
  g.beginPath()
  for (let i = first; i <= last && i - first < 2000; i++) {
    const x = Math.round(timeToX(view, i * step)) + 0.5
    g.moveTo(x, 0)
    g.lineTo(x, height)
  }
  g.stroke()
  g.globalAlpha = 1
}

export function drawCurve(
  g: CurveCanvas,
  curve: Curve,
  view: View,
  range: ValueRange,
  width: number,
  height: number,
  color: string,
  chosenColor: string,
  chosen: ReadonlySet<number> | undefined,
  moving: Moving | null,
): void {
  const { track, values, stride, at } = curve
  const { times, limits, stepInto } = track
  const n = times.length
  if (!n) return
  const dt = moving?.dt ?? 0
  const dv = moving && moving.dv && moving.track === track.id && moving.component === curve.component ? moving.dv : 0
  const first = Math.max(0, lowerBound(times, xToTime(view, -8)) - 1)
  const last = Math.min(n - 1, lowerBound(times, xToTime(view, width + 8)))
  g.strokeStyle = color
  // a line of one pixel is drawn much quicker than a wider one where there is no graphics card
  g.lineWidth = 1
  g.beginPath()
  const crowded = last - first > width
  if (crowded) drawColumns(g, curve, view, range, height, first, last)
  else {
    const x = (k: number): number => timeToX(view, times[k] + (dt && chosen?.has(times[k]) ? dt : 0))
    const y = (k: number): number => valueToY(range, height, values[k * stride + at] + (dv && chosen?.has(times[k]) ? dv : 0))
    const x0 = x(first)
    g.moveTo(Math.min(0, x0), y(first))
    g.lineTo(x0, y(first))
    for (let k = first + 1; k <= last; k++) {
      const px = x(k)
      if (limits.stepped || stepInto?.[k]) g.lineTo(px, y(k - 1))
      g.lineTo(px, y(k))
    }
    if (last === n - 1) g.lineTo(Math.max(width, x(last)), y(last))
  }
  g.stroke()
  // points where there is room for them; chosen ones always, one for a pixel
  const roomy = !crowded && (last - first < 2 || (timeToX(view, times[last]) - timeToX(view, times[first])) / (last - first) >= 4)
  if (roomy) {
    g.fillStyle = color
    g.beginPath()
    for (let k = first; k <= last; k++) {
      if (chosen?.has(times[k])) continue
      const px = timeToX(view, times[k])
      const py = valueToY(range, height, values[k * stride + at])
      g.rect(px - 2, py - 2, 4, 4)
    }
    g.fill()
  }
  if (!chosen?.size) return
  g.fillStyle = chosenColor
  g.beginPath()
  let drawn = -Infinity
  for (let k = first; k <= last; k++) {
    if (!chosen.has(times[k])) continue
    const px = timeToX(view, times[k] + dt)
    if (px - drawn < 1) continue
    drawn = px
    const py = valueToY(range, height, values[k * stride + at] + dv)
    traceKey(g, px, py, 4)
  }
  g.fill()
}

const BLOCK = 16
const blocks = new WeakMap<Float32Array, Map<number, { min: Float32Array; max: Float32Array }>>()

/** Least and greatest value of each 16 keys of a component, made once. */
function blocksOf({ values, stride, at, track }: Curve): { min: Float32Array; max: Float32Array } {
  let own = blocks.get(values)
  if (!own) blocks.set(values, (own = new Map()))
  let found = own.get(at)
  if (found) return found
  const n = Math.floor(track.times.length / BLOCK)
  found = { min: new Float32Array(n).fill(Infinity), max: new Float32Array(n).fill(-Infinity) }
  for (let b = 0; b < n; b++) {
    for (let k = b * BLOCK; k < (b + 1) * BLOCK; k++) {
      const v = values[k * stride + at]
      if (v < found.min[b]) found.min[b] = v
      if (v > found.max[b]) found.max[b] = v
    }
  }
  own.set(at, found)
  return found
}

function drawColumns(g: CurveCanvas, curve: Curve, view: View, range: ValueRange, height: number, first: number, last: number): void {
  const { track, values, stride, at } = curve
  const { times } = track
  const { min: least, max: greatest } = blocksOf(curve)
  let begun = false
  let k = first
  while (k <= last) {
    const x = Math.floor(timeToX(view, times[k]))
    const beyond = xToTime(view, x + 1)
    let min = Infinity
    let max = -Infinity
    let end = NaN
    const begin = k
    while (k <= last && (times[k] < beyond || k === begin)) {
      if (k % BLOCK === 0 && k + BLOCK - 1 <= last && times[k + BLOCK - 1] < beyond) {
        const b = k / BLOCK
        if (least[b] < min) min = least[b]
        if (greatest[b] > max) max = greatest[b]
        end = values[(k + BLOCK - 1) * stride + at]
        k += BLOCK
      } else {
        const v = values[k * stride + at]
        if (v < min) min = v
        if (v > max) max = v
        end = v
        k++
      }
    }
    if (min > max) continue
    const px = x + 0.5
    if (begun) g.lineTo(px, valueToY(range, height, max))
    else g.moveTo(px, valueToY(range, height, max))
    begun = true
    if (min === max) continue
    g.lineTo(px, valueToY(range, height, min))
    if (end === end) g.lineTo(px, valueToY(range, height, end))
  }
}
