/**
 * What an edit did to the motion: how far each frame is from the original, and how feet slide while they stand. Looked at while the window is
 * idle, begun anew by each edit.
 */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { Deviation } from '../../../shared/motion/deviation.ts'
import { momentsOf } from '../../../shared/motion/moments.ts'
import { rigOf } from '../../../shared/motion/rig.ts'
import { FootPlaces, totalsOf, type FootSlide, type SlideTotals } from '../../../shared/motion/slide.ts'
import { frameStep } from '../../core/clock.ts'
import { idleWork } from '../../core/idle-work.ts'
import { useKept } from '../../core/kept.ts'
import { useModels } from '../../core/models.ts'
import { useOriginal } from '../../core/original.ts'
import { usePlayback } from '../../core/playback.ts'
import { useReach } from '../../core/reach.ts'
import { useSelection } from '../../core/selection.ts'

/** Frames that are taken before the clock is looked at. */
const AT_ONCE = 4

export interface FeetCheck {
  times: Float64Array
  /** of the figure, in scene units: what shares are of */
  height: number
  feet: { now: FootSlide; total: SlideTotals; before: SlideTotals | null }[]
}

export const useMotionCheck = defineStore('motionCheck', () => {
  const models = useModels()
  const playback = usePlayback()
  const original = useOriginal()
  const selection = useSelection()
  const reach = useReach()
  const kept = useKept('motionCheck')
  const on = ref(kept.read())
  const deviation = shallowRef<Deviation | null>(null)
  const feet = shallowRef<FeetCheck | null>(null)
  const busy = ref(false)
  const shown = computed(() => on.value && models.page === 'model' && playback.clip !== null)
  watch(shown, (is) => original.want('check', is), { immediate: true })

  function toggle(): void {
    on.value = !on.value
    kept.write(on.value)
  }

  /** The clip as the original has it: under its name, where it stands if names repeat. */
  const before = computed(() => {
    const { clip, state } = playback
    const clips = original.scene?.clips ?? []
    if (!clip) return null
    return (clips[state.clip]?.name === clip.name ? clips[state.clip] : clips.find(({ name }) => name === clip.name)) ?? null
  })

  let stop = (): void => {}
  watch(
    [
      shown,
      () => models.scene,
      before,
      () => playback.clip,
      () => [playback.slice?.start, playback.slice?.end, playback.slice?.speed].join(),
      () => selection.joints.join(),
    ],
    () => {
      stop()
      busy.value = false
      const { scene } = models
      const { clip, slice } = playback
      const { rig } = reach
      if (!shown.value || !scene || !clip || clip.away || !rig) {
        deviation.value = feet.value = null
        return
      }
      const step = frameStep(clip.unit)
      const { height } = rig.figure
      const own = before.value
      const [start, end] = own ? [Math.min(clip.start, own.start), Math.max(clip.end, own.end)] : [clip.start, clip.end]
      const differs = own
        ? new Deviation({ scene, clip }, { scene: original.scene!, clip: own }, momentsOf(start, end, step), height, selection.joints)
        : null
      const moments = momentsOf(slice?.start ?? clip.start, slice?.end ?? clip.end, step)
      const rate = (clip.rate * (slice?.speed || 1)) / step
      const here = new FootPlaces(rig, scene, clip, moments)
      const there = own ? new FootPlaces(rigOf(original.scene!), original.scene!, own, moments) : null
      const left = [here, there, differs].filter((part) => part !== null)
      busy.value = true
      stop = idleWork(() => {
        if (left.length > 0 && !left[0].take(AT_ONCE)) left.shift()
        if (left.length > 0) return true
        const was = there?.slides(rate)
        const now = here.slides(rate, was?.plants)
        feet.value = now.feet.length
          ? {
              times: moments,
              height,
              feet: now.feet.map((foot) => {
                const its = was?.feet.find(({ side }) => side === foot.side)
                return { now: foot, total: totalsOf(foot), before: its ? totalsOf(its) : null }
              }),
            }
          : null
        deviation.value = differs
        busy.value = false
        return false
      })
    },
    { immediate: true },
  )

  return { on, shown, deviation, feet, busy, toggle }
})
