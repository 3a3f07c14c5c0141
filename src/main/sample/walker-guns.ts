/** Guns of the walker, their barrels and the flash in front of them. */
import { ACROSS_X, Plating, allSides, boxed, disc, plate, round, wrapped } from './plating.ts'
import { add, cross, dot, mul, sub } from './vectors.ts'
import { ATLAS, RECT } from './walker-paint.ts'
import { left, GUN, BARREL, MUZZLE } from './walker-rig.ts'
import { block, bar } from './walker-solids.ts'
import type { Plates, Section } from './plating.ts'
import type { Vec } from './vectors.ts'

export type Armament = 'cannons' | 'rockets'

export function gun(side: number, armament: Armament, fine: boolean): Plates {
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

export function barrel(side: number, armament: Armament, fine: boolean): Plates {
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
export function flash(side: number, armament: Armament): Plates {
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
