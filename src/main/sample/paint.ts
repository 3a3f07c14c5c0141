/** A small painter for the sample library's textures: everything is drawn by code, nothing is shipped. */

export type Rgb = readonly [number, number, number]

/** A part of a picture, in pixels from its top left. */
export interface Rect {
  x: number
  y: number
  w: number
  h: number
}

export class Canvas {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array

  constructor(width: number, height: number, color: Rgb) {
    this.width = width
    this.height = height
    this.rgba = new Uint8Array(width * height * 4)
    for (let i = 0; i < width * height; i++) this.rgba.set([...color, 255], 4 * i)
  }

  blend(x: number, y: number, color: Rgb, amount: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || amount <= 0) return
    const o = 4 * (y * this.width + x)
    const k = Math.min(1, amount)
    for (let c = 0; c < 3; c++) this.rgba[o + c] = Math.round(this.rgba[o + c] * (1 - k) + color[c] * k)
  }

  /** Calls `shade` for each pixel of a rectangle with its place in it (0..1, y from the top). */
  region(x0: number, y0: number, w: number, h: number, shade: (u: number, v: number, x: number, y: number) => Rgb): void {
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) this.blend(x0 + x, y0 + y, shade((x + 0.5) / w, (y + 0.5) / h, x, y), 1)
  }

  /** A filled ellipse with a soft edge of one pixel. */
  ellipse(cx: number, cy: number, rx: number, ry: number, color: Rgb, amount = 1): void {
    for (let y = Math.floor(cy - ry - 1); y <= cy + ry + 1; y++) {
      for (let x = Math.floor(cx - rx - 1); x <= cx + rx + 1; x++) {
        const d = Math.hypot((x + 0.5 - cx) / rx, (y + 0.5 - cy) / ry)
        this.blend(x, y, color, amount * Math.max(0, Math.min(1, (1 - d) * Math.min(rx, ry) + 0.5)))
      }
    }
  }

  /** A line with round ends. */
  line(x0: number, y0: number, x1: number, y1: number, width: number, color: Rgb, amount = 1): void {
    const dx = x1 - x0,
      dy = y1 - y0
    const l2 = dx * dx + dy * dy || 1
    const r = width / 2
    for (let y = Math.floor(Math.min(y0, y1) - r - 1); y <= Math.max(y0, y1) + r + 1; y++) {
      for (let x = Math.floor(Math.min(x0, x1) - r - 1); x <= Math.max(x0, x1) + r + 1; x++) {
        const t = Math.max(0, Math.min(1, ((x + 0.5 - x0) * dx + (y + 0.5 - y0) * dy) / l2))
        const d = Math.hypot(x + 0.5 - x0 - t * dx, y + 0.5 - y0 - t * dy)
        this.blend(x, y, color, amount * Math.max(0, Math.min(1, r - d + 0.5)))
      }
    }
  }
}

export function mix(a: Rgb, b: Rgb, k: number): Rgb {
  const t = Math.max(0, Math.min(1, k))
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t]
}

export function scale(a: Rgb, k: number): Rgb {
  return [Math.max(0, Math.min(255, a[0] * k)), Math.max(0, Math.min(255, a[1] * k)), Math.max(0, Math.min(255, a[2] * k))]
}

/** Value noise in 0..1 that is the same in every run. */
export function noise(x: number, y: number, seed = 0): number {
  const at = (ix: number, iy: number): number => {
    let h = (ix * 374761393 + iy * 668265263 + seed * 2147483647) | 0
    h = Math.imul(h ^ (h >>> 13), 1274126177)
    return ((h ^ (h >>> 16)) >>> 0) / 4294967295
  }
  const ix = Math.floor(x),
    iy = Math.floor(y)
  const fx = x - ix,
    fy = y - iy
  const sx = fx * fx * (3 - 2 * fx),
    sy = fy * fy * (3 - 2 * fy)
  const top = at(ix, iy) + (at(ix + 1, iy) - at(ix, iy)) * sx
  const bottom = at(ix, iy + 1) + (at(ix + 1, iy + 1) - at(ix, iy + 1)) * sx
  return top + (bottom - top) * sy
}
