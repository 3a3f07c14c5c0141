/** Every text of the catalogue is said somewhere: knip sees no keys. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../../scripts/lib/build.mjs'
import { english } from '../../../src/shared/texts/en/index.ts'
import { flatten } from '../../../src/shared/texts/say.ts'

const areas = Object.keys(english)
const KEY = /['"`]([a-z]\w*\.(?:[\w.-]|\$\{[^}]*\})+)['"`]/g

/** Keys of the texts as a source names them: whole, or with values in their place. */
function keysIn(source: string): string[] {
  return [...source.matchAll(KEY)].map(([, key]) => key).filter((key) => areas.includes(key.split('.')[0]))
}

it('finds keys that are named whole, and those that are put together', () => {
  expect(keysIn("say('settings.title'); a.b; 'no.key'; say(`settings.${name}.${at[0].value}`, { x })")).toEqual([
    'settings.title',
    'settings.${name}.${at[0].value}',
  ])
})

it('has no text that nobody says', () => {
  const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(ts|vue)$/.test(path) && !/^shared[\\/]texts[\\/]en[\\/]/.test(path),
  )
  const named = new Set(sources.flatMap((path) => keysIn(readFileSync(join(projectRoot, 'src', path), 'utf8'))))
  const whole = new Set([...named].filter((key) => !key.includes('$')))
  const made = [...named]
    .filter((key) => key.includes('$'))
    .map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`))
  // a key that has more behind it is the start of one that is put together: `settings.saveMode.note`
  const used = (key: string): boolean =>
    whole.has(key) || made.some((pattern) => pattern.test(key)) || whole.has(key.split('.').slice(0, -1).join('.'))
  expect([...flatten(english).keys()].filter((key) => !used(key))).toEqual([])
})
