/**
 * Ranges of an ANI, cut out and put one behind the other. Keys that stand in a range keep the words of their values; a pose is evaluated
 * only where a range begins or ends between two keys.
 */
import { aniTrack, keyRotation, keyTime, setKeyRotation, strideOf } from '../codecs/ani.ts'
import type { AniCoding, AniDocument, AniTrack } from '../codecs/ani.ts'
import type { PackMode } from '../codecs/rotation.ts'

/** Rotation x, y, z, w and position of a bone in its parent's space of the file. */
export interface BonePose {
  rotation: ArrayLike<number>
  position: ArrayLike<number>
}

/** A copy that shares no memory with the original. */
export function copyAni(document: AniDocument): AniDocument {
  return {
    ...document,
    diagnostics: [],
    events: document.events.map((event) => ({ ...event, time: event.time.slice() })),
    tracks: document.tracks.map(({ bone, weight, words, range }) => aniTrack(bone, weight.slice(), words.slice(), range)),
    trailing: document.trailing.slice(),
  }
}

/** One record with a pose at a time, as a track of its own. */
export function poseRecord(
  coding: AniCoding,
  { bone, weight }: Pick<AniTrack, 'bone' | 'weight'>,
  time: number,
  { rotation, position }: BonePose,
  mode: PackMode,
): AniTrack {
  const stride = strideOf(coding)
  const record = aniTrack(bone, weight, new Uint32Array(stride))
  setKeyRotation(coding, record, 0, rotation, mode)
  record.floats.set([position[0], position[1], position[2]], stride - 4)
  record.words[stride - 1] = time
  return record
}

/** A record with the pose that the track has at `time`. */
export function recordAt(coding: AniCoding, track: AniTrack, time: number, mode: PackMode): AniTrack {
  const stride = strideOf(coding)
  const n = track.words.length / stride
  const q = [0, 0, 0, 1],
    t = [0, 0, 0]
  if (n) {
    let k = 0
    while (k + 1 < n && keyTime(coding, track, k + 1) <= time) k++
    const next = Math.min(n - 1, k + 1)
    const t0 = keyTime(coding, track, k),
      t1 = keyTime(coding, track, next)
    const f = t1 > t0 ? Math.max(0, Math.min(1, (time - t0) / (t1 - t0))) : 0
    const a = [0, 0, 0, 0],
      b = [0, 0, 0, 0]
    keyRotation(coding, track, k, a)
    keyRotation(coding, track, next, b)
    const sign = a.reduce((sum, x, c) => sum + x * b[c], 0) < 0 ? -1 : 1
    for (let c = 0; c < 4; c++) q[c] = a[c] * (1 - f) + b[c] * sign * f
    const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1
    for (let c = 0; c < 4; c++) q[c] /= length
    for (let c = 0; c < 3; c++) t[c] = track.floats[(k + 1) * stride - 4 + c] * (1 - f) + track.floats[(next + 1) * stride - 4 + c] * f
  }
  return poseRecord(coding, track, time, { rotation: q, position: t }, mode)
}

/**
 * Cuts a document to a range, whose start becomes time 0; all in ms.
 * @param eventsAtEnd whether events at the very end stay: of a part that another one follows they are that one's
 */
export function cutAni(document: AniDocument, start: number, end: number, mode: PackMode, eventsAtEnd = true): void {
  document.tracks = document.tracks.map((track) => cutTrack(document, track, start, end, mode))
  // one at no time that there is stays with both parts
  document.events = document.events.filter(({ time: [time] }) => !(time < start || time > end || (time === end && !eventsAtEnd)))
  for (const { time } of document.events) if (start !== 0 && !Number.isNaN(time[0])) time[0] -= start
  document.totalTime = end - start
}

function cutTrack({ coding }: AniDocument, given: AniTrack, start: number, end: number, mode: PackMode): AniTrack {
  const track = inOrder(coding, given)
  const stride = strideOf(coding)
  const times = timesOf(coding, track)
  const kept: Uint32Array[] = times.flatMap((time, k) =>
    time >= start && time <= end ? [track.words.slice(k * stride, (k + 1) * stride)] : [],
  )
  const at = (time: number): Uint32Array => recordAt(coding, track, time, mode).words
  if (times.some((time) => time < start) && !times.includes(start)) kept.unshift(at(start))
  if (times.some((time) => time > end) && !times.includes(end) && (end > start || kept.length === 0)) kept.push(at(end))
  for (const words of kept) words[stride - 1] -= start
  return ofRecords(track, kept, stride)
}

/** What a join puts in for a bone that one of the two says nothing of: it is at rest there. */
export type RestOf = (bone: string) => BonePose | undefined

/**
 * Milliseconds from the start of a clip to that of one of the same coding that is put behind it: its end where every bone stands there as the other
 * begins, so that the parts of a split are one again, else one more.
 */
export function offsetBehind({ coding, tracks }: AniDocument, end: number, other: AniDocument): number {
  const stride = strideOf(coding)
  const posesAt = (list: readonly AniTrack[], which: 0 | -1): Map<string, string> =>
    new Map(
      list.map((track) => {
        const record = recordsOf(coding, inOrder(coding, track), 0).at(which)
        return [nameOf(track), record ? record.subarray(0, stride - 1).join() : '']
      }),
    )
  const [there, here] = [posesAt(tracks, -1), posesAt(other.tracks, 0)]
  return there.size === here.size && [...there].every(([bone, pose]) => here.get(bone) === pose) ? end : end + 1
}

/**
 * Puts a document of the same coding behind another one.
 * @param end of the first, ms
 * @param offset ms from its start to that of the second (`offsetBehind`)
 */
export function joinAni(document: AniDocument, end: number, other: AniDocument, offset: number, restOf: RestOf, mode: PackMode): void {
  const { coding } = document
  const stride = strideOf(coding)
  const resting = (track: AniTrack, ...times: number[]): Uint32Array[] => {
    const pose = restOf(track.bone.text)
    return pose ? times.map((time) => poseRecord(coding, track, time, pose, mode).words) : []
  }
  const behind = new Map(other.tracks.map((track) => [nameOf(track), track]))
  // stands there already where the first one has a key at its end, or holds it and nothing follows
  const said = (records: readonly Uint32Array[], last: Uint32Array | undefined): boolean =>
    offset === end && records.length > 0 && records[0][stride - 1] === end && (last?.[stride - 1] === end || records.length === 1)
  const following = (track: AniTrack, last?: Uint32Array): Uint32Array[] => {
    const records = recordsOf(coding, inOrder(coding, track), offset)
    return said(records, last) ? records.slice(1) : [...heldFrom(records[0], offset, stride), ...records]
  }
  document.tracks = document.tracks.map((given) => {
    const track = inOrder(coding, given)
    const records = recordsOf(coding, track, 0)
    const next = behind.get(nameOf(track))
    behind.delete(nameOf(track))
    return ofRecords(
      track,
      [
        ...records,
        ...(offset === end ? [] : heldUntil(records.at(-1), end, stride)),
        ...(next ? following(next, records.at(-1)) : resting(track, offset)),
      ],
      stride,
    )
  })
  for (const track of behind.values()) document.tracks.push(ofRecords(track, [...resting(track, 0, end), ...following(track)], stride))
  document.events.push(...other.events.map((event) => ({ ...event, time: Float32Array.of(event.time[0] + offset) })))
  document.totalTime = offset + other.totalTime
}

/** A track holds its last key: said once more where its clip ends, so that it does not move towards the next clip's first. */
function heldUntil(last: Uint32Array | undefined, end: number, stride: number): Uint32Array[] {
  return last && last[stride - 1] < end ? [at(last, end, stride)] : []
}

/** The same in front of a clip's first key. */
function heldFrom(first: Uint32Array | undefined, start: number, stride: number): Uint32Array[] {
  return first && first[stride - 1] > start ? [at(first, start, stride)] : []
}

const nameOf = ({ bone }: AniTrack): string => bone.text.toLowerCase()

function at(record: Uint32Array, time: number, stride: number): Uint32Array {
  const held = record.slice()
  held[stride - 1] = time
  return held
}

function recordsOf(coding: AniCoding, track: AniTrack, by: number): Uint32Array[] {
  const stride = strideOf(coding)
  return timesOf(coding, track).map((time, k) => at(track.words.subarray(k * stride, (k + 1) * stride), time + by, stride))
}

function timesOf(coding: AniCoding, track: AniTrack): number[] {
  return Array.from({ length: track.words.length / strideOf(coding) }, (_, k) => keyTime(coding, track, k))
}

/** Records by time: damaged files have them in any order. */
function inOrder(coding: AniCoding, track: AniTrack): AniTrack {
  const times = timesOf(coding, track)
  if (times.every((time, k) => k === 0 || times[k - 1] <= time)) return track
  const stride = strideOf(coding)
  const order = [...times.keys()].sort((a, b) => times[a] - times[b] || a - b)
  return ofRecords(
    track,
    order.map((k) => track.words.slice(k * stride, (k + 1) * stride)),
    stride,
  )
}

function ofRecords({ bone, weight, range }: AniTrack, records: readonly Uint32Array[], stride: number): AniTrack {
  const words = new Uint32Array(records.length * stride)
  records.forEach((record, i) => words.set(record, i * stride))
  return aniTrack(bone, weight, words, range)
}
