/**
 * Files that edits make and delete (`FileFormat.comesAndGoes`). What is not there is a state like any other, one without bytes: making a
 * file, and taking it away, are patches from it and to it, and undo, journal and recovery need nothing more for them.
 */
import { statSync } from 'node:fs'
import { FormatError } from '../binary/format-error.ts'
import type { FileStore } from '../files/store.ts'
import { refuse } from '../formats/editing.ts'
import type { ModelMember } from '../formats/binding.ts'
import type { FileFormat } from '../formats/format.ts'
import type { Registry } from '../formats/registry.ts'
import type { OpenFile } from './document-store.ts'
import { baseName, folderOf } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'

export const NO_BYTES = new Uint8Array(0)
/** Format of the document that stands for a file which is not there. */
export const ABSENT = ''

/** Whether edits can make a file beside this one: archives have a directory of their own. */
export function takesFiles(ref: string): boolean {
  return statSync(folderOf(ref), { throwIfNoEntry: false })?.isDirectory() === true
}

/** Whether a file is one that edits could have made: a format may have others, too, which stay in their model when they are missed. */
export function isOfThose({ format, document, bytes }: OpenFile): boolean {
  if (format.comesAndGoes === undefined) return false
  return isAbsent({ format, bytes }) || (format.summarize(document).kind ?? format.kind) === format.comesAndGoes
}

/** No format that comes and goes has a file of no bytes. */
export function isAbsent({ format, bytes }: { format: FileFormat; bytes: Uint8Array }): boolean {
  return format.comesAndGoes !== undefined && bytes.length === 0
}

/** The format that a file which is not there would have, by its name; undefined where edits make no such files. */
export function formatToMake(registry: Registry, ref: string): FileFormat | undefined {
  const extension = baseName(ref).split('.').at(-1)!.toLowerCase()
  return registry.families.flatMap(({ formats }) => formats).find((format) => format.comesAndGoes && format.extensions.includes(extension))
}

/** What such a file is to the model that it was made for. */
export function memberMade(format: FileFormat, ref: string): ModelMember {
  return { role: format.comesAndGoes ?? format.kind, ref, why: 'self', detail: say('edits.madeHere') }
}

/** A mod folder puts files over those of the game; it takes none of them away. @throws FormatError refused */
export function expectRemovable(files: FileStore, file: OpenFile, place: { readonly mode: string }): void {
  if (place.mode === 'mod-folder' && isAbsent(file) && files.exists(file.ref))
    throw new FormatError('refused', say('saving.modTakesNothingAway', { file: baseName(file.ref) }), { file: file.ref })
}

/** The file that an edit takes away. @throws FormatError invalid-edit, refused */
export function removable(file: OpenFile, files: FileStore, place: { readonly mode: string }): OpenFile {
  if (!file.format.comesAndGoes) refuse(say('edits.notTakenAway', { file: baseName(file.ref) }))
  if (file.saved.disk !== file.source) refuse(say('edits.notOnDisk', { file: baseName(file.ref) }))
  expectRemovable(files, { ...file, bytes: NO_BYTES }, place)
  return file
}
