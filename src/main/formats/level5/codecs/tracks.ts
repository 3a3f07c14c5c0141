/** Tracks of a track list in memory: their keys, new ones, and how a list grows and shrinks with its distances kept true. */
import { FormatError } from '../../../binary/format-error.ts'
import { say } from '../texts/index.ts'
import type { Document, SourceRange } from '../../format.ts'

export const HEADER_SIZE = 0x20

/** 32-bit words of a key: frame, 3 x pad, 4 x value */
export const KEY_WORDS = 8

export interface TrackNode {
  /** range in the file it was read from */
  range: SourceRange
  node: number
  target: number
  type: number
  headerSize: number
  /** as declared; setKeys keeps it true */
  keyCount: number
  /** bytes from this header to the next, 0 = stop */
  next: number
  word6: number
  word7: number
  /** 8 words per key: frame, 3 pads, the bits of 4 floats */
  keys: Uint32Array
  /** bytes between the last key and the next header; empty in every known file */
  gap: Uint8Array
}

export interface TrackListDocument extends Document {
  tracks: TrackNode[]
  /** `next` says nothing here: tracks follow one another by their key counts, as the public specs read a file */
  byCount?: true
  /** tracks behind a stop flag, up to the end of the file: the engine does not come to them */
  unread: TrackNode[]
  /** bytes behind the list */
  trailing: Uint8Array
}

export const NOTHING = new Uint8Array(0)

export function keyTotal(track: TrackNode): number {
  return track.keys.length / KEY_WORDS
}

/** The same memory as `track.keys`, as floats: value c of key k is at 8k + 4 + c. */
export function keyFloats(track: TrackNode): Float32Array {
  return new Float32Array(track.keys.buffer, track.keys.byteOffset, track.keys.length)
}

/** Frames of a track (vertex numbers in a WGT). */
export function keyFrames(track: TrackNode): Uint32Array {
  const n = keyTotal(track)
  const out = new Uint32Array(n)
  for (let k = 0; k < n; k++) out[k] = track.keys[KEY_WORDS * k]
  return out
}

/** Gives a track other keys; the count follows, and the distance to the next header where it was one. */
export function setKeys(track: TrackNode, keys: Uint32Array): void {
  const isDistance = track.next === track.headerSize + track.keys.byteLength + track.gap.length
  track.keys = keys
  track.keyCount = keys.length / KEY_WORDS
  if (isDistance) track.next = track.headerSize + keys.byteLength + track.gap.length
}

/** Puts a track into the list; the stop flag stays with the last track where the file has one. */
export function insertTrack(list: TrackListDocument, at: number, track: TrackNode): void {
  const last = list.tracks.at(-1)
  const stops = !last || last.next === 0
  if (list.byCount && stops) track.next = 0
  list.tracks.splice(at, 0, track)
  refreshNext(list, stops)
}

export function removeTrack(list: TrackListDocument, at: number): void {
  const stops = list.tracks.at(-1)?.next === 0
  list.tracks.splice(at, 1)
  refreshNext(list, stops)
}

function refreshNext(list: TrackListDocument, stops: boolean): void {
  if (list.byCount) return
  list.tracks.forEach((track, i) => {
    const size = track.headerSize + track.keys.byteLength + track.gap.length
    const last = i === list.tracks.length - 1
    if (last && stops) track.next = 0
    else if (!last && track.next === 0) track.next = size
    else if (track.next === 0 || (last && !stops)) track.next = size
  })
}

/** A track from values. `values` holds `width` floats per key; unused floats and pads are zero. */
export function newTrack(init: {
  node: number
  target?: number
  type: number
  frames: ArrayLike<number>
  values: ArrayLike<number>
  words?: readonly [number, number]
}): TrackNode {
  const n = init.frames.length
  const width = n > 0 ? init.values.length / n : 0
  if (!Number.isInteger(width) || width > 4)
    throw new FormatError('invalid-argument', say('codecs.tracks.valuesDoNotFit', { values: init.values.length, keys: n }))
  const keys = new Uint32Array(KEY_WORDS * n)
  const floats = new Float32Array(keys.buffer)
  for (let k = 0; k < n; k++) {
    keys[KEY_WORDS * k] = init.frames[k]
    for (let c = 0; c < width; c++) floats[KEY_WORDS * k + 4 + c] = init.values[k * width + c]
  }
  return {
    range: { start: 0, end: 0 },
    node: init.node,
    target: init.target ?? 0,
    type: init.type,
    headerSize: HEADER_SIZE,
    keyCount: n,
    next: HEADER_SIZE + keys.byteLength,
    word6: init.words?.[0] ?? 0,
    word7: init.words?.[1] ?? 0,
    keys,
    gap: NOTHING,
  }
}

/** A track list from tracks in their order, with the stop flag on the last one. */
export function newTrackList(format: 'level5.mot' | 'level5.wgt', tracks: TrackNode[], ref = ''): TrackListDocument {
  const list: TrackListDocument = { format, ref, diagnostics: [], tracks: [], unread: [], trailing: NOTHING }
  list.tracks.push(...tracks)
  refreshNext(list, true)
  return list
}
