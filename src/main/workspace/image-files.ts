/** Files of an image of a disc as it will be: those that are given, and archives in it with all files that they consist of. */
import { FormatError } from '../binary/format-error.ts'
import { firstDifference } from '../formats/format.ts'
import { MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { lengthOf, SegmentSource } from './segment-source.ts'
import type { OpenArchive } from '../files/places.ts'
import type { ArchiveParts, ByteSource, Segment } from '../formats/archive.ts'
import { say } from '../../shared/texts/say.ts'

/** What is written into an image: an archive that stands in it, or files of its own by their numbers. */
export type IntoImage = { open: Pick<OpenArchive, 'ref' | 'dataRef'>; parts: ArchiveParts } | { bodies: ReadonlyMap<number, Uint8Array> }

/** @throws FormatError invalid-edit where there is no room in the image, or what was written would not be found again */
export function intoImage(image: OpenArchive, list: readonly IntoImage[]): { data: Segment[]; notes: string[]; whole: ByteSource } {
  const files = new Map<number, Segment[]>()
  const put = (member: number, segments: Segment[]): void => {
    // two directories over one data file, each with a change of its own
    if (files.has(member))
      throw new FormatError('invalid-edit', say('archiveEdits.twoWays', { name: image.index.members.at(member)!.name }), {
        file: image.ref,
      })
    files.set(member, segments)
  }
  for (const one of list) {
    if ('bodies' in one) {
      for (const [i, bytes] of one.bodies) put(i, [{ kind: 'bytes', bytes, as: 'member' }])
      continue
    }
    const { data, directory, peers = [] } = one.parts
    const changed: [string, Segment[]][] = directory
      ? [[one.open.dataRef, data], [one.open.ref, directory], ...peers.map(({ ref, segments }): [string, Segment[]] => [ref, segments])]
      : [[one.open.ref, data]]
    for (const [ref, segments] of changed) put(image.members.byKey(ref.slice(image.ref.length + MEMBER_SEPARATOR.length))!.index, segments)
  }
  const made = image.format.replaceFiles!(image.index, files)
  const whole = new SegmentSource(made.data, image.source, image.ref)
  // what is new is found through the directories of the image as they will be
  const after = image.format.open(whole, whole)
  for (const [i, segments] of files) {
    const { name, offset, size } = after.members.at(i)!
    let at = 0
    for (const segment of segments) {
      const length = lengthOf(segment)
      if (at + length > size || (segment.kind === 'bytes' && firstDifference(whole.read(offset + at, length), segment.bytes) >= 0))
        throw new FormatError('invalid-edit', say('archiveEdits.notKept', { name }), { file: image.ref })
      at += length
    }
  }
  return { ...made, whole }
}
