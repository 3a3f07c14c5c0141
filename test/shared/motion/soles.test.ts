/** Shoes that are longer than those of the figure that a motion is of: how deep they go into the floor, and what becomes of legs and plants. */
import { describe, expect, it } from 'vitest'
import { bodyOf, legLength } from '../../../src/shared/motion/body.ts'
import { placesOf, stand } from '../../../src/shared/motion/figure.ts'
import { frameOf } from '../../../src/shared/motion/motion.ts'
import { slideOf } from '../../../src/shared/motion/plants.ts'
import { prepareRetarget } from '../../../src/shared/motion/retarget.ts'
import { floorOf, raisesOf, solesOf, soleTracks } from '../../../src/shared/motion/soles.ts'
import { retargetStanding } from '../../../src/shared/motion/standing.ts'
import { lengthOf, minus, vectorAt } from '../../../src/shared/motion/turns.ts'
import { biped, randomFrom, shod, walk } from './figures.ts'
import type { Figure } from '../../../src/shared/motion/figure.ts'
import type { Motion } from '../../../src/shared/motion/motion.ts'
import type { Soles } from '../../../src/shared/motion/soles.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'

const RATE = 30
/** From ankle to tip: two centimetres before the ball of the foot, and sixteen. */
const [SHORT, LONG] = [0.16, 0.3]
const SIDES = ['left', 'right'] as const

const soleOf = (figure: Figure, tip: number): Soles => solesOf(shod(figure, tip), bodyOf(figure)!)

/** How deep feet go below the floor at most, in lengths of the leg. */
function depthOf(figure: Figure, motion: Motion, soles: Soles): number {
  const tracks = soleTracks(figure, motion, soles)
  const low = Math.min(...SIDES.flatMap((side) => [...tracks[side]!]))
  return (floorOf(figure, soles) - low) / legLength(figure, bodyOf(figure)!.legs!.left)
}

/** Degrees of each knee in each frame, and how far the knee is before the line from hip to ankle. */
function kneesOf(figure: Figure, motion: Motion): { degrees: number[]; before: number[] }[] {
  const places = placesOf(figure.count)
  return SIDES.map((side) => {
    const { upper, lower, end } = bodyOf(figure)!.legs![side]
    const out = { degrees: [] as number[], before: [] as number[] }
    for (let f = 0; f < motion.frames; f++) {
      stand(figure, frameOf(motion, f, figure.count), places)
      const [hip, knee, ankle] = [upper, lower, end].map((joint) => vectorAt(places.place, 3 * joint))
      const [a, b] = [minus(hip, knee), minus(ankle, knee)]
      const cos = a.reduce((sum, value, c) => sum + value * b[c], 0) / (lengthOf(a) * lengthOf(b))
      out.degrees.push((Math.acos(cos) * 180) / Math.PI)
      out.before.push(knee[2] - (hip[2] + ankle[2]) / 2)
    }
    return out
  })
}

/** The most that the second of three frames differs from the middle of the others: what pops. */
const bendOf = (values: number[]): number =>
  Math.max(...values.slice(1, -1).map((value, f) => Math.abs(values[f] + values[f + 2] - 2 * value)))
const stepOf = (values: number[]): number => Math.max(...values.slice(1).map((value, f) => Math.abs(value - values[f])))

describe('the soles of a figure', () => {
  it('are what its feet move most of all, few points of them, wherever its axes are', () => {
    for (const figure of [biped(), biped({ rolls: randomFrom(3) }), biped({ toes: false })]) {
      const soles = solesOf(shod(figure, LONG, 21), bodyOf(figure)!)
      for (const side of SIDES) {
        expect(soles[side]!.map(({ joint }) => joint)).toEqual([bodyOf(figure)!.legs![side].end])
        const points = soles[side]![0].points.length / 3
        expect(points).toBeGreaterThanOrEqual(8)
        expect(points).toBeLessThanOrEqual(64)
      }
      // calf and hips have vertices below the floor
      expect(Math.abs(floorOf(figure, soles))).toBeLessThan(1e-6)
    }
  })

  it('are of meshes that are shown, at the highest level of detail', () => {
    const figure = biped()
    const scene = shod(figure, LONG)
    const [mesh] = scene.meshes
    const low = { ...mesh, positions: mesh.positions.map((value, i) => (i % 3 === 1 ? value - 1 : value)) }
    for (const other of [
      { ...low, visible: false },
      { ...low, lod: 0 },
    ]) {
      const lods = [{ screenSize: 1 }, { screenSize: 2 }] as unknown as typeof scene.lods
      const soles = solesOf({ ...scene, lods, meshes: [{ ...mesh, lod: 1 }, other] }, bodyOf(figure)!)
      expect(Math.abs(floorOf(figure, soles))).toBeLessThan(1e-6)
    }
    // a part that hangs on a foot as a whole
    const own: Vector = [0, -0.3, 0]
    const rigid = { ...mesh, skin: -1, joint: figure.names.indexOf('L Foot'), positions: Float32Array.from(own) }
    const soles = solesOf({ ...scene, meshes: [rigid] }, bodyOf(figure)!)
    expect(Object.keys(soles)).toEqual(['left'])
    expect(floorOf(figure, soles)).toBeCloseTo(0.08 - 0.3, 6)
  })
})

describe.each([
  { what: 'of the same legs', shape: {} },
  { what: 'without toes', shape: { toes: false } },
  { what: 'of longer legs and other axes', shape: { legs: 1.2, rolls: randomFrom(7) } },
])('a longer shoe on a figure $what', ({ shape }) => {
  const [a, b] = [biped(), biped(shape)]
  const plan = prepareRetarget(a, b)
  const played = walk(a, 2 * RATE + 1, RATE, 0.7, 35)
  const soles = { source: soleOf(a, SHORT), target: soleOf(b, LONG) }
  const own = depthOf(a, played, soles.source)
  const made = (wishes: Parameters<typeof retargetStanding>[3]) => retargetStanding(plan, played, RATE, wishes)

  it.each([true, false])('goes no deeper into the floor than the short one does (feet held: %s)', (plants) => {
    const [before, after] = [made({ plants }).motion, made({ plants, soles }).motion]
    expect(own).toBeLessThan(0.02)
    expect(depthOf(b, before, soles.target)).toBeGreaterThan(0.06)
    expect(depthOf(b, after, soles.target)).toBeLessThan(own + 1e-3)
    // no frame is deeper than the source's is then
    const [there, here] = [soleTracks(a, played, soles.source), soleTracks(b, after, soles.target)]
    for (const side of SIDES)
      here[side]!.forEach((height, f) => expect(height, `${side} ${f}`).toBeGreaterThan(plan.ratio * Math.min(0, there[side]![f]) - 1e-6))
  })

  it('keeps its plants where they are, and its knees from popping', () => {
    const [before, after] = [made({ plants: true }), made({ plants: true, soles })]
    expect(after.plants).toEqual(before.plants)
    expect(after.plants.length).toBeGreaterThanOrEqual(4)
    expect((after.slide * 1.8) / b.height).toBeLessThan(0.005)
    const frames = ({ motion, plants }: typeof after): number => slideOf(b, bodyOf(b)!, motion, plants).frame
    expect(frames(after)).toBeLessThan(frames(before) + 1e-3)
    const [source, bare, shoe] = [kneesOf(a, played), kneesOf(b, before.motion), kneesOf(b, after.motion)]
    SIDES.forEach((side, i) => {
      const most = (of: (values: number[]) => number): number => Math.max(of(source[i].degrees), of(bare[i].degrees))
      expect(stepOf(shoe[i].degrees), side).toBeLessThan(1.1 * most(stepOf))
      expect(bendOf(shoe[i].degrees), side).toBeLessThan(1.25 * most(bendOf))
      expect(Math.min(...shoe[i].before), side).toBeGreaterThan(0)
    })
  })
})

it('is raised in the air no faster than half its leg in a second, in a walk at twice the speed too', () => {
  const [a, b] = [biped(), biped({ toes: false })]
  const plan = prepareRetarget(a, b)
  const played = walk(a, RATE + 1, RATE / 2, 0.7, 35)
  const soles = { source: soleOf(a, SHORT), target: soleOf(b, LONG) }
  const [before, after] = [{}, { soles }].map((wishes) => retargetStanding(plan, played, RATE, wishes))
  const [low, high] = [before, after].map(({ motion }) => soleTracks(b, motion, soles.target))
  const most = (0.5 * legLength(b, bodyOf(b)!.legs!.left)) / RATE
  let raised = 0
  for (const side of SIDES)
    for (let f = 1; f < played.frames; f++) {
      if (after.plants.some((plant) => plant.side === side && plant.from <= f && plant.to + 1 >= f)) continue
      const [was, is] = [f - 1, f].map((frame) => high[side]![frame] - low[side]![frame])
      raised = Math.max(raised, Math.abs(is - was))
    }
  expect(raised).toBeGreaterThan(0.5 * most)
  expect(raised).toBeLessThan(most + 1e-6)
  const knees = kneesOf(b, after.motion).map(({ degrees }) => bendOf(degrees))
  expect(Math.max(...knees)).toBeLessThan(1.1 * Math.max(...kneesOf(a, played).map(({ degrees }) => bendOf(degrees))))
})

it('leaves a figure alone whose shoe is no longer, and one that has none', () => {
  const [a, b] = [biped(), biped({ legs: 1.2 })]
  const plan = prepareRetarget(a, b)
  const played = walk(a, 2 * RATE, RATE, 0.7, 35)
  const bare = retargetStanding(plan, played, RATE, { plants: true })
  for (const [source, target] of [
    [soleOf(a, LONG), soleOf(b, SHORT)],
    [{}, soleOf(b, LONG)],
    [soleOf(a, SHORT), {}],
  ])
    expect(retargetStanding(plan, played, RATE, { plants: true, soles: { source, target } })).toEqual(bare)
})

it('raises a foot before and behind where it lacks, by a step from frame to frame', () => {
  const steps = Float64Array.of(1, 1, 1, 1, 2, 2, 2)
  expect([...raisesOf(Float64Array.of(0, 0, 0, 3, 0, 0, 0), steps)]).toEqual([0, 1, 2, 3, 1, 0, 0])
  // slower than a step it is raised by what it lacks
  expect([...raisesOf(Float64Array.of(0.5, 1, 1.5, 1, 0.5, 0, 0), steps)]).toEqual([0.5, 1, 1.5, 1, 0.5, 0, 0])
})
