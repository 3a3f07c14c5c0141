/**
 * Changes of an archive, once they are planned (archive-edits.ts), are written as every save is: the original is kept, the new files stand
 * beside the old ones until they are read back and take their places together. A new archive is written so, too.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { makeFolder } from '../files/make-folder.ts'
import { FormatError } from '../binary/format-error.ts'
import { expectReplaceable } from '../files/busy.ts'
import { expectNoLink } from '../files/real-place.ts'
import { realPath } from '../files/paths.ts'
import { extensionOf } from '../../shared/ref.ts'
import { expectUnprotected, replaceFiles, sweepTemporaries } from './atomic.ts'
import { expectAlone, keepOriginals, outputsOf, peerSource, release } from './archive-files.ts'
import { writeImage } from './image-edits.ts'
import { writeLargeCopy } from './large-copy.ts'
import { modCopyOf, sourceFor } from './mod-copies.ts'
import { inPlaceFiles, roomInPlace, writeInPlace } from './in-place.ts'
import { hashFile } from './originals.ts'
import { writeOwnCopy } from './own-copy.ts'
import { lengthOf, SegmentSource } from './segment-source.ts'
import type { ArchiveBytes } from '../../shared/api/types/archive.ts'
import type { ReplaceOptions } from './atomic.ts'
import type { ArchiveOutput } from './archive-files.ts'
import type { DiskStamp } from '../files/sources.ts'
import type { PlannedWrite } from './archive-edits.ts'
import type { LargeCopyOptions } from './large-copy.ts'
import type { SavePlace } from './mod-copies.ts'
import type { Originals } from './originals.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource } from '../formats/archive.ts'
import { say } from '../../shared/texts/say.ts'

/** Who waits for a write: `signal` stops it, and the files are what they were. */
export type ArchiveWatch = Omit<LargeCopyOptions, 'force'>

export interface ArchiveTarget {
  /** the archive that is read */
  from: string
  /** the file on disk that it is written to */
  disk: string
  /** the mod folder, '' in place */
  folder: string
}

/** Where the user's way of saving puts the archive, and what it is read from. @throws FormatError refused */
export function archiveTarget(store: FileStore, ref: string, place: SavePlace): ArchiveTarget {
  if (place.mode !== 'mod-folder') return { from: ref, disk: store.diskFile(ref), folder: '' }
  const from = sourceFor(store, ref, place)
  // one that stands loose in the mod is changed there
  return { from, disk: from === ref ? modCopyOf(store, ref, place).disk : store.diskFile(from), folder: place.folder }
}

/** Whether what is written is a copy of an image of a disc that may be: one that Marrow made, or the mod's. The game's own stays as it is. */
export function intoOwnCopy(store: FileStore, originals: Originals, { from, disk, folder }: ArchiveTarget): boolean {
  const file = store.diskFile(from)
  if (disk !== file || !store.openArchive(file)?.format.replaceFiles) return false
  return folder !== '' || originals.isOwn(realPath(file))
}

/**
 * Writes a planned change over the archive, or into the mod folder; the first write keeps the original.
 * @returns the files that were written
 * @throws FormatError io, write-protected, refused, cancelled; every file is then what it was
 */
export async function writeArchiveChange(
  store: FileStore,
  originals: Originals,
  planned: PlannedWrite,
  target: ArchiveTarget,
  options: ReplaceOptions = {},
  watch: ArchiveWatch = {},
): Promise<string[]> {
  const { disk, folder } = target
  if (folder) expectNoLink(folder, disk)
  if (!options.replaceReadOnly) await expectUnprotected(disk)
  if (planned.whole) return writeOverCopy(store, originals, planned, disk, watch)
  return write(store, planned, outputsOf(planned.top, planned.parts, disk, steps(planned, watch)), watch, options, async (outputs) => {
    if (folder && !existsSync(disk)) expectAlone(planned.top, disk)
    await keepOriginals(store, originals, outputs)
    return {
      coming: async (file, temporary) => originals.noteComing(file, await hashFile(temporary)),
      written: (file) => originals.noteWritten(file),
      inPlace: (file, before, now) => originals.noteInPlace(file, before, now),
    }
  })
}

/** A copy of an image with the change: where it stands as far as that goes, else anew beside itself, as every save into it is. */
async function writeOverCopy(
  store: FileStore,
  originals: Originals,
  { plan, parts, top, whole }: PlannedWrite,
  disk: string,
  watch: ArchiveWatch,
): Promise<string[]> {
  release(store, disk)
  await expectReplaceable(disk)
  await sweepTemporaries(disk)
  await writeImage(store, originals, { segments: parts.data, source: top.source, whole: whole! }, disk, watch)
  release(store, disk)
  watch.onProgress?.(plan.written, plan.written, 'read')
  return [disk]
}

/** What a write over the archive puts on disk, as far as that can be known before. */
export async function bytesWritten(
  planned: PlannedWrite,
  disk: string,
): Promise<Pick<ArchiveBytes, 'written' | 'room' | 'inPlace' | 'each'>> {
  const { plan, top, parts } = planned
  const files = await inPlaceFiles(outputsOf(top, parts, disk))
  if (!files) return { written: plan.written, room: plan.room, inPlace: false, ...filesWritten(planned, disk) }
  const fresh = files.map(({ target, ranges }) => ({ file: target, bytes: ranges.reduce((sum, range) => sum + range.fresh.length, 0) }))
  const written = fresh.reduce((sum, { bytes }) => sum + bytes, 0)
  return { written, room: roomInPlace(files), inPlace: true, ...(fresh.length > 1 ? { each: fresh } : {}) }
}

/** A plan with what its write puts on disk. @param whole into a copy at that place, and not over the archive */
export async function writtenPlan(planned: PlannedWrite, disk: string, whole: boolean): Promise<PlannedWrite['plan']> {
  return { ...planned.plan, ...(whole ? filesWritten(planned, disk) : await bytesWritten(planned, disk)) }
}

/** The files of an archive that is several, written whole to another place or over themselves. */
export function filesWritten({ top, parts }: PlannedWrite, disk: string): Pick<ArchiveBytes, 'each'> {
  const outputs = outputsOf(top, parts, disk)
  if (outputs.length < 2) return {}
  return { each: outputs.map(({ target, segments }) => ({ file: target, bytes: segments.reduce((sum, one) => sum + lengthOf(one), 0) })) }
}

/**
 * Writes the archive as it would be to another place; an image of a disc so that what was written before a stop is not written again.
 * @param originals a new copy of an image is remembered there as Marrow's own
 * @throws FormatError io where something is there that may not be replaced; cancelled
 */
export async function writeArchiveCopy(
  store: FileStore,
  planned: PlannedWrite,
  out: string,
  force: boolean,
  watch: ArchiveWatch = {},
  originals?: Originals,
): Promise<string[]> {
  const { whole } = planned
  expectCopyPlace(planned, out, force)
  if (whole) {
    if (originals && !existsSync(out)) await writeOwnCopy(store, originals, whole, out, watch)
    else await writeLargeCopy(whole, out, { ...watch, force })
    release(store, out)
    return [out]
  }
  const outputs = copyOutputs(planned, out, steps(planned, watch))
  return write(store, planned, outputs, watch, {}, () => Promise.resolve(undefined))
}

/**
 * What stands where a copy would be written: asked before the copy is planned in words, too.
 * @throws FormatError refused for the archive itself, io where something is there that may not be replaced
 */
export function expectCopyPlace(planned: PlannedWrite, out: string, force: boolean): void {
  const { top, whole } = planned
  const files = whole ? [out] : copyOutputs(planned, out, steps(planned, {})).map(({ target }) => target)
  const own = new Set((whole ? [top.ref] : outputsOf(top, planned.parts, top.ref).map(({ target }) => target)).map(realPath))
  for (const file of files.filter((one) => existsSync(one))) {
    if (own.has(realPath(file)))
      throw new FormatError('refused', say(whole ? 'archiveEdits.ontoItself' : 'archiveEdits.overItself'), { file })
    if (!force) throw new FormatError('io', say('commandLine.isThereOut', { file }), { file })
  }
}

/** @throws FormatError io, cancelled; nothing is there then */
export function writeNewArchive(store: FileStore, planned: PlannedWrite, watch: ArchiveWatch): Promise<string[]> {
  const outputs = outputsOf(planned.top, planned.parts, planned.plan.disk, steps(planned, watch))
  return write(store, planned, outputs, watch, {}, () => Promise.resolve(undefined))
}

/** Of a copy all files are called as the one that is named. */
function copyOutputs({ top, parts }: PlannedWrite, out: string, step: (bytes: number) => Promise<void>): ArchiveOutput[] {
  const { companion, peers } = top.format
  const outputs = outputsOf(top, parts, out, step)
  if (!parts.directory || !companion) return outputs
  const names = new Map((peers?.(basename(out)) ?? []).map((name) => [extensionOf(name), name]))
  const [data, ...directories] = outputs
  const own = directories.pop()!
  return [
    { ...data, target: join(dirname(out), companion(basename(out))) },
    ...directories.map((one) => ({ ...one, target: join(dirname(out), names.get(extensionOf(one.target)) ?? basename(one.target)) })),
    own,
  ]
}

interface Notes {
  coming(file: string, temporary: string): Promise<void>
  written(file: string): Promise<void>
  /** the file was changed where it stands */
  inPlace(file: string, before: DiskStamp, now: DiskStamp): Promise<void>
}

/** Tells what was written, and stops where that is asked for. */
function steps(
  { plan }: PlannedWrite,
  { signal, onProgress }: ArchiveWatch,
  pass: 'write' | 'read' = 'write',
): (bytes: number) => Promise<void> {
  let [done, told] = [0, 0]
  return async (bytes) => {
    done += bytes
    if (done - told < WINDOW && done < plan.written) return
    told = done
    onProgress?.(done, plan.written, pass)
    await breathe()
    if (signal?.aborted)
      throw new FormatError('cancelled', say('archiveEdits.cancelled', { file: basename(plan.disk) }), { file: plan.disk })
  }
}

/** Windows in which files are read back. */
const WINDOW = 1 << 20

/** What was written is what was planned, byte for byte. @throws FormatError io */
async function expectWritten(
  { top, parts }: PlannedWrite,
  written: readonly ByteSource[],
  step: (bytes: number) => Promise<void>,
): Promise<void> {
  const { data, directory, peers = [] } = parts
  const planned = [
    new SegmentSource(data, directory ? top.data : top.source, top.ref),
    ...peers.map(({ ref, segments }) => new SegmentSource(segments, peerSource(top, ref), ref)),
    ...(directory ? [new SegmentSource(directory, top.source, top.ref)] : []),
  ]
  for (const [i, wanted] of planned.entries()) {
    const found = written[i]
    if (found.size !== wanted.size) throw new FormatError('io', say('saving.notReadBack'), { file: found.ref })
    for (let at = 0; at < wanted.size; at += WINDOW) {
      const length = Math.min(WINDOW, wanted.size - at)
      if (Buffer.compare(found.read(at, length), wanted.read(at, length)) !== 0)
        throw new FormatError('io', say('saving.notReadBack'), { file: found.ref, offset: at })
      await step(length)
    }
  }
}

/** What is written was proven when it was planned. */
async function writtenInPlace(outputs: readonly ArchiveOutput[], notes: Notes): Promise<boolean> {
  const files = await inPlaceFiles(outputs)
  return files !== undefined && writeInPlace(files, (file, before, now) => notes.inPlace(file, before, now))
}

async function write(
  store: FileStore,
  planned: PlannedWrite,
  outputs: readonly ArchiveOutput[],
  watch: ArchiveWatch,
  options: ReplaceOptions,
  begin: (outputs: readonly ArchiveOutput[]) => Promise<Notes | undefined>,
): Promise<string[]> {
  const files = outputs.map(({ target }) => target)
  const disk = files.at(-1)!
  await makeFolder(dirname(disk))
  release(store, ...files)
  await expectReplaceable(...files)
  await sweepTemporaries(disk)
  const notes = await begin(outputs)
  if (notes && !watch.signal?.aborted && (await writtenInPlace(outputs, notes))) {
    watch.onProgress?.(planned.plan.written, planned.plan.written, 'read')
    release(store, ...files)
    return files
  }
  await replaceFiles(
    outputs,
    async (temporaries) => {
      await expectWritten(
        planned,
        temporaries.map((path) => store.source(path)),
        steps(planned, watch, 'read'),
      )
      for (const [i, file] of files.entries()) await notes?.coming(file, temporaries[i])
      release(store, ...files, ...temporaries)
    },
    options,
  )
  release(store, ...files)
  for (const file of files) await notes?.written(file)
  return files
}
