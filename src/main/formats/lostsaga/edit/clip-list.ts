/**
 * Animations of Lost Saga as a whole: each is a file of its own, and goes by the file's name. A new one is a new file beside those that are
 * there; the skeleton's bones are what makes it the model's, and model texts that list animations by name follow.
 */
import { clipAt } from '../../address.ts'
import { framesIn, inside, listedClips, plainClipName, rangeWithin } from '../../clip-names.ts'
import { refuse } from '../../editing.ts'
import { ani } from '../codecs/ani.ts'
import { encodeText } from '../codecs/strings.ts'
import { splitLines } from '../codecs/text.ts'
import { newAni } from '../make.ts'
import { aniOf, packing, restPose } from './ani-file.ts'
import { copyAni, cutAni, joinAni, offsetBehind } from './clip-windows.ts'
import { baseName, extensionOf, stemOf, withoutExtension } from '../../../../shared/ref.ts'
import { isPortableName } from '../../../../shared/portable-name.ts'
import { say as sayAll } from '../../../../shared/texts/say.ts'
import { say } from '../texts/index.ts'
import type { AniCoding, AniDocument } from '../codecs/ani.ts'
import type { ModelDocument } from '../codecs/model.ts'
import type { RestOf } from './clip-windows.ts'
import type { ClipListEditor, ClipPlace, EditSession } from '../../editing.ts'

/** What every disk has room for, with the extension behind it. */
const MOST_NAME = 200
/** What a new clip is coded as where no other tells: plain rotations. */
const NEW_CODING: AniCoding = 4000

const whole = (time: number): number => (Number.isInteger(time) ? time : refuse(say('edit.clips.wholeTime', { time })))

/** Where a clip of this name stands: beside the file that it is made after. */
function placeFor(session: EditSession, name: string, beside: string, but?: number): ClipPlace {
  const taken = session.assembled.scene.clips.filter((_, i) => i !== but).map((clip) => clip.name)
  plainClipName(name, MOST_NAME, taken)
  if (!isPortableName(name) || /[!.]/.test(name)) refuse(say('edit.clips.fileName', { name }), 'name')
  const extension = extensionOf(beside) === 'ani' ? beside.slice(-3) : 'ani'
  return { ref: `${beside.slice(0, beside.length - baseName(beside).length)}${name}.${extension}`, path: '', name }
}

/** The file that new ones stand beside: that of the first clip, else of the model. */
function neighbour(session: EditSession): string {
  return session.assembled.scene.clips[0]?.source.ref ?? session.binding.primary
}

function restOf(session: EditSession): RestOf {
  const joints = new Map(session.assembled.scene.skeleton.names.map((name, joint) => [name.toLowerCase(), joint]))
  return (bone) => {
    const joint = joints.get(bone.toLowerCase())
    return joint === undefined ? undefined : restPose(session, joint)
  }
}

/** Lines of model texts that list an animation by its name get the other one, or go. */
function follow(session: EditSession, from: string, to?: string): void {
  for (const { ref } of session.binding.members) {
    const known = session.document(ref)
    if (known?.format !== 'lostsaga.model') continue
    const names = (known as ModelDocument).animations.map(stemOf)
    if (!names.includes(stemOf(from))) continue
    const document = session.edit<ModelDocument>(ref)
    let listed = false
    document.lines = document.lines.flatMap((line) => {
      if (line.text.startsWith('#')) listed = line.words[0].toUpperCase() === '#ANIMATION_LIST'
      else if (listed && line.text !== '' && stemOf(line.text) === stemOf(from)) {
        if (to === undefined) return []
        const extension = extensionOf(line.text) === '' ? '' : line.text.slice(-1 - extensionOf(line.text).length)
        const before = line.raw.findIndex((byte) => byte > 32)
        const after = before + encodeText(line.text).raw.length
        const raw = Buffer.concat([line.raw.subarray(0, before), encodeText(to + extension).raw, line.raw.subarray(after)])
        return [{ ...splitLines(new Uint8Array(raw), ';')[0], eol: line.eol, start: line.start }]
      }
      return [line]
    })
  }
}

export const clipList: ClipListEditor = {
  of: 'clips',

  list: (model) => listedClips(model, () => ({ move: say('edit.clips.noOrder'), moveTo: say('edit.clips.fileEach') })),

  limits: () => ({ nameBytes: MOST_NAME, files: [] }),

  add(session, name, from, seconds) {
    if (from) {
      const { start, end } = clipAt(session, from.clip)
      rangeWithin(from, start, end)
      const source = aniOf(session, from.clip)
      const made = copyAni(source)
      cutAni(made, whole(from.start), whole(from.end), packing(session))
      session.create(placeFor(session, name, source.ref).ref, made)
      return []
    }
    const { names } = session.assembled.scene.skeleton
    if (names.length === 0) refuse(say('edit.clips.noBones'))
    const coding = session.assembled.scene.clips.length > 0 ? aniOf(session, 0).coding : NEW_CODING
    const length = seconds === undefined ? 1000 : framesIn(seconds, 1000) - 1
    // without a track nothing says whose animation it is
    const tracks = names.map((bone, joint) => {
      const { rotation, position } = restPose(session, joint)
      return { bone, keys: [{ time: 0, rotation: Array.from(rotation), position }] }
    })
    session.create(placeFor(session, name, neighbour(session)).ref, newAni(coding, length, tracks, [], packing(session)))
    return []
  },

  duplicate(session, clip, name) {
    const source = aniOf(session, clip)
    session.create(placeFor(session, name, source.ref).ref, copyAni(source))
    return []
  },

  rename(session, clip, name) {
    const source = aniOf(session, clip)
    const from = { ref: source.ref, path: '' }
    const to = placeFor(session, name, source.ref, clip)
    if (to.ref === source.ref) return []
    // two names that differ in case alone are one file on many disks
    if (to.ref.toLowerCase() === source.ref.toLowerCase()) refuse(say('edit.clips.onlyCase'))
    session.create(to.ref, copyAni(source))
    session.discard(source.ref)
    follow(session, source.ref, name)
    return [{ from, to }]
  },

  remove(session, clip) {
    const { ref } = aniOf(session, clip)
    session.discard(ref)
    follow(session, ref)
    return [{ from: { ref, path: '' } }]
  },

  move: () => refuse(say('edit.clips.noOrder')),

  split(session, clip, time, name) {
    const { start, end } = clipAt(session, clip)
    inside(whole(time), start, end)
    const source = aniOf(session, clip)
    const to = placeFor(session, name, source.ref)
    const made = copyAni(source)
    cutAni(made, time, end, packing(session))
    session.create(to.ref, made)
    cutAni(session.edit<AniDocument>(source.ref), start, time, packing(session), false)
    return [{ from: { ref: source.ref, path: '' }, to, since: time, by: -time }]
  },

  join(session, clip, other) {
    if (clip === other) refuse(sayAll('formats.clips.withItself'))
    const second = aniOf(session, other)
    const document = session.edit<AniDocument>(aniOf(session, clip).ref)
    if (document.coding !== second.coding) refuse(say('edit.clips.otherCoding'))
    const { end, name } = clipAt(session, clip)
    const offset = offsetBehind(document, end, second)
    joinAni(document, end, second, offset, restOf(session), packing(session))
    const from = { ref: second.ref, path: '' }
    session.discard(second.ref)
    follow(session, second.ref)
    return [{ from, to: { ref: document.ref, path: '', name }, since: -Infinity, by: offset }]
  },

  merge(session, file, only) {
    if (file.format !== ani.id) refuse(sayAll('formats.clips.noClipsInFile', { file: stemOf(file.ref) }))
    const given = file as AniDocument
    const name = withoutExtension(given.ref)
    if (only !== undefined && stemOf(only) !== name.toLowerCase() && only !== name)
      refuse(sayAll('formats.clips.notOfFile', { name: only }))
    const bones = new Set(session.assembled.scene.skeleton.names.map((bone) => bone.toLowerCase()))
    const matched = given.tracks.filter(({ bone }) => bones.has(bone.text.toLowerCase())).length
    if (matched === 0 || matched * 2 < given.tracks.length) refuse(say('edit.clips.otherSkeleton', { name }))
    session.create(placeFor(session, name, neighbour(session)).ref, copyAni(given))
    return []
  },

  moveTo: () => refuse(say('edit.clips.fileEach')),
}
