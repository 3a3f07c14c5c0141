/** A motion on another figure whose feet stand where the source's do, whatever becomes of its way over the ground. */
import { placesOf, stand } from './figure.ts'
import { ballsOfBoth, ballTracks, heightsLike } from './foot-balls.ts'
import { holdPlants, plantsOf, slideOf } from './plants.ts'
import { frameOf } from './motion.ts'
import { retarget } from './retarget.ts'
import { rideAlong } from './riders.ts'
import { floorLike } from './soles.ts'
import { minus, radiansBetween, vectorAt } from './turns.ts'
import type { Figure } from './figure.ts'
import type { Plant } from './plants.ts'
import type { Motion } from './motion.ts'
import type { Retarget } from './retarget.ts'
import type { Soles } from './soles.ts'
import type { Vector } from './turns.ts'

export interface StandingMotion {
  motion: Motion
  plants: Plant[]
  /** how far a foot slides at most from where it came down, on the ground that the figure goes over */
  slide: number
}

/** Of a motion that comes back to its first pose: radians, and a share of the figure's height. */
const SAME_TURN = 0.01
const SAME_PLACE = 0.002
/** Seconds of the rounds before and after that feet are looked at with; a foot stands no longer. */
const AROUND = 1

/** What is done for feet that are not in their places already, as where source and target are one figure. */
export interface StandingWishes {
  /** those that stand are held */
  plants?: boolean
  /** they go into the floor no deeper than the source's */
  soles?: { source: Soles; target: Soles }
}

/** @param rate frames of `played` in a second */
export function retargetStanding(plan: Retarget, played: Motion, rate: number, { plants: held, soles }: StandingWishes): StandingMotion {
  const { source, target, map, options } = plan
  const motion = retarget(plan, played)
  if (!map.source || !map.target) return { motion, plants: [], slide: 0 }
  // feet stand on ground that is gone over: the way is taken out when they are in their places
  const over = options.travel === 'keep' ? motion : retarget({ ...plan, options: { ...options, travel: 'keep' } }, played)
  const way = over.translation.map((value, i) => value - motion.translation[i])
  // a foot may stand over the seam of a loop, and the two poses there are one
  const margin = returns(source, map.source.hips, played) ? Math.min(played.frames - 1, Math.ceil(AROUND * rate)) : 0
  const balls = ballsOfBoth(plan)
  const there = around(source, map.source.hips, played, margin)
  const tracks = ballTracks(source, there, balls.source)
  const found = plantsOf(source, map.source, tracks, there.frames, rate)
  if (held || soles) {
    const rounds = around(target, map.target.hips, over, margin)
    const floor = soles && floorLike(plan, soles, there, found, rate)
    const heights = held ? heightsLike(plan, balls, tracks) : undefined
    holdPlants(target, map.target, rounds, held ? found : [], rate, { balls: balls.target, heights, floor })
    over.translation.set(rounds.translation.subarray(3 * target.count * margin, 3 * target.count * (margin + over.frames)))
    over.rotation.set(rounds.rotation.subarray(4 * target.count * margin, 4 * target.count * (margin + over.frames)))
    // hips may have come down
    rideAlong(plan, over)
  }
  const last = played.frames - 1
  const plants = found.flatMap(({ side, from, to }): Plant[] =>
    to < margin || from > margin + last ? [] : [{ side, from: Math.max(0, from - margin), to: Math.min(last, to - margin) }],
  )
  const slide = slideOf(target, map.target, over, plants, balls.target).span
  if (over !== motion) {
    motion.rotation.set(over.rotation)
    for (let i = 0; i < way.length; i++) motion.translation[i] = over.translation[i] - way[i]
  }
  return { motion, plants, slide }
}

/** Whether the last pose is the first one, wherever on the ground. */
function returns(figure: Figure, hips: number, motion: Motion): boolean {
  if (motion.frames < 3) return false
  const { count, parents, height } = figure
  const [a, b] = [frameOf(motion, 0, count), frameOf(motion, motion.frames - 1, count)]
  const carries = new Set<number>()
  for (let i = hips; i >= 0; i = parents[i]) carries.add(i)
  const near = (v: Vector): boolean => Math.hypot(...v) <= SAME_PLACE * height
  for (let i = 0; i < count; i++) {
    if (radiansBetween(a.rotation, 4 * i, b.rotation, 4 * i) > SAME_TURN) return false
    if (!carries.has(i) && !near(minus(vectorAt(a.translation, 3 * i), vectorAt(b.translation, 3 * i)))) return false
  }
  return near([0, wayOf(figure, hips, motion)[1], 0])
}

/** From where the hips begin to where they end. */
function wayOf(figure: Figure, hips: number, motion: Motion): Vector {
  const at = (frame: number): Vector => {
    const places = placesOf(figure.count)
    stand(figure, frameOf(motion, frame, figure.count), places)
    return vectorAt(places.place, 3 * hips)
  }
  return minus(at(motion.frames - 1), at(0))
}

/** A loop with so many frames of the rounds before and after it, each where the figure is by then. */
function around(figure: Figure, hips: number, motion: Motion, margin: number): Motion {
  if (margin === 0) return motion
  const { count, parents } = figure
  const frames = motion.frames + 2 * margin
  const out: Motion = { frames, translation: new Float64Array(3 * count * frames), rotation: new Float64Array(4 * count * frames) }
  const way = wayOf(figure, hips, motion)
  const period = motion.frames - 1
  let top = hips
  while (parents[top] >= 0) top = parents[top]
  for (let f = 0; f < frames; f++) {
    const round = f < margin ? -1 : f > margin + period ? 1 : 0
    const from = frameOf(motion, f - margin - round * period, count)
    const to = frameOf(out, f, count)
    to.translation.set(from.translation)
    to.rotation.set(from.rotation)
    for (let c = 0; c < 3; c++) to.translation[3 * top + c] += round * way[c]
  }
  return out
}
