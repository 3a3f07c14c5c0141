/**
 * Files of animations. What the game has not read yet it looks for in a file NAME.w3d, so a clip that is made gets a file of its own, and one
 * that is found by its file's name takes the file along to another. The directory of an archive takes no files from here: a clip goes
 * behind the skeleton that it names there, which the game has read before it asks for a clip.
 */
import { baseName, extensionOf, stemOf } from '../../../../shared/ref.ts'
import { isPortableName } from '../../../../shared/portable-name.ts'
import { refuse } from '../../editing.ts'
import { pathsOf } from '../codecs/chunk.ts'
import { onlyClips, w3dFile } from '../codecs/file.ts'
import { hierarchiesOf } from '../codecs/hierarchy.ts'
import { say as sayAll } from '../../../../shared/texts/say.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { ClipPlace, EditSession, OpenDocuments } from '../../editing.ts'

/** The W3D files of a model. */
export const filesOf = (model: OpenDocuments): string[] => [
  ...new Set(model.binding.members.map(({ ref }) => ref).filter((ref) => model.document(ref)?.format === w3dFile.id)),
]

/** Whether the game comes to a clip of this name in the file: by the file's name, or with a model or skeleton that stands there. */
export const isFound = (document: W3dDocument, name: string): boolean => !onlyClips(document) || stemOf(document.ref) === name.toLowerCase()

/** A file for a clip of this name, beside another one. @throws FormatError invalid-edit */
function fileFor(name: string, beside: string): string {
  if (!isPortableName(name) || /[!.]/.test(name)) refuse(say('edit.clips.fileName', { name }), 'name')
  const extension = extensionOf(beside) === 'w3d' ? beside.slice(-3) : 'w3d'
  return `${beside.slice(0, beside.length - baseName(beside).length)}${name}.${extension}`
}

/** The first file of the model that has a skeleton. */
export const skeletonFile = (model: OpenDocuments): string | undefined =>
  filesOf(model).find((ref) => hierarchiesOf(model.document(ref) as W3dDocument).length > 0)

/** Puts a clip that was made where the game finds it. @param beside the file that it was made after */
export function placeClip(session: EditSession, name: string, chunk: ContainerChunk, beside: string): ClipPlace {
  const skeleton = skeletonFile(session)
  const near = [beside, session.binding.primary, ...(skeleton === undefined ? [] : [skeleton])].find((ref) => session.takesFiles(ref))
  if (near !== undefined) {
    const document: W3dDocument = {
      format: w3dFile.id as W3dDocument['format'],
      ref: fileFor(name, near),
      diagnostics: [],
      chunks: [chunk],
      trailing: new Uint8Array(0),
    }
    session.create(document.ref, document)
    return { ref: document.ref, path: pathsOf(document.chunks).get(chunk)!, name }
  }
  if (skeleton === undefined) refuse(sayAll('formats.clips.noFileForClip'))
  const { chunks } = session.edit<W3dDocument>(skeleton)
  chunks.push(chunk)
  return { ref: skeleton, path: pathsOf(chunks).get(chunk)!, name }
}

/** Why a clip that the game finds by its file's name cannot get another one; '' where it can. */
export function nameIsFixed(document: W3dDocument, name: string): string {
  if (document.chunks.length === 1 || !onlyClips(document) || !isFound(document, name)) return ''
  return say('edit.clips.foundByFile', { name, file: baseName(document.ref) })
}

/** The file of a clip goes by the clip's new name. @throws FormatError invalid-edit where it cannot */
export function renameFile(session: EditSession, document: W3dDocument, name: string): string {
  if (!session.takesFiles(document.ref)) refuse(say('edit.clips.memberByName', { file: baseName(document.ref) }), 'name')
  const ref = fileFor(name, document.ref)
  session.create(ref, { ...document })
  session.discard(document.ref)
  return ref
}

/** Takes a chunk out of its file, and the file away with the last one. @throws FormatError invalid-edit where it cannot go */
export function takeClip(session: EditSession, document: W3dDocument, chunk: Chunk): void {
  const last = document.chunks.length === 1
  if (last && !session.takesFiles(document.ref)) refuse(say('edit.clips.onlyOne', { file: baseName(document.ref) }))
  document.chunks.splice(document.chunks.indexOf(chunk), 1)
  if (last) session.discard(document.ref)
}
