/** Tracks of the clip that plays, the keys that are chosen in them, and edits of those. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { NativeTrack, PoseKeys } from '../../shared/api/types.ts'
import { copiedPoses, copyKeys, pasteKeys, sameFile, type CopiedKeys } from '../../shared/keys/clipboard.ts'
import { insertKeys, offsetValues, removeKeys, setValues } from '../../shared/keys/keys.ts'
import { chosenSpan, countKeys, type KeyPlan } from '../../shared/keys/plan.ts'
import { retimeKeys, reversed, scaled, shifted } from '../../shared/keys/retime.ts'
import { errorData } from './errors.ts'
import { useModels } from './models.ts'
import { usePlayback } from './playback.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'

export const useKeys = defineStore('keys', () => {
  const session = useSession()
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
  let asked = 0

  async function load(): Promise<void> {
    const model = models.active
    const clip = playback.state.clip
    const mine = ++asked
    if (!model?.info.abilities.clips || !model.scene.clips[clip]) {
      tracks.value = []
      chosen.value = new Map()
      return
    }
    loading.value = true
    try {
      const next = await session.call('clips.tracks', { model: model.id, clip })
      if (mine === asked) tracks.value = next
    } catch {
      if (mine === asked) tracks.value = []
    } finally {
      if (mine === asked) loading.value = false
    }
  }

  watch([() => models.activeId, () => playback.state.clip], () => {
    tracks.value = []
    chosen.value = new Map()
    void load()
  }, { immediate: true })
  watch(() => models.active?.viewScene, () => void load())

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

  async function apply(plan: KeyPlan, label: string): Promise<boolean> {
    if (plan.skipped.length) session.notify('warning', plan.edits.length ? 'Some tracks were left as they are' : 'Nothing was changed', plan.skipped.join('; '))
    if (!plan.edits.length) return false
    try {
      await models.edit('clips.editKeys', { label, edits: plan.edits }, { quiet: true })
    } catch (error) {
      session.notify('error', errorData(error).message)
      return false
    }
    await load()
    choose(plan.selection)
    return true
  }

  const keys = (n: number): string => (n === 1 ? 'key' : `${n} keys`)

  function shift(delta: number): Promise<boolean> {
    const plan = retimeKeys(tracks.value, chosen.value, shifted(delta))
    return apply(plan, `Move ${keys(plan.count)}`)
  }

  /** Stretches the chosen keys so that their last one comes to `end`. */
  function stretch(end: number): Promise<boolean> {
    const s = span.value
    if (!s || s.end <= s.start || end <= s.start) return Promise.resolve(false)
    const factor = (end - s.start) / (s.end - s.start)
    const plan = retimeKeys(tracks.value, chosen.value, scaled(s.start, factor))
    return apply(plan, `Scale ${keys(plan.count)} in time`)
  }

  function reverse(): Promise<boolean> {
    const s = span.value
    if (!s || s.end <= s.start) return Promise.resolve(false)
    const plan = retimeKeys(tracks.value, chosen.value, reversed(s.start, s.end))
    return apply(plan, `Reverse ${keys(plan.count)}`)
  }

  function remove(): Promise<boolean> {
    const plan = removeKeys(tracks.value, chosen.value)
    return apply(plan, `Delete ${keys(plan.count)}`)
  }

  /** At the playhead: in the tracks of the chosen keys, else of the chosen bone, else in all. */
  function insert(): Promise<boolean> {
    const joint = selection.current.joint
    const ids = new Set(chosen.value.keys())
    const own = ids.size ? tracks.value.filter((t) => ids.has(t.id)) : joint >= 0 ? tracks.value.filter((t) => t.joint === joint) : tracks.value
    const plan = insertKeys(own, playback.state.time)
    return apply(plan, `Insert ${keys(plan.count)}`)
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
  async function paste(): Promise<boolean> {
    const copied = clipboard.value
    const clip = playback.clip
    if (!copied || !clip || !models.scene) return false
    if (sameFile(tracks.value, copied)) {
      const plan = pasteKeys(tracks.value, copied, playback.state.time)
      return apply(plan, `Paste ${keys(plan.count)}`)
    }
    const { poses, skipped } = copiedPoses(copied, models.scene.skeleton.names, playback.state.time, clip.rate)
    return applyPoses(poses, `Paste ${keys(poses.reduce((n, p) => n + p.times.length, 0))}`, skipped)
  }

  /** Keys of the scene's poses; the services put them into the file's own words. */
  async function applyPoses(poses: PoseKeys[], label: string, skipped: readonly string[] = []): Promise<boolean> {
    if (skipped.length) session.notify('warning', poses.length ? 'Some keys were left out' : 'Nothing was changed', skipped.join('; '))
    if (!poses.length) return false
    try {
      await models.edit('clips.pose', { clip: playback.state.clip, label, poses }, { quiet: true })
    } catch (error) {
      session.notify('error', errorData(error).message)
      return false
    }
    await load()
    return true
  }

  /** The one track whose keys are chosen: its values can be typed. */
  const single = computed(() => {
    if (chosen.value.size !== 1) return null
    const [id, times] = [...chosen.value][0]
    const track = tracks.value.find((t) => t.id === id)
    if (!track || times.size !== 1) return null
    const time = [...times][0]
    const key = track.times.indexOf(time)
    return key < 0 ? null : { track, time, key, values: [...track.values.subarray(key * track.components.length, (key + 1) * track.components.length)] }
  })

  function setSingle(component: number, value: number): Promise<boolean> {
    const s = single.value
    if (!s) return Promise.resolve(false)
    return apply(setValues(s.track, new Set([s.time]), s.values.map((_, c) => (c === component ? value : NaN))), `Change ${s.track.components[component]} of ${s.track.target}`)
  }

  /** Adds to one component of the chosen keys of a track. */
  function offset(id: string, component: number, by: number): Promise<boolean> {
    const track = tracks.value.find((t) => t.id === id)
    const times = chosen.value.get(id)
    if (!track || !times) return Promise.resolve(false)
    const plan = offsetValues(track, times, component, by)
    return apply(plan, `Change ${track.components[component]} of ${keys(plan.count)}`)
  }

  return { tracks, chosen, clipboard, loading, editable, count, span, single, load, choose, clear, chooseWithin, chooseTimes, chooseAll, shift, stretch, reverse, remove, insert, copy, cut, paste, offset, setSingle, apply, applyPoses }
})
