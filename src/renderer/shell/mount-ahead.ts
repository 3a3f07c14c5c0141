/**
 * The page of a model is put together before there is one, while the window rests on the library: a first model finds its panels and its graphics
 * there, and is on screen nearly as soon as a second one.
 */
import { nextTick, onScopeDispose, ref, watch, type Ref } from 'vue'
import { fetchWhileIdle } from './later.ts'

/** Milliseconds that the library has for itself first: its rows, and what the user does at once. */
const REST = 700
/** Rounds of what follows from each other in the page until it is complete: a component that comes later brings others. */
const ROUNDS = 8

interface Ahead {
  /** it was put together: from then on it stays */
  begun: Readonly<Ref<boolean>>
  /** it stands on the page for a moment, in its room and unseen: its panels take their sizes from there */
  standing: Readonly<Ref<boolean>>
}

/** @param free the library is shown, and nothing is opened */
export function useMountAhead(free: () => boolean): Ahead {
  const begun = ref(false)
  const standing = ref(false)
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
    // in one turn: it is not painted, and no key press and no test finds it
    begun.value = standing.value = true
    for (let round = 0; round < ROUNDS; round++) await nextTick()
    standing.value = false
  }

  return { begun, standing }
}
