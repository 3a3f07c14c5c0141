/**
 * S3 texture compression, DXT1 to DXT5 (BC1 to BC3): blocks of 4 x 4 pixels. Sizes need not be multiples of 4;
 * blocks reach over the edge then. Decoding follows the published BC1-BC3 rules: colours of 5:6:5 widened by
 * bit replication, thirds (or halves) between them.
 */
import { FormatError } from '../../binary/format-error.ts'
import { say } from '../../../shared/texts/say.ts'

export type DxtKind = 1 | 2 | 3 | 4 | 5

/** Bytes of one level. */
export function dxtSize(kind: DxtKind, width: number, height: number): number {
  return Math.max(1, Math.ceil(width / 4)) * Math.max(1, Math.ceil(height / 4)) * (kind === 1 ? 8 : 16)
}

const palette = new Uint8Array(16)

function colours(c0: number, c1: number, punchThrough: boolean): void {
  const r0 = (((c0 >> 11) * 255 + 15) / 31) | 0,
    g0 = ((((c0 >> 5) & 63) * 255 + 31) / 63) | 0,
    b0 = (((c0 & 31) * 255 + 15) / 31) | 0
  const r1 = (((c1 >> 11) * 255 + 15) / 31) | 0,
    g1 = ((((c1 >> 5) & 63) * 255 + 31) / 63) | 0,
    b1 = (((c1 & 31) * 255 + 15) / 31) | 0
  palette[0] = r0
  palette[1] = g0
  palette[2] = b0
  palette[3] = 255
  palette[4] = r1
  palette[5] = g1
  palette[6] = b1
  palette[7] = 255
  if (punchThrough && c0 <= c1) {
    palette[8] = (r0 + r1) >> 1
    palette[9] = (g0 + g1) >> 1
    palette[10] = (b0 + b1) >> 1
    palette[11] = 255
    palette[12] = palette[13] = palette[14] = palette[15] = 0
  } else {
    palette[8] = ((2 * r0 + r1) / 3) | 0
    palette[9] = ((2 * g0 + g1) / 3) | 0
    palette[10] = ((2 * b0 + b1) / 3) | 0
    palette[11] = 255
    palette[12] = ((r0 + 2 * r1) / 3) | 0
    palette[13] = ((g0 + 2 * g1) / 3) | 0
    palette[14] = ((b0 + 2 * b1) / 3) | 0
    palette[15] = 255
  }
}

/**
 * One level as RGBA, rows from the top.
 * @param bytes at least dxtSize(kind, width, height) bytes; FormatError `truncated` otherwise
 */
export function decodeDxt(kind: DxtKind, width: number, height: number, bytes: Uint8Array): Uint8Array {
  const need = dxtSize(kind, width, height)
  if (bytes.length < need)
    throw new FormatError('truncated', say('images.dxtTooShort', { kind, width, height, need, left: bytes.length }), {
      expected: say('files.byteCount', { count: need }),
      actual: say('files.byteCount', { count: bytes.length }),
    })
  const out = new Uint8Array(width * height * 4)
  const blocksX = Math.ceil(width / 4),
    blocksY = Math.ceil(height / 4)
  const alpha = new Uint8Array(16)
  let p = 0
  for (let by = 0; by < blocksY; by++) {
    for (let bx = 0; bx < blocksX; bx++) {
      if (kind === 2 || kind === 3) {
        for (let i = 0; i < 8; i++) {
          alpha[2 * i] = (bytes[p + i] & 15) * 17
          alpha[2 * i + 1] = (bytes[p + i] >> 4) * 17
        }
        p += 8
      } else if (kind !== 1) {
        const a0 = bytes[p],
          a1 = bytes[p + 1]
        // 16 indices of 3 bits, in two groups of 24
        for (let half = 0; half < 2; half++) {
          let bits = bytes[p + 2 + 3 * half] | (bytes[p + 3 + 3 * half] << 8) | (bytes[p + 4 + 3 * half] << 16)
          for (let i = 0; i < 8; i++) {
            const k = bits & 7
            bits >>= 3
            alpha[8 * half + i] =
              k === 0
                ? a0
                : k === 1
                  ? a1
                  : a0 > a1
                    ? (((8 - k) * a0 + (k - 1) * a1) / 7) | 0
                    : k === 6
                      ? 0
                      : k === 7
                        ? 255
                        : (((6 - k) * a0 + (k - 1) * a1) / 5) | 0
          }
        }
        p += 8
      }
      colours(bytes[p] | (bytes[p + 1] << 8), bytes[p + 2] | (bytes[p + 3] << 8), kind === 1)
      for (let y = 0; y < 4; y++) {
        const row = by * 4 + y
        const bits = bytes[p + 4 + y]
        if (row >= height) continue
        for (let x = 0; x < 4; x++) {
          const column = bx * 4 + x
          if (column >= width) break
          const k = ((bits >> (2 * x)) & 3) * 4
          const o = (row * width + column) * 4
          out[o] = palette[k]
          out[o + 1] = palette[k + 1]
          out[o + 2] = palette[k + 2]
          out[o + 3] = kind === 1 ? palette[k + 3] : alpha[4 * y + x]
        }
      }
      p += 8
    }
  }
  return out
}

const to565 = (r: number, g: number, b: number): number =>
  ((((r * 31 + 127) / 255) | 0) << 11) | ((((g * 63 + 127) / 255) | 0) << 5) | (((b * 31 + 127) / 255) | 0)

/**
 * One level from RGBA: end points are the extremes along the block's main colour axis, so a block of up to two
 * colours that 5:6:5 holds comes back as it was. DXT1 keeps pixels with alpha below 128 as holes.
 */
export function encodeDxt(kind: DxtKind, width: number, height: number, rgba: Uint8Array): Uint8Array {
  const out = new Uint8Array(dxtSize(kind, width, height))
  const blocksX = Math.max(1, Math.ceil(width / 4)),
    blocksY = Math.max(1, Math.ceil(height / 4))
  const block = new Uint8Array(64)
  let p = 0
  for (let by = 0; by < blocksY; by++) {
    for (let bx = 0; bx < blocksX; bx++) {
      for (let i = 0; i < 16; i++) {
        const x = Math.min(width - 1, bx * 4 + (i & 3)),
          y = Math.min(height - 1, by * 4 + (i >> 2))
        for (let c = 0; c < 4; c++) block[4 * i + c] = rgba[(y * width + x) * 4 + c]
      }
      if (kind === 2 || kind === 3) {
        for (let i = 0; i < 8; i++) out[p + i] = Math.round(block[8 * i + 3] / 17) | (Math.round(block[8 * i + 7] / 17) << 4)
        p += 8
      } else if (kind !== 1) {
        encodeAlpha(block, out, p)
        p += 8
      }
      encodeColours(block, out, p, kind === 1)
      p += 8
    }
  }
  return out
}

function encodeAlpha(block: Uint8Array, out: Uint8Array, p: number): void {
  let high = 0,
    low = 255
  for (let i = 0; i < 16; i++) {
    high = Math.max(high, block[4 * i + 3])
    low = Math.min(low, block[4 * i + 3])
  }
  out[p] = high
  out[p + 1] = low
  if (high === low) return
  for (let half = 0; half < 2; half++) {
    let bits = 0
    for (let i = 7; i >= 0; i--) {
      const step = Math.round(((high - block[4 * (8 * half + i) + 3]) * 7) / (high - low))
      bits = (bits << 3) | (step === 0 ? 0 : step === 7 ? 1 : step + 1)
    }
    out[p + 2 + 3 * half] = bits & 255
    out[p + 3 + 3 * half] = (bits >> 8) & 255
    out[p + 4 + 3 * half] = (bits >> 16) & 255
  }
}

function encodeColours(block: Uint8Array, out: Uint8Array, p: number, punchThrough: boolean): void {
  let holes = false
  let mr = 0,
    mg = 0,
    mb = 0,
    n = 0
  for (let i = 0; i < 16; i++) {
    if (punchThrough && block[4 * i + 3] < 128) {
      holes = true
      continue
    }
    mr += block[4 * i]
    mg += block[4 * i + 1]
    mb += block[4 * i + 2]
    n++
  }
  if (n === 0) {
    out.fill(0, p, p + 4)
    out.fill(255, p + 4, p + 8)
    return
  }
  mr /= n
  mg /= n
  mb /= n
  let xx = 0,
    xy = 0,
    xz = 0,
    yy = 0,
    yz = 0,
    zz = 0
  for (let i = 0; i < 16; i++) {
    if (punchThrough && block[4 * i + 3] < 128) continue
    const r = block[4 * i] - mr,
      g = block[4 * i + 1] - mg,
      b = block[4 * i + 2] - mb
    xx += r * r
    xy += r * g
    xz += r * b
    yy += g * g
    yz += g * b
    zz += b * b
  }
  let ar = 1,
    ag = 1,
    ab = 1
  for (let k = 0; k < 8; k++) {
    const r = xx * ar + xy * ag + xz * ab,
      g = xy * ar + yy * ag + yz * ab,
      b = xz * ar + yz * ag + zz * ab
    const m = Math.max(Math.abs(r), Math.abs(g), Math.abs(b))
    if (m < 1e-6) break
    ar = r / m
    ag = g / m
    ab = b / m
  }
  let low = Infinity,
    high = -Infinity,
    iLow = 0,
    iHigh = 0
  for (let i = 0; i < 16; i++) {
    if (punchThrough && block[4 * i + 3] < 128) continue
    const t = block[4 * i] * ar + block[4 * i + 1] * ag + block[4 * i + 2] * ab
    if (t < low) {
      low = t
      iLow = i
    }
    if (t > high) {
      high = t
      iHigh = i
    }
  }
  let c0 = to565(block[4 * iHigh], block[4 * iHigh + 1], block[4 * iHigh + 2])
  let c1 = to565(block[4 * iLow], block[4 * iLow + 1], block[4 * iLow + 2])
  // the order of the end points tells four colours from three and a hole (DXT1)
  if (holes ? c0 > c1 : c0 < c1) [c0, c1] = [c1, c0]
  out[p] = c0 & 255
  out[p + 1] = c0 >> 8
  out[p + 2] = c1 & 255
  out[p + 3] = c1 >> 8
  colours(c0, c1, punchThrough)
  const choices = punchThrough && c0 <= c1 ? 3 : 4
  for (let y = 0; y < 4; y++) {
    let bits = 0
    for (let x = 3; x >= 0; x--) {
      const i = 4 * (4 * y + x)
      let best = 0
      if (punchThrough && block[i + 3] < 128) best = 3
      else {
        let least = Infinity
        for (let k = 0; k < choices; k++) {
          const d = (block[i] - palette[4 * k]) ** 2 + (block[i + 1] - palette[4 * k + 1]) ** 2 + (block[i + 2] - palette[4 * k + 2]) ** 2
          if (d < least) {
            least = d
            best = k
          }
        }
      }
      bits = (bits << 2) | best
    }
    out[p + 4 + y] = bits
  }
}
