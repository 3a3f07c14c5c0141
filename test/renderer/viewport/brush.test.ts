import { describe, expect, it } from 'vitest'
import { emptyScene, type Mesh } from '../../../src/shared/scene/types.ts'
import { alongStroke, brushRim, brushSpot } from '../../../src/renderer/viewport/brush.ts'
import { projector, type Orbit } from '../../../src/renderer/viewport/orbit.ts'
import { pickSurface } from '../../../src/renderer/viewport/picking.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'

const square: Mesh = {
  name: 'square',
  joint: -1,
  positions: Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0),
  normals: new Float32Array(0),
  uvs: [],
  colors: new Float32Array(0),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  groups: [],
  skin: -1,
  nativeVertex: Uint32Array.of(0, 1, 2, 3),
  nativeVertexCount: 4,
  visible: true,
  lod: -1,
  source: { ref: '', path: '' },
}
const front: Orbit = { target: [0, 0, 0], yaw: 0, pitch: 0, distance: 10, fov: Math.PI / 6 }

function spot(orbit: Orbit, mesh = square, pixels = 50) {
  const model = new PosedModel({ ...emptyScene('s'), meshes: [mesh] })
  model.update(-1, 0)
  const view = projector(orbit, 800, 600)
  const { origin, direction } = view.ray(400, 300)
  const hit = pickSurface(model, () => true, origin, direction)!
  return { view, hit, spot: brushSpot(model, hit, view, direction, pixels) }
}

describe('the brush on a surface', () => {
  it('is as large as its pixels where it stands, and round when seen from the front', () => {
    const near = spot(front)
    expect(near.hit.triangle % 3).toBe(0)
    const rim = brushRim(near.spot, near.view)
    for (let i = 0; i < rim.length; i += 2) expect(Math.hypot(rim[i] - 400, rim[i + 1] - 300)).toBeCloseTo(50, 3)
    expect(spot({ ...front, distance: 20 }).spot.radius).toBeCloseTo(2 * near.spot.radius)
  })

  it('lies on the surface and faces the viewer, from either side, with the normals of the mesh or without', () => {
    for (const yaw of [0.9, Math.PI - 0.9]) {
      const seen = spot({ ...front, yaw })
      expect(seen.spot.normal[2]).toBeCloseTo(Math.sign(Math.cos(yaw)))
      const rim = brushRim(seen.spot, seen.view)
      const xs = rim.filter((_, i) => i % 2 === 0),
        ys = rim.filter((_, i) => i % 2 === 1)
      expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(80)
      expect(Math.max(...ys) - Math.min(...ys)).toBeGreaterThan(95)
    }
    const tilted = Float32Array.from({ length: 12 }, (_, i) => [0, Math.SQRT1_2, Math.SQRT1_2][i % 3])
    expect(spot(front, { ...square, normals: tilted }).spot.normal[1]).toBeCloseTo(Math.SQRT1_2)
    // normals of nothing: that of the triangle
    expect(spot(front, { ...square, normals: new Float32Array(12) }).spot.normal).toEqual([0, 0, 1])
  })

  it('leaves no gap in a fast movement, and ends where the pointer is', () => {
    const dabs = alongStroke({ x: 0, y: 0 }, { x: 100, y: 0 }, 30)
    expect(dabs.length).toBe(10)
    expect(dabs.at(-1)).toEqual({ x: 100, y: 0 })
    expect(alongStroke({ x: 5, y: 5 }, { x: 5, y: 5 }, 30)).toEqual([{ x: 5, y: 5 }])
    expect(alongStroke({ x: 0, y: 0 }, { x: 1e6, y: 0 }, 4).length).toBeLessThan(50)
  })
})
