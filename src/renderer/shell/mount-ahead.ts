/**
 * The page of a model is put together before there is one, while the window rests on the library: a first model finds its panels and its graphics
 * there, and is on screen nearly as soon as a second one.
 */
import { onScopeDispose, ref, watch, type Ref } from 'vue'
import { fetchWhileIdle } from './later.ts'

/** Milliseconds that the library has for itself first: its rows, and what the user does at once. */
const REST = 700

/** @param free the library is shown, and nothing is opened @returns whether it was put together: from then on it stays */
export function useMountAhead(free: () => boolean): Readonly<Ref<boolean>> {
  const begun = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = watch(
    free,
    (now) => {
      clearTimeout(timer)
      if (now) timer = setTimeout(() => void begin(), REST)
    },
    { immediate: true },
  )
  onScopeDispose(() => clearTimeout(timer))

  async function begin(): Promise<void> {
    if (!(await fetchWhileIdle()) || begun.value || !free()) return
    stop()
    begun.value = true
  }

  return begun
}
