/**
 * Packed rotations of ANI 4001 and 4002 (spec 4.1, 4.2). The game truncates; `round` gives the nearest rotation that the coding has, which
 * decodes with the same reader and costs a third to a half of that.
 * Quaternions are x, y, z, w. Unpacking then packing does not give the same bits, so a key that was not edited keeps its words.
 */
export type PackMode = 'game' | 'round'

const quantise = (value: number, max: number, mode: PackMode): number =>
  Math.max(0, Math.min(max, mode === 'game' ? Math.trunc(value * max) : Math.round(value * max)))

/** 1 / length; a quaternion that is of length 1 within 1e-5 is taken as it is (the game's own values are rounded floats). */
function unitScale(x: number, y: number, z: number, w: number): number {
  const length = Math.hypot(x, y, z, w)
  return length === 0 || Math.abs(length - 1) < 1e-5 ? 1 : 1 / length
}

/** COMP4, one u32: two bits say which component is left out (the largest), three times ten bits hold the others over -1..1. */
export function unpackComp4(word: number, out: Float32Array | number[], o = 0): void {
  const left = word >>> 30
  let shift = 20
  let sum = 0
  for (let c = 0; c < 4; c++) {
    if (c === left) continue
    const v = 2 * (((word >>> shift) & 1023) / 1023) - 1
    out[o + c] = v
    sum += v * v
    shift -= 10
  }
  out[o + left] = Math.sqrt(Math.max(0, 1 - sum))
}

export function packComp4(x: number, y: number, z: number, w: number, mode: PackMode = 'game'): number {
  const unit = unitScale(x, y, z, w)
  const q = [x * unit, y * unit, z * unit, w * unit]
  let left = 0
  for (let c = 1; c < 4; c++) if (Math.abs(q[c]) > Math.abs(q[left])) left = c
  const sign = q[left] < 0 ? -1 : 1
  const [a, b, c] = [0, 1, 2, 3].filter((at) => at !== left).map((at) => q[at] * sign)
  const quantised = (v: number): number => quantise((v + 1) * 0.5, 1023, mode)
  const three = mode === 'game' ? (quantised(a) << 20) | (quantised(b) << 10) | quantised(c) : nearestComp4(a, b, c, Math.abs(q[left]))
  return ((left << 30) | three) >>> 0
}

/**
 * Steps of each number beside the rounded ones among which the nearest rotation is: what is left out has at least half of the length, so an
 * error of the three counts up to twice in it, and no rotation that is nearer than the rounded one is further away in any of them.
 */
const COMP4_REACH = 2

/** Each number rounded by itself is not the nearest rotation: the component that is left out goes with all three. Numbers alone: clips of many keys are packed whole. */
function nearestComp4(x: number, y: number, z: number, left: number): number {
  const from = (v: number): number => Math.max(0, quantise((v + 1) * 0.5, 1023, 'round') - COMP4_REACH)
  const to = (v: number): number => Math.min(1023, quantise((v + 1) * 0.5, 1023, 'round') + COMP4_REACH)
  let best = 0
  let most = -1
  for (let a = from(x); a <= to(x); a++) {
    const u = (2 * a) / 1023 - 1
    for (let b = from(y); b <= to(y); b++) {
      const v = (2 * b) / 1023 - 1
      for (let c = from(z); c <= to(z); c++) {
        const w = (2 * c) / 1023 - 1
        const rest = 1 - u * u - v * v - w * w
        const cosine = rest < 0 ? -1 : u * x + v * y + w * z + Math.sqrt(rest) * left
        if (cosine <= most) continue
        most = cosine
        best = (a << 20) | (b << 10) | c
      }
    }
  }
  return best
}

/** COMP8, two u32, high first: x and y, then z over -1..1 and w over 0..1, 16 bits each. */
export function unpackComp8(high: number, low: number, out: Float32Array | number[], o = 0): void {
  out[o] = (2 * (high >>> 16)) / 65535 - 1
  out[o + 1] = (2 * (high & 0xffff)) / 65535 - 1
  out[o + 2] = (2 * (low >>> 16)) / 65535 - 1
  out[o + 3] = (low & 0xffff) / 65535
}

/** @returns high and low word */
export function packComp8(x: number, y: number, z: number, w: number, mode: PackMode = 'game'): [number, number] {
  const k = (w < 0 ? -1 : 1) * unitScale(x, y, z, w)
  const signed = (v: number): number => quantise((v * k + 1) * 0.5, 65535, mode)
  return [((signed(x) << 16) | signed(y)) >>> 0, ((signed(z) << 16) | quantise(w * k, 65535, mode)) >>> 0]
}

/** Largest angle in degrees between a rotation and what its packed form gives back; measured over 11,602 real rotations (docs/formats/lostsaga.md). */
export const PACK_ERROR_DEGREES = { 4001: { game: 0.567, round: 0.199 }, 4002: { game: 0.0055, round: 0.0028 } } as const

/** Makes four floats a rotation in place; what has no length becomes none. */
export function unitLength(q: Float32Array): void {
  const length = Math.hypot(...q)
  if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 4; c++) q[c] /= length
  else q.set([0, 0, 0, 1])
}
