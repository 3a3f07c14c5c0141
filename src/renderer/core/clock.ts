/**
 * The playback clock, in native time.
 *
 * A slice runs at `speed` times its clip's rate (where a game counts in ticks, `speed` is frames per tick, and the clip's rate is the tick rate); its end is
 * a pose that is reached, so its period is (end - start) / (speed * rate). A clip runs at its rate.
 */
import type { Clip, Slice } from '../../shared/scene/types.ts'

export interface Span {
  start: number
  end: number
  /** native units per second, never negative */
  rate: number
  loop: boolean
}

export function sliceSpan(slice: Slice, clip: Clip, loop: boolean): Span {
  return { start: slice.start, end: Math.max(slice.start, slice.end), rate: Math.max(0, slice.speed * clip.rate), loop }
}

export function clipSpan(clip: Clip, loop: boolean): Span {
  return { start: clip.start, end: Math.max(clip.start, clip.end), rate: clip.rate, loop }
}

/** Seconds of one round; Infinity for a span that never moves. */
export function spanSeconds(span: Span): number {
  const length = span.end - span.start
  if (length === 0) return 0
  return span.rate > 0 ? length / span.rate : Infinity
}

/** Time after `seconds` of playing; `ended` when a span without loop came to its end. */
export function advance(span: Span, time: number, seconds: number): { time: number; ended: boolean } {
  const length = span.end - span.start
  if (!(length > 0) || !(span.rate > 0)) return { time: clampTime(span, time), ended: !span.loop }
  let next = time + seconds * span.rate
  if (time < span.start || time > span.end) next = span.start + seconds * span.rate
  if (next < span.end) return { time: Math.max(span.start, next), ended: false }
  if (!span.loop) return { time: span.end, ended: true }
  return { time: span.start + ((next - span.start) % length), ended: false }
}

export function clampTime(span: Pick<Span, 'start' | 'end'>, time: number): number {
  return Number.isFinite(time) ? Math.min(span.end, Math.max(span.start, time)) : span.start
}

/** The next whole step before or after `time`: frames, or 1/30 s in other units. Wraps at the ends when looping. */
export function stepTime(span: Span, time: number, direction: 1 | -1, step: number): number {
  const at = (time - span.start) / step
  const nearest = Math.round(at)
  const whole = Math.abs(at - nearest) < 1e-3 ? nearest + direction : direction > 0 ? Math.ceil(at) : Math.floor(at)
  const next = span.start + whole * step
  if (next > span.end + 1e-6) return span.loop && time >= span.end - 1e-6 ? span.start : span.end
  if (next < span.start - 1e-6) return span.loop && time <= span.start + 1e-6 ? span.end : span.start
  return next
}

/** The frame nearest to a time, inside a span where one lies in it. */
export function nearestStep(span: Pick<Span, 'start' | 'end'>, time: number, step: number): number {
  const inside = clampTime(span, time)
  const at = Math.round(inside / step) * step
  if (at >= span.start - 1e-9 && at <= span.end + 1e-9) return at
  const other = at > span.end ? Math.floor(span.end / step) * step : Math.ceil(span.start / step) * step
  return other >= span.start - 1e-9 && other <= span.end + 1e-9 ? other : inside
}

/** A time as a file can have it that counts in this unit: milliseconds are whole, and a frame of theirs is not. */
export function storedTime({ unit }: Pick<Clip, 'unit'>, time: number): number {
  return unit === 'ms' ? Math.round(time) : time
}

/** One frame in a clip's unit. */
export function frameStep(unit: Clip['unit']): number {
  return unit === 'frame' ? 1 : unit === 'ms' ? 1000 / 30 : 1 / 30
}
