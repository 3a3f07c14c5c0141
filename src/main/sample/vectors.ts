/** Vectors of three numbers, for what the sample library builds. */

export type Vec = readonly [number, number, number]

export const add = (a: Vec, b: Vec): [number, number, number] => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const sub = (a: Vec, b: Vec): [number, number, number] => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const mul = (a: Vec, k: number): [number, number, number] => [a[0] * k, a[1] * k, a[2] * k]
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vec, b: Vec): [number, number, number] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const unit = (a: Vec): [number, number, number] => mul(a, 1 / (Math.hypot(...a) || 1))
