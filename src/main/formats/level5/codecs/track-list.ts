/**
 * The track list: one container for MOT (animation) and WGT (skin weights).
 *
 * Track header 0x20: i32 node, i32 target, i32 type, i32 header size, i32 key count, i32 bytes to the next header
 * (0 on the last one: the engine's stop flag), u32 x 2 uninitialised memory. Key 0x20: u32 frame (WGT: vertex),
 * 12 bytes pad, f32 x 4. The public specs call words 6 and 7 "magic": they differ from file to file [V].
 */
import { FormatError } from '../../../binary/format-error.ts'
import { ownMemory, type TakeMemory } from '../../../binary/own-memory.ts'
import { isLent } from '../../../binary/lent.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { HEADER_SIZE, KEY_WORDS, NOTHING, keyTotal, keyFloats } from './tracks.ts'
import { typeComponents, TRACK_TYPE, typeLabel, isKnownType } from './track-types.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { StructureNode } from '../../format.ts'
import type { TrackNode, TrackListDocument } from './tracks.ts'

const KEY_SIZE = 0x20

/** shared: keys are replaced, never grown in place */
const NO_KEYS = new Uint32Array(0)

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

/** One copy of the whole file, of which every track's keys are windows; lent bytes are that themselves. */
function ownView(bytes: Uint8Array, memory: TakeMemory): DataView {
  const size = bytes.length
  if (isLent(bytes) && bytes.byteOffset === 0) return new DataView(bytes.buffer, 0, size)
  const own = memory(size + 3 - ((size + 3) % 4))
  own.set(bytes)
  own.fill(0, size)
  return new DataView(own.buffer, 0, own.length)
}

/**
 * Reads a track list. It ends at a header whose `next` is 0, or at the end of the file. Throws FormatError when the
 * first bytes are no header or a header promises keys that the file does not hold.
 */
export function decodeTrackList(
  format: 'level5.mot' | 'level5.wgt',
  bytes: Uint8Array,
  ref: string,
  memory: TakeMemory = ownMemory,
): TrackListDocument {
  const diagnostics = new Diagnostics(ref)
  const list: TrackListDocument = { format, ref, diagnostics: diagnostics.list, tracks: [], unread: [], trailing: NOTHING }
  const size = bytes.length
  const view = ownView(bytes, memory)
  const byCount = readsByCount(view, size)
  if (byCount) {
    list.byCount = true
    diagnostics.add('warning', 'level5.track-next', say('codecs.tracks.byKeyCounts'), 'tracks[0].next', 20)
  }
  let at = 0
  for (;;) {
    const left = size - at
    if (left < HEADER_SIZE) {
      if (list.tracks.length === 0) {
        throw new FormatError('truncated', say('codecs.tracks.headerCut', { needed: HEADER_SIZE, left }), {
          file: ref,
          offset: at,
          path: 'tracks[0]',
          expected: say('files.byteCount', { count: HEADER_SIZE }),
          actual: say('files.byteCount', { count: left }),
        })
      }
      if (left > 0) {
        diagnostics.add(
          'warning',
          'level5.track-list-tail',
          say('codecs.tracks.lastPointsOn', { left }),
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
        throw new FormatError('bad-magic', say('codecs.tracks.notOne', { size: headerSize }), {
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
        say('codecs.tracks.noHeader', { size: headerSize }),
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
        say('codecs.tracks.keysCut', { keys: keyCount, next, held }),
        `tracks[${list.tracks.length}].keyCount`,
        at + 16,
      )
    } else if (keyCount < 0 || full > left) {
      throw new FormatError(
        keyCount >= 0 && (next === 0 || next === full) ? 'truncated' : 'bad-count',
        say('codecs.tracks.keysOutside', { track: list.tracks.length, keys: keyCount, left: left - HEADER_SIZE, size: KEY_SIZE }),
        {
          file: ref,
          offset: at + 16,
          path: `tracks[${list.tracks.length}].keyCount`,
          expected: say('files.atMost', { most: Math.floor((left - HEADER_SIZE) / KEY_SIZE) }),
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
        say('codecs.tracks.gap', { count: track.gap.length }),
        `tracks[${list.tracks.length}].gap`,
        keysEnd,
      )
    list.tracks.push(track)
    if (stop) {
      if (!byCount && next !== 0 && next !== size - at)
        diagnostics.add(
          'warning',
          'level5.track-next',
          say('codecs.tracks.nextOutside', { next, left }),
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
          say('codecs.tracks.unread', { count: list.unread.length }),
          'unread[0]',
          keysEnd,
        )
      } else if (keysEnd < size) {
        list.trailing = bytes.slice(keysEnd)
        diagnostics.add(
          'info',
          'level5.track-list-tail',
          say('codecs.tracks.trailing', { count: list.trailing.length }),
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

/** A node of the model's skeleton. */
const NODE = { use: { is: 'reference', to: 'nodes', none: -1 } } as const
const STRUCTURE = { use: { is: 'structure' } } as const

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
      field(names.node, 'i32', at, 4, track.node, NODE),
      field(names.target, 'i32', at + 4, 4, track.target, names.target === 'bone' ? NODE : {}),
      field('type', 'i32', at + 8, 4, say('codecs.tracks.typeOf', { number: track.type, type: typeLabel(track.type) }), {
        unknown: !isKnownType(track.type) || disputed,
        note: disputed ? say('codecs.tracks.disputed') : undefined,
        ...STRUCTURE,
      }),
      field('headerSize', 'i32', at + 12, 4, track.headerSize, STRUCTURE),
      field('keyCount', 'i32', at + 16, 4, track.keyCount, STRUCTURE),
      field('next', 'i32', at + 20, 4, track.next, { note: say('codecs.tracks.next'), ...STRUCTURE }),
      field('word6', 'u32', at + 24, 4, `0x${track.word6.toString(16)}`, { unknown: true, note: say('codecs.tracks.uninitialised') }),
      field('word7', 'u32', at + 28, 4, `0x${track.word7.toString(16)}`, { unknown: true, note: say('codecs.tracks.uninitialised') }),
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
      summary: behind < 0 ? names.note(track) : say('codecs.tracks.behindStop', { track: names.note(track) }),
    })
  })
  const fields = []
  if (list.trailing.length)
    fields.push(
      field('trailing', `u8[${list.trailing.length}]`, end, list.trailing.length, list.trailing, {
        unknown: true,
        note: say('codecs.tracks.stopsBefore'),
      }),
    )
  return node('', list.format, { start: 0, end: end + list.trailing.length }, fields, children, {
    summary: say('formats.tracks', { count: list.tracks.length }),
  })
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
