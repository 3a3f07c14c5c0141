/** What the pointer and the keyboard do everywhere in the timeline: set the playhead, move and zoom what is in sight. */
import { usePlayback } from '../../core/playback.ts'
import { pointerDrag, type DragPlace } from '../../ui/pointer-drag.ts'
import { rowTop, within } from '../../ui/row-space.ts'
import { placeIn } from '../../ui/scale.ts'
import type { Measures } from './measures.ts'

/** Pixels from the left edge of the keys. */
export const xIn = (element: Element, event: MouseEvent): number => placeIn(element, event).x

export function useNavigation(measures: Measures) {
  const playback = usePlayback()

  function scrollRows(top: number): void {
    const { rows } = measures
    rows.top = within(rows, top)
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

  /**
   * Scrolls: rows where there are more than are seen, else in time, as with Shift; with Ctrl (as a touchpad tells a pinch) it zooms in time.
   * @param x pixel of the pointer
   * @param hasRows rows of keys are shown
   */
  function wheel(event: WheelEvent, x: number, hasRows: boolean): void {
    if (x < 0) return
    event.preventDefault()
    const unit = event.deltaMode === 1 ? 16 : 1
    const { view, rows } = measures
    if (event.ctrlKey || event.metaKey) {
      // a wheel clicks in steps of 100, a pinch comes in single pixels
      measures.zoom(Math.exp(-event.deltaY * unit * (Math.abs(event.deltaY) < 40 ? 0.01 : 0.0022)), x)
      return
    }
    const down = event.shiftKey ? 0 : event.deltaY
    const sideways = event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX
    const scrolls = hasRows && rowTop(rows, rows.count) > rows.height
    if (scrolls && down) scrollRows(rows.top + down * unit)
    const along = sideways || (scrolls ? 0 : down)
    if (along) measures.setView({ scale: view.scale, start: view.start + (along * unit) / view.scale })
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
