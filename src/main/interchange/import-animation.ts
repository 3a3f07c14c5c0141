/**
 * Animations of a glTF onto the clips and slices of a model, by names of joints. Keys that the game's file has are given
 * the value that the glTF shows at their time; where that is not enough, keys are put on the file's own grid. A key whose
 * value is what it was keeps its bytes, so that importing an export changes nothing.
 */
import { FormatError } from '../binary/format-error.ts'
import { decompose, slerp } from '../../shared/scene/matrix.ts'
import { matchJoints } from '../../shared/scene/joint-map.ts'
import { createPose, sampleClip } from '../../shared/scene/pose.ts'
import { sampleChannel, timeRounding } from './gltf-reader.ts'
import { animationNames, clipRate, sliceRate } from './clip-window.ts'
import type { ClipEditor, EditSession, OpenDocuments } from '../formats/editing.ts'
import type { ImportedAnimation, ImportReport, JointProposal, KeyEdit, NativeTrack } from '../../shared/api/types.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { GltfAnimation, GltfChannel, GltfPath } from './gltf-reader.ts'

export interface ImportChoice {
  /** name of the glTF's animation, or its number; all that have a clip or slice of their name when absent */
  animation?: string
  /** where it goes; by name when absent */
  clip?: number
  slice?: number
  /** Level-5: game ticks per second */
  tickRate?: number
  /** nodes of the glTF whose joint has another name; '' leaves a node out. The others are matched by name */
  map?: Readonly<Record<string, string>>
}

/** A stretch of a clip that takes an animation. */
interface Window {
  kind: 'clip' | 'slice'
  index: number
  name: string
  clip: number
  start: number
  end: number
  /** native time units per second */
  rate: number
}

interface Job {
  animation: GltfAnimation
  window: Window
}

/** Differences below these are rounding on the way: a key keeps its bytes, a key between two others is not needed. Parts of a unit quaternion; lengths against 1 or the length itself. */
const SAME = 1e-5
const NEEDED = 1e-4
/** Samples of a curve that has no keys of its own on the grid, per second. */
const CURVE_RATE = 30
const MOST_KEYS = 200_000

/**
 * Writes through the editor of the family's clips.
 * @returns what was done, errors still unknown: `measureImport` tells them once the model is assembled again
 * @throws FormatError invalid-argument where no animation has a place, not-found
 */
export function importAnimations(
  session: EditSession,
  editor: ClipEditor,
  animations: readonly GltfAnimation[],
  choice: ImportChoice,
): { report: ImportReport; jobs: Job[] } {
  const { scene } = session.assembled
  const jobs = plan(scene, animations, choice)
  const report: ImportReport = {
    imported: [],
    unmatched: [],
    unused: animations.filter((a) => !jobs.some((job) => job.animation === a)).map((a) => a.name),
    left: [],
  }
  const left = new Set<string>()
  const unmatched = new Set<string>()
  const jointOf = new Map<string, number>()
  scene.skeleton.names.forEach((name, i) => {
    if (!jointOf.has(name.toLowerCase())) jointOf.set(name.toLowerCase(), i)
  })
  const map = checkedMap(choice.map ?? {}, jointOf)
  for (const job of jobs) {
    const done: ImportedAnimation = {
      animation: job.animation.name,
      into: job.window.kind,
      index: job.window.index,
      name: job.window.name,
      joints: 0,
      tracksAdded: 0,
      keysChanged: 0,
      keysInserted: 0,
      degrees: 0,
      distance: 0,
    }
    if (job.animation.ignored > 0) left.add('animation of other things than joints')
    const length = (job.window.end - job.window.start) / job.window.rate
    if (job.animation.duration > length + 1e-4)
      left.add(
        `${job.animation.name}: what comes after ${length.toFixed(3)} of ${job.animation.duration.toFixed(3)} s, where ${job.window.name || 'the window'} ends`,
      )
    const byJoint = new Map<number, GltfChannel[]>()
    for (const channel of job.animation.channels) {
      const name = map.get(channel.node) ?? channel.node
      if (name === '') continue
      const joint = jointOf.get(name.toLowerCase())
      if (joint === undefined) unmatched.add(channel.node)
      else byJoint.set(joint, [...(byJoint.get(joint) ?? []), channel])
    }
    done.joints = byJoint.size
    done.tracksAdded = addTracks(session, editor, job.window, byJoint, left)
    const edits: KeyEdit[] = []
    for (const track of editor.tracks(session, job.window.clip)) {
      const channel = byJoint.get(track.joint)?.find((c) => c.path === track.property)
      if (!channel) continue
      if (track.limits.readOnly) {
        left.add(`${track.target} ${track.label}: ${track.limits.readOnly}`)
        continue
      }
      const edit = trackEdit(session, editor, track, channel, job.window)
      if (!edit) continue
      done.keysChanged += edit.set?.keys.length ?? 0
      done.keysInserted += edit.insert?.times.length ?? 0
      edits.push(edit)
    }
    if (edits.length > 0) editor.editKeys(session, edits)
    report.imported.push(done)
  }
  report.unmatched = [...unmatched]
  report.left = [...left]
  return { report, jobs }
}

/** @throws FormatError invalid-argument where a joint is not there, or is taken twice */
function checkedMap(map: Readonly<Record<string, string>>, jointOf: ReadonlyMap<string, number>): Map<string, string> {
  const taken = new Map<number, string>()
  for (const [node, name] of Object.entries(map)) {
    if (name === '') continue
    const joint = jointOf.get(name.toLowerCase())
    if (joint === undefined) throw new FormatError('invalid-argument', `no joint is called ${name}, which ${node} should move`)
    const other = taken.get(joint)
    if (other !== undefined) throw new FormatError('invalid-argument', `${other} and ${node} would both move ${name}`)
    taken.set(joint, node)
  }
  return new Map(Object.entries(map))
}

/** Names of the nodes that the animations of a file move. */
export function nodesOf(animations: readonly GltfAnimation[]): string[] {
  return [...new Set(animations.flatMap(({ channels }) => channels.map(({ node }) => node)))]
}

/** Nodes that the animations of a file move, and which joints of a skeleton they are taken for. */
export function proposeMap(
  animations: readonly GltfAnimation[],
  skeleton: Pick<Scene['skeleton'], 'names' | 'parents' | 'roles'>,
): JointProposal[] {
  const above = new Map<string, string>()
  for (const { channels } of animations) for (const { node, parent } of channels) if (!above.has(node)) above.set(node, parent)
  const nodes = [...above.keys()]
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  const matches = matchJoints(
    { names: nodes, parents: nodes.map((node) => numbers.get(above.get(node)!) ?? -1) },
    { ...skeleton, others: new Set(skeleton.roles?.flatMap((role, i) => (role === 'mesh' || role === 'hidden' ? [i] : []))) },
  )
  return matches.map(({ joint, why }, i) => ({ node: nodes[i], joint: skeleton.names[joint] ?? '', why }))
}

/** Which animation goes where. */
function plan(scene: Scene, animations: readonly GltfAnimation[], choice: ImportChoice): Job[] {
  if (animations.length === 0) throw new FormatError('not-found', 'there is no animation in this file')
  const named =
    choice.animation === undefined ? undefined : animations.filter((a, i) => a.name === choice.animation || String(i) === choice.animation)
  if (named?.length === 0)
    throw new FormatError('not-found', `there is no animation ${choice.animation} in this file (${names(animations)})`)
  const from = named ?? animations
  const windows = windowsOf(scene, choice.tickRate)
  const wanted =
    choice.clip !== undefined
      ? windows.find((w) => w.kind === 'clip' && w.index === choice.clip)
      : choice.slice !== undefined
        ? windows.find((w) => w.kind === 'slice' && w.index === choice.slice)
        : undefined
  if (choice.clip !== undefined || choice.slice !== undefined) {
    if (!wanted)
      throw new FormatError(
        'invalid-argument',
        `there is no ${choice.clip !== undefined ? `clip ${choice.clip}` : `slice ${choice.slice}`}`,
      )
    if (from.length > 1)
      throw new FormatError('invalid-argument', `there are several animations in this file, choose one of them: ${names(from)}`)
    return [{ animation: from[0], window: wanted }]
  }
  const jobs = from.flatMap((animation) => {
    const window =
      windows.find((w) => w.name === animation.name) ?? windows.find((w) => w.name.toLowerCase() === animation.name.toLowerCase())
    return window ? [{ animation, window }] : []
  })
  if (jobs.length === 0)
    throw new FormatError(
      'invalid-argument',
      `no clip or slice of the model is called like an animation of the file (${names(from)}): say into which one it goes`,
    )
  // a slice is the finer word on its part of a clip
  return jobs.sort((a, b) => Number(a.window.kind === 'slice') - Number(b.window.kind === 'slice'))
}

function names(animations: readonly GltfAnimation[]): string {
  return (
    animations
      .slice(0, 12)
      .map((a) => a.name)
      .join(', ') + (animations.length > 12 ? ', …' : '')
  )
}

/** Slices and clips under the names that an export gives them. */
function windowsOf(scene: Scene, tickRate: number | undefined): Window[] {
  const { slices, clips } = animationNames(scene)
  return [
    ...scene.slices.flatMap((slice, index): Window[] => {
      const clip = scene.clips[slice.clip]
      return clip && slice.end >= slice.start
        ? [
            {
              kind: 'slice',
              index,
              name: slices[index],
              clip: slice.clip,
              start: slice.start,
              end: slice.end,
              rate: sliceRate(slice, clip, tickRate),
            },
          ]
        : []
    }),
    ...scene.clips.map((clip, index): Window => ({
      kind: 'clip',
      index,
      name: clips[index],
      clip: index,
      start: clip.start,
      end: clip.end,
      rate: clipRate(clip),
    })),
  ]
}

/** Joints that the glTF moves away from their rest and the clip has no track for. */
function addTracks(
  session: EditSession,
  editor: ClipEditor,
  window: Window,
  byJoint: ReadonlyMap<number, GltfChannel[]>,
  left: Set<string>,
): number {
  const { skeleton } = session.assembled.scene
  const tracks = editor.tracks(session, window.clip)
  let added = 0
  for (const [joint, channels] of byJoint) {
    for (const channel of channels) {
      const own = tracks.filter((t) => t.joint === joint && t.property === channel.path)
      // an axis with a track of its own each: those that are not there
      const missing =
        own.length > 0 && channel.path !== 'rotation' ? ['x', 'y', 'z'].filter((axis) => !own.some((t) => t.components.includes(axis))) : []
      if (own.length > 0 && missing.length === 0) continue
      const rest =
        channel.path === 'rotation'
          ? skeleton.restRotation.subarray(4 * joint, 4 * joint + 4)
          : (channel.path === 'translation' ? skeleton.restTranslation : skeleton.restScale).subarray(3 * joint, 3 * joint + 3)
      const native =
        own.length > 0
          ? (value: Float32Array) => editor.fromScene(session, { ...own[0], components: missing }, value)
          : (value: Float32Array) => value
      if (!moves(channel, rest, window, native)) continue
      try {
        if (!editor.addTrack) throw new FormatError('unsupported', 'the format has no place for more tracks')
        editor.addTrack(session, window.clip, joint, channel.path)
        added++
      } catch (error) {
        left.add(`${channel.path} of ${skeleton.names[joint]}: ${(error as Error).message}`)
      }
    }
  }
  return added
}

function moves(channel: GltfChannel, rest: Float32Array, window: Window, part: (value: Float32Array) => Float32Array): boolean {
  const value = new Float32Array(channel.path === 'rotation' ? 4 : 3)
  const still = part(rest)
  const length = (window.end - window.start) / window.rate
  for (let k = 0; k < channel.times.length && (k === 0 || channel.times[k] <= length); k++) {
    sampleChannel(channel, channel.times[k], value)
    if (apart(part(value), 0, still, 0, still.length) > NEEDED) return true
  }
  return false
}

/** Greatest difference of a part; of quaternions, which may have either sign and any length, as if of length 1. */
function apart(a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number, width: number): number {
  let scale = 1
  let [same, opposite] = [0, 0]
  const la = width === 4 ? Math.hypot(a[ao], a[ao + 1], a[ao + 2], a[ao + 3]) || 1 : 1
  const lb = width === 4 ? Math.hypot(b[bo], b[bo + 1], b[bo + 2], b[bo + 3]) || 1 : 1
  for (let c = 0; c < width; c++) {
    same = Math.max(same, Math.abs(a[ao + c] / la - b[bo + c] / lb))
    opposite = Math.max(opposite, Math.abs(a[ao + c] / la + b[bo + c] / lb))
    if (width < 4) scale = Math.max(scale, Math.abs(b[bo + c]))
  }
  return (width === 4 ? Math.min(same, opposite) : same) / scale
}

/** What a track needs to show the channel within the window; undefined where it does already. */
function trackEdit(
  model: OpenDocuments,
  editor: ClipEditor,
  track: NativeTrack,
  channel: GltfChannel,
  window: Window,
): KeyEdit | undefined {
  const width = track.components.length
  const { timeStep, minTime, maxTime, dense } = track.limits
  const snap = 1e-4 * window.rate
  const value = new Float32Array(4)
  const wanted = (time: number, like: ArrayLike<number> | undefined): Float32Array => {
    sampleChannel(channel, (time - window.start) / window.rate, value)
    const native = editor.fromScene(model, track, value.slice(0, channel.path === 'rotation' ? 4 : 3))
    // games blend quaternions as they stand: the sign of the neighbour
    if (width === 4 && like && native[0] * like[0] + native[1] * like[1] + native[2] * like[2] + native[3] * like[3] < 0)
      for (let c = 0; c < 4; c++) native[c] = -native[c]
    return native
  }
  // keys that are there
  const rows: { time: number; key: number; value: Float32Array; kept: boolean }[] = []
  track.times.forEach((time, key) => {
    if (time < window.start - snap || time > window.end + snap) return
    const own = track.values.subarray(key * width, key * width + width)
    const next = wanted(time, own)
    // what the file has counts where both mean the same
    const same = apart(next, 0, own, 0, width) <= SAME
    rows.push({ time, key, value: same ? own : next, kept: same })
  })
  if (!dense) {
    // and those that would be needed on the grid
    const there = new Set(rows.map((row) => Math.round(row.time / (timeStep || snap))))
    for (const at of candidateTimes(channel, window, timeStep)) {
      const time = timeStep > 0 ? Math.round(at / timeStep) * timeStep : at
      const cell = Math.round(time / (timeStep || snap))
      if (time < Math.max(minTime, window.start - snap) || time > Math.min(maxTime, window.end + snap) || there.has(cell)) continue
      there.add(cell)
      rows.push({ time, key: -1, value: wanted(time, undefined), kept: false })
      if (rows.length > MOST_KEYS) throw new FormatError('invalid-edit', `${track.target} would have more than ${MOST_KEYS} keys`)
    }
    rows.sort((a, b) => a.time - b.time || a.key - b.key)
    for (let i = 1; i < rows.length; i++)
      if (rows[i].key < 0 && width === 4 && dot(rows[i].value, rows[i - 1].value) < 0) rows[i].value = rows[i].value.map((v) => -v)
  }
  const set = rows.filter((row) => row.key >= 0 && !row.kept)
  const insert = needed(rows, track, set.length > 0)
  if (set.length === 0 && insert.length === 0) return undefined
  const edit: KeyEdit = { track: track.id }
  const join = (list: typeof rows): Float32Array => {
    const out = new Float32Array(list.length * width)
    list.forEach((row, i) => out.set(row.value, i * width))
    return out
  }
  if (set.length > 0)
    edit.set = { keys: Uint32Array.from(set, (row) => row.key), times: Float64Array.from(set, (row) => row.time), values: join(set) }
  if (insert.length > 0) edit.insert = { times: Float64Array.from(insert, (row) => row.time), values: join(insert) }
  return edit
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/** Native times at which the channel bends; a curve is taken apart on the grid. */
function candidateTimes(channel: GltfChannel, window: Window, timeStep: number): number[] {
  const times = [window.start, window.end]
  for (const time of channel.times) times.push(window.start + time * window.rate)
  if (channel.interpolation === 'CUBICSPLINE') {
    const step = Math.max(timeStep, window.rate / CURVE_RATE, (window.end - window.start) / MOST_KEYS)
    for (let time = window.start; time < window.end; time += step) times.push(time)
  }
  return times
}

/** Of the rows that are no keys yet those without which the track would show something else. */
function needed<R extends { time: number; key: number; value: Float32Array }>(rows: R[], track: NativeTrack, changed: boolean): R[] {
  const width = track.components.length
  const kept = new Set<R>()
  const out = new Float32Array(4)
  const between = (a: R, b: R, time: number): Float32Array => {
    const t = b.time > a.time ? (time - a.time) / (b.time - a.time) : 0
    if (track.limits.stepped) out.set(a.value)
    else if (width === 4) slerp(out, 0, a.value, 0, b.value, 0, t)
    else for (let c = 0; c < width; c++) out[c] = a.value[c] + (b.value[c] - a.value[c]) * t
    return out
  }
  const split = (from: number, to: number): void => {
    const pending = [[from, to]]
    while (pending.length > 0) {
      const [low, high] = pending.pop()!
      let worst = NEEDED
      let at = -1
      for (let i = low + 1; i < high; i++) {
        const error = apart(between(rows[low], rows[high], rows[i].time), 0, rows[i].value, 0, width)
        if (error > worst) [worst, at] = [error, i]
      }
      if (at < 0) continue
      kept.add(rows[at])
      pending.push([low, at], [at, high])
    }
  }
  let last = 0
  for (let i = 1; i < rows.length; i++) {
    if (rows[i].key < 0 && i < rows.length - 1) continue
    split(last, i)
    last = i
  }
  // the ends hold against what is outside of the window, where anything changed or the track shows something else there
  for (const end of [rows[0], rows.at(-1)]) {
    if (!end || end.key >= 0) continue
    const [before, after] = neighbours(track, end.time)
    const shown = before < 0 || after < 0 ? undefined : between(rowOf(track, before) as R, rowOf(track, after) as R, end.time)
    const held = shown ?? (before >= 0 ? rowOf(track, before).value : after >= 0 ? rowOf(track, after).value : undefined)
    const differs = held === undefined || apart(held, 0, end.value, 0, width) > NEEDED
    if (differs || ((changed || kept.size > 0) && before >= 0 && after >= 0)) kept.add(end)
  }
  return rows.filter((row) => row.key < 0 && kept.has(row))
}

function neighbours(track: NativeTrack, time: number): [number, number] {
  let before = -1
  let after = -1
  track.times.forEach((t, i) => {
    if (t <= time && (before < 0 || t >= track.times[before])) before = i
    if (t >= time && (after < 0 || t < track.times[after])) after = i
  })
  return [before, after]
}

function rowOf(track: NativeTrack, key: number): { time: number; key: number; value: Float32Array } {
  const width = track.components.length
  return { time: track.times[key], key, value: track.values.subarray(key * width, key * width + width) }
}

/** How far the model is from the glTF now, at the glTF's keys: the greatest angle and distance of any joint. */
export function measureImport(scene: Scene, jobs: readonly Job[], report: ImportReport): void {
  const jointOf = new Map<string, number>()
  scene.skeleton.names.forEach((name, i) => {
    if (!jointOf.has(name.toLowerCase())) jointOf.set(name.toLowerCase(), i)
  })
  const pose = createPose(scene)
  const parts: Record<GltfPath, Float32Array> = {
    translation: new Float32Array(3),
    rotation: new Float32Array(4),
    scale: new Float32Array(3),
  }
  const value = new Float32Array(4)
  jobs.forEach(({ animation, window }, i) => {
    const clip = scene.clips[window.clip]
    const done = report.imported[i]
    const length = (window.end - window.start) / window.rate
    const times = new Set<number>()
    for (const channel of animation.channels)
      for (const time of channel.times) if (time <= length + 1e-6 && times.size < 2000) times.add(time)
    for (const time of times) {
      // beside a key may be a jump: a time that is a whole one but for its rounding is the whole one
      const native = window.start + time * window.rate
      const whole = Math.round(native)
      sampleClip(scene, clip, Math.abs(native - whole) <= timeRounding(time) * window.rate ? whole : native, pose)
      for (const channel of animation.channels) {
        const joint = jointOf.get(channel.node.toLowerCase())
        if (joint === undefined) continue
        decompose(pose.local, 16 * joint, parts.translation, 0, parts.rotation, 0, parts.scale, 0)
        sampleChannel(channel, time, value)
        if (channel.path === 'rotation') {
          const cosine = Math.min(1, Math.abs(dot(value, parts.rotation)) / (Math.hypot(...parts.rotation) || 1))
          // near 1 the cosine knows too little
          const chord = apart(value, 0, parts.rotation, 0, 4)
          done.degrees = Math.max(done.degrees, ((chord < 1e-3 ? 2 * chord : 2 * Math.acos(cosine)) * 180) / Math.PI)
        } else if (channel.path === 'translation')
          done.distance = Math.max(
            done.distance,
            Math.hypot(value[0] - parts.translation[0], value[1] - parts.translation[1], value[2] - parts.translation[2]),
          )
      }
    }
  })
}
