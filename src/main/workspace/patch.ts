/**
 * The difference between two states of a file's bytes, kept in columns: a step that moves every key of a clip has as
 * many splices as keys, and none of them is an object. Undo, redo, journal and Changes are made of these.
 */
import { FormatError } from '../binary/format-error.ts'
import type { Reader } from '../binary/reader.ts'
import { equalEnd, equalStart } from '../binary/same-run.ts'
import type { Writer } from '../binary/writer.ts'
import { say } from '../../shared/texts/say.ts'

export interface Patch {
  /** sizes of the whole file in bytes */
  readonly sizeBefore: number
  readonly sizeAfter: number
  /** per splice: offset in the bytes before, ascending; splices never overlap */
  readonly offsets: Uint32Array
  /** per splice: bytes taken out and put in */
  readonly removedSizes: Uint32Array
  readonly insertedSizes: Uint32Array
  /** those bytes, one splice after the other */
  readonly removed: Uint8Array
  readonly inserted: Uint8Array
}

/** Blocks by which moved content is found again; smaller finds more and costs more. */
const BLOCK = 16
/** Small gaps between found blocks are compared byte by byte, as long as this many comparisons are left. */
const FINE_CELLS = 1 << 22
const FINE_GAP = 1 << 17
/** Shorter runs of equal bytes inside of such a gap are taken for chance. */
const FINE_RUN = 4

/**
 * What changes `before` into `after`. Content that only moved (behind an insertion, say) is found again by blocks that
 * occur once, so that it does not count as changed. Time is linear in the sizes, but for sorting the places found.
 * @param join splices with at most this many unchanged bytes between them become one: fewer splices, a little more data
 */
export function diff(before: Uint8Array, after: Uint8Array, join = 8): Patch {
  const prefix = equalStart(before, after)
  const suffix = equalEnd(before, after, Math.min(before.length, after.length) - prefix)
  const beforeEnd = before.length - suffix
  const afterEnd = after.length - suffix
  const differing = before.length === after.length ? differences(before, after, prefix, beforeEnd) : Infinity
  let splices = mostlyAligned(differing, beforeEnd - prefix) ? undefined : realigned(before, after, prefix, beforeEnd, afterEnd)
  // a few runs that another picture happens to have elsewhere are no move: more would be touched for them
  if (!splices || splices.touched > differing) {
    splices = new SpliceList()
    scattered(before, after, prefix, beforeEnd, 0, splices)
  }
  return splices.finish(before, after, join)
}

/** What lies between runs that both have, wherever they stand. */
function realigned(before: Uint8Array, after: Uint8Array, start: number, beforeEnd: number, afterEnd: number): SpliceList {
  const splices = new SpliceList()
  const budget = { cells: FINE_CELLS }
  let from = start
  let to = start
  for (const match of commonRuns(before, after, start, beforeEnd, afterEnd)) {
    gap(before, after, from, match.before, to, match.after, splices, budget)
    from = match.before + match.size
    to = match.after + match.size
  }
  gap(before, after, from, beforeEnd, to, afterEnd, splices, budget)
  return splices
}

/** Number of bytes that the patch touches, counting the larger side of each splice. */
export function changedBytes(patch: Patch): number {
  let sum = 0
  for (let i = 0; i < patch.offsets.length; i++) sum += Math.max(patch.removedSizes[i], patch.insertedSizes[i])
  return sum
}

export function isEmpty(patch: Patch): boolean {
  return patch.offsets.length === 0
}

/**
 * The bytes after the patch. Throws FormatError `changed-on-disk` where the bytes are not the ones that the patch was made from:
 * every byte that is taken out is compared.
 */
export function applyPatch(bytes: Uint8Array, patch: Patch, file = ''): Uint8Array {
  if (bytes.length !== patch.sizeBefore)
    misfit(file, 0, say('files.byteCount', { count: patch.sizeBefore }), say('files.byteCount', { count: bytes.length }))
  const out = new Uint8Array(patch.sizeAfter)
  let read = 0
  let write = 0
  let removed = 0
  let inserted = 0
  for (let i = 0; i < patch.offsets.length; i++) {
    const at = patch.offsets[i]
    const gone = patch.removedSizes[i]
    const fresh = patch.insertedSizes[i]
    out.set(bytes.subarray(read, at), write)
    write += at - read
    for (let k = 0; k < gone; k++)
      if (bytes[at + k] !== patch.removed[removed + k]) misfit(file, at + k, String(patch.removed[removed + k]), String(bytes[at + k]))
    out.set(patch.inserted.subarray(inserted, inserted + fresh), write)
    write += fresh
    read = at + gone
    removed += gone
    inserted += fresh
  }
  out.set(bytes.subarray(read), write)
  return out
}

/** The patch that leads back. */
export function invertPatch(patch: Patch): Patch {
  const offsets = new Uint32Array(patch.offsets.length)
  let shift = 0
  for (let i = 0; i < offsets.length; i++) {
    offsets[i] = patch.offsets[i] + shift
    shift += patch.insertedSizes[i] - patch.removedSizes[i]
  }
  return {
    sizeBefore: patch.sizeAfter,
    sizeAfter: patch.sizeBefore,
    offsets,
    removedSizes: patch.insertedSizes,
    insertedSizes: patch.removedSizes,
    removed: patch.inserted,
    inserted: patch.removed,
  }
}

/** How many bytes before the first splice are the same in both states. */
export function sameStart(patch: Patch): number {
  return patch.offsets.length > 0 ? patch.offsets[0] : patch.sizeBefore
}

/** How many bytes behind the last splice are the same in both states. */
export function sameEnd({ sizeBefore, offsets, removedSizes }: Patch): number {
  const last = offsets.length - 1
  return last < 0 ? sizeBefore : sizeBefore - offsets[last] - removedSizes[last]
}

export function writePatch(out: Writer, patch: Patch): void {
  out.u32(patch.sizeBefore)
  out.u32(patch.sizeAfter)
  out.u32(patch.offsets.length)
  out.u32(patch.removed.length)
  out.u32(patch.inserted.length)
  out.raw(patch.offsets)
  out.raw(patch.removedSizes)
  out.raw(patch.insertedSizes)
  out.raw(patch.removed)
  out.raw(patch.inserted)
}

/** Throws FormatError when the numbers do not fit each other: a journal is a file like any other. */
export function readPatch(reader: Reader): Patch {
  const sizeBefore = reader.u32('sizeBefore')
  const sizeAfter = reader.u32('sizeAfter')
  const count = reader.u32('splices')
  const removedTotal = reader.u32('removed')
  const insertedTotal = reader.u32('inserted')
  const offsets = reader.u32s(count, 'offsets')
  const removedSizes = reader.u32s(count, 'removedSizes')
  const insertedSizes = reader.u32s(count, 'insertedSizes')
  const removed = reader.take(removedTotal, 'removed')
  const inserted = reader.take(insertedTotal, 'inserted')
  let end = 0
  let gone = 0
  let fresh = 0
  for (let i = 0; i < count; i++) {
    if (offsets[i] < end) reader.fail('bad-value', say('edits.spliceOverlaps', { index: i }), `offsets[${i}]`)
    end = offsets[i] + removedSizes[i]
    gone += removedSizes[i]
    fresh += insertedSizes[i]
  }
  if (end > sizeBefore || gone !== removedTotal || fresh !== insertedTotal || sizeBefore - gone + fresh !== sizeAfter)
    reader.fail('bad-count', say('edits.sizesOfDifference'), 'splices')
  return { sizeBefore, sizeAfter, offsets, removedSizes, insertedSizes, removed, inserted }
}

function misfit(file: string, offset: number, expected: string, actual: string): never {
  throw new FormatError('changed-on-disk', say('edits.notTheseBytes'), { file, offset, expected, actual })
}

/** Splices as (from, to) in both files, while they are collected. */
class SpliceList {
  private rows = new Float64Array(256)
  private count = 0

  add(beforeStart: number, beforeEnd: number, afterStart: number, afterEnd: number): void {
    if (beforeStart === beforeEnd && afterStart === afterEnd) return
    if (this.count * 4 === this.rows.length) {
      const next = new Float64Array(this.rows.length * 2)
      next.set(this.rows)
      this.rows = next
    }
    this.rows.set([beforeStart, beforeEnd, afterStart, afterEnd], this.count++ * 4)
  }

  /** bytes of the larger side of each */
  get touched(): number {
    let sum = 0
    for (let at = 0; at < this.count * 4; at += 4) sum += Math.max(this.rows[at + 1] - this.rows[at], this.rows[at + 3] - this.rows[at + 2])
    return sum
  }

  finish(before: Uint8Array, after: Uint8Array, join: number): Patch {
    const rows = this.rows
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      const at = kept * 4
      if (kept && rows[i * 4] - rows[at - 3] <= join) {
        rows[at - 3] = rows[i * 4 + 1]
        rows[at - 1] = rows[i * 4 + 3]
      } else {
        rows.copyWithin(at, i * 4, i * 4 + 4)
        kept++
      }
    }
    const offsets = new Uint32Array(kept)
    const removedSizes = new Uint32Array(kept)
    const insertedSizes = new Uint32Array(kept)
    let removedTotal = 0
    let insertedTotal = 0
    for (let i = 0; i < kept; i++) {
      offsets[i] = rows[i * 4]
      removedTotal += removedSizes[i] = rows[i * 4 + 1] - rows[i * 4]
      insertedTotal += insertedSizes[i] = rows[i * 4 + 3] - rows[i * 4 + 2]
    }
    const removed = new Uint8Array(removedTotal)
    const inserted = new Uint8Array(insertedTotal)
    let r = 0
    let w = 0
    for (let i = 0; i < kept; i++) {
      removed.set(before.subarray(rows[i * 4], rows[i * 4 + 1]), r)
      inserted.set(after.subarray(rows[i * 4 + 2], rows[i * 4 + 3]), w)
      r += removedSizes[i]
      w += insertedSizes[i]
    }
    return { sizeBefore: before.length, sizeAfter: after.length, offsets, removedSizes, insertedSizes, removed, inserted }
  }
}

/** In how many places two ranges of one size differ as they stand. */
function differences(before: Uint8Array, after: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (before[i] !== after[i]) count++
  return count
}

/** Whether ranges of one size agree in most places as they stand: values changed, nothing moved. @param differing Infinity where they have two sizes */
function mostlyAligned(differing: number, size: number): boolean {
  return size <= 4 * BLOCK ? differing < Infinity : differing * 2 <= size
}

/** Runs that differ in ranges of one size; `shift` leads from a place before to the one after. */
function scattered(before: Uint8Array, after: Uint8Array, start: number, end: number, shift: number, out: SpliceList): void {
  let i = start
  while (i < end) {
    if (before[i] === after[i + shift]) {
      i++
      continue
    }
    let to = i + 1
    while (to < end && before[to] !== after[to + shift]) to++
    out.add(i, to, i + shift, to + shift)
    i = to
  }
}

function gap(
  before: Uint8Array,
  after: Uint8Array,
  beforeStart: number,
  beforeEnd: number,
  afterStart: number,
  afterEnd: number,
  out: SpliceList,
  budget: { cells: number },
): void {
  const m = beforeEnd - beforeStart
  const n = afterEnd - afterStart
  if (m === n && mostlyAligned(differences(before.subarray(beforeStart, beforeEnd), after.subarray(afterStart, afterEnd), 0, m), m)) {
    scattered(before, after, beforeStart, beforeEnd, afterStart - beforeStart, out)
  } else if (m > 0 && n > 0 && m * n <= FINE_GAP && m * n <= budget.cells) {
    budget.cells -= m * n
    fine(before, after, beforeStart, beforeEnd, afterStart, afterEnd, out)
  } else {
    out.add(beforeStart, beforeEnd, afterStart, afterEnd)
  }
}

/** Longest common sequence of two short ranges, in runs that are long enough to mean something. */
function fine(
  before: Uint8Array,
  after: Uint8Array,
  beforeStart: number,
  beforeEnd: number,
  afterStart: number,
  afterEnd: number,
  out: SpliceList,
): void {
  const m = beforeEnd - beforeStart
  const n = afterEnd - afterStart
  const width = n + 1
  // longest[i, j]: of what is behind i and j
  const longest = new Uint32Array((m + 1) * width)
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) {
      const at = i * width + j
      longest[at] =
        before[beforeStart + i] === after[afterStart + j] ? longest[at + width + 1] + 1 : Math.max(longest[at + width], longest[at + 1])
    }
  }
  let i = 0
  let j = 0
  let from = 0
  let to = 0
  while (i < m && j < n) {
    if (before[beforeStart + i] === after[afterStart + j]) {
      let run = 1
      while (i + run < m && j + run < n && before[beforeStart + i + run] === after[afterStart + j + run]) run++
      if (run >= FINE_RUN || (i === from && j === to) || (i + run === m && j + run === n)) {
        out.add(beforeStart + from, beforeStart + i, afterStart + to, afterStart + j)
        from = i + run
        to = j + run
      }
      i += run
      j += run
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++
    else j++
  }
  out.add(beforeStart + from, beforeEnd, afterStart + to, afterEnd)
}

interface Run {
  before: number
  after: number
  size: number
}

/** Runs of bytes that stand in both ranges in the same order, found by blocks that occur once in `before`. */
function commonRuns(before: Uint8Array, after: Uint8Array, start: number, beforeEnd: number, afterEnd: number): Run[] {
  const blocks = Math.floor((beforeEnd - start) / BLOCK)
  if (blocks === 0 || afterEnd - start < BLOCK) return []
  let capacity = 16
  while (capacity < blocks * 2) capacity *= 2
  const mask = capacity - 1
  // open addressing: hash -> block number + 1; blocks that occur again are struck out, as they cannot tell where they belong
  const table = new Int32Array(capacity)
  const hashes = new Int32Array(blocks)
  const struck = new Uint8Array(blocks)
  for (let b = 0; b < blocks; b++) {
    const at = start + b * BLOCK
    const hash = hashAt(before, at)
    hashes[b] = hash
    let slot = spread(hash) & mask
    while (table[slot] !== 0 && hashes[table[slot] - 1] !== hash) slot = (slot + 1) & mask
    if (table[slot] === 0) table[slot] = b + 1
    else struck[table[slot] - 1] = 1
  }
  const runs: Run[] = []
  const last = afterEnd - BLOCK
  let at = start
  let hash = hashAt(after, at)
  while (at <= last) {
    let slot = spread(hash) & mask
    while (table[slot] !== 0 && hashes[table[slot] - 1] !== hash) slot = (slot + 1) & mask
    const block = table[slot] - 1
    const from = start + block * BLOCK
    if (block >= 0 && !struck[block] && equalBlock(before, from, after, at)) {
      const floor = runs.length ? runs[runs.length - 1].after + runs[runs.length - 1].size : start
      let back = 0
      while (from - back > start && at - back > floor && before[from - back - 1] === after[at - back - 1]) back++
      let size = BLOCK
      while (from + size < beforeEnd && at + size < afterEnd && before[from + size] === after[at + size]) size++
      runs.push({ before: from - back, after: at - back, size: size + back })
      at += size
      if (at <= last) hash = hashAt(after, at)
    } else {
      if (at < last) hash = roll(hash, after[at], after[at + BLOCK])
      at++
    }
  }
  return heaviestChain(runs)
}

const BASE = 0x01000193
/** BASE ** (BLOCK - 1) in 32 bits: weight of the byte that leaves the window */
const LEAVING = (() => {
  let power = 1
  for (let i = 1; i < BLOCK; i++) power = Math.imul(power, BASE)
  return power
})()

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0
  for (let i = 0; i < BLOCK; i++) hash = (Math.imul(hash, BASE) + bytes[at + i]) | 0
  return hash
}

function roll(hash: number, leaves: number, enters: number): number {
  return (Math.imul((hash - Math.imul(leaves, LEAVING)) | 0, BASE) + enters) | 0
}

function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}

function equalBlock(a: Uint8Array, ao: number, b: Uint8Array, bo: number): boolean {
  for (let i = 0; i < BLOCK; i++) if (a[ao + i] !== b[bo + i]) return false
  return true
}

/** The runs that can be kept together without crossing, most bytes first (weighted longest increasing sequence). */
function heaviestChain(runs: Run[]): Run[] {
  const n = runs.length
  if (n < 2) return runs
  // runs ascend in `after`; among them the ends in `before` must not pass the next start
  const order = Array.from(runs.keys()).sort((x, y) => runs[x].before + runs[x].size - (runs[y].before + runs[y].size))
  const ends = order.map((i) => runs[i].before + runs[i].size)
  const rank = new Int32Array(n)
  order.forEach((i, position) => (rank[i] = position))
  // Fenwick tree over the ranks of ends: best weight, and the run that has it
  const best = new Float64Array(n + 1)
  const holder = new Int32Array(n + 1).fill(-1)
  const weight = new Float64Array(n)
  const previous = new Int32Array(n).fill(-1)
  let top = 0
  for (let i = 0; i < n; i++) {
    let lo = 0
    let hi = n
    while (lo < hi) {
      const mid = (lo + hi) >> 1
      if (ends[mid] <= runs[i].before) lo = mid + 1
      else hi = mid
    }
    let most = 0
    for (let k = lo; k > 0; k -= k & -k) {
      if (best[k] > most) {
        most = best[k]
        previous[i] = holder[k]
      }
    }
    weight[i] = most + runs[i].size
    for (let k = rank[i] + 1; k <= n; k += k & -k) {
      if (weight[i] > best[k]) {
        best[k] = weight[i]
        holder[k] = i
      }
    }
    if (weight[i] > weight[top]) top = i
  }
  const chain: Run[] = []
  for (let i = top; i >= 0; i = previous[i]) chain.push(runs[i])
  return chain.reverse()
}
