/** A canvas that is drawn once a frame after something it shows has changed. */
import { onBeforeUnmount, onMounted, watch, type Ref, type WatchSource } from 'vue'
import { useSession } from '../../core/session.ts'
import { useShown } from '../../core/while-shown.ts'

/**
 * @param read takes the theme's colours from the element: once, and again for another theme
 * @param sources what the picture shows
 * @returns what asks for another drawing
 */
export function useDrawing<C>(
  element: Ref<Element | null>,
  read: (element: Element) => C,
  sources: WatchSource[],
  paint: (colors: C) => void,
): () => void {
  const session = useSession()
  const shown = useShown()
  let colors: C | null = null
  let frame = 0

  function draw(): void {
    if (frame) return
    frame = requestAnimationFrame(() => {
      frame = 0
      const at = element.value
      if (at?.isConnected && shown.value) paint((colors ??= read(at)))
    })
  }

  watch([element, shown, ...sources], draw)
  watch(
    () => session.theme,
    () =>
      // the theme stands on the page from the next frame on
      requestAnimationFrame(() => {
        colors = null
        draw()
      }),
  )
  onMounted(() => {
    draw()
    void document.fonts?.ready.then(draw)
  })
  onBeforeUnmount(() => cancelAnimationFrame(frame))
  return draw
}
