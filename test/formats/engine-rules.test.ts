/** No demand of the pages on engines is forgotten: each has a rule of ours, or the reason why none judges it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { families } from '../../src/main/formats/registry.ts'
import { describeSpecs } from '../support/corpus.ts'
import { ENGINE_RULES } from './engine-rules.ts'
import type { LintRule } from '../../src/shared/api/types/lint.ts'

const rulesOf = (family: string): Map<string, LintRule> =>
  new Map(families.find(({ id }) => id === family)!.rules!().map((rule) => [rule.id.slice(family.length + 1), rule]))

describe.each(Object.entries(ENGINE_RULES))('the demands on files of %s', (family, demands) => {
  const rules = rulesOf(family)

  it('have rules that are there, or a reason why not', () => {
    for (const [number, { rules: ours = [], unjudged }] of Object.entries(demands)) {
      expect(
        ours.filter((id) => !rules.has(id)),
        number,
      ).toEqual([])
      expect(ours.length > 0 || unjudged !== undefined, number).toBe(true)
    }
  })
})

interface Row {
  family: string
  number: string
  /** more than one source, or bytes */
  sure: boolean
  fault: boolean
}

/** Rows of a page's tables that begin with a number: `| M1 | rule | what happens | mark | severity |`. */
function rowsOf(page: string, familyOf: (number: string) => string): Row[] {
  return page.split('\n').flatMap((line): Row[] => {
    const [, number = '', ...cells] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    if (!/^[A-Z]\d+$/.test(number)) return []
    const severity = cells.filter(Boolean).at(-1) ?? ''
    return [{ family: familyOf(number), number, sure: /\[(2|B)\b/.test(line), fault: /\b(E|W|error|warning)\b/.test(severity) }]
  })
}

describeSpecs((folder) => {
  const page = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const rows = [
    ...rowsOf(page('engine-rules.md'), (number) => ({ W: 'w3d', L: 'lostsaga' })[number[0]] ?? 'renderware'),
    ...rowsOf(page('level5-discs.md'), () => 'level5'),
  ]

  it('has no demand that is forgotten, and none that was made up', () => {
    const ours = Object.entries(ENGINE_RULES).flatMap(([family, demands]) => Object.keys(demands).map((number) => `${family} ${number}`))
    expect(ours.sort()).toEqual(rows.map(({ family, number }) => `${family} ${number}`).sort())
    expect(existsSync(folder)).toBe(true)
  })

  it('has faults of two sources or bytes that are more than hints here, or milder for a reason', () => {
    const mild = rows
      .filter(({ sure, fault }) => sure && fault)
      .filter(({ family, number }) => {
        const { rules = [], unjudged, milder } = ENGINE_RULES[family as keyof typeof ENGINE_RULES][number]
        return !milder && !(unjudged && rules.length === 0) && rules.every((id) => rulesOf(family).get(id)!.severity === 'info')
      })
    expect(mild.map(({ family, number }) => `${family} ${number}`)).toEqual([])
  })

  it('has demands of one source that are hints here, unless bytes or the file itself say more', () => {
    const ofRow = ({ family, number }: Row): string[] =>
      (ENGINE_RULES[family as keyof typeof ENGINE_RULES][number].rules ?? []).map((id) => `${family}.${id}`)
    // a rule may judge several demands
    const known = new Set(rows.filter(({ sure }) => sure).flatMap(ofRow))
    const loud = rows
      .filter(({ sure }) => !sure)
      .flatMap(ofRow)
      .filter(
        (id) => !known.has(id) && families.flatMap((family) => family.rules!()).find((rule) => rule.id === id)!.known === 'two-sources',
      )
    expect(loud).toEqual([])
  })
})
