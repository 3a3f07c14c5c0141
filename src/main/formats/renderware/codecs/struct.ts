/** Leaves that are one fixed record, over the layouts that all families share (main/binary/layout.ts). */
import { f32s, floatRuns, record } from '../../../binary/layout.ts'
import { floatsOf, smallWords } from './words.ts'
import type { FieldHints, Fields, FieldType, Struct } from '../../../binary/layout.ts'
import type { ChunkText } from '../texts/chunks.ts'
import type { LeafCodec } from './chunk.ts'

/** @param id names its label too */
export function struct<F extends Fields>(id: ChunkText, fields: F, hints: FieldHints<F> = {}): LeafCodec<Struct<F>> {
  const layout = record(fields, hints)
  return {
    id,
    fixed: layout.size,
    read: layout.read,
    write: (value, out) => layout.write(out, value),
    fields: (value, list) => void list.record(layout, value),
  }
}

/** Floats carried as their bits, on the heap of the language: for small records that files have by the thousand. */
export function floatBits(count: number): FieldType<Uint32Array> {
  const floats = f32s(count)
  return {
    size: floats.size,
    type: floats.type,
    read: (r, name) => smallWords(r, count, name),
    write: (out, words) => out.raw(words),
    show: (words) => floats.show(floatsOf(words)),
  }
}

/** `floatRuns` of the layouts, as bits. */
export function floatBitRuns(runs: Parameters<typeof floatRuns>[0]): FieldType<Uint32Array> {
  const floats = floatRuns(runs)
  return { ...floatBits(floats.size / 4), rows: (words, at, name) => floats.rows!(floatsOf(words), at, name) }
}
