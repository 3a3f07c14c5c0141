/**
 * Which names a filter means: those that have all its words, in any order and without regard to case. A word with `*` (anything) or `?` (one
 * character) is a pattern of the whole name, or of what stands behind its last slash.
 */
export function nameFilter(text = ''): (name: string) => boolean {
  const words = text.toLowerCase().replaceAll('\\', '/').split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return (name) => {
    const given = name.toLowerCase().replaceAll('\\', '/')
    const last = given.slice(given.lastIndexOf('/') + 1)
    return words.every((word) => (/[*?]/.test(word) ? fits(word, given) || fits(word, last) : given.includes(word)))
  }
}

/** In time that grows with the product of both lengths at most, whatever the pattern is. */
function fits(pattern: string, name: string): boolean {
  let [p, n, star, from] = [0, 0, -1, 0]
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++
      from = n
    } else if (pattern[p] === '?' || pattern[p] === name[n]) {
      p++
      n++
    } else if (star < 0) return false
    else {
      // the last star takes one character more
      p = star + 1
      n = ++from
    }
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
