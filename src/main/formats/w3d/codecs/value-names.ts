/** Names of the values of enumerations and flags. */
import { say } from '../texts/index.ts'
import type { ValueText } from '../texts/values.ts'

/** The name of a value of an enumeration; undefined for a number that it does not have. */
export function valueText(names: readonly ValueText[], value: number): string | undefined {
  return value in names ? say(`codecs.values.${names[value]}`) : undefined
}

/** Several at once, those that hold. */
export function valuesText(...names: readonly (ValueText | number)[]): string {
  return names.flatMap((name) => (typeof name === 'string' ? [say(`codecs.values.${name}`)] : [])).join(', ')
}
