/** What a component does as long as it stands on the page: the page of a model is kept while the library is shown, and does nothing meanwhile. */
import { onActivated, onBeforeUnmount, onDeactivated, ref, type Ref } from 'vue'

/** @param begin now, and whenever it comes back; gives what ends it */
export function whileShown(begin: () => () => void): void {
  let end: (() => void) | undefined
  const start = (): void => void (end ??= begin())
  const stop = (): void => {
    end?.()
    end = undefined
  }
  start()
  onActivated(start)
  onDeactivated(stop)
  onBeforeUnmount(stop)
}

/** Whether the component stands on the page. */
export function useShown(): Ref<boolean> {
  const shown = ref(false)
  whileShown(() => {
    shown.value = true
    return () => (shown.value = false)
  })
  return shown
}
