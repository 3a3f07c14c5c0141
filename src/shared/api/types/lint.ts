/** Rules of the games as they cross to the window. */
import type { Evidence, Severity } from '../errors.ts'

export interface LintRule {
  /** with its family in front: `family.key-order` */
  id: string
  /** the worst that it finds */
  severity: Severity
  known: Evidence
  /** what happens in the game */
  happens: string
  /** repairs that its findings may offer */
  fixes: { id: string; label: string }[]
}
