/** The round brush on a surface: where it is, its rim on screen, and the dabs of a movement. Plain data; what a dab means is the window's business. */
import type { Projector } from './orbit.ts'
import type { SurfaceHit } from './picking.ts'
import type { PosedModel } from './posed-model.ts'
import { cross, dot, mad, normalize } from './vec.ts'
import type { Vec3 } from './vec.ts'

export interface BrushSpot {
  hit: SurfaceHit
  /** faces the viewer */
  normal: Vec3
  /** scene units: as many as its pixels are at that depth */
  radius: number
}

const STEPS = 56

export function brushSpot(model: PosedModel, hit: SurfaceHit, view: Projector, direction: Vec3, pixels: number): BrushSpot {
  const out = [0, 0, 0]
  view.project(hit.point[0], hit.point[1], hit.point[2], out)
  return { hit, normal: normalAt(model, hit, direction), radius: pixels / Math.max(1e-9, view.pixelsAt(out[2])) }
}

/** Normals of the corners where the mesh has them, so that the rim does not jump from facet to facet; else that of the facet. */
function normalAt(model: PosedModel, hit: SurfaceHit, direction: Vec3): Vec3 {
  const { mesh, normals, positions, world: w } = model.meshes[hit.mesh]
  const corners = [0, 1, 2].map((k) => 3 * mesh.indices[hit.triangle + k])
  let n: Vec3 = [0, 0, 0]
  if (normals.length === positions.length) for (const c of corners) for (let i = 0; i < 3; i++) n[i] += normals[c + i]
  if (!(Math.hypot(...n) > 1e-6)) {
    const [a, b, c] = corners.map((i) => [positions[i], positions[i + 1], positions[i + 2]] as Vec3)
    n = cross(mad(b, a, -1), mad(c, a, -1))
  }
  n = normalize([
    w[0] * n[0] + w[4] * n[1] + w[8] * n[2],
    w[1] * n[0] + w[5] * n[1] + w[9] * n[2],
    w[2] * n[0] + w[6] * n[1] + w[10] * n[2],
  ])
  if (!(Math.hypot(...n) > 0.5)) n = [-direction[0], -direction[1], -direction[2]]
  return dot(n, direction) > 0 ? [-n[0], -n[1], -n[2]] : n
}

/** The rim as points on screen, x and y; those behind the viewer are left out. */
export function brushRim(spot: BrushSpot, view: Projector): number[] {
  const { normal, radius, hit } = spot
  const side = normalize(cross(Math.abs(normal[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], normal))
  const up = cross(normal, side)
  const out: number[] = []
  const p = [0, 0, 0]
  for (let i = 0; i < STEPS; i++) {
    const a = (i / STEPS) * Math.PI * 2
    const at = mad(mad(hit.point, side, Math.cos(a) * radius), up, Math.sin(a) * radius)
    view.project(at[0], at[1], at[2], p)
    if (p[2] > 0) out.push(p[0], p[1])
  }
  return out
}

/** Pixels between which a fast movement leaves no gap; the last is where the pointer is. */
export function alongStroke(from: { x: number; y: number }, to: { x: number; y: number }, pixels: number): { x: number; y: number }[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const n = Math.max(1, Math.min(24, Math.ceil(length / Math.max(2, pixels / 3))))
  return Array.from({ length: n }, (_, i) => ({ x: from.x + ((to.x - from.x) * (i + 1)) / n, y: from.y + ((to.y - from.y) * (i + 1)) / n }))
}
