// A rule for ESLint: neutral code names no family of formats, in strings, names and comments. What it needs to know of one stands in the
// family's descriptor and comes through the registry, so that a family can be added without a change elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FORMATS = join(import.meta.dirname, '../../src/main/formats')

/** The families that there are, by their folders and descriptors: `{ id: 'abc', label: 'Abc games' }`. */
export const FAMILIES = readdirSync(FORMATS).flatMap((id) => {
  const descriptor = join(FORMATS, id, 'family.ts')
  const label = existsSync(descriptor) && /^ {2}label: '(.+)',$/m.exec(readFileSync(descriptor, 'utf8'))?.[1]
  return label ? [{ id, label }] : []
})

/** Who may name them: their own folders, who lists them, and who draws a sample of each. */
export const MAY_NAME_FAMILIES = [
  'src/main/formats/registry.ts',
  'src/main/sample/**',
  ...FAMILIES.map(({ id }) => `src/main/formats/${id}/**`),
]

const words = new Set(FAMILIES.flatMap(({ id, label }) => [id, label]))
const escaped = [...words].map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
const NAMED = new RegExp(escaped.join('|'), 'gi')

const notNamed = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      named: 'Neutral code names no family ({{word}}): what it needs of one stands in the descriptor, src/main/formats/<family>/family.ts.',
    },
  },
  create: (context) => ({
    Program() {
      const { sourceCode } = context
      for (const { 0: word, index } of sourceCode.text.matchAll(NAMED)) {
        const loc = { start: sourceCode.getLocFromIndex(index), end: sourceCode.getLocFromIndex(index + word.length) }
        context.report({ loc, messageId: 'named', data: { word } })
      }
    },
  }),
}

export default { rules: { 'not-named': notNamed } }
