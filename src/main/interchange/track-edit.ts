/** The edit of a clip's track that makes it show what a part of a joint became. */
import { jointNames } from '../../shared/scene/animation-names.ts'
import { FormatError } from '../binary/format-error.ts'
import { slerp } from '../../shared/scene/matrix.ts'
import { applyChange } from './clip-difference.ts'
import { dot } from './quaternion.ts'
import type { ClipEditor, EditSession } from '../formats/editing.ts'
import type { KeyEdit, NativeTrack } from '../../shared/api/types/clips.ts'
import type { Baseline, PartChange } from './clip-difference.ts'
import type { Window } from './import-names.ts'
import { say } from '../../shared/texts/say.ts'
import { length4 } from '../../shared/scene/length.ts'

export interface EditContext {
  session: EditSession
  editor: ClipEditor
  window: Window
  baseline: Baseline
}

/** Differences below these are rounding: a key keeps its bytes, a key between two others is not needed. Parts of a unit quaternion; lengths against 1 or the length itself. */
const SAME = 1e-5
const NEEDED = 1e-4
const MOST_KEYS = 200_000

/** Tracks for what moves now and had none. */
export function tracksFor(context: EditContext, changes: readonly PartChange[]): { added: number; left: string[] } {
  const { session, editor, window } = context
  const names = jointNames(session.assembled.scene.skeleton)
  const tracks = editor.tracks(session, window.clip)
  const out = { added: 0, left: [] as string[] }
  for (const change of changes) {
    const { joint, path } = change
    if (!change.any) continue
    const own = tracks.filter((t) => t.joint === joint && t.property === path)
    // an axis with a track of its own each: those that are not there
    const missing =
      own.length > 0 && path !== 'rotation' ? ['x', 'y', 'z'].filter((axis) => !own.some((t) => t.components.includes(axis))) : []
    if (own.length > 0 && missing.length === 0) continue
    const native = (value: Float32Array): Float32Array =>
      own.length > 0 ? editor.fromScene(session, { ...own[0], components: missing }, value) : value
    if (!moves(change, native)) continue
    try {
      if (!editor.addTrack) throw new FormatError('unsupported', say('importedMotion.noMoreTracks'))
      editor.addTrack(session, window.clip, joint, path)
      out.added++
    } catch (error) {
      out.left.push(say('importedMotion.trackOf', { part: path, joint: names[joint], why: (error as Error).message }))
    }
  }
  return out
}

function moves({ path, times, values, before, changed }: PartChange, native: (value: Float32Array) => Float32Array): boolean {
  const width = path === 'rotation' ? 4 : 3
  for (let i = 0; i < times.length; i++) {
    if (!changed[i]) continue
    const now = native(Float32Array.from(values.subarray(i * width, i * width + width)))
    const was = native(Float32Array.from(before.subarray(i * width, i * width + width)))
    if (apart(now, 0, was, 0, was.length) > NEEDED) return true
  }
  return false
}

/** Greatest difference of a part; of quaternions, which may have either sign and any length, as if of length 1. */
function apart(a: ArrayLike<number>, ao: number, b: ArrayLike<number>, bo: number, width: number): number {
  let scale = 1
  let [same, opposite] = [0, 0]
  const la = width === 4 ? length4(a[ao], a[ao + 1], a[ao + 2], a[ao + 3]) || 1 : 1
  const lb = width === 4 ? length4(b[bo], b[bo + 1], b[bo + 2], b[bo + 3]) || 1 : 1
  for (let c = 0; c < width; c++) {
    same = Math.max(same, Math.abs(a[ao + c] / la - b[bo + c] / lb))
    opposite = Math.max(opposite, Math.abs(a[ao + c] / la + b[bo + c] / lb))
    if (width < 4) scale = Math.max(scale, Math.abs(b[bo + c]))
  }
  return (width === 4 ? Math.min(same, opposite) : same) / scale
}

interface Row {
  /** native */
  time: number
  /** -1 for one that is no key yet */
  key: number
  value: Float32Array
  kept: boolean
}

/** @returns undefined where the track shows it already */
export function trackEdit(context: EditContext, track: NativeTrack, change: PartChange): KeyEdit | undefined {
  const { session, editor, window, baseline } = context
  const width = track.components.length
  const size = change.path === 'rotation' ? 4 : 3
  const { timeStep, minTime, maxTime, dense } = track.limits
  const snap = 1e-4 * window.rate
  const [first, last] = [change.times[0], change.times.at(-1)!]
  const wanted = (time: number, like: ArrayLike<number> | undefined): { value: Float32Array; changed: boolean } => {
    const value = new Float32Array(4)
    const seconds = (time - window.start) / window.rate
    baseline.at(change.joint, change.path, seconds, value)
    const changed = applyChange(change, seconds, value)
    const native = editor.fromScene(session, track, value.slice(0, size))
    // games blend quaternions as they stand: the sign of the neighbour
    if (width === 4 && like && dot(native, 0, like, 0) < 0) for (let c = 0; c < 4; c++) native[c] = -native[c]
    return { value: native, changed }
  }
  // keys that are there
  const rows: Row[] = []
  track.times.forEach((time, key) => {
    if (time < window.start - snap || time > window.end + snap) return
    const own = track.values.subarray(key * width, key * width + width)
    const next = wanted(time, own)
    // where old and new value mean the same pose, the stored one stays
    const same = !next.changed || apart(next.value, 0, own, 0, width) <= SAME
    rows.push({ time, key, value: same ? own : next.value, kept: same })
  })
  if (!dense) {
    // and those that would be needed on the grid: where something changed, and beside it
    const there = new Set(rows.map((row) => Math.round(row.time / (timeStep || snap))))
    const candidates = [first, last]
    change.times.forEach((time, i) => {
      if (change.changed[i] || change.changed[i - 1] || change.changed[i + 1]) candidates.push(time)
    })
    for (const seconds of candidates) {
      const at = window.start + seconds * window.rate
      const time = timeStep > 0 ? Math.round(at / timeStep) * timeStep : at
      const cell = Math.round(time / (timeStep || snap))
      if (time < Math.max(minTime, window.start - snap) || time > Math.min(maxTime, window.end + snap) || there.has(cell)) continue
      there.add(cell)
      rows.push({ time, key: -1, value: wanted(time, undefined).value, kept: false })
      if (rows.length > MOST_KEYS) throw new FormatError('invalid-edit', say('edits.tooManyKeys', { track: track.target, most: MOST_KEYS }))
    }
    rows.sort((a, b) => a.time - b.time || a.key - b.key)
    for (let i = 1; i < rows.length; i++)
      if (rows[i].key < 0 && width === 4 && dot(rows[i].value, 0, rows[i - 1].value, 0) < 0) rows[i].value = rows[i].value.map((v) => -v)
  }
  const set = rows.filter((row) => row.key >= 0 && !row.kept)
  const insert = needed(rows, track)
  if (set.length === 0 && insert.length === 0) return undefined
  const edit: KeyEdit = { track: track.id }
  const join = (list: Row[]): Float32Array => {
    const out = new Float32Array(list.length * width)
    list.forEach((row, i) => out.set(row.value, i * width))
    return out
  }
  if (set.length > 0)
    edit.set = { keys: Uint32Array.from(set, (row) => row.key), times: Float64Array.from(set, (row) => row.time), values: join(set) }
  if (insert.length > 0) edit.insert = { times: Float64Array.from(insert, (row) => row.time), values: join(insert) }
  return edit
}

/** Of the rows that are no keys yet those without which the track would show something else. */
function needed(rows: Row[], track: NativeTrack): Row[] {
  const width = track.components.length
  const kept = new Set<Row>()
  const out = new Float32Array(4)
  const between = (a: Pick<Row, 'time' | 'value'>, b: Pick<Row, 'time' | 'value'>, time: number): Float32Array => {
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
  for (const [end, beside] of [
    [rows[0], rows.find((row) => row.key >= 0 || kept.has(row))],
    [rows.at(-1), rows.findLast((row) => row.key >= 0 || kept.has(row))],
  ]) {
    if (!end || end.key >= 0) continue
    const [before, after] = neighbours(track, end.time)
    const shown = before < 0 || after < 0 ? undefined : between(rowOf(track, before), rowOf(track, after), end.time)
    const held = shown ?? (before >= 0 ? rowOf(track, before).value : after >= 0 ? rowOf(track, after).value : undefined)
    const differs = held === undefined || apart(held, 0, end.value, 0, width) > NEEDED
    if (differs || (beside && !beside.kept && before >= 0 && after >= 0)) kept.add(end)
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

function rowOf(track: NativeTrack, key: number): Pick<Row, 'time' | 'value'> {
  const width = track.components.length
  return { time: track.times[key], value: track.values.subarray(key * width, key * width + width) }
}
