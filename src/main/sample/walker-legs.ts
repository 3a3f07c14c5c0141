/** Legs, hips and aerial of the walker: one skin, and the plates in its owner's colour that hang on them. */
import { ACROSS_X, ACROSS_Y, ACROSS_Z, Plating, across, allSides, plate, round, wrapped } from './plating.ts'
import { add, mul, sub } from './vectors.ts'
import { ATLAS, RECT } from './walker-paint.ts'
import { LEG, left, AERIAL } from './walker-rig.ts'
import { block, bar, mirrored, at } from './walker-solids.ts'
import type { Plates, Section } from './plating.ts'
import type { Vec } from './vectors.ts'

/** Legs, hips and the aerial: one skin. @param fine all details */
export function body(index: (name: string) => number, fine: boolean): Plates {
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

/** A guard on the front of a lower leg. */
export function houseGuard(side: number): Plates {
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
export function houseHip(side: number): Plates {
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
export function housePennant(): Plates {
  const p = new Plating(64)
  const top = add(AERIAL, [-1.05, 0, 7.0])
  const tip: Vec = add(AERIAL, [-4.4, 0, 5.9]),
    low = add(AERIAL, [-0.72, 0, 4.9])
  p.face([top, tip, low], [0, 0, 0], [AERIAL[0], 10, AERIAL[2] + 6], (q) => [32 + 6 * (q[0] - AERIAL[0]), 60 - 6 * (q[2] - AERIAL[2])])
  return p.build()
}
