/** Tracks of the clip that plays, the keys that are chosen in them, and edits of those. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { latestAnswer } from '../latest.ts'
import type { NativeTrack, PoseKeys } from '../../../shared/api/types.ts'
import type { CallArgs } from '../../../shared/api/contract.ts'
import { copyKeys, keyedTimes, sameFile, type CopiedKeys } from '../../../shared/keys/clipboard.ts'
import { offsetValues, setValue, shiftAndOffset } from '../../../shared/keys/keys.ts'
import { chosenSpan, countKeys, type KeyPlan, type KeySelection } from '../../../shared/keys/plan.ts'
import { beyondLimits, roomFor } from '../../../shared/keys/retime.ts'
import { timeMap, type TaskPlan, type TimeChange } from '../../../shared/keys/tasks.ts'
import { isRotation } from '../../../shared/keys/value.ts'
import { planKeys, planPoses } from './planner.ts'
import { formatNumber } from '../../ui/format.ts'
import { Refusal, useAdjust, type AdjustField, type AdjustValue, type Told, type Way } from '../adjust.ts'
import { useModels } from '../models.ts'
import { usePlayback } from '../playback.ts'
import { useSelection } from '../selection.ts'
import { useSession } from '../session.ts'
import { say } from '../../../shared/texts/say.ts'

type Values = Record<string, AdjustValue>

/** What stands beside the keys in the ruler and moves in time with them, in the same step. */
export type Beside = NonNullable<CallArgs<'clips.editKeys'>['beside']>

/** A tool on keys. It works on the tracks that it finds when its turn comes, also when its values are adjusted later. */
export interface KeyTool<V extends Values> {
  title: string
  /** values that can be adjusted afterwards */
  fields?: AdjustField[]
  values: V
  plan(values: V, way: Way): TaskPlan | Promise<TaskPlan>
  label(plan: KeyPlan, values: V): string
  words?(plan: TaskPlan, values: V): string
  /** said where every key is as it would be */
  none?: string
  beside?(values: V): Beside | undefined
  /** the keys that are chosen afterwards: those of the plan by default */
  after?(plan: KeyPlan): Map<string, Set<number>>
  keep?(values: V): void
}

/** The same for tools that think in poses of the scene. */
export interface PoseTool<V extends Values> {
  title: string
  fields?: AdjustField[]
  values: V
  poses(
    values: V,
    way: Way,
  ):
    | { poses: PoseKeys[]; skipped: readonly string[]; words?: string }
    | Promise<{ poses: PoseKeys[]; skipped: readonly string[]; words?: string }>
  label(poses: PoseKeys[]): string
  keep?(values: V): void
}

export const besideField = (): AdjustField => ({
  key: 'beside',
  label: say('keyEdits.beside'),
  kind: 'switch',
  hint: say('keyEdits.besideHint'),
})

export const useKeys = defineStore('keys', () => {
  const session = useSession()
  const adjust = useAdjust()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const tracks = shallowRef<NativeTrack[]>([])
  const chosen = shallowRef<Map<string, Set<number>>>(new Map())
  const clipboard = shallowRef<CopiedKeys | null>(null)
  const loading = ref(false)
  const editable = computed(() => models.info?.abilities.clips === true && tracks.value.length > 0)
  const count = computed(() => countKeys(tracks.value, chosen.value))
  const span = computed(() => chosenSpan(chosen.value))
  const ask = latestAnswer()

  async function load(): Promise<void> {
    const model = models.active
    const clip = playback.state.clip
    const wanted = ask()
    if (!model?.info.abilities.clips || !model.scene.clips[clip]) {
      tracks.value = []
      chosen.value = new Map()
      return
    }
    loading.value = true
    try {
      const next = await session.call('clips.tracks', { model: model.id, clip })
      if (wanted()) tracks.value = next
    } catch {
      if (wanted()) tracks.value = []
    } finally {
      if (wanted()) loading.value = false
    }
  }

  watch(
    [() => models.activeId, () => playback.state.clip],
    () => {
      tracks.value = []
      chosen.value = new Map()
      void load()
    },
    { immediate: true },
  )
  watch(
    () => models.active?.viewScene,
    () => void load(),
  )

  /** a bone was chosen after the keys, and they are not its own: it is what is meant */
  let boneLast = false
  watch(chosen, () => (boneLast = false))
  watch(
    () => selection.current.joint,
    (joint) => (boneLast = joint >= 0 && tracks.value.some((t) => t.joint !== joint && chosen.value.has(t.id))),
  )

  function choose(next: Map<string, Set<number>>): void {
    for (const [id, times] of next) if (!times.size) next.delete(id)
    chosen.value = next
  }

  function clear(): void {
    if (chosen.value.size) chosen.value = new Map()
  }

  /** Keys of these tracks within a span of time, alone or added to what is chosen. */
  function chooseWithin(ids: readonly string[], start: number, end: number, mode: 'only' | 'add' | 'toggle'): void {
    const next = mode === 'only' ? new Map<string, Set<number>>() : new Map([...chosen.value].map(([id, times]) => [id, new Set(times)]))
    const wanted = new Set(ids)
    for (const track of tracks.value) {
      if (!wanted.has(track.id)) continue
      const times = next.get(track.id) ?? new Set<number>()
      for (const t of track.times) {
        if (t < start || t > end) continue
        if (mode === 'toggle' && times.has(t)) times.delete(t)
        else times.add(t)
      }
      next.set(track.id, times)
    }
    choose(next)
  }

  function chooseTimes(times: ReadonlyMap<string, ReadonlySet<number>>, add: boolean): void {
    const next = add ? new Map([...chosen.value].map(([id, own]) => [id, new Set(own)])) : new Map<string, Set<number>>()
    for (const [id, own] of times) next.set(id, new Set([...(next.get(id) ?? []), ...own]))
    choose(next)
  }

  function chooseAll(): void {
    choose(new Map(tracks.value.map((t) => [t.id, new Set(t.times)])))
  }

  /** Runs a tool on the keys that are there when its turn comes. */
  function use<V extends Values>(make: () => KeyTool<V> | null): Promise<boolean> {
    return adjust.perform(() => {
      const tool = make()
      if (!tool) return null
      const { title, fields = [], values, keep } = tool
      const run = async (now: V, way: Way): Promise<Told> => {
        const plan = await tool.plan(now, way)
        const beside = tool.beside?.(now)
        const moves = beside !== undefined && Object.values(beside).some((list) => list.length > 0)
        if (!plan.edits.length && !moves && plan.skipped.length) throw new Refusal(say('notices.nothingChanged'), plan.skipped.join('; '))
        // values that change nothing take back what others changed
        if (!plan.edits.length && !moves && !way.again) return { words: tool.none }
        await way.edit('clips.editKeys', {
          label: tool.label(plan, now),
          edits: plan.edits,
          ...(moves ? { clip: playback.state.clip, beside } : {}),
        })
        await load()
        choose(tool.after?.(plan) ?? plan.selection)
        return { words: plan.edits.length || moves ? tool.words?.(plan, now) : tool.none, left: plan.skipped }
      }
      return { title, fields, values, run, keep }
    })
  }

  /** Keys of the scene's poses; the services put them into the file's own words. */
  function usePoses<V extends Values>(make: () => PoseTool<V> | null): Promise<boolean> {
    return adjust.perform(() => {
      const tool = make()
      if (!tool) return null
      const { clip } = playback.state
      const { title, fields = [], values, keep } = tool
      const run = async (now: V, way: Way): Promise<Told> => {
        const { poses, skipped, words } = await tool.poses(now, way)
        if (!poses.length) throw new Refusal(say('notices.nothingChanged'), skipped.join('; '))
        await way.edit('clips.pose', { clip, label: tool.label(poses), poses })
        await load()
        return { words, left: skipped }
      }
      return { title, fields, values, run, keep }
    })
  }

  const unit = (): string => say(`units.times.${playback.clip?.unit ?? 'frame'}`)

  /** Keys that would land beyond the clip's end would all come to stand on it, and all but one be lost: they are refused. */
  function retime(change: TimeChange, on: readonly NativeTrack[], selection: KeySelection, way: Way): Promise<TaskPlan> {
    const end = beyondLimits(on, selection, timeMap(change))
    if (end !== null) throw new Refusal(say('notices.nothingChanged'), say('keyEdits.beyond', { end: formatNumber(end, 7) }))
    return planKeys({ tool: 'retime', change }, on, selection, way)
  }

  /** Ends of slices, events and markers of the clip within a span, where a change of time takes them. */
  function besideKeys(change: TimeChange, within: { start: number; end: number }): Beside {
    const { to } = timeMap(change)
    const scene = models.scene
    const clip = playback.state.clip
    const abilities = models.info?.abilities
    const inside = (t: number): boolean => t >= within.start && t <= within.end
    const whole = (t: number): number => Number(t.toPrecision(12))
    const out: Beside = { slices: [], events: [], markers: [] }
    if (abilities?.slices) {
      const stored = (t: number): number => (abilities.slices!.integerFrames ? Math.round(t) : whole(t))
      scene?.slices.forEach((s, slice) => {
        if (s.clip !== clip || !(inside(s.start) || inside(s.end))) return
        const ends = [s.start, s.end].map((t) => (inside(t) ? stored(to(t)) : t)).sort((a, b) => a - b)
        if (ends[0] !== s.start || ends[1] !== s.end) out.slices.push({ slice, start: ends[0], end: ends[1] })
      })
    }
    if (abilities?.events) {
      scene?.clips[clip]?.events.forEach((e, event) => {
        const time = playback.clip?.unit === 'ms' ? Math.round(to(e.time)) : whole(to(e.time))
        if (inside(e.time) && time !== e.time) out.events.push({ event, time: Math.max(0, time) })
      })
    }
    scene?.markers.forEach((m, marker) => {
      const time = whole(to(m.time))
      if (m.clip === clip && inside(m.time) && time !== m.time) out.markers.push({ marker, time })
    })
    return out
  }

  function shift(delta: number): Promise<boolean> {
    return use(() => {
      const [from, selection] = [tracks.value, chosen.value]
      if (!selection.size) return null
      return {
        title: say('keyEdits.move.title'),
        fields: [{ key: 'by', label: say('keyEdits.by'), kind: 'number', unit: unit(), step: from[0]?.limits.timeStep || 1 }],
        values: { by: delta },
        plan: ({ by }, way) => retime({ kind: 'shift', by: roomFor(from, selection, by) }, from, selection, way),
        label: (plan) => say('keyEdits.move.edit', { count: plan.count }),
        words: (_plan, { by }) =>
          roomFor(from, selection, by) === by ? '' : say('keyEdits.move.stopped', { by: formatNumber(roomFor(from, selection, by), 7) }),
        none: delta && !roomFor(from, selection, delta) ? say('keyEdits.move.noRoom') : undefined,
      }
    })
  }

  /** Stretches the chosen keys so that their last one comes to `end`. */
  function stretch(end: number): Promise<boolean> {
    return use(() => {
      const [from, selection, s] = [tracks.value, chosen.value, span.value]
      if (!s || s.end <= s.start || end <= s.start) return null
      const change = (to: number): TimeChange => ({ kind: 'scale', pivot: s.start, factor: (to - s.start) / (s.end - s.start) })
      return {
        title: say('keyEdits.scale.title'),
        fields: [{ key: 'end', label: say('keyEdits.scale.lastKey'), kind: 'number', unit: unit(), min: s.start + 1e-6 }, besideField()],
        values: { end, beside: true },
        plan: (v, way) => retime(change(v.end), from, selection, way),
        label: (plan) => say('keyEdits.scale.edit', { count: plan.count }),
        beside: (v) => (v.beside ? besideKeys(change(v.end), s) : undefined),
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
        plan: (_v, way) => retime({ kind: 'reverse', ...s }, from, own, way),
        label: (plan) => say('keyEdits.reverse.edit', { count: plan.count }),
        after: (plan) => (kept ? plan.selection : new Map()),
      }
    })
  }

  function remove(): Promise<boolean> {
    return use(() => {
      const [from, selection] = [tracks.value, chosen.value]
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
      const { joint } = selection.current
      const ids = new Set(chosen.value.keys())
      const on: Record<string, readonly NativeTrack[]> = { all: from }
      if (joint >= 0) on.bone = from.filter((t) => t.joint === joint)
      if (ids.size) on.chosen = from.filter((t) => ids.has(t.id))
      const names: Record<string, string> = {
        chosen: say('keyEdits.insert.chosen'),
        bone: models.scene?.skeleton.names[joint] ?? say('keyEdits.insert.bone'),
        all: say('keyEdits.insert.all'),
      }
      return {
        title: say('keyEdits.insert.title'),
        fields: [
          { key: 'time', label: say('keyEdits.insert.at'), kind: 'number', unit: unit() },
          {
            key: 'on',
            label: say('keyEdits.insert.in'),
            kind: 'choice',
            options: Object.keys(on)
              .reverse()
              .map((value) => ({ value, label: names[value] })),
          },
        ],
        values: { time: playback.playhead, on: ids.size && !boneLast ? 'chosen' : on.bone ? 'bone' : 'all' },
        plan: (v, way) => planKeys({ tool: 'insert', time: v.time }, on[v.on], new Map(), way),
        label: (plan) => say('keyEdits.insert.edit', { count: plan.count }),
        none: say('keyEdits.insert.none'),
      }
    })
  }

  function copy(): void {
    const scene = models.scene
    const clip = playback.clip
    clipboard.value = copyKeys(tracks.value, chosen.value, scene && clip ? { scene, clip } : null) ?? clipboard.value
  }

  function cut(): Promise<boolean> {
    copy()
    return remove()
  }

  /** At the playhead. Keys of another file go there as poses, since files turn their axes in ways of their own. */
  function paste(): Promise<boolean> {
    const copied = clipboard.value
    if (!copied || !playback.clip || !models.scene) return Promise.resolve(false)
    const fields: AdjustField[] = [
      { key: 'time', label: say('keyEdits.paste.from'), kind: 'number', unit: unit() },
      {
        key: 'over',
        label: say('keyEdits.paste.over'),
        kind: 'switch',
        hint: say('keyEdits.paste.overHint'),
      },
    ]
    const values = { time: playback.playhead, over: true }
    if (sameFile(tracks.value, copied)) {
      return use(() => {
        const from = tracks.value
        return {
          title: say('keyEdits.paste.title'),
          fields,
          values,
          plan: ({ time, over }, way) => planKeys({ tool: 'paste', copied, time, over }, from, new Map(), way),
          label: (plan) => say('keyEdits.paste.edit', { count: plan.count }),
        }
      })
    }
    return usePoses(() => {
      const { clip, scene } = { clip: playback.clip, scene: models.scene }
      if (!clip || !scene) return null
      const last = Math.max(...tracks.value.map((t) => t.limits.maxTime))
      const keyed = keyedTimes(tracks.value)
      return {
        title: say('keyEdits.paste.asPoses'),
        fields,
        values,
        poses: ({ time, over }, way) =>
          planPoses({ tool: 'paste', copied, names: scene.skeleton.names, time, rate: clip.rate, last, over: over ? keyed : null }, way),
        label: (poses) => say('keyEdits.paste.edit', { count: poses.reduce((n, p) => n + p.times.length, 0) }),
      }
    })
  }

  /** The one track whose keys are chosen: its values can be typed. */
  const single = computed(() => {
    if (chosen.value.size !== 1) return null
    const [id, times] = [...chosen.value][0]
    const track = tracks.value.find((t) => t.id === id)
    if (!track || times.size !== 1) return null
    const time = [...times][0]
    const key = track.times.indexOf(time)
    return key < 0
      ? null
      : { track, time, key, values: [...track.values.subarray(key * track.components.length, (key + 1) * track.components.length)] }
  })

  function setSingle(component: number, value: number): Promise<boolean> {
    return use(() => {
      const s = single.value
      if (!s) return null
      return {
        title: say('keyEdits.value.title'),
        values: {},
        plan: () => setValue(s.track, new Set([s.time]), component, value),
        label: () => say('keyEdits.value.of', { component: s.track.components[component], target: s.track.target }),
      }
    })
  }

  /** Adds to one component of the chosen keys of a track. */
  function offset(id: string, component: number, by: number): Promise<boolean> {
    return use(() => {
      const track = tracks.value.find((t) => t.id === id)
      const times = chosen.value.get(id)
      if (!track || !times) return null
      const name = track.components[component]
      return {
        title: say('keyEdits.value.of', { component: name, target: track.target }),
        fields: [{ key: 'by', label: say('keyEdits.by'), kind: 'number', step: 0.01, digits: 6 }],
        values: { by: Number(by.toPrecision(6)) },
        plan: (v) => offsetValues(track, times, component, v.by),
        words: () => (isRotation(track) ? say('keyEdits.value.turn') : ''),
        label: (plan) => say('keyEdits.value.ofKeys', { component: name, count: plan.count }),
      }
    })
  }

  /** Chosen keys of all tracks in time, and one component of one of the tracks in value: a free drag of a curve. */
  function drag(id: string, component: number, dt: number, dv: number): Promise<boolean> {
    if (!dv) return shift(dt)
    if (!dt) return offset(id, component, dv)
    return use(() => {
      const [from, selection] = [tracks.value, chosen.value]
      const track = from.find((t) => t.id === id)
      if (!track) return null
      const name = track.components[component]
      return {
        title: say('keyEdits.drag.title', { component: name }),
        fields: [
          { key: 'time', label: say('keyEdits.drag.time'), kind: 'number', unit: unit(), step: track.limits.timeStep || 1 },
          { key: 'value', label: say('keyEdits.drag.value', { component: name }), kind: 'number', step: 0.01, digits: 6 },
        ],
        values: { time: dt, value: Number(dv.toPrecision(6)) },
        plan: (v) => shiftAndOffset(from, selection, roomFor(from, selection, v.time), id, component, v.value),
        words: () => (track.limits.dense ? say('keyEdits.drag.dense') : isRotation(track) ? say('keyEdits.value.turn') : ''),
        label: (plan) => say('keyEdits.move.edit', { count: plan.count }),
      }
    })
  }

  return {
    tracks,
    chosen,
    clipboard,
    loading,
    editable,
    count,
    span,
    single,
    load,
    choose,
    clear,
    chooseWithin,
    chooseTimes,
    chooseAll,
    shift,
    stretch,
    reverse,
    remove,
    insert,
    copy,
    cut,
    paste,
    drag,
    setSingle,
    use,
    usePoses,
    retime,
    besideKeys,
  }
})
