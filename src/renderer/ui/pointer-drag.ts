/**
 * One drag of the pointer, from its press to its release. The element that was pressed captures the pointer; Escape, a lost capture (the element
 * is gone, the system took the pointer) and a cancelled touch all take the drag back. One that edits has the keyboard to itself, so that nothing
 * else becomes of what it holds; undo and the second button take it back, too. A function and no `use...`: a drag ends by itself.
 */

import { zoomOf } from './scale.ts'

export interface DragPlace {
  /** pixels of the pressed element from where the drag began */
  dx: number
  dy: number
  event: PointerEvent
}

export interface PointerDrag {
  /** pixels that the pointer has to go before `move` is called; less is a click. 0: the first movement counts */
  threshold?: number
  /** only what the pointer goes sideways counts */
  sideways?: boolean
  /** an edit comes of it */
  edits?: boolean
  move(place: DragPlace): void
  /** @param moved false for a click: `move` was never called */
  end?(moved: boolean): void
  cancel?(moved: boolean): void
}

/** Keys that say how a drag goes on. */
const PART_OF_DRAG: ReadonlySet<string> = new Set(['Shift', 'Control', 'Meta', 'Alt', 'AltGraph'])

/** The second button's menu does not come over a drag, nor over what is left of one: it is asked for until the pointer is up. */
function withoutMenu(pointerId: number): void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const up = (event: PointerEvent): void => {
    if (event.pointerId === pointerId) setTimeout(() => listening.abort())
  }
  document.addEventListener('pointerup', up, options)
  document.addEventListener('pointercancel', up, options)
  document.addEventListener(
    'contextmenu',
    (event) => {
      if (event.button !== 2) return
      event.preventDefault()
      event.stopPropagation()
    },
    options,
  )
}

/** @returns what cancels the drag; nothing happens where it is over */
export function pointerDrag(start: PointerEvent, drag: PointerDrag): () => void {
  const target = start.currentTarget as Element
  const { pointerId, clientX, clientY } = start
  const { threshold = 0 } = drag
  const zoom = zoomOf(target)
  const listening = new AbortController()
  const { signal } = listening
  let moved = false

  // the pointer stays captured until its button is up: what lies below a drag that was taken back does not get the rest of it
  function finish(cancelled: boolean): void {
    if (signal.aborted) return
    listening.abort()
    if (cancelled) drag.cancel?.(moved)
    else drag.end?.(moved)
  }

  function onMove(event: PointerEvent): void {
    if (event.pointerId !== pointerId) return
    // a button that is pressed while another one is held is told as a movement
    if (drag.edits && event.buttons & 2) return finish(true)
    const dx = (event.clientX - clientX) / zoom
    const dy = (event.clientY - clientY) / zoom
    const far = drag.sideways ? Math.abs(dx) : Math.max(Math.abs(dx), Math.abs(dy))
    if (!moved && far < threshold) return
    moved = true
    drag.move({ dx, dy, event })
  }

  const on = <K extends keyof DocumentEventMap>(type: K, listener: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, listener, { capture: true, signal })
  on('pointermove', onMove)
  on('pointerup', (event) => event.pointerId === pointerId && finish(false))
  on('pointercancel', (event) => event.pointerId === pointerId && finish(true))
  // told to the document where the element is no longer in it
  on('lostpointercapture', (event) => event.pointerId === pointerId && finish(true))
  window.addEventListener(
    'keydown',
    (event) => {
      const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
      if (event.key !== 'Escape' && (!drag.edits || PART_OF_DRAG.has(event.key))) return
      event.stopPropagation()
      event.preventDefault()
      if (event.key === 'Escape' || undo) finish(true)
    },
    { capture: true, signal },
  )
  if (drag.edits) withoutMenu(pointerId)
  target.setPointerCapture(pointerId)
  return () => finish(true)
}
