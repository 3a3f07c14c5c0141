/**
 * Feet that stand: found in the motion of one figure, held still in the motion of another. The ball of the foot is held, not
 * the ankle, so that the foot may roll; hips come down where a leg would be too short.
 */
import { moveInScene, placesOf, stand } from './figure.ts'
import { legLength } from './body.ts'
import { ballsOf, ballTracks, SIDES } from './foot-balls.ts'
import { reachWithLimb } from './limb-pose.ts'
import { frameOf } from './motion.ts'
import { smoothStep } from './smooth-step.ts'
import { raisesOf, soleTracks } from './soles.ts'
import { lengthOf, minus, plus, vectorAt } from './turns.ts'
import type { Body, Limb } from './body.ts'
import type { Figure, FigurePlaces } from './figure.ts'
import type { Balls, Side } from './foot-balls.ts'
import type { Motion } from './motion.ts'
import type { Floor } from './soles.ts'
import type { Vector } from './turns.ts'

export interface Plant {
  side: Side
  /** first and last frame */
  from: number
  to: number
}

export interface PlantLimits {
  /** lengths of the leg per second over the ground, for a foot that hardly moves at all */
  speed: number
  /** of the fastest that the foot goes, up to `most`: in a walk that a game packs into 16 bits feet that stand still creep */
  share: number
  most: number
  /** lengths of the leg above the lowest that the foot comes to */
  height: number
  /** seconds that a foot stands at least */
  time: number
}

const PLANT_LIMITS: PlantLimits = { speed: 0.05, share: 0.08, most: 0.4, height: 0.08, time: 0.1 }
/** Seconds over which a foot's way is looked at: less is the rounding of its file. */
const LOOK = 1 / 30
/** A foot that stands may move so much more before it does not. */
const STAYS = 1.5
/** Seconds before and behind a plant over which it is eased. */
const EASE = 0.1
/** Lengths of the leg above the lowest that a foot comes to, from where on its height is its own. */
const LIFTED = 0.25
/** A leg is not stretched further for a plant. */
const STRETCH = 0.99

/** @param rate frames per second */
export function findPlants(figure: Figure, body: Body, motion: Motion, rate: number, balls: Balls = ballsOf(body)): Plant[] {
  return plantsOf(figure, body, ballTracks(figure, motion, balls), motion.frames, rate)
}

/** @param tracks place of what stands of each foot, 3 numbers a frame */
export function plantsOf(
  figure: Figure,
  body: Body,
  tracks: Partial<Record<Plant['side'], Float64Array>>,
  frames: number,
  rate: number,
  limits = PLANT_LIMITS,
): Plant[] {
  const out: Plant[] = []
  for (const side of SIDES) {
    const track = tracks[side]
    if (!track) continue
    const length = legLength(figure, body.legs![side])
    let low = Infinity
    for (let f = 0; f < frames; f++) low = Math.min(low, track[3 * f + 1])
    const step = Math.min(frames - 1, Math.max(1, Math.round(LOOK * rate)))
    const speeds = Float64Array.from({ length: frames }, (_, f) => {
      const from = Math.min(f, frames - 1 - step)
      return step > 0 ? (wayBetween(track, from + step, from) * rate) / (step * length) : 0
    })
    const slow = Math.max(limits.speed, Math.min(limits.most, limits.share * Math.max(...speeds)))
    const stands = (f: number, more: number): boolean => speeds[f] < more * slow && track[3 * f + 1] - low < more * limits.height * length
    let from = -1
    for (let f = 0; f <= frames; f++) {
      const on = f < frames && stands(f, from >= 0 ? STAYS : 1)
      if (on && from < 0) from = f
      if (on || from < 0) continue
      if (f - from >= limits.time * rate - 1e-9) out.push({ side, from, to: f - 1 })
      from = -1
    }
  }
  return out.sort((a, b) => a.from - b.from || (a.side < b.side ? -1 : 1))
}

/** What feet are held by, where both figures of a pair have a say. */
export interface Footing {
  balls: Balls
  /** how high each ball is to be, one number a frame; near the ground it is so whether the foot stands or not */
  heights?: Partial<Record<Side, Float64Array>>
  /** what soles are not to go below, whether the foot stands or not */
  floor?: Floor
}

/** Holds the feet of a motion where they stand, and their soles out of the floor. @param motion written */
export function holdPlants(
  figure: Figure,
  body: Body,
  motion: Motion,
  plants: readonly Plant[],
  rate: number,
  { balls, heights, floor }: Footing = { balls: ballsOf(body) },
): void {
  const { legs } = body
  if (!legs) return
  const ease = Math.max(2, Math.round(EASE * rate))
  const places = placesOf(figure.count)
  const tracks = ballTracks(figure, motion, balls)
  // where each stands: in the middle of where it would creep, so that its leg is drawn least
  const anchors = plants.map(({ side, from, to }) => meanOf(tracks[side]!, from, to))
  const lowest = floor && soleTracks(figure, motion, floor.soles)
  const feet = SIDES.flatMap((side) => {
    const leg = legs[side]
    const track = tracks[side]
    if (!track || leg.lower < 0 || leg.end < 0) return []
    const near = nearGround(heights?.[side], legLength(figure, leg))
    /** Way of the ankle for the plants and heights of its foot; null where it goes as it does. */
    const wayAt = (f: number): Vector | null => {
      // of two plants of one foot the nearer one holds it
      const [level, anchor] = plants.reduce<[number, Vector | null]>(
        (best, plant, i) => {
          const away = plant.side === side ? Math.max(plant.from - f, f - plant.to, 0) : ease
          const weight = away < ease ? 1 - smoothStep(away / ease) : 0
          return weight > best[0] ? [weight, anchors[i]] : best
        },
        [0, null],
      )
      const height = heights?.[side]?.[f]
      const upright = height === undefined ? level : Math.max(level, near(height))
      if (level === 0 && upright === 0) return null
      const at = vectorAt(track, 3 * f)
      const to = anchor ?? at
      return [level * (to[0] - at[0]), upright * ((height ?? to[1]) - at[1]), level * (to[2] - at[2])]
    }
    const ways = Array.from({ length: motion.frames }, (_, f) => wayAt(f))
    const [low, least, steps] = [lowest?.[side], floor?.least[side], floor?.steps[side]]
    if (low && least && steps) {
      const lacking = low.map((height, f) => Math.max(0, least[f] - height - (ways[f]?.[1] ?? 0)))
      raisesOf(lacking, steps).forEach((raise, f) => {
        if (raise > 0) ways[f] = plus(ways[f] ?? [0, 0, 0], [0, raise, 0])
      })
    }
    return [{ leg, ways }]
  })
  for (let f = 0; f < motion.frames; f++) {
    if (feet.every(({ ways }) => ways[f] === null)) continue
    const parts = frameOf(motion, f, figure.count)
    stand(figure, parts, places)
    const aims = feet.flatMap(({ leg, ways }) => {
      const way = ways[f]
      return way ? [{ leg, ankle: plus(vectorAt(places.place, 3 * leg.end), way) }] : []
    })
    const drop = Math.max(0, ...aims.map(({ leg, ankle }) => dropFor(places, leg, ankle)))
    if (drop > 0) {
      moveInScene(figure, parts, places, body.hips, [0, -drop, 0])
      stand(figure, parts, places)
    }
    for (const { leg, ankle } of aims)
      reachWithLimb(
        figure,
        parts,
        places,
        { upper: leg.upper, lower: leg.lower, end: leg.end },
        { target: ankle, soft: 1 - STRETCH - 0.005 },
      )
  }
}

function meanOf(track: Float64Array, from: number, to: number): Vector {
  const out: Vector = [0, 0, 0]
  for (let f = from; f <= to; f++) for (let c = 0; c < 3; c++) out[c] += track[3 * f + c] / (to - from + 1)
  return out
}

/** How much a foot's height counts by how high it is: all of it near the lowest that it comes to, nothing where it is lifted. */
function nearGround(heights: Float64Array | undefined, length: number): (height: number) => number {
  const low = heights?.reduce((least, height) => Math.min(least, height), Infinity) ?? 0
  const [all, none] = [PLANT_LIMITS.height * length, LIFTED * length]
  return (height) => 1 - smoothStep(Math.min(1, Math.max(0, (height - low - all) / (none - all))))
}

/** How far feet slide while they stand, in scene units: most in a frame, and most from where a plant began. */
export function slideOf(
  figure: Figure,
  body: Body,
  motion: Motion,
  plants: readonly Plant[],
  balls: Balls = ballsOf(body),
): { frame: number; span: number } {
  const out = { frame: 0, span: 0 }
  if (plants.length === 0) return out
  const tracks = ballTracks(figure, motion, balls)
  for (const { side, from, to } of plants) {
    const track = tracks[side]
    if (!track) continue
    for (let f = from + 1; f <= to; f++) {
      out.frame = Math.max(out.frame, wayBetween(track, f, f - 1))
      out.span = Math.max(out.span, wayBetween(track, f, from))
    }
  }
  return out
}

/** Way over the ground between two frames of a foot's places. */
export const wayBetween = (track: Float64Array, a: number, b: number): number =>
  Math.hypot(track[3 * a] - track[3 * b], track[3 * a + 2] - track[3 * b + 2])

/** A foot that stands, by its ball, with room for its place in each frame. */
export interface FootTrack {
  side: Plant['side']
  joint: number
  /** 3 numbers a frame */
  track: Float64Array
}

/** The feet of a body; none for a leg without one. */
export function footTracks(body: Body | null | undefined, frames: number): FootTrack[] {
  const balls = body ? ballsOf(body) : {}
  return SIDES.flatMap((side) => {
    const ball = balls[side]
    return ball ? [{ side, joint: ball.joint, track: new Float64Array(3 * frames) }] : []
  })
}

/** How far down the hips have to come for a leg to reach. */
function dropFor(places: FigurePlaces, leg: Limb, ankle: Vector): number {
  const hip = vectorAt(places.place, 3 * leg.upper)
  const knee = vectorAt(places.place, 3 * leg.lower)
  const reach = STRETCH * (lengthOf(minus(knee, hip)) + lengthOf(minus(vectorAt(places.place, 3 * leg.end), knee)))
  const level = Math.hypot(hip[0] - ankle[0], hip[2] - ankle[2])
  const [high, room] = [hip[1] - ankle[1], Math.sqrt(Math.max(0, reach * reach - level * level))]
  return Math.max(0, high - room)
}
