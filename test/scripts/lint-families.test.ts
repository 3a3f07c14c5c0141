/** The lint rule that keeps neutral code from naming families. */
import { Linter } from 'eslint'
import { describe, expect, it } from 'vitest'
import plugin, { FAMILIES } from '../../scripts/lint/families.mjs'
import { families } from '../../src/main/formats/registry.ts'

const findings = (code: string): string[] =>
  new Linter()
    .verify(code, [{ plugins: { families: plugin }, rules: { 'families/not-named': 'error' } }])
    .map(({ line, column, message }) => `${line}:${column} ${/\((.+?)\)/.exec(message)![1]}`)

describe('names of families in neutral code', () => {
  it('are those of the registry', () => {
    const known = families.map(({ id, label }) => ({ id, label }))
    expect(FAMILIES).toEqual(known.sort((a, b) => (a.id < b.id ? -1 : 1)))
  })

  it.each(families.map(({ id, label }) => [id, label]))('%s: in strings, names, comments, and as a label', (id, label) => {
    expect(findings(`const a = '${id}'\nconst is${id} = a === \`${id}.mesh\`\n// ${label} does so`)).toEqual([
      `1:12 ${id}`,
      `2:9 ${id}`,
      `2:${19 + id.length} ${id}`,
      `3:4 ${label}`,
    ])
  })

  it('are no matter where nothing is named', () => {
    expect(findings("const family = registry.familyById(id) ?? 'common'")).toEqual([])
  })
})
