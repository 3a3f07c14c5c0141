/** Tools that work on many keys: on the chosen ones, else on all of the clip's (of the slice that plays, where one does). */
import { defineStore } from 'pinia'
import { computed, reactive } from 'vue'
import { mirrorTimes, sidesByPlace, sidesOf, type NamePair } from '../../../shared/keys/mirror.ts'
import { countKeys, type KeyPlan, type KeySelection } from '../../../shared/keys/plan.ts'
import { runsInto } from '../../../shared/keys/retime.ts'
import { MEETINGS, type Meeting } from '../../../shared/keys/smooth.ts'
import type { TimeChange } from '../../../shared/keys/tasks.ts'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { Refusal, type AdjustField } from '../../core/adjust.ts'
import { besideCycle, besideField, besideKeys } from '../../core/keys/beside.ts'
import { planRetime, timeUnit } from '../../core/keys/key-tool.ts'
import { useKeys } from '../../core/keys/store.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { frameStep } from '../../core/clock.ts'
import { formatNumber } from '../../ui/format.ts'
import { planKeys, planPoses } from '../../core/keys/planner.ts'
import { say, sayCount } from '../../../shared/texts/say.ts'

export const useKeyTools = defineStore('keyTools', () => {
  const models = useModels()
  const playback = usePlayback()
  const keys = useKeys()
  /** what the fields of the panel hold */
  const settings = reactive({
    degrees: 0.2,
    distance: 0.01,
    factor: 0.002,
    strength: 0.5,
    rounds: 1,
    percent: 100,
    beside: true,
    x: 0,
    y: 0,
    z: 0,
    over: 0,
    pairs: '',
    byPlace: true,
    travel: true,
    meeting: 'end' as Meeting,
  })

  const range = computed(() => {
    const clip = playback.clip
    const slice = playback.slice
    return slice ? { start: slice.start, end: slice.end } : { start: clip?.start ?? 0, end: clip?.end ?? 0 }
  })

  /** Chosen keys; else every key of what plays. */
  const target = computed<KeySelection>(() => {
    if (keys.chosen.size) return keys.chosen
    const { start, end } = range.value
    const whole = playback.slice === null
    return new Map(keys.tracks.map((t) => [t.id, new Set(whole ? t.times : t.times.filter((time) => time >= start && time <= end))]))
  })
  const count = computed(() => countKeys(keys.tracks, target.value))
  const words = computed(() => {
    const told = { count: count.value }
    if (keys.chosen.size) return say('keyTools.chosenKeys', told)
    if (!playback.slice) return say('keyTools.allKeys', told)
    return say('keyTools.keysOf', { ...told, slice: playback.slice.name || say('keyTools.theSlice') })
  })
  const possible = computed(() => keys.editable && playback.clip !== null)
  const units = computed(timeUnit)

  const many = (count: number): string => say('timeline.keys.number', { count })
  const sized = sayCount
  const number = (
    key: string,
    label: string,
    more: Omit<AdjustField & { kind: 'number' }, 'key' | 'label' | 'kind'> = {},
  ): AdjustField => ({ key, label, kind: 'number', ...more })

  /** What a tool finds when its turn comes; keys stay chosen only where they were. */
  function found() {
    const kept = keys.chosen.size > 0
    return {
      tracks: keys.tracks,
      selection: target.value,
      span: keys.span ?? range.value,
      after: (plan: KeyPlan): Map<string, Set<number>> => (kept ? plan.selection : new Map()),
    }
  }

  /** A tool whose values are those of the panel: what is adjusted is what the panel has from then on. */
  function kept<K extends keyof typeof settings>(
    ...names: K[]
  ): { values: Pick<typeof settings, K>; keep: (values: Pick<typeof settings, K>) => void } {
    return {
      values: Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<typeof settings, K>,
      keep: (values) => names.forEach((name) => (settings[name] = values[name])),
    }
  }

  function reduce(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, selection, after } = found()
      const before = count.value
      return {
        title: say('keyTools.reduce.title'),
        fields: [
          number('degrees', say('keyTools.reduce.turns'), { unit: '°', min: 0, max: 90, step: 0.1 }),
          number('distance', say('keyTools.reduce.positions'), { unit: say('keyTools.units'), min: 0, step: 0.01 }),
          number('factor', say('keyTools.reduce.other'), { min: 0, step: 0.001 }),
        ],
        ...kept('degrees', 'distance', 'factor'),
        plan: (tolerance, way) => planKeys({ tool: 'reduce', tolerance: { ...tolerance } }, tracks, selection, way),
        label: (plan) => say('keyTools.reduce.edit', { keys: many(before - plan.count) }),
        words(plan) {
          const reached = plan.reached!
          const most = [
            reached.degrees > 0 ? `${formatNumber(reached.degrees, 3)}°` : '',
            reached.distance > 0 ? say('keyTools.distance', { distance: formatNumber(reached.distance, 3) }) : '',
            reached.factor > 0 ? formatNumber(reached.factor, 3) : '',
          ].filter(Boolean)
          return say('keyTools.reduce.done', {
            taken: sized(plan.count),
            before: many(before),
            most: most.join(', ') || say('common.none'),
          })
        },
        none: say('keyTools.reduce.none'),
        after,
      }
    })
  }

  function smooth(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, selection, after } = found()
      return {
        title: say('keyTools.smooth.title'),
        fields: [
          number('strength', say('keyTools.smooth.strength'), { min: 0, max: 1, step: 0.1 }),
          number('rounds', say('keyTools.smooth.roundsField'), { min: 1, max: 50, integer: true }),
        ],
        ...kept('strength', 'rounds'),
        plan: ({ strength, rounds }, way) => planKeys({ tool: 'smooth', strength, rounds }, tracks, selection, way),
        label: (plan) => say('keyTools.smooth.edit', { keys: many(plan.count) }),
        none: say('keyTools.smooth.none'),
        after,
      }
    })
  }

  function snap(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, selection, after } = found()
      const clip = playback.clip
      if (!clip) return null
      const step = frameStep(clip.unit)
      return {
        title: say('keyTools.snap.title'),
        fields: [number('every', say('keyTools.snap.every'), { unit: say('keyTools.frames'), min: 0.01, step: 1 })],
        values: { every: 1 },
        plan: ({ every }, way) => planKeys({ tool: 'retime', change: { kind: 'snap', step: step * every } }, tracks, selection, way),
        label: (plan) => say('keyTools.snap.edit', { keys: many(plan.count) }),
        none: say('keyTools.snap.none'),
        after,
      }
    })
  }

  /** Longer or shorter from the first of the keys on. */
  function retime(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, selection, span, after } = found()
      const change = (percent: number): TimeChange => ({ kind: 'scale', pivot: span.start, factor: percent / 100 })
      return {
        title: say('keyTools.retime.title'),
        fields: [number('percent', say('keyTools.retime.field'), { unit: '%', min: 1, max: 10_000 }), besideField()],
        values: { percent: settings.percent, beside: settings.beside },
        plan({ percent }, way) {
          const until = span.start + ((span.end - span.start) * percent) / 100
          if (tracks.some((t) => runsInto(t, selection.get(t.id), span.end, until)))
            throw new Refusal(
              say('notices.nothingChanged'),
              say('keyTools.retime.noRoom', { from: formatNumber(span.end, 7), to: formatNumber(until, 7) }),
            )
          return planRetime(change(percent), tracks, selection, way)
        },
        label: (_plan, { percent }) => say('keyTools.retime.edit', { percent: formatNumber(percent, 4) }),
        beside: ({ percent, beside }) => (beside ? besideKeys(change(percent), span) : undefined),
        after,
        none: say('keyTools.retime.none'),
        keep: ({ beside }) => (settings.beside = beside),
      }
    })
  }

  const reverse = (): Promise<boolean> => keys.reverse(target.value, keys.span ?? range.value)

  /** Without chosen keys those of the root alone: the same offset on every bone would pull the figure apart. */
  function offset(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, after } = found()
      const selection = keys.chosen.size ? target.value : rootKeys()
      return {
        title: say('keyTools.offset.title'),
        fields: (['x', 'y', 'z'] as const).map((axis) => number(axis, axis, { step: 0.1 })),
        ...kept('x', 'y', 'z'),
        plan: ({ x, y, z }, way) => planKeys({ tool: 'offset', by: { x, y, z } }, tracks, selection, way),
        label: (plan) => say('keyTools.offset.edit', { count: plan.count }),
        words: () => (keys.chosen.size ? '' : rootName()),
        none: say('keyTools.offset.none'),
        after,
      }
    })
  }

  /** Only chosen keys: in place is for the root, and taking the travel of every bone would tear the figure. */
  function inPlace(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, after } = found()
      const selection = keys.chosen.size ? target.value : rootKeys()
      return {
        title: say('keyTools.inPlace.title'),
        fields: (['x', 'y', 'z'] as const).map((axis): AdjustField => ({
          key: axis,
          label: say('keyTools.inPlace.along', { axis }),
          kind: 'switch',
        })),
        values: { x: true, y: true, z: true },
        plan: (along, way) =>
          planKeys({ tool: 'inPlace', axes: (['x', 'y', 'z'] as const).filter((axis) => along[axis]) }, tracks, selection, way),
        label: () => say('keyTools.inPlace.edit'),
        words: () => (keys.chosen.size ? '' : rootName()),
        after,
      }
    })
  }

  function rootName(): string {
    const names = [...new Set(rootTracks().map((t) => t.target.trim()))]
    if (!names.length) return ''
    return names.length > 1
      ? say('keyTools.root.several', { name: names[0], more: names.length - 1 })
      : say('keyTools.root.one', { name: names[0] })
  }

  /** Positions of the topmost joint that the clip moves, and of what stands beside it: a cape or a weapon may hang on the ground as the hips do. */
  function rootTracks(): NativeTrack[] {
    const parents = models.scene?.skeleton.parents
    const moved = keys.tracks.filter((t) => t.property === 'translation' && t.joint >= 0)
    const first = Math.min(...moved.map((t) => t.joint))
    return moved.filter((t) => t.joint === first || parents?.[t.joint] === parents?.[first])
  }

  /** Keys of what carries the figure. */
  function rootKeys(): KeySelection {
    return new Map(rootTracks().map((t) => [t.id, target.value.get(t.id) ?? new Set<number>()]))
  }

  const travelField = (): AdjustField => ({
    key: 'travel',
    label: say('keyTools.loop.travel'),
    kind: 'switch',
    hint: say('keyTools.loop.travelHint'),
  })

  /** Tracks of the chosen keys, else all, within the slice or the clip. */
  function loop(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, after } = found()
      const own = keys.chosen.size ? tracks.filter((t) => keys.chosen.has(t.id)) : tracks
      const { start, end } = range.value
      const root = rootTracks().map((t) => t.id)
      return {
        title: say('keyTools.loop.title'),
        fields: [
          number('over', say('keyTools.loop.over'), { unit: units.value, min: 0, hint: say('keyTools.loop.overHint') }),
          {
            key: 'meeting',
            label: say('keyTools.loop.meeting'),
            kind: 'choice',
            options: MEETINGS.map((value) => ({ value, label: say(`keyTools.loop.meetings.${value}`) })),
          },
          travelField(),
        ],
        ...kept('over', 'travel', 'meeting'),
        plan: ({ over, travel, meeting }, way) =>
          planKeys(
            { tool: 'loop', start, end, over: over > 0 ? over : end - start, travel: travel ? root : [], meeting },
            own,
            new Map(),
            way,
          ),
        label: () => say('keyTools.loop.title'),
        none: say('keyTools.loop.none'),
        after,
      }
    })
  }

  /** The loop begins at another of its moments: tracks of the chosen keys, else all, within the slice or the clip. */
  function cycle(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, after } = found()
      const own = keys.chosen.size ? tracks.filter((t) => keys.chosen.has(t.id)) : tracks
      const whole = own.length === tracks.length
      const { start, end } = range.value
      const step = playback.clip ? frameStep(playback.clip.unit) : 1
      const root = rootTracks().map((t) => t.id)
      // at the playhead, where that stands within the loop
      const { playhead } = playback
      const by = playhead > start && playhead < end ? playhead - start : step
      return {
        title: say('keyTools.cycle.title'),
        fields: [
          number('by', say('keyTools.cycle.by'), { unit: units.value, min: start - end, max: end - start, step }),
          ...(whole ? [{ ...besideField(), label: say('keyTools.cycle.beside'), hint: undefined }] : []),
          travelField(),
        ],
        values: { by, beside: settings.beside, travel: settings.travel },
        keep: ({ beside, travel }) => Object.assign(settings, { beside, travel }),
        plan: ({ by, travel }, way) => planKeys({ tool: 'cycle', start, end, by, travel: travel ? root : [] }, own, new Map(), way),
        label: (_plan, { by }) => say('keyTools.cycle.edit', { by: formatNumber(by, 6) }),
        beside: ({ by, beside }) => (whole && beside ? besideCycle(by, { start, end }) : undefined),
        none: say('keyTools.cycle.none'),
        after,
      }
    })
  }

  function mirror(): Promise<boolean> {
    return keys.usePoses(() => {
      const { scene } = models
      const { clip } = playback
      if (!scene || !clip) return null
      const wanted = new Map<number, Set<number>>()
      const keyed = new Map<number, NativeTrack[]>()
      for (const track of keys.tracks) {
        if (track.joint < 0 || (track.property !== 'rotation' && track.property !== 'translation')) continue
        keyed.set(track.joint, [...(keyed.get(track.joint) ?? []), track])
        const times = target.value.get(track.id)
        if (!times?.size) continue
        const own = wanted.get(track.joint) ?? new Set<number>()
        for (const t of times) own.add(t)
        wanted.set(track.joint, own)
      }
      return {
        title: say('keyTools.mirror.title'),
        fields: [
          { key: 'pairs', label: say('keyTools.mirror.pairs'), kind: 'text', placeholder: say('keyTools.mirror.known') },
          {
            key: 'byPlace',
            label: say('keyTools.mirror.byPlace'),
            kind: 'switch',
            hint: say('keyTools.mirror.byPlaceHint'),
          },
        ],
        ...kept('pairs', 'byPlace'),
        async poses({ pairs, byPlace }, way) {
          const named = sidesOf(scene.skeleton.names, pairsOf(pairs))
          const sides = byPlace ? sidesByPlace(scene, named) : named
          const times = mirrorTimes(wanted, (joint) => (keyed.get(joint) ?? []).flatMap((t) => [...t.times]), sides)
          const placed = [...times.keys()].filter((j) => sides[j] !== named[j]).length
          const { poses } = await planPoses({ tool: 'mirror', scene, clip, times, sides }, way)
          return {
            poses,
            words: placed ? say('keyTools.mirror.placed', { count: placed }) : '',
            skipped: [...times.keys()].some((j) => sides[j] !== j) ? [] : [say('keyTools.mirror.noSides')],
          }
        },
        label: () => say('keyTools.mirror.title'),
      }
    })
  }

  return {
    settings,
    range,
    target,
    count,
    words,
    possible,
    units,
    reduce,
    smooth,
    snap,
    retime,
    reverse,
    offset,
    inPlace,
    loop,
    cycle,
    mirror,
  }
})

/** `_izq=_der, Sol/Sag` as pairs of parts of names. */
function pairsOf(text: string): NamePair[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.split(/[=/|]/).map((name) => name.trim()))
    .filter((names) => names.length === 2 && names[0] !== '' && names[1] !== '')
    .map(([left, right]) => [left, right] as const)
}
