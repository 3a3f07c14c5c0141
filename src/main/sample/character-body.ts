/** What the adventurer is made of: tubes of rings around its joints, each painted from a part of one picture. */
import { Surface } from './surface.ts'
import { unit, sub, cross, add, mul } from './vectors.ts'
import type { Ring } from './surface.ts'
import type { Rect } from './paint.ts'
import type { Vec } from './vectors.ts'

/** Where each part is painted in the 256 x 256 picture. */
export const RECT = {
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

export function body(index: (name: string) => number, world: Vec[]): Surface {
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
export function sword(): Surface {
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
