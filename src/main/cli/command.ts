/** What a command declares: its arguments, its options, its help and its body. Parsing, output and exit status are the frame's (command-line.ts). */
import { InvalidArgumentError } from 'commander'
import type { RuleChoice } from '../formats/rule-choice.ts'
import type { Registry } from '../formats/registry.ts'
import type { FileStore } from '../files/store.ts'
import type { Settings } from '../../shared/api/settings.ts'
import type { ArchiveWatch } from '../workspace/archive-writes.ts'
import type { CommandModels } from './models.ts'
import type { Output, Progress } from './output.ts'
import { say } from '../../shared/texts/say.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'

/** What a body works with. */
export interface CommandContext {
  output: Output
  store: FileStore
  progress: Progress
  /** asked for by commands that can be stopped on the way */
  signal(): AbortSignal
  /** models as the window finds and opens them; with settings that count for this call, and saved as its options say */
  models(given?: Partial<Settings>): Promise<CommandModels>
  /** families other than the product's */
  registry?: Registry
  /** URL of a module that exports the same families, for workers */
  registryModule?: string
  /** where index, originals and journals stand: one place with the application */
  stateFolder: string
}

/** A report: one JSON object with `--json`, else text. */
export interface Answer {
  report: unknown
  /** in pieces, where it may be long */
  text(report: unknown): string | Iterable<string>
  /** lines for the error output, in words; the report has them in its own way */
  aside?: readonly string[]
  /** something failed: exit status 1 */
  failed?: boolean
}

export function answer<R>(report: R, text: (report: R) => string | Iterable<string>, more: Pick<Answer, 'aside' | 'failed'> = {}): Answer {
  return { report, text, ...more }
}

/** A text of the help, by its key or by what says it: it is said when it is shown. */
export type Words = PlainKey | (() => string)

export function said(words: Words): string {
  return typeof words === 'string' ? say(words) : words()
}

/** An argument, or the value of an option. */
export interface Value<T> {
  help: Words
  /** shown in the help; '' for an option that is there or not */
  placeholder: string
  required: boolean
  /** several may be given */
  many: boolean
  /** typed as `--no-name`, and true where it is not given */
  negated?: boolean
  fallback?: T
  /** the values that there are, where they are few; of the families, by a function that is asked when the command is */
  choices?: readonly string[] | ((registry: Registry) => readonly string[])
  /** @throws InvalidArgumentError */
  parse?(text: string, before?: unknown): unknown
}

type Values = Readonly<Record<string, Value<any>>>
export type Given<V extends Values> = { [K in keyof V]: V[K] extends Value<infer T> ? T : never }

export interface Command {
  /** as it is typed, word by word: `slice add` */
  name: readonly [first: string, second?: string]
  help: Words
  /** in their order */
  arguments: Values
  options: Values
  /** false for a command that answers with no report */
  json: boolean
  run(given: Record<string, unknown>, context: CommandContext): Promise<Answer | undefined>
}

interface Declared<A extends Values, O extends Values> {
  name: Command['name']
  help: Words
  arguments: A
  options?: O
  json?: boolean
  run(given: Given<A> & Given<O>, context: CommandContext): Promise<Answer | undefined>
}

export function command<A extends Values, O extends Values = Record<never, never>>(declared: Declared<A, O>): Command {
  return {
    ...declared,
    options: declared.options ?? {},
    json: declared.json ?? true,
    run: (given, context) => declared.run(given as Given<A> & Given<O>, context),
  }
}

/** Progress of a large write, and what stops it. */
export function watchOf({ signal, progress }: CommandContext): ArchiveWatch {
  return {
    signal: signal(),
    onProgress: (done, all, pass) => progress.show(say(pass === 'write' ? 'archiveEdits.copying' : 'archiveEdits.reading', { done, all })),
  }
}

// --- values ---------------------------------------------------------------------------------------------------

export function text(placeholder: string, help: Words): Value<string | undefined> {
  return { help, placeholder, required: false, many: false }
}

export function flag(help: Words): Value<boolean | undefined> {
  return { help, placeholder: '', required: false, many: false }
}

export function unless(help: Words): Value<boolean> {
  return { help, placeholder: '', required: false, many: false, negated: true }
}

export function number(placeholder: string, help: Words, limits?: { least: number; most: number; what: Words }): Value<number | undefined> {
  return {
    ...text(placeholder, help),
    parse(given) {
      const value = Number(given)
      if (given.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError(say('commandLine.noNumber'))
      if (limits && (value < limits.least || value > limits.most))
        throw new InvalidArgumentError(
          say('commandLine.outOfRange', { value, unit: said(limits.what), least: limits.least, most: limits.most }),
        )
      return value
    },
  } as Value<number | undefined>
}

export function whole(placeholder: string, help: Words): Value<number | undefined> {
  return {
    ...text(placeholder, help),
    parse(given) {
      if (!/^\d{1,9}$/.test(given)) throw new InvalidArgumentError(say('commandLine.noWholeNumber'))
      return Number(given)
    },
  } as Value<number | undefined>
}

export function choice<T extends string>(placeholder: string, help: Words, values: readonly T[]): Value<T | undefined> {
  return { ...text(placeholder, help), choices: values } as Value<T | undefined>
}

/** Several values out of a few words, separated by commas. */
export function words<T extends string>(placeholder: string, help: Words, values: readonly T[]): Value<T[] | undefined> {
  return {
    ...text(placeholder, () => say('commandLine.oneOf', { help: said(help), values: values.join(', ') })),
    parse(given) {
      const parts = given.split(',').map((part) => part.trim())
      const wrong = parts.find((part) => !(values as readonly string[]).includes(part))
      if (wrong !== undefined)
        throw new InvalidArgumentError(say('commandLine.noneOf', { value: wrong || say('commandLine.nothing'), values: values.join(', ') }))
      return parts
    },
  } as Value<T[] | undefined>
}

/** Rules by their ids, separated by commas; several such options fill one choice. */
export function rules(part: keyof RuleChoice, help: Words): Value<RuleChoice | undefined> {
  return {
    ...text('rule,...', help),
    parse(given, before) {
      const choice = (typeof before === 'object' ? before : {}) as RuleChoice
      return { ...choice, [part]: [...(choice[part] ?? []), ...given.split(',').map((id) => id.trim())] }
    },
  } as Value<RuleChoice | undefined>
}

export function required<T>(value: Value<T | undefined>): Value<T> {
  return { ...value, required: true }
}

export function withDefault<T>(value: Value<T | undefined>, fallback: T): Value<T> {
  return { ...value, fallback }
}

/** At least one of them where it is required. */
export function several<T>(value: Value<T>): Value<Exclude<T, undefined>[] | Extract<T, undefined>> {
  return { ...value, many: true } as unknown as Value<Exclude<T, undefined>[] | Extract<T, undefined>>
}

// --- what several commands have --------------------------------------------------------------------------------

export const MODEL = required(text('model', 'commandLine.model'))
export const PATHS = several(required(text('path', 'commandLine.paths')))

/** Of every command that writes the game's files. */
export const WRITE = {
  replaceReadOnly: flag('commandLine.replaceReadOnly'),
  mod: text('folder', 'commandLine.mod.folder'),
  game: text('folder', 'commandLine.mod.game'),
  loose: flag('commandLine.mod.loose'),
}

/** Of every command that writes files of a model, which may stand in an image of a disc. */
export const SAVE = { ...WRITE, out: text('file', 'commandLine.saveOut') }
