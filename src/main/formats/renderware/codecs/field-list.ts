/** Fields of a structure node one after the other, with their offsets. */
import { makeRecords } from '../../../binary/layout.ts'
import { field, leftover, node } from '../../../binary/structure.ts'
import type { FieldEntries, FieldUse } from '../../../../shared/api/types/structure.ts'
import type { Fields, RecordLayout, RecordsLayout, Struct } from '../../../binary/layout.ts'
import type { StructureField, StructureNode } from '../../format.ts'

export class FieldList {
  readonly fields: StructureField[] = []
  readonly children: StructureNode[] = []
  at: number
  constructor(at: number) {
    this.at = at
  }
  add(
    name: string,
    type: string,
    size: number,
    value: unknown,
    extra: { unknown?: boolean; note?: string; entries?: FieldEntries; use?: FieldUse } = {},
  ): this {
    this.fields.push(field(name, type, this.at, size, value, extra))
    this.at += size
    return this
  }
  /** the fields of a record that starts here */
  record<F extends Fields>(layout: RecordLayout<F>, data: Struct<F>): this {
    this.fields.push(...layout.describe(data, this.at))
    this.at += layout.sizeOf(data)
    return this
  }
  /** a node for each record of an array that starts here */
  records<F extends Fields>(layout: RecordsLayout<F>, data: ArrayBufferView): this {
    const { fields, children } = layout.describe(
      makeRecords(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), layout.stride),
      this.at,
    )
    this.fields.push(...fields)
    this.children.push(...children)
    this.at += data.byteLength
    return this
  }
  /** bytes that no field explains, where there are any */
  leftover(name: string, bytes: Uint8Array, extra: { note?: string } = {}): this {
    this.fields.push(...leftover(name, this.at, bytes, extra))
    this.at += bytes.length
    return this
  }
  /** a nested node that starts here */
  group(name: string, type: string, body: (list: FieldList) => void, summary = ''): this {
    const inner = new FieldList(this.at)
    body(inner)
    this.children.push(node(name, type, { start: this.at, end: inner.at }, inner.fields, inner.children, summary ? { summary } : {}))
    this.at = inner.at
    return this
  }
}
