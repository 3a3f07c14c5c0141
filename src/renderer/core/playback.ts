/** What plays in each model: clip, slice, time in native units. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'
import { advance, clampTime, clipSpan, frameStep, nearestStep, sliceSpan, spanSeconds, stepTime, storedTime, type Span } from './clock.ts'
import { followIn, nameIn, placeIn } from './follow.ts'
import { useModels } from './models.ts'
import { firstMoment } from '../../shared/scene/standing.ts'
import type { Scene } from '../../shared/scene/types.ts'

/** How many of what a model showed are known. */
const TRAIL = 16

export interface Playback {
  /** -1: bind pose */
  clip: number
  /** -1: the whole clip */
  slice: number
  time: number
  playing: boolean
  /** factor on the speed of the game */
  speed: number
  loop: boolean
}

const fresh = (): Playback => ({ clip: -1, slice: -1, time: 0, playing: false, speed: 1, loop: true })

export const usePlayback = defineStore('playback', () => {
  const models = useModels()
  const byModel = reactive(new Map<string, Playback>())
  const idle = reactive(fresh())

  /** State of the model that is shown; made when it is shown first: its first slice, else the clip it stands in, else its first clip. */
  const state = computed<Playback>(() => (models.activeId && byModel.get(models.activeId)) || idle)

  watch(
    () => models.active,
    (model) => {
      if (!model || byModel.has(model.id)) return
      byModel.set(model.id, { ...fresh(), ...firstMoment(model.scene) })
    },
    { immediate: true, flush: 'sync' },
  )

  /** What a model plays, before it is shown; at rest. */
  function set(model: string, values: Omit<Playback, 'playing'>): void {
    byModel.set(model, { ...values, playing: false })
  }

  const of = (model: string): Readonly<Playback> | undefined => byModel.get(model)

  const clip = computed(() => models.scene?.clips[state.value.clip] ?? null)
  const slice = computed(() => models.scene?.slices[state.value.slice] ?? null)
  const own = computed<Span>(() => {
    if (!clip.value) return { start: 0, end: 0, rate: 0, loop: false }
    if (slice.value) return sliceSpan(slice.value, clip.value, state.value.loop)
    return clipSpan(clip.value, state.value.loop)
  })
  /** what is shown in the place of the model's own, before it counts */
  const shownInstead = computed(() => models.active?.viewClip?.span ?? null)
  /** What plays, in times of the chosen clip: what is shown in its place takes as long as it does by itself. */
  const span = computed<Span>(() => {
    const instead = shownInstead.value
    if (!instead) return own.value
    const { start, rate } = own.value.rate > 0 ? own.value : instead
    return { start, end: start + spanSeconds(instead) * rate, rate, loop: state.value.loop }
  })
  /** the time in the clip that the picture shows */
  const viewTime = computed(() => {
    const [instead, { time }, { start, rate }] = [shownInstead.value, state.value, span.value]
    return instead && rate > 0 ? instead.start + ((time - start) / rate) * instead.rate : time
  })
  watch(shownInstead, () => seek(state.value.time, { pause: false }))
  const seconds = computed(() => {
    const { start, rate } = span.value
    return rate > 0 ? (state.value.time - start) / rate : 0
  })
  const duration = computed(() => spanSeconds(span.value))

  /** what is put somewhere in time goes to a whole frame */
  const snap = ref(true)
  /** Where something goes that is put at the playhead. A marker that it was brought to is meant as it is. */
  const playhead = computed(() => {
    const { time } = state.value
    if (!clip.value) return time
    const marked = models.scene?.markers.some((m) => m.clip === state.value.clip && Math.abs(m.time - time) < 1e-9)
    return storedTime(clip.value, marked || !snap.value ? time : nearestStep(clip.value, time, frameStep(clip.value.unit)))
  })

  /** what each model showed, the last one last, by what follows an edit: where that is gone the one before it is shown again */
  const trails = new Map<string, { clip: string; slice: string }[]>()
  const shownNow = (): void => {
    const { scene, activeId: id } = models
    const s = byModel.get(id)
    if (!s || !scene) return
    const now = { clip: nameIn('clip', scene, s.clip), slice: nameIn('slice', scene, s.slice) }
    const trail = (trails.get(id) ?? []).filter(({ clip, slice }) => clip !== now.clip || slice !== now.slice)
    trails.set(id, [...trail.slice(1 - TRAIL), now])
  }
  watch([() => models.activeId, () => state.value.clip, () => state.value.slice], shownNow, { immediate: true })

  /** Of what a model showed the last that is there. */
  function shownBefore(id: string, scene: Scene): { clip: number; slice: number } | undefined {
    for (const shown of trails.get(id)?.toReversed() ?? []) {
      const [clip, slice] = [placeIn('clip', scene, shown.clip), placeIn('slice', scene, shown.slice)]
      if (clip >= 0 && (shown.slice === '' || slice >= 0)) return { clip, slice }
    }
    return undefined
  }

  /** counts up where an edit of the list leaves another clip in the place of the one that plays, or parts it or joins it with another */
  const recut = ref(0)

  // an edit may put what plays elsewhere in its list: it goes on. Or take it away: what comes in its place begins
  watch(
    () => ({ id: models.activeId, scene: models.scene }),
    ({ id, scene }, before) => {
      const s = byModel.get(id)
      if (!s || !scene || !before.scene || before.id !== id) return
      const now = (list: 'clip' | 'slice'): number => (s[list] < 0 ? -1 : followIn(list, before.scene!, scene)(s[list]))
      const [clip, slice] = [now('clip'), now('slice')]
      const [was, is] = [before.scene.slices[s.slice], scene.slices[slice]]
      const gone = (s.slice >= 0 && slice < 0) || (s.slice < 0 && s.clip >= 0 && clip < 0)
      const back = gone && shownBefore(id, scene)
      if (slice >= 0 || !scene.slices[s.slice]) s.slice = slice
      if (back) {
        Object.assign(s, back)
        s.time = span.value.start
        recut.value++
      } else if (clip >= 0) {
        const [wasClip, isClip] = [before.scene.clips[s.clip], scene.clips[clip]]
        s.clip = clip
        if (scene.clips.length !== before.scene.clips.length && (wasClip.start !== isClip.start || wasClip.end !== isClip.end))
          recut.value++
      } else if (s.clip >= 0) {
        s.clip = Math.min(s.clip, scene.clips.length - 1)
        if (scene.slices[s.slice]?.clip !== s.clip) s.slice = -1
        s.time = span.value.start
        recut.value++
      }
      // of a motion that was emptied, or that has frames again, the time that was shown may be none
      if (was && is && was.end > was.start !== is.end > is.start && (s.time < is.start || s.time > is.end)) s.time = is.start
    },
    { flush: 'sync' },
  )

  // tracks come when they are shown
  watch(
    () => {
      const model = models.active
      const shown = model?.viewClip?.clip ?? state.value.clip
      return model?.viewScene.clips[shown]?.away ? { model, shown, revision: model.info.revision } : null
    },
    (now, before) => {
      if (now && (now.model !== before?.model || now.shown !== before.shown || now.revision !== before.revision))
        void models.bring(now.model, now.shown)
    },
    { immediate: true },
  )

  let last = 0
  let frame = 0

  function tick(now: number): void {
    frame = 0
    const s = state.value
    if (!s.playing) return
    // a hidden window stops its frames: no jump when it comes back
    const dt = Math.min(0.25, last ? (now - last) / 1000 : 0)
    last = now
    const next = advance(span.value, s.time, dt * s.speed)
    s.time = next.time
    if (next.ended) s.playing = false
    else request()
  }

  function request(): void {
    if (!frame && typeof requestAnimationFrame === 'function') frame = requestAnimationFrame(tick)
  }

  function play(on = true): void {
    const s = state.value
    if (on && span.value.rate === 0) return
    if (on && !s.loop && s.time >= span.value.end) s.time = span.value.start
    const stopped = s.playing && !on
    s.playing = on
    last = 0
    if (on) request()
    // a frame that the eye stopped at is one of the file's, not one between two
    else if (stopped && snap.value && clip.value) s.time = nearestStep(span.value, s.time, frameStep(clip.value.unit))
  }

  watch(
    () => models.activeId,
    () => {
      last = 0
      if (state.value.playing) request()
    },
  )

  function toggle(): void {
    play(!state.value.playing)
  }

  /** Goes to a native time inside the clip; leaving the slice's window is allowed, as on a master track. */
  function seek(time: number, options: { pause?: boolean } = {}): void {
    const s = state.value
    if (options.pause !== false) s.playing = false
    const c = clip.value ?? span.value
    s.time = clampTime({ start: Math.min(c.start, span.value.start), end: Math.max(c.end, span.value.end) }, time)
  }

  function step(direction: 1 | -1): void {
    if (!clip.value) return
    state.value.playing = false
    state.value.time = stepTime(span.value, state.value.time, direction, frameStep(clip.value.unit))
  }

  const toStart = (): void => seek(span.value.start)
  const toEnd = (): void => seek(span.value.end)

  function chooseSlice(index: number, options: { keepTime?: boolean } = {}): void {
    const s = state.value
    const chosen = models.scene?.slices[index]
    s.slice = chosen ? index : -1
    if (chosen) s.clip = chosen.clip
    if (!options.keepTime) s.time = span.value.start
    last = 0
  }

  function chooseClip(index: number): void {
    const s = state.value
    s.slice = -1
    s.clip = models.scene?.clips[index] ? index : -1
    s.time = span.value.start
    last = 0
    if (s.clip < 0) s.playing = false
  }

  return {
    state,
    of,
    set,
    clip,
    slice,
    span,
    viewTime,
    seconds,
    duration,
    snap,
    playhead,
    recut,
    tick,
    play,
    toggle,
    seek,
    step,
    toStart,
    toEnd,
    chooseSlice,
    chooseClip,
  }
})
