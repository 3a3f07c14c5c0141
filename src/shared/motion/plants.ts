/**
 * Feet that stand: found in the motion of one figure, held still in the motion of another. The ball of the foot is held, not
 * the ankle, so that the foot may roll; hips come down where a leg would be too short.
 */
import { moveInScene, placesOf, stand } from './figure.ts'
import { reachWithLimb } from './limb-pose.ts'
import { frameOf } from './retarget.ts'
import { smoothStep } from './smooth-step.ts'
import { lengthOf, minus, plus, vectorAt } from './turns.ts'
import type { Body, Limb } from './body.ts'
import type { Figure, FigurePlaces } from './figure.ts'
import type { Motion } from './retarget.ts'
import type { Vector } from './turns.ts'

export interface Plant {
  side: 'left' | 'right'
  /** first and last frame */
  from: number
  to: number
}

export interface PlantLimits {
  /** lengths of the leg per second over the ground */
  speed: number
  /** lengths of the leg above the lowest that the foot comes to */
  height: number
  /** seconds that a foot stands at least */
  time: number
}

const PLANT_LIMITS: PlantLimits = { speed: 0.05, height: 0.08, time: 0.1 }
/** A foot that stands may move so much more before it does not. */
const STAYS = 1.5
/** Seconds before and behind a plant over which it is eased. */
const EASE = 0.1
/** A leg is not stretched further for a plant. */
const STRETCH = 0.99

const SIDES = ['left', 'right'] as const

/** @param rate frames per second */
export function findPlants(figure: Figure, body: Body, motion: Motion, rate: number, limits = PLANT_LIMITS): Plant[] {
  return plantsOf(figure, body, ballTracks(figure, body, motion), motion.frames, rate, limits)
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
    const stands = (f: number, more: number): boolean => {
      const other = f + 1 < frames ? f + 1 : f - 1
      const speed = other < 0 ? 0 : Math.hypot(track[3 * other] - track[3 * f], track[3 * other + 2] - track[3 * f + 2]) * rate
      return speed < more * limits.speed * length && track[3 * f + 1] - low < more * limits.height * length
    }
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

/** Holds the feet of a motion where they stand. @param motion written */
export function holdPlants(figure: Figure, body: Body, motion: Motion, plants: readonly Plant[], rate: number): void {
  const { legs } = body
  if (!legs || plants.length === 0) return
  const ease = Math.max(2, Math.round(EASE * rate))
  const places = placesOf(figure.count)
  // where each stands: as the foot comes to the ground
  const anchors = plants.map(({ side, from }) => {
    stand(figure, frameOf(motion, from, figure.count), places)
    return vectorAt(places.place, 3 * ballOf(legs[side]))
  })
  for (let f = 0; f < motion.frames; f++) {
    const held = plants.flatMap((plant, i) => {
      const away = Math.max(plant.from - f, f - plant.to, 0)
      return away < ease ? [{ plant, anchor: anchors[i], weight: 1 - smoothStep(away / ease) }] : []
    })
    if (held.length === 0) continue
    const parts = frameOf(motion, f, figure.count)
    stand(figure, parts, places)
    // of two plants of one foot the nearer one holds it
    const aims = SIDES.flatMap((side) => {
      const one = held
        .filter(({ plant }) => plant.side === side)
        .sort((a, b) => b.weight - a.weight)
        .at(0)
      if (!one || legs[side].lower < 0 || legs[side].end < 0) return []
      const leg = legs[side]
      const ball = vectorAt(places.place, 3 * ballOf(leg))
      const ankle = vectorAt(places.place, 3 * leg.end)
      return [{ leg, ankle: plus(ankle, minus(one.anchor, ball), one.weight) }]
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

/** How far feet slide while they stand, in scene units: most in a frame, and most from where a plant began. */
export function slideOf(figure: Figure, body: Body, motion: Motion, plants: readonly Plant[]): { frame: number; span: number } {
  const out = { frame: 0, span: 0 }
  if (plants.length === 0) return out
  const tracks = ballTracks(figure, body, motion)
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
  return SIDES.flatMap((side) => {
    const joint = body?.legs ? ballOf(body.legs[side]) : -1
    return joint < 0 ? [] : [{ side, joint, track: new Float64Array(3 * frames) }]
  })
}

/** Place of each foot in each frame. */
function ballTracks(figure: Figure, body: Body, motion: Motion): Partial<Record<Plant['side'], Float64Array>> {
  const feet = footTracks(body, motion.frames)
  const places = placesOf(figure.count)
  for (let f = 0; f < motion.frames; f++) {
    stand(figure, frameOf(motion, f, figure.count), places)
    for (const { joint, track } of feet) track.set(vectorAt(places.place, 3 * joint), 3 * f)
  }
  return Object.fromEntries(feet.map(({ side, track }) => [side, track]))
}

/** What stays on the ground: the toe, or the end of the leg. */
function ballOf({ end, tip, lower }: Limb): number {
  return tip[0] ?? (end >= 0 ? end : lower)
}

function legLength({ bind }: Figure, { upper, lower, end }: Limb): number {
  const at = (joint: number): Vector => vectorAt(bind.place, 3 * joint)
  const length = lower < 0 ? 0 : lengthOf(minus(at(lower), at(upper))) + (end < 0 ? 0 : lengthOf(minus(at(end), at(lower))))
  return length || 1
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
