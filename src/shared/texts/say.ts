/**
 * The words of the application, in window, services and command line alike: `say('welcome.open')`, `say('units.files', { count: 3 })`.
 *
 * A process speaks one language, which its start chooses (`setLocale`) before anything is said; the window is loaded again for another one.
 * So a text is said where it is shown, never while a module loads: tables hold keys (lint finds a breach).
 *
 * Every process has the texts of main. Those of the window are more than the command line should read at each start: the window brings them.
 * Each family of formats has its own, which nobody else says: `speaker`.
 */
import { compile, createMessageContext, type MessageFunctionInternal } from '@intlify/core-base'
import { main } from './en/main.ts'
import { pseudo } from './pseudo.ts'
import type { PlainKey, Speaker, TextKey, TextTree, Told, Words } from './texts.ts'

/** Languages with a catalogue; `en-XA` is for tests of the window's layout: see pseudo.ts. */
const LOCALES = ['en', 'en-XA'] as const
export type Locale = (typeof LOCALES)[number]

interface Language {
  readonly locale: Locale
  /** made with the first text of them that is said, when all are known */
  readonly texts: Map<readonly TextTree[], ReadonlyMap<string, string>>
  /** by text: the library's own cache looks at the environment of the process at each look-up */
  readonly messages: Map<string, MessageFunctionInternal<any>>
  /** by text: its forms with their places, null for one that only the library reads */
  readonly forms: Map<string, readonly (readonly Place[])[] | null>
  /** by what is counted, `bones`: a number with its word */
  readonly counted: Map<string, (n: number) => string>
  /** made when a number is written or chooses a form: a start without either does not wait for them */
  numberOf?: (n: number) => string
  formOf?: (count: number) => number
}

/** CLDR's order of plural categories: a text has its forms in it. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** Every text by its whole key. */
export function flatten(tree: TextTree, prefix = '', into = new Map<string, string>()): Map<string, string> {
  for (const [name, at] of Object.entries(tree)) {
    if (typeof at === 'string') into.set(prefix + name, at)
    else flatten(at, `${prefix}${name}.`, into)
  }
  return into
}

const known: TextTree[] = [main]

const spokenAs = (locale: Locale): Language => ({ locale, texts: new Map(), messages: new Map(), forms: new Map(), counted: new Map() })

let spoken: Language = spokenAs('en')

function textsSpoken(trees: readonly TextTree[] = known): ReadonlyMap<string, string> {
  const made = spoken.texts.get(trees)
  if (made) return made
  const texts = new Map<string, string>()
  for (const tree of trees) flatten(tree, '', texts)
  if (spoken.locale === 'en-XA') for (const [key, text] of texts) texts.set(key, pseudo(text))
  spoken.texts.set(trees, texts)
  return texts
}

/** The language of this process. Called once, at its start. */
export function setLocale(locale: Locale): void {
  if (locale !== spoken.locale) spoken = spokenAs(locale)
}

export function locale(): Locale {
  return spoken.locale
}

/** More texts, for a process that says them too. Called at its start. */
export function learn(texts: TextTree): void {
  known.push(texts)
  spoken.texts.delete(known)
}

/** The language that a host or an address asks for, if there is a catalogue for it. */
export function localeOf(asked: string | null | undefined): Locale {
  return LOCALES.find((locale) => locale === asked) ?? 'en'
}

/** A number with the groups of the language: 12,345. */
export function sayCount(n: number): string {
  if (!spoken.numberOf) {
    const numbers = new Intl.NumberFormat(spoken.locale)
    spoken.numberOf = keptOf((n) => numbers.format(n))
  }
  return spoken.numberOf(n)
}

/** Whole numbers below this are nearly all that are said. */
const SMALL = 1000

/** What the system says of a small number is asked once: a scan has numbers of each file said, which takes microseconds each. */
function keptOf<T>(of: (n: number) => T): (n: number) => T {
  const small: T[] = []
  return (n) => (Number.isInteger(n) && n >= 0 && n < SMALL ? (small[n] ??= of(n)) : of(n))
}

/** `red, green, and blue`, as the language joins words. */
export function sayList(words: readonly string[]): string {
  return new Intl.ListFormat(spoken.locale).format(words)
}

/** Whether a key that was put together has a text. */
export function isText(key: string): key is PlainKey {
  return textsSpoken().has(key)
}

/** The text of `key`, with what it is told in its places. */
export function say<Key extends TextKey>(key: Key, ...[told]: Told<Key>): string {
  return spell(key, told)
}

/**
 * The `say` of a part that brings its own texts, a family of formats: it says those, and the ones that all of main has. Nobody else can say them,
 * so that its areas may be named as those of another part.
 */
export function speaker<Tree extends TextTree>(texts: Tree): Speaker<Tree> {
  const own = [texts]
  // of no type: the compiler would compare all keys of all texts with each other
  const sayOwn: unknown = (key: string, told?: Readonly<Record<string, string | number>>): string =>
    spell(key, told, textsSpoken(own).get(key))
  return sayOwn as Speaker<Tree>
}

/** What a table holds, said now. */
export function wordsOf(words: Words): string {
  return typeof words === 'function' ? words() : words
}

/** Words, or the name of what stands between them. */
interface Piece {
  text: string
  slot?: string
}

/** The pieces of a text whose parameters are no texts but parts of a page, in their order. */
export function sayParts(key: TextKey): Piece[] {
  const text = textsSpoken().get(key)
  if (text === undefined) return [{ text: key }]
  const context = createMessageContext<Piece>({
    processor: { type: 'pieces', normalize: (values) => values.map((value) => (typeof value === 'string' ? { text: value } : value)) },
  })
  const slots = { named: (name: unknown) => name, interpolate: (name: unknown) => ({ text: '', slot: String(name) }) }
  return messageOf<Piece>(key, text)({ ...context, ...slots })
}

/** A number with what it counts: `{size:bytes}`, in a form of its own. */
const COUNTED = /\{(\w+):(\w+)\}/g

/** Words, and where they end what is told stands: the name of it, and what it counts. */
interface Place extends Piece {
  what?: string
}

/** A number that says what it counts. @param within the text that it stands in: of a report all numbers are written as they are */
function sayCounted(what: string, value: string | number, within: string): string {
  if (typeof value !== 'number' || within.includes('{n}')) return spell(`counted.${what}`, { count: String(value) })
  let of = spoken.counted.get(what)
  if (!of) spoken.counted.set(what, (of = keptOf((count) => spell(`counted.${what}`, { count }))))
  return of(value)
}

/** A key without a text is shown as it is: a word too few stops nobody's work. */
function spell(key: string, told: Readonly<Record<string, string | number>> = {}, whole = textsSpoken().get(key)): string {
  if (whole === undefined) return key
  return spelledOut(whole, told) ?? byLibrary(key, whole, told)
}

/** A text of places and forms alone, which nearly all are. */
const PLAIN = /^(?:[^{}|@\\]|\{[a-zA-Z_]\w*\}|(?<=\S) \| (?=\S))*$/

/**
 * A plain text with what it is told: hundreds are said for a screen, and the library makes surroundings of a dozen functions for each of them.
 * Undefined for any other, and where it is told too little.
 */
function spelledOut(text: string, told: Readonly<Record<string, string | number>>): string | undefined {
  let forms = spoken.forms.get(text)
  if (forms === undefined) spoken.forms.set(text, (forms = formsOf(text)))
  const { count, n } = told
  const form = forms && (forms.length === 1 ? forms[0] : forms[formOf(Number(count ?? n))])
  if (!form) return undefined
  let out = ''
  for (const { text: words, slot, what } of form) {
    out += words
    if (slot === undefined) continue
    const value = told[slot]
    if (value === undefined) return undefined
    if (what !== undefined) out += sayCounted(what, value, text)
    else out += slot === 'count' && typeof value === 'number' ? sayCount(value) : value
  }
  return out
}

function formsOf(text: string): Place[][] | null {
  if (!PLAIN.test(text.replaceAll(COUNTED, '{$1}'))) return null
  return text.split(' | ').map((form) => {
    // words, a name, what it counts, words
    const parts = form.split(/\{(\w+)(?::(\w+))?\}/) as (string | undefined)[]
    return Array.from({ length: (parts.length + 2) / 3 }, (_, i) => ({
      text: parts[3 * i]!,
      slot: parts[3 * i + 1],
      what: parts[3 * i + 2],
    }))
  })
}

function byLibrary(key: string, whole: string, given: Readonly<Record<string, string | number>>): string {
  const told = { ...given }
  // the library knows no number with its word: it is told as a parameter of its own
  const text = whole.replaceAll(COUNTED, (_, name: string, what: string) => {
    if (name in given) told[`${name}_${what}`] = sayCounted(what, given[name], whole)
    return `{${name}_${what}}`
  })
  const { count, n } = told
  const context = createMessageContext({
    locale: spoken.locale,
    named: typeof count === 'number' ? { ...told, count: sayCount(count) } : told,
    pluralIndex: Number(count ?? n),
    // the library would ask for n where both are told: count is written in groups, and no number to it
    pluralRules: { [spoken.locale]: () => formOf(Number(count ?? n)) },
  })
  return messageOf<string>(key, text)(context)
}

/**
 * The text as a function of what it is told. The library keeps what it has read, as a tree that it walks: it makes no code of a text, which the
 * window's content security policy forbids.
 */
function messageOf<T>(key: string, text: string): MessageFunctionInternal<T> {
  const known = spoken.messages.get(text)
  if (known) return known
  const message = compile<T>(text, { locale: spoken.locale, key, warnHtmlMessage: false })
  spoken.messages.set(text, message)
  return message
}

/** Which of a text's forms a number takes, in the order of CLDR's categories. */
function formOf(count: number): number {
  if (!spoken.formOf) {
    const plurals = new Intl.PluralRules(spoken.locale)
    const forms = CATEGORIES.filter((category) => plurals.resolvedOptions().pluralCategories.includes(category))
    spoken.formOf = keptOf((n) => forms.indexOf(plurals.select(n)))
  }
  return spoken.formOf(count)
}
