/** Options that stand in a table: from it come the schema of a call, the form of the window, what is kept of the user's choice, and the command line's values. */
import * as v from 'valibot'

export type Option =
  | { kind: 'flag'; default: boolean }
  | { kind: 'choice'; default: string; values: readonly string[] }
  | { kind: 'number'; default: number; least: number; most: number }

export type OptionTable = Readonly<Record<string, Option>>

/** A value for each option of a table. */
export type OptionValues<T extends OptionTable> = {
  -readonly [K in keyof T]: T[K] extends { kind: 'flag' } ? boolean : T[K] extends { values: readonly (infer V)[] } ? V : number
}

type Schemas<T extends OptionTable> = { [K in keyof T]: v.GenericSchema<OptionValues<T>[K]> }

export function defaultsOf<T extends OptionTable>(table: T): OptionValues<T> {
  return Object.fromEntries(Object.entries(table).map(([name, option]) => [name, option.default])) as OptionValues<T>
}

/** What each option takes. */
export function schemasOf<T extends OptionTable>(table: T): Schemas<T> {
  return Object.fromEntries(Object.entries(table).map(([name, option]) => [name, schemaOf(option)])) as Schemas<T>
}

/** Values as they were kept: what is missing or out of its limits is the default. */
export function keptEntries<T extends OptionTable>(table: T): { [K in keyof T]: v.GenericSchema<unknown, OptionValues<T>[K]> } {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, v.fallback(schemaOf(option), option.default)]),
  ) as unknown as { [K in keyof T]: v.GenericSchema<unknown, OptionValues<T>[K]> }
}

function schemaOf(option: Option): v.GenericSchema<any> {
  switch (option.kind) {
    case 'flag':
      return v.boolean()
    case 'choice':
      return v.picklist(option.values)
    case 'number':
      return v.pipe(v.number(), v.finite(), v.minValue(option.least), v.maxValue(option.most))
  }
}
