/**
 * Rules of a family: a table that says of each what it means and how it is known, functions for each of its formats, each looking at one subject,
 * and one way for all of them to say what they find and how it can be put right.
 */
import { wordsOf } from '../../shared/texts/say.ts'
import { Diagnostics } from './format.ts'
import type { Diagnostic, Evidence, Severity } from '../../shared/api/errors.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { LintRule } from '../../shared/api/types/lint.ts'
import type { Words } from '../../shared/texts/texts.ts'
import type { Family, LintModel } from './family.ts'
import type { Document } from './format.ts'

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

/** What the table says of a rule; its words are a text of the family, `lint.rules.<id>`: what happens in the game. */
interface RuleEntry {
  /** the worst that it finds; what only one source says is a hint (`info`) */
  readonly severity: Severity
  readonly known: Evidence
  /** repairs that its findings may offer */
  readonly fixes?: readonly Fix[]
}

/** Rules by their id without the family: `key-order`. */
export type RuleTable<Id extends string> = Readonly<Record<Id, RuleEntry>>

/** The repairs of all rules, as a family gives them to whoever applies them. */
export function fixesOf(table: RuleTable<string>): NonNullable<Family['fixes']> {
  return Object.fromEntries(Object.values(table).flatMap(({ fixes = [] }) => fixes.map(({ id, apply }) => [id, apply])))
}

/** The table as everybody outside the family has it. @param happens the words of a rule */
export function rulesOf<Id extends string>(family: FamilyId, table: RuleTable<Id>, happens: (id: Id) => string): Family['rules'] {
  return () =>
    (Object.keys(table) as Id[]).map((id): LintRule => {
      const { severity, known, fixes = [] } = table[id]
      return {
        id: `${family}.${id}`,
        severity,
        known,
        happens: happens(id),
        fixes: fixes.map(({ id, label }) => ({ id, label: wordsOf(label) })),
      }
    })
}

/** The file as the game had it, where it is another now, for rules on what has to stay; of another format it says nothing. */
export function asItWas<D extends Document>(document: D, { original }: LintModel): D | undefined {
  return original?.format === document.format ? (original as D) : undefined
}

/** Findings that are kept of one file. */
const MOST_FINDINGS = 1000

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 }

/** What rules find in one file. */
export class Report<Id extends string = string> extends Diagnostics {
  private readonly family: FamilyId
  private readonly table: RuleTable<Id>
  constructor(ref: string, family: FamilyId, table: RuleTable<Id>) {
    super(ref)
    this.family = family
    this.table = table
  }
  /**
   * @param rule without the family: `key-order`
   * @param path of the field, as descriptions have it
   * @param offset of the first byte of it in the file, -1 for none
   */
  say(rule: Id, message: string, path = '', offset = -1, ...fixes: readonly Fix[]): void {
    this.as(this.table[rule].severity, rule, message, path, offset, ...fixes)
  }
  /** As `say`, for what is less bad than the rule at its worst. */
  as(severity: Severity, rule: Id, message: string, path = '', offset = -1, ...fixes: readonly Fix[]): void {
    if (this.list.length >= MOST_FINDINGS) return
    const { severity: worst, known } = this.table[rule]
    const found = RANK[severity] < RANK[worst] ? severity : worst
    this.add(found, `${this.family}.${rule}`, message, path, offset, ...fixes.map(({ id, label }) => ({ id, label: wordsOf(label) })))
    if (known === 'one-source') this.list.at(-1)!.known = known
  }
  /** What a check that others use too has found. */
  take(findings: readonly Diagnostic[]): void {
    this.list.push(...findings.slice(0, Math.max(0, MOST_FINDINGS - this.list.length)))
  }
}

/** Looks at one subject of a document. */
export type Rule<D extends Document, Id extends string = string> = (document: D, report: Report<Id>, model: LintModel) => void

/** @param rules of each format by its id, in the order in which their findings are told */
export function linter<Id extends string>(
  family: FamilyId,
  table: RuleTable<Id>,
  rules: Readonly<Record<string, readonly Rule<any, Id>[]>>,
): Family['lint'] {
  return (document, model) => {
    const report = new Report(document.ref, family, table)
    for (const rule of rules[document.format] ?? []) rule(document, report, model)
    return report.list
  }
}
