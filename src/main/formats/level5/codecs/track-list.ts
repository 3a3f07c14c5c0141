/**
 * The track list: one container for MOT (animation) and WGT (skin weights).
 *
 * Track header 0x20: i32 node, i32 target, i32 type, i32 header size, i32 key count, i32 bytes to the next header
 * (0 on the last one: the engine's stop flag), u32 x 2 uninitialised memory. Key 0x20: u32 frame (WGT: vertex),
 * 12 bytes pad, f32 x 4. The public specs call words 6 and 7 "magic": they differ from file to file [V].
 */
import { FormatError } from '../../../binary/format-error.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Document, SourceRange, StructureNode } from '../../format.ts'

const HEADER_SIZE = 0x20
const KEY_SIZE = 0x20
/** 32-bit words of a key: frame, 3 x pad, 4 x value */
export const KEY_WORDS = 8

/** What a track drives. Ids from the engines of both games. */
export const TRACK_TYPE = {
  rotation: 0,
  scale: 1,
  translation: 2,
  vertex: 12,
  weights: 20,
  weightsAveraged: 21,
  cameraPosition: 30,
  cameraTarget: 31,
  cameraRoll: 32,
  cameraFov: 33,
  transparency: 40,
  color: 41,
  visibility: 50,
  visibilityTree: 51,
} as const

const TYPE_LABEL: Readonly<Record<number, string>> = {
  0: 'rotation',
  1: 'scale',
  2: 'translation',
  12: 'vertex position',
  20: 'skin weights',
  21: 'skin weights, averaged',
  30: 'camera position',
  31: 'camera target',
  32: 'camera roll',
  33: 'camera field of view',
  40: 'material transparency',
  41: 'material colour',
  50: 'visibility',
  51: 'visibility with children',
}

/** Names of the values that a type uses, in file order; the rest of the four floats is unused. */
const TYPE_COMPONENTS: Readonly<Record<number, readonly string[]>> = {
  0: ['w', 'x', 'y', 'z'],
  1: ['x', 'y', 'z'],
  2: ['x', 'y', 'z'],
  12: ['x', 'y', 'z'],
  20: ['weight'],
  21: ['weight'],
  30: ['x', 'y', 'z'],
  31: ['x', 'y', 'z'],
  32: ['x'],
  33: ['x'],
  40: ['x'],
  41: ['r', 'g', 'b'],
  50: ['x'],
  51: ['x'],
}

export function typeLabel(type: number): string {
  return TYPE_LABEL[type] ?? 'unknown'
}

export function isKnownType(type: number): boolean {
  return type in TYPE_LABEL
}

/** All four values for an unknown type. */
export function typeComponents(type: number): readonly string[] {
  return TYPE_COMPONENTS[type] ?? ['x', 'y', 'z', 'w']
}

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

const NOTHING = new Uint8Array(0)
/** shared: keys are replaced, never grown in place */
const NO_KEYS = new Uint32Array(0)

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
  if (!Number.isInteger(width) || width > 4) throw new FormatError('invalid-argument', `${init.values.length} values do not fit ${n} keys`)
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

/**
 * Is `next` no distance in this file? The engine walks by it; the public specs call it unknown and read header after header by their key
 * counts. Where every `next` is 0, or one leads to what is no header, and the counts lead exactly to the end, the counts are right.
 */
function readsByCount(view: DataView, size: number): boolean {
  let at = 0
  let tracks = 0
  let zeros = 0
  let astray = false
  while (at + HEADER_SIZE <= size) {
    const keyCount = view.getInt32(at + 16, true)
    if (view.getInt32(at + 12, true) !== HEADER_SIZE || keyCount < 0) return false
    const next = view.getInt32(at + 20, true)
    const end = at + HEADER_SIZE + KEY_SIZE * keyCount
    if (next === 0) zeros++
    else if (
      next !== end - at &&
      (at + next + HEADER_SIZE > size || next < HEADER_SIZE || view.getInt32(at + next + 12, true) !== HEADER_SIZE)
    )
      astray = true
    at = end
    tracks++
  }
  return at === size && tracks > 1 && (zeros === tracks || astray)
}

/** Is what stands behind a stop flag nothing but whole tracks? Then they are shown as such. */
function isTracksToEnd(view: DataView, from: number, size: number): boolean {
  let at = from
  while (at + HEADER_SIZE <= size) {
    const nodeIndex = view.getInt32(at, true)
    const type = view.getInt32(at + 8, true)
    const keyCount = view.getInt32(at + 16, true)
    const next = view.getInt32(at + 20, true)
    const full = HEADER_SIZE + KEY_SIZE * keyCount
    if (
      view.getInt32(at + 12, true) !== HEADER_SIZE ||
      nodeIndex < -1 ||
      nodeIndex >= 0x10000 ||
      type < 0 ||
      type >= 0x1000 ||
      keyCount < 0 ||
      (next !== 0 && next !== full)
    )
      return false
    at += full
  }
  return at === size && at > from
}

/** A track with the keys that it holds; what is left up to its end is its gap. The keys are a window on the view's memory. */
function trackAt(view: DataView, at: number, held: number, end: number): TrackNode {
  const keysAt = at + HEADER_SIZE
  const keysEnd = keysAt + KEY_SIZE * held
  const { buffer } = view as DataView<ArrayBuffer>
  return {
    range: { start: at, end },
    node: view.getInt32(at, true),
    target: view.getInt32(at + 4, true),
    type: view.getInt32(at + 8, true),
    headerSize: view.getInt32(at + 12, true),
    keyCount: view.getInt32(at + 16, true),
    next: view.getInt32(at + 20, true),
    word6: view.getUint32(at + 24, true),
    word7: view.getUint32(at + 28, true),
    keys:
      held === 0
        ? NO_KEYS
        : at % 4 === 0
          ? new Uint32Array(buffer, keysAt, KEY_WORDS * held)
          : new Uint32Array(buffer.slice(keysAt, keysEnd)),
    gap: end > keysEnd ? new Uint8Array(buffer.slice(keysEnd, end)) : NOTHING,
  }
}

/**
 * Reads a track list. It ends at a header whose `next` is 0, or at the end of the file. Throws FormatError when the
 * first bytes are no header or a header promises keys that the file does not hold.
 */
export function decodeTrackList(format: 'level5.mot' | 'level5.wgt', bytes: Uint8Array, ref: string): TrackListDocument {
  const diagnostics = new Diagnostics(ref)
  const list: TrackListDocument = { format, ref, diagnostics: diagnostics.list, tracks: [], unread: [], trailing: NOTHING }
  const size = bytes.length
  // one copy of the whole file; every track's keys are a window on it
  const buffer = new ArrayBuffer(size + 3 - ((size + 3) % 4))
  new Uint8Array(buffer).set(bytes)
  const view = new DataView(buffer)
  const byCount = readsByCount(view, size)
  if (byCount) {
    list.byCount = true
    diagnostics.add(
      'warning',
      'level5.track-next',
      'the distances to the next track are none: read by the key counts, as the public specs do; the game walks by the distances',
      'tracks[0].next',
      20,
    )
  }
  let at = 0
  for (;;) {
    const left = size - at
    if (left < HEADER_SIZE) {
      if (list.tracks.length === 0) {
        throw new FormatError('truncated', `a track header needs ${HEADER_SIZE} bytes, ${left} are left`, {
          file: ref,
          offset: at,
          path: 'tracks[0]',
          expected: `${HEADER_SIZE} bytes`,
          actual: `${left} bytes`,
        })
      }
      if (left > 0) {
        diagnostics.add(
          'warning',
          'level5.track-list-tail',
          `the last track points to ${left} more bytes, which are no header`,
          `tracks[${list.tracks.length}]`,
          at,
        )
        list.trailing = bytes.slice(at)
      }
      break
    }
    const headerSize = view.getInt32(at + 12, true)
    if (headerSize !== HEADER_SIZE) {
      if (list.tracks.length === 0) {
        throw new FormatError('bad-magic', `not a track list: its header size is ${headerSize}`, {
          file: ref,
          offset: at + 12,
          path: 'tracks[0].headerSize',
          expected: String(HEADER_SIZE),
          actual: String(headerSize),
        })
      }
      diagnostics.add(
        'warning',
        'level5.track-list-tail',
        `what follows the last track is no header (header size ${headerSize}); kept as it is`,
        `tracks[${list.tracks.length}]`,
        at,
      )
      list.trailing = bytes.slice(at)
      break
    }
    const keyCount = view.getInt32(at + 16, true)
    const next = view.getInt32(at + 20, true)
    const full = HEADER_SIZE + KEY_SIZE * keyCount
    let held = keyCount
    if (!byCount && next >= HEADER_SIZE && next < full && next <= left) {
      // the next header stands inside the keys: the engine walks by `next`, so do we
      held = Math.floor((next - HEADER_SIZE) / KEY_SIZE)
      diagnostics.add(
        'error',
        'level5.track-overlap',
        `${keyCount} keys do not fit the ${next} bytes to the next track; ${held} are read`,
        `tracks[${list.tracks.length}].keyCount`,
        at + 16,
      )
    } else if (keyCount < 0 || full > left) {
      throw new FormatError(
        keyCount >= 0 && (next === 0 || next === full) ? 'truncated' : 'bad-count',
        `track ${list.tracks.length} has ${keyCount} keys, ${left - HEADER_SIZE} bytes are left for keys of ${KEY_SIZE}`,
        {
          file: ref,
          offset: at + 16,
          path: `tracks[${list.tracks.length}].keyCount`,
          expected: `at most ${Math.floor((left - HEADER_SIZE) / KEY_SIZE)}`,
          actual: String(keyCount),
        },
      )
    }
    const keysEnd = at + HEADER_SIZE + KEY_SIZE * held
    const stop = byCount ? keysEnd === size : next === 0 || next < HEADER_SIZE || next >= left
    const end = stop || byCount ? keysEnd : at + next
    const track = trackAt(view, at, held, end)
    if (track.gap.length)
      diagnostics.add(
        'info',
        'level5.track-gap',
        `${track.gap.length} bytes between the keys and the next track`,
        `tracks[${list.tracks.length}].gap`,
        keysEnd,
      )
    list.tracks.push(track)
    if (stop) {
      if (!byCount && next !== 0 && next !== size - at)
        diagnostics.add(
          'warning',
          'level5.track-next',
          `the distance to the next track is ${next}, but the file has ${left} bytes from here`,
          `tracks[${list.tracks.length - 1}].next`,
          at + 20,
        )
      if (next === 0 && isTracksToEnd(view, keysEnd, size)) {
        for (let from = keysEnd; from < size; from = list.unread.at(-1)!.range.end) {
          const count = view.getInt32(from + 16, true)
          list.unread.push(trackAt(view, from, count, from + HEADER_SIZE + KEY_SIZE * count))
        }
        diagnostics.add(
          'warning',
          'level5.track-list-tail',
          `${list.unread.length} more tracks stand behind the stop flag; the game does not read them`,
          'unread[0]',
          keysEnd,
        )
      } else if (keysEnd < size) {
        list.trailing = bytes.slice(keysEnd)
        diagnostics.add(
          'info',
          'level5.track-list-tail',
          `${list.trailing.length} bytes behind the last track; the game does not read them`,
          'trailing',
          keysEnd,
        )
      }
      break
    }
    at = end
  }
  return list
}

export function encodeTrackList(list: TrackListDocument, out: Writer): void {
  for (const track of [...list.tracks, ...list.unread]) {
    out.i32(track.node)
    out.i32(track.target)
    out.i32(track.type)
    out.i32(track.headerSize)
    out.i32(track.keyCount)
    out.i32(track.next)
    out.u32(track.word6)
    out.u32(track.word7)
    out.raw(track.keys)
    if (track.gap.length) out.opaque(track.gap)
  }
  if (list.trailing.length) out.opaque(list.trailing)
}

/** Start of each track in the bytes that encode would write now, those behind the stop flag last. */
export function trackOffsets(list: TrackListDocument): number[] {
  let at = 0
  return [...list.tracks, ...list.unread].map((track) => {
    const start = at
    at += HEADER_SIZE + track.keys.byteLength + track.gap.length
    return start
  })
}

/** What the fields are called in the two files. */
export interface TrackListNames {
  type: string
  node: string
  target: string
  frame: string
  note(track: TrackNode): string
}

export function describeTrackList(list: TrackListDocument, names: TrackListNames): StructureNode {
  const offsets = trackOffsets(list)
  let end = 0
  const children = [...list.tracks, ...list.unread].map((track, i) => {
    const at = offsets[i]
    const keysAt = at + HEADER_SIZE
    const keysEnd = keysAt + track.keys.byteLength
    end = keysEnd + track.gap.length
    const n = keyTotal(track)
    const components = typeComponents(track.type)
    const disputed = track.type === TRACK_TYPE.transparency
    const fields = [
      field(names.node, 'i32', at, 4, track.node),
      field(names.target, 'i32', at + 4, 4, track.target),
      field('type', 'i32', at + 8, 4, `${track.type} ${typeLabel(track.type)}`, {
        unknown: !isKnownType(track.type) || disputed,
        note: disputed ? 'the public spec reads uniform scale; engines and samples say transparency, alpha = 1 - x' : undefined,
      }),
      field('headerSize', 'i32', at + 12, 4, track.headerSize),
      field('keyCount', 'i32', at + 16, 4, track.keyCount),
      field('next', 'i32', at + 20, 4, track.next, { note: 'bytes to the next header; 0 on the last track' }),
      field('word6', 'u32', at + 24, 4, `0x${track.word6.toString(16)}`, { unknown: true, note: 'uninitialised memory' }),
      field('word7', 'u32', at + 28, 4, `0x${track.word7.toString(16)}`, { unknown: true, note: 'uninitialised memory' }),
    ]
    if (n)
      fields.push(
        field(
          'keys',
          `{u32 ${names.frame}, pad[12], ${components.map((c) => `f32 ${c}`).join(', ')}${components.length < 4 ? `, pad[${16 - 4 * components.length}] unused` : ''}} x ${n}`,
          keysAt,
          track.keys.byteLength,
          showKeys(track, components.length),
          { entries: { what: names.frame } },
        ),
      )
    if (track.gap.length) fields.push(field('gap', `u8[${track.gap.length}]`, keysEnd, track.gap.length, track.gap, { unknown: true }))
    const behind = i - list.tracks.length
    return node(behind < 0 ? `tracks[${i}]` : `unread[${behind}]`, names.type, { start: at, end }, fields, [], {
      summary: `${names.note(track)}${behind < 0 ? '' : ', behind the stop flag'}`,
    })
  })
  const fields = []
  if (list.trailing.length)
    fields.push(
      field('trailing', `u8[${list.trailing.length}]`, end, list.trailing.length, list.trailing, {
        unknown: true,
        note: 'the game stops before it',
      }),
    )
  return node('', list.format, { start: 0, end: end + list.trailing.length }, fields, children, { summary: `${list.tracks.length} tracks` })
}

function showKeys(track: TrackNode, width: number): string {
  const floats = keyFloats(track)
  const n = keyTotal(track)
  const parts: string[] = []
  for (let k = 0; k < Math.min(n, 6); k++) {
    parts.push(
      `${track.keys[KEY_WORDS * k]}: ${Array.from(floats.subarray(KEY_WORDS * k + 4, KEY_WORDS * k + 4 + width), (v) => Number(v.toPrecision(5))).join(' ')}`,
    )
  }
  return parts.join(', ') + (n > 6 ? `, … (${n})` : '')
}

/**
 * Does the beginning look like a track list? Headers are followed as far as `head` reaches. Answers the types seen,
 * undefined for anything that is no list.
 */
export function trackTypesIn(head: Uint8Array, size: number): number[] | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const types: number[] = []
  let at = 0
  while (at + HEADER_SIZE <= head.length) {
    const nodeIndex = view.getInt32(at, true)
    const type = view.getInt32(at + 8, true)
    const keyCount = view.getInt32(at + 16, true)
    const next = view.getInt32(at + 20, true)
    const full = HEADER_SIZE + KEY_SIZE * keyCount
    const sound =
      view.getInt32(at + 12, true) === HEADER_SIZE &&
      nodeIndex >= -1 &&
      nodeIndex < 0x10000 &&
      type >= 0 &&
      type < 0x1000 &&
      keyCount >= 0 &&
      at + full <= size &&
      (next === 0 || (next >= full && at + next <= size))
    if (!sound) return types.length > 0 && at > 0 && view.getInt32(at + 12, true) !== HEADER_SIZE ? types : undefined
    types.push(type)
    if (next === 0) break
    at += next
  }
  return types.length ? types : undefined
}

/** Enough of a header for a file that has the right extension: its decoder then says what is wrong. */
export function hasTrackHeader(head: Uint8Array): boolean {
  if (head.length < HEADER_SIZE) return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const nodeIndex = view.getInt32(0, true)
  const type = view.getInt32(8, true)
  return view.getInt32(12, true) === HEADER_SIZE && nodeIndex >= -1 && nodeIndex < 0x10000 && type >= 0 && type < 0x1000
}
