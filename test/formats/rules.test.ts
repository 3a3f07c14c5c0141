/** The tables of rules: whole, said, tested and written down. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import { families } from '../../src/main/formats/registry.ts'
import { rulesDocument } from './rules-document.ts'

// vitest -u writes it anew
it('docs/lint.md is what the rules say', async () => {
  const file = join(import.meta.dirname, '../../docs/lint.md')
  const text = await format(rulesDocument(), { ...(await resolveConfig(file)), parser: 'markdown' })
  await expect(text).toMatchFileSnapshot(file)
})

describe.each(families.map((family) => [family.id, family] as const))('the rules of %s', (id, family) => {
  const rules = family.rules!()

  it('are each one rule, with the family in front, by the alphabet', () => {
    const ids = rules.map((rule) => rule.id)
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const rule of ids) expect(rule).toMatch(new RegExp(`^${id}\\.[a-z][a-z0-9-]*$`))
  })

  it('are hints where one source alone says so', () => {
    expect(rules.filter(({ known, severity }) => known === 'one-source' && severity !== 'info').map((rule) => rule.id)).toEqual([])
  })

  it('say what happens, once each in the texts', () => {
    expect(Object.keys((family.texts as { rules: object }).rules).map((rule) => `${id}.${rule}`)).toEqual(rules.map((rule) => rule.id))
  })

  it('are each named by a test of theirs', () => {
    const folder = join(import.meta.dirname, id)
    const source = readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n')
    expect(rules.map((rule) => rule.id.slice(id.length + 1)).filter((rule) => !new RegExp(`['".]${rule}['"]`).test(source))).toEqual([])
  })
})
