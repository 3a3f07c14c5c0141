/** Helpers of a scene (boxes, points, spheres, lights) as lines. */
import type { Helper } from '../../shared/scene/types.ts'
import { transformPoint } from '../../shared/scene/matrix.ts'
import type { FlatData, Tint } from './flat-batch.ts'
import type { Projector } from './orbit.ts'
import type { Vec3 } from './vec.ts'

const EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7]

/** @param world of all joints; @param mark size of a point */
export function fillHelpers(data: FlatData, helpers: readonly Helper[], world: Float32Array, mark: number): void {
  data.clear()
  for (const h of helpers) {
    const tint: Tint = [...h.color, 0.9]
    const at = (x: number, y: number, z: number): Vec3 => place(h, world, x, y, z)
    if (h.kind === 'box' || h.kind === 'orientedBox' || h.kind === 'mesh') {
      const corners: Vec3[] = []
      for (let i = 0; i < 8; i++)
        corners.push(at(i & 1 ? h.extent[0] : -h.extent[0], i & 2 ? h.extent[1] : -h.extent[1], i & 4 ? h.extent[2] : -h.extent[2]))
      for (let i = 0; i < EDGES.length; i += 2) data.line(corners[EDGES[i]], corners[EDGES[i + 1]], tint)
    } else if (h.kind === 'sphere') {
      const r = h.extent[0]
      for (let axis = 0; axis < 3; axis++) {
        for (let i = 0; i < 48; i++) data.line(circle(at, axis, r, i / 48), circle(at, axis, r, (i + 1) / 48), tint)
      }
    } else {
      const r = h.extent[0] > 0 ? Math.min(h.extent[0], mark * 4) : mark
      for (let axis = 0; axis < 3; axis++) {
        const d: Vec3 = [0, 0, 0]
        d[axis] = r
        data.line(at(-d[0], -d[1], -d[2]), at(d[0], d[1], d[2]), tint)
      }
      if (h.kind === 'light')
        for (let i = 0; i < 16; i++) data.line(circle(at, 1, r * 0.6, i / 16), circle(at, 1, r * 0.6, (i + 1) / 16), tint)
    }
  }
}

/** A point of a helper in the scene; `center` is in the joint's space. */
export function place(h: Helper, world: Float32Array, x = 0, y = 0, z = 0): Vec3 {
  const p: Vec3 = [h.center[0] + x, h.center[1] + y, h.center[2] + z]
  if (h.joint < 0 || 16 * h.joint + 15 >= world.length) return p
  transformPoint(p, 0, world, 16 * h.joint, p[0], p[1], p[2])
  return p
}

/** The point (or the middle of a helper) under a pixel; of those within reach the nearest to it, -1 for none. */
export function pickPoint(helpers: readonly Helper[], world: Float32Array, view: Projector, px: number, py: number, reach = 9): number {
  const p = [0, 0, 0]
  let best = -1
  helpers.forEach((h, i) => {
    view.project(...place(h, world), p)
    const away = Math.hypot(p[0] - px, p[1] - py)
    if (p[2] > 0 && away <= reach) {
      best = i
      reach = away
    }
  })
  return best
}

function circle(at: (x: number, y: number, z: number) => Vec3, axis: number, r: number, turn: number): Vec3 {
  const a = Math.cos(turn * Math.PI * 2) * r,
    b = Math.sin(turn * Math.PI * 2) * r
  return axis === 0 ? at(0, a, b) : axis === 1 ? at(a, 0, b) : at(a, b, 0)
}
