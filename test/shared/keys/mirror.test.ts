import { describe, expect, it } from 'vitest'
import { localPose } from '../../../src/shared/keys/local-pose.ts'
import { mirrorPoses, mirrorTimes, sidesByPlace, sidesOf } from '../../../src/shared/keys/mirror.ts'
import { angleBetween } from '../../../src/shared/keys/value.ts'
import { compose } from '../../../src/shared/scene/matrix.ts'
import { buildSkeleton, createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { emptyScene, type Clip, type Scene, type Track } from '../../../src/shared/scene/types.ts'

const source = { ref: 'a', path: '' }
const turn = (axis: 'x' | 'y' | 'z', degrees: number): number[] => {
  const q = [0, 0, 0, Math.cos((degrees * Math.PI) / 360)]
  q['xyz'.indexOf(axis)] = Math.sin((degrees * Math.PI) / 360)
  return q
}

/** Hips, two arms (whose own axes are turned differently) with hands, a sword in the right hand. */
function figure(): { scene: Scene; clip: Clip } {
  const names = ['hips', 'arm_l', 'hand_l', 'arm_r', 'hand_r', 'sword']
  const parents = [-1, 0, 1, 0, 3, 4]
  const places = [
    [0, 10, 0],
    [3, 5, 0],
    [4, 0, 0],
    [-3, 5, 0],
    [-4, 0, 0],
    [0, 0, 2],
  ]
  const rests = [turn('x', 0), turn('x', 0), turn('x', 0), turn('y', 180), turn('x', 0), turn('z', 30)]
  // the right arm is turned about: its hand stands the other way along its own x
  places[4] = [4, 0, 0]
  const locals = new Float32Array(16 * names.length)
  names.forEach((_, j) => compose(locals, 16 * j, places[j], 0, rests[j], 0, [1, 1, 1], 0))
  const { skeleton } = buildSkeleton(names, parents, locals, () => source)
  const scene: Scene = { ...emptyScene('figure'), skeleton }
  const rotation = (joint: number, q: number[]): Track => ({
    target: { kind: 'joint', index: joint },
    property: 'rotation',
    interpolation: 'slerp',
    mode: 'absolute',
    times: Float32Array.of(0, 10),
    values: Float32Array.from([...rests[joint], ...q]),
    label: '',
    source,
  })
  const clip: Clip = {
    name: 'c',
    tracks: [
      rotation(0, turn('y', 20)),
      rotation(1, turn('z', 40)),
      rotation(2, turn('y', 25)),
      rotation(3, turn('y', 180)),
      rotation(4, turn('x', 10)),
      rotation(5, turn('z', 80)),
    ],
    start: 0,
    end: 10,
    rate: 30,
    unit: 'frame',
    loop: 'wrap',
    fit: { matched: 6, total: 6 },
    events: [],
    source,
  }
  scene.clips = [clip]
  return { scene, clip }
}

/** The clip with the poses instead, at one time. */
function posed(clip: Clip, poses: ReturnType<typeof mirrorPoses>): Clip {
  const tracks = clip.tracks.map((t) => {
    const pose = poses.find((p) => p.joint === t.target.index)
    return pose ? { ...t, times: Float32Array.from(pose.times), values: pose.rotation! } : t
  })
  return { ...clip, tracks }
}

describe('mirroring', () => {
  it('finds the other sides by names, and by given pairs before those', () => {
    expect([...sidesOf(['hips', 'arm_l', 'arm_r', 'head'])]).toEqual([0, 2, 1, 3])
    expect([...sidesOf(['brazo izq', 'brazo der', 'x'], [['izq', 'der']])]).toEqual([1, 0, 2])
    expect([...sidesOf(['a_l', 'a_r', 'a_k'], [['_l', '_k']])]).toEqual([2, 1, 0])
  })

  it('stands as the mirror image, whatever the axes of the bones are', () => {
    const { scene, clip } = figure()
    const sides = sidesOf(scene.skeleton.names)
    const poses = mirrorPoses(scene, clip, new Map([0, 1, 2, 3, 4].map((j) => [j, [10]])), sides)
    const before = createPose(scene),
      after = createPose(scene)
    sampleClip(scene, clip, 10, before)
    sampleClip(scene, posed(clip, poses), 10, after)
    for (const j of [0, 1, 2, 3, 4]) {
      const c = sides[j]
      expect(after.world[16 * j + 12]).toBeCloseTo(-before.world[16 * c + 12], 4)
      expect(after.world[16 * j + 13]).toBeCloseTo(before.world[16 * c + 13], 4)
      expect(after.world[16 * j + 14]).toBeCloseTo(before.world[16 * c + 14], 4)
    }
    expect(poses.every((p) => p.translation === undefined)).toBe(true)
  })

  it('writes over the keys that the other side has between its own: one that stayed would be of the movement before', () => {
    const { scene } = figure()
    const sides = sidesOf(scene.skeleton.names)
    const keyed: Record<number, number[]> = { 1: [0, 4, 10], 3: [-2, 0, 3, 7, 10, 12] }
    const times = (wanted: [number, number[]][]) =>
      [...mirrorTimes(new Map(wanted.map(([j, t]) => [j, new Set(t)])), (j) => keyed[j] ?? [], sides)].map(([j, t]) => [j, [...t]])
    // one side alone: what the other has outside of that time stays
    expect(times([[1, [0, 4, 10]]])).toEqual([[1, [0, 3, 4, 7, 10]]])
    expect(times([[1, [4]]])).toEqual([[1, [4]]])
    expect(
      times([
        [1, [0, 4]],
        [3, [-2, 12]],
      ]),
    ).toEqual([
      [1, [-2, 0, 3, 4, 12]],
      [3, [-2, 0, 4, 10, 12]],
    ])
    expect(times([[0, [5]]])).toEqual([[0, [5]]])
  })

  it('pairs bones without a side in their names by where they rest, under one bone or under both sides of one', () => {
    const names = ['root', 'arm_l', 'arm_r', 'cape1', 'cape2', 'cape3', 'prop9', 'prop4', 'sheath', 'tie1', 'tie2', 'tie3']
    const parents = [-1, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0]
    const places = [
      [0, 0, 0],
      [5, 0, 0],
      [-5, 0, 0],
      [3, 1, -4],
      [0, 1, -4],
      [-3.05, 1.02, -4],
      [4, 0, 1],
      [-4, 0, 1],
      [2, -3, 0],
      [1, 8, 0],
      [-1, 8, 0],
      [-1, 8.05, 0],
    ]
    const locals = new Float32Array(16 * names.length)
    names.forEach((_, j) => compose(locals, 16 * j, places[j], 0, [0, 0, 0, 1], 0, [1, 1, 1], 0))
    const scene: Scene = { ...emptyScene('cape'), skeleton: buildSkeleton(names, parents, locals, () => source).skeleton }
    const named = sidesOf(names)
    expect([...sidesByPlace(scene, named)]).toEqual([0, 2, 1, 5, 4, 3, 7, 6, 8, 10, 9, 11])
    // the names' pairs are asked first and stay
    expect([...named]).toEqual([0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('leaves a sword in its hand', () => {
    const { scene, clip } = figure()
    const sides = sidesOf(scene.skeleton.names)
    const poses = mirrorPoses(
      scene,
      clip,
      new Map([
        [4, [10]],
        [5, [10]],
      ]),
      sides,
    )
    expect(poses.map((p) => p.joint)).toEqual([2])
  })

  it('reads a joint as its clip has it, changes to rest included', () => {
    const { scene, clip } = figure()
    const out = new Float32Array(10)
    localPose(scene, clip, 1, 5, out)
    expect(angleBetween(out, 3, turn('z', 20), 0)).toBeLessThan(0.01)
    const delta: Clip = {
      ...clip,
      tracks: [{ ...clip.tracks[5], mode: 'delta', values: Float32Array.from([...turn('z', 0), ...turn('z', 20)]) }],
    }
    localPose(scene, delta, 5, 10, out)
    // rest is 30 degrees, 20 more on top
    expect(angleBetween(out, 3, turn('z', 50), 0)).toBeLessThan(0.01)
    expect([...out.subarray(0, 3)]).toEqual([0, 0, 2])
  })
})
