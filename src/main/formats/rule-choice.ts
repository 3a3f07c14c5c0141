/** Which rules count: all but those that are switched off, or those alone that are asked for. */
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import type { LintRule } from '../../shared/api/types/lint.ts'
import type { Registry } from './registry.ts'

export interface RuleChoice {
  /** where some are named, no others count */
  only?: readonly string[]
  off?: readonly string[]
}

/** Every rule of every family. */
export function allRules({ families }: Registry): LintRule[] {
  return families.flatMap((family) => family.rules?.() ?? [])
}

/** Whether what was found by this code counts. */
export function choiceOf({ only = [], off = [] }: RuleChoice): (found: { code: string }) => boolean {
  const wanted = new Set(only)
  const unwanted = new Set(off)
  return ({ code }) => (wanted.size > 0 ? wanted.has(code) : true) && !unwanted.has(code)
}

/** @throws FormatError invalid-argument for what is no rule */
export function expectRules(registry: Registry, ids: readonly string[]): void {
  if (ids.length === 0) return
  const known = new Set(allRules(registry).map(({ id }) => id))
  const wrong = ids.find((id) => !known.has(id))
  if (wrong !== undefined) throw new FormatError('invalid-argument', say('reports.lint.noRule', { rule: wrong }))
}
