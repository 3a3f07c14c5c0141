/** Keys from poses of the scene: what the viewport, mirroring and pasting between files give, in the words of each file. */
import { FormatError } from '../binary/format-error.ts'
import type { ClipEditor, EditSession } from '../formats/editing.ts'
import { localPose } from '../../shared/keys/local-pose.ts'
import { lowerBound, outOfRange, storable } from '../../shared/keys/plan.ts'
import { nearSign } from '../../shared/keys/smooth.ts'
import { sampleInto } from '../../shared/keys/value.ts'
import type { KeyEdit, NativeTrack, PoseKeys } from '../../shared/api/types/clips.ts'
import { say } from '../../shared/texts/say.ts'

const PARTS = ['translation', 'rotation', 'scale'] as const
type Part = (typeof PARTS)[number]
/** where each part stands in what localPose gives */
const START = { translation: 0, rotation: 3, scale: 7 } as const
const WIDTH = { translation: 3, rotation: 4, scale: 3 } as const

/** The tracks of a clip by their joints, those of this session too: the assembled scene does not know them, they are told by their ids. */
export class JointTracks {
  private readonly clips: ClipEditor
  private readonly session: EditSession
  private readonly clip: number
  private readonly own = new Map<number, NativeTrack[]>()
  private readonly known = new Set<string>()

  constructor(clips: ClipEditor, session: EditSession, clip: number) {
    this.clips = clips
    this.session = session
    this.clip = clip
    for (const track of clips.tracks(session, clip)) this.take(track, track.joint)
  }

  of(joint: number): readonly NativeTrack[] {
    return this.own.get(joint) ?? []
  }

  /** @throws FormatError unsupported, invalid-edit where the format has no place for it */
  add(joint: number, part: Part): void {
    const { names } = this.session.assembled.scene.skeleton
    if (!this.clips.addTrack) throw new FormatError('unsupported', say('edits.noKeysNoWay', { joint: names[joint], part }))
    this.clips.addTrack(this.session, this.clip, joint, part)
    for (const track of this.clips.tracks(this.session, this.clip)) if (!this.known.has(track.id)) this.take({ ...track, joint }, joint)
  }

  private take(track: NativeTrack, joint: number): void {
    this.known.add(track.id)
    if (joint >= 0) this.own.set(joint, [...(this.own.get(joint) ?? []), track])
  }
}

/**
 * Sets the keys at the poses' times, or puts them in. Tracks are added where a joint has none.
 * @param tracks of the clip, where some were added in this session
 * @throws FormatError invalid-argument for lists that do not go together, invalid-edit where the format has no place for a key
 */
export function keyPoses(
  clips: ClipEditor,
  session: EditSession,
  clip: number,
  poses: readonly PoseKeys[],
  tracks = new JointTracks(clips, session, clip),
): void {
  const { count, names } = session.assembled.scene.skeleton
  for (const pose of poses) {
    if (pose.joint >= count) throw new FormatError('invalid-argument', say('formats.missing.joint', { name: pose.joint }))
    for (const part of PARTS)
      if (pose[part] && pose[part].length !== WIDTH[part] * pose.times.length)
        throw new FormatError('invalid-argument', say('calls.poseTimes', { part, joint: names[pose.joint] }))
    if (!pose.times.every(Number.isFinite) || PARTS.some((part) => !pose[part]?.every(Number.isFinite) && pose[part]))
      throw new FormatError('invalid-argument', say('calls.poseNumber', { joint: names[pose.joint] }))
  }
  for (const pose of poses) {
    for (const part of PARTS) {
      if (!pose[part] || pose.times.length === 0 || complete(clips, session, tracks.of(pose.joint), part, pose)) continue
      tracks.add(pose.joint, part)
    }
  }
  const edits = new Map<string, KeyEdit>()
  for (const pose of poses) {
    for (const part of PARTS) {
      const values = pose[part]
      if (!values || pose.times.length === 0) continue
      for (const track of tracks.of(pose.joint)) {
        if (track.property !== part) continue
        const edit = editOf(clips, session, clip, track, part, pose.times, values)
        // of two poses for one track the later counts
        if (edit) edits.set(track.id, edit)
      }
    }
  }
  if (edits.size) clips.editKeys(session, [...edits.values()])
}

/** Whether a joint's tracks can hold the pose. A file may have a track for each axis, and none for an axis that stays at rest. */
function complete(clips: ClipEditor, session: EditSession, own: readonly NativeTrack[], part: Part, pose: PoseKeys): boolean {
  const tracks = own.filter((t) => t.property === part)
  if (!tracks.length || part !== 'translation') return tracks.length > 0
  const missing = ['x', 'y', 'z'].filter((axis) => !tracks.some((t) => t.components.includes(axis)))
  if (!missing.length) return true
  const whole: NativeTrack = { ...tracks[0], components: missing }
  return pose.times.every((_, i) =>
    clips.fromScene(session, whole, pose.translation!.subarray(3 * i, 3 * i + 3)).every((v) => Math.abs(v) < 1e-5),
  )
}

function editOf(
  clips: ClipEditor,
  session: EditSession,
  clip: number,
  track: NativeTrack,
  part: Part,
  times: Float64Array,
  values: Float32Array,
): KeyEdit | null {
  const { limits } = track
  if (limits.readOnly) throw new FormatError('invalid-edit', limits.readOnly)
  const width = track.components.length
  const set = new Map<number, Float32Array>()
  const insert = new Map<number, Float32Array>()
  const there = new Float32Array(width)
  for (let i = 0; i < times.length; i++) {
    // what lies beyond the clip has no place in it: moved to its end it would stand for another moment
    if (outOfRange(track, times[i])) continue
    const native = clips.fromScene(session, track, values.subarray(i * WIDTH[part], (i + 1) * WIDTH[part]))
    const time = storable(track, times[i])
    sampleInto(track, time, there, 0)
    const value = nearSign(track, native, there)
    const key = keyAt(track, time)
    if (key >= 0) set.set(key, value)
    else insert.set(time, value)
  }
  if (limits.dense && insert.size) {
    const ends = grown(track, insert.keys())
    if (!ends) throw new FormatError('invalid-edit', fixedKeys(track, insert.keys().next().value!))
    const { scene } = session.assembled
    const pose = new Float32Array(10)
    for (let time = ends[0]; time <= ends[1]; time += limits.timeStep) {
      if (insert.has(time) || (time >= track.times[0] && time <= track.times[track.times.length - 1])) continue
      localPose(scene, scene.clips[clip], track.joint, time, pose)
      insert.set(time, clips.fromScene(session, track, pose.subarray(START[part], START[part] + WIDTH[part])))
    }
  }
  const rows = (list: Float32Array[]): Float32Array => {
    const out = new Float32Array(list.length * width)
    list.forEach((row, i) => out.set(row, i * width))
    return out
  }
  const edit: KeyEdit = { track: track.id }
  if (set.size) {
    const keys = Uint32Array.from(set.keys()).sort()
    edit.set = { keys, times: Float64Array.from(keys, (k) => track.times[k]), values: rows(Array.from(keys, (k) => set.get(k)!)) }
  }
  if (insert.size) {
    const at = Float64Array.from(insert.keys()).sort()
    edit.insert = { times: at, values: rows(Array.from(at, (t) => insert.get(t)!)) }
  }
  return edit.set || edit.insert ? edit : null
}

/**
 * A track with a key on every frame grows from its ends, where it grows at all: the frames between get keys of what is shown there now.
 * @returns the first and the last time that it has then; null where it cannot have one of those asked for
 */
function grown({ times, limits }: NativeTrack, asked: Iterable<number>): [number, number] | null {
  if (!limits.grows || !times.length) return null
  let first = times[0],
    last = times[times.length - 1]
  for (const time of asked) {
    if (time > times[0] && time < times[times.length - 1]) return null
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return [first, last]
}

/** The key at a time; times of 32 bits count as the same number. -1 for none. */
export function keyAt(track: NativeTrack, time: number): number {
  const { times } = track
  const slack = Math.max(1e-9, Math.abs(time) * 1e-6)
  let k = lowerBound(times, time - slack)
  if (k >= times.length || times[k] > time + slack) return -1
  // of several keys at one time the last is what is seen
  while (k + 1 < times.length && times[k + 1] <= time + slack) k++
  return k
}

function fixedKeys(track: NativeTrack, time: number): string {
  const { times } = track
  if (!times.length) return say('edits.noKeysHere', { track: track.target })
  const k = lowerBound(times, time)
  const near = k === 0 ? times[0] : k === times.length || time - times[k - 1] < times[k] - time ? times[k - 1] : times[k]
  return say('edits.fixedTimes', { track: track.target, time: Number(time.toPrecision(7)), nearest: Number(near.toPrecision(7)) })
}
