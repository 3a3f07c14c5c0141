/** Text and marks over the picture, on a 2D canvas at the screen's own resolution: names, the chosen vertex, the small axes in the corner. */
import { printable } from '../../shared/printable.ts'
import type { PlacedLabel } from './labels.ts'
import { basis } from './orbit.ts'
import type { Orbit } from './orbit.ts'

export interface LabelStyle {
  ink: string
  halo: string
  point: string
  strong: string
}

export function labelStyle(dark: boolean): LabelStyle {
  return dark
    ? { ink: 'rgba(232,238,247,0.92)', halo: 'rgba(14,17,22,0.82)', point: 'rgba(232,238,247,0.75)', strong: '#ffc46b' }
    : { ink: 'rgba(24,32,46,0.95)', halo: 'rgba(255,255,255,0.88)', point: 'rgba(24,32,46,0.7)', strong: '#a34a00' }
}

function labelFont(context: CanvasRenderingContext2D): void {
  context.font = '500 11px "Inter Variable", "Noto Sans JP Variable", "Noto Sans KR Variable", system-ui, sans-serif'
}

export class LabelLayer {
  private readonly canvas: HTMLCanvasElement
  private readonly context: CanvasRenderingContext2D | null
  private readonly widths = new Map<string, number>()
  private empty = true
  private width = 0
  private height = 0
  private ratio = 1

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas
    this.context = canvas.getContext('2d')
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = width
    this.height = height
    this.ratio = ratio
    this.canvas.width = Math.max(1, Math.round(width * ratio))
    this.canvas.height = Math.max(1, Math.round(height * ratio))
    this.empty = true
  }

  measure(text: string): number {
    let w = this.widths.get(text)
    if (w === undefined) {
      if (!this.context) return text.length * 6
      if (this.widths.size > 5000) this.widths.clear()
      labelFont(this.context)
      w = Math.ceil(this.context.measureText(printable(text)).width)
      this.widths.set(text, w)
    }
    return w
  }

  begin(): void {
    const c = this.context
    if (!c || this.empty) return
    c.setTransform(1, 0, 0, 1, 0, 0)
    c.clearRect(0, 0, this.canvas.width, this.canvas.height)
    this.empty = true
  }

  private paint(): CanvasRenderingContext2D | null {
    this.empty = false
    this.context?.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    return this.context
  }

  /** @param strong ids that are shown in the accent colour */
  labels(list: readonly PlacedLabel[], style: LabelStyle, strong: ReadonlySet<number>, height = 15): void {
    if (!list.length) return
    const c = this.paint()
    if (!c) return
    labelFont(c)
    c.textBaseline = 'middle'
    c.lineJoin = 'round'
    for (const label of list) {
      const marked = strong.has(label.id)
      c.lineWidth = 3
      c.strokeStyle = style.halo
      const text = printable(label.text)
      c.strokeText(text, label.left, label.top + height / 2)
      c.fillStyle = marked ? style.strong : style.ink
      c.fillText(text, label.left, label.top + height / 2)
      c.beginPath()
      c.arc(label.x, label.y, marked ? 2.5 : 1.5, 0, Math.PI * 2)
      c.fillStyle = marked ? style.strong : style.point
      c.fill()
    }
  }

  ring(x: number, y: number, style: LabelStyle): void {
    const c = this.paint()
    if (!c) return
    c.lineWidth = 3.5
    c.strokeStyle = style.halo
    c.beginPath()
    c.arc(x, y, 5, 0, Math.PI * 2)
    c.stroke()
    c.lineWidth = 1.75
    c.strokeStyle = style.strong
    c.stroke()
  }

  /** A closed line through points on screen, x and y, with a dot in the middle. */
  rim(points: readonly number[], x: number, y: number, style: LabelStyle): void {
    if (points.length < 6) return
    const c = this.paint()
    if (!c) return
    c.beginPath()
    for (let i = 0; i < points.length; i += 2) c.lineTo(points[i], points[i + 1])
    c.closePath()
    c.lineJoin = 'round'
    c.lineWidth = 3.5
    c.strokeStyle = style.halo
    c.stroke()
    c.lineWidth = 1.5
    c.strokeStyle = style.ink
    c.stroke()
    c.beginPath()
    c.arc(x, y, 1.75, 0, Math.PI * 2)
    c.fillStyle = style.ink
    c.fill()
  }

  /** Small axes at the lower left: which way the scene is turned. */
  compass(orbit: Orbit, style: LabelStyle): void {
    const c = this.paint()
    if (!c || this.width < 160 || this.height < 120) return
    const { right, up, back } = basis(orbit)
    // above the tools in the corner
    const x = 30,
      y = this.height - 72,
      r = 17
    const axes = [
      { name: 'X', color: '#db4a54', at: 0 },
      { name: 'Y', color: '#73bd4d', at: 1 },
      { name: 'Z', color: '#4d85ed', at: 2 },
    ].sort((a, b) => back[a.at] - back[b.at])
    c.font = '600 9px "Inter Variable", system-ui, sans-serif'
    c.textBaseline = 'middle'
    c.textAlign = 'center'
    for (const axis of axes) {
      const ax = x + right[axis.at] * r,
        ay = y - up[axis.at] * r
      c.globalAlpha = 0.6 + 0.4 * (back[axis.at] * 0.5 + 0.5)
      c.lineWidth = 1.75
      c.strokeStyle = axis.color
      c.beginPath()
      c.moveTo(x, y)
      c.lineTo(ax, ay)
      c.stroke()
      c.lineWidth = 2.5
      c.strokeStyle = style.halo
      const tx = x + right[axis.at] * (r + 7),
        ty = y - up[axis.at] * (r + 7)
      c.strokeText(axis.name, tx, ty)
      c.fillStyle = axis.color
      c.fillText(axis.name, tx, ty)
    }
    c.globalAlpha = 1
    c.textAlign = 'left'
  }
}
