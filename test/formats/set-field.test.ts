/** Setting fields on a format that is made for it: each use of a field, the words that it takes, and what proves that nothing else changed. */
import { describe, expect, it } from 'vitest'
import { nameOf } from '../../src/main/binary/reader.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { editableField, fieldsIn, findField, foundIn } from '../../src/main/formats/fields.ts'
import { withFields } from '../../src/main/formats/set-field.ts'
import { changedRanges } from '../support/edit-session.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import type { BitPart, FieldUse, StructureField, StructureNode } from '../../src/shared/api/types/structure.ts'
import type { EditableField } from '../../src/shared/api/types/fields.ts'

interface Made extends Document {
  bytes: Uint8Array
}

const PARTS: readonly BitPart[] = [
  { name: 'low', at: 0, width: 1 },
  { name: 'mode', at: 4, width: 4, values: ['plain', '', 'twice'] },
  { name: 'high', at: 31, width: 1 },
]

/** In this order behind each other. */
const FIELDS: [name: string, type: string, size: number, use?: FieldUse][] = [
  ['size', 'u32', 4, { is: 'size' }],
  ['flags', 'u32', 4, { is: 'bits', parts: PARTS }],
  ['signed', 'i32', 4, { is: 'bits', parts: PARTS }],
  ['blend', 'u8', 1, { is: 'choice', values: ['', 'none', 'add'] }],
  ['byte', 'u8', 1],
  ['node', 'i16', 2, { is: 'reference', to: 'node', none: -1 }],
  ['glow', 'f32[4]', 16, { is: 'color', order: 'rgba' }],
  ['tint', 'u8[4]', 4, { is: 'color', order: 'bgra' }],
  ['paint', 'u8[3]', 3, { is: 'color', order: 'rgb' }],
  ['pad', 'u8', 1],
  ['whole', 'i32', 4],
  ['long', 'u64', 8],
  ['mixed', '{u8 a, i16 b}', 3],
  ['names', '{char[4] first, char[4] second}', 8],
  ['id', 'char[4]', 4],
  ['column', 'u16 x 3', 6],
]
const TEXTS: [name: string, use: FieldUse & { is: 'text' }][] = [
  ['unit', { is: 'text', form: 'whole', unit: 4 }],
  ['most', { is: 'text', form: 'whole', most: 6 }],
  // of one name with another
  ['unit', { is: 'text', form: 'whole' }],
]
const FIXED = FIELDS.reduce((n, [, , size]) => n + size, 0)

function describeMade({ bytes }: Made): StructureNode {
  let at = 0
  const fields = FIELDS.map(([name, type, size, use]): StructureField => {
    const field = {
      name,
      value: name === 'id' ? nameOf(bytes.subarray(at, at + size)) : [...bytes.subarray(at, at + size)].join(' '),
      type,
      start: at,
      size,
      ...(use ? { use } : {}),
    }
    at += size
    return field
  })
  // texts that say their lengths in front
  const children = TEXTS.map(([name, use]): StructureNode => {
    const start = at
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)
    const value = Buffer.from(bytes.subarray(at + 4, at + 4 + length)).toString('latin1')
    at += 4 + length
    return {
      name,
      type: 'TEXT',
      start,
      end: at,
      fields: [
        { name: 'length', value: String(length), type: 'u32', start, size: 4, use: { is: 'size' } },
        { name: 'text', value: value.split('\0')[0], type: `char[${length}]`, start: start + 4, size: length, use },
      ],
      children: [],
    }
  })
  const counted: StructureField = {
    name: 'counted',
    value: Buffer.from(bytes.subarray(at + 4))
      .toString('latin1')
      .split('\0')[0],
    type: 'string',
    start: at,
    size: bytes.length - at,
    use: { is: 'text', form: 'counted' },
  }
  at += 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)
  const nodes = ['root', 'arm'].map((label, i): StructureNode => {
    const name: StructureField = { name: 'name', value: label, type: 'char[4]', start: 0, size: 0, use: { is: 'structure' } }
    return { name: `node[${i}]`, type: 'NODE', start: at, end: at, fields: [name], children: [] }
  })
  return { name: '', type: 'MADE', start: 0, end: at, fields: [...fields, counted], children: [...children, ...nodes] }
}

const made: FileFormat<Made> = {
  id: 'made.file',
  label: 'made',
  family: 'made',
  kind: 'other',
  extensions: ['made'],
  identify: () => 1,
  decode: (bytes, ref) => {
    const document: Made = { format: 'made.file', ref, diagnostics: [], bytes }
    if (describeMade(document).end !== bytes.length) throw new Error('longer or shorter than its texts')
    return document
  },
  encode: ({ bytes }, out) => out.raw(bytes),
  describe: describeMade,
  summarize: () => ({}),
}

const text = (...bytes: (string | number[])[]): Uint8Array => {
  const body = Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
  return Buffer.concat([new Uint8Array(Uint32Array.of(body.length).buffer), body])
}

function file(format: FileFormat<Made> = made): { format: FileFormat<Made>; bytes: Uint8Array; document: Made } {
  const fixed = Uint8Array.from({ length: FIXED }, (_, i) => (i * 37 + 11) & 0xff)
  const view = new DataView(fixed.buffer)
  view.setUint32(4, 0x80000f21, true)
  view.setUint32(8, 0x00000011, true)
  fixed[12] = 7
  for (let i = 0; i < 4; i++) view.setFloat32(16 + 4 * i, [0, 0.5, 1, 0.25][i], true)
  const bytes = new Uint8Array(
    Buffer.concat([fixed, text('ab', [0, 7]), text('long', [0, 8, 9]), text('free', [0, 6]), text('more', [0, 5, 4])]),
  )
  return { format, bytes, document: format.decode(bytes, 'x.made') }
}

type Opened = ReturnType<typeof file>

function told({ format, bytes, document }: Opened, path: string): EditableField {
  return editableField(findField(format.describe(document), path)!, bytes, () => [])
}

function set(opened: Opened, path: string, value: string): Opened {
  const { bytes, document } = withFields(opened.format, opened, [{ path, value }])
  expect(encodeDocument(opened.format, document).bytes).toEqual(bytes)
  return { ...opened, bytes, document }
}

function refusal(opened: Opened, path: string, value: string): unknown {
  try {
    set(opened, path, value)
  } catch (error) {
    return error
  }
  return undefined
}

const invalid = { code: 'invalid-edit', file: 'x.made' }

/** What stands at a path after it was set there. */
const after = (path: string, value: string, at = path): string => told(set(file(), path, value), at).value

describe('flags and bits', () => {
  const word = ({ bytes }: Opened, at = 4): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)

  it('are read and set above the sign of a word, in one that has a sign too', () => {
    expect([told(file(), 'flags.high').value, told(file(), 'flags.mode').value]).toEqual(['1', 'twice'])
    expect(word(set(file(), 'flags.low', 'off'))).toBe(0x80000f20)
    expect(word(set(file(), 'flags.high', 'no'))).toBe(0x00000f21)
    const negative = set(file(), 'signed', '+high')
    expect(word(negative, 8)).toBe(0x80000011)
    expect(told(negative, 'signed').bits!.map(({ value }) => value)).toEqual([1, 1, 1])
    expect(word(set(negative, 'signed', '-low'), 8)).toBe(0x80000010)
    expect(word(set(negative, 'signed.mode', '3'), 8)).toBe(0x80000031)
  })

  it('by names are those alone that hold; what is no flag stays, and so do bits without a name', () => {
    expect(word(set(file(), 'flags', 'low'))).toBe(0x00000f21)
    expect(word(set(file(), 'flags', ''))).toBe(0x00000f20)
    expect(word(set(file(), 'flags', '-low, mode=plain'))).toBe(0x80000f00)
    expect(word(set(file(), 'flags', '+low -high'))).toBe(0x00000f21)
    expect(word(set(file(), 'flags', 'low +low'))).toBe(0x00000f21)
    // a name with a sign beside one without is a list of those that hold
    expect(word(set(file(), 'flags', 'high +low'))).toBe(0x80000f21)
    expect(word(set(file(), 'flags', 'high -low'))).toBe(0x80000f20)
  })

  it('take a number as the whole word, of all its bits', () => {
    expect(word(set(file(), 'flags', '0xffffffff'))).toBe(0xffffffff)
    expect(word(set(file(), 'signed', '0xffffffff'), 8)).toBe(0xffffffff)
    expect(word(set(file(), 'signed', '-2'), 8)).toBe(0xfffffffe)
    expect(refusal(file(), 'flags', '0x100000000')).toMatchObject({ ...invalid, path: 'flags' })
  })

  it('of several bits take a number or a name of theirs, and no yes or no', () => {
    for (const [path, value] of [
      ['flags', 'mode'],
      ['flags', '+mode'],
      ['flags.mode', 'on'],
      ['flags.mode', ''],
      ['flags.mode', '16'],
      ['flags.low', '2'],
      ['flags', 'mode=on'],
      ['flags', 'none'],
    ])
      expect(refusal(file(), path, value), `${path} ${value}`).toMatchObject({ ...invalid, path })
    const message = 'mode is one of plain, twice: "on" is none'
    for (const [path, value] of [
      ['flags', 'mode=on'],
      ['flags.mode', 'on'],
    ])
      expect(refusal(file(), path, value)).toMatchObject({ message })
    expect(after('flags.mode', '15')).toBe('15')
    expect(after('flags', 'mode=2', 'flags.mode')).toBe('twice')
    expect(told(file(), 'flags.mode')).toMatchObject({ form: 'choice', choices: [{ value: 'plain' }, { value: 'twice' }] })
    // the window chooses by the name: numbers without one have no place among them
    const chosen = (value: string): unknown => told(set(file(), 'flags', value), 'flags').bits!.find(({ name }) => name === 'mode')
    expect(chosen('mode=2')).toMatchObject({ value: 2, chosen: 'twice', choices: [{ value: 'plain' }, { value: 'twice' }] })
    expect(chosen('mode=1')).toMatchObject({ value: 1, chosen: '1' })
    expect(told(file(), 'flags.low')).toMatchObject({ form: 'number', least: 0, most: 1, whole: true })
  })
})

describe('choices and references', () => {
  it('are names, and numbers where there is none', () => {
    expect([told(file(), 'blend').value, after('blend', 'add'), after('blend', '0'), after('blend', '255')]).toEqual([
      '7',
      'add',
      '0',
      '255',
    ])
    for (const value of ['', ' ', 'ADD', '256']) expect(refusal(file(), 'blend', value), value).toMatchObject({ ...invalid, path: 'blend' })
  })

  it('of nodes are numbers, or that there is none', () => {
    expect(told(file(), 'node').choices).toEqual([
      { value: '-1', label: '' },
      { value: '0', label: 'root' },
      { value: '1', label: 'arm' },
    ])
    expect([after('node', 'none'), after('node', '1')]).toEqual(['-1', '1'])
    expect(refusal(file(), 'byte', 'none')).toMatchObject(invalid)
  })
})

describe('numbers', () => {
  it('are hexadecimal, below zero, or with more digits than a number has', () => {
    expect([after('whole', '-0x10'), after('whole', '+7'), after('whole', '-1e3')]).toEqual(['-16', '7', '-1000'])
    expect(after('long', '18446744073709551615')).toBe('18446744073709551615')
    expect(after('long', '9007199254740993')).toBe('9007199254740993')
    for (const value of ['', 'x', '1 2', '0x', '1.5', '--1']) expect(refusal(file(), 'whole', value), value).toMatchObject(invalid)
  })

  it('of 32 bits take the greatest as it is told, which is more than it, and nothing beyond', () => {
    const greatest = set(file(), 'glow.a', '3.4028235e+38')
    expect(told(greatest, 'glow.a').value).toBe('3.4028235e+38')
    expect([...greatest.bytes.subarray(findField(describeMade(greatest.document), 'glow.a')!.start).subarray(0, 4)]).toEqual([
      255, 255, 127, 127,
    ])
    expect(set(set(greatest, 'glow.a', '0'), 'glow.a', told(greatest, 'glow.a').value).bytes).toEqual(greatest.bytes)
    for (const value of ['3.4028236e+38', '-1e39']) expect(refusal(file(), 'glow.a', value), value).toMatchObject(invalid)
  })

  it('of a record have limits where all have the same, and names of their own', () => {
    expect(told(file(), 'mixed')).toMatchObject({ form: 'numbers', names: ['a', 'b'] })
    expect(told(file(), 'mixed')).not.toHaveProperty('least')
    expect(told(file(), 'mixed.b')).toMatchObject({ form: 'number', least: -32768, most: 32767 })
    expect(told(set(file(), 'mixed.b', '-5'), 'mixed').value).toMatch(/, -5$/)
  })

  it('of a column are set by themselves, up to its last one', () => {
    expect(told(file(), 'column')).toMatchObject({ form: 'none', entries: 3 })
    expect(after('column[2]', '9')).toBe('9')
    expect(findField(describeMade(file().document), 'column[3]')).toBeUndefined()
    expect(refusal(file(), 'column', '1, 2, 3')).toMatchObject({ ...invalid, path: 'column' })
  })
})

describe('colours', () => {
  it('of floats are told as bytes where they are just that, else as they are', () => {
    expect(told(file(), 'glow').value).toBe('0, 0.5, 1, 0.25')
    const red = set(file(), 'glow', '#ff8000')
    // what the text does not have stays
    expect(told(red, 'glow').value).toMatch(/^1, 0\.50196\d*, 0, 0\.25$/)
    const all = set(red, 'glow', '#ff800040')
    expect(told(all, 'glow')).toMatchObject({ value: '#ff800040', form: 'color', alpha: true })
    expect(set(all, 'glow', '#ff800040').bytes).toEqual(all.bytes)
  })

  it('stand in the order of the field', () => {
    const { bytes } = set(file(), 'tint', '#010203')
    expect([...bytes.subarray(32, 36)]).toEqual([3, 2, 1, file().bytes[35]])
    expect(after('tint', '#abc', 'tint').slice(0, 7)).toBe('#aabbcc')
    expect(told(file(), 'paint')).toMatchObject({ alpha: false })
    expect(after('tint.r', '200', 'tint').slice(1, 3)).toBe('c8')
    expect(refusal(file(), 'tint', '#12345')).toMatchObject(invalid)
  })
})

describe('texts', () => {
  it('that are filled up to a multiple keep their length where they fit, and take the next one where not', () => {
    const sizes = (value: string): [string, number] => {
      const next = set(file(), 'unit.text', value)
      return [told(next, 'unit.text').value, findField(describeMade(next.document), 'unit.text')!.size]
    }
    expect([sizes('x'), sizes('xyz'), sizes('wxyz'), sizes('wxyzwxy')]).toEqual([
      ['x', 4],
      ['xyz', 4],
      ['wxyz', 8],
      ['wxyzwxy', 8],
    ])
    // the sizes around it grow with it, those of the others stay
    const grown = set(file(), 'unit.text', 'wxyz')
    const size = ({ bytes }: Opened): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
    expect(size(grown) - size(file())).toBe(4)
    expect(told(grown, 'most.text').value).toBe('long')
  })

  it('that grow together make what is around both longer by both', () => {
    const { bytes } = withFields(made, file(), [
      { path: 'unit.text', value: 'wxyz' },
      { path: 'unit:2.text', value: 'a longer one' },
    ])
    const size = (of: Uint8Array): number => new DataView(of.buffer, of.byteOffset).getUint32(0, true)
    expect(size(bytes) - size(file().bytes)).toBe(bytes.length - file().bytes.length)
    expect(bytes.length - file().bytes.length).toBe(12)
    const [unit, second] = ['unit.text', 'unit:2.text'].map((path) => findField(describeMade(made.decode(bytes, 'x.made')), path)!)
    expect([...bytes.subarray(second.start, second.start + second.size)]).toEqual([...Buffer.from('a longer one'), 0, 6])
    expect([unit.field.value, second.field.value]).toEqual(['wxyz', 'a longer one'])
  })

  it('with their number of bytes in front keep their end and what stands behind it', () => {
    const next = set(file(), 'counted', 'another')
    const { start, size } = findField(describeMade(next.document), 'counted')!
    expect([...next.bytes.subarray(start, start + size)]).toEqual([10, 0, 0, 0, ...Buffer.from('another'), 0, 5, 4])
    expect(set(file(), 'counted', 'more').bytes).toEqual(file().bytes)
  })

  it('that fill their field to its last byte are the same again', () => {
    const full = file().bytes.slice()
    for (const path of ['id', 'names.second']) full.set(Buffer.from('abcd'), findField(describeMade(file().document), path)!.start)
    const opened = { ...file(), bytes: full, document: made.decode(full, 'x.made') }
    for (const path of ['id', 'names.second']) {
      expect(told(opened, path).value).toBe('abcd')
      expect(set(opened, path, 'abcd').bytes).toEqual(full)
    }
  })

  it('keep what fills them up, but not beyond what games keep', () => {
    const bytes = (value: string): number[] => {
      const next = set(file(), 'most.text', value)
      const { start, size } = findField(describeMade(next.document), 'most.text')!
      return [...next.bytes.subarray(start, start + size)]
    }
    const of = (value: string): number[] => [...Buffer.from(value)]
    expect(bytes('a')).toEqual([...of('a'), 0, 8, 9])
    expect(bytes('longe')).toEqual([...of('longe'), 0, 8])
    expect(bytes('longer')).toEqual([...of('longer'), 0])
    expect(refusal(file(), 'most.text', 'longest')).toMatchObject({ ...invalid, path: 'most.text' })
    expect(told(file(), 'most.text').mostBytes).toBe(6)
  })

  it('of fixed size leave room for an end, are Latin-1, and each of several is its own', () => {
    expect(told(file(), 'id').mostBytes).toBe(3)
    expect(refusal(file(), 'id', 'abcd')).toMatchObject(invalid)
    expect(after('id', 'é', 'id')).toBeDefined()
    expect(refusal(file(), 'id', 'ā')).toMatchObject({ ...invalid, actual: 'ā' })
    const named = set(set(file(), 'names.first', 'abc'), 'names.second', 'de')
    expect([told(named, 'names.first').value, told(named, 'names.second').value]).toEqual(['abc', 'de'])
    expect(told(named, 'names.second').mostBytes).toBe(3)
    // the same again changes no byte, whatever stands behind its end
    const { start } = findField(describeMade(named.document), 'names.second')!
    const odd = named.bytes.slice()
    odd.set([0x64, 0x65, 0, 0x55], start)
    expect(set({ ...named, bytes: odd, document: made.decode(odd, 'x.made') }, 'names.second', 'de').bytes).toEqual(odd)
  })
})

describe('a field as it is told', () => {
  const field = (more: Partial<StructureField>): StructureField => ({ name: 'f', value: '', type: 'u16', start: 0, size: 2, ...more })
  const node = (name: string, children: StructureNode[] = [], fields: StructureField[] = []): StructureNode => ({
    name,
    type: '',
    start: 0,
    end: 0,
    fields,
    children,
  })
  const bones = (...labels: string[]): StructureNode[] => labels.map((summary, i) => ({ ...node(`bone[${i}]`), summary }))
  const zeros = new Uint8Array(8)

  it('refers to the nodes that stand nearest, else to those of the first other file that has some', () => {
    const reference = field({ use: { is: 'reference', to: 'bone', none: 0xffff } })
    const labels = (around: StructureNode[], trees: StructureNode[]): string[] =>
      editableField(foundIn(reference, 'f', around), zeros, () => trees).choices!.map(({ label }) => label)
    const near = node('skin', bones('near'))
    const far = node('', [near, node('other', bones('far'))], [])
    const others = [node(''), node('', [node('deep', bones('deep', 'er'))]), node('', bones('late'))]
    expect(labels([node('', bones('far')), near], others)).toEqual(['', 'near'])
    expect(labels([far], others)).toEqual(['', 'near'])
    expect(labels([node('')], others)).toEqual(['', 'deep', 'er'])
    expect(labels([node('')], [])).toEqual([''])
  })

  it('says what nobody knows of it, what its entries and its numbers are called, and whether a colour has an alpha', () => {
    const tell = (more: Partial<StructureField>, scalars = {}): EditableField =>
      editableField(foundIn(field(more), 'f', [], scalars), zeros, () => [])
    expect(tell({ unknown: true, note: 'disputed' })).toMatchObject({ unknown: true, note: 'disputed' })
    expect(tell({ type: 'u16 x 2', size: 4, entries: { what: 'vertex', first: 1 } })).toMatchObject({
      entries: 2,
      entryNames: { what: 'vertex', first: 1 },
    })
    const pair = { size: 2, show: () => '1 2', packed: { words: 2, write: () => true } }
    expect(tell({ type: 'turn' }, { turn: pair })).toMatchObject({ form: 'numbers', names: ['0', '1'], value: '1, 2' })
    const color = (text: string): boolean | undefined => tell({ type: 'line', use: { is: 'text', form: 'token', color: text } }).alpha
    expect(['#12345678', '#123456', '0.5, 1, 2, 1', '0.5, 1, 2'].map(color)).toEqual([true, false, true, false])
    expect(tell({ use: { is: 'size' } })).toMatchObject({ form: 'none' })
  })
})

describe('what is proven', () => {
  const decided = (format: Partial<FileFormat<Made>>): unknown => refusal(file({ ...made, ...format }), 'byte', '1')

  it('is that the file is read, as what it was, and can be changed still', () => {
    const first = (bytes: Uint8Array): boolean => bytes[13] === 1
    const decode = made.decode.bind(made)
    const fails = (bytes: Uint8Array, ref: string): Made => {
      if (first(bytes)) throw new Error('no more')
      return decode(bytes, ref)
    }
    const readOnly = (bytes: Uint8Array, ref: string): Made => ({
      ...decode(bytes, ref),
      ...(first(bytes) ? { readOnly: 'compiled' } : {}),
    })
    for (const [why, format] of Object.entries({ 'no more': { decode: fails }, compiled: { decode: readOnly } }))
      expect(decided(format)).toMatchObject({ ...invalid, path: 'byte', message: expect.stringContaining(why) })
  })

  it('is that its fields give its bytes, no more of them as bytes alone', () => {
    const zeroed: typeof made.encode = ({ bytes }, out) => out.raw(bytes[13] === 1 ? new Uint8Array(bytes.length) : bytes)
    const raw: typeof made.encode = ({ bytes }, out) => (bytes[13] === 1 ? out.opaque(bytes) : out.raw(bytes))
    for (const encode of [zeroed, raw]) expect(decided({ encode })).toMatchObject({ ...invalid, path: 'byte' })
  })

  it('is that it has the same fields, of the same types and sizes', () => {
    const other = (change: (root: StructureNode) => StructureNode): Partial<FileFormat<Made>> => ({
      describe: (document) => (document.bytes[13] === 1 ? change(describeMade(document)) : describeMade(document)),
    })
    const field = (more: Partial<StructureField>) => (root: StructureNode) => ({
      ...root,
      fields: root.fields.map((one) => (one.name === 'whole' ? { ...one, ...more } : one)),
    })
    for (const format of [
      other(field({ type: 'u32' })),
      other(field({ name: 'part' })),
      other(field({ size: 2 })),
      other((root) => ({ ...root, fields: root.fields.slice(1) })),
      other((root) => ({ ...root, children: root.children.slice(1) })),
      other((root) => ({ ...root, children: root.children.map((child, i) => (i === 0 ? { ...child, name: 'other' } : child)) })),
    ])
      expect(decided(format)).toMatchObject({ ...invalid, path: 'byte' })
    expect(decided({})).toBeUndefined()
  })

  it('is that no error is new, also where there was one of the kind', () => {
    const errors =
      (few: number, many: number): typeof made.decode =>
      (bytes, ref) => ({
        ...made.decode(bytes, ref),
        diagnostics: Array.from({ length: bytes[13] === 1 ? many : few }, (_, i) => ({
          severity: 'error',
          code: 'made.bad',
          message: `bad ${i}`,
          path: '',
          offset: -1,
          ref,
        })),
      })
    expect(decided({ decode: errors(0, 1) })).toMatchObject({ message: expect.stringContaining('bad 0') })
    expect(decided({ decode: errors(1, 2) })).toMatchObject({ message: expect.stringContaining('bad 1') })
    expect(decided({ decode: errors(2, 2) })).toBeUndefined()
  })

  it('leaves every byte but those of the field', () => {
    const opened = file()
    for (const { path, field, around } of fieldsIn(describeMade(opened.document))) {
      const { form, value } = editableField(foundIn(field, path, around), opened.bytes, () => [])
      if (form !== 'number') continue
      const next = set(opened, path, value === '3' ? '4' : '3')
      for (const [start, end] of changedRanges(opened.bytes, next.bytes))
        expect(start >= field.start && end <= field.start + field.size, path).toBe(true)
    }
  })
})
