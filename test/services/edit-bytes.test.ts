/** Every edit of keys by the bytes that it changes, in every coding of every family: those of its keys and no others, offsets as the decoded file has them. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cycleKeys } from '../../src/shared/keys/cycle.ts'
import { fitLoop } from '../../src/shared/keys/smooth.ts'
import { holdOver } from '../../src/shared/motion/hold.ts'
import { changedJoints, pinAt, solvePose } from '../../src/shared/motion/posing.ts'
import { momentOf, readMoment, rigOf } from '../../src/shared/motion/rig.ts'
import { plus, vectorAt } from '../../src/shared/motion/turns.ts'
import { quaternionOfDegrees } from '../../src/shared/keys/value.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { expectOnlyKeys } from '../support/edit-ranges.ts'
import { anmFiles, anpkFiles, motionChannelFiles } from '../support/other-codings.ts'
import { fileBytes, modelRows, openPosable, scanned, scannedSample, serviceBenches } from '../support/service-bench.ts'
import { writeFiles } from '../workspace/support.ts'
import type { NativeTrack, PoseKeys } from '../../src/shared/api/types/clips.ts'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { Limb } from '../../src/shared/motion/body.ts'
import type { KeyPlan } from '../../src/shared/keys/plan.ts'
import type { EditedKeys } from '../support/edit-ranges.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench

/** A library of one game's files, opened and scanned. */
interface Game {
  library: string
  rows: LibraryRow[]
}
const games = new Map<Place, Game>()
let library = ''
let rows: LibraryRow[] = []

beforeAll(async () => {
  const open = async (place: Place, id: string): Promise<void> => void games.set(place, { library: id, rows: await modelRows(call, id) })
  await open('sample', await scannedSample(bench))
  ;({ library, rows } = games.get('sample')!)
  const ped = await openPosable(call, library, rows, 'renderware')
  const { scene } = await call('model.scene', { model: ped.info.id })
  const made: [Place, Record<string, Uint8Array>][] = [
    ['anpk', anpkFiles()],
    ['anm', anmFiles(scene, 2, 1)],
    ['anm of halves', anmFiles(scene, 2, 2)],
    ['motion channels', motionChannelFiles()],
  ]
  for (const [place, files] of made) {
    writeFiles(join(bench.base, place), files)
    await open(place, await scanned(call, join(bench.base, place)))
  }
})

/** A clip of a model, and the range of it that is one motion: where many stand on one track, the first. */
interface Case {
  model: OpenedModel
  clip: number
  tracks: NativeTrack[]
  start: number
  end: number
  step: number
}

/** What an edit asks for, as keys of tracks. */
type Edit = (given: Case) => Promise<EditedKeys[]>

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6
const endOf = ({ end, lower }: Limb): number => (end >= 0 ? end : lower)
const longOf = (tracks: readonly NativeTrack[], start: number, end: number): NativeTrack =>
  tracks.find(
    (t) => t.property === 'rotation' && t.joint > 0 && !t.limits.readOnly && [...t.times].filter((x) => x >= start && x <= end).length > 4,
  )!

/** Keys that poses are put into: the joints' rotations, and their places where those are given. */
function keysOfPoses(tracks: readonly NativeTrack[], poses: readonly PoseKeys[], at: (time: number) => boolean): EditedKeys[] {
  return tracks.flatMap((track) =>
    poses.some(
      (pose) => pose.joint === track.joint && (track.property === 'rotation' ? pose.rotation : pose[track.property as 'translation']),
    )
      ? [{ track, at }]
      : [],
  )
}

/** IK: the hips go down over pinned feet at a frame. */
const pose: Edit = async ({ model, clip, tracks, start, end }) => {
  const { scene, info } = model
  const rig = rigOf(scene)
  const { times } = longOf(tracks, start, end)
  const time = [...times].filter((t) => t > start && t < end)[1]
  const sampled = createPose(scene)
  sampleClip(scene, scene.clips[clip], time, sampled)
  const [from, out] = [momentOf(rig), momentOf(rig)]
  readMoment(rig, sampled.local, from)
  const { legs, hips } = rig.body!
  const pins = [legs!.left, legs!.right].map((limb) => pinAt(from, endOf(limb)))
  const target = plus(vectorAt(from.places.place, 3 * hips), [0, -0.05 * rig.figure.height, 0])
  solvePose(rig, from, { drag: { joint: hips, target }, pins, follow: true }, out)
  const { turned, moved } = changedJoints(rig, from, out)
  const poses = [...new Set([...turned, ...moved])].map((joint) => ({
    joint,
    times: Float64Array.of(time),
    ...(turned.includes(joint) && { rotation: Float32Array.from(out.parts.rotation.subarray(4 * joint, 4 * joint + 4)) }),
    ...(moved.includes(joint) && { translation: Float32Array.from(out.parts.translation.subarray(3 * joint, 3 * joint + 3)) }),
  }))
  await call('clips.pose', { model: info.id, clip, label: 'Pose', poses })
  return keysOfPoses(tracks, poses, (t) => isNear(t, time))
}

/** IK baked over a range: a foot stays where it is. */
const hold: Edit = async ({ model, clip, tracks, start, end, step }) => {
  const { scene, info } = model
  const rig = rigOf(scene)
  const at = (share: number): number => start + Math.round((share * (end - start)) / step) * step
  const span = { start: at(0.3), end: at(0.55), ease: 2 * step }
  const keyed = tracks.flatMap(({ times }) => [...times])
  const wish = { joints: [endOf(rig.body!.legs!.left)], at: span.start, ...span, step, follow: true }
  const { poses } = holdOver(rig, scene, scene.clips[clip], wish, keyed)
  await call('clips.pose', { model: info.id, clip, label: 'Hold', poses })
  return keysOfPoses(tracks, poses, (t) => t > span.start - span.ease - step / 2 && t < span.end + span.ease + step / 2)
}

const planned = async ({ model, clip }: Case, { edits }: KeyPlan): Promise<void> => {
  if (edits.length > 0) await call('clips.editKeys', { model: model.info.id, clip, label: 'Keys', edits })
}

const loop: Edit = async (given) => {
  const { tracks, start, step } = given
  // up to where the pose is another one
  const end = start + Math.round((0.6 * (given.end - start)) / step) * step
  const over = 0.4 * (end - start)
  await planned(given, fitLoop(tracks, { start, end }, over))
  return tracks.map((track) => ({ track, at: (t) => t > end - over && t <= end + 1e-6 }))
}

const cycle: Edit = async (given) => {
  const { tracks, start, end, step } = given
  await planned(given, cycleKeys(tracks, { start, end }, 3 * step))
  return tracks.map((track) => ({ track, at: (t) => t >= start && t <= end }))
}

const offset: Edit = async ({ model, clip, tracks, start, end, step }) => {
  const track = longOf(tracks, start, end)
  const turn = [0, 0, 0, 1]
  quaternionOfDegrees(turn, [9, -14, 6])
  const times = [...track.times].filter((t) => t > start && t < end)
  const span = { start: times[0], end: times.at(-1)! }
  await call('clips.offset', {
    model: model.info.id,
    clip,
    label: 'Offset',
    offsets: [{ joint: track.joint, axes: 'parent', turn }],
    ...span,
    easeIn: step,
    easeOut: 2 * step,
  })
  return [{ track, at: (t) => t >= span.start - 1e-6 && t <= span.end + 1e-6 }]
}

/** A motion of another game's figure into the clip. */
const retarget: Edit = async ({ model, clip, tracks, start, end }) => {
  const { scene, info } = model
  const from: FamilyId = info.family === 'renderware' ? 'lostsaga' : 'renderware'
  const source = await openPosable(call, library, rows, from)
  const into = scene.slices[0]?.name || scene.clips[clip].name
  const motion = source.scene.clips.find(({ name }) => name.includes('attack'))!.name
  const { report } = await call('retarget.apply', { model: info.id, source: source.info.id, clip: motion, into })
  expect(report.changed.length).toBeGreaterThan(3)
  const changed = new Set(report.changed)
  return tracks.filter(({ target }) => changed.has(target)).map((track) => ({ track, at: (t) => t >= start - 1e-6 && t <= end + 1e-6 }))
}

const EDITS: [string, Edit][] = [
  ['a pose over pinned feet', pose],
  ['a foot that is held', hold],
  ['a loop that is closed', loop],
  ['a cycle that begins later', cycle],
  ['an offset over a range', offset],
  ['a motion of another figure', retarget],
]

type Place = 'sample' | 'anpk' | 'anm' | 'anm of halves' | 'motion channels'

/** Codings by what the tracks say of themselves; clips by their place, of the sample where none is named. */
const CODINGS: { family: FamilyId; coding: string; clip: number; place?: Place; label?: RegExp }[] = [
  { family: 'level5', coding: 'MOT', clip: 0 },
  { family: 'renderware', coding: 'ANP3', clip: 2 },
  { family: 'lostsaga', coding: '4000', clip: 1 },
  { family: 'lostsaga', coding: '4001', clip: 2 },
  { family: 'lostsaga', coding: '4002', clip: 0 },
  { family: 'w3d', coding: 'adaptive deltas', clip: 0 },
  { family: 'w3d', coding: 'time-coded', clip: 1 },
  { family: 'w3d', coding: 'raw', clip: 2 },
  { family: 'renderware', coding: 'ANPK', clip: 2, place: 'anpk', label: /^KR[T0]0 / },
  { family: 'renderware', coding: 'ANM', clip: 0, place: 'anm', label: /1/ },
  { family: 'renderware', coding: 'ANM of halves', clip: 0, place: 'anm of halves', label: /2/ },
  { family: 'w3d', coding: 'motion channels of 4 bits', clip: 0, place: 'motion channels', label: /motion 4 bit/ },
  { family: 'w3d', coding: 'motion channels of keys', clip: 1, place: 'motion channels', label: /motion keys/ },
  { family: 'w3d', coding: 'motion channels of 8 bits', clip: 2, place: 'motion channels', label: /motion 8 bit/ },
]
const opened = (family: FamilyId, place: Place = 'sample'): Promise<OpenedModel> =>
  openPosable(call, games.get(place)!.library, games.get(place)!.rows, family)

describe.each(CODINGS)('bytes of $family, $coding', ({ family, clip, place, label = /./ }) => {
  it.each(EDITS)('that %s changes are those of its keys', async (_, edit) => {
    const model = await opened(family, place)
    const { id } = model.info
    const tracks = await call('clips.tracks', { model: id, clip })
    expect(tracks.find(({ property }) => property === 'rotation')!.label).toMatch(label)
    const own = model.scene.clips[clip]
    const { start, end } = model.scene.slices[0] ?? own
    const step = own.unit === 'frame' ? 1 : own.unit === 'ms' ? 10 : 1 / 60
    const { ref } = tracks[0]
    const before = await fileBytes(call, id, ref)
    const edited = await edit({ model, clip, tracks, start, end, step })
    const made = await fileBytes(call, id, ref)
    try {
      const touched = (await call('model.changes', { model: id })).filter((file) => file.changes.length > 0)
      expect(touched.map((file) => file.ref)).toEqual([ref])
      const { changed, added } = expectOnlyKeys(ref, before, made, edited)
      expect(changed.size).toBeGreaterThan(0)
      // a channel that a motion needs and the clip has not comes behind the others; no other edit makes one
      const now = await call('clips.tracks', { model: id, clip })
      expect(now.slice(tracks.length).map((track) => track.id.slice(ref.length + 1))).toEqual(added)
      if (edit !== retarget) expect(added).toEqual([])
    } finally {
      await call('history.undo', { model: id })
    }
    expect(Buffer.compare(await fileBytes(call, id, ref), before)).toBe(0)
    await call('history.redo', { model: id })
    expect(Buffer.compare(await fileBytes(call, id, ref), made)).toBe(0)
    await call('history.undo', { model: id })
  })

  it('are each told where none was asked for', async () => {
    const model = await opened(family, place)
    const { ref } = model.scene.clips[clip].source
    const before = await fileBytes(call, model.info.id, ref)
    for (let at = 0; at < before.length; at += 1 + (before.length >> 7)) {
      const damaged = Uint8Array.from(before)
      damaged[at] ^= 0x11
      expect(() => expectOnlyKeys(ref, before, damaged, []), `${at}`).toThrow()
    }
  })
})
