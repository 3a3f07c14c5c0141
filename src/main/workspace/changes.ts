/** What differs between the original of a file and now, as byte ranges with the field that each one is in. */
import { hex, pathAt } from '../formats/structure.ts'
import { baseName } from '../../shared/ref.ts'
import { diff } from './patch.ts'
import type { ByteChange, FileChanges, StructureField, StructureNode } from '../../shared/api/types.ts'
import type { Document, FileFormat } from '../formats/format.ts'

/** Ranges that are listed; a retimed clip has thousands. */
const MOST = 1000
const SHOWN_BYTES = 64

interface Side {
  bytes: Uint8Array
  root: StructureNode | undefined
}

/** A field, or one entry of a column, and where it stands. */
interface Place {
  path: string
  start: number
  end: number
  value: string
}

/**
 * @param before bytes of the original; its document is made here, since it is not held
 */
export function fileChanges(ref: string, format: FileFormat<any>, before: Uint8Array, after: { bytes: Uint8Array; document: Document }): FileChanges {
  const patch = diff(before, after.bytes, 0)
  const result: FileChanges = { ref, name: baseName(ref), originalSize: before.length, size: after.bytes.length, changes: [], omitted: 0, changedBytes: 0 }
  if (patch.offsets.length === 0) return result
  const old: Side = { bytes: before, root: describe(() => format.describe(format.decode(before, ref))) }
  const now: Side = { bytes: after.bytes, root: describe(() => format.describe(after.document)) }
  let shift = 0
  let last: { change: ByteChange; place: Place; from: Place | undefined } | undefined
  for (let i = 0; i < patch.offsets.length; i++) {
    const start = patch.offsets[i]
    const removed = patch.removedSizes[i]
    const inserted = patch.insertedSizes[i]
    const newStart = start + shift
    shift += inserted - removed
    result.changedBytes += Math.max(removed, inserted)
    // neighbouring bytes of one field are one change
    if (last && removed === inserted && newStart >= last.place.start && newStart + inserted <= last.place.end && last.change.newStart >= last.place.start && last.change.end - last.change.start === last.change.newEnd - last.change.newStart) {
      last.change.end = start + removed
      last.change.newEnd = newStart + inserted
      continue
    }
    if (result.changes.length === MOST) {
      result.omitted++
      last = undefined
      continue
    }
    const place = inserted > 0 || removed === 0 ? placeAt(now, newStart) : placeAt(old, start)
    const change: ByteChange = { start, end: start + removed, newStart, newEnd: newStart + inserted, path: place.path, before: '', after: '', beforeBytes: new Uint8Array(0), afterBytes: new Uint8Array(0) }
    result.changes.push(change)
    last = { change, place, from: undefined }
  }
  for (const change of result.changes) {
    let from = change.end > change.start ? placeAt(old, change.start) : undefined
    let to = change.newEnd > change.newStart ? placeAt(now, change.newStart) : undefined
    // what was put into an empty text, or emptied it
    if (!from && to) from = emptyTwin(old, change.start, to.path)
    if (!to && from) to = emptyTwin(now, change.newStart, from.path)
    const [was, is] = shown(from, to, change)
    change.beforeBytes = before.slice(change.start, Math.min(change.end, change.start + SHOWN_BYTES))
    change.afterBytes = after.bytes.slice(change.newStart, Math.min(change.newEnd, change.newStart + SHOWN_BYTES))
    change.before = was ?? hex(before.subarray(change.start, change.end))
    change.after = is ?? hex(after.bytes.subarray(change.newStart, change.newEnd))
  }
  return result
}

/** Values where both sides have the field whole (or one has it and the other nothing); else undefined, for the bytes themselves. */
function shown(from: Place | undefined, to: Place | undefined, change: ByteChange): [string, string] | [] {
  if (!from && to && to.value !== '' && change.newEnd <= to.end) return ['', to.value]
  if (!to && from && from.value !== '' && change.end <= from.end) return [from.value, '']
  if (!from || !to || from.path !== to.path || change.end > from.end || change.newEnd > to.end || from.value === to.value) return []
  if ((from.value === '' && from.start !== from.end) || (to.value === '' && to.start !== to.end)) return []
  return [from.value, to.value]
}

function describe(make: () => StructureNode): StructureNode | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function placeAt(side: Side, at: number): Place {
  if (!side.root) return { path: '', start: at, end: at, value: '' }
  const { path, field } = pathAt(side.root, at)
  if (!field) return { path, start: at, end: at, value: '' }
  return entryAt(side.bytes, path, field, at)
}

/** The field of this path that begins at `at`, or a part of which the bytes before `at` are: the other side of an insertion or removal. */
function emptyTwin(side: Side, at: number, path: string): Place | undefined {
  if (!side.root) return undefined
  if (at > 0) {
    const before = placeAt(side, at - 1)
    if (before.path === path) return before
  }
  const here = placeAt(side, at)
  if (here.path === path) return here
  const empty = emptyFieldAt(side.root, at, path, '')
  return empty && { path, start: at, end: at, value: '' }
}

function emptyFieldAt(node: StructureNode, at: number, path: string, prefix: string): StructureField | undefined {
  for (const child of node.children) {
    if (at < child.start || at > child.end) continue
    const found = emptyFieldAt(child, at, path, prefix ? `${prefix}.${child.name}` : child.name)
    if (found) return found
  }
  return node.fields.find((f) => f.size === 0 && f.start === at && (prefix ? `${prefix}.${f.name}` : f.name) === path)
}

const SIZES: Record<string, number> = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, u64: 8, f64: 8 }

/** `f32[3] x 529`: the entry of the column, and within it the component, that stands at `at`. */
function entryAt(bytes: Uint8Array, path: string, field: StructureField, at: number): Place {
  const column = /^(.*?) x (\d+)$/.exec(field.type)
  const count = column ? Number(column[2]) : 0
  if (column && count > 0 && field.size % count === 0) {
    const stride = field.size / count
    const index = Math.floor((at - field.start) / stride)
    const start = field.start + index * stride
    return component(bytes, `${path}[${index}]`, column[1], start, stride, at)
  }
  const whole = component(bytes, path, field.type, field.start, field.size, at)
  return whole.value === '' ? { path, start: field.start, end: field.start + field.size, value: field.value } : whole
}

function component(bytes: Uint8Array, path: string, type: string, start: number, size: number, at: number): Place {
  const row = /^([uif]\d+)(?:\[(\d+)\])?$/.exec(type)
  const width = row ? SIZES[row[1]] : undefined
  if (!row || !width || size % width !== 0 || start + size > bytes.length) return { path, start, end: start + size, value: '' }
  const count = size / width
  if (count === 1) return { path, start, end: start + width, value: number(bytes, row[1], start) }
  const index = Math.floor((at - start) / width)
  return { path: `${path}[${index}]`, start: start + index * width, end: start + (index + 1) * width, value: number(bytes, row[1], start + index * width) }
}

function number(bytes: Uint8Array, type: string, at: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (type) {
    case 'u8':
      return String(view.getUint8(at))
    case 'i8':
      return String(view.getInt8(at))
    case 'u16':
      return String(view.getUint16(at, true))
    case 'i16':
      return String(view.getInt16(at, true))
    case 'u32':
      return String(view.getUint32(at, true))
    case 'i32':
      return String(view.getInt32(at, true))
    case 'f32':
      return String(Number(view.getFloat32(at, true).toPrecision(8)))
    case 'f64':
      return String(view.getFloat64(at, true))
    case 'u64':
      return String(view.getBigUint64(at, true))
    default:
      return ''
  }
}
