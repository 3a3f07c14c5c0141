/** Paths in lines that have no room for them: the middle goes, the two ends say most. Whoever shows such a line has the whole in its tip. */

const MOST = 44

/** @param most characters that are left, the ellipsis among them */
export function elidePath(path: string, most = MOST): string {
  if (path.length <= most) return path
  const parts = path.split(/(?<=[\\/!])/)
  // the drive or the first folder, and as many of the last ones as fit; at least the file itself
  const first = parts[0].length === 1 && parts.length > 2 ? parts[0] + parts[1] : parts[0]
  const room = most - first.length - 2
  let tail = ''
  for (const part of parts.reverse()) {
    if (tail !== '' && tail.length + part.length > room) break
    tail = part + tail
  }
  if (tail.length > most - 2) return `${tail.slice(0, Math.ceil(most / 2) - 1)}…${tail.slice(-Math.floor(most / 2))}`
  const separator = /[\\/]/.exec(path)?.[0] ?? '/'
  return first.length + tail.length + 2 <= most ? `${first}…${separator}${tail}` : `…${separator}${tail}`
}

/** Of the file's name, with its archive's, as much as is told apart by. */
const MOST_TAIL = 44

/** Where the part of a path begins that stays when its middle goes: the file's name, as far as that is short. */
export function tailOfPath(path: string): number {
  const at = Math.max(...['/', '\\'].map((separator) => path.lastIndexOf(separator, path.length - 2)))
  return Math.max(at, path.length - MOST_TAIL, 0)
}

/** Where the last two names of a place in a file begin: what it is in, and which field of that. */
export function tailOfPlace(place: string): number {
  return Math.max(0, place.lastIndexOf('.', place.lastIndexOf('.') - 1), place.length - MOST_TAIL)
}

/** Names of fields are paths: they go on in the next line after a dot or a low line, before an index, or with the next word. */
export const breaksOf = (path: string): string[] => path.split(/(?<=[._])|(?=\[)|(?<=[a-z])(?=[A-Z])/)

/** Names up to this long have room in any line. */
const SHORT_NAME = 12
/** Characters of a longer one that stay, from a word's beginning where there is one. */
const NAME_TAIL = { least: 7, most: 14 }

/** Where the end of a name begins that stays when its middle goes; 0 for one that is short. */
export function tailOfName(name: string): number {
  if (name.length <= SHORT_NAME) return 0
  for (let tail = NAME_TAIL.least; tail <= NAME_TAIL.most; tail++) if (/[\s._-]/.test(name[name.length - tail])) return name.length - tail
  // half of a name that is not long; and no half of a character that takes two
  const cut = name.length - NAME_TAIL.least - (name.length > 2 * NAME_TAIL.least + 2 ? 3 : 0)
  return /[\uDC00-\uDFFF]/.test(name[cut]) ? cut - 1 : cut
}

/** Whole paths in running text. A name in the last place ends at a space, since nothing says where else. */
const PATHS = /(?<![^\s"'“(])(?:[A-Za-z]:)?[\\/](?:[^\\/\s"“”]+(?: [^\\/\s"“”]+)*[\\/])+(?:[^\\/\s"“”]*[^\\/\s"“”:,;])?/g

export function elidePaths(text: string, most = MOST): string {
  return text.replace(PATHS, (path) => elidePath(path, most))
}

/** A file's own name with a word behind it. */
export function copyNameOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? ''
  const dot = name.lastIndexOf('.')
  return dot < 0 ? `${name}-copy` : `${name.slice(0, dot)}-copy${name.slice(dot)}`
}
