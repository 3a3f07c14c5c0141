/** The folders of a library as a tree: those on disk, archives, folders inside of archives; with how much stands below each. */
import { sep } from 'node:path'
import { nameKey } from '../files/paths.ts'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import type { LibraryFolder } from '../../shared/api/types/library.ts'

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

interface Folder {
  /** undefined where nothing that is shown stands in it by itself */
  id: number | undefined
  name: string
  place: string
  archive: boolean
  count: number
  children: Map<string, Folder>
}

/** Folders without anything that is shown are not in it, but for one that is lent to it. */
export class FolderTree {
  private root: Folder = { id: undefined, name: '', place: '', archive: false, count: 0, children: new Map() }

  constructor(folders: Iterable<{ id: number; place: string; count: number; archive: boolean }>) {
    for (const folder of folders) this.add(folder)
  }

  /** The folders in one, by name; none where there is no such folder. */
  children(place: string): LibraryFolder[] {
    return [...(this.at(place)?.children.values() ?? [])]
      .sort((a, b) => names.compare(a.name, b.name))
      .map(({ name, place: own, archive, count, children }) => ({ name, place: own, archive, count, folders: children.size }))
  }

  /** Ids of a folder and of all below it; none where there is no such folder. */
  below(place: string): number[] {
    const ids: number[] = []
    const left = [this.at(place)]
    for (let folder = left.pop(); folder; folder = left.pop()) {
      if (folder.id !== undefined) ids.push(folder.id)
      left.push(...folder.children.values())
    }
    return ids
  }

  /** The same folders with other numbers, those that have something now. @param counts of what stands in a folder by itself, by its id */
  narrowed(counts: ReadonlyMap<number, number>): FolderTree {
    const copy = (folder: Folder): Folder => {
      const own = folder.id === undefined ? 0 : (counts.get(folder.id) ?? 0)
      const children = [...folder.children].map(([key, child]) => [key, copy(child)] as const).filter(([, { count }]) => count > 0)
      const count = children.reduce((sum, [, child]) => sum + child.count, own)
      return { ...folder, id: own > 0 ? folder.id : undefined, count, children: new Map(children) }
    }
    const tree = new FolderTree([])
    tree.root = copy(this.root)
    return tree
  }

  /** Puts a folder of this tree into another, with nothing in it there unless that has some of it. */
  lend(place: string, to: FolderTree): void {
    const own = this.at(place)
    if (own) to.add({ ...own, count: 0 })
  }

  private add({ id, place, count, archive }: Pick<Folder, 'id' | 'place' | 'count' | 'archive'>): void {
    let folder = this.root
    folder.count += count
    for (const part of partsOf(place)) {
      let next = folder.children.get(part.place)
      if (!next) folder.children.set(part.place, (next = { ...part, id: undefined, count: 0, children: new Map() }))
      next.count += count
      folder = next
    }
    folder.id ??= id
    folder.archive ||= archive
  }

  private at(place: string): Folder | undefined {
    let folder: Folder | undefined = this.root
    for (const part of partsOf(place)) folder = folder?.children.get(part.place)
    return folder
  }
}

/**
 * The folders in one, and those of the user's list of left-out ones at their places, with the folders that lead to them.
 * @param foldersIn a place
 */
export function withLeftOut(foldersIn: (place: string) => LibraryFolder[], place: string, leftOut: readonly string[]): LibraryFolder[] {
  const way = place === '' ? [] : place.split(sep).map((step) => nameKey(step))
  const below = leftOut
    .map((each) => each.split('/'))
    .filter((steps) => way.every((step, i) => i < steps.length - 1 && step === nameKey(steps[i])))
  const folders = foldersIn(place)
  if (below.length === 0) return folders
  const found = new Map(folders.map((folder) => [nameKey(folder.name), folder]))
  for (const steps of below) {
    const name = steps[way.length]
    const folder = found.get(nameKey(name)) ?? {
      name,
      place: place === '' ? name : place + sep + name,
      archive: false,
      count: 0,
      folders: 0,
    }
    if (steps.length === way.length + 1) found.set(nameKey(name), { ...folder, folders: 0, leftOut: true })
    else if (!folder.leftOut) found.set(nameKey(name), { ...folder, folders: withLeftOut(foldersIn, folder.place, leftOut).length })
  }
  return [...found.values()].sort((a, b) => names.compare(a.name, b.name))
}

/** Outermost first. A name may have a `!` of its own (`!patch.big`): only one behind something parts an archive from its members. */
function partsOf(place: string): { name: string; place: string; archive: boolean }[] {
  const parts: { name: string; place: string; archive: boolean }[] = []
  let from = 0
  for (let at = 0; at <= place.length; at++) {
    const end = at === place.length
    const separator = !end && (place[at] === '/' || place[at] === '\\' || (place[at] === MEMBER_SEPARATOR && at > from))
    if (!end && !separator) continue
    if (at > from) parts.push({ name: place.slice(from, at), place: place.slice(0, at), archive: place[at] === MEMBER_SEPARATOR })
    from = at + 1
  }
  return parts
}
