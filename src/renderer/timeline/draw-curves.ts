/**
 * Drawing of curves. Keys are found by halving, only those in sight are touched; where they stand closer than pixels a column of pixels gets one line from
 * its least to its greatest value, so that a spike shows at any zoom.
 */
import type { Curve, ValueRange } from './curves.ts'
import { valueToY } from './curves.ts'
import { lowerBound, markStep, timeToX, xToTime, type View } from './geometry.ts'

/** What of a canvas is used; a test or a bench may give less than a real one. */
export type CurveCanvas = Pick<CanvasRenderingContext2D, 'beginPath' | 'moveTo' | 'lineTo' | 'stroke' | 'fill' | 'rect' | 'closePath' | 'fillText' | 'strokeStyle' | 'fillStyle' | 'lineWidth' | 'font' | 'textBaseline' | 'globalAlpha' | 'lineJoin'>

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

export function drawValueAxis(g: CurveCanvas, range: ValueRange, width: number, height: number, colors: CurveColors, format: (value: number) => string): void {
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

export function drawCurve(g: CurveCanvas, curve: Curve, view: View, range: ValueRange, width: number, height: number, color: string, chosenColor: string, chosen: ReadonlySet<number> | undefined, moving: Moving | null): void {
  const { track, values, stride, at } = curve
  const { times, limits, stepInto } = track
  const n = times.length
  if (!n) return
  const dt = moving?.dt ?? 0
  const dv = moving && moving.dv && moving.track === track.id && !curve.derived && moving.component === curve.component ? moving.dv : 0
  const first = Math.max(0, lowerBound(times, xToTime(view, -8)) - 1)
  const last = Math.min(n - 1, lowerBound(times, xToTime(view, width + 8)))
  g.strokeStyle = color
  g.lineWidth = 1.25
  g.lineJoin = 'round'
  g.beginPath()
  const crowded = last - first > 2 * width
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
      g.rect(timeToX(view, times[k]) - 2, valueToY(range, height, values[k * stride + at]) - 2, 4, 4)
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
    g.moveTo(px, py - 4)
    g.lineTo(px + 4, py)
    g.lineTo(px, py + 4)
    g.lineTo(px - 4, py)
    g.closePath()
  }
  g.fill()
}

function drawColumns(g: CurveCanvas, { track, values, stride, at }: Curve, view: View, range: ValueRange, height: number, first: number, last: number): void {
  const { times } = track
  let column = -Infinity
  let min = 0
  let max = 0
  let end = 0
  let begun = false
  const flush = (): void => {
    if (column === -Infinity) return
    const x = column + 0.5
    if (begun) g.lineTo(x, valueToY(range, height, max))
    else g.moveTo(x, valueToY(range, height, max))
    begun = true
    if (min !== max) {
      g.lineTo(x, valueToY(range, height, min))
      g.lineTo(x, valueToY(range, height, end))
    }
  }
  for (let k = first; k <= last; k++) {
    const v = values[k * stride + at]
    if (v !== v) continue
    const x = Math.floor(timeToX(view, times[k]))
    if (x !== column) {
      flush()
      column = x
      min = max = v
    } else if (v < min) min = v
    else if (v > max) max = v
    end = v
  }
  flush()
}
