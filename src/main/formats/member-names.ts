/** Members of one name in an archive: each gets its number, and the one that counts has none. */
import { memberKey } from '../../shared/ref.ts'
import type { ArchiveMember } from './archive.ts'

/** @param order members, the one that a search finds first in front of the others of its name */
export function numberDuplicates(order: Iterable<Pick<ArchiveMember, 'name' | 'duplicate'>>): void {
  const seen = new Map<string, number>()
  for (const member of order) {
    const key = memberKey(member.name, 0).toLowerCase()
    member.duplicate = seen.get(key) ?? 0
    seen.set(key, member.duplicate + 1)
  }
}
