/**
 * A part of a file as it was in the original: a range of bytes, a node with all below it, or the whole file. It is done
 * to the bytes, so that it works for every format; what comes out must decode, encode and hold the original's bytes
 * where they were asked for, and otherwise it is refused.
 */
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { growth, spliced } from '../binary/splice.ts'
import type { Splice } from '../binary/splice.ts'
import { encodeDocument, firstDifference } from '../formats/format.ts'
import { fieldLayout } from '../formats/field-type.ts'
import { fileChanges } from './changes.ts'
import { follows, integer, INTEGERS } from './counting-fields.ts'
import { diff } from './patch.ts'
import type { Patch } from './patch.ts'
import type { ScalarTypes } from '../formats/field-type.ts'
import type { Document, FileFormat, StructureField, StructureNode } from '../formats/format.ts'
import { say } from '../../shared/texts/say.ts'

export type FilePart =
  | { kind: 'file' }
  /** as ByteChange has it: in the original, and now */
  | { kind: 'range'; start: number; end: number; newStart: number; newEnd: number }
  /** everything below a path of `describe()`; the offsets (of a change in it) tell nodes with one name apart */
  | { kind: 'node'; path: string; start: number; newStart: number }

interface State {
  scalars: ScalarTypes
  bytes: Uint8Array
  document: Document
  root: StructureNode
  opaque: number
}

interface Found {
  start: number
  end: number
  /** nodes around it, outermost first; not the node itself */
  around: StructureNode[]
}

/**
 * @returns the file with that part as in the original; the same bytes when it is that already
 * @throws FormatError invalid-edit when the part cannot be put back by itself, invalid-argument when it is not there
 */
export function restorePart(
  format: FileFormat,
  ref: string,
  before: Uint8Array,
  now: { bytes: Uint8Array; document: Document },
  part: FilePart,
): Uint8Array {
  if (part.kind === 'file') return before
  const old = stateOf(format, before, format.decode(before, ref))
  const current = stateOf(format, now.bytes, now.document)
  let reason = ''
  for (const candidate of part.kind === 'range'
    ? rangeCandidates(old, current, part)
    : nodeCandidates(old, current, diff(before, now.bytes, 0), part)) {
    const wrong = misfit(format, ref, candidate, old, current) || candidate.check?.(candidate.bytes)
    if (!wrong) return candidate.bytes
    reason ||= wrong
  }
  throw new FormatError('invalid-edit', reason ? say('restoring.notAloneWhy', { why: reason }) : say('restoring.notAlone'), {
    file: ref,
    path: part.kind === 'node' ? part.path : '',
  })
}

interface Candidate {
  bytes: Uint8Array
  /** what was done to the bytes as they are now */
  splices: Splice[]
  /** what is wrong with it, '' when nothing is */
  check?(bytes: Uint8Array): string
}

function* rangeCandidates(old: State, now: State, part: Extract<FilePart, { kind: 'range' }>): Generator<Candidate> {
  const { start, end, newStart, newEnd } = part
  const by = old.bytes.subarray(start, end)
  if (
    start > end ||
    end > old.bytes.length ||
    newStart > newEnd ||
    newEnd > now.bytes.length ||
    firstDifference(by, now.bytes.subarray(newStart, newEnd)) < 0
  )
    throw new FormatError('invalid-argument', say('restoring.noSuchChange'))
  const around = chainAt(now.root, newStart, newEnd)
  const inner = around.at(-1)!
  const twin = pathOf(around, now.root) === '' ? old.root : nodeOf(old.root, pathOf(around, now.root), start)
  const field = inner.fields.find((f) => newStart >= f.start && newEnd <= f.start + f.size && newEnd > newStart)
  const other = field && twin?.fields.find((f) => f.name === field.name)
  if (field && other && twin && follows(field, other, inner, twin, old.bytes, now.bytes, now.scalars))
    throw new FormatError('invalid-edit', say('restoring.fieldCounts', { field: field.name }), { path: field.name })
  yield* withHeaders(old, now, [{ from: newStart, to: newEnd, by }], around)
}

function pathOf(chain: readonly StructureNode[], root: StructureNode): string {
  return chain
    .filter((node) => node !== root)
    .map((node) => node.name)
    .join('.')
}

function* nodeCandidates(old: State, now: State, patch: Patch, part: Extract<FilePart, { kind: 'node' }>): Generator<Candidate> {
  const here = find(now, part.path, part.newStart)
  const there = find(old, part.path, part.start)
  if (!here && !there) throw new FormatError('invalid-argument', say('restoring.noSuchPart', { part: part.path }))
  if (here && there) {
    const wanted = old.bytes.subarray(there.start, there.end)
    const check = (bytes: Uint8Array): string =>
      firstDifference(bytes.subarray(here.start, here.start + wanted.length), wanted) >= 0 ? say('restoring.notAsItWas') : ''
    for (const candidate of withHeaders(old, now, [{ from: here.start, to: here.end, by: wanted }], here.around))
      yield { ...candidate, check }
    return
  }
  // came or went with the edits: what the difference says of it
  const splices = here
    ? splicesWithin(old.bytes, patch, 0, old.bytes.length, here.start, here.end)
    : splicesWithin(old.bytes, patch, there!.start, there!.end, 0, now.bytes.length)
  if (splices.length > 0) yield* withHeaders(old, now, splices, chainAt(now.root, splices[0].from, splices.at(-1)!.to))
}

/**
 * The splices, and with them what the nodes around say of their size: as it is, counted anew where a field followed the
 * sizes so far, or as in the original.
 */
function* withHeaders(old: State, now: State, splices: Splice[], around: StructureNode[]): Generator<Candidate> {
  const candidate = (more: Splice[]): Candidate => {
    const all = [...splices, ...more].sort((a, b) => a.from - b.from || a.to - b.to)
    return { bytes: spliced(now.bytes, all), splices: all }
  }
  const grown = growth(splices)
  // what grew or shrank is counted: bytes of what follows would be read for it otherwise
  if (grown === 0) yield candidate([])
  const sizes: Splice[] = []
  const counts: Splice[] = []
  const originals: Splice[] = []
  let path = ''
  for (const node of around) {
    if (node !== now.root) path = path ? `${path}.${node.name}` : node.name
    const twin = path === '' ? old.root : nodeOf(old.root, path, node.start)
    if (!twin) continue
    for (const field of node.fields) {
      const width = INTEGERS[field.type]
      const other = twin.fields.find((f) => f.name === field.name && f.type === field.type)
      if (!width || !other || field.size !== width || splices.some((s) => s.from < field.start + width && s.to > field.start)) continue
      const [is, was] = [integer(now.bytes, field), integer(old.bytes, other)]
      const changed = is - was
      if (changed === 0) continue
      originals.push({ from: field.start, to: field.start + width, by: old.bytes.subarray(other.start, other.start + width) })
      const length = node.end - node.start - (twin.end - twin.start)
      if (grown !== 0 && changed === length) sizes.push(written(field, is + grown))
      else if (changed === node.children.length - twin.children.length) counts.push(written(field, is - Math.sign(changed)))
      else {
        const entries = node.fields.map((f) => columnEntries(f, twin, changed, splices, now.scalars)).find((n) => n !== 0)
        if (entries) counts.push(written(field, is + entries))
      }
    }
  }
  if (counts.length > 0) yield candidate([...sizes, ...counts])
  if (sizes.length > 0) yield candidate(sizes)
  if (originals.length > 0) yield candidate(originals)
  if (grown !== 0) yield candidate([])
}

/** Entries that the splices add to a column (fewer than none: take away), where its length changed by just `changed`; else 0. */
function columnEntries(field: StructureField, twin: StructureNode, changed: number, splices: Splice[], scalars: ScalarTypes): number {
  const other = twin.fields.find((f) => f.name === field.name)
  const [now, was] = [fieldLayout(field, scalars), other && fieldLayout(other, scalars)]
  // an empty column has no field, or one without a layout
  if ((!now && !was) || (now?.count ?? 0) - (was?.count ?? 0) !== changed) return 0
  const entries = growth(splices.filter((s) => s.from >= field.start && s.to <= field.start + field.size)) / (now ?? was)!.stride
  return Number.isInteger(entries) ? entries : 0
}

/** Why these bytes are no state of this file; '' when they are. */
function misfit(format: FileFormat, ref: string, { bytes, splices }: Candidate, old: State, now: State): string {
  let document: Document
  try {
    document = format.decode(bytes, ref)
  } catch (error) {
    return toErrorData(error, ref).message
  }
  if (document.readOnly) return document.readOnly
  const again = encodeDocument(format, document)
  if (firstDifference(bytes, again.bytes) >= 0) return say('restoring.notWrittenAsRead')
  // more raw bytes, or new diagnostics: the file can be read, but means something else now
  if (again.opaqueBytes > Math.max(old.opaque, now.opaque)) return say('restoring.notUnderstood')
  const known = new Set([...old.document.diagnostics, ...now.document.diagnostics].map((d) => d.code))
  const fresh = document.diagnostics.find((d) => d.severity !== 'info' && !known.has(d.code))
  if (fresh) return fresh.message
  // a field that was not touched is as long as it was before or after the edits
  const lengths = new Set<string>()
  for (const root of [old.root, now.root]) forEachField(root, (path, field) => void lengths.add(`${path} ${field.size}`))
  let wrong = spoilt(format, ref, old, now, { bytes, document })
  forEachField(format.describe(document), (path, field) => {
    if (!wrong && !lengths.has(`${path} ${field.size}`) && !touches(splices, field))
      wrong = say('restoring.otherBytes', { field: field.name })
  })
  return wrong
}

/** A field that was as in the original and would not be any more; '' for none. */
function spoilt(format: FileFormat, ref: string, old: State, now: State, next: { bytes: Uint8Array; document: Document }): string {
  const before = fileChanges(ref, format, old.bytes, now)
  if (before.omitted > 0) return ''
  const found = fileChanges(ref, format, old.bytes, next).changes.find(
    (c) =>
      c.end > c.start &&
      !before.changes.some((b) => c.start >= b.start && c.end <= b.end) &&
      !before.changes.some((b) => b.path === c.path),
  )
  return found ? say('restoring.notAsOriginal', { part: found.path }) : ''
}

/** @param body gets paths without numbers: entries move when others come or go */
function forEachField(node: StructureNode, body: (path: string, field: StructureField) => void, prefix = ''): void {
  const path = `${prefix}.${node.name.replace(/\[\d+\]/g, '[]')}`
  for (const field of node.fields) body(`${path}.${field.name}`, field)
  for (const child of node.children) forEachField(child, body, path)
}

/** @param field of the file as the splices leave it */
function touches(splices: readonly Splice[], field: StructureField): boolean {
  let shift = 0
  for (const { from, to, by } of splices) {
    const start = from + shift
    if (start <= field.start + field.size && start + by.length >= field.start) return true
    shift += by.length - (to - from)
  }
  return false
}

function stateOf(format: FileFormat, bytes: Uint8Array, document: Document): State {
  return {
    scalars: format.scalars ?? {},
    bytes,
    document,
    root: format.describe(document),
    opaque: encodeDocument(format, document).opaqueBytes,
  }
}

/** What leads back, as far as it lies in both ranges; a change within one size is cut to them. */
function splicesWithin(before: Uint8Array, patch: Patch, start: number, end: number, newStart: number, newEnd: number): Splice[] {
  const found: Splice[] = []
  let shift = 0
  for (let i = 0; i < patch.offsets.length; i++) {
    const from = patch.offsets[i]
    const removed = patch.removedSizes[i]
    const inserted = patch.insertedSizes[i]
    const newFrom = from + shift
    shift += inserted - removed
    if (removed === inserted) {
      const first = Math.max(0, start - from, newStart - newFrom)
      const last = Math.min(removed, end - from, newEnd - newFrom)
      if (last > first) found.push({ from: newFrom + first, to: newFrom + last, by: before.subarray(from + first, from + last) })
    } else if (from >= start && from + removed <= end && newFrom >= newStart && newFrom + inserted <= newEnd)
      found.push({ from: newFrom, to: newFrom + inserted, by: before.subarray(from, from + removed) })
  }
  return found
}

// --- places in a tree ---------------------------------------------------------------------------------------------

/** The node, field or column entry with this path, the one at `at` of several. */
function find({ root, scalars }: State, path: string, at: number): Found | undefined {
  if (path === root.name || path === '') return { start: root.start, end: root.end, around: [] }
  let best: Found | undefined
  const consider = (start: number, end: number, around: StructureNode[]): boolean => {
    const hit = (at >= start && at < end) || (at === start && at === end)
    if (hit || !best) best = { start, end, around }
    return hit
  }
  const walk = (node: StructureNode, prefix: string, around: StructureNode[]): boolean => {
    const chain = [...around, node]
    for (const child of node.children) {
      const full = prefix ? `${prefix}.${child.name}` : child.name
      if (full === path ? consider(child.start, child.end, chain) : path.startsWith(`${full}.`) && walk(child, full, chain)) return true
    }
    for (const field of node.fields) {
      const full = prefix ? `${prefix}.${field.name}` : field.name
      if (path !== full && !path.startsWith(`${full}[`)) continue
      const [start, end] = entry(field, path.slice(full.length), scalars)
      if (end >= 0 && consider(start, end, chain)) return true
    }
    return false
  }
  walk(root, '', [])
  return best
}

/** `[7]`, `[7].x` or `[7][2]` behind the path of a field: an entry of a column, a number of it. */
function entry(field: StructureField, rest: string, scalars: ScalarTypes): [number, number] {
  if (rest === '') return [field.start, field.start + field.size]
  const layout = fieldLayout(field, scalars)
  if (!layout) return [0, -1]
  const number = layout.column ? /^\[(\d+)\]/.exec(rest) : null
  const index = Number(number?.[1] ?? 0)
  if ((layout.column && !number) || index >= layout.count) return [0, -1]
  const start = field.start + index * layout.stride
  const tail = rest.slice(number?.[0].length ?? 0)
  const part = layout.parts.find((p) => p.name === tail)
  if (part) return [start + part.offset, start + part.offset + part.size]
  return tail === '' ? [start, start + layout.stride] : [0, -1]
}

function nodeOf(root: StructureNode, path: string, at: number): StructureNode | undefined {
  let best: StructureNode | undefined
  const walk = (node: StructureNode, prefix: string): void => {
    for (const child of node.children) {
      const full = prefix ? `${prefix}.${child.name}` : child.name
      if (full === path) {
        if (!best || Math.abs(child.start - at) < Math.abs(best.start - at)) best = child
      } else if (path.startsWith(`${full}.`)) walk(child, full)
    }
  }
  walk(root, '')
  return best
}

/** Nodes that hold a range, outermost first. */
function chainAt(root: StructureNode, from: number, to: number): StructureNode[] {
  const chain: StructureNode[] = []
  for (let node: StructureNode | undefined = root; node;) {
    chain.push(node)
    node = node.children.find(
      (child) => from >= child.start && to <= child.end && (from < child.end || (from === to && from > child.start)),
    )
  }
  return chain
}

/** All formats are little-endian. */
function written(field: StructureField, value: number): Splice {
  const by = new Uint8Array(field.size)
  for (let i = 0, rest = value; i < by.length; i++, rest = Math.floor(rest / 256)) by[i] = rest
  return { from: field.start, to: field.start + field.size, by }
}
