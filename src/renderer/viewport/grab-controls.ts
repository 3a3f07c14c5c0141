/** Pointer and keys while something is grabbed: it follows with no button held, wherever the pointer is, and the next press ends it. */
import { placeIn } from '../ui/scale.ts'
import type { GrabTool } from './tools/grab-tool.ts'

/** What a press that ended it would still do to what lies under the pointer. */
const REST_OF_PRESS = ['pointerup', 'mousedown', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'] as const

/** Listens until the signal is raised. */
export function attachGrab(canvas: HTMLCanvasElement, tool: GrabTool, signal: AbortSignal): void {
  let swallowing = false
  const take = (event: Event): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  const follow = (event: PointerEvent): void =>
    tool.move({ ...placeIn(canvas, event), ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, buttons: event.buttons })
  const options = { signal, capture: true }

  window.addEventListener(
    'pointermove',
    (event) => {
      // with a button down the camera is moved
      if (tool.going && event.buttons === 0) follow(event)
    },
    options,
  )
  window.addEventListener(
    'pointerdown',
    (event) => {
      swallowing = false
      // the middle button and the wheel go on moving the camera
      if (!tool.going || event.button === 1) return
      swallowing = true
      take(event)
      if (event.button === 0) {
        if (event.pointerType === 'touch') follow(event)
        tool.up()
      } else tool.cancel()
    },
    options,
  )
  for (const type of REST_OF_PRESS) window.addEventListener(type, (event) => swallowing && take(event), options)
  const key = (event: KeyboardEvent): void => {
    if (!tool.going) return
    // keys of the system and of the page are theirs
    if (/^(F5|F11|F12|OS|Alt|Shift)$/.test(event.key) || event.isComposing) return
    if (tool.key(event)) take(event)
  }
  window.addEventListener('keydown', key, options)
  window.addEventListener('keyup', key, options)
}
