/**
 * Slices of models whose game keeps none: a file of Marrow's own, one per model, in the state folder. It is a document
 * like any other, so that undo, journal, changes and saving need nothing more for it.
 *
 *   {"marrow":"slices","version":1}
 *   {"clip":{"ref":"...","path":"...","name":"..."},"name":"...","start":0,"end":10,"speed":1,"loop":true}
 *   one line per slice
 */
import { FormatError } from '../binary/format-error.ts'
import type { EditSession, OpenDocuments, SliceEditor, SliceValues } from '../formats/editing.ts'
import type { Document, FileFormat } from '../formats/format.ts'
import type { Registry } from '../formats/registry.ts'
import { field, node } from '../formats/structure.ts'
import type { Scene, Slice } from '../../shared/scene/types.ts'

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

export interface SlicesDocument extends Document {
  slices: StoredSlice[]
}

const HEAD = '{"marrow":"slices","version":1}\n'
export const SLICES_SUFFIX = '.marrow-slices'
/** What a model without slices starts with. */
export const EMPTY_SLICES = new TextEncoder().encode(HEAD)
const MOST = 100_000

export const slicesFormat: FileFormat<SlicesDocument> = {
  id: 'marrow.slices',
  label: 'Marrow slices',
  family: 'common',
  kind: 'slices',
  extensions: ['marrow-slices'],
  identify: (head, name) => (name.endsWith(SLICES_SUFFIX) && text(head).startsWith(HEAD) ? 1 : 0),
  decode(bytes, ref) {
    const lines = text(bytes).split('\n')
    if (`${lines[0]}\n` !== HEAD) throw new FormatError('bad-magic', 'this is no list of slices of this version', { file: ref, offset: 0 })
    if (lines.length > MOST) throw new FormatError('bad-count', `there are ${lines.length} slices`, { file: ref, offset: 0 })
    const slices = lines.slice(1, -1).map((line, i) => readSlice(line, i, ref))
    if (lines.at(-1) !== '') throw new FormatError('truncated', 'the last line does not end', { file: ref, offset: bytes.length })
    return { format: 'marrow.slices', ref, diagnostics: [], slices }
  },
  encode(document, out) {
    out.raw(new TextEncoder().encode(HEAD + document.slices.map((slice) => `${JSON.stringify(slice)}\n`).join('')))
  },
  describe(document) {
    let at = HEAD.length
    const children = document.slices.map((slice, i) => {
      const size = Buffer.byteLength(JSON.stringify(slice)) + 1
      const range = { start: at, end: at + size }
      at += size
      return node(`slices[${i}]`, 'slice', range, [field('slice', 'string', range.start, size, `${slice.name} ${slice.start}..${slice.end} x ${slice.speed} of ${slice.clip.name}`)])
    })
    return node('', 'marrow.slices', { start: 0, end: at }, [field('head', 'string', 0, HEAD.length, HEAD.trimEnd())], children)
  },
  summarize: (document) => ({ slices: document.slices.map(({ name, start, end, speed }) => ({ name, start, end, speed })) }),
}

function readSlice(line: string, index: number, file: string): StoredSlice {
  const fail = (): never => {
    throw new FormatError('bad-value', `line ${index + 2} is no slice`, { file, path: `slices[${index}]`, offset: 0 })
  }
  let raw: unknown
  try {
    raw = JSON.parse(line)
  } catch {
    return fail()
  }
  const { clip, name, start, end, speed, loop } = (raw ?? {}) as Partial<StoredSlice>
  const texts = [clip?.ref, clip?.path, clip?.name, name]
  if (!texts.every((t) => typeof t === 'string') || ![start, end, speed].every((n) => typeof n === 'number') || typeof loop !== 'boolean') return fail()
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
    identify: (head, name, size) => (slicesFormat.identify(head, name, size) === 1 ? { format: slicesFormat } : registry.identify(head, name, size)),
  }
}

/** The slices of a list whose clips the scene has, as the scene has slices. */
export function scenesSlices(document: SlicesDocument, scene: Scene): Slice[] {
  return document.slices.flatMap((stored, i): Slice[] => {
    const { clip: wanted, ...values } = stored
    let clip = scene.clips.findIndex((c) => c.source.ref === wanted.ref && c.source.path === wanted.path)
    if (clip < 0) clip = scene.clips.findIndex((c) => c.name === wanted.name)
    return clip < 0 ? [] : [{ clip, ...values, source: { ref: document.ref, path: `slices[${i}]` } }]
  })
}

/** Edits the list at `ref`, for families that have no slices of their own. */
export function ownSlices(ref: string): SliceEditor {
  const open = (session: EditSession): SlicesDocument => session.editOther<SlicesDocument>(ref)
  /** place in the list of a slice of the scene */
  const placeOf = (model: OpenDocuments, index: number): number => {
    const slice = model.assembled.scene.slices[index]
    if (!slice || slice.source.ref !== ref) throw new FormatError('invalid-edit', `there is no slice ${index}`)
    return Number(/\d+/.exec(slice.source.path)![0])
  }
  const check = (values: SliceValues): { severity: 'error' | 'warning'; message: string }[] => {
    if (values.end < values.start) return [{ severity: 'error', message: 'the end is before the start' }]
    return values.speed > 0 ? [] : [{ severity: 'warning', message: 'at this speed nothing moves' }]
  }
  return {
    limits: (model) => ({ native: false, named: true, nameBytes: 0, integerFrames: false, unit: model.assembled.scene.clips[0]?.unit ?? 'frame' }),
    check: (_model, values) => check(values),
    add(session, at, clip, values) {
      const { scene } = session.assembled
      const found = scene.clips[clip]
      if (!found) throw new FormatError('invalid-edit', `there is no clip ${clip}`)
      const { slices } = open(session)
      const place = at < scene.slices.length ? placeOf(session, at) : slices.length
      slices.splice(place, 0, { clip: { ref: found.source.ref, path: found.source.path, name: found.name }, ...values, loop: found.loop !== 'none' })
    },
    set(session, index, values) {
      const place = placeOf(session, index)
      const { slices } = open(session)
      slices[place] = { ...slices[place], ...values }
    },
    remove(session, index) {
      open(session).slices.splice(placeOf(session, index), 1)
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
      throw new FormatError('unsupported', 'slices of this family are Marrow\'s own: export the model to have them as animations')
    },
    replaceWindow() {
      throw new FormatError('unsupported', 'windows of this family\'s clips cannot be replaced yet')
    },
  }
}
