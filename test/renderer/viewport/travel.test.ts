import { afterEach, describe, expect, it, vi } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { CameraRig } from '../../../src/renderer/viewport/camera-rig.ts'
import { floorUnder } from '../../../src/renderer/viewport/grid.ts'
import { lookedAtAlong, lookedAtAs, type CarriedStand } from '../../../src/renderer/viewport/orbit.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import { travellerOf } from '../../../src/renderer/viewport/travel.ts'
import type { Vec3 } from '../../../src/renderer/viewport/vec.ts'
import type { Clip, Scene, Track } from '../../../src/shared/scene/types.ts'

const figure = { min: [-1, 0, -1] as Vec3, max: [1, 2, 1] as Vec3 }

/** One that looks at a figure, and glides nowhere. */
function camera(): CameraRig {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const rig = new CameraRig(() => {})
  Object.assign(rig, { width: 800, height: 600 })
  rig.show(figure)
  return rig
}
afterEach(() => vi.unstubAllGlobals())

/** The figure with one clip that carries its root over the floor, and lifts it. */
function walking(): Scene {
  const scene = devScene()
  const root = scene.skeleton.parents.findIndex((parent) => parent < 0)
  const like = scene.clips[0].tracks.find(({ target, property }) => target.kind === 'joint' && property === 'rotation')!
  const track: Track = {
    ...like,
    target: { kind: 'joint', index: root },
    property: 'translation',
    interpolation: 'linear',
    mode: 'absolute',
    times: Float32Array.of(0, 10),
    values: Float32Array.of(1, 2, 3, 11, 5, 23),
  }
  const clip: Clip = { ...scene.clips[0], start: 0, end: 10, tracks: [track] }
  return { ...scene, clips: [clip] }
}

describe('a walk', () => {
  const scene = walking()
  const root = scene.skeleton.parents.findIndex((parent) => parent < 0)
  const placeOf = (model: PosedModel, joint: number): number[] => [...model.pose.world.subarray(16 * joint + 12, 16 * joint + 15)]

  it('is carried by the joint nearest to the root', () => {
    expect(travellerOf(scene, scene.clips[0])).toBe(root)
    expect(travellerOf(scene, { ...scene.clips[0], tracks: [] })).toBe(-1)
  })

  it('is told over the floor since its start', () => {
    const model = new PosedModel(scene)
    model.update(0, 5)
    expect(model.travelled.map((x) => Math.round(x * 1e4) / 1e4)).toEqual([5, 10])
    model.update(-1, 0)
    expect(model.travelled).toEqual([0, 0])
  })

  it('in place goes up and down and nowhere else, with all that hangs on it', () => {
    const [there, here] = [new PosedModel(scene), new PosedModel(scene)]
    here.inPlace = true
    for (const time of [0, 5, 10]) {
      there.update(0, time)
      here.update(0, time)
      for (let joint = 0; joint < scene.skeleton.count; joint++) {
        const [a, b] = [placeOf(there, joint), placeOf(here, joint)]
        expect(a[0] - b[0]).toBeCloseTo(time, 4)
        expect(a[1]).toBeCloseTo(b[1], 5)
        expect(a[2] - b[2]).toBeCloseTo(2 * time, 4)
      }
    }
    // what is skinned stays with its bones
    const width = (model: PosedModel): number => model.bounds()!.max[0] - model.bounds()!.min[0]
    expect(width(here)).toBeCloseTo(width(there), 3)
    expect(here.bounds()!.min[0]).toBeCloseTo(there.bounds()!.min[0] - 10, 3)
  })
})

describe('a camera that begins to follow', () => {
  const walked = { min: [39, 0, 79] as Vec3, max: [41, 2, 81] as Vec3 }

  it('goes to a model that is out of the picture, at its own height, and looks as it did', () => {
    const rig = camera()
    const before = rig.orbit
    rig.reach(walked)
    expect(rig.orbit).toEqual({ ...before, target: [40, before.target[1], 80] })
  })

  it('stays where the model is in the picture', () => {
    const rig = camera()
    const before = rig.orbit
    rig.reach({ min: [-0.5, 0, -1], max: [1.5, 2, 1] })
    expect(rig.orbit).toBe(before)
  })
})

describe('a camera beside another one', () => {
  const walked = { min: [-1, 0, 2] as Vec3, max: [1, 2, 4] as Vec3 }
  const standOf = ({ carried, aims }: CameraRig): CarriedStand => ({ floor: 0, extent: 2, carried, aims })

  it('looks at a model that stands where the first one walks away, and is turned to that there', () => {
    const [first, other] = [camera(), camera()]
    const before = other.orbit
    first.follow([0, 3], false)
    other.set(lookedAtAs(first.orbit, standOf(first), standOf(other)))
    // a camera that stays looks at nobody else than before
    expect(other.orbit).toEqual(before)
    first.turn(1, 0)
    other.set(lookedAtAs(first.orbit, standOf(first), standOf(other)))
    expect(other.orbit).toEqual(first.orbit)
    const { aims } = first
    first.frame(walked)
    expect(first.aims).toBe(aims + 1)
    other.aim()
    other.set(lookedAtAs(first.orbit, standOf(first), standOf(other)))
    expect(first.orbit.target[2]).toBeGreaterThan(2)
    expect(Math.abs(other.orbit.target[2])).toBeLessThan(1)
    // and back to the first from there
    first.set(lookedAtAs(other.orbit, standOf(other), standOf(first)))
    expect(first.orbit.target[2]).toBeGreaterThan(2)
  })

  it('is told of the way that the first one goes along', () => {
    const first = camera()
    first.follow([0, 0], true)
    first.follow([0, 3], true)
    expect(first.carried).toEqual([0, 3])
    first.follow([0, 5], false)
    expect(first.carried).toEqual([0, 3])
    // it begins to go along where the model is in the picture still
    first.follow([0, 5], true)
    first.follow([0, 6], true)
    expect(first.carried).toEqual([0, 4])
  })

  it('knows of a place that was left whether the model is there', () => {
    const [here, gone] = [camera(), camera()]
    here.follow([0, 3], false)
    here.show(walked, { ...here.orbit, target: [0, 1, 3] })
    expect(here.carried).toEqual([0, 3])
    gone.follow([0, 90], false)
    gone.show({ min: [-1, 0, 89], max: [1, 2, 91] }, { ...gone.orbit, yaw: 1.5, target: [0, 1, 0] })
    expect(gone.carried).toEqual([0, 0])
  })

  it('looks at the same model by its own way where that is in its place', () => {
    const orbit = { ...camera().orbit, target: [1, 2, 3] as Vec3 }
    expect(lookedAtAlong(orbit, [1, 2], [0, 0])).toEqual({ ...orbit, target: [0, 2, 1] })
  })
})

describe('the floor', () => {
  it('is under the lowest point, and the own one of a model that stands on it', () => {
    expect(floorUnder({ min: [-1, -3, -1], max: [1, 1, 1] })).toBe(-3)
    expect(floorUnder({ min: [-1, 4, -1], max: [1, 6, 1] })).toBe(4)
    expect(floorUnder({ min: [-1, 0.001, -1], max: [1, 2, 1] })).toBe(0)
  })
})
