/** A page that goes is unseen at once, and taken down when what came in its place is on the screen: a model would wait for hundreds of rows to go. */
import { ref, watch, type Ref } from 'vue'
import { idle } from '../ui/idle.ts'

/** @returns which time it stands there, a key of its own each time; 0 where it does not */
export function useLeavingPage(shown: () => boolean): Readonly<Ref<number>> {
  const stands = ref(0)
  let times = 0
  watch(
    shown,
    async (now) => {
      if (now) return void (stands.value = ++times)
      const leaving = times
      // the frame that has it is drawn, and what comes with that has been done
      await new Promise(requestAnimationFrame)
      await idle()
      if (leaving === times) stands.value = 0
    },
    { immediate: true, flush: 'sync' },
  )
  return stands
}
