import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../../src/shared/motion/body.ts'
import { placesOf, stand } from '../../../src/shared/motion/figure.ts'
import { mapFigures } from '../../../src/shared/motion/figure-map.ts'
import { findPlants, holdPlants, slideOf } from '../../../src/shared/motion/plants.ts'
import { fromKeys, motionDifference, reduceMotion } from '../../../src/shared/motion/reduce-motion.ts'
import { frameOf } from '../../../src/shared/motion/motion.ts'
import { prepareRetarget, retarget } from '../../../src/shared/motion/retarget.ts'
import { cross, directionOf, dotOf, lengthOf, minus, radiansBetween, vectorAt } from '../../../src/shared/motion/turns.ts'
import { biped, randomFrom, randomPoses, restMotion, walk } from './figures.ts'
import type { Figure } from '../../../src/shared/motion/figure.ts'
import type { Motion } from '../../../src/shared/motion/motion.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'

const DEGREE = Math.PI / 180

/** Place of each joint in each frame. */
function placesIn(figure: Figure, motion: Motion): Vector[][] {
  return Array.from({ length: motion.frames }, (_, f) => {
    const places = placesOf(figure.count)
    stand(figure, frameOf(motion, f, figure.count), places)
    return Array.from({ length: figure.count }, (_unused, i) => vectorAt(places.place, 3 * i))
  })
}

function turnsIn(figure: Figure, motion: Motion, joint: number): Float64Array[] {
  return Array.from({ length: motion.frames }, (_, f) => {
    const places = placesOf(figure.count)
    stand(figure, frameOf(motion, f, figure.count), places)
    return places.turn.slice(4 * joint, 4 * joint + 4)
  })
}

function worstWay(a: Vector[][], b: Vector[][]): number {
  return Math.max(...a.flatMap((frame, f) => frame.map((place, i) => lengthOf(minus(place, b[f][i])))))
}

const angle = (a: Vector, b: Vector): number => Math.atan2(lengthOf(cross(a, b)), dotOf(a, b))

describe('a motion', () => {
  it('of a figure for itself is what it was', () => {
    const figure = biped({ rolls: randomFrom(1) })
    const plain = biped()
    for (const [own, motion] of [
      [figure, randomPoses(figure, 60, 2)],
      [figure, restMotion(figure, 3)],
      [plain, walk(plain)],
    ] as const) {
      const out = retarget(prepareRetarget(own, own), motion)
      for (let o = 0; o < out.rotation.length; o += 4) expect(radiansBetween(out.rotation, o, motion.rotation, o)).toBeLessThan(1e-6)
      expect(worstWay(placesIn(own, out), placesIn(own, motion))).toBeLessThan(1e-6 * own.height)
    }
  })

  it('goes from level arms to hanging ones and back, whatever the axes of the bones', () => {
    const hanging = biped({ arms: 45, rolls: randomFrom(3) })
    const level = biped({ arms: 0, rolls: randomFrom(4) })
    const motion = randomPoses(hanging, 60, 5)
    const there = retarget(prepareRetarget(hanging, level), motion)
    const back = retarget(prepareRetarget(level, hanging), there)
    expect(worstWay(placesIn(hanging, back), placesIn(hanging, motion))).toBeLessThan(1e-5 * hanging.height)
    const [a, b] = [placesIn(hanging, motion), placesIn(level, there)]
    for (const side of ['L', 'R'])
      for (const [from, to] of [
        ['UpperArm', 'Forearm'],
        ['Forearm', 'Hand'],
      ]) {
        const [i, j] = [from, to].map((part) => hanging.names.indexOf(`${side} ${part}`))
        for (let f = 0; f < motion.frames; f++) expect(angle(minus(a[f][j], a[f][i]), minus(b[f][j], b[f][i]))).toBeLessThan(0.1 * DEGREE)
      }
  })

  it('stands alike on bones with other axes', () => {
    const [a, b] = [biped({ rolls: randomFrom(6) }), biped({ rolls: randomFrom(7) })]
    const motion = randomPoses(a, 30, 8)
    expect(worstWay(placesIn(a, motion), placesIn(b, retarget(prepareRetarget(a, b), motion)))).toBeLessThan(1e-6 * a.height)
  })

  it.each([0.5, 2])('goes %s times as far on a figure of that size', (scale) => {
    const [a, b] = [biped(), biped({ scale })]
    const motion = walk(a)
    const out = retarget(prepareRetarget(a, b), motion)
    const [from, to] = [placesIn(a, motion), placesIn(b, out)]
    for (let f = 0; f < motion.frames; f++)
      for (const name of ['Pelvis', 'L Foot', 'R Toe']) {
        const i = a.names.indexOf(name)
        expect(lengthOf(minus(to[f][i], from[f][i].map((v) => v * scale) as Vector))).toBeLessThan(1e-6 * b.height)
      }
  })

  // hips that go in proportion to their height leave little of it where thighs and calves are longer alike
  it.each([
    [0, 0.005],
    [-0.12, 0.02],
  ])('holds the feet of longer legs where they stand, knees %s up, which slide without it', (knees, least) => {
    const [a, b] = [biped(), biped({ legs: 1.2, knees, scale: 1.8 / 2 })]
    const motion = walk(a, 90)
    const plan = prepareRetarget(a, b)
    const plants = findPlants(a, plan.map.source!, motion, 30)
    expect(plants.length).toBeGreaterThanOrEqual(4)
    const sliding = retarget(plan, motion)
    const held = retarget(plan, motion)
    holdPlants(b, plan.map.target!, held, plants, 30)
    const body = plan.map.target!
    const metres = 1.8 / b.height
    expect(slideOf(b, body, held, plants).frame * metres).toBeLessThan(0.002)
    expect(slideOf(b, body, held, plants).span * metres).toBeLessThan(0.005)
    expect(slideOf(b, body, sliding, plants).span * metres).toBeGreaterThan(least)
    // eased: nothing jumps
    const places = placesIn(b, held)
    const foot = b.names.indexOf('L Foot')
    for (let f = 1; f < held.frames; f++) expect(lengthOf(minus(places[f][foot], places[f - 1][foot]))).toBeLessThan(0.15)
  })

  it.each([90, 180, -90])('turns with the figure that faces %i degrees away', (facing) => {
    const [a, b] = [biped({ rolls: randomFrom(9) }), biped({ rolls: randomFrom(10), facing })]
    const motion = randomPoses(a, 20, 11, 25)
    const hips = a.names.indexOf('Pelvis')
    // on its way to the front
    const parts = frameOf(motion, 19, a.count)
    const places = placesOf(a.count)
    stand(a, parts, places)
    const out = retarget(prepareRetarget(a, b), motion)
    const [from, to] = [placesIn(a, motion), placesIn(b, out)]
    const turned = (v: Vector): Vector => {
      const [cos, sin] = [Math.cos(facing * DEGREE), Math.sin(facing * DEGREE)]
      return [cos * v[0] + sin * v[2], v[1], -sin * v[0] + cos * v[2]]
    }
    for (let f = 1; f < motion.frames; f++) {
      expect(angle(minus(to[f][hips], to[0][hips]), turned(minus(from[f][hips], from[0][hips])))).toBeLessThan(0.1 * DEGREE)
      const [l, r] = ['L Hand', 'R Hand'].map((name) => a.names.indexOf(name))
      expect(angle(minus(to[f][l], to[f][r]), turned(minus(from[f][l], from[f][r])))).toBeLessThan(0.1 * DEGREE)
    }
  })

  it('goes without toes, and from two bones of a spine to four', () => {
    const [a, b] = [biped({ spine: 4 }), biped({ spine: 2, toes: false })]
    for (const [source, target] of [
      [a, b],
      [b, a],
    ]) {
      const motion = randomPoses(source, 30, 12, 30)
      const plan = prepareRetarget(source, target)
      const out = retarget(plan, motion)
      const [from, to] = [placesIn(source, motion), placesIn(target, out)]
      for (const [upper, end] of [
        ['L Forearm', 'L Hand'],
        ['R Calf', 'R Foot'],
        ['Neck', 'Head'],
      ]) {
        const [i, j] = [upper, end].map((name) => source.names.indexOf(name))
        const [k, l] = [upper, end].map((name) => target.names.indexOf(name))
        for (let f = 0; f < motion.frames; f++) expect(angle(minus(from[f][j], from[f][i]), minus(to[f][l], to[f][k]))).toBeLessThan(DEGREE)
      }
      if (target === a) expect(plan.map.why[a.names.indexOf('L Toe')]).toBe('none')
    }
  })

  it('ends a longer spine turned as the shorter one', () => {
    const [a, b] = [biped({ spine: 3, rolls: randomFrom(13) }), biped({ spine: 4, rolls: randomFrom(14) })]
    const motion = randomPoses(a, 40, 15, 30)
    const out = retarget(prepareRetarget(a, b), motion)
    const [from, to] = [turnsIn(a, motion, a.names.indexOf('Spine2')), turnsIn(b, out, b.names.indexOf('Spine3'))]
    const [restA, restB] = [
      turnsIn(a, restMotion(a, 1), a.names.indexOf('Spine2'))[0],
      turnsIn(b, restMotion(b, 1), b.names.indexOf('Spine3'))[0],
    ]
    for (let f = 0; f < motion.frames; f++)
      expect(radiansBetween(away(from[f], restA), 0, away(to[f], restB), 0)).toBeLessThan(0.5 * DEGREE)
  })

  it('leaves out the steps that are switched off', () => {
    const [hanging, level] = [biped({ arms: 45 }), biped({ arms: 0 })]
    const motion = walk(hanging)
    const hips = level.names.indexOf('Pelvis')
    const still = placesIn(level, retarget(prepareRetarget(hanging, level, { hips: false }), motion))
    for (const frame of still) expect(lengthOf(minus(frame[hips], vectorAt(level.bind.place, 3 * hips)))).toBeLessThan(1e-9)
    const arm = (align: boolean): number => {
      const places = placesIn(level, retarget(prepareRetarget(hanging, level, { align }), restMotion(hanging, 1)))
      const [from, to] = ['L UpperArm', 'L Forearm'].map((name) => places[0][level.names.indexOf(name)])
      return Math.atan2(from[1] - to[1], to[0] - from[0]) / DEGREE
    }
    expect(arm(true)).toBeCloseTo(45, 6)
    expect(arm(false)).toBeCloseTo(0, 6)
  })

  it('stays where it is, or bobs alone, as is asked', () => {
    const figure = biped()
    const motion = walk(figure)
    const hips = figure.names.indexOf('Pelvis')
    const way = (travel: 'keep' | 'in-place' | 'drop'): Vector[] => {
      const places = placesIn(figure, retarget(prepareRetarget(figure, figure, { travel }), motion))
      return places.map((frame) => frame[hips])
    }
    const [keep, inPlace, drop] = [way('keep'), way('in-place'), way('drop')]
    expect(keep.at(-1)![2] - keep[0][2]).toBeGreaterThan(1)
    expect(inPlace.at(-1)![2]).toBeCloseTo(inPlace[0][2], 9)
    for (let f = 0; f < motion.frames; f++) {
      expect(drop[f][2]).toBeCloseTo(figure.bind.place[3 * hips + 2], 9)
      expect(drop[f][1]).toBeCloseTo(keep[f][1], 9)
    }
  })
})

/** Without the joints of these names, which carry no other ones. */
function withoutJoints(figure: Figure, gone: RegExp): Figure {
  const kept = figure.names.flatMap((name, i) => (gone.test(name) ? [] : [i]))
  const pick = (values: Float64Array, width: number): Float64Array =>
    Float64Array.from(kept.flatMap((i) => [...values.subarray(width * i, width * i + width)]))
  return {
    ...figure,
    count: kept.length,
    names: kept.map((i) => figure.names[i]),
    parents: kept.map((i) => (figure.parents[i] < 0 ? -1 : kept.indexOf(figure.parents[i]))),
    rest: { translation: pick(figure.rest.translation, 3), rotation: pick(figure.rest.rotation, 4), scale: pick(figure.rest.scale, 1) },
    bind: { place: pick(figure.bind.place, 3), turn: pick(figure.bind.turn, 4), size: pick(figure.bind.size, 1) },
    bone: new Uint8Array(kept.length).fill(1),
  }
}

function away(turn: Float64Array, rest: Float64Array): Float64Array {
  const [x, y, z, w] = rest
  const back = [-x, -y, -z, w]
  const out = new Float64Array(4)
  const [a, b] = [turn, back]
  out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1]
  out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0]
  out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3]
  out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]
  return out
}

describe('a map', () => {
  it('finds what is called otherwise', () => {
    const other: Record<string, string> = { Pelvis: 'hips', Neck: 'neck_01', Head: 'head', Root: 'armature' }
    const mixed = biped({
      arms: 10,
      spine: 3,
      names: (part) =>
        other[part] ??
        part
          .replace(/^L (.+)$/u, 'Left$1')
          .replace(/^R (.+)$/u, 'Right$1')
          .replace('Clavicle', 'Shoulder')
          .replace('UpperArm', 'Arm')
          .replace('Forearm', 'ForeArm')
          .replace('Thigh', 'UpLeg')
          .replace('Calf', 'Leg')
          .replace('Toe', 'ToeBase'),
    })
    const own = biped()
    const map = mapFigures(own, mixed)
    const right = mixed.names.filter((_, i) => map.from[i] === i).length
    expect(right / mixed.count).toBeGreaterThanOrEqual(0.9)
    expect(map.score).toBe(1)
  })

  it.each(['numbers', 'shuffled'])('finds parts of the body where names are %s', (kind) => {
    const own = biped()
    const random = randomFrom(16)
    const shuffled = [...own.names].sort(() => random() - 0.5)
    const other = biped({ arms: 0, rolls: randomFrom(17), names: (_, i) => (kind === 'numbers' ? `bone${i * 7}` : shuffled[i]) })
    const map = mapFigures(own, other)
    const right = other.names.filter((_, i) => map.from[i] === i).length
    const mapped = map.from.filter((from) => from >= 0).length
    expect(right / mapped).toBeGreaterThanOrEqual(0.7)
    expect(right).toBeGreaterThanOrEqual(15)
    expect(map.score).toBeGreaterThanOrEqual(0.8)
  })

  it('knows a collar bone where the hand is no joint', () => {
    const whole = biped()
    const short = withoutJoints(whole, /Hand|Finger/u)
    const { from, score } = mapFigures(whole, short)
    for (const [i, name] of short.names.entries()) expect(from[i] < 0 ? '' : whole.names[from[i]], name).toBe(name)
    const { left } = bodyOf(short)!.arms!
    expect([left.base, left.upper, left.lower, left.end].flat().map((i) => short.names[i])).toEqual([
      'L Clavicle',
      'L UpperArm',
      'L Forearm',
      undefined,
    ])
    expect(score).toBeGreaterThan(0.8)
  })

  it('takes the word of the user', () => {
    const figure = biped()
    const map = mapFigures(figure, figure, { 'L Hand': 'R Hand', Head: '', nobody: 'Head' })
    expect(map.from[figure.names.indexOf('L Hand')]).toBe(figure.names.indexOf('R Hand'))
    expect(map.from[figure.names.indexOf('Head')]).toBe(-1)
  })

  it('tells how little two things have in common', () => {
    const box = biped({ names: (_, i) => `x${i}` })
    const few = { ...box, count: 3, names: ['lid', 'box', 'key'], bone: Uint8Array.of(1, 1, 1), parents: [-1, 0, 1] }
    expect(mapFigures(biped(), few).score).toBeLessThan(0.8)
  })
})

describe('keys', () => {
  it('hold a motion within a bound, and are fewer', () => {
    const figure = biped({ rolls: randomFrom(18) })
    const walking = biped()
    const motion = retarget(prepareRetarget(walking, figure), walk(walking, 90))
    const bound = 0.001 * figure.height
    const keys = reduceMotion(figure, motion, { bound, kept: [30] })
    expect(keys.error).toBeLessThanOrEqual(bound)
    const made = fromKeys(figure, motion, keys)
    expect(worstWay(placesIn(figure, made), placesIn(figure, motion))).toBeLessThanOrEqual(bound)
    const total = keys.rotation.reduce((sum, frames) => sum + frames.length, 0)
    expect(total).toBeLessThan(0.5 * motion.frames * figure.count)
    for (const frames of keys.rotation) expect([frames[0], frames.includes(30), frames.at(-1)]).toEqual([0, true, 89])
  })

  it('hold hands and feet within half of the bound, which without that they are not', () => {
    const figure = biped({ rolls: randomFrom(18) })
    const walking = biped()
    const motion = retarget(prepareRetarget(walking, figure), walk(walking, 90))
    const fine = new Set(['L Hand', 'R Hand', 'L Foot', 'R Foot'].map((name) => figure.names.indexOf(name)))
    expect(fine.has(-1)).toBe(false)
    const worst = (wish: Parameters<typeof reduceMotion>[2]): number => {
      const { error } = motionDifference(figure, motion, fromKeys(figure, motion, reduceMotion(figure, motion, wish)))
      return Math.max(...[...fine].map((joint) => error[joint]))
    }
    const bounds = [0.0005, 0.001, 0.0025, 0.005].map((share) => share * figure.height)
    for (const bound of bounds) expect(worst({ bound, fine }), `${bound}`).toBeLessThanOrEqual(bound / 2)
    expect(bounds.some((bound) => worst({ bound }) > bound / 2)).toBe(true)
  })

  it('of poses that have nothing to do with each other are all there', () => {
    const figure = biped()
    const motion = randomPoses(figure, 12, 19)
    const keys = reduceMotion(figure, motion, { bound: 1e-6 })
    expect(keys.error).toBeLessThanOrEqual(1e-6)
    expect(keys.rotation[figure.names.indexOf('L Thigh')].length).toBe(12)
  })
})

it('reads the sides from toes where names say none', () => {
  const figure = biped({ names: (_, i) => `j${i}`, facing: 180 })
  const map = mapFigures(figure, figure)
  expect(dotOf(map.target!.left, directionOf([-1, 0, 0])!)).toBeGreaterThan(0.99)
})
