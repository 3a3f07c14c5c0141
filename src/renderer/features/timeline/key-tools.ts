/** Tools that work on many keys: on the chosen ones, else on all of the clip's (of the slice that plays, where one does). */
import { defineStore } from 'pinia'
import { computed, reactive } from 'vue'
import { mirrorTimes, sidesByPlace, sidesOf, type NamePair } from '../../../shared/keys/mirror.ts'
import { countKeys, type KeyPlan, type KeySelection } from '../../../shared/keys/plan.ts'
import { runsInto } from '../../../shared/keys/retime.ts'
import type { TimeChange } from '../../../shared/keys/tasks.ts'
import type { NativeTrack } from '../../../shared/api/types.ts'
import { Refusal, type AdjustField } from '../../core/adjust.ts'
import { BESIDE_FIELD, useKeys } from '../../core/keys/store.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { frameStep } from '../../core/clock.ts'
import { formatNumber } from '../../ui/format.ts'
import { planKeys, planPoses } from '../../core/keys/planner.ts'

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
  const words = computed(
    () =>
      `${count.value.toLocaleString('en')} ${keys.chosen.size ? (count.value === 1 ? 'chosen key' : 'chosen keys') : playback.slice ? `keys of ${playback.slice.name || 'the slice'}` : 'keys, all of the clip'}`,
  )
  const possible = computed(() => models.page === 'model' && keys.editable && playback.clip !== null)
  const units = computed(() => ({ frame: 'frames', ms: 'ms', s: 's' })[playback.clip?.unit ?? 'frame'])

  const many = (n: number): string => (n === 1 ? '1 key' : `${n.toLocaleString('en')} keys`)
  const sized = (n: number): string => n.toLocaleString('en')
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
        title: 'Reduce keys',
        fields: [
          number('degrees', 'Turns', { unit: '°', min: 0, max: 90, step: 0.1 }),
          number('distance', 'Positions', { unit: 'units', min: 0, step: 0.01 }),
          number('factor', 'Other values', { min: 0, step: 0.001 }),
        ],
        ...kept('degrees', 'distance', 'factor'),
        plan: (tolerance, way) => planKeys({ tool: 'reduce', tolerance: { ...tolerance } }, tracks, selection, way),
        label: (plan) => `Reduce to ${many(before - plan.count)}`,
        words(plan) {
          const reached = plan.reached!
          const most = [
            reached.degrees > 0 ? `${formatNumber(reached.degrees, 3)}°` : '',
            reached.distance > 0 ? `${formatNumber(reached.distance, 3)} units` : '',
            reached.factor > 0 ? formatNumber(reached.factor, 3) : '',
          ].filter(Boolean)
          return `${sized(plan.count)} of ${many(before)} taken out. Largest difference: ${most.join(', ') || 'none'}`
        },
        none: 'Every key is needed within this error',
        after,
      }
    })
  }

  function smooth(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, selection, after } = found()
      return {
        title: 'Smooth keys',
        fields: [
          number('strength', 'Strength', { min: 0, max: 1, step: 0.1 }),
          number('rounds', 'Times', { min: 1, max: 50, integer: true }),
        ],
        ...kept('strength', 'rounds'),
        plan: ({ strength, rounds }, way) => planKeys({ tool: 'smooth', strength, rounds }, tracks, selection, way),
        label: (plan) => `Smooth ${many(plan.count)}`,
        none: 'These keys are smooth already',
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
        title: 'Snap keys to frames',
        fields: [number('every', 'Every', { unit: 'frames', min: 0.01, step: 1 })],
        values: { every: 1 },
        plan: ({ every }, way) => planKeys({ tool: 'retime', change: { kind: 'snap', step: step * every } }, tracks, selection, way),
        label: (plan) => `Snap ${many(plan.count)} to frames`,
        none: 'All of these keys stand on frames',
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
        title: 'Retime',
        fields: [number('percent', 'Length', { unit: '%', min: 1, max: 10_000 }), BESIDE_FIELD],
        values: { percent: settings.percent, beside: settings.beside },
        plan({ percent }, way) {
          const until = span.start + ((span.end - span.start) * percent) / 100
          if (tracks.some((t) => runsInto(t, selection.get(t.id), span.end, until)))
            throw new Refusal(
              'Nothing was changed',
              `Other keys stand between ${formatNumber(span.end, 7)} and ${formatNumber(until, 7)}: choose them too, or make room`,
            )
          return keys.retime(change(percent), tracks, selection, way)
        },
        label: (_plan, { percent }) => `Retime to ${formatNumber(percent, 4)} %`,
        beside: ({ percent, beside }) => (beside ? keys.besideKeys(change(percent), span) : undefined),
        after,
        none: 'At 100 % every key stays where it is',
        keep: ({ beside }) => (settings.beside = beside),
      }
    })
  }

  const reverse = (): Promise<boolean> => keys.reverse(target.value, keys.span ?? range.value)

  /** Of no choice the root's keys: every bone moved by as much away from its parent is no figure any more. */
  function offset(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, after } = found()
      const selection = keys.chosen.size ? target.value : rootKeys()
      return {
        title: 'Move positions',
        fields: (['x', 'y', 'z'] as const).map((axis) => number(axis, axis, { step: 0.1 })),
        ...kept('x', 'y', 'z'),
        plan: ({ x, y, z }, way) => planKeys({ tool: 'offset', by: { x, y, z } }, tracks, selection, way),
        label: (plan) => `Move ${sized(plan.count)} positions`,
        words: () => (keys.chosen.size ? '' : rootName()),
        none: 'By 0 nothing moves',
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
        title: 'Walk in place',
        fields: (['x', 'y', 'z'] as const).map((axis): AdjustField => ({ key: axis, label: `Along ${axis}`, kind: 'switch' })),
        values: { x: true, y: true, z: true },
        plan: (along, way) =>
          planKeys({ tool: 'inPlace', axes: (['x', 'y', 'z'] as const).filter((axis) => along[axis]) }, tracks, selection, way),
        label: () => 'Take out the travel',
        words: () => (keys.chosen.size ? '' : rootName()),
        after,
      }
    })
  }

  function rootName(): string {
    const names = [...new Set(rootTracks().map((t) => t.target.trim()))]
    return names.length
      ? `Of ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ''}: what carries the figure. Choose keys to move others`
      : ''
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

  /** Tracks of the chosen keys, else all, within the slice or the clip. */
  function loop(): Promise<boolean> {
    return keys.use(() => {
      const { tracks, after } = found()
      const own = keys.chosen.size ? tracks.filter((t) => keys.chosen.has(t.id)) : tracks
      const { start, end } = range.value
      const root = rootTracks().map((t) => t.id)
      return {
        title: 'Fit the loop',
        fields: [
          number('over', 'Over the last', { unit: units.value, min: 0, hint: '0 spreads it over all' }),
          {
            key: 'travel',
            label: 'Root goes on',
            kind: 'switch',
            hint: 'A walk keeps its way: only what the root comes back to is made to meet',
          },
        ],
        ...kept('over', 'travel'),
        plan: ({ over, travel }, way) =>
          planKeys({ tool: 'loop', start, end, over: over > 0 ? over : end - start, travel: travel ? root : [] }, own, new Map(), way),
        label: () => 'Fit the loop',
        none: 'The end is the start already',
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
        title: 'Mirror left and right',
        fields: [
          { key: 'pairs', label: 'Pairs', kind: 'text', placeholder: 'L/R, Left/Right are known' },
          {
            key: 'byPlace',
            label: 'Others by place',
            kind: 'switch',
            hint: 'Bones whose names tell no side are paired where they rest at mirrored places',
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
            words: placed ? `${placed} bones were paired by where they rest` : '',
            skipped: [...times.keys()].some((j) => sides[j] !== j)
              ? []
              : [
                  'none of these bones has another side: names are told apart by L and R, Left and Right, 左 and 右; other pairs can be given',
                ],
          }
        },
        label: () => 'Mirror left and right',
      }
    })
  }

  return { settings, range, target, count, words, possible, units, reduce, smooth, snap, retime, reverse, offset, inPlace, loop, mirror }
})

/** `_izq=_der, Sol/Sag` as pairs of parts of names. */
function pairsOf(text: string): NamePair[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.split(/[=/|]/).map((name) => name.trim()))
    .filter((names) => names.length === 2 && names[0] !== '' && names[1] !== '')
    .map(([left, right]) => [left, right] as const)
}
