/**
 * What no game's file has a place for: slices of models whose game keeps none, and markers. A file of Marrow's own, one
 * per model, in the state folder. It is a document like any other, so that undo, journal, changes and saving need
 * nothing more for it.
 *
 *   {"marrow":"slices","version":2}
 *   {"clip":{"ref":"...","path":"...","name":"..."},"name":"...","start":0,"end":10,"speed":1,"loop":true}
 *   one line per slice, then one per marker:
 *   {"clip":{...},"marker":"...","time":10}
 *
 * Version 2 has in each line, last, "check": the CRC-32 of the line without it, as 8 hex digits.
 */
import { crc32 } from 'node:zlib'
import { FormatError } from '../binary/format-error.ts'
import { clipAt, notHere, numberIn } from '../formats/address.ts'
import type { EditSession, OpenDocuments, SliceEditor, SliceValues } from '../formats/editing.ts'
import type { Document, FileFormat } from '../formats/format.ts'
import type { Registry } from '../formats/registry.ts'
import { field, node } from '../binary/structure.ts'
import { COMMON_FAMILY } from '../../shared/api/types/family.ts'
import type { SliceFinding } from '../../shared/api/types/slices.ts'
import type { Clip, Scene } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

export interface StoredSlice {
  /** the clip by where it stands in its file, and by name where that has moved */
  clip: { ref: string; path: string; name: string }
  name: string
  start: number
  end: number
  /** factor on the clip's own rate */
  speed: number
  loop: boolean
}

export interface StoredMarker {
  clip: StoredSlice['clip']
  marker: string
  time: number
}

export interface SlicesDocument extends Document {
  /** version 1 has no checks; an edit brings the file to version 2 */
  version: 1 | 2
  slices: StoredSlice[]
  markers: StoredMarker[]
}

const OLD_HEAD = '{"marrow":"slices","version":1}\n'
const HEAD = '{"marrow":"slices","version":2}\n'
export const SLICES_SUFFIX = '.marrow-slices'
/** What a model without slices starts with. */
export const EMPTY_SLICES = new TextEncoder().encode(HEAD)
const MOST = 100_000

export const slicesFormat: FileFormat<SlicesDocument> = {
  id: 'marrow.slices',
  get label() {
    return say('slicesFile.label')
  },
  family: COMMON_FAMILY,
  kind: 'slices',
  extensions: ['marrow-slices'],
  identify: (head, name) => (name.endsWith(SLICES_SUFFIX) && (text(head).startsWith(HEAD) || text(head).startsWith(OLD_HEAD)) ? 1 : 0),
  decode(bytes, ref) {
    const lines = text(bytes).split('\n')
    const version = `${lines[0]}\n` === OLD_HEAD ? 1 : 2
    if (version === 2 && `${lines[0]}\n` !== HEAD)
      throw new FormatError('bad-magic', say('slicesFile.notOfThisVersion'), { file: ref, offset: 0 })
    if (lines.length > MOST) throw new FormatError('bad-count', say('slicesFile.lineCount', { n: lines.length }), { file: ref, offset: 0 })
    const read = lines.slice(1, -1).map((line, i) => readLine(version === 2 ? checked(line, i, ref) : line, i, ref))
    const slices = read.filter((entry) => 'name' in entry)
    const markers = read.filter((entry) => 'marker' in entry)
    if (lines.at(-1) !== '') throw new FormatError('truncated', say('slicesFile.lastLine'), { file: ref, offset: bytes.length })
    return { format: 'marrow.slices', ref, diagnostics: [], version, slices, markers }
  },
  encode(document, out) {
    const lines = [...document.slices, ...document.markers].map((entry) => lineOf(document, entry))
    out.raw(new TextEncoder().encode((document.version === 1 ? OLD_HEAD : HEAD) + lines.join('')))
  },
  describe(document) {
    const head = document.version === 1 ? OLD_HEAD : HEAD
    let at = head.length
    const line = (name: string, type: string, entry: StoredSlice | StoredMarker, words: string): ReturnType<typeof node> => {
      const size = Buffer.byteLength(lineOf(document, entry))
      const range = { start: at, end: at + size }
      at += size
      return node(name, type, range, [field(type, 'string', range.start, size, words)])
    }
    const children = [
      ...document.slices.map((slice, i) =>
        line(`slices[${i}]`, 'slice', slice, `${slice.name} ${slice.start}..${slice.end} x ${slice.speed} of ${slice.clip.name}`),
      ),
      ...document.markers.map((marker, i) =>
        line(`markers[${i}]`, 'marker', marker, `${marker.marker} at ${marker.time} of ${marker.clip.name}`),
      ),
    ]
    return node('', 'marrow.slices', { start: 0, end: at }, [field('head', 'string', 0, head.length, head.trimEnd())], children)
  },
  summarize: (document) => ({ slices: document.slices.map(({ name, start, end, speed }) => ({ name, start, end, speed })) }),
}

const CHECK = /,"check":"([0-9a-f]{8})"\}$/

const checkOf = (line: string): string => crc32(line).toString(16).padStart(8, '0')

function lineOf({ version }: SlicesDocument, entry: StoredSlice | StoredMarker): string {
  const line = JSON.stringify(entry)
  return version === 1 ? `${line}\n` : `${line.slice(0, -1)},"check":"${checkOf(line)}"}\n`
}

/** A line without its check. @throws FormatError bad-value where it is another line than was written */
function checked(line: string, index: number, file: string): string {
  const plain = line.replace(CHECK, '}')
  const expected = CHECK.exec(line)?.[1]
  const actual = checkOf(plain)
  if (actual !== expected)
    throw new FormatError('bad-value', say('slicesFile.lineDamaged', { line: index + 2 }), {
      file,
      path: `lines[${index}]`,
      offset: 0,
      expected,
      actual,
    })
  return plain
}

/** The list at `ref`, for an edit: from then on with checks. */
export function opened(session: EditSession, ref: string): SlicesDocument {
  const document = session.editOther<SlicesDocument>(ref)
  document.version = 2
  return document
}

function readLine(line: string, index: number, file: string): StoredSlice | StoredMarker {
  const fail = (): never => {
    throw new FormatError('bad-value', say('slicesFile.lineUnknown', { line: index + 2 }), { file, path: `lines[${index}]`, offset: 0 })
  }
  let raw: unknown
  try {
    raw = JSON.parse(line)
  } catch {
    return fail()
  }
  const { clip, name, start, end, speed, loop, marker, time } = (raw ?? {}) as Partial<StoredSlice & StoredMarker>
  if (marker !== undefined) {
    if (name !== undefined || ![clip?.ref, clip?.path, clip?.name, marker].every((t) => typeof t === 'string') || typeof time !== 'number')
      return fail()
    return raw as StoredMarker
  }
  const texts = [clip?.ref, clip?.path, clip?.name, name]
  if (!texts.every((t) => typeof t === 'string') || ![start, end, speed].every((n) => typeof n === 'number') || typeof loop !== 'boolean')
    return fail()
  return raw as StoredSlice
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** A registry that knows Marrow's own files beside the game's. */
export function withSlices(registry: Registry): Registry {
  return {
    ...registry,
    formatById: (id) => (id === slicesFormat.id ? slicesFormat : registry.formatById(id)),
    identify: (head, name, size) =>
      slicesFormat.identify(head, name, size) === 1 ? { format: slicesFormat } : registry.identify(head, name, size),
  }
}

/** Puts the slices and markers whose clips the scene has into it. */
export function addOwn(document: SlicesDocument, scene: Scene): void {
  const clipOf = (wanted: StoredSlice['clip']): number => {
    const clip = scene.clips.findIndex((c) => c.source.ref === wanted.ref && c.source.path === wanted.path)
    return clip < 0 ? scene.clips.findIndex((c) => c.name === wanted.name) : clip
  }
  document.slices.forEach(({ clip: wanted, ...values }, i) => {
    const clip = clipOf(wanted)
    if (clip >= 0) scene.slices.push({ clip, ...values, source: { ref: document.ref, path: `slices[${i}]` } })
  })
  document.markers.forEach(({ clip: wanted, marker, time }, i) => {
    const clip = clipOf(wanted)
    if (clip >= 0) scene.markers.push({ clip, name: marker, time, source: { ref: document.ref, path: `markers[${i}]` } })
  })
}

/** A clip of the scene as the file names it. */
function stored(clip: Clip): StoredSlice['clip'] {
  return { ref: clip.source.ref, path: clip.source.path, name: clip.name }
}

/** Edits the markers in the list at `ref`. Numbers count within Scene.markers. */
export function ownMarkers(ref: string) {
  const open = (session: EditSession): StoredMarker[] => opened(session, ref).markers
  const placeOf = (session: EditSession, index: number): number => {
    const marker = session.assembled.scene.markers[index] ?? notHere('marker', index)
    return numberIn(marker.source.path, 'markers')!
  }
  return {
    add(session: EditSession, clip: number, name: string, time: number): void {
      const found = clipAt(session, clip)
      open(session).push({ clip: stored(found), marker: name, time })
    },
    set(session: EditSession, index: number, values: { name?: string; time?: number }): void {
      const place = placeOf(session, index)
      const markers = open(session)
      const { clip, marker, time } = markers[place]
      markers[place] = { clip, marker: values.name ?? marker, time: values.time ?? time }
    },
    remove(session: EditSession, index: number): void {
      const place = placeOf(session, index)
      open(session).splice(place, 1)
    },
  }
}

/** Edits the list at `ref`, for families that have no slices of their own. */
export function ownSlices(ref: string): SliceEditor {
  const open = (session: EditSession): SlicesDocument => opened(session, ref)
  /** place in the list of a slice of the scene */
  const placeOf = (model: OpenDocuments, index: number): number => {
    const slice = model.assembled.scene.slices[index]
    if (slice?.source.ref !== ref) notHere('slice', index)
    return numberIn(slice.source.path, 'slices')!
  }
  const check = (values: SliceValues): SliceFinding[] => {
    if (values.end < values.start) return [{ severity: 'error', field: 'end', message: say('slicesFile.endBeforeStart') }]
    return values.speed > 0 ? [] : [{ severity: 'warning', field: 'speed', message: say('slicesFile.nothingMoves') }]
  }
  return {
    limits: (model) => ({
      native: false,
      named: true,
      nameBytes: 0,
      integerFrames: false,
      unit: model.assembled.scene.clips[0]?.unit ?? 'frame',
      newSpeed: 1,
    }),
    check: (_model, values) => check(values),
    add(session, at, clip, values) {
      const found = clipAt(session, clip)
      const { slices } = open(session)
      const place = at < session.assembled.scene.slices.length ? placeOf(session, at) : slices.length
      slices.splice(place, 0, { clip: stored(found), ...values, loop: found.loop !== 'none' })
    },
    set(session, index, values) {
      const place = placeOf(session, index)
      const { slices } = open(session)
      slices[place] = { ...slices[place], ...values }
    },
    remove(session, index) {
      const place = placeOf(session, index)
      open(session).slices.splice(place, 1)
    },
    move(session, from, to) {
      const [here, there] = [placeOf(session, from), placeOf(session, to)]
      const { slices } = open(session)
      slices.splice(there, 0, ...slices.splice(here, 1))
    },
    duplicate(session, index) {
      const place = placeOf(session, index)
      const { slices } = open(session)
      slices.splice(place + 1, 0, { ...slices[place], clip: { ...slices[place].clip } })
    },
    extract() {
      throw new FormatError('unsupported', say('slicesFile.ownNotExtracted'))
    },
    replaceWindow() {
      throw new FormatError('unsupported', say('slicesFile.windowNotReplaced'))
    },
  }
}
