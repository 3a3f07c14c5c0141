/**
 * A clip of one model onto the skeleton of another: sampled on the target's own grid, carried over, and written as few keys
 * as hold it. What comes out as it was keeps its bytes: a model onto itself changes nothing.
 */
import { FormatError } from '../binary/format-error.ts'
import { exportedRest } from '../interchange/exported-rest.ts'
import { windowsOf } from '../interchange/import-names.ts'
import { JointTracks, keyPoses } from './key-poses.ts'
import { likeNames } from '../../shared/like-names.ts'
import { RETARGET_DEFAULTS } from '../../shared/api/retarget-options.ts'
import { createPose, sampleClip } from '../../shared/scene/pose.ts'
import { figureOf, partsOfMatrices } from '../../shared/motion/figure.ts'
import { mapFigures } from '../../shared/motion/figure-map.ts'
import { retargetStanding } from '../../shared/motion/standing.ts'
import { fromKeys, motionDifference, reduceMotion } from '../../shared/motion/reduce-motion.ts'
import { frameOf } from '../../shared/motion/motion.ts'
import { prepareRetarget, retarget } from '../../shared/motion/retarget.ts'
import { solesOf } from '../../shared/motion/soles.ts'
import { radiansBetween } from '../../shared/motion/turns.ts'
import type { ClipEditor, EditSession } from '../formats/editing.ts'
import type { ModelPreview } from '../workspace/model-preview.ts'
import type { Window } from '../interchange/import-names.ts'
import type { RetargetSettings } from '../../shared/api/retarget-options.ts'
import type { RetargetReport, RetargetedJoint } from '../../shared/api/types/retarget.ts'
import type { KeyEdit, NativeTrack, PoseKeys } from '../../shared/api/types/clips.ts'
import type { Clip, Scene } from '../../shared/scene/types.ts'
import type { Figure } from '../../shared/motion/figure.ts'
import type { FigureMap } from '../../shared/motion/figure-map.ts'
import type { Motion } from '../../shared/motion/motion.ts'
import type { Retarget } from '../../shared/motion/retarget.ts'
import { say } from '../../shared/texts/say.ts'

export interface RetargetWishes extends Partial<RetargetSettings> {
  /** joints of the target by names of the source's; '' for none */
  map?: Readonly<Record<string, string>>
}

export interface RetargetedClip {
  report: Omit<RetargetReport, 'made'>
  target: Figure
  /** 1 for joints that are moved, and for those that carry one: what these do moves it */
  moved: Uint8Array
  window: Window
  motion: Motion
  /** per joint the frames of its keys; absent for joints that are left as they are */
  keys: Map<number, { rotation?: Int32Array; translation?: Int32Array }>
}

/** Samples in a second where a clip counts in seconds or milliseconds: times are packed as sixtieths of a second, or stand on tens of milliseconds. */
const SAMPLES = { s: 60, ms: 50 } as const
const MOST_FRAMES = 20_000
/** Joints times frames: what is kept in memory of a motion. */
const MOST_POSES = 4_000_000
/** Times that keys are sought again, nearer, since packing cost too much. */
const MOST_AGAIN = 2
/** Less is rounding: radians, and a share of the figure's height. */
const SAME_TURN = 1.7e-4
const SAME_PLACE = 1e-5

/** The slice or clip of a name; slices first, the name as it stands before it in another case. */
export function findWindow(scene: Pick<Scene, 'clips' | 'slices'>, name: string): Window | undefined {
  const windows = windowsOf(scene)
  const same = (own: string): boolean => own.toLowerCase() === name.toLowerCase()
  for (const kind of ['slice', 'clip'] as const) {
    const own = windows.filter((window) => window.kind === kind)
    const found = own.find((window) => window.name === name) ?? own.find((window) => same(window.name))
    if (found) return found
  }
  return undefined
}

/** @throws FormatError not-found with the names that there are */
function windowNamed(scene: Pick<Scene, 'clips' | 'slices'>, name: string): Window {
  const found = findWindow(scene, name)
  if (found) return found
  const names = windowsOf(scene).map((window) => window.name)
  throw new FormatError('not-found', say('retargeting.noClip', { name, names: likeNames(name, names) }))
}

/** How one figure maps onto another, with the user's word over it. @throws FormatError invalid-argument for names that are not there */
function mapGiven(source: Figure, target: Figure, given: Readonly<Record<string, string>>): FigureMap {
  const plain = (name: string): string => name.trim().toLowerCase()
  const [from, to] = [source, target].map(({ names }) => new Set(names.map(plain)))
  const byTarget: Record<string, string> = {}
  const left = new Set<string>()
  for (const [own, joint] of Object.entries(given)) {
    if (!from.has(plain(own))) throw new FormatError('invalid-argument', say('retargeting.noSourceJoint', { name: own }))
    if (joint !== '' && !to.has(plain(joint))) throw new FormatError('invalid-argument', say('retargeting.noTargetJoint', { name: joint }))
    if (joint === '') left.add(plain(own))
    else byTarget[joint] = own
  }
  const map = mapFigures(source, target, byTarget)
  for (let i = 0; i < target.count; i++) {
    if (map.from[i] < 0 || !left.has(plain(source.names[map.from[i]]))) continue
    map.from[i] = map.beside[i] = -1
    map.share[i] = 0
    map.why[i] = 'none'
  }
  return map
}

function figureOfScene(scene: Scene): Figure {
  return figureOf(scene.skeleton, exportedRest(scene).inverseBind)
}

/**
 * A motion onto a model: computed, written into copies of its files, and measured. Where no clip or slice has the name that it is to go into one is
 * made, with as much room as the motion takes, wherever the family can make one.
 * @param preview of the model as it is: what it is afterwards is shown, or written as one step (`writeTo`)
 * @throws FormatError not-found, invalid-argument, invalid-edit, unsupported
 */
export function retargetInto(
  preview: ModelPreview,
  editor: ClipEditor,
  source: Scene,
  { clip, into, ...wishes }: RetargetWishes & { clip: string; into: string },
): RetargetReport {
  const from = windowNamed(source, clip)
  const { list } = editor
  const made = list !== undefined && findWindow(preview.assembled.scene, into) === undefined
  let window: Window
  if (made) {
    const seconds = Math.max(0, (from.end - from.start) / from.rate)
    preview.edit((session) => void list.add(session, into, undefined, seconds))
    const own = windowsOf(preview.assembled.scene).filter(({ kind }) => kind === (list.of === 'clips' ? 'clip' : 'slice'))
    // a game that knows its motions by number may keep no names; the new one comes last there
    const last = own.findLast(({ name }) => name === into) ?? own[own.length - 1]
    // where the last key says how long a clip is it has no length yet
    window = { ...last, end: Math.max(last.end, last.start + seconds * last.rate) }
  } else window = windowNamed(preview.assembled.scene, into)
  const { bound = RETARGET_DEFAULTS.bound } = wishes
  const before = preview.mark()
  const carried = (share: number): RetargetedClip & { packed: number } => {
    const done = retargetClip(source, from, preview.assembled.scene, window, { ...wishes, bound: share })
    preview.edit((session) => writeRetargeted(session, editor, done))
    return { ...done, packed: measureRetargeted(preview.assembled.scene, done) }
  }
  let done = carried(bound)
  const most = bound * done.target.height
  // what packing adds is taken off what fewer keys may cost; where it is all of it, no number of keys helps
  for (let again = 0; again < MOST_AGAIN && done.report.error > most && done.packed < most && done.report.left.length === 0; again++) {
    preview.backTo(before)
    done = carried((bound * (1 - done.packed / most)) / (1 + again))
  }
  return { ...done.report, made }
}

/** Computes it; nothing is written. @throws FormatError invalid-argument, unsupported */
function retargetClip(
  source: Scene,
  from: Window,
  target: Scene,
  window: Window,
  {
    map: given = {},
    travel = RETARGET_DEFAULTS.travel,
    align = RETARGET_DEFAULTS.align,
    hips = RETARGET_DEFAULTS.hips,
    ride = RETARGET_DEFAULTS.ride,
    plants = RETARGET_DEFAULTS.plants,
    soles = RETARGET_DEFAULTS.soles,
    bound = RETARGET_DEFAULTS.bound,
  }: RetargetWishes = {},
): RetargetedClip {
  const [a, b] = [figureOfScene(source), figureOfScene(target)]
  const map = mapGiven(a, b, given)
  const plan = prepareRetarget(a, b, { map, travel, align, hips, ride })
  const clip = target.clips[window.clip]
  const rate = clip.unit === 'frame' ? window.rate : SAMPLES[clip.unit]
  const seconds = Math.max(0, (from.end - from.start) / from.rate)
  const room = Math.max(0, (window.end - window.start) / window.rate)
  const wanted = Math.floor(seconds * rate + 1e-6) + 1
  const frames = Math.min(wanted, Math.floor(room * rate + 1e-6) + 1)
  if (frames > MOST_FRAMES || frames * (a.count + b.count) > MOST_POSES)
    throw new FormatError('unsupported', say('retargeting.tooLong', { frames }))
  const times = (of: Window): number[] => Array.from({ length: frames }, (_, f) => Math.min(of.end, of.start + (f / rate) * of.rate))
  const played = sampled(source, source.clips[from.clip], times(from))
  const left: string[] = []
  if (wanted > frames) left.push(say('retargeting.cut', { from: seconds.toFixed(2), to: room.toFixed(2), into: window.name }))
  const body = map.target
  // where source and target are one figure, its feet are in their places already
  const same = sameFigure(a, b)
  const feet =
    hips && !same && soles && map.source && body ? { source: solesOf(source, map.source), target: solesOf(target, body) } : undefined
  const stood = (plants || soles) && hips ? retargetStanding(plan, played, rate, { plants: plants && !same, soles: feet }) : undefined
  const motion = stood?.motion ?? retarget(plan, played)
  const { plants: standing, slide } = plants && stood ? stood : { plants: [], slide: 0 }
  const before = sampled(target, clip, times(window))
  const moved = movedJoints(plan)
  const changed = changedParts(b, moved, motion, before)
  const tips = body ? [body.arms?.left.end, body.arms?.right.end, body.legs?.left.end, body.legs?.right.end] : []
  const reduced = reduceMotion(b, motion, {
    bound: bound * b.height,
    fine: new Set(tips.filter((joint) => joint !== undefined && joint >= 0) as number[]),
    kept: standing.flatMap(({ from: first, to: last }) => [first, last]),
  })
  const keys: RetargetedClip['keys'] = new Map()
  for (const [joint, parts] of changed)
    keys.set(joint, {
      rotation: parts.rotation ? reduced.rotation[joint] : undefined,
      translation: parts.translation ? reduced.translation[joint] : undefined,
    })
  const rides = new Map(plan.riders.map(({ joint, on }) => [joint, { on: b.names[on] }]))
  const report: RetargetedClip['report'] = {
    clip: from.name,
    into: window.name,
    score: map.score,
    ratio: plan.ratio,
    joints: b.names.flatMap((joint, i): RetargetedJoint[] =>
      b.bone[i] ? [{ joint, from: map.from[i] < 0 ? '' : a.names[map.from[i]], why: map.why[i], ...rides.get(i) }] : [],
    ),
    frames,
    rate,
    keysWritten: 0,
    keysRemoved: 0,
    changed: [...changed.keys()].map((joint) => b.names[joint]),
    reduced: changed.size > 0 ? reduced.error : 0,
    coding: { distance: 0, degrees: 0 },
    error: 0,
    plants: standing.length,
    slide,
    left,
  }
  return { report, target: b, moved, window, motion, keys }
}

/** Writes the keys through the family's editor; those that stood between them in the window go. */
function writeRetargeted(session: EditSession, editor: ClipEditor, done: RetargetedClip): void {
  const { window, motion, keys, report, target } = done
  const { clip } = window
  const timeOf = (frame: number): number => window.start + (frame / report.rate) * window.rate
  const poses: PoseKeys[] = []
  const written = new Map<string, Set<number>>()
  const added = new Set<string>()
  const tracks = new JointTracks(editor, session, clip)
  const ofJoint = (joint: number, part: NativeTrack['property']): NativeTrack[] =>
    tracks.of(joint).filter((track) => track.property === part)
  for (const [joint, parts] of keys)
    for (const part of ['translation', 'rotation'] as const) {
      if (!parts[part] || ofJoint(joint, part).length > 0) continue
      try {
        tracks.add(joint, part)
        added.add(`${joint} ${part}`)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        report.left.push(say('importedMotion.trackOf', { part, joint: target.names[joint], why: error.message }))
        parts[part] = undefined
      }
    }
  for (const [joint, parts] of keys) {
    const own = [...ofJoint(joint, 'translation'), ...ofJoint(joint, 'rotation')]
    // tracks of one record have their keys at the same times
    const shared = own.some(({ sharedKeys }) => sharedKeys !== undefined)
    const both = shared ? union(parts.rotation, parts.translation) : undefined
    for (const part of ['translation', 'rotation'] as const) {
      if (!parts[part]) continue
      const locked = ofJoint(joint, part).find(({ limits }) => limits.readOnly)
      if (locked) {
        report.left.push(
          say('importedMotion.trackReadOnly', { joint: target.names[joint], track: locked.label, why: locked.limits.readOnly }),
        )
        continue
      }
      const dense = ofJoint(joint, part).some(({ limits }) => limits.dense)
      const frames = dense ? Int32Array.from({ length: motion.frames }, (_, f) => f) : (both ?? parts[part])
      parts[part] = frames
      const width = part === 'rotation' ? 4 : 3
      const rests = dense || !added.has(`${joint} ${part}`) ? [] : restsAround(session.assembled.scene, done)
      const values = new Float32Array(width * (frames.length + rests.length))
      frames.forEach((f, k) => {
        const at = width * (f * target.count + joint)
        values.set(motion[part].subarray(at, at + width), width * k)
      })
      const { skeleton } = session.assembled.scene
      const rest = (part === 'rotation' ? skeleton.restRotation : skeleton.restTranslation).subarray(width * joint, width * (joint + 1))
      rests.forEach((_, k) => values.set(rest, width * (frames.length + k)))
      poses.push({ joint, times: Float64Array.of(...Array.from(frames, timeOf), ...rests), [part]: values })
      for (const { id } of ofJoint(joint, part)) written.set(id, new Set(frames))
      report.keysWritten += frames.length
    }
  }
  keyPoses(editor, session, clip, poses, tracks)
  const last = timeOf(motion.frames - 1)
  const removed = new Set<string>()
  const edits: KeyEdit[] = []
  for (const track of editor.tracks(session, clip)) {
    const frames = written.get(track.id)
    if (!frames || track.limits.dense || removed.has(track.sharedKeys ?? track.id)) continue
    const keep = [...frames].map(timeOf)
    const step = 0.25 * (window.rate / report.rate)
    const gone = Array.from(track.times.keys()).filter((k) => {
      const time = track.times[k]
      return time > window.start && time < last && !keep.some((other) => Math.abs(other - time) <= step)
    })
    if (gone.length === 0) continue
    removed.add(track.sharedKeys ?? track.id)
    edits.push({ track: track.id, remove: Uint32Array.from(gone) })
    report.keysRemoved += gone.length
  }
  if (edits.length > 0) editor.editKeys(session, edits)
}

/** A joint that had no track rested outside of the window, too: times at which it is to go on doing so. */
function restsAround({ clips }: Scene, { window, motion, report }: RetargetedClip): number[] {
  const step = window.rate / report.rate
  const [before, after] = [window.start - step, window.start + motion.frames * step]
  const { start, end } = clips[window.clip]
  return [...(before >= start ? [before] : []), ...(after <= end ? [after] : [])]
}

/**
 * What packed values cost: what the written file shows, against what its keys say. What fewer keys cost is known from making them. What both
 * cost together is measured by itself: one may take back what the other did.
 * @param scene assembled after the write
 * @returns the most that a point of the figure is off by packing alone, in scene units
 */
function measureRetargeted(scene: Scene, { report, target, moved, window, motion, keys }: RetargetedClip): number {
  const times = Array.from({ length: motion.frames }, (_, f) => window.start + (f / report.rate) * window.rate)
  const shown = sampled(scene, scene.clips[window.clip], times)
  const all = Int32Array.from({ length: motion.frames }, (_, f) => f)
  const partOf = (part: 'rotation' | 'translation'): Int32Array[] =>
    Array.from({ length: target.count }, (_, joint) => keys.get(joint)?.[part] ?? all)
  const meant = fromKeys(target, motion, { rotation: partOf('rotation'), translation: partOf('translation') })
  const most = (per: Float64Array): number => per.reduce((m, e, i) => (moved[i] ? Math.max(m, e) : m), 0)
  const packed = motionDifference(target, meant, shown)
  report.coding = { distance: most(packed.distance), degrees: (most(packed.radians) * 180) / Math.PI }
  if (keys.size === 0) return 0
  report.error = most(motionDifference(target, motion, shown).error)
  return most(packed.error)
}

function sampled(scene: Scene, clip: Clip, times: readonly number[]): Motion {
  const { count } = scene.skeleton
  const out: Motion = {
    frames: times.length,
    translation: new Float64Array(3 * count * times.length),
    rotation: new Float64Array(4 * count * times.length),
  }
  const pose = createPose(scene)
  times.forEach((time, f) => {
    sampleClip(scene, clip, time, pose)
    partsOfMatrices(count, pose.local, frameOf(out, f, count))
  })
  return out
}

/** 1 for joints that are mapped or go along, and for those that carry one: what these do moves it. */
function movedJoints({ target: { count, parents }, map, riders }: Retarget): Uint8Array {
  const out = new Uint8Array(count)
  for (const { joint } of riders) out[joint] = 1
  for (let i = count - 1; i >= 0; i--) {
    if (map.from[i] >= 0) out[i] = 1
    if (out[i] && parents[i] >= 0) out[parents[i]] = 1
  }
  return out
}

function sameFigure(a: Figure, b: Figure): boolean {
  return a.count === b.count && a.names.every((name, i) => name === b.names[i] && a.parents[i] === b.parents[i])
}

/** Joints that are mapped or carry one that is, and move otherwise than the clip has them. */
function changedParts(
  figure: Figure,
  moved: Uint8Array,
  motion: Motion,
  before: Motion,
): Map<number, { rotation: boolean; translation: boolean }> {
  const out = new Map<number, { rotation: boolean; translation: boolean }>()
  for (let i = 0; i < figure.count; i++) {
    if (!moved[i]) continue
    let [turn, way] = [0, 0]
    for (let f = 0; f < motion.frames; f++) {
      const at = f * figure.count + i
      turn = Math.max(turn, radiansBetween(motion.rotation, 4 * at, before.rotation, 4 * at))
      way = Math.max(way, Math.hypot(...[0, 1, 2].map((c) => motion.translation[3 * at + c] - before.translation[3 * at + c])))
    }
    // a joint that only turns keeps its offset, whatever the clip had before does not
    const translation = way > SAME_PLACE * figure.height
    if (turn > SAME_TURN || translation) out.set(i, { rotation: turn > SAME_TURN, translation })
  }
  return out
}

function union(...lists: (Int32Array | undefined)[]): Int32Array {
  return Int32Array.from(new Set(lists.flatMap((list) => [...(list ?? [])]))).sort()
}
