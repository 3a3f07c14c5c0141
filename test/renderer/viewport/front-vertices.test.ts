/** Of the vertices in a box those that can be seen, against rays to each of them. */
import { describe, expect, it } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { frontVertices } from '../../../src/renderer/viewport/front-vertices.ts'
import { frameBounds, projector, type Orbit } from '../../../src/renderer/viewport/orbit.ts'
import { pickSurface } from '../../../src/renderer/viewport/picking.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import type { Vec3 } from '../../../src/renderer/viewport/vec.ts'

const model = new PosedModel(devScene())
model.update(-1, 0)
const mesh = model.meshes.findIndex(({ mesh }) => mesh.nativeVertexCount > 8)
const count = model.meshes[mesh].mesh.positions.length / 3
const every = Array.from({ length: count }, (_, v) => v)
const start: Orbit = { target: [0, 0, 0], yaw: 0.4, pitch: 0.2, distance: 10, fov: 0.6 }
const orbit = { ...start, ...frameBounds(start, model.bounds()!, 4 / 3) }
const whole = [0, 0, 800, 600] as const
const all = (): boolean => true

describe.each([false, true])('vertices in front, without perspective: %s', (parallel) => {
  const eye = projector({ ...orbit, parallel }, 800, 600)
  const front = new Set(frontVertices(model, all, eye, whole, mesh, every))

  it('are those that a ray comes to first, but for the rim', () => {
    const positions = model.scenePositions(mesh)
    const p: number[] = [0, 0, 0]
    let [seen, agree] = [0, 0]
    for (const v of every) {
      const [x, y, z] = positions.subarray(3 * v, 3 * v + 3)
      eye.project(x, y, z, p)
      const { origin, direction } = eye.ray(p[0], p[1])
      const hit = pickSurface(model, all, origin, direction)
      const distance = Math.hypot(...([x, y, z].map((c, i) => c - origin[i]) as Vec3))
      const visible = !hit || hit.distance > distance - 1e-3
      if (visible) seen++
      if (visible === front.has(v)) agree++
    }
    expect(seen).toBeGreaterThan(count / 8)
    expect(seen).toBeLessThan(count)
    expect(agree / count).toBeGreaterThan(0.9)
  })

  it('are fewer behind something, and what is hidden hides nothing', () => {
    const alone = new Set(frontVertices(model, (m) => m === mesh, eye, whole, mesh, every))
    for (const v of front) expect(alone.has(v)).toBe(true)
    expect(frontVertices(model, (m) => m !== mesh, eye, whole, mesh, every)).toEqual([])
  })

  it('are those of the box alone', () => {
    const given = every.slice(0, 20)
    expect(frontVertices(model, all, eye, [100, 100, 700, 500], mesh, given).every((v) => given.includes(v))).toBe(true)
  })
})
