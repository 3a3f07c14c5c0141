import { expect, it } from 'vitest'
import { solveChain } from '../../../src/shared/motion/fabrik.ts'
import { placesOf, stand } from '../../../src/shared/motion/figure.ts'
import { reachWithChain, reachWithLimb } from '../../../src/shared/motion/limb-pose.ts'
import {
  arcBetween,
  cross,
  directionOf,
  dotOf,
  lengthOf,
  minus,
  plus,
  radiansBetween,
  scaled,
  vectorAt,
} from '../../../src/shared/motion/turns.ts'
import { solveTwoBone } from '../../../src/shared/motion/two-bone.ts'
import { randomFrom, somewhere, turnAtRandom } from './figures.ts'
import type { FigureParts } from '../../../src/shared/motion/figure.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'

const radians = (a: Vector, b: Vector): number => Math.atan2(lengthOf(cross(a, b)), dotOf(a, b))

it('reaches what two bones can reach, and never stretches them', () => {
  const random = randomFrom(1)
  let worst = 0
  let stretched = 0
  for (let i = 0; i < 10_000; i++) {
    const start = somewhere(random, 10)
    const middle = plus(start, directionOf(somewhere(random, 1))!, 0.05 + 3 * random())
    const end = plus(middle, directionOf(somewhere(random, 1))!, 0.05 + 3 * random())
    const [l1, l2] = [lengthOf(minus(middle, start)), lengthOf(minus(end, middle))]
    const [least, most] = [Math.abs(l1 - l2), l1 + l2]
    // near the limit a limb is eased: 2 to 98 % of its reach, of what it can fold to
    const near = Math.max(0.02 * most, least + 0.002 * most)
    const target = plus(start, directionOf(somewhere(random, 1))!, near + Math.max(0, 0.98 * most - near) * random())
    const pole = random() < 0.5 ? directionOf(somewhere(random, 1)) : undefined
    const solved = solveTwoBone({ start, middle, end }, { target, pole })
    worst = Math.max(worst, lengthOf(minus(solved.end, target)) / most)
    stretched = Math.max(
      stretched,
      Math.abs(lengthOf(minus(solved.middle, solved.start)) / l1 - 1),
      Math.abs(lengthOf(minus(solved.end, solved.middle)) / l2 - 1),
    )
  }
  expect(worst).toBeLessThan(1e-6)
  expect(stretched).toBeLessThan(1e-9)
})

it('bends to the pole', () => {
  const limb = { start: [0, 2, 0] as Vector, middle: [0, 1, 0.1] as Vector, end: [0, 0, 0] as Vector }
  const solved = solveTwoBone(limb, { target: [0, 0.5, 0], pole: [1, 0, 0] })
  expect(solved.middle[0]).toBeGreaterThan(0.5)
  expect(Math.abs(solved.middle[2])).toBeLessThan(1e-9)
})

it('bends a straight limb as it does at rest', () => {
  const limb = { start: [0, 2, 0] as Vector, middle: [0, 1, 0] as Vector, end: [0, 0, 0] as Vector }
  const solved = solveTwoBone(limb, { target: [0, 0.5, 0], restBend: [0, 0, 1] })
  expect(solved.middle[2]).toBeGreaterThan(0.5)
})

it('moves nothing where the target is where the end is', () => {
  const random = randomFrom(2)
  let worst = 0
  for (let i = 0; i < 2000; i++) {
    const { parents, parts } = limbOfThree(random)
    const places = placesOf(3)
    const figure = { count: 3, parents, rest: { ...parts, scale: new Float64Array(3).fill(1) } }
    stand(figure, parts, places)
    const before = Float64Array.from(parts.rotation)
    reachWithLimb(figure, parts, places, { upper: 0, lower: 1, end: 2 }, { target: vectorAt(places.place, 6) })
    for (let j = 0; j < 3; j++) worst = Math.max(worst, radiansBetween(before, 4 * j, parts.rotation, 4 * j))
  }
  expect(worst).toBeLessThan(1e-7)
})

it('keeps the turn of the end, and comes to the target with its joints', () => {
  const random = randomFrom(3)
  for (let i = 0; i < 500; i++) {
    const { parents, parts } = limbOfThree(random)
    const figure = { count: 3, parents, rest: { ...parts, scale: new Float64Array(3).fill(1) } }
    const places = placesOf(3)
    stand(figure, parts, places)
    const before = Float64Array.from(places.turn)
    const target = plus(vectorAt(places.place, 6), somewhere(random, 0.3))
    const left = reachWithLimb(figure, parts, places, { upper: 0, lower: 1, end: 2 }, { target })
    stand(figure, parts, places)
    expect(lengthOf(minus(vectorAt(places.place, 6), target))).toBeCloseTo(left, 9)
    expect(radiansBetween(before, 8, places.turn, 8)).toBeLessThan(1e-9)
  }
})

it('lies straight towards what is out of reach, and says how far that is', () => {
  const random = randomFrom(4)
  for (let i = 0; i < 1000; i++) {
    const start = somewhere(random, 1)
    const middle = plus(start, directionOf(somewhere(random, 1))!, 1)
    const end = plus(middle, directionOf(somewhere(random, 1))!, 0.8)
    const direction = directionOf(somewhere(random, 1))!
    const target = plus(start, direction, 1.8 * 1.5)
    const solved = solveTwoBone({ start, middle, end }, { target })
    expect(radians(minus(solved.end, start), direction)).toBeLessThan(1e-6)
    expect(lengthOf(minus(solved.end, start))).toBeGreaterThanOrEqual(1.8 * (1 - 1e-4) - 1e-9)
    expect(solved.unreached).toBeCloseTo(lengthOf(minus(target, solved.end)), 9)
  }
})

it('does not snap where a limb comes to its full length, nor beside its pole', () => {
  const limb = { start: [0, 1, 0] as Vector, middle: [0, 0.5, 0.12] as Vector, end: [0, 0.05, 0] as Vector }
  const sweeps: { from: Vector; way: Vector; pole?: Vector }[] = [
    { from: [0, 0.4, 0], way: [0, -1, 0] },
    { from: [0.4, 0.05, -0.3], way: directionOf([-1, -0.3, 0.8])! },
    // across the line of the pole
    { from: [-0.3, 1, 0.6], way: [1, 0, 0], pole: [0, 0, 1] },
  ]
  for (const { from, way, pole } of sweeps) {
    let before: Vector | undefined
    let bend: Vector | undefined
    for (let i = 0; i < 10_000; i++) {
      const solved = solveTwoBone(limb, { target: plus(from, way, 1e-4 * i), pole })
      expect(solved.middle.every(Number.isFinite)).toBe(true)
      if (before) expect(lengthOf(minus(solved.middle, before))).toBeLessThanOrEqual(50 * 1e-4)
      const own = directionOf(minus(solved.middle, solved.start))!
      if (bend) expect(radians(own, bend)).toBeLessThan(Math.PI / 6)
      before = solved.middle
      bend = own
    }
  }
})

it('finds places for chains of 3 to 12 bones, of their own lengths', () => {
  const random = randomFrom(5)
  let there = 0
  for (let i = 0; i < 1000; i++) {
    const bones = 3 + Math.floor(10 * random())
    const places = [0, 0, 0]
    let direction = directionOf(somewhere(random, 1))!
    for (let b = 0; b < bones; b++) {
      direction = directionOf(plus(direction, somewhere(random, 0.8)))!
      places.push(...plus(places.slice(-3), direction, 0.2 + random()))
    }
    const lengths = Array.from({ length: bones }, (_, b) => lengthOf(minus(vectorAt(places, 3 * b + 3), vectorAt(places, 3 * b))))
    const whole = lengths.reduce((sum, length) => sum + length, 0)
    const longest = Math.max(...lengths)
    // of one long bone and many short ones not all is in reach
    const least = Math.max(0, 2 * longest - whole)
    const target = scaled(directionOf(somewhere(random, 1))!, least + (whole - least) * (0.02 + 0.96 * random()))
    const solved = solveChain(places, target)
    if (solved.unreached <= 1e-3 * whole && solved.rounds <= 20) there++
    for (let b = 0; b < bones; b++)
      expect(Math.abs(lengthOf(minus(vectorAt(solved.places, 3 * b + 3), vectorAt(solved.places, 3 * b))) / lengths[b] - 1)).toBeLessThan(
        1e-9,
      )
  }
  expect(there).toBeGreaterThanOrEqual(990)
})

it('lays a chain straight towards what is out of reach, and bends one whose target is on its own line', () => {
  const straight = [0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0]
  const far = solveChain(straight, [6, 0, 0])
  expect([...far.places]).toEqual([0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0])
  expect(far.unreached).toBeCloseTo(3)
  expect(solveChain(straight, [0, 1.5, 0]).unreached).toBeLessThan(3e-3)
})

it('solves a frame alike, whatever came before it', () => {
  const random = randomFrom(6)
  const frames = Array.from({ length: 40 }, () => limbOfThree(random))
  const solve = (order: readonly number[]): Float64Array[] => {
    const out: Float64Array[] = []
    for (const f of order) {
      const { parents, parts } = frames[f]
      const own = { translation: parts.translation, rotation: Float64Array.from(parts.rotation) }
      const figure = { count: 3, parents, rest: { ...parts, scale: new Float64Array(3).fill(1) } }
      const places = placesOf(3)
      stand(figure, own, places)
      reachWithLimb(figure, own, places, { upper: 0, lower: 1, end: 2 }, { target: [0.5, 0.4, 0.3] })
      stand(figure, own, places)
      reachWithChain(figure, own, places, [0, 1, 2], [0.4, 0.4, 0.3])
      out[f] = own.rotation
    }
    return out
  }
  const forward = [...frames.keys()]
  expect(solve(forward)).toEqual(solve(forward.toReversed()))
})

/** Three joints below one another at random turns. */
function limbOfThree(random: () => number): { parents: number[]; parts: FigureParts } {
  const parts = { translation: new Float64Array(9), rotation: new Float64Array(12) }
  parts.translation.set(somewhere(random, 0.2), 0)
  parts.translation.set(scaled(directionOf(somewhere(random, 1))!, 0.5 + random()), 3)
  parts.translation.set(scaled(directionOf(somewhere(random, 1))!, 0.5 + random()), 6)
  for (let j = 0; j < 3; j++) turnAtRandom(parts.rotation, 4 * j, random)
  return { parents: [-1, 0, 1], parts }
}

it('turns by the shortest arc, to the last digit and half around', () => {
  const q = [0, 0, 0, 0]
  arcBetween(q, 0, [0, 0, 1], 0, [1e-9, 0, 1], 0)
  expect(2 * q[1]).toBeCloseTo(1e-9, 15)
  arcBetween(q, 0, [0, 0, 1], 0, [0, 0, -2], 0)
  expect(Math.hypot(...q)).toBeCloseTo(1, 12)
  expect(q[3]).toBe(0)
})
