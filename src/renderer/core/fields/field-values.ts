/** Values of fields between their texts and the controls that show them. */
import type { EditableField } from '../../../shared/api/types/fields.ts'
import type { StructureField, StructureNode } from '../../../shared/api/types/structure.ts'

/** Numbers that are shown beside each other. */
export const ENTRY_NUMBERS = 16

export function numbersOf({ value }: Pick<EditableField, 'value'>): string[] {
  return value.split(', ')
}

/** What a picker shows of a colour: without its alpha, and floats within what it can show. */
export function pickedColor(value: string): string {
  if (value.startsWith('#')) return value.slice(0, 7)
  const byte = (text: string): string =>
    Math.round(255 * Math.min(1, Math.max(0, Number(text) || 0)))
      .toString(16)
      .padStart(2, '0')
  return `#${value.split(', ').slice(0, 3).map(byte).join('')}`
}

/** Whether a field may be given another value, as far as its description says. */
export function isOpenField({ use, type }: StructureField): boolean {
  if (use?.is === 'structure' || use?.is === 'size') return false
  return use !== undefined || /^([{]|u8|i8|u16|i16|u32|i32|f32|u64|f64|char\[)/.test(type)
}

/** Path of a field of the last node of a chain from the root. */
export function pathOfField(chain: readonly StructureNode[], field: StructureField): string {
  const names = chain.slice(1).map((node, i) => nameIn(chain[i].children, node))
  return [...names, nameIn(chain.at(-1)!.fields, field)].join('.')
}

/** A path below a place, without the names that every one of its kind has. */
export function shortPath(path: string, place: string): string {
  const below = place && path.startsWith(`${place}.`) ? path.slice(place.length + 1) : path
  return below.replace(/\.(text|value)$/, '').replace(/(^|\.)(struct|info)\./, '$1')
}

/** Names as paths of fields have them: of several with one name the second is `name:2`. */
export function nameIn(list: readonly { name: string }[], item: { name: string }): string {
  const before = list.slice(0, list.indexOf(item as never)).filter(({ name }) => name === item.name).length
  return before === 0 ? item.name : `${item.name}:${before + 1}`
}
