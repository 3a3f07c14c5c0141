/** What arguments of calls are checked for beyond their schema. */
import { FormatError } from '../../binary/format-error.ts'
import { COMMON_FAMILY } from '../../../shared/api/types.ts'
import type { FamilyId } from '../../../shared/api/types.ts'
import type { Registry } from '../../formats/registry.ts'

/** @throws FormatError invalid-argument */
export function withIn(list: { length: number }, index: number, what: string): void {
  if (index >= list.length) throw new FormatError('invalid-argument', `there is no ${what} ${index}`)
}

/** @throws FormatError invalid-argument */
export function knownFamily(registry: Registry, id: FamilyId | undefined): void {
  if (id !== undefined && id !== COMMON_FAMILY && !registry.familyById(id))
    throw new FormatError('invalid-argument', `there is no family ${id}`)
}

/** A method that not every family's editor has. @throws FormatError unsupported */
export function can<T>(method: T | undefined, what: string): T {
  if (!method) throw new FormatError('unsupported', `this family has no way to ${what}`)
  return method
}
