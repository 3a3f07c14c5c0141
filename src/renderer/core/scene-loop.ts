/** A scene that moves by itself: its first slice, or its first clip, round and round. */
import { usePreferredReducedMotion } from '@vueuse/core'
import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue'
import type { Scene } from '../../shared/scene/types.ts'
import { advance, clipSpan, sliceSpan, type Span } from './clock.ts'

/** @param held whether something else needs the machine for itself */
export function useSceneLoop(
  scene: Readonly<Ref<Scene | null>>,
  held: () => boolean = () => false,
): { time: Ref<number>; paused: Ref<boolean>; moves: ComputedRef<boolean> } {
  const still = usePreferredReducedMotion()
  /** the user stopped it, or wants no motion */
  const paused = ref(still.value === 'reduce')
  const time = ref(0)
  const moves = computed(() => (scene.value?.clips.length ?? 0) > 0)
  let frame = 0
  let last = 0

  function spanOf({ slices, clips }: Scene): Span {
    return slices[0] ? sliceSpan(slices[0], clips[slices[0].clip], true) : clipSpan(clips[0], true)
  }

  function step(now: number): void {
    frame = requestAnimationFrame(step)
    const passed = Math.min(now - last, 100) / 1000
    last = now
    if (scene.value && moves.value && !paused.value && !held()) time.value = advance(spanOf(scene.value), time.value, passed).time
  }

  watch(
    scene,
    (shown) => {
      if (shown) time.value = shown.clips.length > 0 ? spanOf(shown).start : 0
    },
    { flush: 'sync' },
  )
  watch(
    () => moves.value && !paused.value,
    (on) => {
      cancelAnimationFrame(frame)
      if (!on) return
      last = performance.now()
      frame = requestAnimationFrame(step)
    },
  )
  onScopeDispose(() => cancelAnimationFrame(frame))
  return { time, paused, moves }
}
