/** How far two states of a file's bytes agree: whole blocks as fast as memory is read, single bytes only in the block that differs. */

const BLOCK = 1 << 14

/** Length of the run of equal bytes that both begin with. */
export function equalStart(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at + BLOCK <= most && Buffer.compare(a.subarray(at, at + BLOCK), b.subarray(at, at + BLOCK)) === 0) at += BLOCK
  while (at < most && a[at] === b[at]) at++
  return at
}

/** Length of the run of equal bytes that both end with. @param most it is not looked for any farther */
export function equalEnd(a: Uint8Array, b: Uint8Array, most = Math.min(a.length, b.length)): number {
  const [x, y] = [a.length, b.length]
  let size = 0
  while (size + BLOCK <= most && Buffer.compare(a.subarray(x - size - BLOCK, x - size), b.subarray(y - size - BLOCK, y - size)) === 0)
    size += BLOCK
  while (size < most && a[x - 1 - size] === b[y - 1 - size]) size++
  return size
}
