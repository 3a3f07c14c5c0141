/**
 * A field of a document with another value: its bytes are put in, nothing else is, and what comes out is proven to be the same document but
 * for that field. Done to the bytes, so that it holds for every format that describes itself.
 */
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { spliced } from '../binary/splice.ts'
import type { Splice } from '../binary/splice.ts'
import { nameOf, withName } from '../binary/reader.ts'
import { encodeDocument, firstDifference } from './format.ts'
import { notHere } from './address.ts'
import { findField, formOf, refusalOf, wordAt } from './fields.ts'
import type { FoundField } from './fields.ts'
import type { Document, FileFormat, StructureField, StructureNode } from './format.ts'
import type { BitPart } from '../../shared/api/types/structure.ts'
import { say } from '../../shared/texts/say.ts'

export interface FieldValue {
  path: string
  /** a number, numbers with commas between, a name of a choice, names of flags, `#rrggbb`, a text */
  value: string
}

/**
 * @param values paths of the document as it is
 * @returns the bytes with these values, and the document that they are
 * @throws FormatError not-found, invalid-edit with the path of the field
 */
export function withFields<D extends Document>(
  format: FileFormat<D>,
  before: { bytes: Uint8Array; document: D },
  values: readonly FieldValue[],
): { bytes: Uint8Array; document: D } {
  const { ref } = before.document
  const root = format.describe(before.document)
  const splices: Splice[] = []
  const grown = new Map<StructureField, number>()
  for (const { path, value } of values) {
    const found = findField(root, path, format.scalars) ?? notHere('field', path, ref)
    const refused = refusalOf(found)
    if (refused) wrong(refused, path, ref)
    const by = newBytes(format, found, before.bytes, value, ref)
    splices.push({ from: found.start, to: found.start + found.size, by })
    const more = by.length - found.size
    if (more !== 0)
      for (const node of found.around)
        for (const field of node.fields) if (field.use?.is === 'size') grown.set(field, (grown.get(field) ?? 0) + more)
  }
  for (const [field, more] of grown)
    splices.push({ from: field.start, to: field.start + field.size, by: counted(field, before.bytes, more) })
  splices.sort((a, b) => a.from - b.from)
  if (splices.some(({ from }, i) => i > 0 && from < splices[i - 1].to)) wrong(say('fields.twice'), values[0].path, ref)
  const bytes = spliced(before.bytes, splices)
  return { bytes, document: proven(format, before, root, bytes, splices, values[0]?.path ?? '') }
}

/** The field's own name: errors have the whole path beside it. */
export const own = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

export function wrong(message: string, path: string, file: string, more: { expected?: string; actual?: string } = {}): never {
  throw new FormatError('invalid-edit', message, { file, path, ...more })
}

/** A size of four bytes, lowest first, with flags in its highest bits as they are. */
function counted(field: StructureField, bytes: Uint8Array, more: number): Uint8Array {
  const by = bytes.slice(field.start, field.start + field.size)
  const view = new DataView(by.buffer)
  view.setUint32(0, view.getUint32(0, true) + more, true)
  return by
}

// --- values ---------------------------------------------------------------------------------------------------

/** How a format has texts. */
type Texts = Pick<FileFormat<never>, 'encodeText' | 'withText'>

/**
 * The bytes of a field with another value.
 * @param bytes that the field's `start` counts in
 * @throws FormatError invalid-edit with the path of the field
 */
export function newBytes(format: Texts, found: FoundField, bytes: Uint8Array, value: string, ref: string): Uint8Array {
  const old = bytes.subarray(found.start, found.start + found.size)
  const form = formOf(found)
  if (found.field.use?.is === 'word') return wordBytes(found, found.field.use.words, value.trim(), ref)
  if (form === 'text' || found.field.use?.is === 'text') return textBytes(format, found, old, value, ref)
  if (found.bits) return withWord(found, old, withBits(found.bits, wordAt(found, bytes), bitsFrom(found.bits, value, found.path, ref)))
  if (form === 'flags') return withWord(found, old, flagsFrom(found, wordAt(found, bytes), value, ref))
  if (form === 'choice' && found.field.use?.is === 'choice') {
    const at = found.field.use.values.indexOf(value.trim())
    return numbersFrom(found, old, at >= 0 && value.trim() !== '' ? String(at) : value, ref)
  }
  if (form === 'reference' && found.field.use?.is === 'reference' && found.field.use.none !== undefined && value.trim() === 'none')
    return numbersFrom(found, old, String(found.field.use.none), ref)
  if (form === 'color' && found.field.use?.is === 'color' && value.trim().startsWith('#'))
    return numbersFrom(found, old, colorFrom(found, found.field.use.order, old, value.trim(), ref), ref)
  return numbersFrom(found, old, value, ref)
}

/** Numbers, each where its part stands. */
function numbersFrom(found: FoundField, old: Uint8Array, value: string, ref: string): Uint8Array {
  const parts = found.parts.filter(({ type }) => type)
  const texts = wordsOf(parts, value)
  const wanted = parts.reduce((n, { type }) => n + (type!.packed?.words ?? 1), 0)
  if (!texts)
    wrong(say('fields.numbers', { field: own(found.path), n: wanted, value }), found.path, ref, {
      expected: String(wanted),
      actual: String(value.trim() === '' ? 0 : splitWords(value).length),
    })
  const by = old.slice()
  const view = new DataView(by.buffer)
  const from = found.parts.length === 1 ? found.parts[0].offset : 0
  parts.forEach(({ type, offset }, i) => {
    // what stands there already keeps its bits
    if (texts[i].join(' ') === type!.show(view, offset - from)) return
    const { limits, packed } = type!
    if (packed) {
      if (!packed.write(view, offset - from, texts[i]))
        wrong(say('fields.noPacked', { field: own(found.path), value: texts[i].join(' ') }), found.path, ref, {
          actual: texts[i].join(' '),
        })
      return
    }
    if (!limits) wrong(say('fields.packed', { field: own(found.path), type: found.field.type }), found.path, ref)
    limits.write(view, offset - from, numberFrom(texts[i][0], limits, found.path, ref))
  })
  return by
}

const splitWords = (value: string): string[] => value.trim().split(/\s*,\s*|\s+/)

/** The words of each part; undefined where they are too many or too few. */
function wordsOf(parts: FoundField['parts'], value: string): string[][] | undefined {
  const rest = value.trim() === '' ? [] : splitWords(value)
  const out = parts.map(({ type }) => {
    const own = rest.splice(0, type!.packed?.words ?? 1)
    if (type!.packed?.marks?.includes(rest[0])) own.push(rest.shift()!)
    return own
  })
  return rest.length > 0 || out.some((words, i) => words.length < (parts[i].type!.packed?.words ?? 1)) ? undefined : out
}

function numberFrom(
  text: string,
  { whole, least, most }: { whole: boolean; least: number; most: number },
  path: string,
  ref: string,
): string {
  const number = /^[-+]?(0x[\da-f]+|(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)$/i.test(text) ? numberOf(text) : NaN
  if (Number.isNaN(number)) wrong(say('fields.noNumber', { field: own(path), value: text }), path, ref, { actual: text })
  if (whole && !Number.isInteger(number)) wrong(say('fields.noWhole', { field: own(path), value: text }), path, ref, { actual: text })
  if (!(number >= least && number <= most))
    wrong(say('fields.outside', { field: own(path), value: text, least, most }), path, ref, { expected: `${least}..${most}`, actual: text })
  // more digits than a number has: as they were given
  return whole && /^\d+$/.test(text) ? text : String(number)
}

function numberOf(text: string): number {
  return text.startsWith('-') ? -Number(text.slice(1)) : Number(text.replace(/^\+/, ''))
}

function withWord(found: FoundField, old: Uint8Array, word: number): Uint8Array {
  const by = old.slice()
  const { limits } = found.parts[0].type!
  // a signed word has the same bits under another number, and is written by them
  limits!.write(new DataView(by.buffer), 0, String(word))
  return by
}

function withBits({ at, width }: BitPart, word: number, value: number): number {
  const low = 2 ** at
  const unsigned = word >>> 0
  const high = low * 2 ** width
  return Math.floor(unsigned / high) * high + value * low + (unsigned % low)
}

function bitsFrom(part: BitPart, value: string, path: string, ref: string): number {
  const named = part.values?.indexOf(value.trim()) ?? -1
  if (named >= 0 && value.trim() !== '') return named
  if (part.width === 1 && /^(true|yes|on)$/i.test(value.trim())) return 1
  if (part.width === 1 && /^(false|no|off)$/i.test(value.trim())) return 0
  if (part.values && !/^[-+.\d]/.test(value.trim()))
    wrong(say('fields.noWord', { field: part.name, words: part.values.filter(Boolean).join(', '), value: value.trim() }), path, ref)
  return Number(numberFrom(value.trim(), { whole: true, least: 0, most: 2 ** part.width - 1 }, path, ref))
}

/**
 * Names of flags, those alone that hold from now on; with `+` or `-` in front of all of them the ones that come or go. `name=value` sets
 * bits that are more than a flag. Bits without a name stay. A number is the whole word.
 */
function flagsFrom(found: FoundField, word: number, value: string, ref: string): number {
  const { path, field } = found
  const parts = field.use?.is === 'bits' ? field.use.parts : []
  const words = value
    .trim()
    .split(/[\s,|]+/)
    .filter(Boolean)
  if (words.length === 1 && /^[-+]?(0x[\da-f]+|\d+)$/i.test(words[0])) {
    const limits = found.parts[0].type!.limits!
    return Number(numberFrom(words[0], { ...limits, most: Math.max(limits.most, 2 ** (8 * found.size) - 1) }, path, ref)) >>> 0
  }
  const changes = words.length > 0 && words.every((name) => /^[-+]|=/.test(name))
  let next = word
  if (!changes) for (const part of parts) if (part.width === 1) next = withBits(part, next, 0)
  for (const given of words) {
    const [, sign, name, to] = /^([-+]?)([^=]*)(?:=(.*))?$/.exec(given)!
    const part =
      parts.find((p) => p.name === name) ??
      wrong(say('fields.noFlag', { field: own(path), name, names: parts.map((p) => p.name).join(', ') }), path, ref)
    if (to === undefined && part.width > 1) wrong(say('fields.flagValue', { field: own(path), name }), path, ref)
    next = withBits(part, next, to === undefined ? (sign === '-' ? 0 : 1) : bitsFrom(part, to, path, ref))
  }
  return next
}

/** `#rgb`, `#rrggbb` and `#rrggbbaa` as numbers in the field's own order; what the text does not have stays. */
function colorFrom(found: FoundField, order: string, old: Uint8Array, value: string, ref: string): string {
  const hex = /^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(value)
    ? value.slice(1)
    : wrong(say('fields.noColor', { field: own(found.path), value }), found.path, ref)
  const full = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex
  const view = new DataView(old.buffer, old.byteOffset, old.byteLength)
  return found.parts
    .map(({ type, offset }, i) => {
      const at = 2 * 'rgba'.indexOf(order[i])
      const byte = at < 0 ? '' : full.slice(at, at + 2)
      if (byte === '') return type!.show(view, offset)
      const number = parseInt(byte, 16)
      return String(type!.limits!.whole ? number : Math.fround(number / 255))
    })
    .join(', ')
}

function wordBytes({ path }: FoundField, words: readonly string[], value: string, ref: string): Uint8Array {
  if (!words.includes(value))
    wrong(say('fields.noWord', { field: own(path), words: words.join(', '), value }), path, ref, { actual: value })
  return latin1(value, path, ref)
}

function textBytes(format: Texts, { field, path, parts }: FoundField, old: Uint8Array, value: string, ref: string): Uint8Array {
  const { use } = field
  // of several in one field each has its own
  if (value === (parts[0]?.text ? nameOf(old) : field.value)) return old
  try {
    if (use?.is === 'text' && use.form === 'token') return format.withText!(field, old, value)
    if (value.includes('\0')) wrong(say('fields.noText', { field: own(path) }), path, ref)
    const text = format.encodeText ? format.encodeText(value) : latin1(value, path, ref)
    if (use?.is !== 'text') return withName(old, text)
    const most = use.most ?? Infinity
    if (text.length > most) throw new FormatError('invalid-edit', say('binary.nameTooLong', { count: text.length, room: most }))
    if (use.form === 'counted') {
      // its NUL, where it counts, and what stands behind it stay
      const tail = old.indexOf(0, 4)
      return behindCount(text, tail < 0 ? new Uint8Array(0) : old.subarray(tail))
    }
    const end = old.indexOf(0)
    const tail = end < 0 ? new Uint8Array(0) : old.subarray(end)
    // what fills the old one up makes a longer one no longer than games keep
    if (!use.unit) return joined(text, tail.subarray(0, Math.max(0, Math.max(most, old.length) - text.length)))
    // as long as before where it fits, else up to the next multiple
    if (text.length < old.length) return withName(old, text)
    const out = new Uint8Array(Math.ceil((text.length + 1) / use.unit) * use.unit)
    out.set(text)
    return out
  } catch (error) {
    const data = toErrorData(error, ref)
    throw error instanceof FormatError ? new FormatError(error.code, data.message, { ...data, file: ref, path }) : error
  }
}

function behindCount(text: Uint8Array, tail: Uint8Array): Uint8Array {
  const out = new Uint8Array(4 + text.length + tail.length)
  new DataView(out.buffer).setUint32(0, text.length + tail.length, true)
  out.set(text, 4)
  out.set(tail, 4 + text.length)
  return out
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length)
  out.set(a)
  out.set(b, a.length)
  return out
}

function latin1(text: string, path: string, ref: string): Uint8Array {
  const bad = [...text].find((c) => c.charCodeAt(0) > 0xff)
  if (bad !== undefined) wrong(say('fields.noLatin', { character: bad }), path, ref, { actual: text })
  return Uint8Array.from(text, (c) => c.charCodeAt(0))
}

// --- proof ----------------------------------------------------------------------------------------------------

/** @throws FormatError invalid-edit where the bytes are not the same document with other values in these fields */
function proven<D extends Document>(
  format: FileFormat<D>,
  before: { bytes: Uint8Array; document: D },
  root: StructureNode,
  bytes: Uint8Array,
  splices: readonly Splice[],
  path: string,
): D {
  const { ref } = before.document
  let document: D
  try {
    document = format.decode(bytes, ref)
  } catch (error) {
    return wrong(say('fields.notRead', { field: own(path), why: toErrorData(error, ref).message }), path, ref)
  }
  if (document.readOnly && !before.document.readOnly) wrong(say('fields.notRead', { field: own(path), why: document.readOnly }), path, ref)
  const again = encodeDocument(format, document)
  const was = encodeDocument(format, before.document)
  const growth = Math.max(0, bytes.length - before.bytes.length)
  const fresh = freshTrouble(before.document, document)
  if (fresh) wrong(say('fields.notRead', { field: own(path), why: fresh }), path, ref)
  if (
    firstDifference(bytes, again.bytes) >= 0 ||
    again.opaqueBytes > was.opaqueBytes + growth ||
    !alike(root, format.describe(document), splices)
  )
    wrong(say('fields.decides', { field: own(path) }), path, ref)
  return document
}

/** An error that was not there before, '' for none. */
export function freshTrouble(before: Pick<Document, 'diagnostics'>, now: Pick<Document, 'diagnostics'>): string {
  const known = new Map<string, number>()
  for (const { code, severity } of before.diagnostics) if (severity === 'error') known.set(code, (known.get(code) ?? 0) + 1)
  for (const { code, severity, message } of now.diagnostics) {
    if (severity !== 'error') continue
    const left = known.get(code) ?? 0
    if (left === 0) return message
    known.set(code, left - 1)
  }
  return ''
}

/** Whether both trees have the same fields, as long as before but for those that were given other bytes. */
function alike(old: StructureNode, now: StructureNode, splices: readonly Splice[]): boolean {
  if (old.name !== now.name || old.fields.length !== now.fields.length || old.children.length !== now.children.length) return false
  return (
    old.fields.every((field, i) => {
      const other = now.fields[i]
      if (field.name !== other.name) return false
      return splices.some(({ from }) => from === field.start) || (field.size === other.size && field.type === other.type)
    }) && old.children.every((child, i) => alike(child, now.children[i], splices))
  )
}
