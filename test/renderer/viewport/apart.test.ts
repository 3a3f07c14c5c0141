/** How far two models are from each other: which meshes and joints belong together, and what is measured of them. */
import { describe, expect, it } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { AS_IT_IS, fitted, jointsDiffer, pairJoints, pairMeshes, roundUp, vertexDistances } from '../../../src/renderer/viewport/apart.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import type { PosedMesh } from '../../../src/renderer/viewport/posed-model.ts'

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const posed = (positions: number[], world = IDENTITY): PosedMesh =>
  ({ positions: Float32Array.from(positions), world: Float32Array.from(world) }) as unknown as PosedMesh

describe('meshes that belong together', () => {
  it('are those with the same triangles, of one name first, each once', () => {
    const a = devScene(3)
    const b = devScene(3)
    expect([...pairMeshes(a, b)]).toEqual(a.meshes.map((_, i) => i))
    // in another order they are found by their names
    const turned = { ...b, meshes: b.meshes.toReversed() }
    const last = a.meshes.length - 1
    expect([...pairMeshes(a, turned)]).toEqual(a.meshes.map((_, i) => last - i))
    const renamed = { ...b, meshes: b.meshes.map((mesh) => ({ ...mesh, name: 'x' })) }
    expect([...pairMeshes(a, renamed)].filter((j) => j < 0)).toEqual([])
    // one of another make has no partner
    const [first, ...rest] = b.meshes
    const other = { ...b, meshes: [{ ...first, indices: first.indices.slice(3) }, ...rest] }
    expect(pairMeshes(a, other)[0]).toBe(-1)
    expect(pairMeshes(a, { ...b, meshes: [] })).toEqual(new Int32Array(a.meshes.length).fill(-1))
  })
})

describe('joints that belong together', () => {
  it('have one name, the second of a name with the second', () => {
    const skeleton = (names: string[]) => ({ names, count: names.length }) as never
    expect([...pairJoints(skeleton(['a', 'b', 'b', 'c']), skeleton(['b', 'x', 'b', 'b', 'a']))]).toEqual([1, -1, 2, -1, 0])
  })

  it('differ by their place and by their turn', () => {
    const at = (x: number, turned = 0): Float32Array => {
      const m = Float32Array.from(IDENTITY)
      m[12] = x
      m[0] = m[5] = Math.cos(turned)
      m[1] = Math.sin(turned)
      m[4] = -m[1]
      return m
    }
    expect(jointsDiffer(at(1), 0, at(1), 0, AS_IT_IS, 1e-4)).toBe(false)
    expect(jointsDiffer(at(1), 0, at(1.001), 0, AS_IT_IS, 1e-4)).toBe(true)
    expect(jointsDiffer(at(1), 0, at(1, 0.1), 0, AS_IT_IS, 1e-4)).toBe(true)
    expect(jointsDiffer(at(10), 0, at(1), 0, { scale: 10, lift: 0 }, 1e-4)).toBe(false)
    // what is the lift's is no difference
    const high = at(1).with(13, 4)
    expect(jointsDiffer(high, 0, at(1), 0, AS_IT_IS, 1e-4)).toBe(true)
    expect(jointsDiffer(high, 0, at(1), 0, { scale: 1, lift: 4 }, 1e-4)).toBe(false)
  })
})

describe('distances of vertices', () => {
  it('are those in the scene, what is no distance and no number counted as none', () => {
    const out = new Float32Array(4)
    const a = posed([0, 0, 0, 1, 0, 0, 0, 1, 0, NaN, 0, 0])
    const b = posed([0, 0, 0, 1, 0, 4, 3, 1, 4, 0, 0, 0])
    expect(vertexDistances(a, b, AS_IT_IS, 1e-3, out)).toEqual({ most: 5, moved: 2 })
    expect([...out]).toEqual([0, 4, 5, 0])
    // a rigid mesh is where its joint is; the other is drawn twice as large
    const moved = posed([0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0], IDENTITY.with(13, 1))
    expect(vertexDistances(a, moved, { scale: 2, lift: 0 }, 1e-3, out)).toEqual({ most: 2, moved: 3 })
    expect([...out]).toEqual([2, 2, 2, 0])
    // and where it stands on the other's floor
    expect(vertexDistances(a, moved, { scale: 2, lift: -2 }, 1e-3, out)).toEqual({ most: 0, moved: 0 })
  })

  it('are none of a model from itself, at any moment', () => {
    const [a, b] = [new PosedModel(devScene(3)), new PosedModel(devScene(3))]
    for (const model of [a, b]) model.update(0, 0.4)
    for (const [i, mesh] of a.meshes.entries())
      expect(vertexDistances(mesh, b.meshes[i], AS_IT_IS, 1e-6, new Float32Array(mesh.positions.length / 3)).moved).toBe(0)
  })
})

describe('another model', () => {
  const man = { floor: 0, extent: 2 }
  it('stands on the floor of the shown one, from its hips as from its soles, in metres as in hundredths', () => {
    expect(fitted(man, { floor: -1, extent: 2 })).toEqual({ scale: 1, lift: 1 })
    expect(fitted({ floor: -1, extent: 2 }, man)).toEqual({ scale: 1, lift: -1 })
    expect(fitted(man, { floor: -90, extent: 200 })).toEqual({ scale: 0.01, lift: 0.9 })
    expect(fitted(man, { floor: 0, extent: 200 })).toEqual({ scale: 0.01, lift: 0 })
  })

  it('is as it is where the two are nearly of one size and floor: that is what is looked for', () => {
    expect(fitted(man, { floor: -0.1, extent: 2.4 })).toEqual(AS_IT_IS)
  })
})

it('a scale ends at 1, 2 or 5 of a power of ten', () => {
  expect([0.03, 0.05, 1, 1.2, 4.79, 7, 1234].map(roundUp)).toEqual([0.05, 0.05, 1, 2, 5, 10, 2000])
  expect([0, -1, NaN, Infinity].map(roundUp)).toEqual([0, 0, 0, 0])
})
