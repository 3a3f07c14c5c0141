/**
 * The character of the sample library: a small adventurer with a scarf and a sword, built, painted and animated by code.
 * Neutral: right-handed, Y up, facing +Z, its left at +X, lengths in metres; each family's sample turns it into its own files.
 * Bind rotations are identities: a local rotation of the pose is a turn about the scene's axes.
 */
import { Canvas, mix, noise, scale, type Rgb } from './paint.ts'

export interface SampleJoint {
  name: string
  parent: number
  /** relative to the parent */
  position: [number, number, number]
}

export interface SampleMesh {
  name: string
  /** joint that carries a rigid mesh, or owns a skinned one */
  joint: number
  skinned: boolean
  /** rigid: in the joint's space; skinned: in model space at bind */
  positions: number[]
  normals: number[]
  /** v from the top row */
  uvs: number[]
  /** counter-clockwise */
  indices: number[]
  /** per vertex: joint, weight pairs that sum to 1; empty for a rigid mesh */
  weights: [number, number][][]
  texture: number
  doubleSided: boolean
}

/** Absolute local pose of one joint at one frame. */
export interface SampleKey {
  frame: number
  /** x, y, z, w */
  rotation: [number, number, number, number]
  position: [number, number, number]
}

export interface SampleWindow {
  id: 'idle' | 'walk' | 'attack' | 'cheer'
  name: string
  japanese: string
  start: number
  end: number
  speed: number
}

export interface SampleCharacter {
  name: string
  joints: SampleJoint[]
  /** world position of each joint at bind */
  world: [number, number, number][]
  meshes: SampleMesh[]
  textures: { name: string; width: number; height: number; rgba: Uint8Array }[]
  /** keys per joint on one master track of 30 frames a second, first frame 1; joints that never move have none */
  keys: SampleKey[][]
  /** joints whose position is keyed as well */
  movingJoints: Set<number>
  windows: SampleWindow[]
}

type Vec = [number, number, number]

const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const mul = (a: Vec, k: number): Vec => [a[0] * k, a[1] * k, a[2] * k]
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
const unit = (a: Vec): Vec => mul(a, 1 / (Math.hypot(...a) || 1))

// --- skeleton ---------------------------------------------------------------------------------------------------

const ARM = (40 * Math.PI) / 180

function skeleton(): { joints: SampleJoint[]; world: Vec[]; index: (name: string) => number } {
  const joints: SampleJoint[] = []
  const world: Vec[] = []
  const index = (name: string): number => joints.findIndex((j) => j.name === name)
  const joint = (name: string, parent: string, at: Vec): void => {
    const p = parent ? index(parent) : -1
    joints.push({ name, parent: p, position: p < 0 ? at : sub(at, world[p]) })
    world.push(at)
  }
  joint('root', '', [0, 0, 0])
  joint('pelvis', 'root', [0, 0.5, 0])
  joint('spine', 'pelvis', [0, 0.58, 0])
  joint('chest', 'spine', [0, 0.69, -0.005])
  joint('neck', 'chest', [0, 0.81, -0.01])
  joint('head', 'neck', [0, 0.85, 0])
  joint('hair', 'head', [0, 1.1, -0.16])
  joint('hair_tip', 'hair', [0, 1.06, -0.29])
  joint('scarf_1', 'chest', [0.05, 0.8, -0.11])
  joint('scarf_2', 'scarf_1', [0.06, 0.66, -0.17])
  joint('scarf_3', 'scarf_2', [0.07, 0.5, -0.21])
  for (const [side, s] of [
    ['l', 1],
    ['r', -1],
  ] as const) {
    const dir: Vec = [s * Math.sin(ARM), -Math.cos(ARM), 0]
    const shoulder: Vec = [s * 0.115, 0.765, -0.01]
    joint(`clavicle_${side}`, 'chest', [s * 0.04, 0.78, -0.01])
    joint(`upperarm_${side}`, `clavicle_${side}`, shoulder)
    joint(`forearm_${side}`, `upperarm_${side}`, add(shoulder, mul(dir, 0.17)))
    joint(`hand_${side}`, `forearm_${side}`, add(shoulder, mul(dir, 0.32)))
  }
  joint('weapon', 'hand_r', add([-0.115, 0.765, -0.01], mul([-Math.sin(ARM), -Math.cos(ARM), 0], 0.37)))
  for (const [side, s] of [
    ['l', 1],
    ['r', -1],
  ] as const) {
    joint(`thigh_${side}`, 'pelvis', [s * 0.075, 0.47, 0])
    joint(`shin_${side}`, `thigh_${side}`, [s * 0.08, 0.27, 0.005])
    joint(`foot_${side}`, `shin_${side}`, [s * 0.08, 0.075, -0.01])
  }
  return { joints, world, index }
}

// --- surfaces -----------------------------------------------------------------------------------------------------

interface Rect {
  x: number
  y: number
  w: number
  h: number
}

/** One cross-section: centre, half axes, what moves it. `power` above 2 makes it boxier. */
interface Ring {
  at: Vec
  rx: number
  rz: number
  weights: [number, number][] | ((angle: number) => [number, number][])
  power?: number
  /** height in the texture, 0 top to 1 bottom; evenly spaced when absent */
  v?: number
  /** shift of single points, e.g. for spikes */
  bend?: (angle: number) => Vec
}

const ATLAS = 256

function weightsOf(ring: Ring, angle: number): [number, number][] {
  return typeof ring.weights === 'function' ? ring.weights(angle) : ring.weights
}

class Surface {
  positions: number[] = []
  uvs: number[] = []
  indices: number[] = []
  weights: [number, number][][] = []

  vertex(at: Vec, u: number, v: number, weights: [number, number][]): number {
    this.positions.push(...at)
    this.uvs.push(u, v)
    this.weights.push(weights)
    return this.positions.length / 3 - 1
  }

  triangle(a: number, b: number, c: number): void {
    this.indices.push(a, b, c)
  }

  /**
   * A tube through rings, from the top of its texture to the bottom. Angle 0 faces +Z ("front", middle of the texture), growing towards +X.
   * `side` and `front` are the axes of the cross-sections; side x front points along the tube.
   */
  tube(
    rings: Ring[],
    segments: number,
    rect: Rect,
    options: { side?: Vec; front?: Vec; capTop?: boolean; capBottom?: boolean } = {},
  ): void {
    const side = options.side ?? [1, 0, 0],
      front = options.front ?? [0, 0, 1]
    const grid: number[][] = rings.map((ring, r) => {
      const v = (rect.y + 0.5 + (rect.h - 1) * (ring.v ?? r / (rings.length - 1))) / ATLAS
      return Array.from({ length: segments + 1 }, (_, s) => {
        const angle = ((s / segments) * 2 - 1) * Math.PI
        const e = 2 / (ring.power ?? 2)
        const sin = Math.sin(angle),
          cos = Math.cos(angle)
        const x = Math.sign(sin) * Math.abs(sin) ** e * ring.rx,
          z = Math.sign(cos) * Math.abs(cos) ** e * ring.rz
        let at = add(ring.at, add(mul(side, x), mul(front, z)))
        if (ring.bend) at = add(at, ring.bend(angle))
        return this.vertex(at, (rect.x + 0.5 + (rect.w - 1) * (s / segments)) / ATLAS, v, weightsOf(ring, angle))
      })
    })
    for (let r = 0; r + 1 < grid.length; r++) {
      for (let s = 0; s < segments; s++) {
        const a = grid[r][s],
          b = grid[r][s + 1],
          c = grid[r + 1][s],
          d = grid[r + 1][s + 1]
        this.triangle(a, c, d)
        this.triangle(a, d, b)
      }
    }
    const cap = (r: number, top: boolean): void => {
      const ring = rings[r]
      const first = grid[r]
      const centre = this.vertex(
        ring.at,
        (rect.x + rect.w / 2) / ATLAS,
        (rect.y + 0.5 + (rect.h - 1) * (ring.v ?? r / (rings.length - 1))) / ATLAS,
        weightsOf(ring, 0),
      )
      for (let s = 0; s < segments; s++) {
        if (top) this.triangle(centre, first[s], first[s + 1])
        else this.triangle(centre, first[s + 1], first[s])
      }
    }
    if (options.capTop) cap(0, true)
    if (options.capBottom) cap(rings.length - 1, false)
  }

  /** Normals by area, shared between vertices at one place so that seams do not show. */
  normals(): number[] {
    const sums = new Map<string, Vec>()
    const key = (i: number): string => [0, 1, 2].map((c) => Math.round(this.positions[3 * i + c] * 20000)).join()
    const at = (i: number): Vec => [this.positions[3 * i], this.positions[3 * i + 1], this.positions[3 * i + 2]]
    for (let t = 0; t < this.indices.length; t += 3) {
      const [a, b, c] = [this.indices[t], this.indices[t + 1], this.indices[t + 2]]
      const n = cross(sub(at(b), at(a)), sub(at(c), at(a)))
      for (const i of [a, b, c]) sums.set(key(i), add(sums.get(key(i)) ?? [0, 0, 0], n))
    }
    return Array.from({ length: this.positions.length / 3 }, (_, i) => unit(sums.get(key(i)) ?? [0, 1, 0])).flat()
  }
}

/** Where each part is painted in the 256 x 256 picture. */
const RECT = {
  head: { x: 0, y: 0, w: 160, h: 112 },
  hair: { x: 160, y: 0, w: 96, h: 112 },
  torso: { x: 0, y: 112, w: 128, h: 88 },
  skirt: { x: 128, y: 112, w: 128, h: 44 },
  arm: { x: 128, y: 156, w: 64, h: 72 },
  leg: { x: 192, y: 156, w: 64, h: 72 },
  scarf: { x: 0, y: 200, w: 48, h: 56 },
  metal: { x: 48, y: 200, w: 40, h: 56 },
  boot: { x: 88, y: 200, w: 40, h: 56 },
  hand: { x: 128, y: 228, w: 64, h: 28 },
  gold: { x: 192, y: 228, w: 64, h: 28 },
} satisfies Record<string, Rect>

function body(index: (name: string) => number, world: Vec[]): Surface {
  const s = new Surface()
  const J = (name: string, weight = 1): [number, number] => [index(name), weight]
  const at = (name: string): Vec => world[index(name)]

  // torso: collar to hips, then the flaring skirt of the tunic
  s.tube(
    [
      { at: [0, 0.835, -0.008], rx: 0.046, rz: 0.046, weights: [J('neck', 0.7), J('chest', 0.3)] },
      { at: [0, 0.81, -0.01], rx: 0.066, rz: 0.058, weights: [J('chest', 0.8), J('neck', 0.2)] },
      { at: [0, 0.785, -0.01], rx: 0.108, rz: 0.078, weights: [J('chest')], power: 2.3 },
      { at: [0, 0.745, -0.006], rx: 0.128, rz: 0.094, weights: [J('chest')], power: 2.4 },
      { at: [0, 0.69, 0], rx: 0.126, rz: 0.1, weights: [J('chest', 0.75), J('spine', 0.25)], power: 2.3 },
      { at: [0, 0.63, 0.002], rx: 0.117, rz: 0.096, weights: [J('spine', 0.7), J('chest', 0.3)] },
      { at: [0, 0.575, 0.002], rx: 0.113, rz: 0.094, weights: [J('spine', 0.6), J('pelvis', 0.4)] },
      { at: [0, 0.535, 0], rx: 0.12, rz: 0.1, weights: [J('pelvis', 0.8), J('spine', 0.2)] },
    ],
    14,
    RECT.torso,
    { capTop: true },
  )
  // cloth follows the leg on its side, the middle follows both
  const sway =
    (k: number): Ring['weights'] =>
    (angle) => {
      const left = 0.5 + 0.5 * Math.max(-1, Math.min(1, 1.6 * Math.sin(angle)))
      return [J('pelvis', 1 - k), J('thigh_l', k * left), J('thigh_r', k * (1 - left))].filter(([, w]) => w > 0.001)
    }
  s.tube(
    [
      { at: [0, 0.548, 0], rx: 0.122, rz: 0.102, weights: [J('pelvis', 0.85), J('spine', 0.15)] },
      { at: [0, 0.522, 0], rx: 0.126, rz: 0.106, weights: [J('pelvis')] },
      { at: [0, 0.46, 0], rx: 0.156, rz: 0.134, weights: sway(0.42) },
      { at: [0, 0.395, 0], rx: 0.182, rz: 0.158, weights: sway(0.62) },
      { at: [0, 0.368, 0], rx: 0.19, rz: 0.166, weights: sway(0.68) },
      { at: [0, 0.372, 0], rx: 0.176, rz: 0.152, weights: sway(0.68) },
      { at: [0, 0.44, 0], rx: 0.12, rz: 0.1, weights: sway(0.4) },
    ],
    16,
    RECT.skirt,
  )

  // arms: sleeve to glove, along the arm
  for (const [side, sign] of [
    ['l', 1],
    ['r', -1],
  ] as const) {
    const shoulder = at(`upperarm_${side}`),
      wrist = at(`hand_${side}`)
    const along = unit(sub(wrist, shoulder))
    const sideAxis = unit(cross(along, [0, 0, 1]))
    const point = (k: number): Vec => add(shoulder, mul(sub(wrist, shoulder), k))
    const arm = (k: number, rx: number, rz: number, weights: Ring['weights']): Ring => ({ at: point(k), rx, rz, weights })
    const axes = { side: mul(sideAxis, -1), front: [0, 0, 1] as Vec }
    s.tube(
      [
        arm(-0.16, 0.03, 0.03, [J('chest', 0.6), J(`clavicle_${side}`, 0.4)]),
        arm(-0.06, 0.056, 0.056, [J(`clavicle_${side}`, 0.6), J(`upperarm_${side}`, 0.4)]),
        arm(0.08, 0.062, 0.062, [J(`upperarm_${side}`, 0.85), J(`clavicle_${side}`, 0.15)]),
        arm(0.24, 0.056, 0.056, [J(`upperarm_${side}`)]),
        arm(0.42, 0.05, 0.05, [J(`upperarm_${side}`, 0.8), J(`forearm_${side}`, 0.2)]),
        arm(0.53, 0.047, 0.048, [J(`upperarm_${side}`, 0.45), J(`forearm_${side}`, 0.55)]),
        arm(0.64, 0.046, 0.046, [J(`forearm_${side}`, 0.9), J(`upperarm_${side}`, 0.1)]),
        arm(0.78, 0.052, 0.052, [J(`forearm_${side}`)]),
        arm(0.83, 0.061, 0.061, [J(`forearm_${side}`)]),
        arm(0.93, 0.05, 0.05, [J(`forearm_${side}`, 0.7), J(`hand_${side}`, 0.3)]),
      ],
      10,
      RECT.arm,
      { ...axes, capTop: true },
    )
    s.tube(
      [
        arm(0.9, 0.046, 0.046, [J(`forearm_${side}`, 0.5), J(`hand_${side}`, 0.5)]),
        arm(1.0, 0.05, 0.054, [J(`hand_${side}`, 0.9), J(`forearm_${side}`, 0.1)]),
        arm(1.1, 0.056, 0.064, [J(`hand_${side}`)]),
        arm(1.2, 0.05, 0.06, [J(`hand_${side}`)]),
        arm(1.27, 0.028, 0.034, [J(`hand_${side}`)]),
      ],
      10,
      RECT.hand,
      { ...axes, capBottom: true },
    )
    // thumb
    const palm = add(point(1.06), [0, 0, 0.045])
    s.tube(
      [
        { at: add(palm, [sign * -0.004, 0.012, -0.012]), rx: 0.022, rz: 0.022, weights: [J(`hand_${side}`)] },
        { at: add(palm, add(mul(along, 0.022), [0, 0, 0.022])), rx: 0.02, rz: 0.02, weights: [J(`hand_${side}`)] },
        { at: add(palm, add(mul(along, 0.044), [0, 0, 0.026])), rx: 0.009, rz: 0.009, weights: [J(`hand_${side}`)] },
      ],
      6,
      RECT.hand,
      { side: mul(sideAxis, -1), front: [0, 0, 1], capBottom: true },
    )

    // legs: trousers, then boots with a cuff
    const hip = at(`thigh_${side}`),
      knee = at(`shin_${side}`),
      ankle = at(`foot_${side}`)
    const leg = (k: number, rx: number, rz: number, weights: Ring['weights'], z = 0): Ring => {
      const p: Vec = k < 1 ? add(hip, mul(sub(knee, hip), k)) : add(knee, mul(sub(ankle, knee), k - 1))
      return { at: add(p, [0, 0, z]), rx, rz, weights }
    }
    s.tube(
      [
        { at: [sign * 0.052, 0.52, 0], rx: 0.062, rz: 0.085, weights: [J('pelvis')] },
        leg(0.06, 0.066, 0.08, [J('pelvis', 0.55), J(`thigh_${side}`, 0.45)]),
        leg(0.3, 0.07, 0.077, [J(`thigh_${side}`, 0.9), J('pelvis', 0.1)]),
        leg(0.6, 0.066, 0.071, [J(`thigh_${side}`)]),
        leg(0.86, 0.063, 0.066, [J(`thigh_${side}`, 0.75), J(`shin_${side}`, 0.25)]),
        leg(1.02, 0.062, 0.064, [J(`thigh_${side}`, 0.45), J(`shin_${side}`, 0.55)], 0.004),
        leg(1.2, 0.066, 0.066, [J(`shin_${side}`, 0.92), J(`thigh_${side}`, 0.08)]),
        leg(1.34, 0.068, 0.068, [J(`shin_${side}`)]),
      ],
      10,
      RECT.leg,
      { capTop: true },
    )
    s.tube(
      [
        leg(1.14, 0.066, 0.068, [J(`shin_${side}`)]),
        leg(1.12, 0.083, 0.085, [J(`shin_${side}`)]),
        leg(1.3, 0.083, 0.085, [J(`shin_${side}`)]),
        leg(1.36, 0.068, 0.07, [J(`shin_${side}`)]),
        leg(1.72, 0.06, 0.064, [J(`shin_${side}`, 0.75), J(`foot_${side}`, 0.25)]),
        leg(1.98, 0.062, 0.074, [J(`foot_${side}`, 0.7), J(`shin_${side}`, 0.3)], 0.006),
        { at: add(ankle, [0, -0.03, 0.022]), rx: 0.068, rz: 0.1, weights: [J(`foot_${side}`)], power: 2.5 },
        { at: add(ankle, [0, -0.055, 0.038]), rx: 0.073, rz: 0.122, weights: [J(`foot_${side}`)], power: 2.6 },
        { at: add(ankle, [0, -0.075, 0.042]), rx: 0.072, rz: 0.124, weights: [J(`foot_${side}`)], power: 2.7 },
      ],
      12,
      RECT.boot,
      { capBottom: true },
    )
  }

  // head: an egg, a little wide at the cheeks; the face is painted around the middle of its texture
  const headRings: Ring[] = []
  const rows = 12
  const centre: Vec = [0, 1.015, 0.005]
  for (let r = 0; r <= rows; r++) {
    const lat = (r / rows) * Math.PI
    const y = Math.cos(lat)
    const cheeks = 1 + 0.07 * Math.exp(-(((y + 0.35) / 0.35) ** 2))
    const chin = y < -0.45 ? 1 + 0.32 * (y + 0.45) : 1
    const k = Math.max(0.002, Math.sin(lat)) * cheeks * chin
    headRings.push({
      at: add(centre, [0, y * 0.178, 0]),
      rx: 0.182 * k,
      rz: 0.172 * k,
      weights: y < -0.85 ? [J('head', 0.7), J('neck', 0.3)] : [J('head')],
      v: r / rows,
      bend: (angle) => (y < -0.1 && Math.cos(angle) > 0 ? [0, 0, 0.012 * Math.cos(angle)] : [0, 0, 0]),
    })
  }
  s.tube(headRings, 18, RECT.head)
  // nose
  s.tube(
    [
      { at: [0, 0.985, 0.172], rx: 0.012, rz: 0.004, weights: [J('head')] },
      { at: [0, 0.968, 0.186], rx: 0.015, rz: 0.012, weights: [J('head')] },
      { at: [0, 0.957, 0.172], rx: 0.01, rz: 0.004, weights: [J('head')] },
    ],
    6,
    { x: RECT.head.x + 74, y: RECT.head.y + 66, w: 12, h: 4 },
  )
  // neck
  s.tube(
    [
      { at: [0, 0.88, 0], rx: 0.05, rz: 0.05, weights: [J('head', 0.5), J('neck', 0.5)] },
      { at: [0, 0.815, -0.008], rx: 0.05, rz: 0.05, weights: [J('neck', 0.5), J('chest', 0.5)] },
    ],
    8,
    { x: RECT.head.x + 60, y: RECT.head.y + 98, w: 40, h: 10 },
  )
  // ears
  for (const sign of [1, -1]) {
    s.tube(
      [
        { at: [sign * 0.176, 1.03, 0.0], rx: 0.012, rz: 0.02, weights: [J('head')] },
        { at: [sign * 0.194, 1.005, 0.0], rx: 0.014, rz: 0.034, weights: [J('head')] },
        { at: [sign * 0.184, 0.965, 0.004], rx: 0.01, rz: 0.018, weights: [J('head')] },
      ],
      6,
      { x: RECT.head.x + 20, y: RECT.head.y + 60, w: 20, h: 16 },
      { capTop: true, capBottom: true },
    )
  }

  hair(s, J)
  scarf(s, J)
  return s
}

/** A cap of hair that follows the skull, and locks: cones that hang from it. */
function hair(s: Surface, J: (name: string, weight?: number) => [number, number]): void {
  const centre: Vec = [0, 1.03, -0.006]
  const rings: Ring[] = []
  for (let r = 0; r <= 7; r++) {
    const lat = (r / 7) * 0.62 * Math.PI
    const y = Math.cos(lat)
    const k = Math.max(0.004, Math.sin(lat))
    rings.push({
      at: add(centre, [0, y * 0.196, 0]),
      rx: 0.2 * k,
      rz: 0.19 * k,
      weights: [J('head')],
      v: (r / 7) * 0.6,
      // open over the face: the front is drawn up to the hairline
      bend: (angle) => {
        const front = Math.max(0, Math.cos(angle))
        const down = Math.max(0, r - 3.4)
        const back = Math.max(0, -Math.cos(angle))
        return [0, down * 0.052 * front ** 0.6 - down * 0.022 * back, -down * 0.01 * front]
      },
    })
  }
  s.tube(rings, 18, RECT.hair)
  const lock = (
    from: Vec,
    mid: Vec,
    to: Vec,
    width: number,
    depth: number,
    weights: [Ring['weights'], Ring['weights'], Ring['weights']],
    side: Vec,
    front: Vec,
  ): void => {
    s.tube(
      [
        { at: from, rx: width * 0.8, rz: depth * 0.8, weights: weights[0], v: 0.35 },
        { at: mul(add(from, mid), 0.5), rx: width, rz: depth, weights: weights[0], v: 0.5 },
        { at: mid, rx: width * 0.8, rz: depth * 0.85, weights: weights[1], v: 0.72 },
        { at: to, rx: 0.002, rz: 0.002, weights: weights[2], v: 1 },
      ],
      7,
      RECT.hair,
      { side, front },
    )
  }
  const H: Ring['weights'] = [J('head')]
  const still: [Ring['weights'], Ring['weights'], Ring['weights']] = [H, H, H]
  // fringe, five locks with different lengths
  for (const [x, length, lean] of [
    [-0.12, 0.085, -0.03],
    [-0.06, 0.1, -0.03],
    [0.005, 0.085, 0.02],
    [0.065, 0.105, 0.035],
    [0.125, 0.085, 0.03],
  ]) {
    const z = Math.sqrt(Math.max(0, 0.19 ** 2 - x * x * 0.95))
    lock(
      [x, 1.165, z * 0.76],
      [x + lean * 0.6, 1.165 - length * 0.62, z + 0.012],
      [x + lean * 1.4, 1.165 - length * 1.25, z + 0.012],
      0.045,
      0.026,
      still,
      [1, 0, 0],
      [0, 0, 1],
    )
  }
  // sides in front of the ears
  for (const sign of [1, -1]) {
    lock([sign * 0.17, 1.1, 0.06], [sign * 0.193, 0.995, 0.068], [sign * 0.17, 0.9, 0.085], 0.026, 0.05, still, [1, 0, 0], [0, 0, 1])
    lock([sign * 0.17, 1.12, -0.05], [sign * 0.215, 0.98, -0.07], [sign * 0.2, 0.885, -0.075], 0.03, 0.06, still, [1, 0, 0], [0, 0, 1])
  }
  // crown: short spikes that stand up
  for (const [x, z, dx, dz, h] of [
    [0.03, 0.04, 0.05, 0.07, 0.1],
    [-0.05, -0.02, -0.09, 0.0, 0.09],
    [0.07, -0.05, 0.12, -0.07, 0.08],
    [0, -0.1, -0.02, -0.14, 0.09],
  ]) {
    lock(
      [x, 1.19, z],
      [x + dx * 0.5, 1.205 + h * 0.35, z + dz * 0.5],
      [x + dx, 1.2 + h * 0.72, z + dz],
      0.045,
      0.04,
      still,
      [1, 0, 0],
      [0, 0, -1],
    )
  }
  // nape
  for (const x of [-0.11, -0.04, 0.04, 0.11]) {
    lock([x, 1.06, -0.15], [x * 1.15, 0.95, -0.185], [x * 1.25, 0.855, -0.165], 0.05, 0.035, still, [1, 0, 0], [0, 0, 1])
  }
  // the tail, which has joints of its own
  s.tube(
    [
      { at: [0, 1.125, -0.15], rx: 0.03, rz: 0.03, weights: [J('head', 0.6), J('hair', 0.4)], v: 0.3 },
      { at: [0, 1.115, -0.205], rx: 0.052, rz: 0.052, weights: [J('hair')], v: 0.42 },
      { at: [0, 1.07, -0.275], rx: 0.06, rz: 0.058, weights: [J('hair', 0.5), J('hair_tip', 0.5)], v: 0.55 },
      { at: [0, 0.985, -0.325], rx: 0.048, rz: 0.046, weights: [J('hair_tip')], v: 0.72 },
      { at: [0, 0.88, -0.335], rx: 0.025, rz: 0.025, weights: [J('hair_tip')], v: 0.88 },
      { at: [0.004, 0.8, -0.318], rx: 0.002, rz: 0.002, weights: [J('hair_tip')], v: 1 },
    ],
    9,
    RECT.hair,
    { side: [1, 0, 0], front: unit([0, -0.6, 0.7]) },
  )
}

/** A scarf round the neck, and its two ends at the back with joints of their own. */
function scarf(s: Surface, J: (name: string, weight?: number) => [number, number]): void {
  const rings: Ring[] = []
  for (const [y, k] of [
    [0.866, 0.072],
    [0.874, 0.094],
    [0.852, 0.116],
    [0.82, 0.118],
    [0.8, 0.094],
    [0.808, 0.062],
  ]) {
    rings.push({
      at: [0, y, 0.002],
      rx: k,
      rz: k * 0.95,
      weights: [J('chest', 0.55), J('neck', 0.45)],
      bend: (a) => [0, -0.02 * Math.cos(a) + 0.006 * Math.sin(3 * a), 0.008 * Math.cos(a)],
    })
  }
  s.tube(rings, 14, { ...RECT.scarf, h: 24 })
  const end = (x: number, spread: number, length: number): void => {
    const steps: [number, number, Ring['weights']][] = [
      [0, 0.032, [J('chest', 0.8), J('scarf_1', 0.2)]],
      [0.22, 0.042, [J('scarf_1')]],
      [0.48, 0.05, [J('scarf_1', 0.5), J('scarf_2', 0.5)]],
      [0.74, 0.056, [J('scarf_2', 0.5), J('scarf_3', 0.5)]],
      [1, 0.06, [J('scarf_3')]],
    ]
    s.tube(
      steps.map(([k, w, weights]) => ({
        at: [x + spread * k, 0.825 - length * k, -0.1 - 0.12 * Math.sqrt(k)] as Vec,
        rx: w,
        rz: 0.008,
        weights,
        power: 3,
      })),
      8,
      RECT.scarf,
      { side: [-1, 0, 0], front: [0, 0.1, -1], capBottom: true },
    )
  }
  end(0.055, 0.05, 0.36)
  end(0.005, -0.05, 0.29)
}

/** Rigid in the space of the `weapon` joint; the blade points along the fist, forwards. */
function sword(): Surface {
  const s = new Surface()
  const none: Ring['weights'] = []
  const along = (z: number, rx: number, ry: number, power = 2): Ring => ({ at: [0, 0, z], rx, rz: ry, weights: none, power })
  const axes = { side: [-1, 0, 0] as Vec, front: [0, 1, 0] as Vec }
  // rings run from the tip backwards, along -Z
  s.tube([along(0.62, 0.001, 0.001), along(0.54, 0.009, 0.034), along(0.3, 0.013, 0.04), along(0.06, 0.013, 0.034)], 8, RECT.metal, axes)
  s.tube([along(0.062, 0.012, 0.02), along(0.058, 0.024, 0.085), along(0.036, 0.026, 0.092), along(0.03, 0.012, 0.02)], 10, RECT.gold, {
    ...axes,
    capTop: true,
    capBottom: true,
  })
  s.tube([along(0.036, 0.016, 0.018), along(-0.085, 0.015, 0.017)], 8, { x: RECT.boot.x, y: RECT.boot.y, w: 40, h: 20 }, axes)
  s.tube([along(-0.08, 0.01, 0.01), along(-0.09, 0.026, 0.026), along(-0.112, 0.026, 0.026), along(-0.122, 0.006, 0.006)], 8, RECT.gold, {
    ...axes,
    capBottom: true,
  })
  return s
}

// --- picture ------------------------------------------------------------------------------------------------------

const SKIN: Rgb = [244, 205, 172]
const SKIN_DARK: Rgb = [222, 164, 130]
const HAIR: Rgb = [122, 70, 38]
const HAIR_LIGHT: Rgb = [206, 140, 78]
const TUNIC: Rgb = [44, 104, 122]
const TUNIC_DARK: Rgb = [24, 62, 82]
const CREAM: Rgb = [238, 222, 184]
const LEATHER: Rgb = [112, 70, 42]
const LEATHER_DARK: Rgb = [66, 40, 26]
const SCARF: Rgb = [206, 62, 48]
const TROUSERS: Rgb = [214, 196, 160]
const GOLD: Rgb = [226, 178, 76]
const STEEL: Rgb = [196, 208, 220]

function picture(): Canvas {
  const c = new Canvas(ATLAS, ATLAS, [60, 60, 60])
  const cloth = (x: number, y: number, strength = 0.1): number =>
    1 + (noise(x / 2.2, y / 2.2, 3) - 0.5) * strength + (noise(x / 9, y / 9, 7) - 0.5) * strength * 1.4

  // skin of the head, darker under the hair and the chin
  c.region(RECT.head.x, RECT.head.y, RECT.head.w, RECT.head.h, (u, v, x, y) => {
    const shade = Math.max(0, v - 0.72) * 1.5 + Math.max(0, 0.36 - v) * 0.9 + Math.abs(u - 0.5) * 0.25
    return scale(mix(SKIN, SKIN_DARK, shade), cloth(x, y, 0.03))
  })
  face(c)

  c.region(RECT.hair.x, RECT.hair.y, RECT.hair.w, RECT.hair.h, (u, v, x) => {
    const strand = noise(x / 2.1, v * 3, 11) * 0.6 + noise(x / 5, v * 1.2, 5) * 0.4
    const shine = Math.exp(-(((v - 0.3) / 0.09) ** 2)) * 0.55 + Math.exp(-(((v - 0.66) / 0.1) ** 2)) * 0.3
    const tone = mix(scale(HAIR, 0.72 + 0.5 * strand), HAIR_LIGHT, shine * (0.4 + 0.6 * strand))
    return scale(tone, 1 - 0.25 * Math.max(0, v - 0.8) - 0.12 * Math.abs(Math.sin(u * 21)) * v)
  })

  torso(c, cloth)

  c.region(RECT.skirt.x, RECT.skirt.y, RECT.skirt.w, RECT.skirt.h, (u, v, x, y) => {
    if (v < 0.22) {
      const buckle = Math.abs(u - 0.5) < 0.05
      const edge = v < 0.05 || v > 0.18 ? 0.75 : 1
      return scale(buckle ? (Math.abs(u - 0.5) < 0.025 && v > 0.07 && v < 0.16 ? LEATHER_DARK : GOLD) : LEATHER, edge * cloth(x, y, 0.14))
    }
    const fold = 0.86 + 0.2 * Math.sin(u * Math.PI * 2 * 8) ** 2
    if (v > 0.8) return scale(SCARF, 0.4)
    if (v > 0.7) return scale(CREAM, fold * cloth(x, y, 0.06))
    if (v > 0.66) return scale(TUNIC_DARK, fold)
    return scale(mix(TUNIC_DARK, TUNIC, 0.35 + v), fold * cloth(x, y))
  })

  c.region(RECT.arm.x, RECT.arm.y, RECT.arm.w, RECT.arm.h, (u, v, x, y) => {
    const round = 0.84 + 0.2 * Math.cos((u - 0.5) * Math.PI * 2)
    if (v < 0.44) return scale(TUNIC, round * cloth(x, y) * (v > 0.4 ? 0.7 : 1))
    if (v < 0.5) return scale(CREAM, round * cloth(x, y, 0.06))
    if (v < 0.72) return scale(SKIN, round * (v < 0.55 ? 0.82 : 1))
    if (v < 0.8) return scale(LEATHER_DARK, round * 1.1)
    const stitch = Math.abs(((u * 12) % 1) - 0.5) < 0.12 && v > 0.86 && v < 0.9 ? 1.5 : 1
    return scale(LEATHER, round * cloth(x, y, 0.16) * stitch)
  })
  c.region(RECT.hand.x, RECT.hand.y, RECT.hand.w, RECT.hand.h, (u, v, x, y) => {
    const round = 0.86 + 0.18 * Math.cos((u - 0.5) * Math.PI * 2)
    if (v < 0.42) return scale(LEATHER, round * cloth(x, y, 0.14) * (v > 0.36 ? 0.7 : 1))
    return scale(mix(SKIN, SKIN_DARK, v > 0.8 ? 0.35 : 0), round)
  })

  c.region(RECT.leg.x, RECT.leg.y, RECT.leg.w, RECT.leg.h, (u, v, x, y) => {
    const round = 0.82 + 0.22 * Math.cos((u - 0.5) * Math.PI * 2)
    const crease = 1 - 0.16 * Math.exp(-(((v - 0.66 - 0.03 * Math.sin(u * 12)) / 0.03) ** 2)) - 0.1 * Math.exp(-(((v - 0.8) / 0.02) ** 2))
    return scale(TROUSERS, round * crease * cloth(x, y, 0.1) * (0.8 + 0.22 * v))
  })
  c.region(RECT.boot.x, RECT.boot.y, RECT.boot.w, RECT.boot.h, (u, v, x, y) => {
    const round = 0.84 + 0.2 * Math.cos((u - 0.5) * Math.PI * 2)
    if (v > 0.9) return scale([38, 28, 24], 1)
    if (v < 0.38) return scale(mix(LEATHER, CREAM, 0.32), round * cloth(x, y, 0.12) * (v > 0.33 ? 0.6 : 1))
    const strap = v > 0.58 && v < 0.65
    if (strap) return scale(Math.abs(u - 0.5) < 0.09 ? GOLD : LEATHER_DARK, round)
    return scale(LEATHER, round * cloth(x, y, 0.18))
  })

  c.region(RECT.scarf.x, RECT.scarf.y, RECT.scarf.w, RECT.scarf.h, (u, v, x, y) => {
    const weave = cloth(x, y, 0.14) * (0.86 + 0.18 * Math.sin(u * Math.PI * 6 + v * 4) ** 2)
    if (v > 0.78 && v < 0.9) return scale(GOLD, weave)
    if (v >= 0.9) return scale(SCARF, 0.72 * weave)
    return scale(SCARF, weave * (1.06 - 0.2 * v))
  })
  c.region(RECT.metal.x, RECT.metal.y, RECT.metal.w, RECT.metal.h, (u, v, x, y) => {
    const ridge = Math.abs(((u * 2) % 1) - 0.5) * 2
    const polish = 0.78 + 0.3 * ridge + 0.08 * Math.sin(v * 9 + u * 3)
    return scale(mix(STEEL, [255, 255, 255], ridge > 0.86 ? 0.6 : 0), polish * cloth(x, y, 0.04))
  })
  c.region(RECT.gold.x, RECT.gold.y, RECT.gold.w, RECT.gold.h, (u, v, x, y) =>
    scale(GOLD, 0.72 + 0.45 * Math.sin(v * Math.PI) ** 2 + 0.08 * Math.sin(u * 40) + (cloth(x, y, 0.08) - 1)),
  )
  return c
}

/** Eyes, brows, nose shade, mouth and cheeks, around the middle of the head's texture. */
function face(c: Canvas): void {
  const cx = RECT.head.x + RECT.head.w / 2,
    cy = RECT.head.y + RECT.head.h * 0.57
  for (const side of [-1, 1]) {
    const ex = cx + side * 15.5,
      ey = cy
    c.ellipse(ex, ey + 1, 9.4, 10.4, SKIN_DARK, 0.35)
    c.ellipse(ex, ey, 8.2, 9.2, [255, 252, 246])
    c.ellipse(ex - side * 1.2, ey + 0.6, 5.6, 7.8, [34, 62, 58])
    c.ellipse(ex - side * 1.2, ey + 2.2, 4.6, 5.6, [52, 142, 120])
    c.ellipse(ex - side * 1.2, ey + 4.2, 3.2, 2.8, [132, 214, 178], 0.8)
    c.ellipse(ex - side * 1.2, ey + 0.4, 2.6, 3.6, [12, 22, 24])
    c.ellipse(ex - side * 1.2 + 2, ey - 3, 2, 2.2, [255, 255, 255])
    // upper lid and lash
    c.line(ex - 8, ey - 5.6, ex - 1, ey - 9.4, 2.4, [52, 30, 22])
    c.line(ex - 1, ey - 9.4, ex + 7, ey - 7, 2.4, [52, 30, 22])
    c.line(ex + side * 7.5, ey - 6, ex + side * 10, ey - 3.2, 1.8, [52, 30, 22])
    c.line(ex - 4, ey + 9.6, ex + 4, ey + 9.6, 1, SKIN_DARK, 0.8)
    // brow
    c.line(ex - side * 5.5, ey - 14, ex + side * 8, ey - 15.6, 2.6, scale(HAIR, 0.8))
    c.ellipse(ex + side * 7, ey + 14, 6.5, 3.6, [238, 138, 118], 0.4)
  }
  c.ellipse(cx, cy + 12.5, 3, 1.8, SKIN_DARK, 0.5)
  c.line(cx - 5, cy + 20.5, cx, cy + 21.8, 1.6, [150, 70, 58])
  c.line(cx, cy + 21.8, cx + 5.4, cy + 20, 1.6, [150, 70, 58])
  c.ellipse(cx, cy + 24.5, 3, 1, SKIN_DARK, 0.5)
}

function torso(c: Canvas, cloth: (x: number, y: number, strength?: number) => number): void {
  const r = RECT.torso
  c.region(r.x, r.y, r.w, r.h, (u, v, x, y) => {
    const fold = 0.92 + 0.12 * Math.sin(u * Math.PI * 2 * 5 + v * 3) ** 2
    const side = 0.84 + 0.18 * Math.cos((u - 0.5) * Math.PI * 4)
    if (v < 0.16) return scale(CREAM, side)
    return scale(mix(TUNIC, TUNIC_DARK, Math.max(0, v - 0.55)), fold * side * cloth(x, y))
  })
  // front opening with a cream edge and laces, back seam
  const cx = r.x + r.w / 2
  c.line(cx - 7, r.y + 14, cx, r.y + 50, 5, CREAM)
  c.line(cx + 7, r.y + 14, cx, r.y + 50, 5, CREAM)
  for (let y = 16; y < 46; y++) c.line(cx - 5 + (y - 16) * 0.17, r.y + y, cx + 5 - (y - 16) * 0.17, r.y + y, 1, mix(CREAM, SKIN, 0.3))
  for (const y of [22, 30, 38]) {
    c.line(cx - 5, r.y + y, cx + 5, r.y + y + 5, 1.4, LEATHER_DARK)
    c.line(cx + 5, r.y + y, cx - 5, r.y + y + 5, 1.4, LEATHER_DARK)
  }
  // the strap over the left shoulder
  for (const back of [0, 1]) {
    const x0 = back ? r.x + 2 : cx + 34,
      x1 = back ? r.x + 40 : cx - 30
    c.line(x0, r.y + 14, x1, r.y + 84, 8, LEATHER_DARK)
    c.line(x0, r.y + 14, x1, r.y + 84, 5.4, LEATHER)
  }
  c.ellipse(cx + 6, r.y + 46, 5, 5, GOLD)
  c.ellipse(cx + 6, r.y + 46, 2.8, 2.8, scale(GOLD, 0.6))
}

// --- motion -------------------------------------------------------------------------------------------------------

type Turn = [number, number, number]
type Pose = Record<string, Turn | undefined> & { lift?: Turn }

const LAST = 160
const WINDOWS: SampleWindow[] = [
  { id: 'idle', name: 'idle', japanese: '立ち', start: 1, end: 41, speed: 0.5 },
  { id: 'walk', name: 'walk', japanese: '歩き', start: 50, end: 80, speed: 1 },
  { id: 'attack', name: 'attack', japanese: '攻撃', start: 90, end: 120, speed: 1 },
  { id: 'cheer', name: 'cheer', japanese: '喜び', start: 130, end: 160, speed: 0.8 },
]

/** Arms hang: the bind pose holds them out. Degrees about x, y, z; left and right mirrored in z. */
const RELAXED: Pose = {
  upperarm_l: [4, 0, -24],
  upperarm_r: [4, 0, 24],
  forearm_l: [-18, 0, -6],
  forearm_r: [-22, 0, 6],
  hand_l: [0, 0, -4],
  hand_r: [-8, 0, 4],
}

function smooth(keys: [number, number][], t: number): number {
  if (t <= keys[0][0]) return keys[0][1]
  for (let i = 1; i < keys.length; i++) {
    if (t <= keys[i][0]) {
      const k = (t - keys[i - 1][0]) / (keys[i][0] - keys[i - 1][0])
      return keys[i - 1][1] + (keys[i][1] - keys[i - 1][1]) * k * k * (3 - 2 * k)
    }
  }
  return keys[keys.length - 1][1]
}

function idle(t: number): Pose {
  const a = t * Math.PI * 2
  const breath = Math.sin(a)
  return {
    ...RELAXED,
    lift: [0, -0.006 + 0.005 * breath, 0],
    spine: [1.5 + 1.2 * breath, 0, 0],
    chest: [-1 + 1.6 * breath, 0, 0],
    head: [-1.5 * Math.sin(a - 0.6), 5 * Math.sin(a), 1.5 * Math.sin(a)],
    upperarm_l: [4 + 2 * breath, 0, -24 + 2.5 * breath],
    upperarm_r: [4 + 2 * breath, 0, 24 - 2.5 * breath],
    forearm_l: [-18 - 3 * breath, 0, -6],
    forearm_r: [-22 - 3 * breath, 0, 6],
    thigh_l: [-3, 0, 3],
    thigh_r: [1, 0, -3],
    shin_l: [6 - breath, 0, 0],
    shin_r: [3 - breath, 0, 0],
    foot_l: [-3 + breath, 8, -3],
    foot_r: [-4 + breath, -8, 3],
    hair: [3 * Math.sin(a - 0.9), 0, 2 * Math.sin(a - 0.6)],
    hair_tip: [5 * Math.sin(a - 1.5), 0, 3 * Math.sin(a - 1.2)],
    scarf_1: [2 * Math.sin(a - 0.5), 0, 1.5 * Math.sin(a)],
    scarf_2: [4 * Math.sin(a - 1.1), 0, 3 * Math.sin(a - 0.8)],
    scarf_3: [6 * Math.sin(a - 1.8), 0, 5 * Math.sin(a - 1.6)],
  }
}

function walk(t: number): Pose {
  const a = t * Math.PI * 2
  const leg = (phase: number): [number, number, number] => {
    const swing = Math.sin(a + phase)
    const bend = Math.max(0, Math.cos(a + phase))
    return [-30 * swing, 10 + 52 * bend ** 1.5, -4 + 10 * swing - 10 * bend]
  }
  const [tl, sl, fl] = leg(0),
    [tr, sr, fr] = leg(Math.PI)
  const swing = Math.sin(a)
  const bounce = Math.abs(Math.cos(a))
  return {
    lift: [0.012 * Math.cos(a), -0.028 + 0.026 * bounce, 0],
    pelvis: [3, 8 * -swing, -2.5 * Math.cos(a)],
    spine: [3, 5 * swing, 1.5 * Math.cos(a)],
    chest: [2, 8 * swing, 1.5 * Math.cos(a)],
    head: [-5 + 2 * Math.cos(2 * a), -9 * swing, 0],
    clavicle_l: [0, -4 * swing, 0],
    clavicle_r: [0, -4 * swing, 0],
    upperarm_l: [30 * swing, 0, -26],
    upperarm_r: [-30 * swing, 0, 26],
    forearm_l: [-30 + 16 * swing, 0, -6],
    forearm_r: [-30 - 16 * swing, 0, 6],
    hand_r: [-6, 0, 0],
    thigh_l: [tl, 0, 2],
    shin_l: [sl, 0, 0],
    foot_l: [fl, 4, -2],
    thigh_r: [tr, 0, -2],
    shin_r: [sr, 0, 0],
    foot_r: [fr, -4, 2],
    hair: [10 + 8 * Math.sin(2 * a - 0.7), 4 * Math.sin(a - 0.6), 0],
    hair_tip: [8 + 12 * Math.sin(2 * a - 1.5), 6 * Math.sin(a - 1.2), 0],
    scarf_1: [14 + 5 * Math.sin(2 * a - 0.5), 0, 4 * Math.sin(a - 0.4)],
    scarf_2: [8 + 9 * Math.sin(2 * a - 1.2), 0, 7 * Math.sin(a - 1)],
    scarf_3: [6 + 13 * Math.sin(2 * a - 2), 0, 9 * Math.sin(a - 1.7)],
  }
}

/** Wind up over the right shoulder, a cut across, follow through, back to the stance. */
function attack(t: number): Pose {
  const at = (...keys: [number, number][]): number => smooth(keys, t)
  return {
    lift: [
      at([0, 0], [0.3, -0.02], [0.48, 0.03], [0.7, 0.02], [1, 0]),
      at([0, -0.01], [0.3, -0.03], [0.46, -0.055], [0.7, -0.045], [1, -0.01]),
      at([0, 0], [0.3, -0.05], [0.46, 0.1], [0.72, 0.08], [1, 0]),
    ],
    pelvis: [at([0, 0], [0.3, -4], [0.48, 8], [1, 0]), at([0, 0], [0.3, -32], [0.48, 30], [0.7, 26], [1, 0]), 0],
    spine: [at([0, 2], [0.3, -6], [0.48, 12], [0.7, 10], [1, 2]), at([0, 0], [0.3, -16], [0.48, 20], [0.7, 16], [1, 0]), 0],
    chest: [at([0, 0], [0.3, -6], [0.48, 8], [1, 0]), at([0, 0], [0.3, -20], [0.5, 26], [0.7, 22], [1, 0]), 0],
    head: [at([0, 0], [0.3, 6], [0.48, -10], [1, 0]), at([0, 0], [0.3, 44], [0.5, -42], [0.7, -36], [1, 0]), 0],
    clavicle_r: [0, 0, at([0, 0], [0.3, -14], [0.5, 4], [1, 0])],
    upperarm_r: [
      at([0, 4], [0.3, -150], [0.4, -120], [0.52, -52], [0.7, -34], [1, 4]),
      at([0, 0], [0.3, 20], [0.52, 40], [1, 0]),
      at([0, 24], [0.3, -6], [0.52, 62], [0.7, 56], [1, 24]),
    ],
    forearm_r: [at([0, -22], [0.3, -84], [0.42, -40], [0.52, -12], [0.7, -22], [1, -22]), 0, 6],
    hand_r: [at([0, -8], [0.3, -30], [0.46, 20], [0.6, 28], [1, -8]), 0, at([0, 4], [0.5, 20], [1, 4])],
    upperarm_l: [at([0, 4], [0.3, -34], [0.5, 34], [0.7, 28], [1, 4]), 0, at([0, -24], [0.3, 4], [0.5, 6], [1, -24])],
    forearm_l: [at([0, -18], [0.3, -50], [0.5, -26], [1, -18]), 0, -6],
    thigh_l: [at([0, -3], [0.3, -26], [0.48, -44], [0.72, -40], [1, -3]), at([0, 0], [0.3, 26], [0.48, -24], [1, 0]), 4],
    shin_l: [at([0, 6], [0.3, 26], [0.48, 44], [0.72, 42], [1, 6]), 0, 0],
    foot_l: [at([0, -3], [0.3, 0], [0.48, -6], [1, -3]), 6, -4],
    thigh_r: [at([0, 1], [0.3, -8], [0.48, 22], [0.72, 18], [1, 1]), at([0, 0], [0.3, 26], [0.48, -22], [1, 0]), -5],
    shin_r: [at([0, 3], [0.3, 26], [0.48, 22], [0.72, 24], [1, 3]), 0, 0],
    foot_r: [at([0, -4], [0.3, -18], [0.48, -16], [1, -4]), -6, 5],
    hair: [at([0, 0], [0.34, -10], [0.55, 26], [0.75, -8], [1, 0]), at([0, 0], [0.36, 22], [0.56, -26], [0.8, 8], [1, 0]), 0],
    hair_tip: [at([0, 0], [0.36, -14], [0.6, 34], [0.8, -10], [1, 0]), at([0, 0], [0.4, 26], [0.62, -32], [0.84, 10], [1, 0]), 0],
    scarf_1: [at([0, 0], [0.34, 6], [0.52, 40], [0.8, 4], [1, 0]), 0, at([0, 0], [0.36, 12], [0.56, -18], [0.84, 5], [1, 0])],
    scarf_2: [at([0, 0], [0.36, 6], [0.58, 36], [0.84, -6], [1, 0]), 0, at([0, 0], [0.4, 14], [0.62, -22], [0.88, 6], [1, 0])],
    scarf_3: [at([0, 0], [0.4, 8], [0.64, 36], [0.88, -10], [1, 0]), 0, at([0, 0], [0.44, 14], [0.68, -24], [0.92, 6], [1, 0])],
  }
}

/** A hop with the sword held high. */
function cheer(t: number): Pose {
  const at = (...keys: [number, number][]): number => smooth(keys, t)
  const crouch = at([0, 0], [0.16, 1], [0.34, 0], [0.5, 0], [0.66, 1], [0.82, 0], [1, 0])
  const air = at([0.2, 0], [0.36, 1], [0.52, 0], [1, 0])
  const up = at([0, 0], [0.16, 0.1], [0.36, 1], [0.74, 1], [1, 0])
  return {
    lift: [0, -0.06 * crouch + 0.17 * air, 0],
    spine: [2 + 10 * crouch - 6 * up, 0, 0],
    chest: [4 * crouch - 8 * up, 0, 0],
    head: [-2 - 10 * up + 6 * crouch, 0, 4 * up],
    upperarm_r: [4 - 168 * up, 0, 24 - 4 * up],
    forearm_r: [-22 + 6 * up, 0, 6],
    hand_r: [-8 + 78 * up, 0, 4],
    upperarm_l: [4 + 10 * up, 0, -24 + 70 * up],
    forearm_l: [-18 - 40 * up, 0, -6],
    thigh_l: [-3 - 34 * crouch - 20 * air, 0, 4],
    thigh_r: [1 - 34 * crouch + 6 * air, 0, -4],
    shin_l: [6 + 62 * crouch + 46 * air, 0, 0],
    shin_r: [3 + 62 * crouch + 24 * air, 0, 0],
    foot_l: [-3 - 28 * crouch + 26 * air, 8, -4],
    foot_r: [-4 - 28 * crouch + 26 * air, -8, 4],
    hair: [20 * air - 10 * crouch, 0, 0],
    hair_tip: [30 * at([0.26, 0], [0.44, 1], [0.66, -0.4], [1, 0]), 0, 0],
    scarf_1: [18 * at([0.24, 0], [0.42, 1], [0.6, -0.2], [1, 0]), 0, 0],
    scarf_2: [26 * at([0.28, 0], [0.46, 1], [0.66, -0.3], [1, 0]), 0, 0],
    scarf_3: [34 * at([0.32, 0], [0.5, 1], [0.72, -0.4], [1, 0]), 0, 0],
  }
}

function poseAt(frame: number): Pose {
  const [i, w, a, c] = WINDOWS
  const part = (win: SampleWindow): number => (frame - win.start) / (win.end - win.start)
  if (frame <= i.end) return idle(part(i))
  if (frame < w.start) return idle(0)
  if (frame <= w.end) return walk(part(w))
  if (frame < a.start) return idle(0)
  if (frame <= a.end) return attack(part(a))
  if (frame < c.start) return attack(1)
  return cheer(part(c))
}

/** Quaternion of turns about x, then y, then z (fixed axes): q = qz * qy * qx. */
function quaternion([x, y, z]: Turn): [number, number, number, number] {
  const half = Math.PI / 360
  const [sx, cx, sy, cy, sz, cz] = [
    Math.sin(x * half),
    Math.cos(x * half),
    Math.sin(y * half),
    Math.cos(y * half),
    Math.sin(z * half),
    Math.cos(z * half),
  ]
  return [sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz, cx * cy * cz + sx * sy * sz]
}

/** The meshes of a character with the rigid ones bound to their joint: for families that keep everything in one skin. */
export function skinnedMeshes(character: SampleCharacter): SampleMesh[] {
  return character.meshes.map((mesh) => {
    if (mesh.skinned) return mesh
    const at = character.world[mesh.joint]
    return {
      ...mesh,
      skinned: true,
      positions: mesh.positions.map((x, i) => x + at[i % 3]),
      weights: Array.from({ length: mesh.positions.length / 3 }, () => [[mesh.joint, 1]]),
    }
  })
}

/** The adventurer. `stride` is the distance between keys in frames; window ends always have keys. */
export function adventurer(stride = 3): SampleCharacter {
  const { joints, world, index } = skeleton()
  const skinned = body(index, world)
  const blade = sword()
  const atlas = picture()
  const mesh = (name: string, joint: string, surface: Surface, isSkinned: boolean): SampleMesh => ({
    name,
    joint: index(joint),
    skinned: isSkinned,
    positions: surface.positions,
    normals: surface.normals(),
    uvs: surface.uvs,
    indices: surface.indices,
    weights: isSkinned ? surface.weights : [],
    texture: 0,
    doubleSided: false,
  })
  const frames: number[] = []
  for (let f = 1; f <= LAST; f++) {
    const inWindow = WINDOWS.find((w) => f >= w.start && f <= w.end)
    if (inWindow && ((f - inWindow.start) % stride === 0 || f === inWindow.end)) frames.push(f)
  }
  const keys: SampleKey[][] = joints.map(() => [])
  const movingJoints = new Set([index('pelvis')])
  const poses = frames.map(poseAt)
  joints.forEach((joint, j) => {
    const animated = poses.some((p) => p[joint.name]) || movingJoints.has(j)
    if (!animated) return
    frames.forEach((frame, i) => {
      const lift = poses[i].lift ?? [0, 0, 0]
      const position: Vec = movingJoints.has(j) ? add(joint.position, lift) : joint.position
      keys[j].push({ frame, rotation: quaternion(poses[i][joint.name] ?? [0, 0, 0]), position })
    })
  })
  return {
    name: 'adventurer',
    joints,
    world,
    meshes: [mesh('body', 'root', skinned, true), mesh('sword', 'weapon', blade, false)],
    textures: [{ name: 'adventurer', width: ATLAS, height: ATLAS, rgba: atlas.rgba }],
    keys,
    movingJoints,
    windows: WINDOWS,
  }
}
