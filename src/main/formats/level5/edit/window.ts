/**
 * Windows of a track list: cut out into an animation of its own, and put back.
 *
 * Cut: poses at both ends are evaluated where no key stands, keys between keep every bit, frames count from 1 again.
 * Put back: a track that is as it was cut leaves the master untouched; another replaces the keys of the window, and the
 * frames next to the window keep their pose (windows share boundaries, and a motion must not change because its neighbour did).
 */
import { concat } from '../../../binary/concat.ts'
import { keyBefore } from '../../../../shared/scene/pose.ts'
import { slerp } from '../../../../shared/scene/matrix.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { KEY_WORDS, insertTrack, keyFloats, keyTotal, newTrackList, setKeys } from '../codecs/tracks.ts'
import { TRACK_TYPE, isKnownType } from '../codecs/track-types.ts'
import { newMot } from '../make.ts'
import { say } from '../texts/index.ts'
import type { MotDocument } from '../codecs/mot.ts'
import type { TrackListDocument, TrackNode } from '../codecs/tracks.ts'

/** Frame that an animation of its own begins with. */
export const FIRST = 1

/** Key numbers in ascending order of frames; of several on one frame the later one stands later. */
function ascending(track: TrackNode): number[] {
  const order = Array.from({ length: keyTotal(track) }, (_, k) => k)
  return order.sort((a, b) => track.keys[KEY_WORDS * a] - track.keys[KEY_WORDS * b] || a - b)
}

function isStepped(type: number): boolean {
  return type === TRACK_TYPE.visibility || type === TRACK_TYPE.visibilityTree || !isKnownType(type)
}

/** The key record of a track at a frame: the key that stands there, or one evaluated as the game would. No keys: undefined. */
export function keyAtFrame(track: TrackNode, frame: number, order = ascending(track)): Uint32Array | undefined {
  if (!order.length) return undefined
  const frames = order.map((k) => track.keys[KEY_WORDS * k])
  const before = keyBefore(frames, frame)
  const record = (i: number): Uint32Array => track.keys.slice(KEY_WORDS * order[i], KEY_WORDS * order[i] + KEY_WORDS)
  const out = record(Math.max(0, before))
  if (before >= 0 && frames[before] !== frame && before + 1 < order.length && !isStepped(track.type)) {
    const floats = keyFloats(track)
    const a = KEY_WORDS * order[before] + 4
    const b = KEY_WORDS * order[before + 1] + 4
    const t = (frame - frames[before]) / (frames[before + 1] - frames[before])
    const values = new Float32Array(out.buffer, 16, 4)
    if (track.type === TRACK_TYPE.rotation) slerp(values, 0, floats, a, floats, b, t)
    // an unused float that holds the same bits in both keys keeps them
    else
      for (let c = 0; c < 4; c++)
        if (track.keys[a + c] !== track.keys[b + c]) values[c] = floats[a + c] + (floats[b + c] - floats[a + c]) * t
  }
  out[0] = frame
  return out
}

function cutKeys(track: TrackNode, start: number, end: number): Uint32Array {
  const order = ascending(track)
  const inside = order
    .filter((k) => track.keys[KEY_WORDS * k] >= start && track.keys[KEY_WORDS * k] <= end)
    .map((k) => track.keys.slice(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS))
  const records: Uint32Array[] = [...inside]
  if (order.length) {
    if (inside[0]?.[0] !== start) records.unshift(keyAtFrame(track, start, order)!)
    if (records.at(-1)![0] !== end) records.push(keyAtFrame(track, end, order)!)
  }
  for (const record of records) record[0] = record[0] - start + FIRST
  return concat(Uint32Array, records)
}

function checkWindow(start: number, end: number): void {
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start)
    throw new FormatError('invalid-edit', say('edit.slices.wholeFrames', { start, end }))
}

/** The window [start, end] as an animation of its own; end is part of it as a pose. */
export function cutWindow(list: TrackListDocument, start: number, end: number): MotDocument {
  checkWindow(start, end)
  return newMot(
    list.tracks.map((track) => {
      const keys = cutKeys(track, start, end)
      return {
        ...track,
        range: { start: 0, end: 0 },
        keys,
        keyCount: keys.length / KEY_WORDS,
        next: track.headerSize + keys.byteLength,
        gap: new Uint8Array(0),
      }
    }),
  )
}

function sameKeys(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((v, i) => v === b[i])
}

function sameValues(a: Uint32Array | undefined, b: Uint32Array | undefined): boolean {
  if (!a || !b) return a === b
  const x = new Float32Array(a.buffer, a.byteOffset, a.length)
  const y = new Float32Array(b.buffer, b.byteOffset, b.length)
  for (let c = 4; c < KEY_WORDS; c++) if (a[c] !== b[c] && !(Math.abs(x[c] - y[c]) <= 1e-6 * Math.max(1, Math.abs(x[c])))) return false
  return true
}

/**
 * Puts a window back. Throws `invalid-edit` when the animation is longer than the window.
 * @param rest values that a node has without the track, where known: a track that is new to the master goes back to them outside
 */
export function pasteWindow(
  list: TrackListDocument,
  start: number,
  end: number,
  window: TrackListDocument,
  rest: (track: TrackNode) => readonly number[] | undefined = () => undefined,
): void {
  checkWindow(start, end)
  const length = end - start + FIRST
  window.tracks.forEach((track, i) => {
    for (let k = 0; k < track.keys.length; k += KEY_WORDS) {
      const frame = track.keys[k]
      if (frame < FIRST || frame > length)
        throw new FormatError('invalid-edit', say('edit.slices.keyOutside', { frame, first: FIRST, last: length }), {
          file: window.ref,
          path: `tracks[${i}].keys`,
        })
    }
  })
  const cut = newTrackList('level5.mot', cutWindow(list, start, end).tracks)
  const seen = new Map<string, number>()
  const idOf = (track: TrackNode, counts: Map<string, number>): string => {
    const plain = `${track.node}/${track.target}/${track.type}`
    const n = counts.get(plain) ?? 0
    counts.set(plain, n + 1)
    return `${plain}/${n}`
  }
  const masters = new Map<string, number>()
  const counts = new Map<string, number>()
  list.tracks.forEach((track, i) => masters.set(idOf(track, counts), i))
  for (const track of window.tracks) {
    const at = masters.get(idOf(track, seen))
    if (at === undefined) addTrack(list, start, end, track, rest(track))
    else if (!sameKeys(track.keys, cut.tracks[at].keys)) replaceKeys(list.tracks[at], start, end, track)
  }
}

function replaceKeys(master: TrackNode, start: number, end: number, window: TrackNode): void {
  const order = ascending(master)
  const record = (k: number): Uint32Array => master.keys.slice(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS)
  const before = order.filter((k) => master.keys[KEY_WORDS * k] < start).map(record)
  const after = order.filter((k) => master.keys[KEY_WORDS * k] > end).map(record)
  const left = start > 0 ? keyAtFrame(master, start - 1, order) : undefined
  const right = keyAtFrame(master, end + 1, order)
  const inside = new Uint32Array(cutKeys(window, FIRST, end - start + FIRST))
  for (let k = 0; k < inside.length; k += KEY_WORDS) inside[k] += start - FIRST
  const make = (...parts: Uint32Array[]): TrackNode => ({ ...master, keys: concat(Uint32Array, parts) })
  // the frames beside the window must show what they showed: a key goes in where they would not
  const pad: { left: Uint32Array[]; right: Uint32Array[] } = { left: [], right: [] }
  const trial = make(...before, inside, ...after)
  if (left && !sameValues(left, keyAtFrame(trial, start - 1))) pad.left.push(left)
  if (right && !sameValues(right, keyAtFrame(trial, end + 1))) pad.right.push(right)
  setKeys(master, concat(Uint32Array, [...before, ...pad.left, inside, ...pad.right, ...after]))
}

function addTrack(list: TrackListDocument, start: number, end: number, track: TrackNode, rest: readonly number[] | undefined): void {
  const keys = track.keys.slice()
  for (let k = 0; k < keys.length; k += KEY_WORDS) keys[k] += start - FIRST
  const edge = (frame: number): Uint32Array => {
    const out = new Uint32Array(KEY_WORDS)
    out[0] = frame
    new Float32Array(out.buffer).set(rest!.slice(0, 4), 4)
    return out
  }
  const parts: Uint32Array[] = [keys]
  if (rest && keys.length) {
    if (start > FIRST) parts.unshift(edge(start - 1))
    parts.push(edge(end + 1))
  }
  const added: TrackNode = { ...track, range: { start: 0, end: 0 }, keys: new Uint32Array(0), keyCount: 0, next: 0, gap: new Uint8Array(0) }
  const [first, last] = reachOf(list)
  insertTrack(list, list.tracks.length, added)
  setKeys(added, concat(Uint32Array, parts))
  // other windows show it as well
  coverFrames(added, first, last)
}

/** First and last frame that any track has a key on. */
function reachOf({ tracks }: TrackListDocument): [number, number] {
  let [first, last] = [Infinity, -Infinity]
  for (const { keys } of tracks)
    for (let k = 0; k < keys.length; k += KEY_WORDS) [first, last] = [Math.min(first, keys[k]), Math.max(last, keys[k])]
  return [first, last]
}

/** Keys before and behind those of a track, of what they hold: where it has none the games take no hold of it, nor of what stands before its keys. */
export function coverFrames(track: TrackNode, first: number, last: number): void {
  const order = ascending(track)
  if (order.length === 0) return
  const frameOf = (k: number): number => track.keys[KEY_WORDS * k]
  const before = frameOf(order[0]) > first ? [keyAtFrame(track, first, order)!] : []
  const behind = frameOf(order.at(-1)!) < last ? [keyAtFrame(track, last, order)!] : []
  if (before.length + behind.length > 0) setKeys(track, concat(Uint32Array, [...before, track.keys, ...behind]))
}
