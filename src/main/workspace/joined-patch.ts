/** Steps of one gesture are one step: the way through both as one patch. */
import { applyPatch, diff, invertPatch, sameEnd, sameStart } from './patch.ts'
import type { Patch } from './patch.ts'

/**
 * Two patches in a row as one. What stands before the first splice of both, and behind the last one, is the same throughout: only what lies between is
 * looked at, which of a key that moves in a file of megabytes is a few bytes.
 * @param middle the bytes between the two, @param after those behind the second
 */
export function joined(first: Patch, second: Patch, middle: Uint8Array, after: Uint8Array): Patch {
  const start = Math.min(sameStart(first), sameStart(second))
  // patches without a splice have all of it before and behind
  const end = Math.min(sameEnd(first), sameEnd(second), middle.length - start)
  const between = middle.subarray(start, middle.length - end)
  const back = invertPatch(first)
  const before = applyPatch(between, {
    ...back,
    sizeBefore: between.length,
    sizeAfter: first.sizeBefore - end - start,
    offsets: back.offsets.map((offset) => offset - start),
  })
  const part = diff(before, after.subarray(start, after.length - end))
  return { ...part, sizeBefore: first.sizeBefore, sizeAfter: after.length, offsets: part.offsets.map((offset) => offset + start) }
}
