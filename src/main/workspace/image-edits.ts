/**
 * Members of an image of a disc, whatever they stand in there, saved in one pass into a copy of it: planned to the byte first, and proven as
 * every change of an archive is. A copy that Marrow made is written where it stands where few bytes change, else anew beside itself.
 */
import { existsSync } from 'node:fs'
import { FormatError } from '../binary/format-error.ts'
import { changed, counted, movedIn } from './archive-edits.ts'
import { release } from './archive-files.ts'
import { writeAll } from './atomic.ts'
import { intoImage } from './image-files.ts'
import { inPlaceFiles, writeInPlace } from './in-place.ts'
import { workOf } from './member-work.ts'
import { writeOwnCopy } from './own-copy.ts'
import type { InPlaceFile } from './in-place.ts'
import type { IntoImage } from './image-files.ts'
import type { LargeCopyOptions } from './large-copy.ts'
import type { Originals } from './originals.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource, Segment } from '../formats/archive.ts'
import type { ArchiveBytes } from '../../shared/api/types/archive.ts'
import { say } from '../../shared/texts/say.ts'

/** Who waits for a write that takes long: `signal` stops it, and what is there goes on the next time. */
export type ImageWatch = Pick<LargeCopyOptions, 'signal' | 'onProgress'>

/** An image as it will be. */
export interface WrittenImage {
  segments: readonly Segment[]
  /** what the segments copy from */
  source: ByteSource
  whole: ByteSource
}

export interface PlannedImage extends WrittenImage {
  bytes: ArchiveBytes
}

/**
 * @param image the file on disk: an image of a disc, or a copy of one
 * @param members what they hold from now on, by reference
 * @throws FormatError invalid-edit where there is no room in the image, read-only, not-found
 */
export function planImage(store: FileStore, image: string, members: ReadonlyMap<string, Uint8Array>): PlannedImage {
  const outer = store.openArchive(image)
  if (!outer?.format.replaceFiles) throw new FormatError('read-only', say('formats.iso.none'), { file: image })
  const into: IntoImage[] = []
  const notes: string[] = []
  let moved = 0
  for (const { ref, replacements } of workOf(store, members, (open) => open === outer || store.container(open.ref) === outer.ref)) {
    const open = store.openArchive(ref)!
    if (open.ref === outer.ref) {
      into.push({ bodies: replacements })
      continue
    }
    const made = changed(store, open, [{ kind: 'put', bodies: replacements }])
    into.push({ open, parts: made.parts })
    notes.push(...made.notes)
    moved += movedIn(made)
  }
  const { data, notes: more, whole } = intoImage(outer, into)
  const count = outer.index.members.length
  const bytes: ArchiveBytes = {
    members: [count, count],
    size: [outer.source.size, whole.size],
    ...counted({ data }),
    moved,
    written: whole.size,
    room: whole.size,
    inPlace: false,
    notes: [...notes, ...more],
  }
  return { bytes, segments: data, source: outer.source, whole }
}

/** What of a copy that is there is written where it stands; undefined where all of it is written anew. */
export function imageInPlace({ segments, source, whole }: WrittenImage, out: string): Promise<InPlaceFile[] | undefined> {
  return inPlaceFiles([{ target: out, segments, source, write: (handle) => writeAll(handle, whole.read(0, whole.size)) }])
}

/**
 * @param out a new file, or the copy itself that the plan is of
 * @throws FormatError io, cancelled: a copy that was begun stands as `copyBegun(out)`, and the next call goes on with it
 */
export async function writeImage(
  store: FileStore,
  originals: Originals,
  planned: WrittenImage,
  out: string,
  watch: ImageWatch,
): Promise<void> {
  const files = existsSync(out) ? await imageInPlace(planned, out) : undefined
  if (files) {
    await originals.keep(out)
    release(store, out)
    if (await writeInPlace(files, (file, before, now) => originals.noteInPlace(file, before, now))) return
  }
  await writeOwnCopy(store, originals, planned.whole, out, watch)
}
