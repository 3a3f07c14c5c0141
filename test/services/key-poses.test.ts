/** A pose of the scene, keyed: every family shows afterwards what was posed, also where the bone had no track. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { keyPoses } from '../../src/main/services/key-poses.ts'
import type { ClipEditor, EditSession } from '../../src/main/formats/editing.ts'
import type { KeyEdit, NativeTrack, PoseKeys } from '../../src/shared/api/types/clips.ts'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import { copiedPoses, copyKeys, keyedTimes, sameFile } from '../../src/shared/keys/clipboard.ts'
import { localPose } from '../../src/shared/keys/local-pose.ts'
import { mirrorPoses, sidesOf } from '../../src/shared/keys/mirror.ts'
import { angleBetween } from '../../src/shared/keys/value.ts'
import { multiplyQuat } from '../../src/shared/scene/matrix.ts'
import { buildSkeleton } from '../../src/shared/scene/pose.ts'
import { track } from '../support/keys.ts'
import { modelRows, openPosable, scannedSample, serviceBenches } from '../support/service-bench.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench
let rows: LibraryRow[] = []
let library = ''
const open = new Map<string, OpenedModel>()

beforeAll(async () => {
  library = await scannedSample(bench)
  rows = await modelRows(call, library)
})

/** The family's sample with the most clips. */
async function sample(family: FamilyId): Promise<OpenedModel> {
  const earlier = open.get(family)
  if (earlier) return call('model.scene', { model: earlier.info.id })
  const model = await openPosable(call, library, rows, family)
  open.set(family, model)
  return model
}

const scenePose = (model: OpenedModel, clip: number, joint: number, time: number): Float32Array => {
  const out = new Float32Array(10)
  localPose(model.scene, model.scene.clips[clip], joint, time, out)
  return out
}

/** Half a radian about x more. */
function turned(rotation: ArrayLike<number>): Float32Array {
  const out = new Float32Array(4)
  multiplyQuat(out, 0, Array.from(rotation), 0, [Math.sin(0.25), 0, 0, Math.cos(0.25)], 0)
  return out
}

for (const family of ['level5', 'lostsaga', 'renderware', 'w3d'] as const) {
  describe(`${family}`, () => {
    it('shows what was posed, at a key and between keys, and undo takes it back', async () => {
      const model = await sample(family)
      const id = model.info.id
      // deltas between frames hold a jump only roughly: they are tested below
      let clip = 0
      let tracks = await call('clips.tracks', { model: id, clip })
      while (tracks.some((t) => /deltas/.test(t.limits.packed)) && clip + 1 < model.scene.clips.length)
        tracks = await call('clips.tracks', { model: id, clip: ++clip })
      const of = tracks.find((t) => t.property === 'rotation' && t.joint > 0 && t.times.length > 2)!
      const moved = tracks.some((t) => t.joint === of.joint && t.property === 'translation')
      for (const time of of.limits.dense ? [of.times[1]] : [of.times[1], Math.round((of.times[1] + of.times[2]) / 2)]) {
        const before = scenePose(model, clip, of.joint, time)
        const rotation = turned(before.subarray(3, 7))
        const translation = Float32Array.from(before.subarray(0, 3), (v, c) => v + 0.25 * (c + 1))
        const pose: PoseKeys = { joint: of.joint, times: Float64Array.of(time), rotation, ...(moved ? { translation } : {}) }
        const result = await call('clips.pose', { model: id, clip, label: 'Pose', poses: [pose] })
        expect(result.info.history.undo.at(-1)).toBe('Pose')
        const shown = scenePose(await call('model.scene', { model: id }), clip, of.joint, time)
        // packed rotations are as near as their files can hold
        expect(angleBetween(shown, 3, rotation, 0)).toBeLessThan(of.limits.packed ? 1 : 0.01)
        if (moved) translation.forEach((v, c) => expect(Math.abs(shown[c] - v)).toBeLessThan(of.limits.packed ? 0.01 : 1e-4))
        const now = (await call('clips.tracks', { model: id, clip })).find((t) => t.id === of.id)!
        expect([...now.times]).toContain(time)
        await call('history.undo', { model: id })
        expect(angleBetween(scenePose(await call('model.scene', { model: id }), clip, of.joint, time), 3, before, 3)).toBeLessThan(1e-3)
      }
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })

    it('adds the track that a bone does not have', async () => {
      const model = await sample(family)
      const id = model.info.id
      const tracks = await call('clips.tracks', { model: id, clip: 0 })
      const bare = [...model.scene.skeleton.names.keys()].find(
        (j) => j > 0 && !tracks.some((t) => t.joint === j) && model.scene.skeleton.roles?.[j] !== 'hidden',
      )
      if (bare === undefined) return
      const time = Math.round(model.scene.clips[0].start + 1)
      const rotation = turned(scenePose(model, 0, bare, time).subarray(3, 7))
      await call('clips.pose', { model: id, clip: 0, label: 'Pose', poses: [{ joint: bare, times: Float64Array.of(time), rotation }] })
      const shown = scenePose(await call('model.scene', { model: id }), 0, bare, time)
      expect(angleBetween(shown, 3, rotation, 0)).toBeLessThan(1)
      await call('history.undo', { model: id })
    })

    it('mirrored twice is the movement that it was', async () => {
      const model = await sample(family)
      const id = model.info.id
      const sides = sidesOf(model.scene.skeleton.names)
      const joint = [...sides.keys()].find(
        (j) =>
          sides[j] !== j &&
          model.scene.clips[0].tracks.some((t) => t.target.kind === 'joint' && t.target.index === j && t.property === 'rotation'),
      )
      if (joint === undefined) return
      const clip = model.scene.clips[0]
      const time = Math.round((clip.start + clip.end) / 2)
      const wanted = (m: OpenedModel): Map<number, number[]> =>
        new Map(
          [...m.scene.skeleton.names.keys()]
            .filter((j) =>
              m.scene.clips[0].tracks.some((t) => t.target.kind === 'joint' && t.target.index === j && t.property === 'rotation'),
            )
            .map((j) => [j, [time]]),
        )
      const before = [...wanted(model).keys()].map((j) => [j, scenePose(model, 0, j, time)] as const)
      for (let i = 0; i < 2; i++) {
        const now = await call('model.scene', { model: id })
        await call('clips.pose', {
          model: id,
          clip: 0,
          label: 'Mirror',
          poses: mirrorPoses(now.scene, now.scene.clips[0], wanted(now), sides),
        })
      }
      const after = await call('model.scene', { model: id })
      for (const [j, pose] of before)
        expect(angleBetween(scenePose(after, 0, j, time), 3, pose, 3), model.scene.skeleton.names[j]).toBeLessThan(1.5)
      await call('history.undo', { model: id })
      await call('history.undo', { model: id })
    })
  })
}

describe('deltas between frames', () => {
  it('come as near to a pose as their coding can', async () => {
    const model = await sample('w3d')
    const id = model.info.id
    const of = (await call('clips.tracks', { model: id, clip: 0 })).find(
      (t) => t.property === 'rotation' && t.joint > 0 && /deltas/.test(t.limits.packed),
    )
    if (!of) return
    const time = of.times[1]
    const before = scenePose(model, 0, of.joint, time)
    const rotation = turned(before.subarray(3, 7))
    await call('clips.pose', { model: id, clip: 0, label: 'Pose', poses: [{ joint: of.joint, times: Float64Array.of(time), rotation }] })
    const shown = scenePose(await call('model.scene', { model: id }), 0, of.joint, time)
    expect(angleBetween(shown, 3, rotation, 0)).toBeLessThan(angleBetween(before, 3, rotation, 0) / 4)
    await call('history.undo', { model: id })
  })
})

describe('between families', () => {
  it('keys of one go to bones of the same names of the other, in its own axes and time', async () => {
    const from = await sample('level5')
    const to = await sample('lostsaga')
    if (!from || !to) return
    const names = to.scene.skeleton.names.map((n) => n.trim().toLowerCase())
    const tracks = await call('clips.tracks', { model: from.info.id, clip: 0 })
    const of = tracks.find((t) => t.property === 'rotation' && t.times.length > 3 && t.joint > 0)!
    // the samples are one figure under names of each game: the bone is called as the other file calls one
    const target = names.findIndex(
      (_, j) => j > 0 && to.scene.clips[0].tracks.some((t) => t.target.kind === 'joint' && t.target.index === j),
    )
    const copied = copyKeys([{ ...of, target: to.scene.skeleton.names[target] }], new Map([[of.id, new Set([...of.times].slice(1, 3))]]), {
      scene: from.scene,
      clip: from.scene.clips[0],
    })!
    const own = await call('clips.tracks', { model: to.info.id, clip: 0 })
    expect(sameFile(own, copied)).toBe(false)
    const { poses, skipped } = copiedPoses(copied, to.scene.skeleton.names, 100, to.scene.clips[0].rate)
    expect(skipped).toEqual([])
    await call('clips.pose', { model: to.info.id, clip: 0, label: 'Paste', poses })
    const after = await call('model.scene', { model: to.info.id })
    const seconds = (of.times[2] - of.times[1]) / from.scene.clips[0].rate
    for (const [i, at] of [100, 100 + seconds * to.scene.clips[0].rate].entries()) {
      const want = scenePose(from, 0, of.joint, of.times[1 + i])
      expect(angleBetween(scenePose(after, 0, target, Math.round(at)), 3, want, 3)).toBeLessThan(1)
    }
    await call('history.undo', { model: to.info.id })
  })

  it('keys that stand between take the copied movement too where it goes over them', async () => {
    const from = await sample('level5')
    const to = await sample('lostsaga')
    if (!from || !to) return
    const tracks = await call('clips.tracks', { model: from.info.id, clip: 0 })
    const of = tracks.find((t) => t.property === 'rotation' && t.times.length > 6 && t.joint > 0)!
    const own = await call('clips.tracks', { model: to.info.id, clip: 0 })
    const target = own.find((t) => t.property === 'rotation' && t.times.length > 6)!
    const copied = copyKeys([{ ...of, target: target.target }], new Map([[of.id, new Set([of.times[0], of.times[6]])]]), {
      scene: from.scene,
      clip: from.scene.clips[0],
    })!
    const rate = to.scene.clips[0].rate
    const { poses } = copiedPoses(copied, to.scene.skeleton.names, 0, rate, Infinity, keyedTimes(own))
    const end = ((of.times[6] - of.times[0]) / from.scene.clips[0].rate) * rate
    const between = [...target.times].filter((t) => t > 0 && t < end)
    expect(between.length).toBeGreaterThan(1)
    await call('clips.pose', { model: to.info.id, clip: 0, label: 'Paste', poses })
    const after = await call('model.scene', { model: to.info.id })
    for (const at of between) {
      const want = scenePose(from, 0, of.joint, of.times[0] + (at / rate) * from.scene.clips[0].rate)
      expect(angleBetween(scenePose(after, 0, target.joint, at), 3, want, 3)).toBeLessThan(1)
    }
    await call('history.undo', { model: to.info.id })
  })
})

describe('keying poses', () => {
  const session = { assembled: { scene: { skeleton: { count: 1, names: ['arm'] } } } } as unknown as EditSession
  const clips = (tracks: NativeTrack[], edits: KeyEdit[]): ClipEditor => ({
    tracks: () => tracks,
    editKeys: (_s, e) => void edits.push(...e),
    fromScene: (_m, _t, v) => v.slice(),
  })
  const turn = (limits: Partial<NativeTrack['limits']>): NativeTrack =>
    track('r', [0, 10], {
      property: 'rotation',
      components: ['x', 'y', 'z', 'w'],
      values: Float32Array.of(0, 0, 0, 1, 0, 0, 0, -1),
      limits,
    })
  const pose = (time: number, more: Partial<PoseKeys> = {}): PoseKeys => ({
    joint: 0,
    times: Float64Array.of(time),
    rotation: Float32Array.of(0, 0, 0, 1),
    ...more,
  })

  it('sets the key that is there, puts others in, and keeps to the sign that the track has', () => {
    const edits: KeyEdit[] = []
    keyPoses(clips([turn({})], edits), session, 0, [pose(10)])
    keyPoses(clips([turn({})], edits), session, 0, [pose(4.4)])
    expect([...edits[0].set!.keys]).toEqual([1])
    expect(edits[0].set!.values[3]).toBe(-1)
    expect([...edits[1].insert!.times]).toEqual([4])
    expect(edits[1].insert!.values[3]).toBe(1)
  })

  it('grows a track with a key on every frame from its ends, frame by frame', () => {
    const edits: KeyEdit[] = []
    const poses = (times: number[]): PoseKeys => ({
      joint: 0,
      times: Float64Array.from(times),
      rotation: Float32Array.from(times.flatMap(() => [0, 0, 0, 1])),
    })
    const { skeleton } = buildSkeleton(['arm'], [-1], Float32Array.of(-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), () => ({
      ref: '',
      path: '',
    }))
    const shown = { assembled: { scene: { skeleton, clips: [{ tracks: [] }] } } } as unknown as EditSession
    const own = turn({ dense: true, grows: true, timeStep: 1 })
    const last = own.times[own.times.length - 1]
    keyPoses(clips([own], edits), shown, 0, [poses([last + 3, last + 1, last])])
    expect(edits.map((e) => [[...e.set!.times], [...e.insert!.times]])).toEqual([[[last], [last + 1, last + 2, last + 3]]])
    // between them stands what is shown there: half a turn about z
    expect(Math.abs(edits[0].insert!.values[6])).toBeCloseTo(1)
    expect(() => keyPoses(clips([turn({ dense: true, grows: true, timeStep: 1 })], edits), shown, 0, [poses([4])])).toThrow(
      /stand at fixed times/,
    )
    // beyond the clip there is no place
    edits.length = 0
    keyPoses(clips([turn({ maxTime: last })], edits), session, 0, [poses([last, last + 1])])
    expect(edits.map((e) => [[...e.set!.times], e.insert])).toEqual([[[last], undefined]])
  })

  it('refuses what the format or the numbers do not allow, before any edit', () => {
    const edits: KeyEdit[] = []
    const run = (limits: Partial<NativeTrack['limits']>, p: PoseKeys) => () => keyPoses(clips([turn(limits)], edits), session, 0, [p])
    expect(run({ dense: true, timeStep: 0 }, pose(4))).toThrow(/nearest to 4 is 0/)
    expect(run({ readOnly: 'nobody knows' }, pose(4))).toThrow('nobody knows')
    expect(run({}, pose(4, { joint: 1 }))).toThrow(FormatError)
    expect(run({}, pose(NaN))).toThrow(FormatError)
    expect(run({}, pose(4, { rotation: Float32Array.of(0, NaN, 0, 1) }))).toThrow(FormatError)
    expect(run({}, pose(4, { rotation: Float32Array.of(0, 0, 1) }))).toThrow(FormatError)
    expect(run({}, { joint: 0, times: Float64Array.of(1), scale: Float32Array.of(1, 1, 1) })).toThrow(/no way to add/)
    expect(edits).toEqual([])
  })
})
