/** Takes out of texts what says who and where the user is: home folders, user and machine names, folders of games. */

export interface ScrubPlaces {
  homes: readonly string[]
  users: readonly string[]
  machines: readonly string[]
  /** folders by the name that stands for them, e.g. `<library 1>` */
  folders: readonly { path: string; as: string }[]
}

/** Names that nobody is known by, and that are words of the log. */
const NOBODY = new Set(['root', 'user', 'users', 'admin', 'administrator', 'guest', 'node', 'marrow', 'home', 'localhost', 'local'])

export function createScrubber({ homes, users, machines, folders }: ScrubPlaces): (text: string) => string {
  const places = [...folders, ...homes.map((path) => ({ path, as: '~' }))]
    .map(({ path, as }) => ({ steps: path.split(/[\\/]+/).filter((step) => step !== ''), rooted: /^[\\/]/.test(path), as }))
    // a drive or the root itself names nobody, and is part of everything
    .filter(({ steps }) => steps.length > 1 || (steps.length === 1 && !/^[a-z]:$/i.test(steps[0])))
    .sort((a, b) => b.steps.join('/').length - a.steps.join('/').length)
    .map(({ steps, rooted, as }) => ({
      found: new RegExp(`${rooted ? '[\\\\/]+' : ''}${steps.map(written).join('[\\\\/]+')}${END}`, 'giu'),
      as,
    }))
  const words = (names: readonly string[], as: string) =>
    names
      .filter((name) => name !== '' && !NOBODY.has(name.toLowerCase()))
      .map((name) => ({ found: new RegExp(`${START}${written(name)}${END}`, 'giu'), as }))
  const rules = [...places, ...words(users, '<user>'), ...words(machines, '<machine>')]
  return (text) => {
    let out = text
    for (const { found, as } of rules) out = out.replace(found, () => as)
    return out.replace(OTHER_HOMES, '$1<user>')
  }
}

const START = '(?<![\\p{L}\\p{N}_])'
const END = '(?![\\p{L}\\p{N}_])'
/** Home folders of whomever, as far as the next separator; at the end of a path a name goes to the first space. */
const OTHER_HOMES =
  /((?:^|[\\/:])(?:home|users|documents and settings)[\\/]+)(?!<user>)(?:[^\\/"'<>|:*?\r\n]+?(?=[\\/])|[^\\/\s"'<>|:*?]+)/giu

/** A name as it may stand in a text: plain, composed or not, or as in an address. */
function written(name: string): string {
  const forms = new Set([name, name.normalize('NFC'), name.normalize('NFD')])
  for (const form of [...forms]) forms.add(encodeURIComponent(form.toWellFormed()))
  return `(?:${[...forms].map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})`
}
