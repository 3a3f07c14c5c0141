/** Two models in the picture are shown beside a panel, not below it. */
import { useElementBounding } from '@vueuse/core'
import { onBeforeUnmount, watch } from 'vue'
import { useSecondPicture } from './second-picture.ts'

/** @param panel lies over the pictures as long as its component is there */
export function useKeepClear(panel: () => HTMLElement | undefined): void {
  const second = useSecondPicture()
  const { left, width } = useElementBounding(panel, { windowScroll: false })
  watch([left, width], () => (second.coveredFrom = width.value > 0 ? left.value : Infinity), { immediate: true })
  onBeforeUnmount(() => (second.coveredFrom = Infinity))
}
