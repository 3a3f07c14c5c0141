/** What the pointer and the keyboard do everywhere in the timeline: set the playhead, move and zoom what is in sight. */
import { usePlayback } from '../../core/playback.ts'
import { pointerDrag, type DragPlace } from '../../ui/pointer-drag.ts'
import { rowTop } from '../../ui/row-space.ts'
import type { Measures } from './measures.ts'

/** Pixels from the left edge of the keys. */
export const xIn = (element: Element, event: MouseEvent): number => event.clientX - element.getBoundingClientRect().left

export function useNavigation(measures: Measures) {
  const playback = usePlayback()

  function scrollRows(top: number): void {
    const { rows } = measures
    rows.top = Math.max(0, Math.min(rowTop(rows, rows.count) - rows.height, top))
  }

  /** @param more what else moves with the pointer */
  function pan(event: PointerEvent, more?: (place: DragPlace) => void): void {
    if (event.button !== 1 && event.button !== 0) return
    event.preventDefault()
    const from = measures.view
    const { top } = measures.rows
    pointerDrag(event, {
      move(place) {
        measures.setView({ scale: from.scale, start: from.start - place.dx / from.scale })
        scrollRows(top - place.dy)
        more?.(place)
      },
    })
  }

  /** The playhead goes where the pointer is. @param element whose left edge is that of the keys */
  function scrub(event: PointerEvent, element: Element): void {
    if (event.button === 1) return pan(event)
    if (event.button !== 0 || !playback.clip) return
    const seek = (e: PointerEvent): void => playback.seek(measures.snapped(measures.toTime(xIn(element, e))))
    seek(event)
    pointerDrag(event, { move: (place) => seek(place.event) })
  }

  /** @param x pixel of the pointer */
  function wheel(event: WheelEvent, x: number): void {
    if (x < 0) return
    event.preventDefault()
    const unit = event.deltaMode === 1 ? 16 : 1
    const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX
    const { view } = measures
    if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey)
      measures.setView({ scale: view.scale, start: view.start + (sideways * unit) / view.scale })
    else measures.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0022)), x)
  }

  /** Keys of the playhead. */
  function timeKey(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => playback.step(-1),
      ArrowRight: () => playback.step(1),
      Home: playback.toStart,
      End: playback.toEnd,
    }
    if (!moves[event.key]) return
    event.preventDefault()
    event.stopPropagation()
    moves[event.key]()
  }

  return { pan, scrub, wheel, timeKey }
}
