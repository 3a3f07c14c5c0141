/** Members of one name in an archive: each gets its number, and the one that counts has none. */
import { memberKey } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import type { ArchiveMember, MemberList } from './archive.ts'
import type { Diagnostics } from './format.ts'

const keyOf = ({ name }: Pick<ArchiveMember, 'name'>): string => memberKey(name, 0).toLowerCase()

/** @param order members, the one that a search finds first in front of the others of its name */
export function numberDuplicates(order: Iterable<Pick<ArchiveMember, 'name' | 'duplicate'>>): void {
  const seen = new Map<string, number>()
  for (const member of order) {
    const key = keyOf(member)
    member.duplicate = seen.get(key) ?? 0
    seen.set(key, member.duplicate + 1)
  }
}

/** Names of which it is said that several members have them. */
const MOST_TOLD = 100

/** Members of one name, as what reads the archive has them. */
export interface Twins {
  name: string
  /** numbers of the members, the one with the plain name first */
  numbers: readonly number[]
  /** whether all of them are the same bytes of the archive */
  alike: boolean
}

/** Several members of one name, in the order of the first of them. Members without any name are none. */
function twinsOf(members: MemberList<ArchiveMember>): Twins[] {
  const groups = new Map<string, number[]>()
  for (const member of members) if (member.duplicate > 0 && member.name) groups.set(keyOf(member), [])
  if (groups.size === 0) return []
  let number = 0
  for (const member of members) {
    groups.get(keyOf(member))?.push(number)
    number++
  }
  return [...groups.values()].map((numbers) => {
    const inOrder = numbers.toSorted((a, b) => members.at(a)!.duplicate - members.at(b)!.duplicate)
    const [first, ...rest] = inOrder.map((i) => members.at(i)!)
    return { name: first.name, numbers: inOrder, alike: rest.every(({ offset, size }) => offset === first.offset && size === first.size) }
  })
}

/** Which of several members of one name the game reads is not known: what an archive says where no source does. */
function anyOfTwins({ name, numbers, alike }: Twins): string {
  const told = { name, count: numbers.length, first: numbers[0] }
  return alike ? say('formats.archives.twinsAlike', told) : say('formats.archives.twins', told)
}

/**
 * Numbers members of one name, and says which names several have. Where they are the same bytes it is a note.
 * @param place of a member's name by its number: its path, and where it stands
 * @param order see numberDuplicates; otherwise the first of a name is found first
 */
export function numberTwins(
  members: MemberList<ArchiveMember>,
  diagnostics: Diagnostics,
  code: string,
  place: (number: number) => [path: string, offset: number],
  { order = members, words = anyOfTwins }: { order?: Iterable<ArchiveMember>; words?: (twins: Twins) => string } = {},
): void {
  numberDuplicates(order)
  for (const twins of twinsOf(members).slice(0, MOST_TOLD))
    diagnostics.add(twins.alike ? 'info' : 'warning', code, words(twins), ...place(twins.numbers[0]))
}
