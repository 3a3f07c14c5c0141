/** One repair at every finding of its kind in a file. */
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { Family, LintModel } from './family.ts'
import type { Document } from './format.ts'

/** How often a file is looked at again: a repair may bring forth what another finding of its kind hid. */
const MOST_ROUNDS = 8

/**
 * @param code of the findings @param fix the repair that they offer
 * @param chosen which of them, where not all are meant: those that come forth by a repair then stay
 * @returns how many findings were repaired
 */
export function fixAll(
  family: Family,
  document: Document,
  model: LintModel,
  code: string,
  fix: string,
  chosen?: (found: Diagnostic) => boolean,
): number {
  const apply = family.fixes?.[fix]
  if (!apply) return 0
  const found = (): Diagnostic[] =>
    family
      .lint(document, model)
      .filter((d) => d.code === code && d.ref === document.ref && d.fixes?.some(({ id }) => id === fix) && (chosen?.(d) ?? true))
  let left = found()
  const first = left.length
  const most = chosen ? 1 : MOST_ROUNDS
  for (let round = 0; left.length > 0 && round < most; round++) {
    // from the end: what is taken out moves nothing that stands before it
    for (const diagnostic of left.reverse()) apply(document, diagnostic)
    const now = found()
    if (now.length >= left.length) {
      left = now
      break
    }
    left = now
  }
  return first - left.length
}
