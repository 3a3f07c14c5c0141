/** Joints turned and moved over a range of a clip, on top of what they do there: keys within it are changed, and few are put in for the ease. */
import { FormatError } from '../binary/format-error.ts'
import type { ClipEditor, EditSession } from '../formats/editing.ts'
import { localPose } from '../../shared/keys/local-pose.ts'
import { borderTimes, offsetWeight, timeSlack, turnedBy, type KeyOffset, type OffsetSpan } from '../../shared/keys/offset.ts'
import { lowerBound, outOfRange, storable } from '../../shared/keys/plan.ts'
import { nearSign } from '../../shared/keys/smooth.ts'
import { sampleInto } from '../../shared/keys/value.ts'
import type { KeyEdit, NativeTrack } from '../../shared/api/types/clips.ts'
import { say } from '../../shared/texts/say.ts'
import { JointTracks, keyAt } from './key-poses.ts'

export interface OffsetWish extends OffsetSpan {
  offsets: readonly KeyOffset[]
}

/** @throws FormatError invalid-argument, and invalid-edit where nothing stands in the range or the format has no place for it */
export function offsetKeys(clips: ClipEditor, session: EditSession, clip: number, wish: OffsetWish): void {
  const { scene } = session.assembled
  const { skeleton } = scene
  const tracks = new JointTracks(clips, session, clip)
  const edits: KeyEdit[] = []
  for (const offset of wish.offsets) {
    const { joint, turn, move } = offset
    if (joint >= skeleton.count) throw new FormatError('invalid-argument', say('formats.missing.joint', { name: joint }))
    if (turn && !(Math.hypot(...turn) > 0))
      throw new FormatError('invalid-argument', say('edits.offsetTurn', { joint: skeleton.names[joint] }))
    for (const part of ['rotation', 'translation'] as const) {
      if (part === 'rotation' ? !turn || turn.every((v, c) => v === (c < 3 ? 0 : 1)) : !move || move.every((v) => v === 0)) continue
      const known = tracks.of(joint).filter((track) => track.property === part)
      if (!known.length) tracks.add(joint, part)
      for (const track of tracks.of(joint)) {
        if (track.property !== part) continue
        if (track.limits.readOnly) throw new FormatError('invalid-edit', track.limits.readOnly)
        const edit = editOf(clips, session, clip, track, offset, wish, !known.length)
        if (edit) edits.push(edit)
      }
    }
  }
  if (!edits.length) throw new FormatError('invalid-edit', say('edits.nothingToOffset', { start: wish.start, end: wish.end }))
  for (const { set, insert } of edits)
    if (![set, insert].every((rows) => rows?.values.every(Number.isFinite) ?? true))
      throw new FormatError('invalid-argument', say('edits.offsetFar'))
  clips.editKeys(session, edits)
}

/** @param fresh the track was made for this: outside of the range it has to say how the joint rests */
function editOf(
  clips: ClipEditor,
  session: EditSession,
  clip: number,
  track: NativeTrack,
  offset: KeyOffset,
  span: OffsetSpan,
  fresh: boolean,
): KeyEdit | null {
  const { scene } = session.assembled
  const own = scene.clips[clip]
  const turns = track.property === 'rotation'
  const [from, width] = turns ? [3, 4] : [0, 3]
  const [now, there] = [new Float32Array(10), new Float32Array(track.components.length)]
  /** the value at a time with so much of the offset; what the track has there where that is none, or leaves it as it is */
  const valueAt = (time: number, weight: number): Float32Array | null => {
    sampleInto(track, time, there, 0)
    if (weight === 0) return null
    localPose(scene, own, track.joint, time, now)
    const was = now.slice(from, from + width)
    if (turns) {
      turnedBy(now, 3, offset.turn!, offset.axes, weight)
      return nearSign(track, clips.fromScene(session, track, now.subarray(3, 7)), there)
    }
    for (let c = 0; c < 3; c++) now[c] += weight * offset.move![c]
    // the way alone is carried over: an axis that it does not go along keeps its bits
    const before = clips.fromScene(session, track, was)
    const after = clips.fromScene(session, track, now.subarray(0, 3))
    const out = there.map((value, c) => (after[c] === before[c] ? value : value + (after[c] - before[c])))
    return out.every((value, c) => value === there[c]) ? null : out
  }
  const keys: number[] = []
  const values: number[] = []
  const { times } = track
  const last = span.end + timeSlack(span.end)
  for (let k = lowerBound(times, span.start - timeSlack(span.start)); k < times.length && times[k] <= last; k++) {
    const value = valueAt(times[k], offsetWeight(span, times[k]))
    if (!value) continue
    keys.push(k)
    values.push(...value)
  }
  const moves = offset.move !== undefined && !turns
  const inserted = new Map<number, Float32Array>()
  const borders = track.limits.dense
    ? []
    : borderTimes(span, fresh ? { start: own.start, end: own.end, step: track.limits.timeStep } : null)
  for (const asked of borders) {
    if (outOfRange(track, asked)) continue
    const time = storable(track, asked)
    if (keyAt(track, time) >= 0) continue
    const value = valueAt(time, offsetWeight(span, time))
    inserted.set(time, value ?? there.slice())
  }
  // a track of one axis that the way does not go along needs no border
  if (moves && !keys.length && [...inserted].every(([time, value]) => sameAs(track, time, value))) return null
  const edit: KeyEdit = { track: track.id }
  if (keys.length)
    edit.set = { keys: Uint32Array.from(keys), times: Float64Array.from(keys, (k) => times[k]), values: Float32Array.from(values) }
  if (inserted.size) {
    const at = Float64Array.from(inserted.keys()).sort()
    edit.insert = { times: at, values: Float32Array.from([...at].flatMap((time) => [...inserted.get(time)!])) }
  }
  return edit.set || edit.insert ? edit : null
}

function sameAs(track: NativeTrack, time: number, value: Float32Array): boolean {
  const own = new Float32Array(value.length)
  sampleInto(track, time, own, 0)
  return own.every((v, c) => v === value[c])
}
