/** A small ruin to stand on: a round floor, a step, four columns, one of them broken. Neutral space like the character (metres, Y up, facing +Z). */
import { Canvas, mix, noise, scale, type Rgb } from './paint.ts'

export interface StageMesh {
  positions: number[]
  normals: number[]
  uvs: number[]
  /** counter-clockwise */
  indices: number[]
}

const STONE: Rgb = [164, 158, 146]
const MOSS: Rgb = [92, 118, 72]

function quad(mesh: StageMesh, corners: number[][], uvs: number[][]): void {
  const [a, b, c] = corners
  const u = b.map((x, i) => x - a[i]),
    v = c.map((x, i) => x - a[i])
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  const length = Math.hypot(...n) || 1
  const first = mesh.positions.length / 3
  corners.forEach((p, i) => {
    mesh.positions.push(...p)
    mesh.normals.push(...n.map((x) => x / length))
    mesh.uvs.push(...uvs[i])
  })
  for (let i = 2; i < corners.length; i++) mesh.indices.push(first, first + i - 1, first + i)
}

/** A disc with a side, top at `y`. */
function drum(
  mesh: StageMesh,
  at: [number, number, number],
  radius: number,
  height: number,
  segments: number,
  side: [number, number, number, number],
  topScale: number,
): void {
  const [x, y, z] = at
  const ring = (k: number): [number, number] => [Math.sin((k / segments) * Math.PI * 2), Math.cos((k / segments) * Math.PI * 2)]
  const [u0, v0, u1, v1] = side
  const top: number[][] = [],
    topUv: number[][] = []
  for (let s = 0; s < segments; s++) {
    const [sa, ca] = ring(s),
      [sb, cb] = ring(s + 1)
    const ua = u0 + (u1 - u0) * (s / segments),
      ub = u0 + (u1 - u0) * ((s + 1) / segments)
    const p = (sn: number, cs: number, yy: number): number[] => [x + sn * radius, yy, z + cs * radius]
    quad(
      mesh,
      [p(sa, ca, y), p(sa, ca, y - height), p(sb, cb, y - height), p(sb, cb, y)],
      [
        [ua, v0],
        [ua, v1],
        [ub, v1],
        [ub, v0],
      ],
    )
    top.push(p(sa, ca, y))
    topUv.push([0.25 + sa * 0.25 * topScale, 0.25 + ca * 0.25 * topScale])
  }
  quad(mesh, top, topUv)
}

export function ruin(): { mesh: StageMesh; collision: StageMesh; picture: Canvas } {
  const mesh: StageMesh = { positions: [], normals: [], uvs: [], indices: [] }
  const collision: StageMesh = { positions: [], normals: [], uvs: [], indices: [] }
  drum(mesh, [0, 0, 0], 2.4, 0.18, 28, [0, 0.5, 1, 0.62], 1)
  drum(mesh, [0, -0.18, 0], 2.9, 0.2, 28, [0, 0.5, 1, 0.62], 1)
  drum(collision, [0, 0, 0], 2.4, 0.18, 12, [0, 0, 1, 1], 1)
  drum(collision, [0, -0.18, 0], 2.9, 0.2, 12, [0, 0, 1, 1], 1)
  const columns: [number, number, number][] = [
    [-1.6, -1.2, 2.1],
    [1.6, -1.2, 1.15],
    [-1.75, 0.9, 1.7],
    [1.75, 0.9, 2.1],
  ]
  for (const [x, z, height] of columns) {
    drum(mesh, [x, 0.12, z], 0.34, 0.12, 12, [0.5, 0.64, 1, 0.7], 0.3)
    drum(mesh, [x, height, z], 0.24, height - 0.12, 12, [0, 0.7, 0.5, 1], 0.3)
    if (height > 1.5) drum(mesh, [x, height + 0.12, z], 0.32, 0.12, 12, [0.5, 0.64, 1, 0.7], 0.3)
    drum(collision, [x, height + 0.12, z], 0.32, height + 0.12, 8, [0, 0, 1, 1], 1)
  }
  return { mesh, collision, picture: stone() }
}

function stone(): Canvas {
  const c = new Canvas(256, 256, [0, 0, 0])
  const grain = (x: number, y: number): number => 0.86 + 0.18 * noise(x / 3, y / 3, 2) + 0.14 * noise(x / 11, y / 11, 4)
  // floor: rings of slabs with joints
  c.region(0, 0, 128, 128, (u, v, x, y) => {
    const dx = u - 0.5,
      dy = v - 0.5
    const r = Math.hypot(dx, dy) * 2,
      a = Math.atan2(dx, dy) / (Math.PI * 2) + 0.5
    const ring = Math.floor(r * 4)
    const slabs = 6 + ring * 6
    const joint = Math.min(Math.abs(r * 4 - Math.round(r * 4)) * 5, Math.abs(((a * slabs) % 1) - 0.5) < 0.46 ? 1 : 0.3)
    const slab = noise(ring * 7.3, Math.floor(a * slabs) * 3.1, 9)
    const tone = mix(scale(STONE, 0.86 + 0.24 * slab), MOSS, Math.max(0, noise(x / 14, y / 14, 21) - 0.55) * 1.4)
    return scale(tone, grain(x, y) * (0.55 + 0.45 * Math.min(1, joint)))
  })
  c.region(128, 0, 128, 128, (_u, _v, x, y) => scale(STONE, grain(x, y) * 0.9))
  // side of the floor: blocks
  c.region(0, 128, 256, 32, (u, v, x, y) => {
    const block = Math.abs(((u * 24 + (v > 0.5 ? 0.5 : 0)) % 1) - 0.5) > 0.46 || Math.abs(v - 0.5) < 0.04 ? 0.6 : 1
    return scale(mix(STONE, MOSS, Math.max(0, noise(x / 9, y / 5, 31) - 0.5)), grain(x, y) * block * (1 - 0.35 * v))
  })
  c.region(128, 160, 128, 24, (_u, v, x, y) => scale(STONE, grain(x, y) * (1.05 - 0.3 * v)))
  // shafts: flutes
  c.region(0, 179, 128, 77, (u, v, x, y) =>
    scale(
      mix(STONE, MOSS, Math.max(0, v - 0.75) * 1.2 * noise(x / 6, y / 6, 8)),
      grain(x, y) * (0.72 + 0.34 * Math.sin(u * Math.PI * 16) ** 2),
    ),
  )
  return c
}
