/** RGBA pictures (rows from the top, straight alpha): smaller levels, what of them stays. */

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
      let r = 0,
        g = 0,
        b = 0,
        a = 0,
        pr = 0,
        pg = 0,
        pb = 0
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

/** Width or height of a mip level. */
export function levelExtent(full: number, level: number): number {
  return Math.max(1, full >>> level)
}

/** The picture and its smaller levels, `count` in all: `each` is given one after the other. */
export function eachLevel(
  rgba: Uint8Array,
  width: number,
  height: number,
  count: number,
  each: (pixels: Uint8Array, width: number, height: number, level: number) => void,
): void {
  let pixels = rgba,
    w = width,
    h = height
  for (let level = 0; level < count; level++) {
    each(pixels, w, h, level)
    if (level + 1 === count) return
    pixels = halve(pixels, w, h)
    w = Math.max(1, w >> 1)
    h = Math.max(1, h >> 1)
  }
}

/** One of RGBA, by its number. */
export function samePixel(a: Uint8Array, b: Uint8Array, i: number): boolean {
  for (let k = 4 * i; k < 4 * i + 4; k++) if (a[k] !== b[k]) return false
  return true
}

export function samePixels(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/**
 * Gives blocks of a level that show what they showed before the bytes that they had: packing again what was unpacked would
 * change them. @param form side of a block in pixels (1 for plain pixels) and its bytes; blocks stand row by row
 */
export function keepBlocks(
  next: Uint8Array,
  old: Uint8Array,
  pixels: Uint8Array,
  before: Uint8Array,
  width: number,
  height: number,
  form: { side: number; bytes: number },
): void {
  if (next.length !== old.length || pixels.length !== before.length) return
  const { side, bytes } = form
  const now = new Uint32Array(pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.length))
  const then = new Uint32Array(before.buffer.slice(before.byteOffset, before.byteOffset + before.length))
  for (let by = 0, at = 0; by < height; by += side) {
    for (let bx = 0; bx < width; bx += side, at += bytes) {
      let same = true
      for (let y = by; same && y < by + side && y < height; y++)
        for (let x = bx; x < bx + side && x < width; x++) if (now[y * width + x] !== then[y * width + x]) same = false
      if (same) for (let k = at; k < at + bytes; k++) next[k] = old[k]
    }
  }
}
