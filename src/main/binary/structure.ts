/** Helpers for describe(): a tree of fields with offsets. */
import { say } from '../../shared/texts/say.ts'
import type { FieldEntries, FieldUse, StructureField, StructureNode } from '../../shared/api/types/structure.ts'

export function node(
  name: string,
  type: string,
  range: { start: number; end: number },
  fields: StructureField[] = [],
  children: StructureNode[] = [],
  extra: { opaque?: boolean; summary?: string } = {},
): StructureNode {
  return { name, type, start: range.start, end: range.end, fields, children, ...extra }
}

export function field(
  name: string,
  type: string,
  start: number,
  size: number,
  value: unknown,
  extra: { unknown?: boolean; note?: string; entries?: FieldEntries; use?: FieldUse } = {},
): StructureField {
  return { name, type, start, size, value: show(value), ...extra }
}

/** Bytes that no field explains, as a field; nothing where there are none. */
export function leftover(name: string, start: number, bytes: Uint8Array, extra: { note?: string } = {}): StructureField[] {
  return bytes.length ? [field(name, `u8[${bytes.length}]`, start, bytes.length, bytes, { unknown: true, ...extra })] : []
}

/** Pixels of one level of a picture, or all that are there. */
export function pixelsUse(width: number, height: number, format: string): FieldUse {
  return { is: 'pixels', what: say('formats.pixels.level', { width, height, format }) }
}

/** @param count colours */
export function paletteUse(count: number): FieldUse {
  return { is: 'pixels', what: say('formats.pixels.palette', { count }) }
}

/** Nodes of the elements of a list with these numbers, of all where none are given. */
export function nodesOf<T>(
  list: { at(i: number): T | undefined; map(make: (one: T, i: number) => StructureNode): StructureNode[] },
  only: readonly number[] | undefined,
  make: (one: T, i: number) => StructureNode,
): StructureNode[] {
  if (!only) return list.map(make)
  return only.flatMap((i) => {
    const one = list.at(i)
    return one === undefined ? [] : [make(one, i)]
  })
}

/** Numbers short, arrays with at most 16 entries, bytes as hex. */
export function show(value: unknown): string {
  if (value instanceof Uint8Array) return hex(value, 16)
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const list = Array.from(value as ArrayLike<number>)
    const head = list.slice(0, 16).map(show).join(', ')
    return list.length > 16 ? `${head}, … (${list.length})` : head
  }
  if (typeof value === 'number' && !Number.isInteger(value))
    return String(Math.fround(value) === value ? Number(value.toPrecision(7)) : value)
  return String(value)
}

export function hex(bytes: Uint8Array, most = 64): string {
  const head = Array.from(bytes.subarray(0, most), (b) => b.toString(16).padStart(2, '0')).join(' ')
  return bytes.length > most ? `${head} … (${bytes.length} bytes)` : head
}

/** Deepest field or node that holds byte `at`: its path, and the field when one covers it. */
export function pathAt(root: StructureNode, at: number, prefix = ''): { path: string; field?: StructureField } {
  const child = root.children.find((c) => at >= c.start && at < c.end)
  if (child) return pathAt(child, at, prefix ? `${prefix}.${child.name}` : child.name)
  const hit = root.fields.find((f) => at >= f.start && at < f.start + f.size)
  return hit ? { path: prefix ? `${prefix}.${hit.name}` : hit.name, field: hit } : { path: prefix || root.name }
}
