/** Typed arrays one behind the other. */

interface Numbers {
  readonly length: number
  set(values: ArrayLike<number>, at?: number): void
}

/** @param kind of the arrays, which the result has too: `Float32Array` */
export function concat<T extends Numbers & ArrayLike<number>>(kind: new (length: number) => T, parts: readonly T[]): T {
  const out = new kind(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
