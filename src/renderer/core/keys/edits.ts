/** Edits of the chosen keys: in time, in value, and which there are. */
import type { ShallowRef } from 'vue'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { offsetValues, setValue, shiftAndOffset, type ValueAxis } from '../../../shared/keys/keys.ts'
import { emptyPlan, type KeySelection } from '../../../shared/keys/plan.ts'
import { DEGREES } from '../../../shared/keys/degrees.ts'
import { roomFor } from '../../../shared/keys/retime.ts'
import type { TaskPlan, TimeChange } from '../../../shared/keys/tasks.ts'
import { isRotation } from '../../../shared/keys/value.ts'
import { formatNumber } from '../../ui/format.ts'
import { useModels } from '../models.ts'
import { usePlayback } from '../playback.ts'
import { useSelection } from '../selection.ts'
import { besideField, besideKeys } from './beside.ts'
import type { ChosenKeys } from './chosen.ts'
import { planRetime, timeUnit, type KeyToolRuns } from './key-tool.ts'
import { planKeys, type Watch } from './planner.ts'
import { say } from '../../../shared/texts/say.ts'

export function keyEdits(tracks: ShallowRef<NativeTrack[]>, { chosen, span, single, boneIsMeant }: ChosenKeys, { use }: KeyToolRuns) {
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()

  function shift(delta: number): Promise<boolean> {
    return use(() => {
      const [from, selection] = [tracks.value, chosen.value]
      if (!selection.size) return null
      return {
        title: say('keyEdits.move.title'),
        fields: [{ key: 'by', label: say('keyEdits.by'), kind: 'number', unit: timeUnit(), step: from[0]?.limits.timeStep || 1 }],
        values: { by: delta },
        plan: ({ by }, way) => planRetime({ kind: 'shift', by: roomFor(from, selection, by) }, from, selection, way),
        label: (plan) => say('keyEdits.move.edit', { count: plan.count }),
        words: (_plan, { by }) =>
          roomFor(from, selection, by) === by ? '' : say('keyEdits.move.stopped', { by: formatNumber(roomFor(from, selection, by), 7) }),
        none: delta && !roomFor(from, selection, delta) ? say('keyEdits.move.noRoom') : undefined,
      }
    })
  }

  const scaleTo = (s: { start: number; end: number }, to: number, end: 'start' | 'end'): TimeChange => {
    const pivot = end === 'end' ? s.start : s.end
    return { kind: 'scale', pivot, factor: (to - pivot) / (s[end] - pivot) }
  }

  /** What comes of a stretch of chosen keys, before it is made. */
  async function planStretch(time: number, end: 'start' | 'end', way: Watch): Promise<TaskPlan> {
    const s = span.value
    return s ? planRetime(scaleTo(s, time, end), tracks.value, chosen.value, way) : emptyPlan()
  }

  /** Stretches the chosen keys so that the last or the first one of them comes to a time; the one at the other end stays. */
  function stretch(time: number, end: 'start' | 'end' = 'end'): Promise<boolean> {
    return use(() => {
      const [from, selection, s] = [tracks.value, chosen.value, span.value]
      if (!s || s.end <= s.start || (end === 'end' ? time <= s.start : time >= s.end)) return null
      const change = (to: number): TimeChange => scaleTo(s, to, end)
      return {
        title: say('keyEdits.scale.title'),
        fields: [
          {
            key: 'time',
            label: say(`keyEdits.scale.${end}`),
            kind: 'number',
            unit: timeUnit(),
            ...(end === 'end' ? { min: s.start + 1e-6 } : { max: s.end - 1e-6 }),
          },
          besideField(),
        ],
        values: { time, beside: true },
        plan: (v, way) => planRetime(change(v.time), from, selection, way),
        label: (plan) => say('keyEdits.scale.edit', { count: plan.count }),
        beside: (v) => (v.beside ? besideKeys(change(v.time), s) : undefined),
      }
    })
  }

  function reverse(selection?: KeySelection, within?: { start: number; end: number }): Promise<boolean> {
    return use(() => {
      const [from, own, s] = [tracks.value, selection ?? chosen.value, within ?? span.value]
      if (!s || s.end <= s.start) return null
      const kept = chosen.value.size > 0
      return {
        title: say('keyEdits.reverse.title'),
        values: {},
        plan: (_v, way) => planRetime({ kind: 'reverse', ...s }, from, own, way),
        label: (plan) => say('keyEdits.reverse.edit', { count: plan.count }),
        after: (plan) => (kept ? plan.selection : new Map()),
      }
    })
  }

  function remove(these?: KeySelection): Promise<boolean> {
    return use(() => {
      const [from, selection] = [tracks.value, these ?? chosen.value]
      return {
        title: say('keyEdits.remove.title'),
        values: {},
        plan: (_v, way) => planKeys({ tool: 'remove' }, from, selection, way),
        label: (plan) => say('keyEdits.remove.edit', { count: plan.count }),
      }
    })
  }

  /** At the playhead: in the tracks of the chosen keys or of the chosen bone, whichever was chosen last, else in all. */
  function insert(): Promise<boolean> {
    return use(() => {
      const from = tracks.value
      const joints = new Set(selection.joints)
      const [joint = -1] = selection.joints
      const ids = new Set(chosen.value.keys())
      const on: Record<string, readonly NativeTrack[]> = { all: from }
      if (joint >= 0) on.bone = from.filter((t) => joints.has(t.joint))
      if (ids.size) on.chosen = from.filter((t) => ids.has(t.id))
      const names: Record<string, string> = {
        chosen: say('keyEdits.insert.chosen'),
        bone:
          joints.size > 1
            ? say('units.bones', { count: joints.size })
            : (models.scene?.skeleton.names[joint] ?? say('keyEdits.insert.bone')),
        all: say('keyEdits.insert.all'),
      }
      return {
        title: say('keyEdits.insert.title'),
        fields: [
          { key: 'time', label: say('keyEdits.insert.at'), kind: 'number', unit: timeUnit() },
          {
            key: 'on',
            label: say('keyEdits.insert.in'),
            kind: 'choice',
            options: Object.keys(on)
              .reverse()
              .map((value) => ({ value, label: names[value] })),
          },
        ],
        values: { time: playback.playhead, on: ids.size && !boneIsMeant.value ? 'chosen' : on.bone ? 'bone' : 'all' },
        plan: (v, way) => planKeys({ tool: 'insert', time: v.time }, on[v.on], new Map(), way),
        label: (plan) => say('keyEdits.insert.edit', { count: plan.count }),
        none: say('keyEdits.insert.none'),
      }
    })
  }

  /** Keys of what plays at `time`, in these tracks. */
  function insertIn(on: readonly NativeTrack[], time: number): Promise<boolean> {
    return use(() => ({
      title: say('keyEdits.insert.title'),
      values: {},
      plan: (_v, way) => planKeys({ tool: 'insert', time }, on, new Map(), way),
      label: (plan) => say('keyEdits.insert.edit', { count: plan.count }),
      none: say('keyEdits.insert.none'),
    }))
  }

  /** What comes of another value of the one chosen key, before it is kept. */
  function planSingle(component: number, value: number): TaskPlan {
    const s = single.value
    return s ? setValue(s.track, new Set([s.time]), component, value) : emptyPlan()
  }

  function setSingle(component: number, value: number): Promise<boolean> {
    return use(() => {
      const s = single.value
      if (!s) return null
      return {
        title: say('keyEdits.value.title'),
        values: {},
        plan: () => planSingle(component, value),
        label: () => say('keyEdits.value.of', { component: s.track.components[component], target: s.track.target }),
      }
    })
  }

  const nameOf = (track: NativeTrack, { component, degrees }: ValueAxis): string =>
    degrees ? DEGREES[component] : track.components[component]
  const byField = ({ degrees }: ValueAxis): { unit?: string; step: number; digits: number } =>
    degrees ? { unit: '°', step: 1, digits: 4 } : { step: 0.01, digits: 6 }
  /** a turn keeps its length, which the other components follow; degrees say nothing of it */
  const follows = (track: NativeTrack, { degrees }: ValueAxis): string => (isRotation(track) && !degrees ? say('keyEdits.value.turn') : '')

  /** Adds to one component of the chosen keys of a track. */
  function offset(id: string, axis: ValueAxis, by: number): Promise<boolean> {
    return use(() => {
      const track = tracks.value.find((t) => t.id === id)
      const times = chosen.value.get(id)
      if (!track || !times) return null
      const name = nameOf(track, axis)
      return {
        title: say('keyEdits.value.of', { component: name, target: track.target }),
        fields: [{ key: 'by', label: say('keyEdits.by'), kind: 'number', ...byField(axis) }],
        values: { by: Number(by.toPrecision(6)) },
        plan: (v) => offsetValues(track, times, axis, v.by),
        words: () => follows(track, axis),
        label: (plan) => say('keyEdits.value.ofKeys', { component: name, count: plan.count }),
      }
    })
  }

  /** What comes of a free drag of a curve, before it is let go: chosen keys of all tracks in time, and one component of one of them in value. */
  function planDrag(id: string, axis: ValueAxis, dt: number, dv: number, way: Watch): TaskPlan | Promise<TaskPlan> {
    const [from, selection] = [tracks.value, chosen.value]
    return dv ? shiftAndOffset(from, selection, roomFor(from, selection, dt), id, axis, dv) : planShift(dt, way)
  }

  /** The same of chosen keys in time alone. */
  function planShift(by: number, way: Watch): Promise<TaskPlan> {
    const [from, selection] = [tracks.value, chosen.value]
    return planRetime({ kind: 'shift', by: roomFor(from, selection, by) }, from, selection, way)
  }

  /** The same as an edit. */
  function drag(id: string, axis: ValueAxis, dt: number, dv: number): Promise<boolean> {
    if (!dv) return shift(dt)
    if (!dt) return offset(id, axis, dv)
    return use(() => {
      const [from, selection] = [tracks.value, chosen.value]
      const track = from.find((t) => t.id === id)
      if (!track) return null
      const name = nameOf(track, axis)
      return {
        title: say('keyEdits.drag.title', { component: name }),
        fields: [
          { key: 'time', label: say('keyEdits.drag.time'), kind: 'number', unit: timeUnit(), step: track.limits.timeStep || 1 },
          { key: 'value', label: say('keyEdits.drag.value', { component: name }), kind: 'number', ...byField(axis) },
        ],
        values: { time: dt, value: Number(dv.toPrecision(6)) },
        plan: (v) => shiftAndOffset(from, selection, roomFor(from, selection, v.time), id, axis, v.value),
        words: () => (track.limits.dense ? say('keyEdits.drag.dense') : follows(track, axis)),
        label: (plan) => say('keyEdits.move.edit', { count: plan.count }),
      }
    })
  }

  return { shift, stretch, planStretch, reverse, remove, insert, insertIn, planSingle, setSingle, planShift, planDrag, drag }
}
