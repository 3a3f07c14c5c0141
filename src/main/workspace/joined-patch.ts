/** Steps of one gesture are one step: the way through both as one patch. */
import { applyPatch, diff, invertPatch, sameStart } from './patch.ts'
import type { Patch } from './patch.ts'

/**
 * Two patches in a row as one. Where neither moves anything, as in a drag, only what lies between their first and their last splice is looked at.
 * @param middle the bytes between the two, @param after those behind the second, @param before those in front of the first, where they are at hand
 */
export function joined(first: Patch, second: Patch, middle: Uint8Array, after: Uint8Array, before?: Uint8Array): Patch {
  if (first.sizeBefore !== after.length || !staysInPlace(first) || !staysInPlace(second))
    return diff(before ?? applyPatch(middle, invertPatch(first)), after)
  const start = Math.min(sameStart(first), sameStart(second))
  const end = Math.max(lastEnd(first), lastEnd(second))
  const old = middle.slice(start, end)
  let from = 0
  for (let i = 0; i < first.offsets.length; i++) {
    old.set(first.removed.subarray(from, from + first.removedSizes[i]), first.offsets[i] - start)
    from += first.removedSizes[i]
  }
  const part = diff(old, after.subarray(start, end))
  return { ...part, sizeBefore: after.length, sizeAfter: after.length, offsets: part.offsets.map((offset) => offset + start) }
}

/** Each splice puts in as many bytes as it takes out. */
function staysInPlace({ removedSizes, insertedSizes }: Patch): boolean {
  return removedSizes.every((size, i) => size === insertedSizes[i])
}

function lastEnd({ offsets, removedSizes }: Patch): number {
  return offsets.length > 0 ? offsets[offsets.length - 1] + removedSizes[offsets.length - 1] : 0
}
