/**
 * What differs between the original of a file and now, by the fields that it is in: the structure trees of both are walked
 * side by side, and columns entry by entry, so that a key that came in is that key and not the bytes that moved. Only nodes
 * whose bytes differ are looked into. What is listed accounts for every byte: where it does not, plain ranges are listed.
 */
import { stepsOf } from '../formats/address.ts'
import { entryLabel, fieldLayout } from '../formats/field-type.ts'
import { hex, pathAt } from '../binary/structure.ts'
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import { isAbsent } from './absent.ts'
import { changedBytes, diff } from './patch.ts'
import { pairs, partsOf, alignment } from './alignment.ts'
import { follows } from './counting-fields.ts'
import type { FieldLayout, FieldPart, ScalarTypes } from '../formats/field-type.ts'
import type { ByteChange, ByteRange, ChangedEntry, FileChanges } from '../../shared/api/types/changes.ts'
import type { StructureField, StructureNode } from '../../shared/api/types/structure.ts'
import type { Document, FileFormat } from '../formats/format.ts'
import type { Patch } from './patch.ts'
import type { Part } from './alignment.ts'

/** Changes that are listed; a retimed clip has hundreds of thousands. */
const MOST = 1000
const SHOWN_BYTES = 64

/**
 * @param before bytes of the original; its document is made here, unless it is at hand
 * @param options.original the document of the original
 * @param options.within lists only what is below this path: the rest of a list that was cut
 * @param options.most changes that are listed
 */
export function fileChanges(
  ref: string,
  format: FileFormat,
  before: Uint8Array,
  after: { bytes: Uint8Array; document: Document },
  options: { original?: Document; within?: string; most?: number } = {},
): FileChanges {
  const patch = diff(before, after.bytes, 0)
  const empty = noChanges(ref, before, after.bytes, patch)
  if (patch.offsets.length === 0) return empty
  if ([before, after.bytes].some((bytes) => isAbsent({ format, bytes }))) return plainRanges(empty, patch, before, after.bytes, undefined)
  let roots: [StructureNode, StructureNode] | undefined
  try {
    roots = [format.describe(options.original ?? format.decode(before, ref)), format.describe(after.document)]
    const walk = new Walk(empty, format.scalars ?? {}, before, after.bytes, options)
    walk.node(roots[0], roots[1], '', -1)
    if (walk.accountsForAll()) return walk.result
  } catch {
    // an original that is none of this format any more has bytes
  }
  return plainRanges(empty, patch, before, after.bytes, roots)
}

/** Of a file that no format knows, or one that is broken: ranges of bytes. */
export function byteChanges(ref: string, before: Uint8Array, after: Uint8Array): FileChanges {
  const patch = diff(before, after, 0)
  const empty = noChanges(ref, before, after, patch)
  return patch.offsets.length === 0 ? empty : plainRanges(empty, patch, before, after, undefined)
}

function noChanges(ref: string, before: Uint8Array, after: Uint8Array, patch: Patch): FileChanges {
  return {
    ref,
    name: baseName(ref),
    originalSize: before.length,
    size: after.length,
    nodes: [],
    changes: [],
    omitted: 0,
    changedBytes: changedBytes(patch),
  }
}

/** The ranges of the patch, with the path of the field that each one begins in. */
function plainRanges(
  empty: FileChanges,
  patch: Patch,
  before: Uint8Array,
  after: Uint8Array,
  roots: [StructureNode, StructureNode] | undefined,
): FileChanges {
  const count = patch.offsets.length
  const result: FileChanges = {
    ...empty,
    nodes: [{ path: '', type: '', summary: '', parent: -1, start: 0, end: before.length, newStart: 0, newEnd: after.length, count }],
    changes: [],
    omitted: Math.max(0, count - MOST),
  }
  let shift = 0
  for (let i = 0; i < Math.min(count, MOST); i++) {
    const start = patch.offsets[i]
    const end = start + patch.removedSizes[i]
    const newStart = start + shift
    const newEnd = newStart + patch.insertedSizes[i]
    shift = newEnd - end
    const path = roots ? (newEnd > newStart ? pathAt(roots[1], newStart) : pathAt(roots[0], start)).path : ''
    result.changes.push(listed({ start, end, newStart, newEnd }, path, 0, before, after, '', ''))
  }
  return result
}

/** @param values '' for bytes that have none: they are shown as such */
function listed(
  { start, end, newStart, newEnd }: ByteRange,
  path: string,
  node: number,
  before: Uint8Array,
  after: Uint8Array,
  was: string,
  is: string,
): ByteChange {
  // one value for both sides tells nothing: a name whose bytes behind the NUL changed
  const plain = was === is
  return {
    start,
    end,
    newStart,
    newEnd,
    path,
    node,
    before: plain ? hex(before.subarray(start, end)) : was,
    after: plain ? hex(after.subarray(newStart, newEnd)) : is,
    beforeBytes: before.slice(start, Math.min(end, start + SHOWN_BYTES)),
    afterBytes: after.slice(newStart, Math.min(newEnd, newStart + SHOWN_BYTES)),
  }
}

/** Parts that stand alone on both sides with the same bytes, each with the one that it was. */
function movedParts(list: readonly [Part | undefined, Part | undefined][], equal: (a: Part, b: Part) => boolean): Map<Part, Part> {
  const gone = list.flatMap(([a, b]) => (a && !b ? [a] : []))
  const moved = new Map<Part, Part>()
  if (gone.length === 0 || gone.length > MOST) return moved
  for (const [a, b] of list) {
    if (a || !b) continue
    const from = gone.find((part) => !moved.has(part) && equal(part, b))
    if (!from) continue
    moved.set(from, from)
    moved.set(b, from)
  }
  // bytes between nodes go with them only where nothing else came or went
  const pure = list.every(([a, b]) => (a && b) || moved.has((a ?? b)!))
  if (!pure) for (const part of [...moved.keys()]) if (!part.node) moved.delete(part)
  return moved
}

/** Of `motions[0].keys[3]`: 3. */
function numberOf({ name }: Part): number {
  return stepsOf(name).findLast((step) => step.number !== undefined)?.number ?? 0
}

class Walk {
  readonly result: FileChanges
  private readonly scalars: ScalarTypes
  private readonly before: Uint8Array
  private readonly after: Uint8Array
  private readonly views: [DataView, DataView]
  private readonly within: string | undefined
  private readonly most: number
  /** everything in front of these was found equal or is accounted for */
  private done = 0
  private newDone = 0
  private whole = true

  constructor(
    empty: FileChanges,
    scalars: ScalarTypes,
    before: Uint8Array,
    after: Uint8Array,
    { within, most = MOST }: { within?: string; most?: number },
  ) {
    this.result = { ...empty, nodes: [], changes: [] }
    this.scalars = scalars
    this.before = before
    this.after = after
    this.views = [
      new DataView(before.buffer, before.byteOffset, before.byteLength),
      new DataView(after.buffer, after.byteOffset, after.byteLength),
    ]
    this.within = within
    this.most = most
  }

  accountsForAll(): boolean {
    this.account(this.before.length, this.before.length, this.after.length, this.after.length)
    return this.whole
  }

  node(old: StructureNode, now: StructureNode, path: string, parent: number): void {
    if (this.same(old.start, old.end, now.start, now.end)) return
    const index = this.open(path, now, parent, { start: old.start, end: old.end, newStart: now.start, newEnd: now.end })
    let at = old.start
    let newAt = now.start
    const equal = (x: Part, y: Part): boolean => x.kind === y.kind && this.same(x.start, x.end, y.start, y.end)
    const list = pairs(partsOf(old), partsOf(now), equal)
    const moved = movedParts(list, equal)
    for (const [a, b] of list) {
      const name = (b ?? a)!.name
      const full = name === '' ? path : path ? `${path}.${name}` : name
      if (a && b) {
        if (a.node && b.node) this.node(a.node, b.node, full, index)
        else if (a.field && b.field)
          this.field(a.field, b.field, full, index, () => follows(b.field!, a.field!, now, old, this.before, this.after, this.scalars))
        else if (!this.same(a.start, a.end, b.start, b.end))
          this.add({ start: a.start, end: a.end, newStart: b.start, newEnd: b.end }, full || now.name, index, '', '')
      } else if (moved.has((a ?? b)!)) this.moved(moved.get((a ?? b)!)!, a, b, at, newAt, full || now.name, index)
      else if (a) this.cameOrWent(a, { start: a.start, end: a.end, newStart: newAt, newEnd: newAt }, full || now.name, index)
      else this.cameOrWent(b!, { start: at, end: at, newStart: b!.start, newEnd: b!.end }, full || now.name, index)
      if (a) at = a.end
      if (b) newAt = b.end
    }
  }

  private cameOrWent(part: Part, range: ByteRange, path: string, parent: number): void {
    if (range.start === range.end && range.newStart === range.newEnd) return
    const gone = range.end > range.start
    const node = part.node ? this.open(path, part.node, parent, range) : parent
    const text = part.node ? part.node.summary || part.node.type : (part.field?.value ?? '')
    this.add(range, path, node, gone ? text : '', gone ? '' : text, { whole: gone ? 'removed' : 'added' })
  }

  /** It is listed where it stands now; where it stood, its bytes are accounted for. */
  private moved(from: Part, a: Part | undefined, b: Part | undefined, at: number, newAt: number, path: string, parent: number): void {
    if (a) return this.account(a.start, a.end, newAt, newAt)
    const range = { start: at, end: at, newStart: b!.start, newEnd: b!.end }
    if (!b!.node) return this.account(at, at, range.newStart, range.newEnd)
    const places = { from: numberOf(from), to: numberOf(b!) }
    this.add(range, path, this.open(path, b!.node, parent, range), b!.node.summary || b!.node.type, '', { whole: 'added', moved: places })
  }

  private open(path: string, { type, summary }: StructureNode, parent: number, range: ByteRange): number {
    return this.result.nodes.push({ ...range, path, type, summary: summary ?? '', parent, count: 0 }) - 1
  }

  private field(old: StructureField, now: StructureField, path: string, node: number, counts: () => boolean): void {
    const range = { start: old.start, end: old.start + old.size, newStart: now.start, newEnd: now.start + now.size }
    if (this.same(range.start, range.end, range.newStart, range.newEnd)) return
    if (old.use?.is === 'pixels' && now.use?.is === 'pixels') return this.pixels(old.use.what, now.use.what, range, path, node)
    const [was, is] = [fieldLayout(old, this.scalars), fieldLayout(now, this.scalars)]
    // a column that was empty has no layout: its entries are those of the other side
    const layout = is ?? was
    const fits = (one: FieldLayout | undefined, size: number): boolean =>
      one ? one.stride === layout!.stride && one.parts.length === layout!.parts.length : size === 0
    if (!layout || !fits(was, old.size) || !fits(is, now.size) || (!layout.column && old.size !== now.size)) {
      this.add(range, path, node, old.value, now.value)
      return
    }
    if (layout.column) this.entries(old, now, layout, path, node)
    // a number as its format shows it: flags in hex, a size without its bit
    else if (layout.parts.length === 1 && /^[ui]\d+$/.test(now.type) && old.value !== now.value)
      this.add(range, path, node, old.value, now.value, counts() ? { follows: true } : {})
    else this.parts(layout.parts, range.start, range.newStart, path, node, undefined)
  }

  /** A picture is looked at, not read: how much of it differs says more than each of its bytes. */
  private pixels(was: string, is: string, range: ByteRange, path: string, node: number): void {
    const sizes = [range.end - range.start, range.newEnd - range.newStart]
    if (sizes[0] !== sizes[1]) {
      const sized = (what: string, size: number): string => say('compare.pixelsResized', { what, size })
      return this.add(range, path, node, sized(was, sizes[0]), sized(is, sizes[1]))
    }
    let count = 0
    for (let i = 0; i < sizes[0]; i++) if (this.before[range.start + i] !== this.after[range.newStart + i]) count++
    this.add(range, path, node, was, say('compare.pixels', { count, all: sizes[0] }))
  }

  /** Entries of a column: paired by place where their number holds, else by what they are equal in, or by their name (the frame). */
  private entries(old: StructureField, now: StructureField, layout: FieldLayout, path: string, node: number): void {
    const { stride } = layout
    const counts = [old.size / stride, now.size / stride]
    const at = (i: number): number => old.start + i * stride
    const newAt = (i: number): number => now.start + i * stride
    const equal = (i: number, k: number): boolean => this.same(at(i), at(i + 1), newAt(k), newAt(k + 1))
    let head = 0
    const least = Math.min(counts[0], counts[1])
    while (head < least && equal(head, head)) head++
    let tail = 0
    while (tail < least - head && equal(counts[0] - 1 - tail, counts[1] - 1 - tail)) tail++
    const ends = [counts[0] - tail, counts[1] - tail]
    const visit = (i: number, k: number): void => {
      const both = i >= 0 && k >= 0
      if (both && equal(i, k)) return
      const range = {
        start: at(i >= 0 ? i : cursor[0]),
        end: at(i >= 0 ? i + 1 : cursor[0]),
        newStart: newAt(k >= 0 ? k : cursor[1]),
        newEnd: newAt(k >= 0 ? k + 1 : cursor[1]),
      }
      const side = k >= 0 ? 1 : 0
      const index = k >= 0 ? k : i
      const own = `${path}[${index}]`
      const entry = this.wanted(own)
        ? {
            ...range,
            path: own,
            label: entryLabel((k >= 0 ? now : old).entries, layout, index, this.views[side], side ? range.newStart : range.start),
          }
        : undefined
      if (both) this.parts(layout.parts, range.start, range.newStart, own, node, entry)
      else {
        const text = entry ? this.record(layout, side, side ? range.newStart : range.start) : ''
        this.add(range, own, node, side ? '' : text, side ? text : '', { entry, whole: side ? 'added' : 'removed' })
      }
    }
    const cursor = [head, head]
    const go = (i: number, k: number): void => {
      visit(i, k)
      if (i >= 0) cursor[0] = i + 1
      if (k >= 0) cursor[1] = k + 1
    }
    const name = now.entries && layout.parts.find((part) => part.type && part.name === `.${now.entries!.what}`)
    if (counts[0] === counts[1]) for (let i = head; i < ends[0]; i++) go(i, i)
    else if (name) {
      const number = (side: 0 | 1, i: number): number =>
        Number.parseFloat(name.type!.show(this.views[side], (side ? newAt(i) : at(i)) + name.offset))
      for (let i = head, k = head; i < ends[0] || k < ends[1];) {
        const [a, b] = [i < ends[0] ? number(0, i) : Infinity, k < ends[1] ? number(1, k) : Infinity]
        if (i < ends[0] && (k >= ends[1] || a < b)) go(i++, -1)
        else if (k < ends[1] && (i >= ends[0] || b < a)) go(-1, k++)
        else go(i++, k++)
      }
    } else {
      const steps = alignment(ends[0] - head, ends[1] - head, (i, k) => equal(head + i, head + k))
      for (const [i, k] of steps) go(i < 0 ? -1 : head + i, k < 0 ? -1 : head + k)
    }
  }

  private parts(
    parts: readonly FieldPart[],
    start: number,
    newStart: number,
    path: string,
    node: number,
    entry: ChangedEntry | undefined,
  ): void {
    for (const part of parts) {
      const range = {
        start: start + part.offset,
        end: start + part.offset + part.size,
        newStart: newStart + part.offset,
        newEnd: newStart + part.offset + part.size,
      }
      if (this.same(range.start, range.end, range.newStart, range.newEnd)) continue
      const full = path + part.name
      if (!this.wanted(full)) this.add(range, full, node, '', '')
      else
        this.add(
          range,
          full,
          node,
          part.type?.show(this.views[0], range.start) ?? '',
          part.type?.show(this.views[1], range.newStart) ?? '',
          { entry },
        )
    }
  }

  /** All of an entry in one line. */
  private record(layout: FieldLayout, side: 0 | 1, at: number): string {
    const bytes = side ? this.after : this.before
    if (layout.parts.length > 64) return hex(bytes.subarray(at, at + layout.stride))
    return layout.parts
      .filter((part) => part.type)
      .map((part) => `${part.name.replace(/^\./, '')}${part.name ? ' ' : ''}${part.type!.show(this.views[side], at + part.offset)}`)
      .join(', ')
  }

  private wanted(path: string): boolean {
    const { within } = this
    return (
      this.result.changes.length < this.most &&
      (!within || path === within || (path.startsWith(within) && '.['.includes(path[within.length])))
    )
  }

  private add(
    range: ByteRange,
    path: string,
    node: number,
    was: string,
    is: string,
    extra: Pick<ByteChange, 'entry' | 'whole' | 'follows' | 'moved'> = {},
  ): void {
    let { start, end, newStart, newEnd } = range
    if (!extra.whole) {
      // as few bytes as differ
      while (start < end && newStart < newEnd && this.before[start] === this.after[newStart]) {
        start++
        newStart++
      }
      while (end > start && newEnd > newStart && this.before[end - 1] === this.after[newEnd - 1]) {
        end--
        newEnd--
      }
    }
    this.account(start, end, newStart, newEnd)
    for (let n = node; n >= 0; n = this.result.nodes[n].parent) this.result.nodes[n].count++
    if (!this.wanted(path)) this.result.omitted++
    else this.result.changes.push({ ...listed({ start, end, newStart, newEnd }, path, node, this.before, this.after, was, is), ...extra })
  }

  private account(start: number, end: number, newStart: number, newEnd: number): void {
    if (start < this.done || newStart < this.newDone || !this.same(this.done, start, this.newDone, newStart)) this.whole = false
    this.done = end
    this.newDone = newEnd
  }

  private same(start: number, end: number, newStart: number, newEnd: number): boolean {
    if (end - start !== newEnd - newStart) return false
    if (end - start > 64) return Buffer.compare(this.before.subarray(start, end), this.after.subarray(newStart, newEnd)) === 0
    for (let i = start, k = newStart; i < end; i++, k++) if (this.before[i] !== this.after[k]) return false
    return true
  }
}
