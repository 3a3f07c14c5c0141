/** Left and right by the names of bones: which bone is the other side of which. */

/**
 * Ways in which names tell the sides apart, surest first. A name that fits counts only where the other one exists too, so that
 * the last ones (a bare first or last letter: `LTHIGH`, `UARML`) do no harm.
 */
const WAYS: ((name: string) => string[])[] = [
  (name) => swapEach(name, /left|right/gi, (s) => (/^left$/i.test(s) ? like(s, 'right') : like(s, 'left'))),
  (name) => swapEach(name, /[左右]/g, (s) => (s === '左' ? '右' : '左')),
  (name) => swapEach(name, /(?<![a-z0-9])[lr](?![a-z0-9])/gi, other),
  (name) => swapEach(name, /(?<![a-z0-9])(?:lt|rt|lf)(?![a-z0-9])/gi, (s) => (/^r/i.test(s) ? like(s, 'lt') : like(s, 'rt'))),
  (name) => swapEach(name, /(?<=[a-z0-9])[LR](?![a-z])|(?<![A-Za-z])[lr](?=[A-Z])/g, other),
  (name) => swapEach(name, /(?<![a-z0-9])[lr]|[lr](?![a-z0-9])/gi, other),
]

/** `LEFT` for `RIGHT`, `Left` for `Right`. */
function like(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase()
  return model[0] === model[0].toUpperCase() ? word[0].toUpperCase() + word.slice(1) : word
}

function other(letter: string): string {
  return { l: 'r', r: 'l', L: 'R', R: 'L' }[letter] ?? letter
}

/** The name with one place swapped, once for each place; and with all of them. */
function swapEach(name: string, places: RegExp, swap: (found: string) => string): string[] {
  const found = [...name.matchAll(places)]
  const one = found.map((m) => name.slice(0, m.index) + swap(m[0]) + name.slice(m.index + m[0].length))
  return found.length > 1 ? [name.replace(places, swap), ...one] : one
}

/**
 * The other side of each name: its index in the list, or its own where there is none (spine, head, a lone sword). Pairs are mutual.
 * Case does not count; of several bones with one name the first is taken.
 */
export function mirrorNames(names: readonly string[]): Int32Array {
  const at = new Map<string, number>()
  for (let i = names.length - 1; i >= 0; i--) at.set(names[i].trim().toLowerCase(), i)
  const out = Int32Array.from(names, (_, i) => i)
  for (const way of WAYS) {
    for (let i = 0; i < names.length; i++) {
      if (out[i] !== i) continue
      for (const candidate of way(names[i].trim())) {
        const j = at.get(candidate.toLowerCase())
        if (j === undefined || j === i || out[j] !== j) continue
        out[i] = j
        out[j] = i
        break
      }
    }
  }
  return out
}

/** Whether the name, seen alone, says left or right. */
export function sideOfName(name: string): 'left' | 'right' | null {
  if (/left|左|(?<![a-z0-9])(?:l|lt|lf)(?![a-z0-9])/i.test(name)) return 'left'
  return /right|右|(?<![a-z0-9])(?:r|rt)(?![a-z0-9])/i.test(name) ? 'right' : null
}
