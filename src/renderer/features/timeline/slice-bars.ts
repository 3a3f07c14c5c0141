/** Slices of the clip that plays, as bars in time. */
import { computed, shallowRef, watch } from 'vue'
import { usePlayback } from '../../core/playback.ts'
import { useSlices } from '../../core/slices.ts'
import { assignLanes } from './geometry.ts'

export interface SliceBar {
  /** number of the slice */
  index: number
  start: number
  end: number
  name: string
  speed: number
}

export function useSliceBars() {
  const playback = usePlayback()
  const slices = useSlices()
  const bars = computed(() => {
    const out: SliceBar[] = []
    slices.list.forEach((s, index) => {
      if (s.clip !== playback.state.clip) return
      const v = slices.values(index)
      out.push({ index, start: v.start, end: v.end, name: s.name, speed: s.speed })
    })
    return out
  })
  // lanes hold still while a bar is dragged
  const lanes = shallowRef<{ lanes: number[]; count: number }>({ lanes: [], count: 1 })
  watch(
    [bars, () => slices.preview.slice],
    ([list, dragged]) => {
      if (dragged < 0) lanes.value = assignLanes(list, 0.5)
    },
    { immediate: true },
  )
  /** the one that the keys are seen against: the chosen one, else the one that plays */
  const shaded = computed(() => bars.value.find((b) => b.index === (slices.selected >= 0 ? slices.selected : playback.state.slice)) ?? null)
  return { bars, lanes, shaded }
}
