/** A tiny family for tests: a file of numbers, an archive of such files, and a model that is a file with its companions by name. */
import { Reader } from '../../src/main/binary/reader.ts'
import type { Writer } from '../../src/main/binary/writer.ts'
import { Writer as ByteWriter } from '../../src/main/binary/writer.ts'
import { FormatError } from '../../src/main/binary/format-error.ts'
import type { ArchiveFormat, ArchiveIndex, ArchiveMember, Segment } from '../../src/main/formats/archive.ts'
import type { Family } from '../../src/main/formats/family.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { field, node } from '../../src/main/binary/structure.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import { stemOf } from '../../src/shared/ref.ts'
import { junk } from '../support/hostile.ts'

/** "NUMS", u32 count, count floats, 16 bytes of name, anything behind */
export interface Numbers extends Document {
  values: Float32Array
  name: Uint8Array
  trailing: Uint8Array
  /** set by tests: encode writes nonsense */
  broken?: boolean
}

export const numbersFormat: FileFormat<Numbers> = {
  id: 'fake.numbers',
  label: 'Numbers',
  family: 'fake',
  kind: 'model',
  extensions: ['num'],
  identify: (head) => (String.fromCharCode(...head.subarray(0, 4)) === 'NUMS' ? 1 : 0),
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    const magic = reader.fourcc('magic')
    if (magic !== 'NUMS') reader.fail('bad-magic', `this is ${magic}`, 'magic', { offset: 0 })
    const values = reader.f32s(reader.u32('count'), 'values')
    const name = reader.take(16, 'name')
    const document: Numbers = { format: 'fake.numbers', ref, diagnostics: [], values, name, trailing: reader.rest() }
    if (name[0] === 0x23) document.readOnly = 'its name begins with #'
    if (name[0] === 0x7e)
      document.diagnostics.push({
        code: 'fake.tilde',
        severity: 'warning',
        message: 'the name begins with ~',
        ref,
        path: 'name',
        offset: 8 + values.byteLength,
        fixes: [{ id: 'fake.untilde', label: 'Replace it' }],
      })
    return document
  },
  encode(document, out) {
    out.fourcc('NUMS')
    out.u32(document.broken ? document.values.length + 9 : document.values.length)
    out.raw(document.values)
    out.raw(document.name)
    out.opaque(document.trailing)
  },
  describe: (d) =>
    node('numbers', 'NUMS', { start: 0, end: 24 + d.values.byteLength + d.trailing.length }, [
      field('magic', 'char[4]', 0, 4, 'NUMS'),
      field('count', 'u32', 4, 4, d.values.length),
      field('values', `f32 x ${d.values.length}`, 8, d.values.byteLength, d.values),
      field('name', 'char[16]', 8 + d.values.byteLength, 16, String.fromCharCode(...d.name).replace(/\0.*/s, '')),
      field('trailing', `u8 x ${d.trailing.length}`, 24 + d.values.byteLength, d.trailing.length, d.trailing),
    ]),
  summarize: () => ({ note: 'numbers' }),
}

interface PackIndex extends ArchiveIndex {
  readonly members: ArchiveMember[]
  names: Uint8Array[]
  tail: Uint8Array
}

/** "FPAK", u32 count, per member 16 bytes of name, u32 offset, u32 size; bodies; a tail */
const packFormat: ArchiveFormat<PackIndex> = {
  id: 'fake.pack',
  label: 'Pack',
  family: 'fake',
  extensions: ['fpk'],
  identify: (head) => (String.fromCharCode(...head.subarray(0, 4)) === 'FPAK' ? 1 : 0),
  open(source) {
    const reader = new Reader(source.read(0, source.size), source.ref)
    reader.fourcc()
    const count = reader.count(reader.u32('count'), 24, 'count')
    const index: PackIndex = { format: 'fake.pack', ref: source.ref, members: [], diagnostics: [], names: [], tail: new Uint8Array(0) }
    let end = 8 + 24 * count
    for (let i = 0; i < count; i++) {
      const rawName = reader.take(16, 'name')
      const offset = reader.u32('offset')
      const size = reader.u32('size')
      if (offset + size > source.size) reader.fail('bad-count', 'member is outside', 'size')
      end = Math.max(end, offset + size)
      const zero = rawName.indexOf(0)
      index.names.push(rawName)
      index.members.push({ name: String.fromCharCode(...rawName.subarray(0, zero < 0 ? 16 : zero)), rawName, offset, size, duplicate: 0 })
    }
    index.tail = source.read(end, source.size - end)
    return index
  },
  encode: (index) => [
    { kind: 'bytes', as: 'typed', bytes: directory(index, index.members) },
    ...index.members.map((m): Segment => ({ kind: 'copy', offset: m.offset, length: m.size })),
    { kind: 'bytes', as: 'opaque', bytes: index.tail },
  ],
  replace(index, replacements) {
    let offset = 8 + 24 * index.members.length
    const places = index.members.map((m, i) => {
      const size = replacements.get(i)?.length ?? m.size
      const place = { offset, size }
      offset += size
      return place
    })
    return {
      data: [
        { kind: 'bytes', as: 'typed', bytes: directory(index, places) },
        ...index.members.map((m, i): Segment => {
          const bytes = replacements.get(i)
          return bytes ? { kind: 'bytes', as: 'member', bytes } : { kind: 'copy', offset: m.offset, length: m.size }
        }),
        { kind: 'bytes', as: 'opaque', bytes: index.tail },
      ],
    }
  },
  describe: (index) => node('pack', 'FPAK', { start: 0, end: 8 + 24 * index.members.length }),
}

/** The same in two files: `x.fdr` with the names, `x.fdt` with the bodies behind a byte that is nobody's. */
const pairFormat: ArchiveFormat<PackIndex> = {
  ...packFormat,
  id: 'fake.pair',
  label: 'Pair',
  extensions: ['fdr'],
  identify: (head, name) => (String.fromCharCode(...head.subarray(0, 4)) === 'FPAK' && name.endsWith('.fdr') ? 1 : 0),
  companion: (name) => name.replace(/fdr$/, 'fdt'),
  open(source, data) {
    const reader = new Reader(source.read(0, source.size), source.ref)
    reader.fourcc()
    const count = reader.count(reader.u32('count'), 24, 'count')
    const index: PackIndex = { format: 'fake.pair', ref: source.ref, members: [], diagnostics: [], names: [], tail: data.read(0, 1) }
    for (let i = 0; i < count; i++) {
      const rawName = reader.take(16, 'name')
      const [offset, size] = [reader.u32('offset'), reader.u32('size')]
      index.names.push(rawName)
      index.members.push({ name: String.fromCharCode(...rawName.subarray(0, rawName.indexOf(0))), rawName, offset, size, duplicate: 0 })
    }
    return index
  },
  replace(index, replacements) {
    let offset = 1
    const places = index.members.map((m, i) => {
      const size = replacements.get(i)?.length ?? m.size
      return { offset: (offset += size) - size, size }
    })
    const bodies = index.members.map((m, i): Segment =>
      replacements.has(i)
        ? { kind: 'bytes', as: 'member', bytes: replacements.get(i)! }
        : { kind: 'copy', offset: m.offset, length: m.size },
    )
    return {
      data: [{ kind: 'copy', offset: 0, length: 1 }, ...bodies],
      directory: [{ kind: 'bytes', as: 'typed', bytes: directory(index, places) }],
    }
  },
}

export function pairBytes(members: Record<string, Uint8Array>): { directory: Uint8Array; data: Uint8Array } {
  const whole = packBytes(members, new Uint8Array(0))
  const start = 8 + 24 * Object.keys(members).length
  const view = new DataView(whole.buffer, whole.byteOffset)
  for (let i = 0; i < Object.keys(members).length; i++)
    view.setUint32(8 + 24 * i + 16, view.getUint32(8 + 24 * i + 16, true) - start + 1, true)
  return { directory: whole.slice(0, start), data: new Uint8Array([0x77, ...whole.subarray(start)]) }
}

function directory(index: { names: Uint8Array[] }, places: { offset: number; size: number }[]): Uint8Array {
  const out = new ByteWriter()
  out.fourcc('FPAK')
  out.u32(places.length)
  places.forEach((place, i) => {
    out.raw(index.names[i])
    out.u32(place.offset)
    out.u32(place.size)
  })
  return out.finish().slice()
}

/** Files named `base.num` are models, `base.extra.num` and `shared.num` beside it belong to them. */
export const fakeFamily: Family = {
  id: 'fake',
  label: 'Fake',
  games: 'Fake game',
  formats: [numbersFormat],
  archives: [pairFormat, packFormat],
  bind(folder, around) {
    const files = around.inFolder(folder).filter((file) => file.format === 'fake.numbers')
    const mains = files.filter((file) => !stemOf(file.name).includes('.') && stemOf(file.name) !== 'shared')
    return mains.map((main) => ({
      family: 'fake',
      name: stemOf(main.name),
      primary: main.ref,
      members: [
        { role: 'model', ref: main.ref, why: 'self', detail: '' },
        ...files
          .filter((f) => stemOf(f.name) === `${stemOf(main.name)}.extra` || stemOf(f.name) === 'shared')
          .map((f) => ({ role: 'animation', ref: f.ref, why: 'name' as const, detail: 'same name' })),
      ],
    }))
  },
  assemble(binding, load, choices) {
    const scene = emptyScene(binding.name)
    for (const member of binding.members) {
      const document = load(member.ref) as Numbers | undefined
      if (document) scene.lods.push(`${stemOf(member.ref)}: ${[...document.values].join(' ')}`)
    }
    scene.clips.push({
      name: 'motion',
      tracks: [],
      start: 0,
      end: 100,
      rate: 30,
      unit: 'frame',
      loop: 'wrap',
      fit: { matched: 0, total: 0 },
      events: [],
      source: { ref: binding.primary, path: 'values' },
    })
    return {
      scene,
      options: [
        { key: 'flavour', label: 'Flavour', reason: '', value: choices.flavour ?? 'plain', options: [{ value: 'plain', label: 'Plain' }] },
      ],
      diagnostics: [],
    }
  },
  lint: (document) => [{ code: 'fake.lint', severity: 'info', message: 'looked at', ref: document.ref, path: '', offset: -1 }],
  fixes: {
    'fake.untilde': (document) => {
      const d = document as Numbers
      d.name = d.name.slice()
      d.name[0] = 0x2d
    },
  },
  editor: {
    skeleton: {
      abilities: { rename: true, transform: true, reparent: false, keepSkin: false },
      references: () => [],
      fields: (model) => [{ key: 'first', label: 'First', value: [(model.document(model.binding.primary) as Numbers).values[0]] }],
      setField(session, _joint, _key, value) {
        const d = session.edit<Numbers>(session.binding.primary)
        if (typeof value === 'string') throw new FormatError('invalid-edit', 'not a number')
        d.values = Float32Array.from(d.values)
        d.values[0] = value[0]
      },
    },
  },
}

export const fakeRegistry = createRegistry([fakeFamily])

export function numbersBytes(values: number[], name = 'name', trailing: Uint8Array = junk(7, 3)): Uint8Array {
  const out = new ByteWriter()
  out.fourcc('NUMS')
  out.u32(values.length)
  out.raw(Float32Array.from(values))
  const field = junk(16, 9)
  field.set(Buffer.from(`${name}\0`, 'latin1').subarray(0, 16))
  out.raw(field)
  out.opaque(trailing)
  return out.finish().slice()
}

export function packBytes(members: Record<string, Uint8Array>, tail: Uint8Array = junk(11, 5)): Uint8Array {
  const names = Object.keys(members).map((name) => {
    const field = junk(16, 21)
    field.set(Buffer.from(`${name}\0`, 'latin1').subarray(0, 16))
    return field
  })
  let offset = 8 + 24 * names.length
  const bodies = Object.values(members)
  const places = bodies.map((body) => ({ offset: (offset += body.length) - body.length, size: body.length }))
  const out: Writer = new ByteWriter()
  out.raw(directory({ names }, places))
  for (const body of bodies) out.raw(body)
  out.opaque(tail)
  return out.finish().slice()
}
