/** A tiny family for tests of files, index and command line: a text document, an archive, and an archive with a data file beside it. */
import { Reader } from '../../src/main/binary/reader.ts'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { refuse } from '../../src/main/formats/format.ts'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { field, node } from '../../src/main/binary/structure.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import { stemOf } from '../../src/shared/ref.ts'
import type { SliceEditor, SliceValues } from '../../src/main/formats/editing.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, Segment } from '../../src/main/formats/archive.ts'
import type { Family } from '../../src/main/formats/family.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export interface FakeDocument extends Document {
  /** `key=value` lines */
  text: string
  trailing: Uint8Array
}

/** `FAKE`, u32 size, text, trailing bytes. Text `lossy` breaks the encoder, `refused` is refused, `crash` throws what no codec should. */
export const fakeFormat: FileFormat<FakeDocument> = {
  id: 'fake.text',
  label: 'Fake text',
  family: 'fake',
  kind: 'model',
  extensions: ['fake'],
  identify: (head) => (decoder.decode(head.subarray(0, 4)) === 'FAKE' ? 1 : 0),
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    if (reader.fourcc('magic') !== 'FAKE') reader.fail('bad-magic', 'no FAKE at the start', 'magic', { offset: 0 })
    const text = decoder.decode(reader.take(reader.u32('size'), 'text'))
    if (text === 'refused') refuse(ref, 'this cousin is refused')
    if (text === 'crash') throw new TypeError('a mistake in the codec')
    const diagnostics = text.includes('odd')
      ? [{ severity: 'warning' as const, code: 'fake.odd', message: 'this is odd', path: 'text', offset: 8, ref }]
      : []
    return { format: 'fake.text', ref, diagnostics, text, trailing: reader.rest() }
  },
  encode(document, out) {
    out.fourcc('FAKE')
    const text = encoder.encode(document.text === 'lossy' ? 'LOSSY' : document.text)
    out.u32(text.length)
    out.raw(text)
    out.opaque(document.trailing)
  },
  describe: (document) =>
    node('file', 'FAKE', { start: 0, end: 8 + document.text.length }, [field('text', 'char[]', 8, document.text.length, document.text)]),
  summarize(document) {
    const values = (key: string): string[] =>
      document.text.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []))
    return {
      bones: values('bone'),
      meshes: values('mesh').map((name) => ({ name, vertices: 3, triangles: 1 })),
      clips: values('clip').map((name) => ({ name, frames: 10, rate: 30, tracks: 2, keys: 20 })),
      slices: slicesIn(document.text),
      textures: values('texture').map((name) => ({ name, width: 8, height: 4, format: 'rgba' })),
      skins: values('skin').map((mesh) => ({
        mesh,
        vertices: 3,
        weights: 4,
        maxInfluences: 2,
        bones: [{ name: 'hip', vertices: 2, sum: 150 }],
      })),
      provides: values('provides'),
      needs: values('needs'),
      note: values('note')[0],
    }
  },
}

/** `slice=name` or `slice=name,start,end,speed` */
function slicesIn(text: string): SliceValues[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('slice=')) return []
    const [name, start = '1', end = '5', speed = '0.5'] = line.slice(6).split(',')
    return [{ name, start: Number(start), end: Number(end), speed: Number(speed) }]
  })
}

/** Replaces the line of the n-th slice; with a line added for a new one. */
function withSlice(text: string, index: number, line: string | undefined, remove: number): string {
  const lines = text.split('\n')
  const at = lines.flatMap((l, i) => (l.startsWith('slice=') ? [i] : []))[index] ?? lines.length
  lines.splice(at, remove, ...(line === undefined ? [] : [line]))
  return lines.join('\n')
}

const sliceLine = ({ name, start, end, speed }: SliceValues): string => `slice=${name},${start},${end},${speed}`

const sliceEditor: SliceEditor = {
  limits: () => ({ native: true, named: true, nameBytes: 0, integerFrames: true, unit: 'frame', newSpeed: 1 }),
  check: (_model, { start, end }) => [
    ...(end < start ? [{ severity: 'error' as const, field: 'end' as const, message: 'the end is before the start' }] : []),
    ...(end > 100 ? [{ severity: 'warning' as const, field: 'end' as const, message: 'beyond the last key' }] : []),
  ],
  add(session, at, _clip, values) {
    const document = session.edit<FakeDocument>(session.binding.primary)
    document.text = withSlice(document.text, at, sliceLine(values), 0)
  },
  set(session, index, values) {
    const document = session.edit<FakeDocument>(session.binding.primary)
    document.text = withSlice(document.text, index, sliceLine({ ...slicesIn(document.text)[index], ...values }), 1)
  },
  remove(session, index) {
    const document = session.edit<FakeDocument>(session.binding.primary)
    document.text = withSlice(document.text, index, undefined, 1)
  },
  move: () => {},
  duplicate: () => {},
  extract: (_model, slice) => ({ name: `${slice.name}.cut`, bytes: encoder.encode(sliceLine(slice)) }),
  replaceWindow: () => {},
}

export interface FakeIndex extends ArchiveIndex {
  readonly members: ArchiveMember[]
  entries: { name: Uint8Array<ArrayBuffer>; offset: number; size: number }[]
}

function readDirectory(reader: Reader, count: number): FakeIndex['entries'] {
  const entries = []
  for (let i = 0; i < count; i++) {
    const name = new Uint8Array(reader.take(reader.u8('nameLength'), 'name'))
    entries.push({ name, offset: reader.u32('offset'), size: reader.u32('size') })
  }
  return entries
}

function members(entries: FakeIndex['entries']): ArchiveMember[] {
  const seen = new Map<string, number>()
  return entries.map(({ name, offset, size }) => {
    const text = decoder.decode(name)
    const duplicate = seen.get(text.toLowerCase()) ?? 0
    seen.set(text.toLowerCase(), duplicate + 1)
    return { name: text, rawName: name, offset, size, duplicate }
  })
}

function directoryBytes(entries: FakeIndex['entries'], magic: string): Uint8Array {
  const parts = [encoder.encode(magic), new Uint8Array(new Uint32Array([entries.length]).buffer)]
  for (const { name, offset, size } of entries)
    parts.push(new Uint8Array([name.length]), name, new Uint8Array(new Uint32Array([offset, size]).buffer))
  return join(parts)
}

function tile(index: FakeIndex, from: number): Segment[] {
  const out: Segment[] = []
  let at = from
  const sorted = [...index.entries].sort((a, b) => a.offset - b.offset)
  sorted.forEach((entry) => {
    if (entry.offset > at) out.push({ kind: 'bytes', bytes: new Uint8Array(entry.offset - at).fill(0xee), as: 'opaque' })
    out.push({ kind: 'copy', offset: entry.offset, length: entry.size })
    at = entry.offset + entry.size
  })
  return out
}

function replaced(
  index: FakeIndex,
  replacements: ReadonlyMap<number, Uint8Array>,
  headerSize: number,
): { entries: FakeIndex['entries']; segments: Segment[] } {
  let at = headerSize
  const segments: Segment[] = []
  const entries = index.entries.map((entry, i) => {
    const bytes = replacements.get(i)
    segments.push(bytes ? { kind: 'bytes', bytes, as: 'member' } : { kind: 'copy', offset: entry.offset, length: entry.size })
    const size = bytes ? bytes.length : entry.size
    at += size
    return { name: entry.name, offset: at - size, size }
  })
  return { entries, segments }
}

/** `FPAK`, u32 count, {u8 length, name, u32 offset, u32 size}[], bodies. */
export const fakeArchive: ArchiveFormat<FakeIndex> = {
  id: 'fake.pak',
  label: 'Fake pack',
  family: 'fake',
  extensions: ['fpak'],
  identify: (head) => (decoder.decode(head.subarray(0, 4)) === 'FPAK' ? 1 : 0),
  open(source) {
    const reader = new Reader(source.read(0, Math.min(source.size, 2 ** 24)), source.ref)
    reader.skip(4, 'magic')
    const entries = readDirectory(reader, reader.count(reader.u32('count'), 9, 'count'))
    return { format: 'fake.pak', ref: source.ref, members: members(entries), diagnostics: [], entries }
  },
  encode(index) {
    const head = directoryBytes(index.entries, 'FPAK')
    return [{ kind: 'bytes', bytes: head, as: 'typed' }, ...tile(index, head.length)]
  },
  replace(index, replacements) {
    const headerSize = directoryBytes(index.entries, 'FPAK').length
    const { entries, segments } = replaced(index, replacements, headerSize)
    return { data: [{ kind: 'bytes', bytes: directoryBytes(entries, 'FPAK'), as: 'typed' }, ...segments] }
  },
  describe: (index) =>
    node(
      'archive',
      'FPAK',
      { start: 0, end: 8 },
      [field('count', 'u32', 4, 4, index.members.length)],
      index.entries.map((_, i) => node(`entries[${i}]`, 'entry', { start: 8, end: 8 })),
    ),
}

/** `FDIR` + entries in `x.fdir`, bodies in `x.fdat`. */
export const fakeSplitArchive: ArchiveFormat<FakeIndex> = {
  ...fakeArchive,
  id: 'fake.split',
  label: 'Fake pack in two files',
  extensions: ['fdir'],
  identify: (head) => (decoder.decode(head.subarray(0, 4)) === 'FDIR' ? 1 : 0),
  companion: (name) => `${stemOf(name)}.FDAT`,
  open: (source, data) => {
    if (data === source) throw new FormatError('not-found', 'no data file')
    return { ...fakeArchive.open(source, data), format: 'fake.split' }
  },
  encode: (index) => [{ kind: 'bytes', bytes: directoryBytes(index.entries, 'FDIR'), as: 'typed' }],
  encodeData: (index) => tile(index, 0),
  replace(index, replacements) {
    const { entries, segments } = replaced(index, replacements, 0)
    return { data: segments, directory: [{ kind: 'bytes', bytes: directoryBytes(entries, 'FDIR'), as: 'typed' }] }
  },
}

export const fakeFamily: Family = {
  id: 'fake',
  label: 'Fake',
  games: 'Fake game',
  formats: [fakeFormat],
  archives: [fakeArchive, fakeSplitArchive],
  bind: (folder, around) =>
    around.inFolder(folder).flatMap((file) => {
      const summary = around.summary(file.ref)
      if (!summary?.meshes?.length) return []
      const found = (summary.needs ?? []).flatMap((key) => around.providing(key, folder).slice(0, 1))
      return [
        {
          family: 'fake' as const,
          name: stemOf(file.name),
          primary: file.ref,
          members: [
            { role: 'model', ref: file.ref, why: 'self' as const, detail: '' },
            ...found.map(({ ref }) => ({
              role: 'animation',
              ref,
              why: 'explicit' as const,
              detail: 'needs',
              fit: { matched: 1, total: 2 },
            })),
          ],
        },
      ]
    }),
  assemble(binding, load) {
    const scene = emptyScene(binding.name)
    const document = load(binding.primary) as FakeDocument | undefined
    const source = { ref: binding.primary, path: 'text' }
    scene.clips = [
      {
        name: 'master',
        tracks: [],
        start: 0,
        end: 100,
        rate: 30,
        unit: 'frame',
        loop: 'wrap',
        fit: { matched: 0, total: 0 },
        events: [],
        source,
      },
    ]
    scene.slices = slicesIn(document?.text ?? '').map((slice) => ({ clip: 0, ...slice, loop: true, source }))
    return { scene, options: [], diagnostics: [] }
  },
  lint: (document) =>
    (document as FakeDocument).text.includes('bad')
      ? [{ severity: 'error', code: 'fake.bad', message: 'the game would choke', path: 'text', offset: 8, ref: document.ref }]
      : [],
  editor: { slices: sliceEditor },
}

export const families: readonly Family[] = [fakeFamily]
export const fakeRegistry = createRegistry(families)

export function join(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

export function fake(text: string, trailing = ''): Uint8Array {
  const bytes = encoder.encode(text)
  return join([encoder.encode('FAKE'), new Uint8Array(new Uint32Array([bytes.length]).buffer), bytes, encoder.encode(trailing)])
}

/** Bodies stand `gap` bytes of junk apart. */
export function fakePack(files: [name: string, body: Uint8Array][], gap = 2): Uint8Array {
  const names = files.map(([name]) => encoder.encode(name))
  let at = 8 + names.reduce((sum, name) => sum + name.length + 9, 0)
  const entries = files.map(([, body], i) => {
    at += gap
    const entry = { name: names[i], offset: at, size: body.length }
    at += body.length
    return entry
  })
  return join([directoryBytes(entries, 'FPAK'), ...files.flatMap(([, body]) => [new Uint8Array(gap).fill(0xee), body])])
}

export function fakeSplit(files: [name: string, body: Uint8Array][]): { directory: Uint8Array; data: Uint8Array } {
  // starts with a gap, so that the data file does not look like its first member
  let at = 4
  const entries = files.map(([name, body]) => {
    at += body.length
    return { name: encoder.encode(name), offset: at - body.length, size: body.length }
  })
  return { directory: directoryBytes(entries, 'FDIR'), data: join([new Uint8Array(4).fill(0xee), ...files.map(([, body]) => body)]) }
}
