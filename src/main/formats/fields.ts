/**
 * Fields of a document by their paths: found, listed, and told as they are edited.
 *
 * A path is the names from the top down, parted by dots, as Changes, diagnostics and `marrow info --text` have them:
 * `HIERARCHY.PIVOTS.pivot[3].trans`. Of several with one name the second is `name:2`. Behind it may stand `[7]` for an entry of a column,
 * then `.x` or `[2]` for one number of it, or `.name` for bits that have one.
 */
import { nameOf } from '../binary/reader.ts'
import { fieldLayout } from './field-type.ts'
import type { FieldLayout, FieldPart, ScalarType, ScalarTypes } from './field-type.ts'
import type { BitPart, FieldUse, StructureField, StructureNode } from '../../shared/api/types/structure.ts'
import type { EditableField, FieldBits, FieldChoice, FieldForm } from '../../shared/api/types/fields.ts'
import { say } from '../../shared/texts/say.ts'

export interface FoundField {
  path: string
  field: StructureField
  layout: FieldLayout | undefined
  /** entry of a column; -1 for all of it, or where it is none */
  entry: number
  /** what of it is named: all where there is neither */
  parts: readonly FieldPart[]
  bits: BitPart | undefined
  start: number
  size: number
  /** nodes around it, outermost first */
  around: StructureNode[]
}

/** Names as paths have them: of several the first as it is. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const n = (seen.get(name) ?? 0) + 1
    seen.set(name, n)
    return n === 1 ? name : `${name}:${n}`
  })
}

const below = (path: string, name: string): string => (path ? `${path}.${name}` : name)
const namesOf = (list: readonly { name: string }[]): string[] => distinct(list.map(({ name }) => name))

/** Undefined where the document has no such field. */
export function findField(root: StructureNode, path: string, scalars: ScalarTypes = {}): FoundField | undefined {
  const walk = (node: StructureNode, rest: string, around: StructureNode[]): FoundField | undefined => {
    const chain = [...around, node]
    const fields = namesOf(node.fields)
    for (const [i, name] of fields.entries()) {
      const tail = rest.slice(name.length)
      if (!rest.startsWith(name) || (tail !== '' && !/^[.[]/.test(tail))) continue
      const found = within(node.fields[i], tail, path, chain, scalars)
      if (found) return found
    }
    const children = namesOf(node.children)
    for (const [i, name] of children.entries()) {
      if (!rest.startsWith(`${name}.`)) continue
      const found = walk(node.children[i], rest.slice(name.length + 1), chain)
      if (found) return found
    }
    return undefined
  }
  return walk(root, path, [])
}

function within(field: StructureField, tail: string, path: string, around: StructureNode[], scalars: ScalarTypes): FoundField | undefined {
  const layout = fieldLayout(field, scalars)
  const at = { path, field, layout, around, bits: undefined }
  if (tail === '') return { ...at, entry: -1, parts: layout?.column ? [] : (layout?.parts ?? []), start: field.start, size: field.size }
  const bits = field.use?.is === 'bits' ? field.use.parts.find(({ name }) => tail === `.${name}`) : undefined
  if (bits && layout?.parts.length === 1) return { ...at, entry: -1, parts: layout.parts, bits, start: field.start, size: field.size }
  if (!layout) return undefined
  const number = layout.column ? /^\[(\d+)\]/.exec(tail) : null
  const entry = number ? Number(number[1]) : -1
  if (layout.column && (!number || entry >= layout.count)) return undefined
  const start = field.start + Math.max(0, entry) * layout.stride
  const rest = tail.slice(number?.[0].length ?? 0)
  if (rest === '') return { ...at, entry, parts: layout.parts, start, size: layout.stride }
  const order = field.use?.is === 'color' ? field.use.order : ''
  const part = layout.parts.find(({ name }, i) => name === rest || (order !== '' && rest === `.${order[i]}`))
  return part && { ...at, entry, parts: [part], start: start + part.offset, size: part.size }
}

/** Undefined where the document has no such node. */
export function nodeAt(node: StructureNode, path: string): StructureNode | undefined {
  const names = namesOf(node.children)
  for (const [i, name] of names.entries()) {
    if (path === name) return node.children[i]
    const found = path.startsWith(`${name}.`) ? nodeAt(node.children[i], path.slice(name.length + 1)) : undefined
    if (found) return found
  }
  return undefined
}

/** A field as a whole. */
export function foundIn(field: StructureField, path: string, around: StructureNode[], scalars: ScalarTypes = {}): FoundField {
  return within(field, '', path, around, scalars)!
}

/** All fields in the order of the description. */
export function* fieldsIn(
  node: StructureNode,
  path = '',
  around: StructureNode[] = [],
): Generator<{ path: string; field: StructureField; around: StructureNode[] }> {
  const chain = [...around, node]
  const names = namesOf(node.fields)
  for (const [i, field] of node.fields.entries()) yield { path: below(path, names[i]), field, around: chain }
  const children = namesOf(node.children)
  for (const [i, child] of node.children.entries()) yield* fieldsIn(child, below(path, children[i]), chain)
}

// --- as it is edited ------------------------------------------------------------------------------------------

/** @param trees of the document, then of others where a reference may lead */
export function editableField(found: FoundField, bytes: Uint8Array, trees: () => Iterable<StructureNode>): EditableField {
  const { path, field, layout, entry } = found
  const refused = refusalOf(found)
  const form = refused === '' ? formOf(found) : 'none'
  const { use, unknown, note } = field
  const whole = entry < 0 && layout?.column === true
  const [first] = found.parts
  const limits = found.parts.length > 0 ? first.type?.limits : undefined
  const choices =
    form === 'choice'
      ? choicesOf(found.bits ? (found.bits.values ?? []) : use?.is === 'choice' ? use.values : use?.is === 'word' ? use.words : [])
      : form === 'reference'
        ? referenced(found, trees)
        : undefined
  return {
    path,
    type: whole ? field.type : entry >= 0 ? field.type.replace(/ x \d+$/, '') : field.type,
    value: valueOf(found, bytes, form),
    form,
    refused,
    ...((form === 'number' || form === 'numbers') && limits ? limitsOf(found) : {}),
    ...(form === 'numbers' ? { names: found.parts.flatMap(namesOfPart) } : {}),
    ...(choices ? { choices } : {}),
    ...(form === 'flags' && use?.is === 'bits' ? { bits: use.parts.map((part) => bitsAt(part, wordAt(found, bytes))) } : {}),
    ...(form === 'text' ? textLimit(found) : {}),
    ...(form === 'color' ? { alpha: hasAlpha(use) } : {}),
    ...(unknown ? { unknown } : {}),
    ...(note ? { note } : {}),
    ...(whole ? { entries: layout.count, ...(field.entries ? { entryNames: field.entries } : {}) } : {}),
  }
}

/** What each number of a part is called. */
function namesOfPart({ name, type }: FieldPart): string[] {
  const own = name.replace(/^\./, '').replaceAll('][', ',').replace(/[[\]]/g, '')
  if (!type) return []
  return type.packed ? Array.from({ length: type.packed.words }, (_, i) => (type.packed!.words === 1 ? own : `${own}${i}`)) : [own]
}

/** Why a field is not set, '' where it is. */
export function refusalOf({ field, layout, entry, parts }: FoundField): string {
  const { use } = field
  if (use?.is === 'structure' && use.by) return say(`fields.by.${use.by}`, { field: field.name })
  if (use?.is === 'structure' || use?.is === 'size') return say('fields.structure', { field: field.name })
  if (entry < 0 && layout?.column) return say('fields.wholeColumn', { field: field.name, n: layout.count })
  if (use?.is === 'text' || use?.is === 'word') return ''
  if (layout)
    return parts.every(({ type, text }) => !text && !type?.limits && !type?.packed)
      ? say('fields.packed', { field: field.name, type: field.type })
      : ''
  return /^char\[\d+\]$/.test(field.type) ? '' : say('fields.untyped', { field: field.name, type: field.type })
}

export function formOf({ field, layout, parts, bits }: FoundField): FieldForm {
  const { use } = field
  if (bits) return bits.values ? 'choice' : 'number'
  if (use?.is === 'word') return 'choice'
  if (use?.is === 'text' || !layout) return use?.is === 'text' && use.color !== undefined ? 'color' : 'text'
  if (parts.length === 1 && parts[0].text) return 'text'
  if (parts.length !== 1 || parts[0].type?.packed) return use?.is === 'color' && parts.length === use.order.length ? 'color' : 'numbers'
  if (use?.is === 'bits') return 'flags'
  return use?.is === 'choice' || use?.is === 'reference' ? use.is : 'number'
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export function wordAt({ parts, start }: FoundField, bytes: Uint8Array): number {
  return Number(parts[0].type!.show(viewOf(bytes), start))
}

function bitValue({ at, width }: BitPart, word: number): number {
  return Math.floor((word >>> 0) / 2 ** at) % 2 ** width
}

const wordOf = ({ values }: BitPart, value: number): string => values?.[value] || String(value)

function bitsAt(part: BitPart, word: number): FieldBits {
  const value = bitValue(part, word)
  return {
    name: part.name,
    value,
    most: 2 ** part.width - 1,
    ...(part.values ? { choices: choicesOf(part.values), chosen: wordOf(part, value) } : {}),
  }
}

function valueOf(found: FoundField, bytes: Uint8Array, form: FieldForm): string {
  const { field, bits, parts, start, entry, layout } = found
  if (form === 'text' && parts.length === 1) return nameOf(bytes.subarray(start, start + parts[0].size))
  if (form === 'color' && field.use?.is === 'text') return field.use.color ?? ''
  if (form === 'text' || field.use?.is === 'word' || parts.length === 0) return field.value
  if (bits) return wordOf(bits, bitValue(bits, wordAt(found, bytes)))
  if (form === 'color' && field.use?.is === 'color') return colorOf(found, bytes, field.use.order)
  if (form === 'choice' && field.use?.is === 'choice') {
    const value = wordAt(found, bytes)
    return field.use.values[value] || String(value)
  }
  if (form === 'none' && entry < 0 && layout?.column) return field.value
  const view = viewOf(bytes)
  // a part that is named stands where it says, all of them behind each other
  const from = parts.length === 1 ? start - parts[0].offset : start
  // each number by itself: who edits has a control for it
  const shown = (type: ScalarType, at: number): string =>
    (type.packed?.words ?? 1) > 1 ? type.show(view, at).replaceAll(' ', ', ') : type.show(view, at)
  return parts.flatMap(({ type, offset }) => (type ? [shown(type, from + offset)] : [])).join(', ')
}

const hasAlpha = (use: FieldUse | undefined): boolean =>
  use?.is === 'color' ? use.order.includes('a') : use?.is === 'text' && /^#.{8}$|(,.*){3}/.test(use.color ?? '')

/** Components as `#rrggbb`, `#rrggbbaa`; floats outside of 0..1 are told as they are. */
function colorOf({ parts, start }: FoundField, bytes: Uint8Array, order: string): string {
  const view = viewOf(bytes)
  const numbers = parts.map(({ type, offset }) => Number(type!.show(view, start + offset)))
  const floats = !parts[0].type!.limits!.whole
  const bytesOf = floats ? numbers.map((n) => Math.round(n * 255)) : numbers
  if (floats && bytesOf.some((byte, i) => Math.fround(byte / 255) !== Math.fround(numbers[i])))
    return parts.map(({ type, offset }) => type!.show(view, start + offset)).join(', ')
  const hex = (letter: string): string => {
    const i = order.indexOf(letter)
    return i < 0 ? '' : bytesOf[i].toString(16).padStart(2, '0')
  }
  return `#${hex('r')}${hex('g')}${hex('b')}${hex('a')}`
}

function choicesOf(values: readonly string[]): FieldChoice[] {
  return values.flatMap((name) => (name ? [{ value: name, label: name }] : []))
}

function limitsOf({ bits, parts }: FoundField): Pick<EditableField, 'least' | 'most' | 'whole'> {
  if (bits) return { least: 0, most: 2 ** bits.width - 1, whole: true }
  const limits = parts[0].type!.limits!
  return parts.every(({ type }) => !type || (type.limits?.least === limits.least && type.limits.most === limits.most))
    ? { least: limits.least, most: limits.most, whole: limits.whole }
    : {}
}

/** Bytes that a text of fixed size may have: the last one stays for the NUL. */
function textLimit({ field, parts }: FoundField): { mostBytes?: number } {
  if (field.use?.is === 'text') return field.use.most === undefined ? {} : { mostBytes: field.use.most }
  return { mostBytes: (parts[0]?.text ? parts[0].size : field.size) - 1 }
}

/** Nodes that a number may mean: those that stand nearest to the field, or in the first file that has some. */
function referenced({ field, around }: FoundField, trees: () => Iterable<StructureNode>): FieldChoice[] {
  const { use } = field
  if (use?.is !== 'reference') return []
  const none = use.none === undefined ? [] : [{ value: String(use.none), label: '' }]
  for (const node of [...around].reverse()) {
    const list = numbered(node, use.to)
    if (list.length > 0) return [...none, ...list]
  }
  for (const tree of trees()) {
    const list = numbered(tree, use.to)
    if (list.length > 0) return [...none, ...list]
  }
  return none
}

/** The first list of nodes of that name below a node. */
function numbered(node: StructureNode, name: string): FieldChoice[] {
  const own = node.children.flatMap((child) => {
    const found = child.name.startsWith(`${name}[`) ? /^\[(\d+)\]$/.exec(child.name.slice(name.length)) : null
    return found ? [{ value: found[1], label: child.summary ?? child.fields.find((f) => f.name === 'name')?.value ?? '' }] : []
  })
  if (own.length > 0) return own
  for (const child of node.children) {
    const found = numbered(child, name)
    if (found.length > 0) return found
  }
  return []
}
