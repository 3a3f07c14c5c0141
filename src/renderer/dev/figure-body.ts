/** The body of the figure: tubes along its limbs, each vertex with the joints that move it. */

/** Rings along a limb: place, half width, half depth, and the joints that move it. */
type Ring = [x: number, y: number, z: number, rx: number, rz: number, weights: [string, number][]]
/** Where a limb stands in the picture: left, top, right, bottom. */
type UvArea = [number, number, number, number]

class Body {
  positions: number[] = []
  normals: number[] = []
  uvs: number[] = []
  indices: number[] = []
  weights: [string, number][][] = []

  tube(rings: Ring[], patch: UvArea, sides = 14): void {
    const first = this.positions.length / 3
    rings.forEach(([x, y, z, rx, rz, weights], r) => {
      const [px, py, pz] = rings[Math.max(0, r - 1)],
        [nx, ny, nz] = rings[Math.min(rings.length - 1, r + 1)]
      const along = [nx - px, ny - py, nz - pz]
      const far = Math.hypot(...along) || 1
      // the ring lies across the limb: its x axis stays near the scene's
      const d = along.map((v) => v / far)
      const bx = [1 - d[0] * d[0], -d[0] * d[1], -d[0] * d[2]]
      const bl = Math.hypot(...bx) || 1
      const u = bx.map((v) => v / bl)
      const w = [u[1] * d[2] - u[2] * d[1], u[2] * d[0] - u[0] * d[2], u[0] * d[1] - u[1] * d[0]]
      for (let s = 0; s <= sides; s++) {
        const a = (s / sides) * Math.PI * 2
        const ca = Math.sin(a),
          sa = Math.cos(a)
        for (let c = 0; c < 3; c++) this.positions.push([x, y, z][c] + u[c] * rx * ca - w[c] * rz * sa * Math.sign(w[2] || 1) * -1)
        const n = [0, 1, 2].map((c) => (u[c] * ca) / Math.max(rx, 1e-4) + (w[c] * sa * Math.sign(w[2] || 1)) / Math.max(rz, 1e-4))
        const nl = Math.hypot(...n) || 1
        this.normals.push(n[0] / nl, n[1] / nl, n[2] / nl)
        const v = r / (rings.length - 1)
        this.uvs.push(patch[0] + (patch[2] - patch[0]) * (s / sides), patch[1] + (patch[3] - patch[1]) * v)
        this.weights.push(weights)
      }
    })
    const row = sides + 1
    const down = rings[0][1] > rings[rings.length - 1][1]
    for (let r = 0; r + 1 < rings.length; r++) {
      for (let s = 0; s < sides; s++) {
        const a = first + r * row + s,
          b = a + 1,
          c = a + row,
          e = c + 1
        if (down) this.indices.push(a, c, b, b, c, e)
        else this.indices.push(a, b, c, b, e, c)
      }
    }
  }
}

/** @param at the place of a joint in the scene, @param detail sides of a limb */
export function figureBody(at: (joint: string) => [number, number, number], detail: number): Body {
  const b = new Body()
  const [, py] = at('pelvis'),
    [, cy] = at('chest'),
    [, ny] = at('neck'),
    [, hy, hz] = at('head')
  b.tube(
    [
      [0, ny + 0.03, 0.005, 0.05, 0.05, [['neck', 1]]],
      [
        0,
        ny - 0.02,
        0,
        0.09,
        0.075,
        [
          ['neck', 0.4],
          ['chest', 0.6],
        ],
      ],
      [
        0,
        cy + 0.15,
        -0.005,
        0.19,
        0.105,
        [
          ['chest', 0.9],
          ['neck', 0.1],
        ],
      ],
      [0, cy + 0.06, -0.005, 0.195, 0.125, [['chest', 1]]],
      [
        0,
        cy - 0.06,
        0,
        0.17,
        0.115,
        [
          ['chest', 0.55],
          ['spine', 0.45],
        ],
      ],
      [
        0,
        py + 0.12,
        0,
        0.15,
        0.105,
        [
          ['spine', 0.8],
          ['pelvis', 0.2],
        ],
      ],
      [
        0,
        py + 0.02,
        0,
        0.165,
        0.115,
        [
          ['pelvis', 0.75],
          ['spine', 0.25],
        ],
      ],
      [0, py - 0.06, 0, 0.185, 0.13, [['pelvis', 1]]],
      [
        0,
        py - 0.17,
        0,
        0.215,
        0.155,
        [
          ['pelvis', 0.7],
          ['thigh.L', 0.15],
          ['thigh.R', 0.15],
        ],
      ],
      [
        0,
        py - 0.24,
        0,
        0.22,
        0.16,
        [
          ['pelvis', 0.6],
          ['thigh.L', 0.2],
          ['thigh.R', 0.2],
        ],
      ],
    ],
    [0.5, 0, 1, 0.5],
    detail + 4,
  )
  const head: Ring[] = []
  for (let i = 0; i <= 12; i++) {
    const t = i / 12
    const angle = t * Math.PI
    const jaw = t > 0.6 ? 1 - 0.35 * (t - 0.6) : 1
    head.push([
      0,
      hy + 0.09 + 0.135 * Math.cos(angle),
      hz - 0.01 + (t > 0.6 ? 0.02 * (t - 0.6) : 0),
      Math.max(0.002, 0.105 * Math.sin(angle) ** 0.8 * jaw),
      Math.max(0.002, 0.118 * Math.sin(angle) ** 0.8 * jaw),
      [['head', 1]],
    ])
  }
  b.tube(head, [0, 0, 0.5, 0.5], detail + 6)
  for (const side of ['L', 'R']) {
    const s = side === 'L' ? 1 : -1
    const [ax, ay, az] = at(`arm.${side}`),
      [fx, fy, fz] = at(`forearm.${side}`),
      [wx, wy, wz] = at(`hand.${side}`)
    const mix = (a: number, c: number, t: number): number => a + (c - a) * t
    b.tube(
      [
        [
          ax - 0.09 * s,
          ay + 0.03,
          az,
          0.05,
          0.05,
          [
            [`shoulder.${side}`, 0.7],
            ['chest', 0.3],
          ],
        ],
        [
          ax - 0.02 * s,
          ay + 0.015,
          az,
          0.072,
          0.07,
          [
            [`shoulder.${side}`, 0.5],
            [`arm.${side}`, 0.5],
          ],
        ],
        [mix(ax, fx, 0.25), mix(ay, fy, 0.25), mix(az, fz, 0.25), 0.064, 0.062, [[`arm.${side}`, 1]]],
        [
          mix(ax, fx, 0.75),
          mix(ay, fy, 0.75),
          mix(az, fz, 0.75),
          0.055,
          0.052,
          [
            [`arm.${side}`, 0.9],
            [`forearm.${side}`, 0.1],
          ],
        ],
        [
          fx,
          fy,
          fz,
          0.052,
          0.05,
          [
            [`arm.${side}`, 0.5],
            [`forearm.${side}`, 0.5],
          ],
        ],
        [
          mix(fx, wx, 0.3),
          mix(fy, wy, 0.3),
          mix(fz, wz, 0.3),
          0.05,
          0.048,
          [
            [`forearm.${side}`, 0.95],
            [`arm.${side}`, 0.05],
          ],
        ],
        [
          mix(fx, wx, 0.9),
          mix(fy, wy, 0.9),
          mix(fz, wz, 0.9),
          0.034,
          0.032,
          [
            [`forearm.${side}`, 0.7],
            [`hand.${side}`, 0.3],
          ],
        ],
        [wx + 0.012 * s, wy - 0.045, wz + 0.01, 0.03, 0.046, [[`hand.${side}`, 1]]],
        [wx + 0.016 * s, wy - 0.1, wz + 0.015, 0.024, 0.042, [[`hand.${side}`, 1]]],
        [wx + 0.018 * s, wy - 0.13, wz + 0.015, 0.004, 0.01, [[`hand.${side}`, 1]]],
      ],
      [0, 0.5, 0.5, 1],
      detail,
    )
    const [tx, ty, tz] = at(`thigh.${side}`),
      [kx, ky, kz] = at(`shin.${side}`),
      [ox, oy, oz] = at(`foot.${side}`)
    b.tube(
      [
        [
          tx,
          ty + 0.02,
          tz,
          0.09,
          0.1,
          [
            ['pelvis', 0.6],
            [`thigh.${side}`, 0.4],
          ],
        ],
        [
          mix(tx, kx, 0.2),
          mix(ty, ky, 0.2),
          tz,
          0.092,
          0.1,
          [
            [`thigh.${side}`, 0.9],
            ['pelvis', 0.1],
          ],
        ],
        [
          mix(tx, kx, 0.8),
          mix(ty, ky, 0.8),
          mix(tz, kz, 0.8),
          0.068,
          0.072,
          [
            [`thigh.${side}`, 0.9],
            [`shin.${side}`, 0.1],
          ],
        ],
        [
          kx,
          ky,
          kz,
          0.06,
          0.065,
          [
            [`thigh.${side}`, 0.5],
            [`shin.${side}`, 0.5],
          ],
        ],
        [mix(kx, ox, 0.3), mix(ky, oy, 0.3), mix(kz, oz, 0.3) - 0.01, 0.062, 0.068, [[`shin.${side}`, 1]]],
        [
          mix(kx, ox, 0.85),
          mix(ky, oy, 0.85),
          mix(kz, oz, 0.85),
          0.05,
          0.055,
          [
            [`shin.${side}`, 0.8],
            [`foot.${side}`, 0.2],
          ],
        ],
        [ox, oy - 0.01, oz + 0.03, 0.052, 0.09, [[`foot.${side}`, 1]]],
        [ox, oy - 0.06, oz + 0.06, 0.056, 0.135, [[`foot.${side}`, 1]]],
        [ox, oy - 0.085, oz + 0.06, 0.05, 0.125, [[`foot.${side}`, 1]]],
      ],
      [0.5, 0.5, 1, 1],
      detail,
    )
  }
  return b
}
