/** Tools that work on many keys: on the chosen ones, else on all of the clip's (of the slice that plays, where one does). */
import { defineStore } from 'pinia'
import { computed, reactive } from 'vue'
import { offsetTranslation, takeOutTravel } from '../../shared/keys/keys.ts'
import { mirrorPoses, sidesOf, type NamePair } from '../../shared/keys/mirror.ts'
import { countKeys, type KeySelection } from '../../shared/keys/plan.ts'
import { reduceKeys } from '../../shared/keys/reduce.ts'
import { retimeKeys, reversed, runsInto, scaled, snapped } from '../../shared/keys/retime.ts'
import { fitLoop, smoothKeys } from '../../shared/keys/smooth.ts'
import { useKeys } from '../state/keys.ts'
import { useModels } from '../state/models.ts'
import { usePlayback } from '../state/playback.ts'
import { useSession } from '../state/session.ts'
import { frameStep } from '../timeline/clock.ts'
import { formatNumber } from '../ui/format.ts'

export const useKeyTools = defineStore('keyTools', () => {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const keys = useKeys()
  /** what the fields of the panel hold */
  const settings = reactive({ degrees: 0.2, distance: 0.01, factor: 0.002, strength: 0.5, rounds: 1, percent: 100, x: 0, y: 0, z: 0, over: 0, pairs: '' })

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
  const words = computed(() => `${count.value.toLocaleString('en')} ${keys.chosen.size ? (count.value === 1 ? 'chosen key' : 'chosen keys') : playback.slice ? `keys of ${playback.slice.name || 'the slice'}` : 'keys, all of the clip'}`)
  const possible = computed(() => models.page === 'model' && keys.editable && playback.clip !== null)
  const units = computed(() => ({ frame: 'frames', ms: 'ms', s: 's' })[playback.clip?.unit ?? 'frame'])

  async function reduce(): Promise<void> {
    const { degrees, distance, factor } = settings
    const plan = reduceKeys(keys.tracks, target.value, { degrees, distance, factor })
    if (!plan.count && !plan.skipped.length) {
      session.notify('info', 'Every key is needed within this error')
      return
    }
    const left = keys.chosen.size > 0
    if (!(await keys.apply({ ...plan, selection: left ? plan.selection : new Map() }, `Reduce to ${count.value - plan.count} keys`))) return
    const reached = [plan.reached.degrees > 0 ? `${formatNumber(plan.reached.degrees, 3)}°` : '', plan.reached.distance > 0 ? `${formatNumber(plan.reached.distance, 3)} units` : '', plan.reached.factor > 0 ? formatNumber(plan.reached.factor, 3) : ''].filter(Boolean)
    session.notify('good', `${plan.count.toLocaleString('en')} keys taken out`, `Largest difference: ${reached.length ? reached.join(', ') : 'none'}`)
  }

  const kept = (selection: Map<string, Set<number>>): Map<string, Set<number>> => (keys.chosen.size ? selection : new Map<string, Set<number>>())

  async function smooth(): Promise<void> {
    const plan = smoothKeys(keys.tracks, target.value, settings.strength, settings.rounds)
    await keys.apply({ ...plan, selection: kept(plan.selection) }, `Smooth ${plan.count} keys`)
  }

  async function snap(): Promise<void> {
    const clip = playback.clip
    if (!clip) return
    const plan = retimeKeys(keys.tracks, target.value, snapped(frameStep(clip.unit)))
    if (!plan.edits.length && !plan.skipped.length) session.notify('info', 'All of these keys stand on frames')
    else await keys.apply({ ...plan, selection: kept(plan.selection) }, `Snap ${plan.count} keys to frames`)
  }

  /** Longer or shorter from the first of the keys on. */
  async function retime(): Promise<void> {
    const factor = settings.percent / 100
    if (!(factor > 0) || factor === 1) return
    const { start, end } = keys.span ?? range.value
    const until = start + (end - start) * factor
    if (keys.tracks.some((t) => runsInto(t, target.value.get(t.id), end, until))) {
      session.notify('warning', 'Nothing was changed', `Other keys stand between ${formatNumber(end, 7)} and ${formatNumber(until, 7)}: choose them too, or make room`)
      return
    }
    const plan = retimeKeys(keys.tracks, target.value, scaled(start, factor))
    if (await keys.apply({ ...plan, selection: kept(plan.selection) }, `Retime to ${formatNumber(settings.percent, 4)} %`)) settings.percent = 100
  }

  async function reverse(): Promise<void> {
    const { start, end } = keys.span ?? range.value
    const plan = retimeKeys(keys.tracks, target.value, reversed(start, end))
    await keys.apply({ ...plan, selection: kept(plan.selection) }, `Reverse ${plan.count} keys`)
  }

  async function offset(): Promise<void> {
    const { x, y, z } = settings
    if (!x && !y && !z) return
    const plan = offsetTranslation(keys.tracks, target.value, { x, y, z })
    await keys.apply({ ...plan, selection: kept(plan.selection) }, `Move ${plan.count} positions`)
  }

  /** Only chosen keys: in place is for the root, and taking the travel of every bone would tear the figure. */
  async function inPlace(): Promise<void> {
    const root = keys.chosen.size ? target.value : rootKeys()
    const plan = takeOutTravel(keys.tracks, root)
    await keys.apply({ ...plan, selection: kept(plan.selection) }, 'Take out the travel')
  }

  /** Keys of the topmost joint that the clip moves. */
  function rootKeys(): KeySelection {
    const moved = keys.tracks.filter((t) => t.property === 'translation' && t.joint >= 0)
    const first = Math.min(...moved.map((t) => t.joint))
    return new Map(moved.filter((t) => t.joint === first).map((t) => [t.id, target.value.get(t.id) ?? new Set<number>()]))
  }

  /** Tracks of the chosen keys, else all, within the slice or the clip. */
  async function loop(): Promise<void> {
    const own = keys.chosen.size ? keys.tracks.filter((t) => keys.chosen.has(t.id)) : keys.tracks
    const { start, end } = range.value
    const plan = fitLoop(own, { start, end }, settings.over > 0 ? settings.over : end - start)
    if (!plan.edits.length && !plan.skipped.length) session.notify('info', 'The end is the start already')
    else await keys.apply({ ...plan, selection: kept(plan.selection) }, 'Fit the loop')
  }

  async function mirror(): Promise<void> {
    const scene = models.scene
    const clip = playback.clip
    if (!scene || !clip) return
    const sides = sidesOf(scene.skeleton.names, pairsOf(settings.pairs))
    const wanted = new Map<number, Set<number>>()
    for (const track of keys.tracks) {
      const times = target.value.get(track.id)
      if (!times?.size || track.joint < 0 || (track.property !== 'rotation' && track.property !== 'translation')) continue
      const own = wanted.get(track.joint) ?? new Set<number>()
      for (const t of times) own.add(t)
      wanted.set(track.joint, own)
    }
    if (![...wanted.keys()].some((j) => sides[j] !== j)) session.notify('warning', 'None of these bones has another side', 'Names are told apart by L and R, Left and Right, 左 and 右; other pairs can be given')
    const poses = mirrorPoses(scene, clip, new Map([...wanted].map(([joint, times]) => [joint, Float64Array.from(times)])), sides)
    if (poses.length) await keys.applyPoses(poses, 'Mirror left and right')
  }

  return { settings, range, target, count, words, possible, units, reduce, smooth, snap, retime, reverse, offset, inPlace, loop, mirror }
})

/** `_izq=_der, Sol/Sag` as pairs of parts of names. */
export function pairsOf(text: string): NamePair[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.split(/[=/|]/).map((name) => name.trim()))
    .filter((names) => names.length === 2 && names[0] !== '' && names[1] !== '')
    .map(([left, right]) => [left, right] as const)
}
