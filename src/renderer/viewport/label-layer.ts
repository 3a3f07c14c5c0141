/** Text and marks over the picture, on a 2D canvas at the screen's own resolution: names, the chosen vertex, what a tool says. */
import { printable } from '../../shared/printable.ts'
import type { PlacedLabel } from './labels.ts'

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

const MANY_DOTS = 200

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

  /** What a drag would choose. @param box left, top, right, bottom */
  box([left, top, right, bottom]: readonly [number, number, number, number]): void {
    const c = this.paint()
    if (!c) return
    c.fillStyle = 'rgba(74,141,240,0.16)'
    c.strokeStyle = 'rgba(74,141,240,0.95)'
    c.lineWidth = 1
    c.fillRect(left, top, right - left, bottom - top)
    c.strokeRect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(right - left), Math.round(bottom - top))
  }

  /** What a tool says beside the pointer, within the picture. */
  note(text: string, x: number, y: number, style: LabelStyle): void {
    const c = this.paint()
    if (!c) return
    labelFont(c)
    c.font = c.font.replace('11px', '13px')
    c.textBaseline = 'middle'
    c.lineJoin = 'round'
    const left = Math.max(4, Math.min(this.width - c.measureText(text).width - 4, x + 16))
    const middle = Math.max(12, Math.min(this.height - 12, y - 18))
    c.lineWidth = 4
    c.strokeStyle = style.halo
    c.strokeText(text, left, middle)
    c.fillStyle = style.strong
    c.fillText(text, left, middle)
  }

  /** Small marks at points on screen, x and y; smaller ones where there are many, so that the model is still seen. */
  dots(points: readonly number[], style: LabelStyle): void {
    const c = this.paint()
    if (!c) return
    const size = points.length > 2 * MANY_DOTS ? 2 : 3
    for (const [color, side] of [
      [style.halo, size + 2],
      [style.strong, size],
    ] as const) {
      c.fillStyle = color
      for (let i = 0; i < points.length; i += 2) c.fillRect(points[i] - side / 2, points[i + 1] - side / 2, side, side)
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
}
