/**
 * What a text of the catalogue is, to the compiler: its key is the path to it, and the names between braces are what it has to be told.
 *
 * A text is written as in vue-i18n: `{name}` is a parameter, `one | many` are the forms of a plural in the order of CLDR's categories (English:
 * one, other), which `count` or `n` chooses; a brace, a bar or an @ that is meant as such stands as `{'|'}`. A number that chooses no form of the text says what it counts: `{size:bytes}` is
 * written as `counted.bytes` of that many, `{left:number}` without a word, both grouped as the language does it where the text has no `n`.
 */
import type { english } from './en/index.ts'
import type { main } from './en/main.ts'

/** Texts by what they are for: a tree whose leaves are the texts. */
export interface TextTree {
  readonly [name: string]: string | TextTree
}

/** A text that a table holds before its process has chosen a language: a function says it when it is shown. */
export type Words = string | (() => string)

type Paths<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Paths<T[K]>}`
}[keyof T & string]

/** By one name after the other: to look through all of them for each text takes seconds of every program that checks a file. */
type TextAt<T, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof T
    ? TextAt<T[Name], Rest>
    : never
  : Path extends keyof T
    ? T[Path] & string
    : never

type Named<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `'${string}` ? never : Name extends `${infer Number}:${string}` ? Number : Name) | Named<Rest>
  : never

type Own = typeof english

/** Every key of the catalogue: `area.name`. */
export type TextKey = Paths<Own>

/** What a text has to be told, by name; a text of several forms is told `count`. */
export type ParameterOf<Key extends string, Tree = Own> = Key extends string ? Named<TextAt<Tree, Key>> | Chooser<TextAt<Tree, Key>> : never

/** What chooses the form of a text that has several. */
type Chooser<Text extends string> = Text extends `${string} | ${string}` ? (Text extends `${string}{n}${string}` ? 'n' : 'count') : never

/**
 * What stands behind the key where a text is said. `count` is written as the language groups numbers; `n`, for reports of the command line that
 * programs read too, and every number that says not what it counts (a version, a place) are written as they are.
 */
export type Told<Key extends string, Tree = Own> = [ParameterOf<Key, Tree>] extends [never]
  ? []
  : [told: { readonly [Name in ParameterOf<Key, Tree>]: Name extends 'count' | 'n' ? number : string | number }]

/** Keys of texts that need to be told nothing: what a table may hold, to be said when it is shown. */
export type PlainKey = { [Key in TextKey]: [ParameterOf<Key>] extends [never] ? Key : never }[TextKey]

/** Says texts of a part that brings its own, and those that all of main has. */
export type Speaker<Tree extends TextTree> = <Key extends Paths<Tree> | Paths<typeof main>>(
  key: Key,
  ...told: Told<Key, Tree & typeof main>
) => string
