/** What arguments of calls are checked for beyond their schema. */
import { FormatError } from '../../binary/format-error.ts'
import { COMMON_FAMILY } from '../../../shared/api/types/family.ts'
import type { FamilyId } from '../../../shared/api/types/family.ts'
import type { Thing } from '../../formats/address.ts'
import type { calls } from '../../../shared/texts/en/services.ts'
import { say } from '../../../shared/texts/say.ts'
import type { Registry } from '../../formats/registry.ts'

/** @throws FormatError invalid-argument */
export function withIn(list: { length: number }, index: number, what: Thing): void {
  if (index >= list.length) throw new FormatError('invalid-argument', say(`formats.missing.${what}`, { name: index }))
}

/** @throws FormatError invalid-argument */
export function knownFamily(registry: Registry, id: FamilyId | undefined): void {
  if (id !== undefined && id !== COMMON_FAMILY && !registry.familyById(id))
    throw new FormatError('invalid-argument', say('calls.noFamily', { family: id }))
}

/** A method that not every family's editor has. @throws FormatError unsupported */
export function can<T>(method: T | undefined, why: keyof typeof calls.noWay): T {
  if (!method) throw new FormatError('unsupported', say(`calls.noWay.${why}`))
  return method
}
