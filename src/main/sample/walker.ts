/**
 * The walker of the sample library: a war machine on two reverse-kneed legs, with a cockpit, two guns and an aerial, built by code.
 * In the game's space: Z up, facing +X, its left at +Y.
 */
import { quat, vec3 } from 'gl-matrix'
import {
  ACROSS_X,
  ACROSS_Y,
  ACROSS_Z,
  Plating,
  across,
  add,
  allSides,
  boxed,
  cross,
  disc,
  dot,
  mul,
  plate,
  round,
  sub,
  unit,
  wrapped,
  type Plane,
  type Plates,
  type Section,
  type Vec,
} from './plating.ts'
import { ATLAS, RECT } from './walker-paint.ts'

export interface WalkerPivot {
  name: string
  parent: number
  /** relative to the parent */
  trans: Vec
  /** x, y, z, w, relative to the parent */
  quat: [number, number, number, number]
}

export interface WalkerPart {
  name: string
  /** pivot that carries it; the root for a skin */
  pivot: number
  skin: boolean
  /** skin: in model space at rest, a bone per vertex; rigid: in the pivot's space */
  plates: Plates
  picture: 'armour' | 'house' | 'glass' | 'flash'
  /** 0 lowest, 1 highest, or both */
  levels: readonly (0 | 1)[]
  twoSided?: boolean
}

export type Armament = 'cannons' | 'rockets'

/** Lengths of the legs, and where the feet stand. Legs bend in the XZ plane at rest. */
export const LEG = { hip: [0, 4.9, 12.2], knee: [-4.1, 4.9, 6.9], ankle: [0.5, 4.9, 2.1] } as const
/** Turn about Y of a leg's upper and lower part, whose -Z runs down the bone. */
export const LEG_TURN = {
  thigh: Math.atan2(LEG.hip[0] - LEG.knee[0], LEG.hip[2] - LEG.knee[2]),
  shin: Math.atan2(LEG.knee[0] - LEG.ankle[0], LEG.knee[2] - LEG.ankle[2]),
}
export const LEG_LENGTH = {
  thigh: Math.hypot(LEG.hip[0] - LEG.knee[0], LEG.hip[2] - LEG.knee[2]),
  shin: Math.hypot(LEG.knee[0] - LEG.ankle[0], LEG.knee[2] - LEG.ankle[2]),
}

const TURRET: Vec = [0, 0, 14.6]
const GUN: Vec = [0.4, 8.5, 18.6]
const BARREL: Vec = [2.4, 8.5, 18.6]
const MUZZLE: Vec = [9.4, 8.5, 18.6]
const AERIAL: Vec = [-4.4, -2.9, 22.4]

const left = (p: Vec, side: number): Vec => [p[0], p[1] * side, p[2]]

export function walkerPivots(): { pivots: WalkerPivot[]; index: (name: string) => number } {
  const pivots: WalkerPivot[] = []
  const world: { at: Vec; turn: quat }[] = []
  const index = (name: string): number => {
    const found = pivots.findIndex((p) => p.name === name)
    if (found < 0) throw new Error(`no pivot ${name}`)
    return found
  }
  /** @param turn about Y in model space, radians */
  const pivot = (name: string, parent: string, at: Vec, turn = 0): void => {
    const rotation = quat.setAxisAngle(quat.create(), [0, 1, 0], turn)
    const p = parent ? index(parent) : -1
    world.push({ at, turn: rotation })
    if (p < 0) {
      pivots.push({ name, parent: p, trans: at, quat: [0, 0, 0, 1] })
      return
    }
    const back = quat.conjugate(quat.create(), world[p].turn)
    const trans = vec3.transformQuat(vec3.create(), [...sub(at, world[p].at)], back)
    const [x, y, z, w] = quat.multiply(quat.create(), back, rotation)
    pivots.push({ name, parent: p, trans: [trans[0], trans[1], trans[2]], quat: [x, y, z, w] })
  }
  pivot('ROOTTRANSFORM', '', [0, 0, 0])
  pivot('PELVIS', 'ROOTTRANSFORM', [0, 0, LEG.hip[2]])
  pivot('TURRET', 'PELVIS', TURRET)
  for (const [s, side] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    const n = side > 0 ? '01' : '02'
    pivot(`GUN_${s}`, 'TURRET', left(GUN, side))
    pivot(`BARREL_${s}`, `GUN_${s}`, left(BARREL, side))
    pivot(`MUZZLE${n}`, `BARREL_${s}`, left(MUZZLE, side))
    pivot(`MUZZLEFX${n}`, `BARREL_${s}`, left(MUZZLE, side))
  }
  pivot('ANTENNA', 'TURRET', AERIAL)
  pivot('ANTENNA02', 'ANTENNA', add(AERIAL, [-0.5, 0, 4.2]))
  pivot('FXEXHAUST01', 'TURRET', [-7.8, 2, 21.4])
  pivot('FXEXHAUST02', 'TURRET', [-7.8, -2, 21.4])
  pivot('HEADLIGHT01', 'TURRET', [8.5, 2.75, 17.1])
  pivot('HEADLIGHT02', 'TURRET', [8.5, -2.75, 17.1])
  for (const [s, side] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    pivot(`THIGH_${s}`, 'PELVIS', left(LEG.hip, side), LEG_TURN.thigh)
    pivot(`SHIN_${s}`, `THIGH_${s}`, left(LEG.knee, side), LEG_TURN.shin)
    pivot(`FOOT_${s}`, `SHIN_${s}`, left(LEG.ankle, side))
    pivot(`TOE_${s}`, `FOOT_${s}`, left([LEG.ankle[0] + 1.9, LEG.ankle[1], 0.7], side))
  }
  return { pivots, index }
}

/** Points and sections mirrored to the right side. */
function mirrored(section: Section, side: number): Section {
  return side > 0 ? section : { ...section, at: left(section.at, side), points: section.points.map((p) => left(p, side)) }
}

const at = (a: Vec, b: Vec, k: number): Vec => add(a, mul(sub(b, a), k))

/** A cylinder between two points. */
function bar(
  p: Plating,
  a: Vec,
  b: Vec,
  ra: number,
  rb: number,
  n: number,
  rect: (typeof RECT)[keyof typeof RECT],
  bones: [number, number],
  cap: keyof typeof RECT | undefined = undefined,
): void {
  const d = unit(sub(b, a))
  const side = unit(cross(d, Math.abs(d[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1]))
  const plane: Plane = { a: side, b: cross(d, side) }
  const ends = cap ? { start: disc(RECT[cap], a, ra, plane), end: disc(RECT[cap], b, rb, plane) } : { start: true, end: true }
  p.loft([round(plane, a, ra, ra, n, bones[0]), round(plane, b, rb, rb, n, bones[1])], wrapped(rect), ends)
}

/** A block with cut corners along X, Y or Z between two corners. */
function block(p: Plating, plane: Plane, a: Vec, b: Vec, bevel: number, mapping: Parameters<Plating['loft']>[1], bone = 0): void {
  const low: Vec = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])]
  const high: Vec = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])]
  const axis = plane === ACROSS_X ? 0 : plane === ACROSS_Y ? 1 : 2
  const mid = mul(add(low, high), 0.5)
  const half = mul(sub(high, low), 0.5)
  const [ha, hb] = axis === 0 ? [half[1], half[2]] : axis === 1 ? [half[0], half[2]] : [half[0], half[1]]
  const sections = [
    [-1, bevel],
    [-1, 0],
    [1, 0],
    [1, bevel],
  ].map(([end, inset], i) => {
    const c = [...mid] as [number, number, number]
    c[axis] = mid[axis] + end * (half[axis] - (i === 1 || i === 2 ? bevel : 0))
    return plate(plane, c, ha - inset, hb - inset, bevel, bone)
  })
  p.loft(sections, mapping, { start: true, end: true })
}

/** Legs, hips and the aerial: one skin. @param fine all details */
function body(index: (name: string) => number, fine: boolean): Plates {
  const p = new Plating(ATLAS)
  const n = fine ? 14 : 6
  const pelvis = index('PELVIS')
  const z = LEG.hip[2]
  // hips
  block(
    p,
    ACROSS_X,
    [-2.9, -2.6, z - 1.9],
    [2.9, 2.6, z + 1.2],
    0.8,
    allSides([-2.9, -2.6, z - 1.9], [2.9, 2.6, z + 1.2], RECT.foot),
    pelvis,
  )
  bar(p, [0, -3.9, z], [0, 3.9, z], 1.25, 1.25, n, RECT.metal, [pelvis, pelvis])
  bar(p, [0, 0, z + 1], [0, 0, 14.9], 2.5, 2.7, fine ? 18 : 8, RECT.rubber, [pelvis, pelvis])
  if (fine) {
    block(
      p,
      ACROSS_X,
      [2.6, -1.2, z - 1.2],
      [3.5, 1.2, z + 0.5],
      0.3,
      allSides([2.6, -1.2, z - 1.2], [3.5, 1.2, z + 0.5], RECT.vents),
      pelvis,
    )
    block(
      p,
      ACROSS_X,
      [-3.6, -1.4, z - 1.3],
      [-2.6, 1.4, z + 0.6],
      0.3,
      allSides([-3.6, -1.4, z - 1.3], [-2.6, 1.4, z + 0.6], RECT.stripes),
      pelvis,
    )
  }

  for (const [s, side] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    const thigh = index(`THIGH_${s}`),
      shin = index(`SHIN_${s}`),
      foot = index(`FOOT_${s}`),
      toe = index(`TOE_${s}`)
    const hip = LEG.hip as Vec,
      knee = LEG.knee as Vec,
      ankle = LEG.ankle as Vec
    const y = hip[1]
    const put = (sections: Section[], mapping: Parameters<Plating['loft']>[1], caps: Parameters<Plating['loft']>[2]): void =>
      p.loft(
        sections.map((x) => mirrored(x, side)),
        mapping,
        caps,
      )
    const rod = (
      a: Vec,
      b: Vec,
      ra: number,
      rb: number,
      rect: (typeof RECT)[keyof typeof RECT],
      bones: [number, number],
      cap?: keyof typeof RECT,
    ): void => bar(p, left(a, side), left(b, side), ra, rb, n, rect, bones, cap)

    // hip drum
    rod([hip[0], y - 1.9, hip[2]], [hip[0], y + 1.5, hip[2]], 2.1, 2.1, RECT.metal, [thigh, thigh], 'hub')
    // upper leg: armour that narrows to the knee
    const down = across(sub(knee, hip))
    const upper = (k: number, a: number, b: number, ahead = 0): Section =>
      plate(down, add(at(hip, knee, k), mul(down.b, ahead)), a, b, 0.5, thigh)
    put(
      [upper(-0.02, 0.9, 1.1), upper(0.1, 1.35, 1.75, -0.1), upper(0.62, 1.4, 1.6, -0.1), upper(0.84, 1.15, 1.15), upper(0.95, 0.8, 0.8)],
      wrapped(RECT.plate, 4),
      { start: true, end: true },
    )
    // knee
    rod([knee[0], y - 1.5, knee[2]], [knee[0], y + 1.5, knee[2]], 1.35, 1.35, RECT.metal, [shin, shin], 'hub')
    // lower leg: a calf ahead of the bone, slim at the ankle
    const lower = across(sub(ankle, knee))
    const calf = (k: number, a: number, b: number, ahead = 0): Section =>
      plate(lower, add(at(knee, ankle, k), mul(lower.b, ahead)), a, b, 0.4, shin)
    put(
      [calf(0.04, 0.8, 0.8), calf(0.16, 1.2, 1.3, 0.1), calf(0.42, 1.25, 1.45, 0.1), calf(0.74, 0.95, 1), calf(0.98, 0.75, 0.72)],
      wrapped(RECT.shin, 4),
      { start: true, end: true },
    )
    // ankle
    rod([ankle[0], y - 1.35, ankle[2]], [ankle[0], y + 1.35, ankle[2]], 1.02, 1.02, RECT.metal, [foot, foot], 'hub')
    // foot: a plate, two toes ahead, a spur behind
    const sole = (zz: number, a: number, b: number, x = 0): Section => plate(ACROSS_Z, [ankle[0] + x, y, zz], a, b, 0.7, foot)
    put(
      [sole(0, 2.1, 1.95), sole(0.75, 2.15, 2), sole(1.35, 1.6, 1.5), sole(2.1, 0.8, 0.9)],
      allSides([ankle[0] - 2.2, side > 0 ? y - 2 : -y - 2, 0], [ankle[0] + 2.2, side > 0 ? y + 2 : -y + 2, 2.1], RECT.foot),
      { start: true, end: true },
    )
    const claw = (x: number, yy: number, a: number, b: number, up: number, bone: number): Section =>
      plate(ACROSS_X, [x, yy, up], a, b, 0.3, bone)
    for (const o of [-1.15, 1.15]) {
      const from = ankle[0] + 1.4
      put(
        [
          claw(from, y + o * 0.85, 0.8, 0.62, 0.66, foot),
          claw(from + 1.2, y + o, 0.92, 0.7, 0.72, toe),
          claw(from + 2.4, y + o * 1.15, 0.82, 0.56, 0.57, toe),
          claw(from + 3.3, y + o * 1.25, 0.5, 0.24, 0.24, toe),
        ],
        allSides([from, side > 0 ? y - 2.4 : -y - 2.4, 0], [from + 3.3, side > 0 ? y + 2.4 : -y + 2.4, 1.4], RECT.stripes),
        { start: true, end: true },
      )
    }
    put(
      [
        claw(ankle[0] - 3.5, y, 0.35, 0.24, 0.26, foot),
        claw(ankle[0] - 2.7, y, 0.75, 0.55, 0.58, foot),
        claw(ankle[0] - 1.4, y, 0.9, 0.66, 0.72, foot),
      ],
      allSides([ankle[0] - 3.5, side > 0 ? y - 1 : -y - 1, 0], [ankle[0] - 1.4, side > 0 ? y + 1 : -y + 1, 1.4], RECT.foot),
      { start: true, end: true },
    )
    if (!fine) continue
    // a cylinder that pushes the lower leg: its halves hang on different bones, the rod slides between
    for (const o of [-0.62, 0.62]) {
      const a = add(at(hip, knee, 0.32), add(mul(down.b, 2.0), [0, o, 0])),
        b = add(at(knee, ankle, 0.34), add(mul(lower.b, 1.6), [0, o, 0]))
      rod(a, at(a, b, 0.55), 0.42, 0.42, RECT.metal, [thigh, thigh])
      rod(at(a, b, 0.3), b, 0.24, 0.24, RECT.chrome, [thigh, shin])
    }
    // a hose behind the knee
    const hose = [
      add(at(hip, knee, 0.55), mul(down.b, -1.5)),
      add(knee, [-1.9, 0, 0.9]),
      add(knee, [-1.95, 0, -0.7]),
      add(at(knee, ankle, 0.4), mul(lower.b, -1.25)),
    ]
    const bones = [thigh, thigh, shin, shin]
    put(
      hose.map((h, i) =>
        round(across(sub(hose[Math.min(3, i + 1)], hose[Math.max(0, i - 1)])), [h[0], h[1] + 0.5, h[2]], 0.32, 0.32, 8, bones[i]),
      ),
      wrapped(RECT.rubber),
      {},
    )
    // bolts around the hip drum
    for (let k = 0; k < 6; k++) {
      const angle = (k / 6) * 2 * Math.PI
      const c: Vec = [hip[0] + 1.55 * Math.cos(angle), y + 1.5, hip[2] + 1.55 * Math.sin(angle)]
      bar(p, left(c, side), left(add(c, [0, 0.22, 0]), side), 0.2, 0.16, 6, RECT.chrome, [thigh, thigh])
    }
  }

  // the aerial bends in two places
  const a1 = index('ANTENNA'),
    a2 = index('ANTENNA02')
  const top = add(AERIAL, [-1.25, 0, 8.2])
  bar(p, add(AERIAL, [0.05, 0, -0.9]), add(AERIAL, [-0.05, 0, 0.5]), 0.55, 0.36, fine ? 10 : 5, RECT.metal, [a1, a1])
  bar(p, add(AERIAL, [0, 0, 0.3]), add(AERIAL, [-0.5, 0, 4.2]), 0.17, 0.13, fine ? 7 : 4, RECT.chrome, [a1, a2])
  bar(p, add(AERIAL, [-0.5, 0, 4.2]), top, 0.13, 0.07, fine ? 7 : 4, RECT.chrome, [a2, a2])
  if (fine) bar(p, add(top, [0, 0, -0.16]), add(top, [0, 0, 0.3]), 0.26, 0.2, 8, RECT.lamp, [a2, a2], 'lamp')
  return p.build()
}

/** Cross-sections of the hull from back to front: place along X, middle height, half width, half height, cut. */
const HULL: readonly (readonly [number, number, number, number, number])[] = [
  [-7.2, 18.2, 3.3, 2.1, 0.9],
  [-6.6, 18.3, 4.5, 3.2, 1.2],
  [-2.6, 18.7, 5.7, 4.1, 1.5],
  [2.2, 18.6, 5.7, 4.0, 1.5],
  [5.4, 17.7, 4.9, 3.0, 1.3],
  [7.4, 17.0, 3.7, 1.9, 0.9],
  [7.9, 16.9, 3.1, 1.4, 0.8],
]
const HULL_BOX = [
  [-7.2, -5.7, 14.6],
  [7.9, 5.7, 22.8],
] as const

function hull(p: Plating): void {
  p.loft(
    HULL.map(([x, z, w, h, cut]) => plate(ACROSS_X, [x, 0, z], w, h, cut)),
    boxed(HULL_BOX[0], HULL_BOX[1], { front: RECT.front, back: RECT.back, side: RECT.side, top: RECT.top, bottom: RECT.belly }),
    { start: true, end: true },
  )
}

/** Height of the hull's roof. */
function topOf(x: number): number {
  const i = Math.max(
    1,
    HULL.findIndex((h) => h[0] >= x),
  )
  const [a, b] = [HULL[i - 1], HULL[i]]
  const k = (x - a[0]) / (b[0] - a[0])
  return a[1] + a[3] + (b[1] + b[3] - a[1] - a[3]) * k
}

/** A dome: half an ellipsoid that ends inside the hull. */
const DOME = { at: [2.8, 0, 21.1] as Vec, a: 3.5, b: 3.1, c: 3.7 }

function dome(p: Plating, rings: number, n: number, grow: number, mapping: Parameters<Plating['loft']>[1]): void {
  const sections: Section[] = []
  for (let i = 0; i <= rings; i++) {
    const lat = (i / rings) * 0.5 * Math.PI
    sections.push(
      round(
        ACROSS_Z,
        add(DOME.at, [0, 0, (DOME.c + grow) * Math.sin(lat)]),
        (DOME.a + grow) * Math.max(0.02, Math.cos(lat)),
        (DOME.b + grow) * Math.max(0.02, Math.cos(lat)),
        n,
      ),
    )
  }
  p.loft(sections, mapping, {})
}

function turret(fine: boolean): Plates {
  const p = new Plating(ATLAS)
  hull(p)
  // engine with its exhausts
  block(
    p,
    ACROSS_X,
    [-8.7, -3, 16.2],
    [-6.4, 3, 20.3],
    0.6,
    boxed([-8.7, -3, 16.2], [-6.4, 3, 20.3], { front: RECT.metal, back: RECT.back, side: RECT.vents, top: RECT.vents, bottom: RECT.metal }),
  )
  for (const side of [1, -1])
    bar(p, [-6.6, 2 * side, 19.6], [-7.8, 2 * side, 22.2], 0.62, 0.72, fine ? 12 : 6, RECT.barrel, [0, 0], 'muzzle')
  // arms that carry the guns
  for (const side of [1, -1])
    bar(p, [GUN[0], 4.6 * side, GUN[2]], [GUN[0], 7.3 * side, GUN[2]], 1.7, 1.35, fine ? 14 : 6, RECT.metal, [0, 0])
  // bumper
  block(p, ACROSS_Y, [6.7, -3.7, 14.6], [8.5, 3.7, 16], 0.4, (q, normal) =>
    Math.abs(normal[1]) > 0.7
      ? [RECT.stripes.x + 4, RECT.stripes.y + 8]
      : [
          RECT.stripes.x + 1 + (RECT.stripes.w - 2) * (0.5 + q[1] / 7.4),
          RECT.stripes.y + 1 + (RECT.stripes.h - 2) * Math.max(0, Math.min(1, (16 - q[2]) / 1.4)),
        ],
  )
  if (!fine) {
    dome(p, 2, 8, 0, (q) => [
      RECT.canopy.x + RECT.canopy.w * (0.5 + (q[1] / DOME.b) * 0.45),
      RECT.canopy.y + RECT.canopy.h * (0.95 - ((q[2] - DOME.at[2]) / DOME.c) * 0.9),
    ])
    return p.build()
  }
  // lamps in their housings
  for (const side of [1, -1]) {
    bar(p, [6.2, 2.75 * side, 17.1], [8.5, 2.75 * side, 17.1], 1.05, 0.98, 14, RECT.metal, [0, 0], 'lamp')
  }
  // rim of the canopy and its frame
  p.loft(
    [
      round(ACROSS_Z, add(DOME.at, [0, 0, -1.9]), DOME.a + 0.35, DOME.b + 0.4, 22),
      round(ACROSS_Z, add(DOME.at, [0, 0, 0.2]), DOME.a + 0.5, DOME.b + 0.5, 22),
      round(ACROSS_Z, add(DOME.at, [0, 0, 1.35]), DOME.a + 0.42, DOME.b + 0.42, 22),
      round(ACROSS_Z, add(DOME.at, [0, 0, 1.5]), DOME.a + 0.05, DOME.b + 0.05, 22),
    ],
    wrapped(RECT.metal, 2),
    {},
  )
  const rib = (x: number, k: number): void => {
    const sections: Section[] = []
    for (let i = 0; i <= 12; i++) {
      const angle = (i / 12) * Math.PI
      const dir: Vec = [0, Math.cos(angle) * DOME.b * k, Math.sin(angle) * DOME.c * k]
      const out = unit([0, Math.cos(angle) / DOME.b, Math.sin(angle) / DOME.c])
      sections.push(plate({ a: [1, 0, 0], b: out }, add([x, 0, DOME.at[2]], dir), 0.24, 0.13, 0.06))
    }
    p.loft(sections, wrapped(RECT.metal, 2), {})
  }
  for (const x of [1.4, 4.5]) rib(x, Math.sqrt(1 - ((x - DOME.at[0]) / DOME.a) ** 2))
  // the floor of the cockpit, dark, close over the hull
  const floor = (k: number): Vec => {
    const x = DOME.at[0] + DOME.a * 0.98 * Math.cos(k)
    return [x, DOME.b * 0.98 * Math.sin(k), topOf(x) + 0.12]
  }
  for (let i = 0; i < 22; i++)
    p.face(
      [[DOME.at[0], 0, topOf(DOME.at[0]) + 0.12], floor((i / 22) * 2 * Math.PI), floor(((i + 1) / 22) * 2 * Math.PI)],
      [0, 0, 0],
      [DOME.at[0], 0, 0],
      () => [RECT.rubber.x + 24, RECT.rubber.y + 3],
    )
  // the pilot: a seat, shoulders, a helmet
  block(p, ACROSS_X, [0.5, -1.1, 21.6], [1.2, 1.1, 23.7], 0.25, allSides([0.5, -1.1, 21.6], [1.2, 1.1, 23.7], RECT.metal))
  p.loft(
    [
      round(ACROSS_Z, [2, 0, 21.3], 1, 1.4, 12),
      round(ACROSS_Z, [2, 0, 22.1], 0.95, 1.35, 12),
      round(ACROSS_Z, [2.1, 0, 22.6], 0.4, 0.5, 12),
    ],
    wrapped(RECT.metal),
    {},
  )
  const head: Vec = [2.3, 0, 23.15]
  const helmet: Section[] = []
  for (let i = 0; i <= 8; i++) {
    const lat = (i / 8 - 0.5) * Math.PI
    helmet.push(
      round(
        ACROSS_Z,
        add(head, [0, 0, 0.84 * Math.sin(lat)]),
        0.9 * Math.max(0.03, Math.cos(lat)),
        0.84 * Math.max(0.03, Math.cos(lat)),
        12,
      ),
    )
  }
  p.loft(
    helmet,
    (q, normal) => [
      RECT.pilot.x + RECT.pilot.w * (0.5 + 0.48 * (normal[0] > 0 ? q[1] / 0.84 : 0.98)),
      RECT.pilot.y + RECT.pilot.h * (0.5 - (q[2] - head[2]) / 1.76),
    ],
    {},
  )
  // hatch, vision blocks, tow hooks
  bar(p, [-3, 1.6, 22.4], [-3, 1.6, 23.2], 1.5, 1.35, 14, RECT.metal, [0, 0], 'hub')
  for (const side of [1, -1]) {
    block(
      p,
      ACROSS_X,
      [-0.8, 3.1 * side, 22.1],
      [0.6, 3.9 * side, 22.9],
      0.15,
      allSides([-0.8, side > 0 ? 3.1 : -3.9, 22.1], [0.6, side > 0 ? 3.9 : -3.1, 22.9], RECT.canopy),
    )
    block(
      p,
      ACROSS_X,
      [8, 1.6 * side - 0.3, 14.9],
      [9, 1.6 * side + 0.3, 15.6],
      0.15,
      allSides([8, 1.6 * side - 0.3, 14.9], [9, 1.6 * side + 0.3, 15.6], RECT.metal),
    )
    // skirts under the hull
    block(
      p,
      ACROSS_X,
      [-4.6, 4.3 * side, 14.3],
      [3.4, 5.3 * side, 15.9],
      0.35,
      allSides([-4.6, side > 0 ? 4.3 : -5.3, 14.3], [3.4, side > 0 ? 5.3 : -4.3, 15.9], RECT.plate),
    )
  }
  return p.build()
}

function glass(): Plates {
  const p = new Plating(64)
  dome(p, 7, 22, 0, (q) => [4 + 56 * (0.5 + ((q[0] - DOME.at[0]) / DOME.a) * 0.5), 4 + 56 * (1 - (q[2] - DOME.at[2]) / DOME.c)])
  return p.build(80)
}

/** Plates in the player's colour over the hull: stripes down its sides, a crest on its back. */
function houseHull(fine: boolean): Plates {
  const p = new Plating(64)
  const over = (x: number, side: number, k: number): Vec => {
    let i = HULL.findIndex((h) => h[0] >= x)
    if (i < 1) i = 1
    const [a, b] = [HULL[i - 1], HULL[i]]
    const t = (x - a[0]) / (b[0] - a[0])
    const [z, w, h, cut] = [1, 2, 3, 4].map((c) => a[c] + (b[c] - a[c]) * t)
    // down the flat side from the upper cut to the lower one
    return [x, side * (w + 0.14), z + (h - cut) * k]
  }
  const map =
    (u0: number, u1: number) =>
    (q: Vec): readonly [number, number] => [
      64 * (0.03 + 0.94 * Math.max(0, Math.min(1, (q[0] - u0) / (u1 - u0)))),
      64 * (0.03 + 0.94 * Math.max(0, Math.min(1, (21.5 - q[2]) / 6))),
    ]
  for (const side of [1, -1]) {
    for (const [x0, x1] of [
      [-6.2, -2.9],
      [2.5, 5.2],
    ]) {
      const from: Vec = [(x0 + x1) / 2, 0, 18]
      const quad = [over(x0, side, 0.92), over(x1, side, 0.92), over(x1, side, -0.92), over(x0, side, -0.92)]
      p.face(quad, [0, 0, 0, 0], from, map(x0, x1))
      if (!fine) continue
      // a rim, so that the plate stands off the hull
      quad.forEach((a, i) => {
        const b = quad[(i + 1) % 4]
        const sink = (v: Vec): Vec => [v[0], v[1] - side * 0.2, v[2]]
        p.face([a, b, sink(b), sink(a)], [0, 0, 0, 0], mul(quad.reduce(add, [0, 0, 0] as Vec), 0.25), map(x0, x1))
      })
    }
  }
  if (fine)
    block(p, ACROSS_Y, [-6.2, -0.5, 22], [-3.4, 0.5, 23.4], 0.3, (q) => [
      64 * (0.1 + 0.8 * ((q[0] + 6.2) / 2.8)),
      64 * (0.1 + 0.8 * ((23.4 - q[2]) / 1.6)),
    ])
  return p.build()
}

/** A guard on the front of a lower leg. */
function houseGuard(side: number): Plates {
  const p = new Plating(64)
  const lower = across(sub(LEG.ankle, LEG.knee))
  const y = LEG.knee[1] * side
  const on = (k: number, a: number, ahead: number): Section => {
    const c = add(at(LEG.knee, LEG.ankle, k), mul(lower.b, ahead))
    return plate(lower, [c[0], y, c[2]], a, 0.26, 0.2)
  }
  p.loft(
    [on(0.44, 0.75, 1.5), on(0.52, 1.2, 1.62), on(0.8, 1.05, 1.3), on(0.97, 0.5, 0.95)],
    (q) => [64 * (0.5 + (q[1] - y) / 3), 64 * Math.max(0.02, Math.min(0.98, (LEG.knee[2] + 0.6 - q[2]) / 5))],
    { start: true, end: true },
  )
  return p.build()
}

/** The outer face of a hip drum. */
function houseHip(side: number): Plates {
  const p = new Plating(64)
  const y = LEG.hip[1] + 1.5
  const n = 14
  const c = (yy: number): Vec => [LEG.hip[0], yy * side, LEG.hip[2]]
  p.loft(
    [round(ACROSS_Y, c(y - 0.05), 1.2, 1.2, n), round(ACROSS_Y, c(y + 0.35), 1.1, 1.1, n), round(ACROSS_Y, c(y + 0.5), 0.7, 0.7, n)],
    (q) => [32 + 26 * (q[0] - LEG.hip[0]), 32 - 26 * (q[2] - LEG.hip[2])],
    { end: true },
  )
  return p.build()
}

/** A pennant on the aerial. */
function housePennant(): Plates {
  const p = new Plating(64)
  const top = add(AERIAL, [-1.05, 0, 7.0])
  const tip: Vec = add(AERIAL, [-4.4, 0, 5.9]),
    low = add(AERIAL, [-0.72, 0, 4.9])
  p.face([top, tip, low], [0, 0, 0], [AERIAL[0], 10, AERIAL[2] + 6], (q) => [32 + 6 * (q[0] - AERIAL[0]), 60 - 6 * (q[2] - AERIAL[2])])
  return p.build()
}

function gun(side: number, armament: Armament, fine: boolean): Plates {
  const p = new Plating(ATLAS)
  const [x, y, z] = left(GUN, side)
  if (armament === 'rockets') {
    const low: Vec = [x - 3.4, y - 1.9, z - 1.9],
      high: Vec = [x + 3.4, y + 1.9, z + 2.1]
    block(
      p,
      ACROSS_X,
      low,
      high,
      0.45,
      boxed(low, high, { front: RECT.rack, back: RECT.vents, side: RECT.gun, top: RECT.gun, bottom: RECT.gun }),
    )
    return p.build()
  }
  const low: Vec = [x - 3.4, y - 1.35, z - 1.4],
    high: Vec = [x + 2.4, y + 1.35, z + 1.6]
  const mapping = boxed(low, high, { front: RECT.metal, back: RECT.vents, side: RECT.gun, top: RECT.gun, bottom: RECT.gun })
  p.loft(
    [
      plate(ACROSS_X, [x - 3.4, y, z + 0.05], 0.9, 1, 0.4),
      plate(ACROSS_X, [x - 2.9, y, z + 0.1], 1.3, 1.4, 0.5),
      plate(ACROSS_X, [x + 1.4, y, z + 0.1], 1.35, 1.45, 0.5),
      plate(ACROSS_X, [x + 2.4, y, z], 1, 1.05, 0.4),
    ],
    mapping,
    { start: true, end: true },
  )
  if (fine) {
    // a magazine on top, a sight beside it
    block(
      p,
      ACROSS_X,
      [x - 2.6, y - 0.8, z + 1.4],
      [x + 0.4, y + 0.8, z + 2.3],
      0.25,
      allSides([x - 2.6, y - 0.8, z + 1.4], [x + 0.4, y + 0.8, z + 2.3], RECT.stripes),
    )
    bar(p, [x + 0.6, y + 0.5 * side, z + 1.75], [x + 2, y + 0.5 * side, z + 1.75], 0.3, 0.3, 8, RECT.metal, [0, 0], 'lamp')
  }
  return p.build()
}

function barrel(side: number, armament: Armament, fine: boolean): Plates {
  const p = new Plating(ATLAS)
  const [, y, z] = left(BARREL, side)
  const n = fine ? 14 : 6
  if (armament === 'rockets') {
    for (const [dy, dz] of [
      [-0.85, 0.95],
      [0.85, 0.95],
      [-0.85, -0.75],
      [0.85, -0.75],
    ])
      bar(p, [3.2, y + dy, z + dz], [4.7, y + dy, z + dz], 0.6, 0.12, fine ? 10 : 5, RECT.stripes, [0, 0])
    return p.build()
  }
  const ring = (x: number, r: number): Section => round(ACROSS_X, [x, y, z], r, r, n)
  p.loft(
    fine
      ? [
          ring(1.2, 0.95),
          ring(3.4, 0.95),
          ring(3.5, 0.72),
          ring(7.4, 0.66),
          ring(7.5, 1.02),
          ring(8.9, 1.02),
          ring(9.2, 0.9),
          ring(9.2, 0.62),
        ]
      : [ring(1.2, 0.9), ring(3.5, 0.8), ring(9.2, 0.8)],
    wrapped(RECT.barrel, 2),
    { end: disc(RECT.muzzle, [9.2, y, z], fine ? 0.62 : 0.8, ACROSS_X) },
  )
  return p.build()
}

/** Sheets that cross along the barrel, and a star across it. */
function flash(side: number, armament: Armament): Plates {
  const p = new Plating(64)
  // rockets leave from the front of their box
  const m = add(left(MUZZLE, side), armament === 'rockets' ? [-4.8, 0, 0.1] : [0, 0, 0])
  for (let k = 0; k < 3; k++) {
    const angle = (k / 3) * Math.PI
    const across1: Vec = [0, Math.cos(angle), Math.sin(angle)]
    const q = [
      [-0.2, -1.5],
      [5.6, -1.5],
      [5.6, 1.5],
      [-0.2, 1.5],
    ].map(([x, w]) => add(m, add([x, 0, 0], mul(across1, w))))
    p.face(q, [0, 0, 0, 0], add(m, mul(cross([1, 0, 0], across1), -5)), (v) => [
      1 + 62 * ((v[0] - m[0] + 0.2) / 5.8),
      1 + 30 * (0.5 + dot(sub(v, m), across1) / 3),
    ])
  }
  const star = [
    [-2.3, -2.3],
    [2.3, -2.3],
    [2.3, 2.3],
    [-2.3, 2.3],
  ].map(([a, b]) => add(m, [0.9, a, b] as Vec))
  p.face(star, [0, 0, 0, 0], add(m, [-5, 0, 0]), (v) => [16 + 15 * ((v[1] - m[1]) / 2.3), 48 - 15 * ((v[2] - m[2]) / 2.3)])
  return p.build(1)
}

/** All render objects. Names are without their container. */
export function walkerParts(armament: Armament): WalkerPart[] {
  const { index } = walkerPivots()
  const parts: WalkerPart[] = []
  const both = [0, 1] as const
  const part = (name: string, pivot: string, picture: WalkerPart['picture'], plates: Plates, more: Partial<WalkerPart> = {}): void => {
    parts.push({ name, pivot: index(pivot), skin: false, plates, picture, levels: both, ...more })
  }
  for (const level of both) {
    const low = level === 0 ? 'LO' : ''
    part(`BODY${low}`, 'ROOTTRANSFORM', 'armour', body(index, level === 1), { skin: true, levels: [level] })
    part(`TURRET${low}`, 'TURRET', 'armour', turret(level === 1), { levels: [level] })
    part(`HOUSECOLOR01${low}`, 'TURRET', 'house', houseHull(level === 1), { levels: [level] })
    for (const [s, side] of [
      ['L', 1],
      ['R', -1],
    ] as const) {
      part(`GUN_${s}${low}`, `GUN_${s}`, 'armour', gun(side, armament, level === 1), { levels: [level] })
      part(`BARREL_${s}${low}`, `BARREL_${s}`, 'armour', barrel(side, armament, level === 1), { levels: [level] })
    }
  }
  part('CANOPY', 'TURRET', 'glass', glass(), { levels: [1] })
  part('HOUSECOLOR02', 'SHIN_L', 'house', houseGuard(1))
  part('HOUSECOLOR03', 'SHIN_R', 'house', houseGuard(-1))
  part('HOUSECOLOR04', 'THIGH_L', 'house', houseHip(1), { levels: [1] })
  part('HOUSECOLOR05', 'THIGH_R', 'house', houseHip(-1), { levels: [1] })
  part('HOUSECOLOR06', 'ANTENNA02', 'house', housePennant(), { twoSided: true, levels: [1] })
  part('MUZZLEFX01', 'MUZZLEFX01', 'flash', flash(1, armament), { twoSided: true })
  part('MUZZLEFX02', 'MUZZLEFX02', 'flash', flash(-1, armament), { twoSided: true })
  return parts
}
