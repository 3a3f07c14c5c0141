import fc from 'fast-check'
import { mat4, vec3 } from 'gl-matrix'
import { describe, expect, it } from 'vitest'
import { invertAffine } from '../../../src/shared/scene/matrix.ts'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { packInfluences, skinMesh } from '../../../src/shared/scene/skinning.ts'
import type { Pose } from '../../../src/shared/scene/pose.ts'
import type { Mesh, Scene, Skin } from '../../../src/shared/scene/types.ts'
import { clip, mesh, sceneOf, skin, track } from './fixtures.ts'

const H = Math.SQRT1_2

function inverseBindOf(scene: Scene, joints: number[]): Float32Array {
  const pose = createPose(scene)
  const out = new Float32Array(16 * joints.length)
  joints.forEach((j, i) => invertAffine(out, 16 * i, pose.world, 16 * j))
  return out
}

function run(m: Mesh, s: Skin, pose: Pick<Pose, 'world'>, owner?: Float32Array): { positions: Float32Array; normals: Float32Array } {
  const positions = new Float32Array(m.positions.length)
  const normals = new Float32Array(m.normals.length)
  skinMesh(m, s, pose, positions, normals, new Float32Array(16 * s.joints.length), owner)
  return { positions, normals }
}

const chain = () =>
  sceneOf([
    { name: 'a', parent: -1, t: [0, 1, 0] },
    { name: 'b', parent: 0, t: [0, 2, 0], q: [0, 0, H, H] },
    { name: 'c', parent: 1, t: [1, 0, 0], s: [2, 1, 0.5] },
  ])

describe('skinMesh', () => {
  it('leaves the mesh as it was at bind', () => {
    const scene = chain()
    const m = mesh([0, 1, 0, 1, 2, 3, -1, 4, 2], { normals: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) })
    const s = skin([0, 1, 2], inverseBindOf(scene, [0, 1, 2]), [
      [[0, 1]],
      [
        [1, 0.25],
        [2, 0.75],
      ],
      [],
    ])
    const out = run(m, s, createPose(scene))
    out.positions.forEach((x, i) => expect(x).toBeCloseTo(m.positions[i], 5))
    out.normals.forEach((x, i) => expect(x).toBeCloseTo(m.normals[i], 5))
  })

  it('agrees with a plain sum over influences for any weights, as many as there are', () => {
    const scene = chain()
    const joints = [2, 0, 1]
    const inverseBind = inverseBindOf(scene, joints)
    const number = fc.double({ min: -10, max: 10, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            p: fc.tuple(number, number, number),
            influences: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.double({ min: 0.01, max: 1, noNaN: true })), {
              minLength: 1,
              maxLength: 9,
            }),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (vertices, time) => {
          const m = mesh(vertices.flatMap((v) => v.p))
          const rows = packInfluences(vertices.length, (v, push) => vertices[v].influences.forEach(([slot, w]) => push(slot, w)))
          const s: Skin = { ...skin(joints, inverseBind, []), ...rows }
          const pose = createPose(scene)
          sampleClip(
            scene,
            clip([track(0, 'rotation', [0, 10], [0, 0, 0, 1, H, 0, 0, H]), track(1, 'translation', [0, 10], [0, 2, 0, 3, 3, 3])]),
            time,
            pose,
          )
          const { positions } = run(m, s, pose)
          vertices.forEach((vertex, v) => {
            const total = vertex.influences.reduce((sum, [, w]) => sum + w, 0)
            const sum = [0, 0, 0]
            for (const [slot, w] of vertex.influences) {
              const world = pose.world.subarray(16 * joints[slot], 16 * joints[slot] + 16) as unknown as mat4
              const bone = mat4.multiply(mat4.create(), world, inverseBind.subarray(16 * slot, 16 * slot + 16) as unknown as mat4)
              const q = vec3.transformMat4(vec3.create(), vertex.p, bone)
              for (let c = 0; c < 3; c++) sum[c] += (w / total) * q[c]
            }
            for (let c = 0; c < 3; c++) expect(Math.abs(positions[3 * v + c] - sum[c])).toBeLessThan(1e-3)
          })
        },
      ),
    )
  })

  it('moves a vertex without influences with the owner', () => {
    const m = mesh([1, 2, 3], { normals: Float32Array.of(0, 0, 1) })
    const s = skin([], new Float32Array(0), [[]])
    const owner = Float32Array.of(0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 10, 20, 30, 1)
    const out = run(m, s, { world: new Float32Array(0) }, owner)
    expect([...out.positions]).toEqual([13, 22, 29])
    expect([...out.normals]).toEqual([1, 0, 0])
  })

  it('keeps normals of unit length, and zero normals zero', () => {
    const scene = chain()
    const m = mesh([0, 0, 0, 0, 0, 0], { normals: Float32Array.of(0, 0.6, 0.8, 0, 0, 0) })
    const s = skin([2], inverseBindOf(scene, [0]), [[[0, 1]], [[0, 1]]])
    const { normals } = run(m, s, createPose(scene))
    expect(Math.hypot(normals[0], normals[1], normals[2])).toBeCloseTo(1, 5)
    expect([...normals.subarray(3)]).toEqual([0, 0, 0])
  })
})

describe('packInfluences', () => {
  it('drops what is no weight and makes the rest sum to one', () => {
    const lists: [number, number][][] = [
      [
        [0, 60],
        [1, 40],
      ],
      [],
      [
        [2, 0],
        [3, -5],
        [4, NaN],
        [5, Infinity],
        [6, 3],
      ],
      [[1, 0.3]],
    ]
    const out = packInfluences(lists.length, (v, push) => lists[v].forEach(([slot, w]) => push(slot, w)))
    expect([...out.offsets]).toEqual([0, 2, 2, 3, 4])
    expect([...out.slots]).toEqual([0, 1, 6, 1])
    expect(out.weights[0]).toBeCloseTo(0.6)
    expect(out.weights[1]).toBeCloseTo(0.4)
    expect([...out.weights.subarray(2)]).toEqual([1, 1])
  })

  it('grows past four per vertex', () => {
    const out = packInfluences(3, (_, push) => {
      for (let i = 0; i < 50; i++) push(i, 1)
    })
    expect([...out.offsets]).toEqual([0, 50, 100, 150])
    expect(out.slots[149]).toBe(49)
    expect(out.weights.reduce((a, b) => a + b, 0)).toBeCloseTo(3, 4)
  })

  it('takes weights too large to add up as floats', () => {
    const out = packInfluences(1, (_, push) => {
      push(0, 3e38)
      push(1, 3e38)
      push(2, 1e300)
    })
    expect([...out.slots]).toEqual([0, 1])
    expect([...out.weights]).toEqual([0.5, 0.5])
  })
})
