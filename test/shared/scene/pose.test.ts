import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose, multiply } from '../../../src/shared/scene/matrix.ts'
import {
  buildSkeleton,
  createPose,
  keyBefore,
  poseRest,
  sampleJoint,
  sampleClip,
  sampleTrack,
  trackWidth,
  updateWorld,
} from '../../../src/shared/scene/pose.ts'
import { plainMaterial } from '../../../src/shared/scene/types.ts'
import { clip, mesh, sceneOf, source, track } from './fixtures.ts'

const H = Math.SQRT1_2

const at = (matrices: Float32Array, joint: number): number[] => [...matrices.subarray(16 * joint + 12, 16 * joint + 15)]
function value(
  t: ReturnType<typeof track>,
  time: number,
  c: Parameters<typeof sampleTrack>[1] = { loop: 'wrap', start: 0, end: 10 },
): number[] | false {
  const out = new Array<number>(trackWidth(t)).fill(NaN)
  return sampleTrack(t, c, time, out) && out
}

describe('keyBefore', () => {
  it('finds the last key at or before a time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (list, time) => {
        const times = list.sort((a, b) => a - b)
        expect(keyBefore(times, time)).toBe(times.findLastIndex((t) => t <= time))
      }),
    )
  })
})

describe('sampleTrack', () => {
  const t = track(0, 'translation', [2, 4, 8], [0, 0, 0, 10, 20, 30, 50, 60, 70])

  it('is exact on keys, linear between them, and holds outside', () => {
    expect(value(t, 2)).toEqual([0, 0, 0])
    expect(value(t, 4)).toEqual([10, 20, 30])
    expect(value(t, 3)).toEqual([5, 10, 15])
    expect(value(t, 5)).toEqual([20, 30, 40])
    expect(value(t, -100)).toEqual([0, 0, 0])
    expect(value(t, 100)).toEqual([50, 60, 70])
  })

  it('treats a time that is no number as the start', () => {
    expect(value(t, NaN)).toEqual([0, 0, 0])
  })

  it('has nothing to say without keys', () => {
    expect(value(track(0, 'translation', [], []), 3)).toBe(false)
  })

  it('holds a single key everywhere', () => {
    const single = track(0, 'scale', [5], [1, 2, 3])
    for (const time of [-1, 5, 9]) expect(value(single, time)).toEqual([1, 2, 3])
  })

  it('takes the last of several keys at one time', () => {
    const twice = track(0, 'translation', [0, 4, 4, 8], [0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4])
    expect(value(twice, 4)).toEqual([2, 2, 2])
    expect(value(twice, 2)).toEqual([0.5, 0.5, 0.5])
    expect(value(twice, 6)).toEqual([3, 3, 3])
  })

  it('steps where the track steps or the next key is jumped to', () => {
    expect(value({ ...t, interpolation: 'step' }, 3.99)).toEqual([0, 0, 0])
    const jump = { ...t, stepInto: Uint8Array.of(0, 1, 0) }
    expect(value(jump, 3.99)).toEqual([0, 0, 0])
    expect(value(jump, 6)).toEqual([30, 40, 50])
  })

  it('says nothing outside its keys when it is absent there', () => {
    const absent = { ...t, outside: 'rest' as const }
    expect(value(absent, 1.5)).toBe(false)
    expect(value(absent, 8)).toEqual([50, 60, 70])
    expect(value(absent, 8.5)).toBe(false)
  })

  it('blends a delta to rest over one frame beside its keys, since W3D blends whole frames', () => {
    const delta = track(0, 'translation', [2, 4], [10, 0, 0, 20, 0, 0], { mode: 'delta', outside: 'rest' })
    expect(value(delta, 1)).toBe(false)
    expect(value(delta, 1.25)).toEqual([2.5, 0, 0])
    expect(value(delta, 4.5)).toEqual([10, 0, 0])
    expect(value(delta, 5)).toBe(false)
    const turn = track(0, 'rotation', [2], [0, 0, 1, 0], { mode: 'delta', outside: 'rest' })
    const half = value(turn, 1.5) as number[]
    expect(half[2]).toBeCloseTo(H)
    expect(half[3]).toBeCloseTo(H)
  })

  it('blends the last frame towards the first where the game does', () => {
    const loop = track(0, 'translation', [0, 10], [4, 0, 0, 8, 0, 0])
    expect(value(loop, 10.25, { loop: 'blend', start: 0, end: 10 })).toEqual([7, 0, 0])
    expect(value(loop, 11, { loop: 'blend', start: 0, end: 10 })).toEqual([4, 0, 0])
    expect(value(loop, 10.25, { loop: 'wrap', start: 0, end: 10 })).toEqual([8, 0, 0])
    const absent = { ...loop, outside: 'rest' as const, mode: 'delta' as const }
    expect(value(absent, 10.25, { loop: 'blend', start: 0, end: 10 })).toEqual([7, 0, 0])
  })

  it('normalises rotations, on keys and between', () => {
    const long = track(0, 'rotation', [0, 10], [0, 0, 0, 2, 0, 0, 3, 0])
    expect(value(long, 0)).toEqual([0, 0, 0, 1])
    const mid = value(long, 5) as number[]
    expect(mid[2]).toBeCloseTo(H)
    expect(mid[3]).toBeCloseTo(H)
    expect(value(track(0, 'rotation', [0], [0, 0, 0, 0]), 0)).toEqual([0, 0, 0, 1])
  })

  it('stays between its neighbours', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 12 }).map((a) => a.sort((x, y) => x - y)),
        fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 12, maxLength: 12 }),
        fc.double({ min: -5, max: 60, noNaN: true }),
        (times, values, time) => {
          const v = value(track(0, 'opacity', times, values.slice(0, times.length)), time, { loop: 'none', start: 0, end: 50 }) as number[]
          const k = Math.max(
            0,
            times.findLastIndex((x) => x <= time),
          )
          const a = values[k],
            b = values[Math.min(k + 1, times.length - 1)]
          expect(v[0]).toBeGreaterThanOrEqual(Math.min(a, b) - 1e-4)
          expect(v[0]).toBeLessThanOrEqual(Math.max(a, b) + 1e-4)
        },
      ),
    )
  })

  it('knows how many values a key has, unknown types too', () => {
    expect(trackWidth(track(0, 'rotation', [0], [0, 0, 0, 1]))).toBe(4)
    expect(trackWidth(track(0, 'unknown', [0, 1], [1, 2, 3, 4, 5, 6]))).toBe(3)
    expect(trackWidth(track(0, 'unknown', [], []))).toBe(1)
  })
})

describe('sampleClip', () => {
  const arm = () =>
    sceneOf([
      { name: 'root', parent: -1, t: [1, 0, 0] },
      { name: 'arm', parent: 0, t: [0, 2, 0], s: [1.5, 1.5, 1.5] },
      { name: 'hand', parent: 1, t: [0, 1, 0] },
    ])

  it('rests where nothing moves', () => {
    const scene = arm()
    const pose = createPose(scene)
    expect(at(pose.world, 2)).toEqual([1, 3.5, 0])
    sampleClip(scene, clip([]), 3, pose)
    expect(at(pose.world, 2)).toEqual([1, 3.5, 0])
    expect(pose.local).toEqual(scene.skeleton.restLocal)
  })

  it('replaces one part of a joint and keeps the others: a rotation keeps bind scale and place', () => {
    const scene = arm()
    const pose = createPose(scene)
    sampleClip(scene, clip([track(1, 'rotation', [0], [0, 0, H, H])]), 0, pose)
    const hand = at(pose.world, 2)
    expect(hand[0]).toBeCloseTo(1 - 1.5)
    expect(hand[1]).toBeCloseTo(2)
  })

  it('applies deltas after the whole rest transform, translation before rotation, in any order of tracks', () => {
    const scene = sceneOf([
      { name: 'root', parent: -1 },
      { name: 'arm', parent: 0, t: [5, 0, 0], q: [0, 0, H, H] },
      { name: 'hand', parent: 1, t: [1, 0, 0] },
    ])
    const tracks = [track(1, 'translation', [0], [3, 0, 0], { mode: 'delta' }), track(1, 'rotation', [0], [0, 0, H, H], { mode: 'delta' })]
    for (const list of [tracks, [...tracks].reverse()]) {
      const pose = createPose(scene)
      sampleClip(scene, clip(list), 0, pose)
      // rest turns +x to +y: the delta of 3 goes up, and the hand, turned twice, points back
      expect(at(pose.world, 1)[0]).toBeCloseTo(5)
      expect(at(pose.world, 1)[1]).toBeCloseTo(3)
      expect(at(pose.world, 2)[0]).toBeCloseTo(4)
      expect(at(pose.world, 2)[1]).toBeCloseTo(3)
    }
  })

  it('leaves no trace of the clip before', () => {
    const scene = arm()
    scene.meshes.push(mesh([0, 0, 0]), mesh([0, 0, 0], { visible: false }))
    scene.materials.push(plainMaterial('m', source))
    const pose = createPose(scene)
    sampleClip(
      scene,
      clip([
        track(1, 'translation', [0], [9, 9, 9], { mode: 'delta' }),
        track(0, 'visibility', [0], [0]),
        track(0, 'visibility', [0], [0], { target: { kind: 'mesh', index: 0 } }),
        track(0, 'visibility', [0], [1], { target: { kind: 'mesh', index: 1 } }),
        track(0, 'opacity', [0], [0.25], { target: { kind: 'material', index: 0 } }),
        track(0, 'color', [0], [1, 0, 0.5], { target: { kind: 'material', index: 0 } }),
        track(0, 'vertex', [0], [1, 2, 3], { target: { kind: 'mesh', index: 0 }, vertex: 0 }),
      ]),
      0,
      pose,
    )
    expect([...pose.visible]).toEqual([0, 1, 1])
    expect([...pose.meshVisible]).toEqual([0, 1])
    expect(pose.materialOpacity[0]).toBe(0.25)
    expect([...pose.materialColor]).toEqual([1, 0, 0.5])
    expect(pose.materialColored[0]).toBe(1)
    expect(pose.vertices).toEqual([{ mesh: 0, vertex: 0, x: 1, y: 2, z: 3 }])
    const fresh = createPose(scene)
    poseRest(scene, pose)
    expect(pose.world).toEqual(fresh.world)
    expect(pose.visible).toEqual(fresh.visible)
    expect([...pose.meshVisible]).toEqual([1, 0])
    expect(pose.materialOpacity).toEqual(fresh.materialOpacity)
    expect(pose.materialColored[0]).toBe(0)
    expect(pose.vertices).toEqual([])
  })

  it('keeps opacity between 0 and 1 and steps visibility at a half', () => {
    const scene = arm()
    scene.materials.push(plainMaterial('m', source))
    const pose = createPose(scene)
    for (const [v, expected] of [
      [-3, 0],
      [0.5, 0.5],
      [7, 1],
    ]) {
      sampleClip(scene, clip([track(0, 'opacity', [0], [v], { target: { kind: 'material', index: 0 } })]), 0, pose)
      expect(pose.materialOpacity[0]).toBe(expected)
    }
    sampleClip(scene, clip([track(2, 'visibility', [0, 5], [1, 0])]), 4.99, pose)
    expect(pose.visible[2]).toBe(1)
    sampleClip(scene, clip([track(2, 'visibility', [0, 5], [1, 0])]), 5, pose)
    expect(pose.visible[2]).toBe(0)
  })

  it('passes over targets that are not there and properties that are only shown', () => {
    const scene = arm()
    const pose = createPose(scene)
    const rest = pose.world.slice()
    const wide = new Array<number>(200).fill(5)
    sampleClip(
      scene,
      clip([
        track(99, 'translation', [0], [9, 9, 9]),
        track(-1, 'rotation', [0], [1, 0, 0, 0]),
        track(7, 'opacity', [0], [0], { target: { kind: 'material', index: 7 } }),
        track(7, 'vertex', [0], [0, 0, 0], { target: { kind: 'mesh', index: 7 }, vertex: 1 }),
        track(0, 'unknown', [0], wide),
        track(0, 'camera', [0], [45]),
      ]),
      0,
      pose,
    )
    expect(pose.world).toEqual(rest)
  })
})

describe('updateWorld', () => {
  it('multiplies down the tree', () => {
    const scene = sceneOf([
      { name: 'a', parent: -1, t: [1, 0, 0], q: [0, H, 0, H] },
      { name: 'b', parent: 0, t: [0, 0, 2] },
      { name: 'c', parent: -1, t: [7, 7, 7] },
    ])
    const world = new Float32Array(48)
    updateWorld(scene.skeleton, scene.skeleton.restLocal, world)
    const expected = new Float32Array(16)
    multiply(expected, 0, scene.skeleton.restLocal, 0, scene.skeleton.restLocal, 16)
    expect(world.subarray(16, 32)).toEqual(expected)
    expect(at(world, 1)[0]).toBeCloseTo(3)
    expect(at(world, 2)).toEqual([7, 7, 7])
  })
})

describe('buildSkeleton', () => {
  const local = (n: number): Float32Array => {
    const m = new Float32Array(16 * n)
    for (let i = 0; i < n; i++) m.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i, 0, 0, 1], 16 * i)
    return m
  }
  const build = (parents: number[]) =>
    buildSkeleton(
      parents.map((_, i) => `n${i}`),
      parents,
      local(parents.length),
      (i) => ({ ref: 'f', path: `nodes[${i}]` }),
    )

  it('keeps the order of a file that has parents first', () => {
    const { skeleton, jointOf } = build([-1, 0, 0, 1])
    expect([...skeleton.nativeIndex]).toEqual([0, 1, 2, 3])
    expect([...jointOf]).toEqual([0, 1, 2, 3])
    expect([...skeleton.parents]).toEqual([-1, 0, 0, 1])
  })

  it('puts parents first and carries names, matrices and sources along', () => {
    const { skeleton, jointOf } = build([2, 0, -1])
    expect(skeleton.names).toEqual(['n2', 'n0', 'n1'])
    expect([...skeleton.parents]).toEqual([-1, 0, 1])
    expect([...jointOf]).toEqual([1, 2, 0])
    expect(skeleton.restTranslation[0]).toBe(2)
    expect(skeleton.restLocal[12]).toBe(2)
    expect(skeleton.sources[0].path).toBe('nodes[2]')
  })

  it('makes a root of a parent that is out of range, itself, or missing', () => {
    expect([...build([5, 1, -7]).skeleton.parents]).toEqual([-1, -1, -1])
    const { skeleton } = buildSkeleton(['a', 'b'], [-1], local(2), () => source)
    expect([...skeleton.parents]).toEqual([-1, -1])
  })

  it('holds for any parents, cycles included: every joint once, parents before children', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }).chain((n) => fc.array(fc.integer({ min: -2, max: n + 1 }), { minLength: n, maxLength: n })),
        (parents) => {
          const { skeleton, jointOf } = build(parents)
          expect([...skeleton.nativeIndex].sort((a, b) => a - b)).toEqual(parents.map((_, i) => i))
          let roots = 0
          for (let j = 0; j < skeleton.count; j++) {
            const p = skeleton.parents[j]
            expect(p).toBeLessThan(j)
            if (p < 0) roots++
            else expect(skeleton.nativeIndex[p]).toBe(parents[skeleton.nativeIndex[j]])
            expect(jointOf[skeleton.nativeIndex[j]]).toBe(j)
          }
          // a cut is made only where there is a cycle or a bad parent: one per cycle
          const bad = parents.filter((p, i) => p < 0 || p >= parents.length || p === i).length
          expect(roots).toBeGreaterThanOrEqual(bad)
          expect(roots - bad).toBe(cycles(parents))
        },
      ),
    )
  })

  it('takes a chain of 100000 joints without recursion', () => {
    const n = 100_000
    const parents = Int32Array.from({ length: n }, (_, i) => (i + 1 < n ? i + 1 : -1))
    const { skeleton } = buildSkeleton(new Array<string>(n).fill(''), parents, new Float32Array(16 * n), () => source)
    expect(skeleton.nativeIndex[0]).toBe(n - 1)
    expect(skeleton.parents[n - 1]).toBe(n - 2)
  })
})

/** Cycles of more than one node, counted the plain way. */
function cycles(parents: number[]): number {
  const seen = new Set<number>()
  let count = 0
  for (let i = 0; i < parents.length; i++) {
    const path = new Set<number>()
    let j = i
    while (j >= 0 && j < parents.length && parents[j] !== j && !seen.has(j) && !path.has(j)) {
      path.add(j)
      j = parents[j]
    }
    if (path.has(j)) count++
    path.forEach((k) => seen.add(k))
  }
  return count
}

describe('sampleJoint', () => {
  it('is what the whole pose has of one joint, of absolute and delta tracks alike', () => {
    const scene = sceneOf([
      { name: 'root', parent: -1, t: [1, 2, 3] },
      { name: 'arm', parent: 0, t: [0, 4, 0], q: [0, 0, H, H], s: [1, 2, 1] },
    ])
    const moving = clip([
      track(0, 'translation', [0, 10], [0, 0, 0, 50, 0, 0]),
      track(1, 'translation', [0, 10], [0, 0, 0, 10, 0, 0], { mode: 'delta' }),
      track(1, 'scale', [0, 10], [1, 2, 1, 3, 2, 1]),
    ])
    const pose = createPose(scene)
    sampleClip(scene, moving, 5, pose)
    for (const joint of [0, 1]) {
      const { translation, rotation, scale } = sampleJoint(scene, moving, 5, joint)
      const local = new Float32Array(16)
      compose(local, 0, translation, 0, rotation, 0, scale, 0)
      local.forEach((value, i) => expect(value).toBeCloseTo(pose.local[16 * joint + i], 5))
    }
    expect([...sampleJoint(scene, moving, 5, 0).translation]).toEqual([25, 0, 0])
  })
})
