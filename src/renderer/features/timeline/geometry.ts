/** Where a native time stands on the screen, and the marks of the ruler. Plain numbers, no drawing. */
export { lowerBound } from '../../../shared/keys/plan.ts'

export interface View {
  /** native time at the left edge */
  start: number
  /** pixels per native unit */
  scale: number
}

export interface Range {
  start: number
  end: number
}

export const timeToX = (view: View, time: number): number => (time - view.start) * view.scale
export const xToTime = (view: View, x: number): number => view.start + x / view.scale

/** Shows a range with a margin in pixels on both sides. */
export function fitView(range: Range, width: number, margin = 24): View {
  const length = Math.max(range.end - range.start, 1e-6)
  const scale = Math.max(width - 2 * margin, 16) / length
  return { scale, start: range.start - margin / scale }
}

/** Zooms by a factor; the time under `x` stays where it is. */
export function zoomView(view: View, factor: number, x: number, limits: { min: number; max: number }): View {
  const scale = Math.min(limits.max, Math.max(limits.min, view.scale * factor))
  return { scale, start: xToTime(view, x) - x / scale }
}

/** Where keys stand while they are dragged: at `time * factor + by`. */
export interface Placement {
  factor: number
  by: number
}

export const AT_REST: Placement = Object.freeze({ factor: 1, by: 0 })
export const placed = ({ factor, by }: Placement, time: number): number => time * factor + by
export const isMoved = ({ factor, by }: Placement): boolean => factor !== 1 || by !== 0

/** Least width of what is taken hold of in the bar below the timeline. */
const THUMB = 24

/**
 * The bar below the timeline: where the part in sight stands in all that there is.
 * @returns place and width in pixels of a bar as wide as the timeline, and the native time that a pixel of a drag goes
 */
export function scrollThumb(view: View, content: Range, width: number): { x: number; width: number; perPixel: number } {
  const sight = width / view.scale
  const start = Math.min(content.start, view.start)
  const length = Math.max(content.end, view.start + sight) - start
  const thumb = Math.min(width, Math.max(THUMB, (sight / length) * width))
  const room = width - thumb
  const rest = length - sight
  return { x: rest > 0 ? ((view.start - start) / rest) * room : 0, width: thumb, perPixel: room > 0 && rest > 0 ? rest / room : 0 }
}

/** Keeps a part of the content in sight: never more than half a window beside it. */
export function clampView(view: View, content: Range, width: number): View {
  const half = width / 2 / view.scale
  const start = Math.min(Math.max(view.start, content.start - half), Math.max(content.start - half, content.end - half))
  return { scale: view.scale, start }
}

/** How far one may zoom: from the content at a quarter of the width to 60 px a unit (1 px a unit at least). */
export function scaleLimits(content: Range, width: number, unitsPerFrame: number): { min: number; max: number } {
  const length = Math.max(content.end - content.start, unitsPerFrame)
  const min = Math.max(width, 64) / 4 / length
  return { min, max: Math.max(min * 4, 60 / unitsPerFrame) }
}

/** Step of labelled marks: 1, 2 or 5 times a power of ten, at least `gap` pixels apart; `whole` for frames. */
export function markStep(scale: number, gap: number, whole: boolean): number {
  const least = gap / scale
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= least - 1e-12) ?? 10 * power
  return whole ? Math.max(1, Math.round(step)) : step
}

/** Puts intervals into lanes so that none cover each other; intervals may share a boundary. Lane per interval, and how many lanes. */
export function assignLanes(intervals: readonly Range[], least = 0): { lanes: number[]; count: number } {
  const order = intervals
    .map((_, i) => i)
    .sort((a, b) => intervals[a].start - intervals[b].start || intervals[a].end - intervals[b].end || a - b)
  const ends: number[] = []
  const lanes = new Array<number>(intervals.length).fill(0)
  for (const i of order) {
    const { start } = intervals[i]
    const end = Math.max(intervals[i].end, start + least)
    let lane = ends.findIndex((e) => e <= start + 1e-9)
    if (lane < 0) lane = ends.length
    ends[lane] = end
    lanes[i] = lane
  }
  return { lanes, count: Math.max(1, ends.length) }
}

export type DragPart = 'body' | 'start' | 'end'

/** New window of a slice that is dragged by `delta` native units. With `snap` the moved edges land on whole steps; the end never passes the start. */
export function dragSlice(from: Range, part: DragPart, delta: number, options: { snap: number; min: number; max: number }): Range {
  const snap = (t: number): number => (options.snap > 0 ? Math.round(t / options.snap) * options.snap : t)
  const clamp = (t: number): number => Math.min(options.max, Math.max(options.min, t))
  if (part === 'start') return { start: Math.min(clamp(snap(from.start + delta)), from.end), end: from.end }
  if (part === 'end') return { start: from.start, end: Math.max(clamp(snap(from.end + delta)), from.start) }
  // the length stays: the start snaps and the end follows
  const length = from.end - from.start
  const start = Math.min(Math.max(snap(from.start + delta), options.min), Math.max(options.min, options.max - length))
  return { start, end: start + length }
}

/** The mark that a time is so near to, in pixels, that it is meant. */
export function nearMark(marks: readonly number[], time: number, scale: number, reach = 6): number | undefined {
  let best: number | undefined
  for (const mark of marks)
    if (Math.abs(mark - time) * scale <= reach && (best === undefined || Math.abs(mark - time) < Math.abs(best - time))) best = mark
  return best
}

/** What was made of lists before: lists of tracks that an edit left alone are the same ones, and so is what comes of them. */
const madeOf = new WeakMap<ArrayLike<number>, Float64Array>()
const joinedOf = new WeakMap<Float64Array, WeakMap<Float64Array, Float64Array>>()

/**
 * Sorted times without repetition. Bones mostly share their times, so lists are joined two by two and stay short; where one is another, only
 * what it has a part in is joined anew.
 * @param lists nobody changes them, nor what comes of them
 */
export function uniteTimes(lists: readonly ArrayLike<number>[]): Float64Array {
  let row = lists.map(distinct)
  while (row.length > 1) {
    const next: Float64Array[] = []
    for (let i = 0; i < row.length; i += 2) next.push(i + 1 < row.length ? join(row[i], row[i + 1]) : row[i])
    row = next
  }
  return row[0] ?? new Float64Array(0)
}

function distinct(list: ArrayLike<number>): Float64Array {
  let made = madeOf.get(list)
  if (!made) madeOf.set(list, (made = sortedOnce(list)))
  return made
}

function sortedOnce(list: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(list)
  for (let i = 1; i < out.length; i++) {
    if (out[i] >= out[i - 1]) continue
    // some files have keys out of order
    out.sort()
    break
  }
  let kept = 0
  for (let i = 0; i < out.length; i++) if (i === 0 || out[i] !== out[kept - 1]) out[kept++] = out[i]
  return out.subarray(0, kept)
}

function join(a: Float64Array, b: Float64Array): Float64Array {
  let joined = joinedOf.get(a)
  if (!joined) joinedOf.set(a, (joined = new WeakMap()))
  let both = joined.get(b)
  if (!both) joined.set(b, (both = merged(a, b)))
  return both
}

function merged(a: Float64Array, b: Float64Array): Float64Array {
  if (a.length === b.length && a.every((t, i) => t === b[i])) return a
  const out = new Float64Array(a.length + b.length)
  let i = 0,
    j = 0,
    n = 0
  while (i < a.length || j < b.length) {
    const x = i < a.length ? a[i] : Infinity,
      y = j < b.length ? b[j] : Infinity
    out[n++] = x <= y ? x : y
    if (x <= y) i++
    if (y <= x) j++
  }
  return out.subarray(0, n)
}
