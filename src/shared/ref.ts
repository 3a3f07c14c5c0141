/**
 * File references: an absolute path on disk, or `archive!member` (nested: `archive!pack!member`).
 * Members are named as their archive has them with `\` turned into `/`; of several members with one name the one that the game reads
 * has it as it is, the others get `~2`, `~3` ... behind it. A `!` may also stand in a file's own name (`!patch.big`): the file store decides by what is on disk.
 */
export const MEMBER_SEPARATOR = '!'

export function memberKey(name: string, duplicate: number): string {
  const key = name.replaceAll('\\', '/')
  return duplicate > 0 ? `${key}~${duplicate + 1}` : key
}

export function memberRef(archive: string, key: string): string {
  return `${archive}${MEMBER_SEPARATOR}${key}`
}

/** `/`, `\` and `!` */
const isSeparator = (code: number): boolean => code === 0x2f || code === 0x5c || code === 0x21

const DOT = 0x2e

/** Last part of a reference, for display. */
export function baseName(ref: string): string {
  let start = ref.length
  while (start > 0 && !isSeparator(ref.charCodeAt(start - 1))) start--
  return ref.slice(start)
}

/** What the last part stands in: a folder, an archive, a folder inside of one. '' above the top. By the name alone: what is on disk, the file store knows. */
export function folderOf(ref: string): string {
  return ref.slice(0, Math.max(0, ref.length - baseName(ref).length - 1))
}

/** All parts, outermost first: folders, archives, the file itself. */
export function partsOf(ref: string): string[] {
  return ref.split(/[/\\!]+/).filter(Boolean)
}

/** Last part without its last extension, as it is written. */
export function withoutExtension(name: string): string {
  const base = baseName(name)
  const dot = base.lastIndexOf('.')
  return dot > 0 ? base.slice(0, dot) : base
}

/** Name without its last extension, lower case: what binders compare. */
export function stemOf(name: string): string {
  return withoutExtension(name).toLowerCase()
}

/** Extension in lower case without the dot, '' for none. From the end and no further than needed: a dozen formats ask for it with each file of a scan. */
export function extensionOf(name: string): string {
  for (let at = name.length - 1; at > 0; at--) {
    const code = name.charCodeAt(at)
    if (isSeparator(code)) return ''
    if (code === DOT) return isSeparator(name.charCodeAt(at - 1)) ? '' : name.slice(at + 1).toLowerCase()
  }
  return ''
}
