/**
 * Animations of a package as a whole. Games find them by name, so the order is free; names are unique without regard to case, and have 23
 * characters at most, in ANPK too: the game copies them into fields of 24.
 */
import { nameOf } from '../../../binary/reader.ts'
import { CLIP_ACTIONS } from '../../../../shared/api/types/clips.ts'
import { stemOf } from '../../../../shared/ref.ts'
import { notHere } from '../../address.ts'
import { inside, listedClips, plainClipName, rangeWithin } from '../../clip-names.ts'
import { refuse } from '../../editing.ts'
import { boneKey } from '../scene/clips.ts'
import { ifpFormat } from '../codecs/ifp.ts'
import { newIfp } from '../make.ts'
import { placeOf } from './clip-tracks.ts'
import { addBone, nodeIdOf } from './ifp-bones.ts'
import { editIfp } from './ifp-keys.ts'
import { setName } from './ifp-names.ts'
import { copyAnimation, cutAnimation, joinAnimations } from './ifp-windows.ts'
import { say as sayAll } from '../../../../shared/texts/say.ts'
import { say } from '../texts/index.ts'
import type { IfpAnimation, IfpDocument } from '../codecs/ifp-bones.ts'
import type { ClipListEditor, ClipMove, EditSession, OpenDocuments } from '../../editing.ts'
import type { ListedClip } from '../../../../shared/api/types/clips.ts'

/** A second in the times of clips: ANPK has them in seconds, all others in frames. */
const second = ({ kind }: IfpDocument): number => (kind === 'ANPK' ? 1 : 60)

const MOST_NAME = 23
/** Animations that the game holds at once. */
const MOST_ANIMATIONS = 2500

const isPackage = (model: OpenDocuments, ref: string): boolean => model.document(ref)?.format === ifpFormat.id

const packages = (model: OpenDocuments): string[] => [
  ...new Set(model.binding.members.map(({ ref }) => ref).filter((ref) => isPackage(model, ref))),
]

/** An animation of the list in a document for writing. */
function opened(session: EditSession, clip: number): { document: IfpDocument; animation: IfpAnimation; index: number } {
  const { ref, animation: index } = placeOf(session, clip)
  if (!isPackage(session, ref)) refuse(say('edit.clips.onlyPackages'))
  const document = session.edit<IfpDocument>(ref)
  const animation = document.animations[index]
  return animation ? { document, animation, index } : notHere('clip', clip)
}

const namesOf = (document: IfpDocument, but?: IfpAnimation): string[] =>
  document.animations.filter((animation) => animation !== but).map(({ name }) => nameOf(name))

const freeName = (document: IfpDocument, name: string, but?: IfpAnimation): Uint8Array =>
  plainClipName(name, MOST_NAME, namesOf(document, but))

/** At the end of the package, where what stands in it keeps its place, unless it is to be elsewhere. */
function append(document: IfpDocument, animation: IfpAnimation, at = document.animations.length): void {
  if (document.animations.length >= MOST_ANIMATIONS)
    refuse(sayAll('formats.clips.tooMany', { count: document.animations.length, most: MOST_ANIMATIONS }))
  document.animations.splice(at, 0, animation)
  document.numAnimations++
}

/** What other places became when the animations were put in this order. @param before as they stood */
function reordered(document: IfpDocument, before: readonly IfpAnimation[]): ClipMove[] {
  return before.flatMap((animation, i): ClipMove[] => {
    const at = document.animations.indexOf(animation)
    const from = { ref: document.ref, path: `animations[${i}]` }
    if (at < 0) return [{ from }]
    return at === i ? [] : [{ from, to: placeAt(document, at) }]
  })
}

const placeAt = (document: IfpDocument, at: number): NonNullable<ClipMove['to']> => ({
  ref: document.ref,
  path: `animations[${at}]`,
  name: nameOf(document.animations[at].name),
})

/** The bone that most animations of a package begin with: the one of the first, or the skeleton's own root. */
function rootJoint(session: EditSession): number {
  const { clips, skeleton } = session.assembled.scene
  for (const clip of clips) {
    const first = clip.tracks.find((track) => track.target.kind === 'joint')
    if (first) return first.target.index
  }
  const numbered = skeleton.names.findIndex((_, joint) => nodeIdOf(session, joint) >= 0)
  if (numbered >= 0) return numbered
  return skeleton.names.length > 0 ? 0 : refuse(say('edit.clips.nothingToMove'))
}

/** An animation of the kind that a package has, without bones. */
function emptyAnimation(document: IfpDocument): IfpAnimation {
  return newIfp('', [{ name: '', tracks: [] }], document.kind === 'ANPK' ? 'ANPK' : 'ANP3').animations[0]
}

/** Of a clip in no package nothing can be done with it as a whole. */
function refusedForAll(): ListedClip['refused'] {
  return Object.fromEntries(CLIP_ACTIONS.map((action) => [action, say('edit.clips.onlyPackages')]))
}

export const clipList: ClipListEditor = {
  of: 'clips',

  list: (model) => listedClips(model, (ref) => (isPackage(model, ref) ? {} : refusedForAll())),

  limits: (model) => ({ nameBytes: MOST_NAME, files: packages(model) }),

  add(session, name, from, seconds) {
    if (from) {
      const { document, animation } = opened(session, from.clip)
      const named = freeName(document, name)
      const { start, end } = session.assembled.scene.clips[from.clip]
      rangeWithin(from, start, end)
      const made = copyAnimation(animation)
      setName(made, named)
      cutAnimation(document, made, from.start, from.end)
      append(document, made)
      return []
    }
    const [ref] = packages(session)
    if (!ref) refuse(sayAll('formats.clips.noFileForClip'))
    const document = session.edit<IfpDocument>(ref)
    const made = emptyAnimation(document)
    setName(made, freeName(document, name))
    // an animation without bones, or a bone without keys, crashes the game
    const joint = rootJoint(session)
    append(document, made)
    const bone = addBone(session, document, made, joint)
    // a clip is as long as its last key is late: one second, so that it can be played, and posed at other times
    if (seconds === undefined) {
      const place = { ref, animation: document.animations.indexOf(made), bone: made.bones.indexOf(bone), part: 'rotation' as const }
      const rest = session.assembled.scene.skeleton.restRotation.slice(4 * joint, 4 * joint + 4)
      editIfp(document, [{ place, edit: { track: '', insert: { times: Float64Array.of(second(document)), values: rest } } }])
    }
    return []
  },

  duplicate(session, clip, name) {
    const { document, animation } = opened(session, clip)
    const made = copyAnimation(animation)
    setName(made, freeName(document, name))
    append(document, made)
    return []
  },

  rename(session, clip, name) {
    const { document, animation, index } = opened(session, clip)
    const named = freeName(document, name, animation)
    if (nameOf(animation.name) !== name) setName(animation, named)
    const to = placeAt(document, index)
    return [{ from: to, to }]
  },

  remove(session, clip) {
    const { document, index } = opened(session, clip)
    const before = document.animations.slice()
    document.animations.splice(index, 1)
    document.numAnimations--
    return reordered(document, before)
  },

  move(session, from, to) {
    const { document, animation, index } = opened(session, from)
    const there = opened(session, to)
    if (there.document !== document) refuse(sayAll('formats.clips.otherFile'))
    const before = document.animations.slice()
    document.animations.splice(index, 1)
    document.animations.splice(there.index, 0, animation)
    return reordered(document, before)
  },

  split(session, clip, time, name) {
    const { document, animation, index } = opened(session, clip)
    const named = freeName(document, name)
    const { start, end } = session.assembled.scene.clips[clip]
    inside(time, start, end)
    const made = copyAnimation(animation)
    setName(made, named)
    cutAnimation(document, made, time, undefined)
    cutAnimation(document, animation, undefined, time)
    const before = document.animations.slice()
    // behind the first part: joined with the next they are one again
    append(document, made, index + 1)
    const from = { ref: document.ref, path: `animations[${index}]` }
    return [{ from, to: placeAt(document, index + 1), since: time, by: -time }, ...reordered(document, before)]
  },

  join(session, clip, other) {
    const { document, animation } = opened(session, clip)
    const second = opened(session, other)
    if (second.animation === animation) refuse(sayAll('formats.clips.withItself'))
    if (second.document !== document) refuse(sayAll('formats.clips.otherFile'))
    const before = document.animations.slice()
    const { offset } = joinAnimations(document, animation, second.animation, (bone) => boneKey(bone.name))
    document.animations.splice(second.index, 1)
    document.numAnimations--
    const joined = placeAt(document, document.animations.indexOf(animation))
    const from = { ref: document.ref, path: `animations[${second.index}]` }
    return [
      { from, to: joined, since: -Infinity, by: offset },
      ...reordered(document, before).filter((move) => move.from.path !== from.path),
    ]
  },

  merge(session, file, only) {
    if (file.format !== ifpFormat.id) refuse(say('edit.clips.notAPackage', { file: stemOf(file.ref) }))
    const given = file as IfpDocument
    const wanted = given.animations.filter(({ name }) => only === undefined || nameOf(name) === only)
    if (wanted.length === 0)
      refuse(
        only === undefined
          ? sayAll('formats.clips.noClipsInFile', { file: stemOf(file.ref) })
          : sayAll('formats.clips.notOfFile', { name: only }),
      )
    const [ref] = packages(session)
    if (!ref) refuse(sayAll('formats.clips.noFileForClip'))
    const document = session.edit<IfpDocument>(ref)
    if (document.kind !== given.kind) refuse(say('edit.clips.otherPackage', { kind: given.kind, own: document.kind }))
    for (const animation of wanted) {
      freeName(document, nameOf(animation.name))
      append(document, copyAnimation(animation))
    }
    return []
  },

  moveTo(session, clip, ref) {
    const { document, animation, index } = opened(session, clip)
    if (ref === document.ref) refuse(sayAll('formats.clips.sameFile'))
    if (!isPackage(session, ref)) refuse(say('edit.clips.notAPackage', { file: stemOf(ref) }))
    const target = session.edit<IfpDocument>(ref)
    if (target.kind !== document.kind) refuse(say('edit.clips.otherPackage', { kind: target.kind, own: document.kind }))
    freeName(target, nameOf(animation.name))
    const before = document.animations.slice()
    document.animations.splice(index, 1)
    document.numAnimations--
    append(target, copyAnimation(animation))
    const from = { ref: document.ref, path: `animations[${index}]` }
    return [
      { from, to: placeAt(target, target.animations.length - 1) },
      ...reordered(document, before).filter((move) => move.from.path !== from.path),
    ]
  },
}
