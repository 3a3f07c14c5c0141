/**
 * Writes changed files to disk: loose files, or members into their archive, all members of one archive in one write.
 * Before anything is replaced: what is on disk is what was read, the document encodes to the bytes that are written,
 * and the original is kept. Afterwards the file is read back and compared.
 */
import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { FormatError } from '../binary/format-error.ts'
import { encodeDocument, firstDifference } from '../formats/format.ts'
import { expectNoLink } from '../files/real-place.ts'
import { expectReplaceable } from '../files/busy.ts'
import type { FileStore } from '../files/store.ts'
import { archiveOutputs, checkMembers, expectAlone, keepOriginals, release, sourcesOf } from './archive-files.ts'
import { expectUnprotected, removeFile, replaceFile, replaceFiles, sweepTemporaries, writeAll } from './atomic.ts'
import type { ReplaceOptions } from './atomic.ts'
import { isThere } from '../files/temporaries.ts'
import { isAbsent } from './absent.ts'
import { isGone, troubleOf } from './disk-state.ts'
import { planImage, writeImage } from './image-edits.ts'
import { inPlaceFiles, writeInPlace } from './in-place.ts'
import { workOf } from './member-work.ts'
import { hashFile } from './originals.ts'
import type { OpenFile } from './document-store.ts'
import type { ImageWatch } from './image-edits.ts'
import type { SaveTarget } from './mod-copies.ts'
import type { Originals } from './originals.ts'
import { say } from '../../shared/texts/say.ts'

/** The user's word before a write: on files that others replaced or took away, on those that are gone alone, on protected ones. */
export interface SaveLeave extends ReplaceOptions {
  overwriteChanged?: boolean
  writeAgain?: boolean
  /** a copy of an image of a disc is written that was not there before */
  newCopy?: boolean
}

/**
 * What stands where the file would be written (or was read, while there is nothing yet) must be what was read.
 * @throws FormatError changed-on-disk, deleted, moved, unreadable
 */
export function checkUnchanged(store: FileStore, file: OpenFile, target: SaveTarget, root = '', leave: SaveLeave = {}): void {
  if (leave.overwriteChanged) return
  const found = troubleOf(store, file, isThere(target.disk) ? target.ref : file.source, root)
  if (found && !(leave.writeAgain && isGone(found))) throw found.error
}

/**
 * Writes all files of one target on disk in one atomic write.
 * @param items files with this target; their current bytes are written
 */
export async function writeTarget(
  store: FileStore,
  originals: Originals,
  items: { file: OpenFile; target: SaveTarget }[],
  options: SaveLeave & { root?: string; library?: string; watch?: ImageWatch },
): Promise<void> {
  const disk = items[0].target.disk
  if (!options.replaceReadOnly) await expectUnprotected(disk)
  release(store, disk)
  await expectReplaceable(disk)
  // first of all: a write that was killed comes to its end by it, and what it leads to is compared with what was read
  await sweepTemporaries(disk)
  for (const { file, target } of items) {
    checkUnchanged(store, file, target, options.library, options)
    // what is written is what the document in memory means
    if (!isAbsent(file) && firstDifference(encodeDocument(file.format, file.document).bytes, file.bytes) >= 0)
      throw new FormatError('not-lossless', say('saving.documentDiffers'), { file: file.ref })
  }
  if (options.root) expectNoLink(options.root, disk)
  await makeFolder(dirname(disk))
  const loose = items.find(({ target }) => target.ref === disk)
  if (loose && isAbsent(loose.file)) return takeAway(store, originals, disk, options)
  // one that was deleted: what was read comes back first, so that it is kept as the original like any other
  if (loose && !existsSync(disk) && loose.file.source === loose.target.ref && loose.file.saved.bytes.length > 0)
    await replaceFile(disk, (handle) => writeAll(handle, loose.file.saved.bytes))
  if (loose) await writeLoose(store, originals, disk, loose.file.bytes, options)
  else await writeMembers(store, originals, disk, items, options)
  store.invalidate(disk)
  for (const { file, target } of items) {
    const at = firstDifference(file.bytes, store.read(target.ref))
    if (at >= 0) throw new FormatError('io', say('saving.readsBackDifferently'), { file: target.ref, offset: at })
  }
}

/** A write puts a new file into the folder: said before one is tried. @throws FormatError io, write-protected */
export async function expectWritable(disk: string): Promise<void> {
  // folders of a mod are made by the write: the nearest one that is there counts
  let folder = dirname(disk)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    if (!(await stat(folder)).isDirectory()) throw new FormatError('io', say('saving.noFolder', { folder }), { file: disk })
    await access(folder, constants.W_OK)
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw new FormatError('io', say('saving.folderNotWritable', { folder }), { file: disk })
  }
  await expectUnprotected(disk)
}

/** A file that edits took away: it is kept as an original before it goes. */
async function takeAway(store: FileStore, originals: Originals, disk: string, options: ReplaceOptions): Promise<void> {
  if (existsSync(disk)) {
    await originals.keep(disk)
    await removeFile(disk, options)
  }
  store.invalidate(disk)
}

async function writeLoose(store: FileStore, originals: Originals, disk: string, bytes: Uint8Array, options: ReplaceOptions): Promise<void> {
  await originals.keep(disk)
  await replaceFile(
    disk,
    (handle) => writeAll(handle, bytes),
    async (temporary) => {
      if (firstDifference(store.read(temporary), bytes) >= 0) throw new FormatError('io', say('saving.notReadBack'), { file: disk })
      await originals.noteComing(disk, await hashFile(temporary))
      release(store, disk, temporary)
    },
    options,
  )
  await originals.noteWritten(disk)
}

async function writeMembers(
  store: FileStore,
  originals: Originals,
  disk: string,
  items: { file: OpenFile; target: SaveTarget }[],
  options: ReplaceOptions & { watch?: ImageWatch },
): Promise<void> {
  // the first write into a mod folder starts from the game's archive
  const present = existsSync(disk)
  const from = present ? disk : archiveOf(store, items[0])
  const inFrom = (target: SaveTarget): string => from + target.ref.slice(disk.length)
  const members = items.map(({ file, target }): [string, Uint8Array] => [inFrom(target), file.bytes])
  if (store.openArchive(from)!.format.replaceFiles)
    return writeImage(store, originals, planImage(store, from, new Map(members)), disk, options.watch ?? {})
  const [top] = workOf(store, members, ({ ref }) => ref === from)
  const open = store.openArchive(from)!
  if (!present) expectAlone(open, disk)
  const outputs = archiveOutputs(open, top.replacements, disk)
  await keepOriginals(store, originals, outputs)
  const inPlace = present && (await inPlaceFiles(outputs))
  if (inPlace) {
    checkMembers(store, open, top.replacements, sourcesOf(outputs), disk)
    release(store, ...outputs.map(({ target }) => target))
    if (await writeInPlace(inPlace, (file, before, now) => originals.noteInPlace(file, before, now))) return
  }
  await replaceFiles(
    outputs,
    async (temporaries) => {
      checkMembers(
        store,
        open,
        top.replacements,
        temporaries.map((path) => store.source(path)),
        disk,
      )
      for (const [i, { target }] of outputs.entries()) await originals.noteComing(target, await hashFile(temporaries[i]))
      release(store, ...outputs.map(({ target }) => target), ...temporaries)
    },
    options,
  )
  for (const { target } of outputs) await originals.noteWritten(target)
}

/** The archive that a first write starts from. @throws FormatError deleted: a member alone makes no archive */
function archiveOf(store: FileStore, { file, target }: { file: OpenFile; target: SaveTarget }): string {
  try {
    if (!target.loose) return store.diskFile(file.source)
    // an archive that stood in another one becomes a file of its own
    const inside = target.ref.length - target.disk.length
    return store.openArchive(file.source.slice(0, file.source.length - inside))!.ref
  } catch {
    throw new FormatError('deleted', say('saving.archiveGone', { file: basename(file.saved.disk) }), { file: file.source })
  }
}
