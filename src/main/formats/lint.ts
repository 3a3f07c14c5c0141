/**
 * Rules of a family: a table of functions for each of its formats, each looking at one subject, and one way for all of them to say what
 * they find and how it can be put right.
 */
import { wordsOf } from '../../shared/texts/say.ts'
import { Diagnostics } from './format.ts'
import type { Diagnostic, Severity } from '../../shared/api/errors.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { Words } from '../../shared/texts/texts.ts'
import type { Document, Family, LintModel } from './format.ts'

/** A repair that findings offer; what was not wrong keeps its bytes. */
export interface Fix {
  /** with its family in front: `family.pivot-count` */
  readonly id: string
  readonly label: Words
  readonly apply: (document: Document, diagnostic: Diagnostic) => void
}

/** @param label made when a finding offers it: `() => say('lint.sortKeys')` */
export function fix<D extends Document>(id: string, label: Words, apply: (document: D, diagnostic: Diagnostic) => void): Fix {
  return { id, label, apply: apply as Fix['apply'] }
}

/** As a family gives them to whoever applies them. */
export function fixesOf(...tables: readonly Readonly<Record<string, Fix>>[]): NonNullable<Family['fixes']> {
  return Object.fromEntries(tables.flatMap((table) => Object.values(table).map(({ id, apply }) => [id, apply])))
}

/** Findings that are kept of one file. */
const MOST_FINDINGS = 1000

/** What rules find in one file. */
export class Report extends Diagnostics {
  private readonly family: FamilyId
  constructor(ref: string, family: FamilyId) {
    super(ref)
    this.family = family
  }
  /**
   * @param rule without the family: `key-order`
   * @param path of the field, as descriptions have it
   * @param offset of the first byte of it in the file, -1 for none
   */
  say(severity: Severity, rule: string, message: string, path = '', offset = -1, ...fixes: readonly Fix[]): void {
    if (this.list.length >= MOST_FINDINGS) return
    this.add(severity, `${this.family}.${rule}`, message, path, offset, ...fixes.map(({ id, label }) => ({ id, label: wordsOf(label) })))
  }
  /** What a check that others use too has found. */
  take(findings: readonly Diagnostic[]): void {
    this.list.push(...findings.slice(0, Math.max(0, MOST_FINDINGS - this.list.length)))
  }
}

/** Looks at one subject of a document. */
export type Rule<D extends Document> = (document: D, report: Report, model: LintModel) => void

/** @param rules of each format by its id, in the order in which their findings are told */
export function linter(family: FamilyId, rules: Readonly<Record<string, readonly Rule<any>[]>>): Family['lint'] {
  return (document, model) => {
    const report = new Report(document.ref, family)
    for (const rule of rules[document.format] ?? []) rule(document, report, model)
    return report.list
  }
}
