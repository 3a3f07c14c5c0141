/** What a name that is not there may have been meant as. */
import leven from 'leven'

/** How many are named. */
const MOST = 8

/** The names that there are, as a list: those first that are most like the one that was asked for. */
export function likeNames(wanted: string, names: Iterable<string>): string {
  const asked = wanted.toLowerCase()
  const there = [...new Set(names)].filter((name) => name !== '')
  const found = there.map((name) => ({ name, off: unlike(asked, name.toLowerCase()) })).sort((a, b) => a.off - b.off)
  const shown = found.slice(0, MOST).map(({ name }) => name)
  return [...shown, ...(found.length > MOST ? ['…'] : [])].join(', ')
}

/** 0 for the same, 1 for nothing in common; where one is a part of the other less than for any letter that is another one. */
function unlike(a: string, b: string): number {
  const most = Math.max(a.length, b.length)
  if (most === 0) return 0
  if (a !== '' && b !== '' && (a.includes(b) || b.includes(a))) return (most - Math.min(a.length, b.length)) / (most * most)
  return leven(a, b) / most
}
