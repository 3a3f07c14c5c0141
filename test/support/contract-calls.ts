/** Goes through the contract's schemas: which texts a call takes, and arguments of any kind that fit it. */
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { contract } from '../../src/shared/api/contract.ts'
import { PICTURE_SIZE } from '../../src/shared/api/types/library.ts'
import type { CallName } from '../../src/shared/api/contract.ts'

/** The parts of valibot's schemas that are looked at. */
interface Schema {
  type: string
  expects?: string
  entries?: Record<string, Schema>
  item?: Schema
  items?: Schema[]
  wrapped?: Schema
  options?: (Schema | string)[]
  key?: Schema
  value?: Schema
  literal?: unknown
  class?: new (length: number) => ArrayBufferView
  pipe?: { type: string; requirement?: unknown }[]
}

const asSchema = (schema: unknown): Schema => schema as Schema

/** Where the texts of a schema stand: `a.b`, `[]` for entries of a list, `{}` for those of a record. */
export function textLeaves(schema: unknown, at = ''): string[] {
  const { type, entries, item, items, wrapped, options, value } = asSchema(schema)
  const below = (name: string) => (at ? `${at}.${name}` : name)
  switch (type) {
    case 'string':
      return [at]
    case 'object':
      return Object.entries(entries!).flatMap(([name, inner]) => textLeaves(inner, below(name)))
    case 'array':
      return textLeaves(item, below('[]'))
    case 'tuple':
      return items!.flatMap((inner) => textLeaves(inner, below('[]')))
    case 'record':
      return textLeaves(value, below('{}'))
    case 'optional':
    case 'nullable':
      return textLeaves(wrapped, at)
    case 'union':
    case 'variant':
      return [...new Set(options!.flatMap((inner) => textLeaves(inner, at)))]
    case 'number':
    case 'boolean':
    case 'picklist':
    case 'literal':
    case 'instance':
      return []
    default:
      throw new Error(`a schema of type ${type} is not known to the tests`)
  }
}

/** What stands for a text of a name: ids that there are, refs, and whatever else a test knows. */
export type KnownTexts = (leaf: string) => readonly string[]

/**
 * Arguments that a call's schema takes, of any size and meaning: hostile, not malformed.
 * @param known texts by the name of their argument; half of the texts are of these
 */
export function callArguments(name: CallName, known: KnownTexts = () => []): Arbitrary<unknown> {
  return arbitrary(asSchema(contract[name].args), '', known)
}

const odd = [
  '',
  '\0',
  '..',
  '../../x',
  '/etc/passwd',
  '/',
  '__proto__',
  'constructor',
  '\ud800',
  '\n',
  '\u202e',
  'CON',
  '0',
  '-1',
  '1e999',
  'x'.repeat(4096),
]
/** Texts of which each pattern of the contract takes some: colours, hashes, ids, keys of menus, numbers, clips and slices. */
const PATTERNED = ['#000000', '#AbCdEf', '0'.repeat(64), '0'.repeat(24), 'CmdOrCtrl+Shift+S', 'F5', '0', '1', 'clip 0', 'slice 1']
const numbers = [0, 1, 2, -1, 0.5, 255, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 31), 1e-45, 3.5e38, 1e300, -1e300]

function arbitrary(schema: Schema, leaf: string, known: KnownTexts): Arbitrary<unknown> {
  const { type, entries, item, wrapped, options, key, value, literal, pipe = [] } = schema
  const limit = (name: string): number | undefined => pipe.find((action) => action.type === name)?.requirement as number | undefined
  switch (type) {
    case 'string': {
      const given = known(leaf)
      const most = limit('max_length') ?? 4096
      const any = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'binary', maxLength: 20 })).map((text) => text.slice(0, most))
      const pattern = limit('regex') as unknown as RegExp | undefined
      if (pattern) return fc.constantFrom(...PATTERNED.filter((text) => pattern.test(text)))
      return given.length > 0 ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...given) }, any) : any
    }
    case 'number': {
      const least = limit('min_value') ?? -Infinity
      const greatest = limit('max_value') ?? Infinity
      const whole = pipe.some((action) => action.type === 'integer' || action.type === 'safe_integer')
      const fits = (n: number) => n >= least && n <= greatest && (!whole || Number.isSafeInteger(n))
      const fitting = numbers.filter(fits)
      const any = whole
        ? fc.integer({ min: Math.max(least, -3), max: Math.min(greatest, Math.max(least, 40)) })
        : fc.double({ min: least, max: greatest, noNaN: true, noDefaultInfinity: true })
      return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...(fitting.length > 0 ? fitting : [least, greatest])) }, any.filter(fits))
    }
    case 'boolean':
      return fc.boolean()
    case 'literal':
      return fc.constant(literal)
    case 'picklist':
      return fc.constantFrom(...(options as string[]))
    case 'object': {
      const fields = Object.entries(entries!)
      const model = Object.fromEntries(fields.map(([name, inner]) => [name, arbitrary(inner, name, known)]))
      const required = fields.filter(([, inner]) => inner.type !== 'optional').map(([name]) => name)
      return fc.record(model, { requiredKeys: required, noNullPrototype: true })
    }
    case 'array': {
      const length = limit('length')
      const bounds = length === undefined ? { maxLength: Math.min(4, limit('max_length') ?? 4) } : { minLength: length, maxLength: length }
      return fc.array(arbitrary(item!, leaf, known), bounds)
    }
    case 'record':
      return fc.dictionary(arbitrary(key!, leaf, known) as Arbitrary<string>, arbitrary(value!, leaf, known), {
        maxKeys: 3,
        noNullPrototype: true,
      })
    case 'optional':
      return arbitrary(wrapped!, leaf, known)
    case 'union':
    case 'variant':
      return fc.oneof(...(options as Schema[]).map((inner) => arbitrary(inner, leaf, known)))
    case 'instance':
      return typedArray(schema)
    default:
      throw new Error(`a schema of type ${type} is not known to the tests`)
  }
}

function typedArray({ class: kind, pipe = [] }: Schema): Arbitrary<unknown> {
  const make = kind as unknown as { from(values: number[]): ArrayBufferView; name: string }
  // a check of the contract itself: a picture has one size
  if (pipe.some((action) => action.type === 'check')) return fc.constant(new Uint8Array(4 * PICTURE_SIZE ** 2))
  const entry = make.name.startsWith('Float')
    ? fc.oneof(fc.constantFrom(0, 1, NaN, Infinity, -1e30), fc.double())
    : fc.oneof(fc.constantFrom(0, 1, 65_535, 2 ** 32 - 1), fc.nat(100))
  return fc.array(entry, { maxLength: 6 }).map((values) => make.from(values))
}
