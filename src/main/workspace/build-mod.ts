/**
 * A mod folder from a mod package. It looks at the game first: a file that is not the one the mod was made from is told, not overwritten.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { expectBeside } from '../files/mod-folder.ts'
import { expectNoLink } from '../files/real-place.ts'
import { isThere } from '../files/temporaries.ts'
import { isInside, realPath } from '../files/store.ts'
import { readForDecoding } from '../files/open-document.ts'
import { firstDifference } from '../formats/format.ts'
import { MEMBER_SEPARATOR, memberRef } from '../../shared/ref.ts'
import { expectUnprotected, replaceFiles, sweepTemporaries, writeAll } from './atomic.ts'
import { fileChanges } from './changes.ts'
import { looseCopyOf } from './mod-copies.ts'
import { planImage } from './image-edits.ts'
import { writeLargeCopy } from './large-copy.ts'
import { hashFile, sha256 } from './originals.ts'
import { writeOwnCopy } from './own-copy.ts'
import { archiveOutputs, checkMembers } from './archive-files.ts'
import type { Replacement } from './atomic.ts'
import type { LargeCopyOptions } from './large-copy.ts'
import type { Originals } from './originals.ts'
import type { OpenArchive } from '../files/places.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource } from '../formats/archive.ts'
import type { FileChanges } from '../../shared/api/types/changes.ts'
import type { ModPackageBuild, ModPackageFile } from '../../shared/api/types/mod-package.ts'
import type { Entry, ReadModPackage } from './mod-package.ts'
import { say } from '../../shared/texts/say.ts'

/** One file on disk that the package is about. */
interface Group {
  path: string
  entries: Entry[]
  /** a member that becomes a file of its own */
  loose?: string
}

interface BuildOptions {
  root: string
  folder: string
  /** members become files of their own, where the game takes them so */
  loose?: boolean
  force?: boolean
  replaceReadOnly?: boolean
  signal?: AbortSignal
  /** of a copy of an image of a disc, all of which is written */
  onProgress?: LargeCopyOptions['onProgress']
  /** a copy of an image is remembered there as Marrow's own */
  originals?: Originals
}

/**
 * Puts the files of a package into a mod folder. Files that the game changed since it was made, and files in the folder
 * that are others, are written only with `force`; everything else is.
 * @throws FormatError of a zip that cannot be trusted: nothing is written then
 */
export async function buildMod(store: FileStore, modPackage: ReadModPackage, options: BuildOptions): Promise<ModPackageBuild> {
  const root = realPath(options.root)
  // before anything is made there
  expectBeside(root, options.folder)
  await makeFolder(options.folder)
  const folder = realPath(options.folder)
  const groups = new Map<string, Group>()
  for (const entry of modPackage.manifest.files) {
    const loose = options.loose ? looseTarget(store, entry, root, folder) : undefined
    const key = loose ?? entry.path
    const group = groups.get(key)
    if (group) group.entries.push(entry)
    else groups.set(key, { path: entry.path, entries: [entry], loose })
  }
  const result: ModPackageBuild = { name: modPackage.manifest.name, madeWith: modPackage.manifest.madeWith, folder, files: [], written: 0 }
  for (const group of groups.values()) {
    if (options.signal?.aborted) throw new FormatError('cancelled', say('modPackages.stopped'))
    try {
      const rows = await buildFile(store, modPackage, group, { ...options, root, folder })
      result.files.push(...rows)
      if (rows.some((row) => row.written)) result.written++
    } catch (error) {
      // what of a copy of an image is there stays, and the next call goes on with it
      if (options.signal?.aborted) throw error
      const { code, message } = toErrorData(error, group.path)
      result.files.push({ path: group.path, member: '', state: 'failed', written: false, detail: message, code })
    }
  }
  return result
}

/** Where a member stands as a file of its own; one that stands so in the folder already stays so. */
function looseTarget(store: FileStore, { path, member }: Entry, root: string, folder: string): string | undefined {
  if (member === undefined) return undefined
  try {
    return looseCopyOf(store, memberRef(join(root, path), member), { root, folder })?.target?.disk
  } catch {
    // told as a file that the game does not have
    return undefined
  }
}

async function buildFile(store: FileStore, modPackage: ReadModPackage, group: Group, options: BuildOptions): Promise<ModPackageFile[]> {
  const { root, folder, force = false } = options
  const game = join(root, group.path)
  const present = existsSync(game)
  if (present && !isInside(root, realPath(game))) throw new FormatError('refused', say('modPackages.linkOutOfGame'), { file: game })
  const target = group.loose ?? join(folder, group.path)
  const members = group.entries.every((entry) => entry.member !== undefined)
  if (!members && group.entries.length > 1) throw new FormatError('bad-value', say('modPackages.wholeAndParts', { path: group.path }))
  const archive = members && present ? store.openArchive(game) : undefined
  const rows: ModPackageFile[] = []
  const replacements = new Map<number, Uint8Array>()
  const inImage = new Map<string, Uint8Array>()
  for (const entry of group.entries) {
    const bytes = modPackage.data(entry)
    const row: ModPackageFile = { path: entry.path, member: entry.member ?? '', state: 'same', written: false, detail: '' }
    rows.push(row)
    const member = entry.member === undefined || !archive ? undefined : memberOf(store, archive, entry.member)
    if (member?.index !== undefined) replacements.set(member.index, bytes)
    if (member) inImage.set(member.ref, bytes)
    const ref = members ? member?.ref : present ? game : undefined
    if (ref === undefined) {
      // a file of the mod's own has nothing to be compared with
      if (entry.original === null && !members) continue
      row.state = 'missing'
      row.detail = members ? say('modPackages.noSuchMember') : say('modPackages.noSuchFile')
      continue
    }
    const there = store.read(ref)
    if (entry.original && there.length === entry.original.size && sha256(there) === entry.original.sha256) continue
    if (firstDifference(there, bytes) < 0) {
      row.detail = say('modPackages.alreadyThere')
      continue
    }
    row.state = 'updated'
    row.detail = entry.original ? say('modPackages.notTheOneMade') : say('modPackages.nameTaken')
    row.changes = differences(store, ref, there, bytes)
  }
  const unbuildable = members && rows.some((row) => row.state === 'missing')
  const held = rows.some((row) => row.state !== 'same')
  if (unbuildable || (held && !force)) return rows
  // folders are made and files replaced only where no link leads out
  let deepest = target
  while (!existsSync(deepest)) deepest = dirname(deepest)
  if (!isInside(folder, realPath(deepest))) throw new FormatError('refused', say('modPackages.linkOutOfMod'), { file: target })
  await makeFolder(dirname(target))
  expectNoLink(folder, target)
  const [entry] = group.entries
  const rewritten = group.loose === undefined ? archive : undefined
  if (rewritten?.format.replaceFiles) {
    if (!force && isThere(target)) return isBuilt(store, target, group.entries) ? builtBefore(rows) : inTheWay(rows)
    if (!options.replaceReadOnly) await expectUnprotected(target)
    await buildImage(store, planImage(store, rewritten.ref, inImage).whole, target, options)
    for (const row of rows) row.written = true
    return rows
  }
  const outputs: Replacement[] = rewritten
    ? archiveOutputs(rewritten, replacements, target)
    : [{ target, write: (handle) => writeAll(handle, modPackage.data(entry)) }]
  for (const output of outputs) expectNoLink(folder, output.target)
  if (!force && outputs.some((output) => isThere(output.target))) {
    const there = rewritten ? isBuilt(store, target, group.entries) : (await hashFile(target)) === entry.now.sha256
    return there ? builtBefore(rows) : inTheWay(rows)
  }
  const forget = (): void => {
    for (const output of outputs) store.invalidate(output.target)
  }
  forget()
  await sweepTemporaries(target)
  await replaceFiles(
    outputs,
    (temporaries) => {
      const made = temporaries.map((path) => store.source(path))
      if (rewritten) checkMembers(store, rewritten, replacements, made, target)
      for (const temporary of temporaries) store.invalidate(temporary)
    },
    { replaceReadOnly: options.replaceReadOnly },
  )
  forget()
  for (const row of rows) row.written = true
  return rows
}

/** A member by its very name; of an image of a disc one of an archive in it, too. */
function memberOf(store: FileStore, archive: OpenArchive, key: string): { ref: string; index?: number } | undefined {
  if (!archive.format.replaceFiles) {
    const found = archive.members.byKey(key)
    return found?.key === key ? found : undefined
  }
  const ref = memberRef(archive.ref, key)
  const there = store.exists(ref) && !store.isFolder(ref) && store.canonical(ref).endsWith(MEMBER_SEPARATOR + key)
  return there ? { ref } : undefined
}

/** A copy of the game's image, in the mod folder. @throws FormatError io, cancelled: the next call goes on with what is there */
async function buildImage(store: FileStore, whole: ByteSource, target: string, options: BuildOptions): Promise<void> {
  const { originals, signal, onProgress } = options
  store.invalidate(target)
  if (originals && !isThere(target)) await writeOwnCopy(store, originals, whole, target, { signal, onProgress })
  else await writeLargeCopy(whole, target, { force: true, signal, onProgress })
  store.invalidate(target)
}

/** Not written since that is done: whoever reads the rows is told why. */
function builtBefore(rows: ModPackageFile[]): ModPackageFile[] {
  for (const row of rows) row.detail = say('modPackages.builtBefore')
  return rows
}

function inTheWay(rows: ModPackageFile[]): ModPackageFile[] {
  for (const row of rows) Object.assign(row, { state: 'in-the-way', detail: say('modPackages.otherInPlace') })
  return rows
}

/** The mod folder has the archive with these members already. */
function isBuilt(store: FileStore, target: string, entries: readonly Entry[]): boolean {
  try {
    return entries.every((entry) => {
      const body = store.read(`${target}${MEMBER_SEPARATOR}${entry.member}`)
      return body.length === entry.now.size && sha256(body) === entry.now.sha256
    })
  } catch {
    return false
  }
}

/** What would change in the game's file as it is now; by bytes alone where no format reads it. */
function differences(store: FileStore, ref: string, there: Uint8Array, bytes: Uint8Array): FileChanges | undefined {
  try {
    const { format } = readForDecoding(store, ref)
    return fileChanges(ref, format, there, { bytes, document: format.decode(bytes, ref) })
  } catch {
    return undefined
  }
}
