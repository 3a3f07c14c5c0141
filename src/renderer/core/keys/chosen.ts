/** Which keys of the clip's tracks are chosen: times by track. */
import { computed, ref, shallowRef, watch, type ShallowRef } from 'vue'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { chosenSpan, countKeys } from '../../../shared/keys/plan.ts'
import { useSelection } from '../selection.ts'

export type ChosenKeys = ReturnType<typeof chosenKeys>

export function chosenKeys(tracks: ShallowRef<NativeTrack[]>) {
  const selection = useSelection()
  const chosen = shallowRef<Map<string, Set<number>>>(new Map())
  const count = computed(() => countKeys(tracks.value, chosen.value))
  const span = computed(() => chosenSpan(chosen.value))

  /** nothing else was chosen after the keys, but for a bone of theirs: what acts on what is chosen is for them */
  const meant = ref(true)
  /** a bone was chosen after the keys, and not all of them are its: new ones are for the bone then, and its curves are shown */
  const boneIsMeant = ref(false)
  watch(chosen, () => {
    meant.value = true
    boneIsMeant.value = false
  })
  watch(
    () => ({ ...selection.current }),
    ({ kind, joint }) => {
      const bones = new Set(tracks.value.filter(({ id }) => chosen.value.has(id)).map((track) => track.joint))
      meant.value = kind === 'none' || (kind === 'joint' && bones.has(joint))
      // what is no bone leaves the curves that are shown
      if (kind === 'joint') boneIsMeant.value = [...bones].some((bone) => bone !== joint)
      else if (joint < 0) boneIsMeant.value = false
    },
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

  /** A key of these tracks that is pressed is chosen, and stays with those that it was chosen with. */
  function take(ids: readonly string[], time: number): void {
    if (!ids.some((id) => chosen.value.get(id)?.has(time))) chooseWithin(ids, time, time, 'only')
    meant.value = true
  }

  function chooseTimes(times: ReadonlyMap<string, ReadonlySet<number>>, add: boolean): void {
    const next = add ? new Map([...chosen.value].map(([id, own]) => [id, new Set(own)])) : new Map<string, Set<number>>()
    for (const [id, own] of times) next.set(id, new Set([...(next.get(id) ?? []), ...own]))
    choose(next)
  }

  function chooseAll(): void {
    choose(new Map(tracks.value.map((t) => [t.id, new Set(t.times)])))
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

  return { chosen, count, span, single, choose, clear, take, chooseWithin, chooseTimes, chooseAll, boneIsMeant, meant }
}
