/**
 * Keys of a motion that was computed frame by frame, as few as hold it within a bound in the figure's own space: what a
 * joint is off by counts with all that hangs on it, as far out as its flesh goes. Between two keys the games blend on the
 * shortest way.
 */
import { slerp } from '../scene/matrix.ts'
import { placesOf, stand } from './figure.ts'
import { frameOf } from './motion.ts'
import { radiansBetween } from './turns.ts'
import { length3 } from '../scene/length.ts'
import type { Figure } from './figure.ts'
import type { Motion } from './motion.ts'

export interface ReduceOptions {
  /** how far any point of the figure may be off, in scene units */
  bound: number
  /** per joint, how far out its flesh goes; 5 % of the height where absent */
  shell?: ArrayLike<number>
  /** joints that may be off by half of it: hands and feet */
  fine?: ReadonlySet<number>
  /** frames that every joint keeps, beside the first and the last: where feet come down and lift */
  kept?: readonly number[]
}

export interface ReducedMotion {
  /** frames of the keys of each joint, ascending */
  rotation: Int32Array[]
  translation: Int32Array[]
  /** the most that a point is off, in scene units */
  error: number
}

const SHELL = 0.05
const ROUNDS = 12
/** Values that differ less are one. */
const SAME = 1e-9

export function reduceMotion(figure: Figure, motion: Motion, { bound, shell, fine, kept = [] }: ReduceOptions): ReducedMotion {
  const { count, parents } = figure
  const shells = shellsOf(figure, shell)
  const levers = leversOf(figure, shells)
  const boundOf = (joint: number): number => (fine?.has(joint) ? bound / 2 : bound)
  const share = new Float64Array(count).fill(0.5)
  const most = [...new Set([0, ...kept, motion.frames - 1])].filter((f) => f >= 0 && f < motion.frames).sort((a, b) => a - b)
  const out: ReducedMotion = { rotation: [], translation: [], error: 0 }
  const stale = new Uint8Array(count).fill(1)
  for (let round = 0; ; round++) {
    const dense = round >= ROUNDS
    for (let i = 0; i < count; i++) {
      if (!stale[i]) continue
      const tolerance = share[i] * boundOf(i)
      out.rotation[i] = dense ? allFrames(motion) : keysOf(motion, most, tolerance / levers[i], turnError(motion, count, i))
      out.translation[i] = dense
        ? allFrames(motion)
        : keysOf(motion, most, tolerance / (figure.bind.size[parents[i]] ?? 1), placeError(motion, count, i))
    }
    const errors = motionDifference(figure, motion, fromKeys(figure, motion, out), shells).error
    out.error = errors.reduce((m, e) => Math.max(m, e), 0)
    stale.fill(0)
    let done = true
    for (let i = 0; i < count; i++) {
      if (errors[i] <= boundOf(i)) continue
      done = false
      for (let j = i; j >= 0; j = parents[j]) stale[j] = 1
    }
    if (done || dense) return out
    for (let i = 0; i < count; i++) if (stale[i]) share[i] *= 0.6
  }
}

/** The motion as its keys say it, frame by frame. */
export function fromKeys(figure: Pick<Figure, 'count'>, motion: Motion, keys: Pick<ReducedMotion, 'rotation' | 'translation'>): Motion {
  const { count } = figure
  const out: Motion = {
    frames: motion.frames,
    translation: new Float64Array(motion.translation.length),
    rotation: new Float64Array(motion.rotation.length),
  }
  for (let i = 0; i < count; i++) {
    eachSpan(keys.rotation[i], (a, b, f, t) =>
      slerp(out.rotation, 4 * (f * count + i), motion.rotation, 4 * (a * count + i), motion.rotation, 4 * (b * count + i), t),
    )
    eachSpan(keys.translation[i], (a, b, f, t) => {
      for (let c = 0; c < 3; c++) {
        const [from, to] = [motion.translation[3 * (a * count + i) + c], motion.translation[3 * (b * count + i) + c]]
        out.translation[3 * (f * count + i) + c] = from + (to - from) * t
      }
    })
  }
  return out
}

function eachSpan(frames: Int32Array, put: (a: number, b: number, f: number, t: number) => void): void {
  for (let k = 0; k < frames.length; k++) {
    const [a, b] = [frames[k], frames[Math.min(k + 1, frames.length - 1)]]
    put(a, b, a, 0)
    for (let f = a + 1; f < b; f++) put(a, b, f, (f - a) / (b - a))
  }
}

function allFrames({ frames }: Motion): Int32Array {
  return Int32Array.from({ length: frames }, (_, f) => f)
}

/** How far a joint is off at a frame that lies between two keys. */
type SpanError = (a: number, b: number, f: number) => number

function turnError({ rotation }: Motion, count: number, joint: number): SpanError {
  const between = new Float64Array(4)
  return (a, b, f) => {
    slerp(between, 0, rotation, 4 * (a * count + joint), rotation, 4 * (b * count + joint), (f - a) / (b - a))
    return radiansBetween(between, 0, rotation, 4 * (f * count + joint))
  }
}

function placeError({ translation }: Motion, count: number, joint: number): SpanError {
  return (a, b, f) => {
    const t = (f - a) / (b - a)
    let sum = 0
    for (let c = 0; c < 3; c++) {
      const [from, to, at] = [a, b, f].map((frame) => translation[3 * (frame * count + joint) + c])
      sum += (from + (to - from) * t - at) ** 2
    }
    return Math.sqrt(sum)
  }
}

/** The worst frame of a span becomes a key until none is off by more. */
function keysOf({ frames }: Motion, kept: readonly number[], tolerance: number, error: SpanError): Int32Array {
  const keys = new Set(kept)
  const spans: [number, number][] = kept.slice(1).map((to, i) => [kept[i], to])
  while (spans.length > 0) {
    const [a, b] = spans.pop()!
    let worst = Math.max(tolerance, SAME)
    let at = -1
    for (let f = a + 1; f < b; f++) {
      const off = error(a, b, f)
      if (off > worst) {
        worst = off
        at = f
      }
    }
    if (at < 0) continue
    keys.add(at)
    spans.push([a, at], [at, b])
  }
  return Int32Array.from(keys)
    .sort()
    .filter((f) => f < frames)
}

/** How far from each joint the farthest flesh is that hangs on it. */
function leversOf({ count, parents, bind }: Figure, shells: Float64Array): Float64Array {
  const out = Float64Array.from(shells)
  for (let i = count - 1; i >= 0; i--) {
    const p = parents[i]
    if (p < 0) continue
    const way = Math.hypot(...[0, 1, 2].map((c) => bind.place[3 * i + c] - bind.place[3 * p + c]))
    out[p] = Math.max(out[p], out[i] + way)
  }
  return out
}

function shellsOf({ count, height }: Figure, shell?: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => shell?.[i] || SHELL * height)
}

/** How far two motions of one length are apart, per joint the most of all frames: places and points of its flesh in scene units, turns in radians. */
export interface MotionDifference {
  distance: Float64Array
  radians: Float64Array
  error: Float64Array
}

export function motionDifference(figure: Figure, motion: Motion, made: Motion, shells = shellsOf(figure)): MotionDifference {
  const { count } = figure
  const [a, b] = [placesOf(count), placesOf(count)]
  const out = { distance: new Float64Array(count), radians: new Float64Array(count), error: new Float64Array(count) }
  for (let f = 0; f < motion.frames; f++) {
    stand(figure, frameOf(motion, f, count), a)
    stand(figure, frameOf(made, f, count), b)
    for (let i = 0; i < count; i++) {
      const o = 3 * i
      const way = length3(a.place[o] - b.place[o], a.place[o + 1] - b.place[o + 1], a.place[o + 2] - b.place[o + 2])
      const radians = radiansBetween(a.turn, 4 * i, b.turn, 4 * i)
      const turn = 2 * Math.sin(Math.min(Math.PI, radians) / 2)
      out.distance[i] = Math.max(out.distance[i], way)
      out.radians[i] = Math.max(out.radians[i], radians)
      out.error[i] = Math.max(out.error[i], way + turn * shells[i])
    }
  }
  return out
}
