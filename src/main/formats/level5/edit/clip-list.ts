/**
 * Motions as the game knows them: windows on the track of a MOT, by their number in the script. What is there keeps its number: a new one
 * comes last, with its frames behind all others of the track; one that goes leaves a placeholder, unless it is the last. Names are no more
 * than names, and several may be the same.
 */
import { stemOf } from '../../../../shared/ref.ts'
import { notHere } from '../../address.ts'
import { framesIn, inside, rangeWithin } from '../../clip-names.ts'
import { refuse } from '../../editing.ts'
import { encodeDocument } from '../../format.ts'
import { motFormat } from '../codecs/mot.ts'
import { KEY_WORDS, newTrack } from '../codecs/tracks.ts'
import { newMot } from '../make.ts'
import { restOf, slices } from './slices.ts'
import { FIRST, coverFrames } from './window.ts'
import { say as sayAll } from '../../../../shared/texts/say.ts'
import { say } from '../texts/index.ts'
import type { MotDocument } from '../codecs/mot.ts'
import type { TrackNode } from '../codecs/tracks.ts'
import type { ClipListEditor, EditSession, OpenDocuments } from '../../editing.ts'
import type { ListedClip } from '../../../../shared/api/types/clips.ts'
import type { Slice } from '../../../../shared/scene/types.ts'

/** What a new motion has: a second at the usual rate. */
const NEW_FRAMES = 30

const windows = (model: OpenDocuments): readonly Slice[] => model.assembled.scene.slices

function windowAt(model: OpenDocuments, index: number): Slice {
  return windows(model)[index] ?? notHere('window', index)
}

/** Whether nothing stands behind a window in its list: each MOTION of a script numbers its own. */
function isLast(model: OpenDocuments, index: number): boolean {
  const listOf = ({ source }: Slice): string => `${source.ref}#${source.path.slice(0, source.path.indexOf('.'))}`
  const own = listOf(windowAt(model, index))
  return !windows(model).some((window, i) => i > index && listOf(window) === own)
}

function checkName(model: OpenDocuments, name: string): void {
  const { named, nameBytes } = slices.limits(model)
  if (!named) return
  const found = slices.check(model, { name, start: 1, end: 1, speed: 1 }).find(({ field }) => field === 'name')
  if (found && (found.severity === 'error' || nameBytes > 0)) refuse(found.message, 'name')
}

/** The first frame that no key and no window of a track reaches. */
function behindAll(model: OpenDocuments, clip: number): number {
  const { clips } = model.assembled.scene
  const ends = windows(model).filter((window) => window.clip === clip)
  return Math.ceil(Math.max(clips[clip]?.end ?? 0, ...ends.map(({ end }) => end), 0)) + 1
}

/** Frames of a MOT (from 1 on) behind all of a track, and a window on them. */
function append(session: EditSession, clip: number, bytes: Uint8Array, frames: number, values: { name: string; speed: number }): void {
  const start = behindAll(session, clip)
  const end = start + frames - 1
  const [template] = windows(session)
  const place = { ...(template ?? { loop: true, source: { ref: '', path: '' } }), clip, name: values.name, start, end, speed: values.speed }
  slices.replaceWindow(session, place, bytes)
  for (const track of session.edit<MotDocument>(session.assembled.scene.clips[clip].source.ref).tracks) coverFrames(track, start, end)
  slices.add(session, windows(session).length, clip, { ...values, start, end })
}

/** Tracks for what a MOT leaves where it rests, and others of the clip move: those would hold their last pose. */
function atRest(session: EditSession, clip: number, mot: MotDocument): TrackNode[] {
  const idOf = ({ node, target, type }: TrackNode): string => `${node}/${target}/${type}`
  const moved = new Set(mot.tracks.map(idOf))
  const master = session.document(session.assembled.scene.clips[clip].source.ref) as MotDocument
  const rest = restOf(session)
  return master.tracks.flatMap((track) => {
    const values = moved.has(idOf(track)) || track.keyCount === 0 ? undefined : rest(track)
    moved.add(idOf(track))
    return values ? [newTrack({ ...track, frames: [FIRST], values })] : []
  })
}

/** What a window plays as a MOT of its own. */
function cut(model: OpenDocuments, window: Slice, start: number, end: number): Uint8Array {
  return slices.extract(model, { ...window, start, end }).bytes
}

const numbered = (): never => refuse(say('edit.clips.byNumber'))

export const clipList: ClipListEditor = {
  of: 'slices',

  list: (model) =>
    windows(model).map(({ name, clip, start, end, source }): ListedClip => {
      const { rate, unit } = model.assembled.scene.clips[clip] ?? { rate: 30, unit: 'frame' as const }
      const why = say('edit.clips.byNumber')
      return { name, clip, start, end, rate, unit, ref: source.ref, path: source.path, refused: { move: why, moveTo: why } }
    }),

  limits: (model) => ({ nameBytes: slices.limits(model).nameBytes, files: [] }),

  add(session, name, from, seconds) {
    checkName(session, name)
    if (from) {
      const window = windowAt(session, from.clip)
      rangeWithin(from, window.start, window.end)
      const frames = from.end - from.start + 1
      append(session, window.clip, cut(session, window, from.start, from.end), frames, { name, speed: window.speed })
      return []
    }
    const first = windows(session).find(({ end }) => end > 0) ?? refuse(say('edit.clips.noTrack'))
    const speed = first.speed || slices.limits(session).newSpeed
    // one pose, which its tracks hold
    const rate = speed * (session.assembled.scene.clips[first.clip]?.rate ?? NEW_FRAMES)
    const frames = seconds === undefined ? NEW_FRAMES : framesIn(seconds, rate)
    append(session, first.clip, cut(session, first, first.start, first.start), frames, { name, speed })
    return []
  },

  duplicate(session, clip, name) {
    checkName(session, name)
    const window = windowAt(session, clip)
    const frames = window.end - window.start + 1
    append(session, window.clip, cut(session, window, window.start, window.end), frames, { name, speed: window.speed })
    return []
  },

  rename(session, clip, name) {
    checkName(session, name)
    slices.set(session, clip, { name })
    return []
  },

  remove(session, clip) {
    if (isLast(session, clip)) slices.remove(session, clip)
    else slices.set(session, clip, { name: '', start: 0, end: 0, speed: 0 })
    return []
  },

  move: numbered,
  moveTo: numbered,

  split(session, clip, time, name) {
    checkName(session, name)
    const window = windowAt(session, clip)
    inside(time, window.start, window.end)
    if (!Number.isInteger(time)) refuse(say('edit.clips.wholeFrame', { frame: time }))
    slices.add(session, windows(session).length, window.clip, { name, start: time, end: window.end, speed: window.speed })
    slices.set(session, clip, { end: time })
    return []
  },

  join(session, clip, other) {
    if (clip === other) refuse(sayAll('formats.clips.withItself'))
    const [first, second] = [windowAt(session, clip), windowAt(session, other)]
    const next = second.start === first.end || second.start === first.end + 1
    if (first.clip !== second.clip || !next || first.speed !== second.speed) refuse(say('edit.clips.notNext'))
    slices.set(session, clip, { end: second.end })
    return clipList.remove(session, other)
  },

  merge(session, file, only) {
    const name = stemOf(file.ref)
    if (file.format !== motFormat.id) refuse(sayAll('formats.clips.noClipsInFile', { file: name }))
    if (only !== undefined && only !== name) refuse(sayAll('formats.clips.notOfFile', { name: only }))
    checkName(session, name)
    const mot = file as MotDocument
    let frames = 1
    for (const { keys } of mot.tracks) for (let k = 0; k < keys.length; k += KEY_WORDS) frames = Math.max(frames, keys[k])
    const first = windows(session).find(({ end }) => end > 0) ?? refuse(say('edit.clips.noTrack'))
    const speed = first.speed || slices.limits(session).newSpeed
    const whole = newMot([...mot.tracks, ...atRest(session, first.clip, mot)])
    append(session, first.clip, encodeDocument(motFormat, whole).bytes.slice(), frames, { name, speed })
    return []
  },
}
