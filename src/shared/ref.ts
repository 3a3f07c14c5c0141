/**
 * File references: an absolute path on disk, or `archive!member` (nested: `archive!pack!member`).
 * Members are named as their archive has them with `\` turned into `/`; the second and later of several members with one
 * name get `~2`, `~3` ... behind it. A `!` may also stand in a file's own name (`!patch.big`): the file store decides by what is on disk.
 */
export const MEMBER_SEPARATOR = '!'

export function memberKey(name: string, duplicate: number): string {
  const key = name.replaceAll('\\', '/')
  return duplicate > 0 ? `${key}~${duplicate + 1}` : key
}

export function memberRef(archive: string, key: string): string {
  return `${archive}${MEMBER_SEPARATOR}${key}`
}

/** Last part of a reference, for display. */
export function baseName(ref: string): string {
  return ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('\\'), ref.lastIndexOf(MEMBER_SEPARATOR)) + 1)
}

/** Name without its last extension, lower case: what binders compare. */
export function stemOf(name: string): string {
  const base = baseName(name)
  const dot = base.lastIndexOf('.')
  return (dot > 0 ? base.slice(0, dot) : base).toLowerCase()
}

/** Extension in lower case without the dot, '' for none. */
export function extensionOf(name: string): string {
  const base = baseName(name)
  const dot = base.lastIndexOf('.')
  return dot > 0 ? base.slice(dot + 1).toLowerCase() : ''
}
