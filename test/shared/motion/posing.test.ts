import { describe, expect, it } from 'vitest'
import { changedJoints, pinAt, solvePose } from '../../../src/shared/motion/posing.ts'
import { chainJoints, momentOf, rigOfFigure, standMoment } from '../../../src/shared/motion/rig.ts'
import { lengthOf, minus, plus, radiansBetween, vectorAt } from '../../../src/shared/motion/turns.ts'
import { frameOf } from '../../../src/shared/motion/motion.ts'
import { biped, randomFrom, randomPoses, restMotion, somewhere, walk } from './figures.ts'
import type { PosedMoment, PosingRig } from '../../../src/shared/motion/rig.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'

const figure = biped()
const rig = rigOfFigure(figure)
const at = (name: string): number => figure.names.indexOf(name)
const placeOf = (moment: PosedMoment, joint: number): Vector => vectorAt(moment.places.place, 3 * joint)

function frame(of: PosingRig, motion: ReturnType<typeof restMotion>, f: number): PosedMoment {
  const moment = momentOf(of)
  const parts = frameOf(motion, f, of.figure.count)
  moment.parts.translation.set(parts.translation)
  moment.parts.rotation.set(parts.rotation)
  standMoment(of, moment)
  return moment
}

const walking = walk(figure)
const standing = (): PosedMoment => frame(rig, walking, 7)

describe('chains', () => {
  it('are limbs, trunk and what hangs loose, whatever the joints are called', () => {
    const plain = rigOfFigure(biped({ names: (_part, i) => `joint ${(i * 7) % 31}` }))
    for (const own of [rig, plain]) {
      const names = (joint: string): string[] => chainJoints(own, at(joint), own.bones[at(joint)]).map((i) => figure.names[i])
      expect(names('L Hand')).toEqual(['L UpperArm', 'L Forearm', 'L Hand'])
      expect(names('R Foot')).toEqual(['R Thigh', 'R Calf', 'R Foot'])
      expect(names('R Toe')).toEqual(['R Thigh', 'R Calf', 'R Foot', 'R Toe'])
      expect(names('Pelvis')).toEqual(['Pelvis'])
      expect(names('Head')).toEqual(['Spine', 'Spine1', 'Spine2', 'Neck', 'Head'])
      expect(own.handles.map((i) => figure.names[i])).toEqual(['Pelvis', 'Head', 'L Hand', 'L Foot', 'R Hand', 'R Foot'])
    }
  })

  it('of a tail go up to where it hangs', () => {
    const tail = withTail()
    const tip = tail.figure.count - 1
    expect(chainJoints(tail, tip, tail.bones[tip]).map((i) => tail.figure.names[i])).toEqual(['Tail0', 'Tail1', 'Tail2', 'Tail3', 'Tail4'])
    expect(tail.handles).toContain(tip)
  })
})

describe('a drag', () => {
  it('brings a hand to where it is drawn, and moves nothing but its arm', () => {
    const from = standing()
    const out = momentOf(rig)
    const hand = at('L Hand')
    const target = plus(placeOf(from, hand), [-0.05, 0.12, 0.1])
    expect(solvePose(rig, from, { drag: { joint: hand, target }, follow: true }, out)).toBeLessThan(1e-6)
    expect(lengthOf(minus(placeOf(out, hand), target))).toBeLessThan(1e-6)
    expect(radiansBetween(from.places.turn, 4 * hand, out.places.turn, 4 * hand)).toBeLessThan(1e-9)
    const { turned, moved } = changedJoints(rig, from, out)
    expect(turned.map((i) => figure.names[i])).toEqual(['L UpperArm', 'L Forearm', 'L Hand'])
    expect(moved).toEqual([])
  })

  it('to where the joint is changes nothing, with and without pins', () => {
    const poses = randomPoses(figure, 40, 3)
    const out = momentOf(rig)
    for (let f = 0; f < 40; f++) {
      const from = frame(rig, poses, f)
      for (const joint of rig.handles) {
        const pins = ['L Foot', 'R Foot', 'R Hand'].map((name) => pinAt(from, at(name)))
        for (const own of [[], pins]) {
          expect(solvePose(rig, from, { drag: { joint, target: placeOf(from, joint) }, pins: own, follow: true }, out)).toBeLessThan(1e-7)
          for (let i = 0; i < figure.count; i++)
            expect(radiansBetween(from.parts.rotation, 4 * i, out.parts.rotation, 4 * i)).toBeLessThan(1e-7)
          expect(changedJoints(rig, from, out).moved).toEqual([])
        }
      }
    }
  })

  it('of the hips leaves pinned feet where they are, and ends where a leg is as long as it is', () => {
    const from = standing()
    const out = momentOf(rig)
    const pins = ['L Foot', 'R Foot'].map((name) => pinAt(from, at(name)))
    const hips = at('Pelvis')
    const random = randomFrom(11)
    for (let i = 0; i < 500; i++) {
      const target = plus(placeOf(from, hips), somewhere(random, i < 250 ? 0.1 : 1.5))
      solvePose(rig, from, { drag: { joint: hips, target }, pins }, out)
      for (const pin of pins) {
        // no leg folds up further than it can: hips in the ground are the user's
        if (target[1] < 0.6) continue
        expect(lengthOf(minus(placeOf(out, pin.joint), pin.place))).toBeLessThan(1e-6 * figure.height)
        expect(radiansBetween(Float64Array.from(pin.turn), 0, out.places.turn, 4 * pin.joint)).toBeLessThan(1e-9)
      }
    }
  })

  it('of a hand takes the trunk along, then the hips, as far as pinned feet let them', () => {
    const from = standing()
    const hand = at('R Hand')
    const pins = ['L Foot', 'R Foot'].map((name) => pinAt(from, at(name)))
    const target: Vector = plus(placeOf(from, hand), [0, -0.1, 0.9])
    const alone = momentOf(rig)
    const stiff = solvePose(rig, from, { drag: { joint: hand, target } }, alone)
    const out = momentOf(rig)
    const left = solvePose(rig, from, { drag: { joint: hand, target }, pins, follow: true }, out)
    expect(stiff).toBeGreaterThan(0.3)
    expect(left).toBeLessThan(0.5 * stiff)
    for (const pin of pins) expect(lengthOf(minus(placeOf(out, pin.joint), pin.place))).toBeLessThan(1e-6)
    expect(lengthOf(minus(placeOf(out, at('Pelvis')), placeOf(from, at('Pelvis'))))).toBeGreaterThan(0.05)
  })

  it('never snaps: no bone flips and no joint jumps while the pointer goes on by tenths of a millimetre', () => {
    const from = standing()
    const out = momentOf(rig)
    const pins = ['L Foot', 'R Foot'].map((name) => pinAt(from, at(name)))
    const ways: [joint: string, way: Vector][] = [
      ['Pelvis', [0, 1, 0]],
      ['Pelvis', [0.6, -0.2, 0.77]],
      ['R Hand', [0, 0.3, 0.95]],
      ['L Hand', [0.8, 0.6, 0]],
      ['L Hand', [-0.8, -0.6, 0]],
      ['Head', [0.6, -0.5, 0.62]],
      ['Head', [0, -1, 0]],
    ]
    const last = new Float64Array(3 * figure.count)
    const turn = new Float64Array(4 * figure.count)
    for (const [name, way] of ways) {
      const joint = at(name)
      const start = placeOf(from, joint)
      let jump = 0
      let flip = 0
      let finite = true
      for (let i = 0; i < 4000; i++) {
        solvePose(rig, from, { drag: { joint, target: plus(start, way, 1e-4 * i) }, pins, follow: true }, out)
        for (let j = 0; i > 0 && j < figure.count; j++) {
          jump = Math.max(jump, lengthOf(minus(vectorAt(last, 3 * j), placeOf(out, j))))
          flip = Math.max(flip, radiansBetween(turn, 4 * j, out.places.turn, 4 * j))
        }
        finite &&= out.places.place.every(Number.isFinite)
        last.set(out.places.place)
        turn.set(out.places.turn)
      }
      expect(finite).toBe(true)
      expect(jump, name).toBeLessThanOrEqual(50 * 1e-4)
      expect(flip, name).toBeLessThan(Math.PI / 6)
    }
  })

  it('gives the same pose however it is come to', () => {
    const hand = at('L Hand')
    const solve = (f: number): Float64Array => {
      const from = frame(rig, walking, f)
      const out = momentOf(rig)
      const pins = ['L Foot', 'R Foot'].map((name) => pinAt(from, at(name)))
      solvePose(rig, from, { drag: { joint: hand, target: [0.4, 1.9, 0.9] }, pins, follow: true }, out)
      return out.parts.rotation
    }
    const frames = Array.from({ length: 40 }, (_, f) => f)
    const forward = frames.map(solve)
    expect(frames.toReversed().map(solve).toReversed()).toEqual(forward)
  })

  it('bends a tail to its tip', () => {
    const tail = withTail()
    const from = frame(tail, restMotion(tail.figure, 1), 0)
    const out = momentOf(tail)
    const tip = tail.figure.count - 1
    const target = plus(placeOf(from, tip), [0.2, 0.25, 0.1])
    expect(solvePose(tail, from, { drag: { joint: tip, target } }, out)).toBeLessThan(1e-3 * 0.6)
    expect(changedJoints(tail, from, out).turned.every((i) => tail.figure.names[i].startsWith('Tail'))).toBe(true)
  })

  it('bends as many bones as the user says', () => {
    const from = standing()
    const out = momentOf(rig)
    const hand = at('L Hand')
    const target = plus(placeOf(from, hand), [0.02, 0.05, 0.1])
    solvePose(rig, from, { drag: { joint: hand, target }, bones: new Map([[hand, 3]]) }, out)
    expect(changedJoints(rig, from, out).turned.map((i) => figure.names[i])).toContain('L Clavicle')
    expect(lengthOf(minus(placeOf(out, hand), target))).toBeLessThan(1e-3)
  })
})

/** The biped with four bones that hang off its hips. */
function withTail(): PosingRig {
  const own = biped()
  const tail = Array.from({ length: 5 }, (_, i) => `Tail${i}`)
  const count = own.count + tail.length
  const grow = (values: Float64Array, width: number, rows: readonly number[][]): Float64Array =>
    Float64Array.from([...values.subarray(0, width * own.count), ...rows.flat()])
  const hips = own.names.indexOf('Pelvis')
  const parents = [...Array.from(own.parents), ...tail.map((_, i) => (i === 0 ? hips : own.count + i - 1))]
  const hang = vectorAt(own.bind.place, 3 * hips)
  const places = tail.map((_, i) => [hang[0], hang[1], hang[2] - 0.1 - 0.15 * i])
  return rigOfFigure({
    ...own,
    count,
    names: [...own.names, ...tail],
    parents,
    rest: {
      translation: grow(
        own.rest.translation,
        3,
        tail.map((_, i) => [0, 0, i === 0 ? -0.1 : -0.15]),
      ),
      rotation: grow(
        own.rest.rotation,
        4,
        tail.map(() => [0, 0, 0, 1]),
      ),
      scale: new Float64Array(count).fill(1),
    },
    bind: {
      place: grow(own.bind.place, 3, places),
      turn: grow(
        own.bind.turn,
        4,
        tail.map(() => [0, 0, 0, 1]),
      ),
      size: new Float64Array(count).fill(1),
    },
    bone: new Uint8Array(count).fill(1),
  })
}
