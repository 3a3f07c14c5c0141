/** The command line in the pseudo-language: what it says comes from the catalogue, each word of it. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commands } from '../../src/main/cli/commands.ts'
import { setLocale } from '../../src/shared/texts/say.ts'
import { fake } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const root = tempFolder({ 'a.fake': fake('bone=hip'), 'bad.fake': fake('bad') })

beforeEach(() => setLocale('en-XA'))
afterEach(() => setLocale('en'))

/** What stands outside of the brackets of said texts, some of which stand in others. */
function outside(text: string): string {
  let left = text
  while (/⟦[^⟦⟧]*⟧/.test(left)) left = left.replace(/⟦[^⟦⟧]*⟧/g, ' ')
  return left
}

/** What is typed: names of commands, arguments and options. */
const typed = new Set([
  'marrow',
  'options',
  'command',
  ...['V', 'version', 'h', 'help', 'json'],
  ...commands.flatMap(({ name, arguments: given, options }) => [
    ...name,
    ...[...Object.values(given), ...Object.values(options)].flatMap(({ placeholder }) => placeholder?.split('=') ?? []),
    ...Object.keys(options).flatMap((option) => ['no', ...option.split(/(?=[A-Z])/).map((word) => word.toLowerCase())]),
  ]),
])

describe('the command line in another language', () => {
  it.each([[], ['slice'], ['clip'], ['texture'], ['patch'], ...commands.map(({ name }) => [...name])])(
    'has help of %s %s',
    async (...words) => {
      const { status, out } = await marrow([...words.filter((word) => word !== undefined), '--help'])
      expect(status).toBe(0)
      expect(out).toContain('⟦')
      const left = outside(out)
        .split(/[^\p{L}]+/u)
        .filter((word) => word !== '' && !typed.has(word))
      expect(left).toEqual([])
    },
  )

  it('reports and fails in it', async () => {
    const { out } = await marrow(['lint', root])
    expect(outside(out).trim().replaceAll(/\s+/g, ' ')).toBe(`${join(root, 'bad.fake')}: [fake.bad text @8]`)
    const { err, status } = await marrow(['info', join(root, 'nothing')])
    expect(status).toBe(1)
    expect(outside(err).trim()).toBe('marrow:')
  })
})
