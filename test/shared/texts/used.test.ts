/** Every text is said somewhere, by the part that it belongs to: knip sees no keys. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../../scripts/lib/build.mjs'
import { families } from '../../../src/main/formats/registry.ts'
import { english } from '../../../src/shared/texts/en/index.ts'
import { flatten } from '../../../src/shared/texts/say.ts'
import { families as madeUp } from '../../fixtures/kite/family.ts'
import type { TextTree } from '../../../src/shared/texts/texts.ts'

const KEY = /['"`]([a-z]\w*\.(?:[\w.-]|\$\{[^}]*\})+)['"`]/g

/** Keys of the texts as a source names them: whole, or with values in their place. */
function keysIn(source: string, texts: TextTree): string[] {
  return [...source.matchAll(KEY)].map(([, key]) => key).filter((key) => key.split('.')[0] in texts)
}

/** Code below a folder, without the files of the texts themselves. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|vue)$/.test(path) && !/(^|[\\/])texts[\\/](en[\\/]|[^\\/]+\.ts$)/.test(path))
    .map((path) => readFileSync(join(projectRoot, folder, path), 'utf8'))
}

/** Keys that no source names. */
function unsaid(texts: TextTree, sources: readonly string[]): string[] {
  const named = new Set(sources.flatMap((source) => keysIn(source, texts)))
  const whole = new Set([...named].filter((key) => !key.includes('$')))
  const made = [...named]
    .filter((key) => key.includes('$'))
    .map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`))
  // a key that has more behind it is the start of one that is put together: `settings.saveMode.note`
  const used = (key: string): boolean =>
    whole.has(key) || made.some((pattern) => pattern.test(key)) || whole.has(key.split('.').slice(0, -1).join('.'))
  return [...flatten(texts).keys()].filter((key) => !used(key))
}

it('finds keys that are named whole, and those that are put together', () => {
  expect(keysIn("say('settings.title'); a.b; 'no.key'; say(`settings.${name}.${at[0].value}`, { x })", english)).toEqual([
    'settings.title',
    'settings.${name}.${at[0].value}',
  ])
  expect(unsaid({ a: { one: '1', two: '2', more: { x: '3', y: '4' } } }, ["say('a.one'), say(`a.more.${x}`)"])).toEqual(['a.two'])
})

/** What numbers count is named by the texts that they stand in. */
const counted = [english, ...families.map(({ texts }) => texts ?? {})].flatMap((texts) =>
  [...flatten(texts).values()].flatMap((text) => [...text.matchAll(/\{\w+:(\w+)\}/g)].map(([, what]) => `'counted.${what}'`)),
)

it('has no text that nobody says', () => {
  expect(unsaid(english, [...sourcesBelow('src'), ...counted])).toEqual([])
})

/** Families with texts, and the folders of their code. */
const SPEAKERS = [
  ...families.map((family) => [family, `src/main/formats/${family.id}`] as const),
  ...madeUp.map((family) => [family, `test/fixtures/${family.id}`] as const),
]
  .filter(([{ texts }]) => texts !== undefined)
  .map(([{ id, texts }, folder]) => [id, texts!, folder] as const)

describe.each(SPEAKERS)('the texts of %s', (_id, texts, folder) => {
  it('are each said by its code', () => {
    expect(unsaid(texts, sourcesBelow(folder))).toEqual([])
  })

  it('have areas that main has not, so that a key says whose text it is', () => {
    expect(Object.keys(texts).filter((area) => area in english)).toEqual([])
  })
})
