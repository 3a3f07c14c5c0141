/** Bipeds built of numbers: of any stance, with any axes in their bones, and motions for them. */
import { figureOf, placesOf, stand } from '../../../src/shared/motion/figure.ts'
import { frameOf } from '../../../src/shared/motion/motion.ts'
import { arcBetween, inverseTurn, minus, plus, rotate, turnFrom, unitTurn, vectorAt } from '../../../src/shared/motion/turns.ts'
import { smoothStep } from '../../../src/shared/motion/smooth-step.ts'
import { compose, invertAffine, multiplyQuat } from '../../../src/shared/scene/matrix.ts'
import type { Figure } from '../../../src/shared/motion/figure.ts'
import type { Motion } from '../../../src/shared/motion/motion.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'
import type { Mesh, Scene, Skin } from '../../../src/shared/scene/types.ts'

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** In a cube of that half size. */
export function somewhere(random: () => number, size: number): Vector {
  return [size * (2 * random() - 1), size * (2 * random() - 1), size * (2 * random() - 1)]
}

export function turnAtRandom(out: Float64Array, o: number, random: () => number): void {
  for (let c = 0; c < 4; c++) out[o + c] = 2 * random() - 1
  unitTurn(out, o)
}

/** A turn of at most so many degrees about any axis. */
function smallTurn(random: () => number, degrees: number): number[] {
  const axis = somewhere(random, 1)
  const length = Math.hypot(...axis) || 1
  const half = (degrees * random() * Math.PI) / 360
  return [...axis.map((v) => (v / length) * Math.sin(half)), Math.cos(half)]
}

export interface BipedShape {
  /** degrees of the arms below level */
  arms?: number
  /** axes of the bones at random */
  rolls?: () => number
  scale?: number
  /** factor of the bones of the legs */
  legs?: number
  /** how far up the legs knees are more than by their bones, in parts of the leg */
  knees?: number
  spine?: number
  toes?: boolean
  /** degrees about the vertical that it faces away from +Z */
  facing?: number
  names?: (part: string, index: number) => string
}

/** 1.8 high at scale 1, facing +Z, its left hand at +X. */
export function biped({
  arms = 45,
  rolls,
  scale = 1,
  legs = 1,
  knees = 0,
  spine = 3,
  toes = true,
  facing = 0,
  names,
}: BipedShape = {}): Figure {
  const parts: { name: string; parent: number; at: Vector }[] = []
  const joint = (name: string, parent: number, at: Vector): number => parts.push({ name, parent, at }) - 1
  const hip = 0.08 + 0.9 * legs
  const root = joint('Root', -1, [0, 0, 0])
  const hips = joint('Pelvis', root, [0, hip, 0])
  const chest = (share: number): Vector => [0, hip + 0.1 + 0.35 * share, -0.02 * share]
  let above = hips
  for (let i = 0; i < spine; i++) above = joint(i === 0 ? 'Spine' : `Spine${i}`, above, chest(spine < 2 ? 1 : i / (spine - 1)))
  const top = parts[above].at
  const neck = joint('Neck', above, plus(top, [0, 0.14, 0]))
  joint('Head', neck, plus(top, [0, 0.24, 0.02]))
  const [cos, sin] = [Math.cos((arms * Math.PI) / 180), Math.sin((arms * Math.PI) / 180)]
  for (const [side, x] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    const out = (length: number): Vector => [x * (0.16 + length * cos), top[1] + 0.1 - length * sin, -0.02]
    const collar = joint(`${side} Clavicle`, above, plus(top, [x * 0.03, 0.1, 0]))
    const upper = joint(`${side} UpperArm`, collar, out(0))
    const fore = joint(`${side} Forearm`, upper, plus(out(0.28), [0, 0, -0.01]))
    const hand = joint(`${side} Hand`, fore, out(0.54))
    joint(`${side} Finger`, hand, out(0.62))
    const thigh = joint(`${side} Thigh`, hips, [x * 0.1, hip - 0.03, 0])
    const calf = joint(`${side} Calf`, thigh, [x * 0.1, 0.08 + (0.45 + 0.9 * knees) * legs, 0.02])
    const foot = joint(`${side} Foot`, calf, [x * 0.1, 0.08, -0.02])
    if (toes) joint(`${side} Toe`, foot, [x * 0.1, 0.02, 0.12])
  }
  const turn = [0, Math.sin((facing * Math.PI) / 360), 0, Math.cos((facing * Math.PI) / 360)]
  const places = parts.map(({ at }) => {
    const v: Vector = [at[0] * scale, at[1] * scale, at[2] * scale]
    rotate(v, 0, turn, 0, v, 0)
    return v
  })
  const turns = new Float64Array(4 * parts.length)
  for (let i = 0; i < parts.length; i++) {
    if (rolls) turnAtRandom(turns, 4 * i, rolls)
    else turns.set(turn, 4 * i)
  }
  return figureFrom(
    parts.map(({ name }, i) => (names ? names(name, i) : name)),
    parts.map(({ parent }) => parent),
    places,
    turns,
  )
}

/** Of places and turns in scene space. */
export function figureFrom(names: string[], parents: number[], places: readonly Vector[], turns: Float64Array): Figure {
  const count = names.length
  const translation = new Float64Array(3 * count)
  const rotation = new Float64Array(4 * count)
  const back = [0, 0, 0, 1]
  for (let i = 0; i < count; i++) {
    const p = parents[i]
    if (p < 0) {
      translation.set(places[i], 3 * i)
      rotation.set(turns.subarray(4 * i, 4 * i + 4), 4 * i)
      continue
    }
    inverseTurn(back, 0, turns, 4 * p)
    const v = minus(places[i], places[p])
    rotate(v, 0, back, 0, v, 0)
    translation.set(v, 3 * i)
    turnFrom(rotation, 4 * i, turns, 4 * p, turns, 4 * i)
  }
  const figure = figureOf({
    count,
    names,
    parents: Int32Array.from(parents),
    restTranslation: new Float32Array(3 * count),
    restRotation: new Float32Array(4 * count),
    restScale: new Float32Array(3 * count).fill(1),
  })
  // in doubles: what is looked for is smaller than their rounding to 32 bits
  figure.rest.translation.set(translation)
  figure.rest.rotation.set(rotation)
  stand(figure, figure.rest, figure.bind)
  const heights = places.map((place) => place[1])
  figure.height = Math.max(...heights) - Math.min(...heights)
  return figure
}

export function restMotion(figure: Figure, frames: number): Motion {
  const out: Motion = {
    frames,
    translation: new Float64Array(3 * figure.count * frames),
    rotation: new Float64Array(4 * figure.count * frames),
  }
  for (let f = 0; f < frames; f++) {
    const parts = frameOf(out, f, figure.count)
    parts.translation.set(figure.rest.translation)
    parts.rotation.set(figure.rest.rotation)
  }
  return out
}

/** Poses that have nothing to do with each other: each joint but the root turned, hips put elsewhere. */
export function randomPoses(figure: Figure, frames: number, seed: number, degrees = 60): Motion {
  const random = randomFrom(seed)
  const out = restMotion(figure, frames)
  for (let f = 0; f < frames; f++) {
    const parts = frameOf(out, f, figure.count)
    for (let i = 1; i < figure.count; i++) multiplyQuat(parts.rotation, 4 * i, parts.rotation, 4 * i, smallTurn(random, degrees), 0)
    const hips = figure.names.indexOf('Pelvis')
    const moved = somewhere(random, 0.1 * figure.height)
    for (let c = 0; c < 3; c++) parts.translation[3 * (hips < 0 ? 1 : hips) + c] += moved[c]
  }
  return out
}

/** Half the width of a shoe, from its heel to the ankle, and its height. */
const SHOE = { side: 0.04, heel: 0.06, top: 0.1 }

export type Shod = Pick<Scene, 'skeleton' | 'meshes' | 'skins' | 'lods'>

/**
 * A biped's skin: on each foot a stiff shoe whose sole is on the floor, which its toes do not bend; hips and calves have vertices too, some of them
 * below the floor. For bipeds whose bones have any axes.
 * @param tip from the ankle to the end of the shoe
 * @param across vertices from side to side of the shoe, and half as many along it
 */
export function shod(figure: Figure, tip: number, across = 3): Shod {
  const { count, names, bind } = figure
  const skin = { joints: [] as number[], inverseBind: [] as number[], offsets: [0], slots: [] as number[], weights: [] as number[] }
  const slotOf = new Map<number, number>()
  for (const name of ['Pelvis', 'L Calf', 'L Foot', 'R Calf', 'R Foot']) {
    const joint = names.indexOf(name)
    const [matrix, back] = [new Float64Array(16), new Float64Array(16)]
    compose(matrix, 0, bind.place, 3 * joint, bind.turn, 4 * joint, [1, 1, 1], 0)
    invertAffine(back, 0, matrix, 0)
    slotOf.set(joint, skin.joints.push(joint) - 1)
    skin.inverseBind.push(...back)
  }
  const positions: number[] = []
  const add = (at: Vector, ...shares: [name: string, weight: number][]): void => {
    positions.push(...at)
    for (const [name, weight] of shares) {
      skin.slots.push(slotOf.get(names.indexOf(name))!)
      skin.weights.push(weight)
    }
    skin.offsets.push(skin.slots.length)
  }
  add([0, -0.5, 0], ['Pelvis', 1])
  for (const side of ['L', 'R']) {
    const [x, , z] = vectorAt(bind.place, 3 * names.indexOf(`${side} Foot`))
    // what a foot has a part in, and the calf a greater one, is no sole
    add([x, -0.2, z], [`${side} Foot`, 0.4], [`${side} Calf`, 0.6])
    for (let i = 0; i < across; i++)
      for (let k = 0; 2 * k < across + 1; k++)
        for (const y of [0, SHOE.top]) {
          const [u, v] = [i / (across - 1), (2 * k) / (across - 1)]
          const at: Vector = [x + SHOE.side * (2 * u - 1), y, z - SHOE.heel + (SHOE.heel + tip) * Math.min(1, v)]
          add(at, [`${side} Calf`, 0.3], [`${side} Foot`, 0.7])
        }
  }
  return {
    skeleton: { count, parents: figure.parents } as Scene['skeleton'],
    lods: [],
    meshes: [{ joint: 0, positions: Float32Array.from(positions), skin: 0, visible: true, lod: -1 } as Mesh],
    skins: [
      {
        joints: Uint32Array.from(skin.joints),
        inverseBind: Float32Array.from(skin.inverseBind),
        offsets: Uint32Array.from(skin.offsets),
        slots: Uint16Array.from(skin.slots),
        weights: Float32Array.from(skin.weights),
      } as Skin,
    ],
  }
}

/** From the ankle to the ball of the foot in the bind pose. */
const BALL: Vector = [0, -0.06, 0.14]

/**
 * A walk, both feet flat on the floor while they stand: ankles go on a given way, knees follow from it. For bipeds whose bones
 * have the scene's axes.
 * @param roll degrees that a foot rolls over its ball before it leaves the floor
 */
export function walk(figure: Figure, frames = 60, rate = 30, stride = 0.7, roll = 0): Motion {
  const out = restMotion(figure, frames)
  const at = (name: string): number => figure.names.indexOf(name)
  const hips = at('Pelvis')
  const places = placesOf(figure.count)
  const period = rate
  const speed = stride / period
  const back = [0, 0, 0, 1]
  inverseTurn(back, 0, figure.bind.turn, 0)
  for (let f = 0; f < frames; f++) {
    const parts = frameOf(out, f, figure.count)
    parts.translation[3 * hips + 2] += speed * f
    parts.translation[3 * hips + 1] += -0.04 + 0.015 * Math.cos((4 * Math.PI * f) / period)
    for (const [side, phase] of [
      ['L', 0],
      ['R', 0.5],
    ] as const) {
      stand(figure, parts, places)
      const [thigh, calf, foot] = ['Thigh', 'Calf', 'Foot'].map((part) => at(`${side} ${part}`))
      const t = f / period + phase
      const step = Math.floor(t)
      const u = t - step
      // stands for the first 60 % of its turn, then swings to where it stands next
      const swing = Math.max(0, (u - 0.6) / 0.4)
      const smooth = swing * swing * (3 - 2 * swing)
      const z = (step - phase + 0.3 + smooth) * stride
      const rest = vectorAt(figure.bind.place, 3 * foot)
      const rolled = u < 0.6 ? smoothStep(Math.max(0, (u - 0.4) / 0.2)) : 1 - smooth
      const half = (roll * rolled * Math.PI) / 360
      const pitch = [Math.sin(half), 0, 0, Math.cos(half)]
      const ball: Vector = [0, 0, 0]
      rotate(ball, 0, pitch, 0, BALL, 0)
      const target = plus([rest[0], rest[1] + 0.12 * Math.sin(Math.PI * smooth), z], minus(BALL, ball))
      bend(figure, parts, places, thigh, calf, foot, target, pitch)
    }
    for (const [name, sign] of [
      ['L UpperArm', 1],
      ['R UpperArm', -1],
    ] as const) {
      const half = (0.4 * sign * Math.sin((2 * Math.PI * f) / period)) / 2
      multiplyQuat(parts.rotation, 4 * at(name), [Math.sin(half), 0, 0, Math.cos(half)], 0, parts.rotation, 4 * at(name))
    }
  }
  return out
}

/** Plain law of cosines, apart from what is tested with it. */
function bend(
  figure: Figure,
  parts: { rotation: Float64Array },
  places: ReturnType<typeof placesOf>,
  thigh: number,
  calf: number,
  foot: number,
  target: Vector,
  pitch: number[],
): void {
  const [a, b, c] = [thigh, calf, foot].map((joint) => vectorAt(places.place, 3 * joint))
  const [l1, l2] = [Math.hypot(...minus(b, a)), Math.hypot(...minus(c, b))]
  const way = minus(target, a)
  const d = Math.min(Math.hypot(...way), (l1 + l2) * 0.9999)
  const x = way.map((v) => v / Math.hypot(...way)) as Vector
  const cos = (l1 * l1 + d * d - l2 * l2) / (2 * l1 * d)
  const forward: Vector = [0, 0, 1]
  const along = forward[0] * x[0] + forward[1] * x[1] + forward[2] * x[2]
  const y = plus(forward, x, -along)
  const size = Math.hypot(...y)
  const knee = plus(plus(a, x, l1 * cos), y, (l1 * Math.sqrt(1 - cos * cos)) / size)
  const end = plus(a, x, d)
  const turn = [0, 0, 0, 1]
  const wanted = new Float64Array(12)
  arcBetween(turn, 0, minus(b, a), 0, minus(knee, a), 0)
  multiplyQuat(wanted, 0, turn, 0, places.turn, 4 * thigh)
  arcBetween(turn, 0, minus(c, b), 0, minus(end, knee), 0)
  multiplyQuat(wanted, 4, turn, 0, places.turn, 4 * calf)
  multiplyQuat(wanted, 8, pitch, 0, places.turn, 4 * foot)
  turnFrom(parts.rotation, 4 * thigh, places.turn, 4 * figure.parents[thigh], wanted, 0)
  turnFrom(parts.rotation, 4 * calf, wanted, 0, wanted, 4)
  turnFrom(parts.rotation, 4 * foot, wanted, 4, wanted, 8)
}
