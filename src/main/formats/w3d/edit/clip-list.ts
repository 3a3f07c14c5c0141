/**
 * Animations of W3D files as a whole: each is a chunk of its own. The engine finds one by HIERARCHY.NAME, and looks for what it has not
 * loaded in a file called NAME.w3d (clip-file.ts), so names are unique among all files of a skeleton, in any case, and the order is free.
 */
import { baseName, stemOf } from '../../../../shared/ref.ts'
import { nameOf, withName } from '../../../binary/reader.ts'
import { clipAt, notHere } from '../../address.ts'
import { framesIn, inside, listedClips, plainClipName, rangeWithin } from '../../clip-names.ts'
import { refuse } from '../../editing.ts'
import { ANIMATION_HEADER } from '../codecs/animation.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { chunkAt, leafOf, newContainer, newLeaf, pathsOf } from '../codecs/chunk.ts'
import { COMPRESSED_ANIMATION_HEADER } from '../codecs/compressed-animation.ts'
import { clipsOf, onlyClips, w3dFile } from '../codecs/file.ts'
import { hierarchiesOf, nameField } from '../codecs/hierarchy.ts'
import { filesOf, isFound, nameIsFixed, placeClip, renameFile, skeletonFile, takeClip } from './clip-file.ts'
import { copyClip, cutClip, joinClips } from './clip-windows.ts'
import { packedTracks, unpackClip } from './unpack.ts'
import { say as sayAll } from '../../../../shared/texts/say.ts'
import { say } from '../texts/index.ts'
import type { ContainerChunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { ClipListEditor, ClipMove, EditSession, OpenDocuments } from '../../editing.ts'

const MOST_NAME = 15
/** What a new clip has: a second. */
const NEW_FRAMES = 30
const NEW_RATE = 30
/** 4.1, as the exporters of Generals and Zero Hour write it. */
const NEW_VERSION = 0x00040001

const headerOf = (chunk: ContainerChunk) => (leafOf(chunk, ANIMATION_HEADER) ?? leafOf(chunk, COMPRESSED_ANIMATION_HEADER))?.data

interface Opened {
  document: W3dDocument
  chunk: ContainerChunk
  header: NonNullable<ReturnType<typeof headerOf>>
}

/** An animation of the list in a document for writing. */
function opened(session: EditSession, clip: number): Opened {
  const { source } = clipAt(session, clip)
  const document = session.edit<W3dDocument>(source.ref)
  const chunk = chunkAt(document.chunks, source.path)?.chunk
  const header = chunk?.kind === 'container' ? headerOf(chunk) : undefined
  if (chunk?.kind !== 'container' || !header) notHere('clip', clip)
  return { document, chunk, header }
}

/** An animation of the list, to be looked at. */
function shown(model: OpenDocuments, clip: number): ContainerChunk {
  const { source } = clipAt(model, clip)
  const chunk = chunkAt((model.document(source.ref) as W3dDocument).chunks, source.path)?.chunk
  return chunk?.kind === 'container' && headerOf(chunk) ? chunk : notHere('clip', clip)
}

const freeName = (session: EditSession, name: string, but?: number): Uint8Array =>
  plainClipName(
    name,
    MOST_NAME,
    session.assembled.scene.clips.filter((_, i) => i !== but).map((clip) => clip.name),
  )

/** Places of all animations of a document before an edit; what became of them is asked after it. */
function watched(document: W3dDocument): () => ClipMove[] {
  const paths = pathsOf(document.chunks)
  const before = clipsOf(document).map(({ chunk }) => ({ chunk, path: paths.get(chunk)! }))
  return () => {
    const after = pathsOf(document.chunks)
    return before.flatMap(({ chunk, path }): ClipMove[] => {
      const from = { ref: document.ref, path }
      if (!after.has(chunk)) return [{ from }]
      return after.get(chunk) === path ? [] : [{ from, to: placeOf(document, chunk) }]
    })
  }
}

const placeOf = (document: W3dDocument, chunk: ContainerChunk): NonNullable<ClipMove['to']> => ({
  ref: document.ref,
  path: pathsOf(document.chunks).get(chunk)!,
  name: nameOf(headerOf(chunk)!.name),
})

/** A copy with another name, for a file of its own. */
function copied(session: EditSession, chunk: ContainerChunk, name: string): ContainerChunk {
  const named = freeName(session, name)
  const made = copyClip(chunk)
  const header = headerOf(made)!
  header.name = withName(header.name, named)
  return made
}

/** Name of the skeleton that the model's clips are for. */
function skeletonName(session: EditSession): string {
  const ref = skeletonFile(session)
  return ref === undefined ? refuse(say('edit.clips.noSkeleton')) : hierarchiesOf(session.document(ref) as W3dDocument)[0].name
}

const whole = (time: number): number => (Number.isInteger(time) ? time : refuse(say('edit.wholeFrames', { time })))

export const clipList: ClipListEditor = {
  of: 'clips',

  list: (model) =>
    listedClips(model, () => ({})).map((clip) => {
      const document = model.document(clip.ref) as W3dDocument | undefined
      const chunk = document && chunkAt(document.chunks, clip.path)?.chunk
      const packed = chunk?.kind === 'container' ? packedTracks(chunk) : undefined
      const fixed = document ? nameIsFixed(document, clip.name) : ''
      const refused = {
        ...(document?.chunks.length === 1 ? { move: say('edit.clips.noOrder') } : {}),
        ...(fixed ? { rename: fixed } : {}),
      }
      return packed ? { ...clip, packed, refused } : { ...clip, refused }
    }),

  // in a file of clips alone the game finds the one that the file is called after
  limits: (model) => ({
    nameBytes: MOST_NAME,
    files: filesOf(model).filter((ref) => !onlyClips(model.document(ref) as W3dDocument)),
  }),

  add(session, name, from, seconds) {
    if (from) {
      const { source, start, end } = clipAt(session, from.clip)
      rangeWithin(from, start, end)
      const [first, last] = [whole(from.start), whole(from.end)]
      const made = copied(session, shown(session, from.clip), name)
      cutClip(made, first, last)
      headerOf(made)!.numFrames = last - first + 1
      placeClip(session, name, made, source.ref)
      return []
    }
    const named = freeName(session, name)
    const [known] = session.assembled.scene.clips
    const header = {
      version: NEW_VERSION,
      name: nameField(String.fromCharCode(...named), 16),
      hierarchyName: nameField(skeletonName(session), 16),
      numFrames: seconds === undefined ? NEW_FRAMES : framesIn(seconds, NEW_RATE),
      frameRate: NEW_RATE,
    }
    placeClip(session, name, newContainer(ID.ANIMATION, [newLeaf(ANIMATION_HEADER, header)]), known?.source.ref ?? session.binding.primary)
    return []
  },

  duplicate(session, clip, name) {
    placeClip(session, name, copied(session, shown(session, clip), name), clipAt(session, clip).source.ref)
    return []
  },

  rename(session, clip, name) {
    const { document, chunk, header } = opened(session, clip)
    const named = freeName(session, name, clip)
    const from = placeOf(document, chunk)
    const moves = isFound(document, from.name) && !isFound(document, name)
    const fixed = moves ? nameIsFixed(document, from.name) : ''
    if (fixed) refuse(fixed, 'name')
    const ref = moves ? renameFile(session, document, name) : document.ref
    if (from.name !== name) header.name = withName(header.name, named)
    return [{ from, to: { ...from, ref, name } }]
  },

  remove(session, clip) {
    const { document, chunk } = opened(session, clip)
    const moves = watched(document)
    takeClip(session, document, chunk)
    return moves()
  },

  move(session, from, to) {
    const { document, chunk } = opened(session, from)
    const there = opened(session, to)
    if (there.document !== document) refuse(sayAll('formats.clips.otherFile'))
    const moves = watched(document)
    const at = document.chunks.indexOf(there.chunk)
    document.chunks.splice(document.chunks.indexOf(chunk), 1)
    document.chunks.splice(at, 0, chunk)
    return moves()
  },

  split(session, clip, time, name) {
    const source = opened(session, clip)
    const { start, end } = clipAt(session, clip)
    inside(whole(time), start, end)
    const from = placeOf(source.document, source.chunk)
    const made = copied(session, source.chunk, name)
    cutClip(made, time, end)
    headerOf(made)!.numFrames = end - time + 1
    const to = placeClip(session, name, made, from.ref)
    cutClip(source.chunk, start, time)
    source.header.numFrames = time + 1
    return [{ from, to, since: time, by: -time }]
  },

  join(session, clip, other) {
    const first = opened(session, clip)
    const second = opened(session, other)
    if (second.chunk === first.chunk) refuse(sayAll('formats.clips.withItself'))
    if (first.chunk.id !== second.chunk.id) refuse(say('edit.clips.otherKind'))
    if (first.header.frameRate !== second.header.frameRate) refuse(say('edit.clips.otherRate'))
    const moves = watched(second.document)
    const gone = placeOf(second.document, second.chunk)
    const offset = joinClips(first.chunk, first.header.numFrames, second.chunk, second.header.numFrames)
    first.header.numFrames = offset + second.header.numFrames
    takeClip(session, second.document, second.chunk)
    const to = placeOf(first.document, first.chunk)
    return [{ from: gone, to, since: -Infinity, by: offset }, ...moves().filter(({ from }) => from.path !== gone.path)]
  },

  merge(session, file, only) {
    if (file.format !== w3dFile.id) refuse(sayAll('formats.clips.noClipsInFile', { file: stemOf(file.ref) }))
    const given = clipsOf(file as W3dDocument)
    const wanted = given.filter(({ name }) => only === undefined || name === only)
    if (wanted.length === 0)
      refuse(
        only === undefined
          ? sayAll('formats.clips.noClipsInFile', { file: stemOf(file.ref) })
          : sayAll('formats.clips.notOfFile', { name: only }),
      )
    const own = skeletonName(session)
    const other = wanted.find(({ hierarchyName }) => hierarchyName.toLowerCase() !== own.toLowerCase())
    if (other) refuse(say('edit.clips.otherSkeleton', { name: other.name, skeleton: other.hierarchyName, own }))
    const beside = session.assembled.scene.clips[0]?.source.ref ?? session.binding.primary
    const taken = new Set<string>()
    for (const { name } of wanted) {
      freeName(session, name)
      if (taken.has(name.toLowerCase())) refuse(sayAll('formats.clips.nameTaken', { name }))
      taken.add(name.toLowerCase())
    }
    for (const { name, chunk } of wanted) placeClip(session, name, copyClip(chunk), beside)
    return []
  },

  unpack(session, clip) {
    unpackClip(opened(session, clip).chunk)
    return []
  },

  moveTo(session, clip, ref) {
    const { document, chunk } = opened(session, clip)
    if (ref === document.ref) refuse(sayAll('formats.clips.sameFile'))
    if (!filesOf(session).includes(ref)) refuse(sayAll('formats.clips.noFileForClip'))
    const from = placeOf(document, chunk)
    if (!isFound(session.document(ref) as W3dDocument, from.name))
      refuse(say('edit.clips.notFoundThere', { name: from.name, file: baseName(ref) }))
    const target = session.edit<W3dDocument>(ref)
    const moves = watched(document)
    const made = copyClip(chunk)
    takeClip(session, document, chunk)
    target.chunks.push(made)
    return [{ from, to: placeOf(target, made) }, ...moves().filter((move) => move.from.path !== from.path)]
  },
}
