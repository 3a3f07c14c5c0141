/** New bodies of members, by the archives that they stand in: archives in archives become new members of the one around them. */
import { FormatError } from '../binary/format-error.ts'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { materialise, peerSource } from './archive-files.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import { say } from '../../shared/texts/say.ts'

export interface ArchiveWork {
  ref: string
  /** member number -> new bytes */
  replacements: Map<number, Uint8Array>
}

/**
 * @param members what they hold from now on, by reference
 * @param stays whether an archive is written as it is, and not held in memory as a member of the one around it
 * @throws FormatError not-found
 */
export function workOf(
  store: FileStore,
  members: Iterable<readonly [ref: string, bytes: Uint8Array]>,
  stays: (archive: OpenArchive) => boolean,
): ArchiveWork[] {
  const work = new Map<string, ArchiveWork>()
  const put = (member: string, bytes: Uint8Array): void => {
    const container = store.container(member)
    const archive = container === undefined ? undefined : store.openArchive(container)
    const number = archive?.members.byKey(member.slice(archive.ref.length + MEMBER_SEPARATOR.length))?.index
    if (!archive || number === undefined) throw new FormatError('not-found', say('saving.noSuchMember'), { file: member })
    let entry = work.get(archive.ref)
    if (!entry) work.set(archive.ref, (entry = { ref: archive.ref, replacements: new Map() }))
    entry.replacements.set(number, bytes)
  }
  for (const [ref, bytes] of members) put(ref, bytes)
  // innermost first
  for (;;) {
    const inner = [...work.values()]
      .filter(({ ref }) => !stays(store.openArchive(ref)!))
      .sort((a, b) => depth(store, b.ref) - depth(store, a.ref))[0]
    if (!inner) return [...work.values()]
    work.delete(inner.ref)
    const open = store.openArchive(inner.ref)!
    const { data, directory, peers = [] } = open.format.replace(open.index, inner.replacements)
    if (directory) {
      put(open.ref, materialise(directory, open.source))
      put(open.dataRef, materialise(data, open.data))
      for (const peer of peers) put(peer.ref, materialise(peer.segments, peerSource(open, peer.ref)))
    } else put(open.ref, materialise(data, open.source))
  }
}

function depth(store: FileStore, ref: string): number {
  let n = 0
  for (let at = store.container(ref); at !== undefined; at = store.container(at)) n++
  return n
}
