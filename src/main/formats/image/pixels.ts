/** RGBA pictures (rows from the top, straight alpha): smaller levels, palettes. */

/** Whether any pixel is not opaque. */
export function hasTransparency(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return true
  return false
}

/** Levels of a full chain, down to one pixel. */
export function fullLevels(width: number, height: number): number {
  return Math.floor(Math.log2(Math.max(width, height))) + 1
}

/**
 * How many levels a picture of a new size gets where one of another size had `had`: as many as before, a full chain where it
 * was full, never more than the size allows.
 */
export function levelsFor(had: number, before: { width: number; height: number }, width: number, height: number): number {
  const most = fullLevels(width, height)
  if (width === before.width && height === before.height) return had
  return had >= fullLevels(before.width, before.height) ? most : Math.min(had, most)
}

/** Half the picture, pixels averaged; colours count by their alpha so that clear pixels do not bleed. */
export function halve(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const w = Math.max(1, width >> 1)
  const h = Math.max(1, height >> 1)
  const out = new Uint8Array(4 * w * h)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let r = 0, g = 0, b = 0, a = 0, pr = 0, pg = 0, pb = 0
      for (let k = 0; k < 4; k++) {
        const p = 4 * (Math.min(height - 1, 2 * y + (k >> 1)) * width + Math.min(width - 1, 2 * x + (k & 1)))
        const alpha = rgba[p + 3]
        r += rgba[p] * alpha
        g += rgba[p + 1] * alpha
        b += rgba[p + 2] * alpha
        pr += rgba[p]
        pg += rgba[p + 1]
        pb += rgba[p + 2]
        a += alpha
      }
      const o = 4 * (y * w + x)
      out[o] = Math.round(a ? r / a : pr / 4)
      out[o + 1] = Math.round(a ? g / a : pg / 4)
      out[o + 2] = Math.round(a ? b / a : pb / 4)
      out[o + 3] = Math.round(a / 4)
    }
  }
  return out
}

/** The picture and its smaller levels, `count` in all: `each` is given one after the other. */
export function eachLevel(rgba: Uint8Array, width: number, height: number, count: number, each: (pixels: Uint8Array, width: number, height: number, level: number) => void): void {
  let pixels = rgba, w = width, h = height
  for (let level = 0; level < count; level++) {
    each(pixels, w, h, level)
    if (level + 1 === count) return
    pixels = halve(pixels, w, h)
    w = Math.max(1, w >> 1)
    h = Math.max(1, h >> 1)
  }
}

export function samePixels(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/**
 * Gives blocks of a level that show what they showed before the bytes that they had: packing again what was unpacked would
 * change them. @param form side of a block in pixels (1 for plain pixels) and its bytes; blocks stand row by row
 */
export function keepBlocks(next: Uint8Array, old: Uint8Array, pixels: Uint8Array, before: Uint8Array, width: number, height: number, form: { side: number; bytes: number }): void {
  if (next.length !== old.length || pixels.length !== before.length) return
  const { side, bytes } = form
  const now = new Uint32Array(pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.length))
  const then = new Uint32Array(before.buffer.slice(before.byteOffset, before.byteOffset + before.length))
  for (let by = 0, at = 0; by < height; by += side) {
    for (let bx = 0; bx < width; bx += side, at += bytes) {
      let same = true
      for (let y = by; same && y < by + side && y < height; y++) for (let x = bx; x < bx + side && x < width; x++) if (now[y * width + x] !== then[y * width + x]) same = false
      if (same) for (let k = at; k < at + bytes; k++) next[k] = old[k]
    }
  }
}

/** The old palette (RGBA) where it holds every colour; else a new one of as many entries by median cut. */
export function paletteFor(rgba: Uint8Array, old: Uint8Array): Uint8Array {
  const words = new Uint32Array(rgba.slice().buffer)
  const counts = new Map<number, number>()
  for (const w of words) counts.set(w, (counts.get(w) ?? 0) + 1)
  const has = new Set(new Uint32Array(old.slice().buffer))
  if ([...counts.keys()].every((w) => has.has(w))) return old
  const entries = old.length / 4
  const out = new Uint8Array(old.length)
  const colors = [...counts.keys()]
  if (colors.length <= entries) {
    out.set(new Uint8Array(Uint32Array.from(colors).buffer))
    return out
  }
  const boxes = [boxOf(colors)]
  while (boxes.length < entries) {
    let at = -1
    boxes.forEach((box, i) => {
      if (box.colors.length > 1 && (at < 0 || box.width > boxes[at].width)) at = i
    })
    if (at < 0) break
    const { colors: list, along } = boxes[at]
    const sorted = list.sort((a, b) => channel(a, along) - channel(b, along))
    boxes.splice(at, 1, boxOf(sorted.slice(0, sorted.length >> 1)), boxOf(sorted.slice(sorted.length >> 1)))
  }
  boxes.forEach((box, i) => {
    let total = 0
    const sum = [0, 0, 0, 0]
    for (const color of box.colors) {
      const count = counts.get(color)!
      total += count
      for (let c = 0; c < 4; c++) sum[c] += count * channel(color, c)
    }
    for (let c = 0; c < 4; c++) out[4 * i + c] = Math.round(sum[c] / total)
  })
  return out
}

const channel = (color: number, c: number): number => (color >>> (8 * c)) & 0xff

/** Colours of one entry to be, and the channel in which they differ most. */
function boxOf(colors: number[]): { colors: number[]; along: number; width: number } {
  let along = 0
  let width = -1
  for (let c = 0; c < 4; c++) {
    let low = 255, high = 0
    for (const color of colors) {
      const value = channel(color, c)
      if (value < low) low = value
      if (value > high) high = value
    }
    if (high - low > width) {
      width = high - low
      along = c
    }
  }
  return { colors, along, width }
}

/** For each pixel the palette's nearest entry. */
export function nearestIndices(rgba: Uint8Array, palette: Uint8Array): Uint8Array {
  const n = rgba.length / 4
  const out = new Uint8Array(n)
  const words = new Uint32Array(rgba.slice().buffer)
  const known = new Map<number, number>()
  for (let i = 0; i < n; i++) {
    let best = known.get(words[i])
    if (best === undefined) {
      let least = Infinity
      best = 0
      const r = rgba[4 * i], g = rgba[4 * i + 1], b = rgba[4 * i + 2], a = rgba[4 * i + 3]
      for (let k = 0; k < palette.length && least > 0; k += 4) {
        const distance = (r - palette[k]) ** 2 + (g - palette[k + 1]) ** 2 + (b - palette[k + 2]) ** 2 + (a - palette[k + 3]) ** 2
        if (distance < least) {
          least = distance
          best = k >> 2
        }
      }
      known.set(words[i], best)
    }
    out[i] = best
  }
  return out
}
