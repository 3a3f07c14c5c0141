/** Fields that are whole numbers, and those among them that count what came or went. */
import { fieldLayout } from '../formats/field-type.ts'
import type { ScalarTypes } from '../formats/field-type.ts'
import type { StructureField, StructureNode } from '../../shared/api/types/structure.ts'

/** Whether a number changed by just as much as its node grew: it counts bytes, nodes or entries, and is no edit of its own. */
export function follows(
  field: StructureField,
  twinField: StructureField,
  node: StructureNode,
  twin: StructureNode,
  before: Uint8Array,
  after: Uint8Array,
  scalars: ScalarTypes,
): boolean {
  const width = INTEGERS[field.type]
  if (!width || field.size !== width || twinField.size !== width || twinField.type !== field.type) return false
  const changed = integer(after, field) - integer(before, twinField)
  if (changed === 0) return false
  if (changed === node.end - node.start - (twin.end - twin.start) || changed === node.children.length - twin.children.length) return true
  return [...node.fields, ...twin.fields].some((f) => {
    const [now, was] = [node, twin]
      .map(({ fields }) => fields.find((one) => one.name === f.name))
      .map((one) => one && fieldLayout(one, scalars))
    return (now ?? was)?.column === true && changed === (now?.count ?? 0) - (was?.count ?? 0)
  })
}

/** Sizes of fields that are whole numbers. */
export const INTEGERS: Readonly<Record<string, number>> = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4 }

/** The whole number that a field has in these bytes. */
export function integer(bytes: Uint8Array, field: StructureField): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { start, type } = field
  if (type === 'u8') return view.getUint8(start)
  if (type === 'i8') return view.getInt8(start)
  if (type === 'u16') return view.getUint16(start, true)
  if (type === 'i16') return view.getInt16(start, true)
  return type === 'i32' ? view.getInt32(start, true) : view.getUint32(start, true)
}
