/**
 * Where files of a library stand that a save wrote, or would write: in place, in the mod folder as below the game's, or as files of their own
 * that the game takes in place of a member (formats/loose.ts). What is loose wins, as it does in the game.
 */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { safeName } from '../files/file-names.ts'
import { isInside } from '../files/store.ts'
import { isThere } from '../files/temporaries.ts'
import { isPortableName } from '../../shared/portable-name.ts'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import type { LoosePlace } from '../formats/loose.ts'
import type { OpenArchive } from '../files/places.ts'
import type { StoreMember } from '../files/store-members.ts'
import type { FileStore } from '../files/store.ts'
import { expectRemovable } from './absent.ts'
import type { OpenFile } from './document-store.ts'
import { say } from '../../shared/texts/say.ts'

/** Where files of a library are saved. */
export interface SavePlace {
  mode: 'in-place' | 'mod-folder'
  /** root of the library; '' for a file that is in none */
  root: string
  /** the mod folder; files stand in it as they do below `root` */
  folder: string
  /** members of archives are saved as files of their own, where the game takes them so */
  loose?: boolean
  /** why nothing can be saved there, '' or absent where it can */
  refused?: string
  /** the copy of the image of a disc that its files are saved into, in place of the mod folder */
  copy?: string
  /** the file stands in an image of a disc that is not Marrow's own copy: nothing is saved before a copy has its place */
  image?: true
}

export interface SaveTarget {
  /** the file or member that is written */
  ref: string
  /** the file on disk that is replaced */
  disk: string
  /** a member, or the archive that it stands in, as a file of its own */
  loose?: true
  /** why the member goes into its archive although it was to be loose */
  why?: string
}

/** A file that is open: where it stood counts when it is gone. */
type KnownFile = Pick<OpenFile, 'ref' | 'source' | 'saved'>

/** The part of a reference behind its file on disk: '' or `!member`. */
function memberPart(store: FileStore, ref: string, known?: KnownFile): { disk: string; rest: string } {
  let disk: string
  try {
    disk = store.diskFile(ref)
  } catch (error) {
    if (toErrorData(error, ref).code !== 'not-found') throw error
    // one that stands in the mod folder alone has its place all the same
    if (!known && isThere(dirname(ref))) return { disk: ref, rest: '' }
    if (!known) throw error
    const rest = known.source.startsWith(known.saved.disk) ? known.source.slice(known.saved.disk.length) : ''
    return { disk: ref.slice(0, ref.length - rest.length), rest }
  }
  if (ref === disk || resolve(ref) === disk) return { disk, rest: '' }
  if (ref.startsWith(disk + MEMBER_SEPARATOR)) return { disk, rest: ref.slice(disk.length) }
  throw new FormatError('not-found', say('saving.notPlain', { file: ref }), { file: ref })
}

/**
 * The copy of a library's file in the mod folder, whether it is there or not.
 * @throws FormatError refused, when the file is outside of the library
 */
export function modCopyOf(store: FileStore, ref: string, place: SavePlace, known?: KnownFile): SaveTarget {
  const { disk, rest } = memberPart(store, ref, known)
  if (place.copy) return { ref: place.copy + rest, disk: place.copy }
  if (!place.folder || !isAbsolute(place.folder)) throw new FormatError('refused', say('saving.noModFolder'), { file: ref })
  if (place.refused) throw new FormatError('refused', place.refused, { file: place.folder })
  const steps = place.root ? relative(place.root, disk) : ''
  if (!steps || steps === '..' || steps.startsWith(`..${sep}`) || isAbsolute(steps))
    throw new FormatError('refused', say('saving.noPlaceInMod'), { file: ref })
  const target = join(place.folder, steps)
  return { ref: target + rest, disk: target }
}

/** A file of its own for a member, below a mod's folder, or why there can be none. */
export type LooseCopy = { target: SaveTarget; why?: undefined } | { target?: undefined; why: string }

/**
 * The file of its own that the game takes in place of a member, whether it is there or not. Of a member in archives in archives the outermost that
 * can be loose is the file. undefined for a file on disk.
 * @throws FormatError not-found
 */
export function looseCopyOf(store: FileStore, ref: string, { root, folder }: Pick<SavePlace, 'root' | 'folder'>): LooseCopy | undefined {
  let why: string | undefined
  for (const { at, member, open, archive } of chainOf(store, ref, root)) {
    const found = loosePlace(store, open, member, archive, folder)
    why ??= found.why
    if (found.path === undefined) continue
    // the game's own loose file is what it reads: the member's would be that one's copy
    if (existsSync(join(root, found.path))) return { why: say('looseFiles.gameHas', { path: found.path }) }
    const disk = join(folder, found.path)
    return { target: { ref: disk + ref.slice(at.length), disk, loose: true } }
  }
  return why === undefined ? undefined : { why }
}

interface Link {
  /** the member */
  at: string
  member: StoreMember
  open: OpenArchive
  /** path of its archive below `root` */
  archive: string
}

/** The members that lead to a reference, outermost first. */
function chainOf(store: FileStore, ref: string, root: string): Link[] {
  const chain: string[] = []
  for (let at = ref, container = store.container(at); container !== undefined; container = store.container(at)) {
    chain.unshift(at)
    at = container
  }
  return chain.flatMap((at) => {
    const open = store.openArchive(store.container(at)!)
    const member = open?.members.byKey(at.slice(open.ref.length + MEMBER_SEPARATOR.length))
    return open && member ? [{ at, member, open, archive: pathBelow(store, root, open.ref) }] : []
  })
}

/** Path of an archive below the game's folder. What stands in an image of a disc is as if the disc was unpacked beside the image. */
function pathBelow(store: FileStore, root: string, ref: string): string {
  const image = store.imageOf(ref)
  const plain = image === undefined ? ref : join(dirname(image), ref.slice(image.length + MEMBER_SEPARATOR.length))
  return relative(root, plain.replaceAll(MEMBER_SEPARATOR, sep)).split(sep).join('/')
}

/** Where the family of an archive has a member of it loose, below the folder of a mod that is called so. */
function placeOf(store: FileStore, open: OpenArchive, member: StoreMember, archive: string, mod: string): LoosePlace {
  const place = store.registry.familyById(open.format.family)?.loose?.place
  if (!place) return { why: say('looseFiles.noLayout') }
  const { name, duplicate } = open.index.members.at(member.index)!
  if (duplicate > 0) return { why: say('looseFiles.twin', { name }) }
  const found = place({ format: open.format.id, archive, name: member.key, mod })
  if (found.path !== undefined && !found.path.split('/').every(isPortableName)) return { why: say('looseFiles.noName', { name }) }
  return found
}

function loosePlace(store: FileStore, open: OpenArchive, member: StoreMember, archive: string, folder: string): LoosePlace {
  const found = placeOf(store, open, member, archive, modName(folder))
  if (found.path === undefined || found.mods === undefined || existsSync(join(folder, found.path))) return found
  // the folder of the mod was called otherwise when this was written
  for (const mod of foldersIn(join(folder, found.mods))) {
    const other = placeOf(store, open, member, archive, mod)
    if (other.path !== undefined && existsSync(join(folder, other.path))) return other
  }
  return found
}

/** All places where a loose file of a member may stand, for whoever goes through all members of an archive. */
export function loosePlaces(store: FileStore, open: OpenArchive, root: string, folder: string): (member: StoreMember) => string[] {
  const archive = pathBelow(store, root, open.ref)
  const names = new Map<string, string[]>()
  return (member) => {
    const found = placeOf(store, open, member, archive, modName(folder))
    if (found.path === undefined) return []
    if (found.mods === undefined) return [found.path]
    let others = names.get(found.mods)
    if (!others) names.set(found.mods, (others = foldersIn(join(folder, found.mods))))
    return [found.path, ...others.flatMap((mod) => placeOf(store, open, member, archive, mod).path ?? [])]
  }
}

function modName(folder: string): string {
  return safeName(basename(folder))
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/**
 * Where a save writes a file. One that is read from a loose file stays in it, however the mod is held: an archive would not be read.
 * @throws FormatError refused
 */
export function saveTarget(store: FileStore, file: OpenFile, place: SavePlace): SaveTarget {
  if (place.mode === 'mod-folder') {
    expectRemovable(store, file, place)
    const packed = modCopyOf(store, file.ref, place, file)
    if (file.source !== packed.ref && file.source !== file.ref && isInside(place.folder, file.saved.disk))
      return { ref: file.source, disk: file.saved.disk, loose: true }
    const loose = looseIn(store, file.ref, place)
    if (loose?.target && (place.loose || isThere(loose.target.disk))) return loose.target
    return place.loose && loose ? { ...packed, why: loose.why } : packed
  }
  const { disk } = memberPart(store, file.ref, file)
  if (place.image) throw new FormatError('copy-only', say('saving.copyOnly', { image: basename(disk) }), { file: file.ref })
  if (place.root) {
    const steps = relative(place.root, disk)
    if (steps === '..' || steps.startsWith(`..${sep}`) || isAbsolute(steps))
      throw new FormatError('refused', say('saving.notInLibrary'), { file: file.ref })
  }
  return { ref: file.ref, disk }
}

/** `looseCopyOf` for a file that the game may not have. */
function looseIn(store: FileStore, ref: string, place: SavePlace): LooseCopy | undefined {
  if (place.copy) return undefined
  try {
    return looseCopyOf(store, ref, place)
  } catch {
    return undefined
  }
}

/**
 * The copy of a file in the mod folder that is read in its place: a loose one before that in an archive. undefined where there is none.
 * @throws FormatError refused, not-found
 */
export function modCopyFor(store: FileStore, ref: string, place: SavePlace): string | undefined {
  const packed = modCopyOf(store, ref, place)
  // nothing is looked for in a folder that is not there
  if (!existsSync(place.folder)) return undefined
  for (const copy of [looseIn(store, ref, place)?.target, packed]) if (copy && isThere(copy.disk) && store.exists(copy.ref)) return copy.ref
  return undefined
}

/** Where a file is read from: its copy in the mod folder when the library saves there and the copy is there. */
export function sourceFor(store: FileStore, ref: string, place: SavePlace): string {
  if (place.mode !== 'mod-folder' || !place.folder || !place.root) return ref
  try {
    return modCopyFor(store, ref, place) ?? ref
  } catch {
    return ref
  }
}
