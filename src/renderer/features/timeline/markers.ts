/** Named places in time on the clip that plays. */
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { say } from '../../../shared/texts/say.ts'

export interface ShownMarker {
  /** number in Scene.markers */
  index: number
  name: string
  time: number
}

export const useMarkers = defineStore('markers', () => {
  const models = useModels()
  const playback = usePlayback()
  /** of the clip, in order of time */
  const list = computed<ShownMarker[]>(() =>
    (models.scene?.markers ?? [])
      .map(({ name, time, clip }, index) => ({ index, name, time, clip }))
      .filter(({ clip }) => clip === playback.state.clip)
      .sort((a, b) => a.time - b.time),
  )
  const times = computed(() => list.value.map((m) => m.time))
  /** number of the chosen one, and of the one whose name is typed */
  const chosen = ref(-1)
  const naming = ref(-1)
  watch([() => playback.state.clip, () => models.activeId], () => (chosen.value = naming.value = -1))
  watch(list, (now) => {
    if (!now.some((m) => m.index === chosen.value)) chosen.value = -1
    if (!now.some((m) => m.index === naming.value)) naming.value = -1
  })

  /** At the playhead, with a name that is free; its name can be typed at once. One that stands there is named instead. */
  async function add(): Promise<void> {
    const { clip } = playback.state
    const at = Number(playback.playhead.toPrecision(12))
    const there = list.value.find((m) => Math.abs(m.time - at) < 1e-6)
    if (there) chosen.value = naming.value = there.index
    else {
      const taken = new Set(list.value.map((m) => m.name))
      let number = 1
      while (taken.has(say('timeline.markers.numbered', { number }))) number++
      // an edit that was on its way may have changed their number
      if (await models.edit('markers.add', { clip, name: say('timeline.markers.numbered', { number }), time: at }))
        chosen.value = naming.value = (models.scene?.markers.length ?? 0) - 1
    }
  }

  const rename = (marker: number, name: string): Promise<unknown> => models.edit('markers.set', { marker, values: { name } })
  const move = (marker: number, time: number): Promise<unknown> => models.edit('markers.set', { marker, values: { time } })
  const remove = (marker: number): Promise<unknown> => models.edit('markers.remove', { marker })

  /** The playhead goes to the next marker in a direction. */
  function jump(direction: 1 | -1): void {
    const { time } = playback.state
    const next = direction > 0 ? list.value.find((m) => m.time > time + 1e-6) : list.value.findLast((m) => m.time < time - 1e-6)
    if (!next) return
    chosen.value = next.index
    playback.seek(next.time)
  }

  return { list, times, chosen, naming, add, rename, move, remove, jump }
})
