/** Ranges of bytes with others in their place. */
export interface Splice {
  from: number
  /** behind the range */
  to: number
  by: Uint8Array
}

/** Bytes that come with all of them: negative where some go. */
export function growth(splices: readonly Splice[]): number {
  return splices.reduce((n, { from, to, by }) => n + by.length - (to - from), 0)
}

/** @param splices in order, apart from each other */
export function spliced(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const out = new Uint8Array(bytes.length + growth(splices))
  let read = 0
  let write = 0
  for (const { from, to, by } of splices) {
    out.set(bytes.subarray(read, from), write)
    write += from - read
    out.set(by, write)
    write += by.length
    read = to
  }
  out.set(bytes.subarray(read), write)
  return out
}
