/** What a component does as long as it stands on the page: the page of a model is kept while the library is shown, and does nothing meanwhile. */
import { inject, onBeforeUnmount, ref, watch, type InjectionKey, type Ref } from 'vue'

/** Of what stands on a page that is kept while another is shown: whether it is the one that is shown. */
export const pageShown: InjectionKey<Readonly<Ref<boolean>>> = Symbol('page shown')

/** @param begin now, and whenever it comes back; gives what ends it */
export function whileShown(begin: () => () => void): void {
  let end: (() => void) | undefined
  const start = (): void => void (end ??= begin())
  const stop = (): void => {
    end?.()
    end = undefined
  }
  const page = inject(pageShown, undefined)
  if (page?.value !== false) start()
  if (page) watch(page, (shown) => (shown ? start() : stop()), { flush: 'post' })
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
