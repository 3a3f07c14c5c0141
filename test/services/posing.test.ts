/** A figure posed by its chains: every family shows it afterwards at the frame, and keeps every other key as it was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NativeTrack, PoseKeys } from '../../src/shared/api/types/clips.ts'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import { sidesByPlace, sidesOf } from '../../src/shared/keys/mirror.ts'
import { angleBetween } from '../../src/shared/keys/value.ts'
import {
  jointsOf,
  keysOfPose,
  mirroredJoints,
  mirroredPose,
  neighbours,
  poseBetween,
  poseOf,
  poseTowards,
  restPose,
  wholePose,
} from '../../src/shared/keys/whole-pose.ts'
import { holdOver } from '../../src/shared/motion/hold.ts'
import { changedJoints, pinAt, solvePose } from '../../src/shared/motion/posing.ts'
import { momentOf, readMoment, rigOf } from '../../src/shared/motion/rig.ts'
import { lengthOf, minus, plus, vectorAt } from '../../src/shared/motion/turns.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import type { Limb } from '../../src/shared/motion/body.ts'
import type { PosedMoment, PosingRig } from '../../src/shared/motion/rig.ts'
import { modelRows, openPosable, plainClip, scannedSample, serviceBenches } from '../support/service-bench.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench
let rows: LibraryRow[] = []
let library = ''

beforeAll(async () => {
  library = await scannedSample(bench)
  rows = await modelRows(call, library)
})

function momentAt(rig: PosingRig, { scene }: OpenedModel, clip: number, time: number): PosedMoment {
  const pose = createPose(scene)
  sampleClip(scene, scene.clips[clip], time, pose)
  const out = momentOf(rig)
  readMoment(rig, pose.local, out)
  return out
}

function posesOf(rig: PosingRig, from: PosedMoment, to: PosedMoment, time: number): PoseKeys[] {
  const { turned, moved } = changedJoints(rig, from, to)
  return [...new Set([...turned, ...moved])].map((joint) => ({
    joint,
    times: Float64Array.of(time),
    ...(turned.includes(joint) && { rotation: Float32Array.from(to.parts.rotation.subarray(4 * joint, 4 * joint + 4)) }),
    ...(moved.includes(joint) && { translation: Float32Array.from(to.parts.translation.subarray(3 * joint, 3 * joint + 3)) }),
  }))
}

/** A walker may have legs of two joints. */
const endOf = ({ end, lower }: Limb): number => (end >= 0 ? end : lower)

/** Bits of each key by its track and time. */
function bitsOf(tracks: readonly NativeTrack[], but: number): Map<string, string> {
  const out = new Map<string, string>()
  for (const { id, times, values, components } of tracks)
    times.forEach((time, k) => {
      if (Math.abs(time - but) > 1e-6)
        out.set(`${id} ${time}`, Buffer.from(values.slice(k * components.length, (k + 1) * components.length).buffer).toString('hex'))
    })
  return out
}

it('says of a coding whose other frames change with a key that they do, and of no other', async () => {
  const model = await openPosable(call, library, rows, 'w3d')
  const { id } = model.info
  const codings = new Set<boolean>()
  let spread = 0
  for (const clip of model.scene.clips.keys()) {
    const tracks = await call('clips.tracks', { model: id, clip })
    const turned = tracks.filter((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 3 && !t.limits.readOnly)
    for (const { id: track, joint, times, limits } of turned) {
      codings.add(limits.spreads === true)
      const time = times[Math.floor(times.length / 2)]
      const poses = [{ joint, times: Float64Array.of(time), rotation: Float32Array.of(0.6, 0, 0, 0.8) }]
      await call('clips.pose', { model: id, clip, label: 'Turn', poses })
      const now = await call('clips.tracks', { model: id, clip })
      const others = (list: readonly NativeTrack[]): Map<string, string> =>
        bitsOf(limits.spreads ? list.filter((t) => t.id !== track) : list, time)
      expect(others(now)).toEqual(others(tracks))
      const [before, after] = [bitsOf(tracks, time), bitsOf(now, time)]
      if ([...before].some(([key, bits]) => after.get(key) !== bits)) spread++
      await call('history.undo', { model: id })
    }
  }
  expect(codings).toEqual(new Set([true, false]))
  expect(spread).toBeGreaterThan(0)
})

it('keeps every other bit of a clip whose packed frames were stored plain, however far a frame is turned', async () => {
  const model = await openPosable(call, library, rows, 'w3d')
  const { id } = model.info
  const { clips } = await call('clips.list', { model: id })
  const clip = clips.findIndex(({ packed }) => packed)
  const packed = await call('clips.tracks', { model: id, clip })
  await call('clips.unpack', { model: id, clip })
  const tracks = await call('clips.tracks', { model: id, clip })
  expect(bitsOf(tracks, Infinity)).toEqual(bitsOf(packed, Infinity))
  const turned = tracks.filter((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 3)
  expect(turned.length).toBeGreaterThan(2)
  for (const [i, { joint, times, limits }] of turned.entries()) {
    expect(limits.spreads).toBeUndefined()
    const time = times[(5 * i) % times.length]
    const poses = [{ joint, times: Float64Array.of(time), rotation: Float32Array.of(0.6, 0, 0, 0.8) }]
    await call('clips.pose', { model: id, clip, label: 'Turn', poses })
    expect(bitsOf(await call('clips.tracks', { model: id, clip }), time)).toEqual(bitsOf(tracks, time))
    await call('history.undo', { model: id })
  }
  await expect(call('clips.unpack', { model: id, clip })).rejects.toMatchObject({ code: 'invalid-edit' })
  await call('history.undo', { model: id })
  expect((await call('clips.list', { model: id })).clips).toEqual(clips)
  expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
})

it('draws the hips of a machine of rigid parts, whose feet stay where they are pinned', async () => {
  const { ref } = rows.find(({ ref }) => /WALKER_SKN/i.test(ref))!
  const { info, scene } = await call('model.open', { ref, library })
  expect(scene.skeleton.roles![scene.skeleton.names.indexOf('THIGH_L')]).toBe('mesh')
  const rig = rigOf(scene)
  const joint = (name: string): number => scene.skeleton.names.indexOf(name)
  const { hips, legs } = rig.body!
  expect([hips, legs!.left.upper, legs!.left.lower, legs!.left.end].map((at) => scene.skeleton.names[at])).toEqual([
    'PELVIS',
    'THIGH_L',
    'SHIN_L',
    'FOOT_L',
  ])
  const { clip, tracks } = await plainClip(call, await call('model.scene', { model: info.id }))
  const { scene: whole } = await call('model.scene', { model: info.id })
  const from = momentAt(rig, { info, scene: whole }, clip, tracks.find(({ times }) => times.length > 2)!.times[1])
  const { height } = rig.figure
  const pins = ['FOOT_L', 'FOOT_R'].map((name) => pinAt(from, joint(name)))
  const target = plus(vectorAt(from.places.place, 3 * hips), [0.03 * height, -0.05 * height, 0])
  const out = momentOf(rig)
  expect(solvePose(rig, from, { drag: { joint: hips, target }, pins, follow: true }, out)).toBeLessThan(1e-6 * height)
  for (const { joint: foot, place } of pins)
    expect(lengthOf(minus(vectorAt(out.places.place, 3 * foot), place))).toBeLessThan(1e-6 * height)
})

for (const family of ['level5', 'lostsaga', 'renderware', 'w3d'] as const satisfies readonly FamilyId[])
  describe(family, () => {
    it('draws a hand and the hips with feet pinned, as one step that leaves every other key alone', async () => {
      let model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const rig = rigOf(model.scene)
      expect(rig.body).toBeDefined()
      const { legs, arms, hips } = rig.body!
      const { clip, tracks } = await plainClip(call, model)
      const long = tracks.find((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 2)!
      const time = long.times[1]
      const from = momentAt(rig, model, clip, time)
      const { height } = rig.figure
      const pins = [legs!.left, legs!.right].map(endOf).map((joint) => pinAt(from, joint))
      const drags = [
        ...(arms ? [{ joint: endOf(arms.right), way: [0, 0.06 * height, 0.06 * height] }] : []),
        { joint: hips, way: [0.02 * height, -0.04 * height, 0] },
      ]
      for (const { joint, way } of drags) {
        const out = momentOf(rig)
        const target = plus(vectorAt(from.places.place, 3 * joint), way)
        expect(solvePose(rig, from, { drag: { joint, target }, pins, follow: true }, out)).toBeLessThan(1e-3 * height)
        const poses = posesOf(rig, from, out, time)
        expect(poses.length).toBeGreaterThan(2)
        const { info } = await call('clips.pose', { model: id, clip, label: 'Posed', poses })
        expect(info.history.undo.filter((label) => label === 'Posed')).toHaveLength(1)
        const now = await call('clips.tracks', { model: id, clip })
        const [before, after] = [bitsOf(tracks, time), bitsOf(now, time)]
        for (const [key, bits] of before) expect(after.get(key), key).toBe(bits)
        model = await call('model.scene', { model: id })
        const shown = momentAt(rig, model, clip, time)
        // packed rotations are as near as their files can hold
        for (const at of [joint, ...pins.map((pin) => pin.joint)])
          expect(lengthOf(minus(vectorAt(shown.places.place, 3 * at), vectorAt(out.places.place, 3 * at)))).toBeLessThan(0.01 * height)
        await call('history.undo', { model: id })
        expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
        model = await call('model.scene', { model: id })
      }
    })

    it('copies, mirrors, rests and goes between: each pose is what is shown at the frame, and the rest keeps its bits', async () => {
      let model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const { clip, tracks } = await plainClip(call, model)
      const long = tracks.find((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 3)!
      const [early, time] = [long.times[0], long.times[2]]
      const { scene } = model
      const own = scene.clips[clip]
      const sides = sidesByPlace(scene, sidesOf(scene.skeleton.names))
      const joints = [...new Set(tracks.filter((t) => t.property === 'rotation' && t.joint >= 0).map((t) => t.joint))]
      const moved = new Set(tracks.filter((t) => t.property === 'translation').map((t) => t.joint))
      const copied = wholePose(scene, own, early)
      const twice = mirroredPose(scene, mirroredPose(scene, copied, sides), sides)
      for (const joint of joints) expect(angleBetween(twice.parts, 10 * joint + 3, copied.parts, 10 * joint + 3)).toBeLessThan(0.1)
      const poses = [
        copied,
        mirroredPose(scene, copied, sides),
        restPose(scene),
        poseBetween(scene, own, time, neighbours(own, time, joints), 0.25, null),
        poseBetween(scene, own, time, neighbours(own, time, joints), null, 0.5),
      ]
      for (const pose of poses) {
        const keys = keysOfPose(scene, own, time, pose, joints, (joint) => moved.has(joint))
        if (keys.length === 0) continue
        await call('clips.pose', { model: id, clip, label: 'Pose', poses: keys })
        model = await call('model.scene', { model: id })
        const shown = wholePose(model.scene, model.scene.clips[clip], time)
        for (const { joint, rotation } of keys) if (rotation) expect(angleBetween(shown.parts, 10 * joint + 3, rotation, 0)).toBeLessThan(1)
        const [before, after] = [bitsOf(tracks, time), bitsOf(await call('clips.tracks', { model: id, clip }), time)]
        for (const [key, bits] of before) expect(after.get(key), key).toBe(bits)
        await call('history.undo', { model: id })
      }
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })

    it('puts a kept pose of some joints on them, by shares and mirrored; other joints and frames keep their bits', async () => {
      const model = await openPosable(call, library, rows, family)
      const { id } = model.info
      const { clip, tracks } = await plainClip(call, model)
      const long = tracks.find((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 3)!
      const [early, time] = [long.times[0], long.times[2]]
      const { scene } = model
      const { names } = scene.skeleton
      const own = scene.clips[clip]
      const sides = sidesByPlace(scene, sidesOf(names))
      const turned = [...new Set(tracks.filter((t) => t.property === 'rotation' && t.joint > 0).map((t) => t.joint))]
      const some = turned.filter((joint) => sides[joint] !== joint).slice(0, 3)
      expect(some.length).toBeGreaterThan(0)
      const now = wholePose(scene, own, time)
      const kept = poseOf(
        some.map((joint) => names[joint]),
        jointsOf(wholePose(scene, own, early), some),
      )
      // nothing of the way is where it is, all of it is the pose
      const none = keysOfPose(scene, own, time, poseTowards(now, kept, 0), turned, () => false)
      expect(none).toEqual([])
      const all = keysOfPose(scene, own, time, poseTowards(now, kept, 1), turned, () => false)
      expect(all).toEqual(keysOfPose(scene, own, time, kept, turned, () => false))
      const mirrored = mirroredJoints(scene, now, kept, sides)
      expect(new Set(mirrored.names)).toEqual(new Set(some.map((joint) => names[sides[joint]])))
      for (const [pose, on] of [
        [poseTowards(now, kept, 0.5), some],
        [mirrored, some.map((joint) => sides[joint])],
      ] as const) {
        const keys = keysOfPose(scene, own, time, pose, turned, () => false)
        for (const { joint } of keys) expect(on).toContain(joint)
        if (keys.length === 0) continue
        await call('clips.pose', { model: id, clip, label: 'Kept', poses: keys })
        const shown = await call('model.scene', { model: id })
        const after = wholePose(shown.scene, shown.scene.clips[clip], time)
        for (const { joint, rotation } of keys) expect(angleBetween(after.parts, 10 * joint + 3, rotation!, 0)).toBeLessThan(1)
        const list = await call('clips.tracks', { model: id, clip })
        const [before, bits] = [bitsOf(tracks, time), bitsOf(list, time)]
        for (const [key, was] of before) expect(bits.get(key), key).toBe(was)
        const touched = new Set(keys.map(({ joint }) => joint))
        const others = (of: readonly NativeTrack[]): Map<string, string> =>
          bitsOf(
            of.filter(({ joint }) => !touched.has(joint)),
            NaN,
          )
        expect(others(list)).toEqual(others(tracks))
        await call('history.undo', { model: id })
      }
      // no keys at all take back what a share before it set
      await call('clips.pose', { model: id, clip, label: 'None', poses: [] })
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })

    it('holds a foot over a range where it is at a frame, eased; keys beyond keep their bits', async () => {
      const model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const rig = rigOf(model.scene)
      const { clip, tracks } = await plainClip(call, model)
      const own = model.scene.clips[clip]
      const step = own.unit === 'frame' ? 1 : own.unit === 'ms' ? 1000 / 30 : 1 / 30
      const foot = endOf(rig.body!.legs!.left)
      const [start, end] = [own.start + 0.3 * (own.end - own.start), own.start + 0.6 * (own.end - own.start)].map(
        (time) => own.start + Math.round((time - own.start) / step) * step,
      )
      const keyed = tracks.flatMap((track) => [...track.times])
      const wish = { joints: [foot], at: start, start, end, ease: 2 * step, step, follow: true }
      const held = holdOver(rig, model.scene, own, wish, keyed)
      if (held.poses.length === 0) return
      expect(held.left).toBeLessThan(0.01 * rig.figure.height)
      await call('clips.pose', { model: id, clip, label: 'Hold', poses: held.poses })
      const after = await call('model.scene', { model: id })
      const anchor = vectorAt(momentAt(rig, model, clip, start).places.place, 3 * foot)
      for (let time = start; time <= end + 1e-6; time += step)
        expect(lengthOf(minus(vectorAt(momentAt(rig, after, clip, time).places.place, 3 * foot), anchor))).toBeLessThan(
          0.012 * rig.figure.height,
        )
      // what lies beyond the ease is the motion that it was, bit for bit where keys stand
      const now = await call('clips.tracks', { model: id, clip })
      const beyond = (list: readonly NativeTrack[]): Map<string, string> =>
        new Map(
          [...bitsOf(list, Infinity)].filter(
            ([key]) => Math.abs(Number(key.split(' ').at(-1)) - (start + end) / 2) > (end - start) / 2 + 3 * step,
          ),
        )
      const bits = beyond(now)
      for (const [key, was] of beyond(tracks)) expect(bits.get(key), key).toBe(was)
      await call('history.undo', { model: id })
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })
  })
