/**
 * The page of a model is put together before there is one, while the window rests on the library: a first model finds its panels and its graphics
 * there, and is on screen nearly as soon as a second one.
 */
import { onScopeDispose, ref, watch, type Ref } from 'vue'
import { watchInput } from '../core/last-input.ts'
import { fetchWhileIdle } from './later.ts'

/** Milliseconds that the library has for itself first, and after each key and press of a button: its rows, and what the user does at once. */
const REST = 700

/** @param free the library is shown, and nothing is opened @returns whether it was put together: from then on it stays */
export function useMountAhead(free: () => boolean): Readonly<Ref<boolean>> {
  const begun = ref(false)
  const input = watchInput(window)
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void begin(), REST)
  }
  const stop = watch(free, (now) => (now ? wait() : clearTimeout(timer)), { immediate: true })
  onScopeDispose(() => {
    clearTimeout(timer)
    input.stop()
  })

  /** In one piece that takes longer than a letter of a search: not while somebody types. */
  async function begin(): Promise<void> {
    if (resting() && !(await fetchWhileIdle())) return
    if (begun.value || !free()) return
    // a key may have come while scripts did
    if (!resting()) return wait()
    stop()
    input.stop()
    begun.value = true
  }

  const resting = (): boolean => input.quietFor() >= REST

  return begun
}
