/**
 * A language for tests, made from English: letters with accents, 40 % longer, brackets around each text. What is not in the catalogue has no
 * brackets, what is cut lacks one, and what is too tight for other languages overlaps.
 */

const ACCENTS: Readonly<Record<string, string>> = {
  A: 'Å',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Î',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ö',
  P: 'Þ',
  Q: 'Ɋ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
  a: 'å',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ṁ',
  n: 'ñ',
  o: 'ö',
  p: 'þ',
  q: 'ɋ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
}

/** What stands around a text of the pseudo-language. */
export const BRACKETS = ['⟦', '⟧'] as const

/** How much longer a text is than in English. */
const LONGER = 0.4

const LETTERS = /\p{L}/gu
/** Parameters and literals of a message: they stay. */
const PARAMETER = /(\{[^}]*\})/

/** A text of the catalogue in the pseudo-language; each form of a plural by itself. */
export function pseudo(text: string): string {
  return text
    .split(' | ')
    .map((form) => `${BRACKETS[0]}${longer(form)}${BRACKETS[1]}`)
    .join(' | ')
}

/** Each vowel stands twice, then each letter, from the start on, until the text is as much longer as it should be. */
function longer(text: string): string {
  const parts = text.split(PARAMETER)
  const letters =
    parts
      .filter((_, i) => i % 2 === 0)
      .join('')
      .match(LETTERS) ?? []
  let left = Math.ceil(letters.length * LONGER)
  const vowels = letters.filter((letter) => /[aeiou]/i.test(letter)).length
  let others = Math.max(0, left - vowels)
  return parts
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replace(LETTERS, (letter) => {
            const accented = ACCENTS[letter] ?? letter
            const vowel = /[aeiou]/i.test(letter)
            if (left === 0 || (!vowel && others === 0)) return accented
            left--
            if (!vowel) others--
            return accented + accented.toLowerCase()
          }),
    )
    .join('')
}
