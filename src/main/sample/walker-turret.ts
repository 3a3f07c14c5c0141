/** The cockpit of the walker: hull, dome, glass, and the part of it in its owner's colour. */
import { ACROSS_X, ACROSS_Y, ACROSS_Z, Plating, allSides, boxed, plate, round, wrapped } from './plating.ts'
import { add, mul, unit } from './vectors.ts'
import { ATLAS, RECT } from './walker-paint.ts'
import { block, bar } from './walker-solids.ts'
import { GUN } from './walker-rig.ts'
import type { Plates, Section } from './plating.ts'
import type { Vec } from './vectors.ts'

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

export function turret(fine: boolean): Plates {
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

export function glass(): Plates {
  const p = new Plating(64)
  dome(p, 7, 22, 0, (q) => [4 + 56 * (0.5 + ((q[0] - DOME.at[0]) / DOME.a) * 0.5), 4 + 56 * (1 - (q[2] - DOME.at[2]) / DOME.c)])
  return p.build(80)
}

/** Plates in the player's colour over the hull: stripes down its sides, a crest on its back. */
export function houseHull(fine: boolean): Plates {
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
