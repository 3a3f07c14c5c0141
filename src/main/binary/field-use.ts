/** What a field of a layout is to who edits it: counts that follow, choices and flags by their names, colours, references. */
import type { BitPart, FieldUse, StructureBy } from '../../shared/api/types/structure.ts'
import type { FieldType } from './layout.ts'

function used<T>(type: FieldType<T>, use: FieldUse): FieldType<T> {
  return { ...type, use }
}

/**
 * A count, an offset, a mark: it follows from what else is in the file, and is not set by itself.
 * @param by of an archive: what changes it
 */
export function structural<T>(type: FieldType<T>, by?: StructureBy): FieldType<T> {
  return used(type, { is: 'structure', ...(by && { by }) })
}

/** Bytes of what its node holds. */
export function sizing<T>(type: FieldType<T>): FieldType<T> {
  return used(type, { is: 'size' })
}

/** @param values names in their order, '' for a value without one */
export function choice(type: FieldType<number>, values: readonly string[]): FieldType<number> {
  return used(type, { is: 'choice', values })
}

/** Characters that are one of some words. */
export function word(type: FieldType<string>, words: readonly string[]): FieldType<string> {
  return used(type, { is: 'word', words })
}

/** @param flags names of single bits, by their mask @param more several bits that are a number or a choice */
export function bitsOf(type: FieldType<number>, flags: Readonly<Record<string, number>>, more: readonly BitPart[] = []): FieldType<number> {
  const single = Object.entries(flags).map(([name, mask]): BitPart => ({ name, at: 31 - Math.clz32(mask), width: 1 }))
  return used(type, { is: 'bits', parts: [...single, ...more].sort((a, b) => a.at - b.at) })
}

/** @param order of the components: `rgba`, `bgra`; `rgb-` where the last byte is padding */
export function color<T>(type: FieldType<T>, order = 'rgba'): FieldType<T> {
  return used(type, { is: 'color', order })
}

/** @param to name of the nodes, without their numbers @param none the number of no node */
export function reference(type: FieldType<number>, to: string, none?: number): FieldType<number> {
  return used(type, { is: 'reference', to, ...(none === undefined ? {} : { none }) })
}
