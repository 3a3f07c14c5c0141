/** The files that a mod changed: in a mod folder, or in place beside their kept originals. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { expectBeside } from '../files/mod-folder.ts'
import { isInside } from '../files/store.ts'
import type { FileStore } from '../files/store.ts'
import { isThere, sweepFolder } from '../files/temporaries.ts'
import { walk } from '../files/walk.ts'
import { firstDifference } from '../formats/format.ts'
import { commonArchives } from '../formats/zip/family.ts'
import type { Settings } from '../../shared/api/settings.ts'
import { extensionOf, MEMBER_SEPARATOR } from '../../shared/ref.ts'
import type { OpenArchive } from '../files/places.ts'
import { loosePlaces } from './mod-copies.ts'
import { hashFile } from './originals.ts'
import type { Originals } from './originals.ts'

/** A file on disk that a mod changed: the game's own, and what it became. */
export interface ChangedPair {
  /** below the game's folder, with `/` */
  path: string
  /** '' for a file that the game does not have */
  original: string
  now: string
  /** of a file of its own that the game takes in place of a member: that member */
  member?: MemberOrigin
}

export interface MemberOrigin {
  /** of the game */
  ref: string
  /** its archive, below the game's folder, and its name in it as in references */
  archive: string
  key: string
  /** the archive is an image of a disc, and the name one that leads to an archive in it */
  image?: true
}

/** What the mod is on disk, wherever the user saves to. A mod folder that is not there yet has nothing. */
export async function changedFiles(
  store: FileStore,
  root: string,
  { saveMode, modFolder }: Pick<Settings, 'saveMode' | 'modFolder'>,
  originals: Originals,
): Promise<ChangedPair[]> {
  if (saveMode !== 'mod-folder') return changedInPlace(root, originals)
  return existsSync(modFolder) ? changedInModFolder(store, root, modFolder) : []
}

/** Files of a mod folder that differ from those of the game, or from the members that they stand for. */
export async function changedInModFolder(store: FileStore, root: string, modFolder: string): Promise<ChangedPair[]> {
  const found: ChangedPair[] = []
  expectBeside(root, modFolder)
  const alone: ChangedPair[] = []
  for (const { path, size } of walk(modFolder, undefined, sweepFolder)) {
    const steps = relative(modFolder, path).split(sep).join('/')
    const original = join(root, steps)
    const there = await stat(original).catch(() => undefined)
    if (there?.isFile() && there.size === size && (await hashFile(original)) === (await hashFile(path))) continue
    const pair = { path: steps, original: there?.isFile() ? original : '', now: path }
    found.push(pair)
    if (!pair.original) alone.push(pair)
  }
  const origins = alone.length > 0 ? await looseOrigins(store, root, modFolder, new Set(alone.map(({ path }) => path))) : undefined
  return found.flatMap((pair) => {
    const member = origins?.get(pair.path)
    if (!member) return pair
    return firstDifference(store.read(member.ref), store.read(pair.now)) < 0 ? [] : { ...pair, member }
  })
}

/** The members that files of a mod folder are in the place of. The game's archives are gone through: such a file says by its name alone what it is. */
async function looseOrigins(
  store: FileStore,
  root: string,
  modFolder: string,
  paths: ReadonlySet<string>,
): Promise<Map<string, MemberOrigin>> {
  const found = new Map<string, MemberOrigin>()
  const families = store.registry.families.filter(({ loose }) => loose?.place)
  const kinds = [...families.flatMap(({ archives }) => archives), ...commonArchives.filter(({ replaceFiles }) => replaceFiles)]
  const endings = new Set(kinds.flatMap(({ extensions }) => extensions))
  for (const { path } of existsSync(root) ? walk(root) : []) {
    if (!endings.has(extensionOf(path))) continue
    const archive = relative(root, path).split(sep).join('/')
    for (const open of archivesAt(store, path)) {
      const places = loosePlaces(store, open, root, modFolder)
      for (const member of open.members)
        for (const place of places(member))
          if (paths.has(place) && !found.has(place))
            found.set(place, {
              ref: member.ref,
              archive,
              key: member.ref.slice(path.length + MEMBER_SEPARATOR.length),
              ...(open.ref !== path && { image: true as const }),
            })
      await breathe()
    }
    if (found.size === paths.size) break
    await breathe()
  }
  return found
}

/** An archive on disk, or those that stand in an image of a disc. One that cannot be read explains nothing. */
function* archivesAt(store: FileStore, path: string): Generator<OpenArchive> {
  const opened = (ref: string): OpenArchive | undefined => {
    try {
      return store.openArchive(ref)
    } catch {
      return undefined
    }
  }
  const open = opened(path)
  if (!open) return
  if (!open.format.replaceFiles) yield open
  else
    for (const { ref } of open.members) {
      const inner = opened(ref)
      if (inner?.leader === '') yield inner
    }
}

/** Files below the game's folder that are not their kept originals any more. */
export async function changedInPlace(root: string, originals: Originals): Promise<ChangedPair[]> {
  const found: ChangedPair[] = []
  for (const entry of await originals.list()) {
    if (!isInside(root, entry.target) || !isThere(entry.target)) continue
    // what cannot be told is not left out without a word: this says which file it is
    if (entry.lost) await originals.pathOf(entry.target)
    const [first] = entry.kept
    if (!first && !entry.created) continue
    if (first && (await hashFile(entry.target)) === first.hash) continue
    const original = first ? await originals.pathOf(entry.target) : ''
    found.push({ path: relative(root, entry.target).split(sep).join('/'), original: original ?? '', now: entry.target })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}
