/** Feet that stand: over the seam of a loop, and where the way over the ground is taken out. */
import { describe, expect, it } from 'vitest'
import { placesOf, stand } from '../../../src/shared/motion/figure.ts'
import { ballsOfBoth, ballTracks, heightsLike } from '../../../src/shared/motion/foot-balls.ts'
import { fromKeys, reduceMotion } from '../../../src/shared/motion/reduce-motion.ts'
import { frameOf } from '../../../src/shared/motion/motion.ts'
import { prepareRetarget } from '../../../src/shared/motion/retarget.ts'
import { retargetStanding } from '../../../src/shared/motion/standing.ts'
import { lengthOf, minus, vectorAt } from '../../../src/shared/motion/turns.ts'
import { biped, walk } from './figures.ts'
import type { Figure } from '../../../src/shared/motion/figure.ts'
import type { Motion } from '../../../src/shared/motion/motion.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'

const RATE = 30

function placesAt(figure: Figure, motion: Motion, frame: number): Vector[] {
  const places = placesOf(figure.count)
  stand(figure, frameOf(motion, frame, figure.count), places)
  return Array.from({ length: figure.count }, (_, i) => vectorAt(places.place, 3 * i))
}

/** Places in a frame seen from the hips; what carries them is left out: it stays behind. */
function poseAt(figure: Figure, motion: Motion, frame: number): Vector[] {
  const places = placesAt(figure, motion, frame)
  return places.slice(1).map((place) => minus(place, places[figure.names.indexOf('Pelvis')]))
}

const apart = (a: Vector[], b: Vector[]): number[] => a.map((place, i) => lengthOf(minus(place, b[i])))
const sum = (list: number[]): number => list.reduce((total, one) => total + one, 0)

describe.each(['keep', 'in-place', 'drop'] as const)('a loop whose way over the ground is %s', (travel) => {
  it.each([1, 1.2])('closes on legs %s times as long, as it moves on', (legs) => {
    const [a, b] = [biped(), biped({ legs, scale: 1.8 / 2 })]
    // one round: its last pose is the first one
    const played = walk(a, RATE + 1, RATE)
    const { motion, plants, slide } = retargetStanding(prepareRetarget(a, b, { travel }), played, RATE, { plants: true })
    expect(plants.length).toBeGreaterThanOrEqual(2)
    expect(plants.every(({ from, to }) => from >= 0 && to <= RATE)).toBe(true)
    expect((slide * 1.8) / b.height).toBeLessThan(0.005)
    const bound = 0.001 * b.height
    for (const shown of [motion, fromKeys(b, motion, reduceMotion(b, motion, { bound }))]) {
      const [first, second, before, last] = [0, 1, RATE - 1, RATE].map((f) => poseAt(b, shown, f))
      expect(Math.max(...apart(first, last))).toBeLessThan(bound)
      const seam = sum(apart(second, first)) / sum(apart(last, before))
      expect(seam).toBeGreaterThan(0.8)
      expect(seam).toBeLessThan(1.25)
    }
  })
})

it('moves feet under a figure in place as it does under one that goes', () => {
  const [a, b] = [biped(), biped({ legs: 1.2, scale: 1.8 / 2 })]
  const played = walk(a, 75, RATE)
  const [goes, stays] = (['keep', 'in-place'] as const).map(
    (travel) => retargetStanding(prepareRetarget(a, b, { travel }), played, RATE, { plants: true }).motion,
  )
  for (let f = 0; f < played.frames; f += 5) expect(Math.max(...apart(poseAt(b, goes, f), poseAt(b, stays, f)))).toBeLessThan(1e-9)
  const hips = b.names.indexOf('Pelvis')
  const way = (motion: Motion): number => lengthOf(minus(placesAt(b, motion, 74)[hips], placesAt(b, motion, 0)[hips]))
  expect(way(goes)).toBeGreaterThan(1)
  expect(way(stays)).toBeLessThan(0.05)
})

it('leaves a motion that ends elsewhere to its own frames', () => {
  const [a, b] = [biped(), biped({ legs: 1.2, scale: 1.8 / 2 })]
  const { plants, slide } = retargetStanding(prepareRetarget(a, b), walk(a, 50, RATE), RATE, { plants: true })
  expect(plants.at(-1)!.to).toBeLessThanOrEqual(49)
  expect((slide * 1.8) / b.height).toBeLessThan(0.005)
})

/** As a game packs a walk: feet that stand creep by a little in each frame, and the rounding of the file is on top. */
function creeping(figure: Figure, motion: Motion): Motion {
  const root = 3 * figure.names.indexOf('Root')
  for (let f = 0; f < motion.frames; f++) {
    motion.translation[root + 3 * figure.count * f + 2] += (0.12 * f) / RATE
    motion.translation[root + 3 * figure.count * f] += (f % 2) / 1024
  }
  return motion
}

it('finds feet that creep while they stand, and holds them', () => {
  const [a, b] = [biped(), biped({ legs: 1.2, scale: 1.8 / 2 })]
  const { plants, slide } = retargetStanding(prepareRetarget(a, b), creeping(a, walk(a, 90, RATE)), RATE, { plants: true })
  expect(plants.length).toBeGreaterThanOrEqual(4)
  expect((slide * 1.8) / b.height).toBeLessThan(0.005)
})

/** The page of algorithms takes the first frame of a plant; a foot that creeps is drawn about twice as far from there as from the middle of where it would be. */
it('holds a foot that creeps where its leg is drawn least', () => {
  const [a, b] = [biped(), biped({ legs: 1.2, scale: 1.8 / 2 })]
  const played = creeping(a, walk(a, 90, RATE))
  const plan = prepareRetarget(a, b)
  const { motion, plants } = retargetStanding(plan, played, RATE, { plants: true })
  const free = retargetStanding(plan, played, RATE, {}).motion
  const { target } = ballsOfBoth(plan)
  const [held, loose] = [ballTracks(b, motion, target), ballTracks(b, free, target)]
  const over = (p: Float64Array, f: number, q: Float64Array, g: number): number =>
    Math.hypot(p[3 * f] - q[3 * g], p[3 * f + 2] - q[3 * g + 2])
  // at an end of the motion half of a step is cut off
  const whole = plants.filter(({ from, to }) => from > 0 && to < played.frames - 1)
  expect(whole.length).toBeGreaterThanOrEqual(3)
  for (const { side, from, to } of whole) {
    const [h, l] = [held[side]!, loose[side]!]
    const frames = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const drawn = Math.max(...frames.map((f) => over(h, f, l, f)))
    const fromFirst = Math.max(...frames.map((f) => over(l, from, l, f)))
    expect(fromFirst).toBeGreaterThan(0.01 * b.height)
    expect(drawn / fromFirst, `${side} ${from}`).toBeLessThan(0.7)
  }
})

it('has feet near the ground as high as the source has them, with toes on one of the two alone as well', () => {
  for (const [toesOfSource, toesOfTarget] of [
    [true, true],
    [true, false],
    [false, true],
  ]) {
    const [a, b] = [biped({ toes: toesOfSource }), biped({ toes: toesOfTarget, legs: 1.2, knees: -0.12 })]
    const plan = prepareRetarget(a, b)
    const played = walk(a, 75, RATE)
    const balls = ballsOfBoth(plan)
    const wanted = heightsLike(plan, balls, ballTracks(a, played, balls.source))
    const { motion } = retargetStanding(plan, played, RATE, { plants: true })
    const made = ballTracks(b, motion, balls.target)
    for (const side of ['left', 'right'] as const) {
      const low = Math.min(...wanted[side]!)
      wanted[side]!.forEach((height, f) => {
        if (height - low < 0.05) expect(Math.abs(made[side]![3 * f + 1] - height), `${side} ${f}`).toBeLessThan(0.003 * b.height)
      })
    }
  }
})
