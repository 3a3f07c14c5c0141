/** ANI: events, and tracks of keys in one of three rotation codings. Layout and evidence: docs/formats/lostsaga.md, "ANI". */
import { angleBetween as degreesBetween } from '../../../../shared/keys/value.ts'
import { Diagnostics, type Document, type FileFormat, type SourceRange } from '../../format.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { f32s, i32, magic, record } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, node } from '../../../binary/structure.ts'
import { packComp4, packComp8, unpackComp4, unpackComp8, type PackMode } from './rotation.ts'
import { encodeText, lstring, type LString } from './strings.ts'
import { hasToken } from './token.ts'
import { noteTrailing } from './trailing.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { ScalarType } from '../../field-type.ts'

/** How the rotation of a key is stored. */
export type AniCoding = 4000 | 4001 | 4002

/** Names of the packed codings. */
export const CODING_NAMES = { 4001: 'COMP4', 4002: 'COMP8' } as const

/** Words per key: rotation 4, 1 or 2; position 3; time 1. */
const ROTATION_WORDS = { 4000: 4, 4001: 1, 4002: 2 } as const

const HEADER = record({ token: magic('ANI\0', () => say('codecs.ani.notOne')), version: structural(i32) })
const EVENTS = record({ eventCount: structural(i32) })
const EVENT = record({ type: lstring, info: lstring, time: f32s(1) }, { notes: { time: () => say('codecs.ani.milliseconds') } })
const TRACKS = record({ totalTime: i32, trackCount: structural(i32) }, { notes: { totalTime: () => say('codecs.ani.milliseconds') } })
/** A track up to its keys, whose size the coding tells. */
const TRACK = record({ bone: lstring, weight: f32s(1), keyCount: structural(i32) })

export interface AniEvent {
  type: LString
  info: LString
  /** one float, milliseconds; kept as a column so that its bits survive */
  time: Float32Array
  range: SourceRange
}

export interface AniTrack {
  bone: LString
  /** one float: blend weight of the track, 1 in every known file */
  weight: Float32Array
  /** keys as stored, `stride` words each: rotation, position x y z (floats), time in ms (i32) */
  words: Uint32Array
  /** the same memory as floats */
  floats: Float32Array
  range: SourceRange
}

export interface AniDocument extends Document {
  readonly format: 'lostsaga.ani'
  version: number
  /** coding of the keys: what the version says, or for an unknown version the one that fits the size */
  coding: AniCoding
  events: AniEvent[]
  totalTime: number
  tracks: AniTrack[]
  trailing: Uint8Array
  range: SourceRange
}

export function strideOf(coding: AniCoding): number {
  return ROTATION_WORDS[coding] + 4
}

export function keyCount(document: AniDocument, track: AniTrack): number {
  return track.words.length / strideOf(document.coding)
}

/** Rotation of a key as x, y, z, w, as decoded (not normalised). */
export function keyRotation(coding: AniCoding, track: AniTrack, key: number, out: Float32Array | number[], o = 0): void {
  const p = key * strideOf(coding)
  if (coding === 4000) for (let c = 0; c < 4; c++) out[o + c] = track.floats[p + c]
  else if (coding === 4001) unpackComp4(track.words[p], out, o)
  else unpackComp8(track.words[p], track.words[p + 1], out, o)
}

export function setKeyRotation(coding: AniCoding, track: AniTrack, key: number, q: ArrayLike<number>, mode: PackMode): void {
  const p = key * strideOf(coding)
  if (coding === 4000) {
    for (let c = 0; c < 4; c++) track.floats[p + c] = q[c]
    return
  }
  // a quaternion of length 0 is shown and packed as the identity
  if (!(Math.hypot(q[0], q[1], q[2], q[3]) > 0)) q = [0, 0, 0, 1]
  if (coding === 4001) track.words[p] = packComp4(q[0], q[1], q[2], q[3], mode)
  else [track.words[p], track.words[p + 1]] = packComp8(q[0], q[1], q[2], q[3], mode)
}

export function keyTime(coding: AniCoding, track: AniTrack, key: number): number {
  return track.words[(key + 1) * strideOf(coding) - 1] | 0
}

/** A track from stored words. */
export function aniTrack(bone: LString, weight: Float32Array, words: Uint32Array, range: SourceRange = { start: 0, end: 0 }): AniTrack {
  return { bone, weight, words, floats: new Float32Array(words.buffer, words.byteOffset, words.length), range }
}

function readBody(reader: Reader, coding: AniCoding): Pick<AniDocument, 'events' | 'totalTime' | 'tracks'> {
  const { eventCount } = EVENTS.read(reader)
  reader.count(eventCount, EVENT.size, 'eventCount')
  const events: AniEvent[] = []
  for (let i = 0; i < eventCount; i++) {
    events.push(
      reader.within(`events[${i}]`, () => {
        const start = reader.position
        const { type, info, time } = EVENT.read(reader)
        return { type, info, time, range: { start, end: reader.position } }
      }),
    )
  }
  const { totalTime, trackCount } = TRACKS.read(reader)
  reader.count(trackCount, TRACK.size, 'trackCount')
  const tracks: AniTrack[] = []
  for (let i = 0; i < trackCount; i++) {
    tracks.push(
      reader.within(`tracks[${i}]`, () => {
        const start = reader.position
        const { bone, weight, keyCount: keys } = TRACK.read(reader)
        const stride = strideOf(coding)
        reader.count(keys, stride * 4, 'keyCount')
        return aniTrack(bone, weight, reader.u32s(keys * stride, 'keys'), { start, end: reader.position })
      }),
    )
  }
  return { events, totalTime, tracks }
}

/** A packed rotation as x, y, z, w. */
function packed(size: 4 | 8): ScalarType {
  const q = [0, 0, 0, 0]
  return {
    size,
    show(view, at) {
      if (size === 4) unpackComp4(view.getUint32(at, true), q)
      else unpackComp8(view.getUint32(at, true), view.getUint32(at + 4, true), q)
      return q.map((v) => Number(v.toFixed(5))).join(' ')
    },
    packed: {
      words: 4,
      write(view, at, words) {
        const [x, y, z, w] = words.map(Number)
        const length = Math.hypot(x, y, z, w)
        if (!(length > 0) || !Number.isFinite(length)) return false
        const unit = [x / length, y / length, z / length, w / length] as const
        if (size === 4) view.setUint32(at, packComp4(...unit, 'round'), true)
        else packComp8(...unit, 'round').forEach((word, i) => view.setUint32(at + 4 * i, word, true))
        return true
      },
    },
  }
}

type Body = ReturnType<typeof readBody>

/**
 * The coding of the version where that reaches the end; else any that does (tools exist that write the keys of one version below the
 * number of another); else the one that leaves the fewest bytes, the version's own first. The reader stands behind what was read.
 * @throws FormatError of the version's own coding, where none can be read
 */
function readFitting(reader: Reader, start: number, own: AniCoding | undefined): { coding: AniCoding; body: Body } {
  const codings = ([4000, 4001, 4002] as const).filter((c) => c !== own)
  let best: { coding: AniCoding; body: Body; end: number } | undefined
  let first: unknown
  for (const coding of own === undefined ? codings : [own, ...codings]) {
    reader.seek(start)
    try {
      const body = readBody(reader, coding)
      // of a damaged file a wrong coding must not explain anything away: only the version's own may leave bytes
      const whole = reader.remaining === 0
      if ((whole || own === undefined || coding === own) && (!best || reader.position > best.end))
        best = { coding, body, end: reader.position }
      if (whole) break
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      first ??= error
    }
  }
  if (!best) throw first
  reader.seek(best.end)
  return best
}

export const ani: FileFormat<AniDocument> = {
  id: 'lostsaga.ani',
  get label() {
    return say('codecs.ani.label')
  },
  family: 'lostsaga',
  kind: 'animation',
  comesAndGoes: 'animation',
  extensions: ['ani'],
  identify: (head) => (hasToken(head, 'ANI') ? 1 : 0),
  decode(bytes, ref, memory) {
    const diagnostics = new Diagnostics(ref)
    const reader = Reader.owning(bytes, ref, memory)
    const { version } = HEADER.read(reader)
    const start = reader.position
    const known = version === 4000 || version === 4001 || version === 4002
    if (!known) diagnostics.add('warning', 'lostsaga.unknown-version', say('codecs.ani.unknownVersion', { version }), 'version', 4)
    const { coding, body } = readFitting(reader, start, known ? version : undefined)
    if (known && coding !== version)
      diagnostics.add('warning', 'lostsaga.coding-differs', say('codecs.ani.codingDiffers', { version, coding }), 'version', 4)
    const trailing = reader.rest()
    noteTrailing('ani', trailing, bytes.length, diagnostics)
    return {
      format: 'lostsaga.ani',
      ref,
      diagnostics: diagnostics.list,
      version,
      coding,
      ...body,
      trailing,
      range: { start: 0, end: bytes.length },
    }
  },
  encode(document, out: Writer) {
    HEADER.write(out, document)
    EVENTS.write(out, { eventCount: document.events.length })
    for (const event of document.events) EVENT.write(out, event)
    TRACKS.write(out, { totalTime: document.totalTime, trackCount: document.tracks.length })
    for (const track of document.tracks) {
      TRACK.write(out, { ...track, keyCount: keyCount(document, track) })
      out.raw(track.words)
    }
    out.opaque(document.trailing)
  },
  scalars: { comp4: packed(4), comp8: packed(8) },
  describe(document) {
    const fields = [...HEADER.describe(document, 0), ...EVENTS.describe({ eventCount: document.events.length }, HEADER.size)]
    let at = HEADER.size + EVENTS.size
    const events = document.events.map((event, i) => {
      at = event.range.end
      return node(`events[${i}]`, say('formats.nodes.event'), event.range, EVENT.describe(event, event.range.start), [], {
        summary: `${event.type.text} ${event.info.text}`,
      })
    })
    fields.push(...TRACKS.describe({ totalTime: document.totalTime, trackCount: document.tracks.length }, at))
    const tracks = document.tracks.map((track, i) => {
      const keys = keyCount(document, track)
      const head = { ...track, keyCount: keys }
      return node(
        `tracks[${i}]`,
        say('formats.nodes.track'),
        track.range,
        [
          ...TRACK.describe(head, track.range.start),
          field(
            'keys',
            `{${{ 4000: 'f32[4] rotation.xyzw', 4001: 'comp4 rotation', 4002: 'comp8 rotation' }[document.coding]}, f32[3] position.xyz, i32 time} x ${keys}`,
            track.range.start + TRACK.sizeOf(head),
            track.words.byteLength,
            keysText(document.coding, track, keys),
            { entries: { what: 'time', unit: 'ms' } },
          ),
        ],
        [],
        { summary: say('codecs.ani.track', { bone: track.bone.text, count: keys }) },
      )
    })
    if (document.trailing.length)
      fields.push(
        field('trailing', 'u8', document.range.end - document.trailing.length, document.trailing.length, document.trailing, {
          unknown: true,
        }),
      )
    return node('ani', say('formats.nodes.animation'), document.range, fields, [...events, ...tracks], {
      summary: [say('formats.tracks', { count: document.tracks.length }), say('codecs.ani.length', { time: document.totalTime })].join(
        ', ',
      ),
    })
  },
  encodeText: (text) => encodeText(text).raw,
  summarize(document) {
    const keys = document.tracks.reduce((n, t) => n + keyCount(document, t), 0)
    return {
      clips: [{ name: '', frames: document.totalTime, rate: 1000, tracks: document.tracks.length, keys }],
      provides: document.tracks.map((t) => `lostsaga.track:${t.bone.text}`),
      note: [
        say('formats.tracks', { count: document.tracks.length }),
        say('formats.keys', { count: keys }),
        say('formats.events', { count: document.events.length }),
        say('codecs.ani.length', { time: document.totalTime }),
        document.coding === 4000 ? say('codecs.ani.plain') : CODING_NAMES[document.coding],
      ].join(', '),
    }
  },
}

/** The first keys: time, rotation and position. */
function keysText(coding: AniCoding, track: AniTrack, n: number): string {
  const parts: string[] = []
  const rotation = [0, 0, 0, 0]
  for (let k = 0; k < Math.min(n, MOST_SHOWN); k++) {
    keyRotation(coding, track, k, rotation)
    const end = (k + 1) * strideOf(coding)
    const values = [...rotation, ...track.floats.subarray(end - 4, end - 1)].map((value) => Number(value.toPrecision(5)))
    parts.push(`${keyTime(coding, track, k)}: ${values.join(' ')}`)
  }
  return parts.join(', ') + (n > MOST_SHOWN ? `, … (${n})` : '')
}

const MOST_SHOWN = 6

/**
 * Changes the coding of all rotations; positions and times keep their bits.
 * @returns the largest angle in degrees between a rotation before and after, both normalised
 */
export function convertAni(document: AniDocument, to: AniCoding, mode: PackMode = 'round'): number {
  const from = document.coding
  if (from === to) return 0
  const a = [0, 0, 0, 0],
    b = [0, 0, 0, 0]
  let worst = 0
  document.tracks = document.tracks.map((track) => {
    const n = keyCount(document, track)
    const before = strideOf(from),
      after = strideOf(to)
    const next = aniTrack(track.bone, track.weight, new Uint32Array(n * after), track.range)
    for (let k = 0; k < n; k++) {
      keyRotation(from, track, k, a)
      setKeyRotation(to, next, k, a, mode)
      keyRotation(to, next, k, b)
      worst = Math.max(worst, angleBetween(a, b))
      next.words.set(track.words.subarray((k + 1) * before - 4, (k + 1) * before), (k + 1) * after - 4)
    }
    return next
  })
  document.coding = to
  document.version = to
  return worst
}

/** Degrees between two quaternions of any length; one of length 0 counts as the identity. */
export function angleBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const rotation = (q: ArrayLike<number>): ArrayLike<number> => (Math.hypot(q[0], q[1], q[2], q[3]) > 0 ? q : [0, 0, 0, 1])
  return degreesBetween(rotation(a), 0, rotation(b), 0)
}
