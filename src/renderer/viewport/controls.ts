/** Mouse, touch and touchpad on the canvas, as drags of the active tool, camera moves and clicks. */
import { pointerDrag } from '../ui/pointer-drag.ts'
import { placeIn } from '../ui/scale.ts'
import type { CameraTool, Pinch } from './tools/camera-tool.ts'
import type { Tool, ToolPointer } from './tools/tool.ts'

export interface Controlled {
  readonly camera: CameraTool
  /** that has a press of the main button first */
  tool(): Tool
  /** where the pointer is; null when it has left */
  point(at: { x: number; y: number } | null): void
  /** chooses several, where Ctrl is held */
  readonly box: Tool
  /** @param add Ctrl was held */
  click(x: number, y: number, add: boolean): void
  doubleClick(x: number, y: number): void
  /**
   * The right button was pressed and let go in one place, or the menu key.
   * @param place pixels of the picture; null where the keyboard asks
   * @param at px of the window
   */
  menu(place: { x: number; y: number } | null, at: { x: number; y: number }): void
}

/** pixels that a click may stray */
const SLACK = 4

/** Listens until the signal is raised. */
export function attachControls(canvas: HTMLCanvasElement, target: Controlled, signal: AbortSignal): void {
  const fingers = new Map<number, { x: number; y: number }>()
  /** two were down: what is left of them only moves the camera */
  let pinched = false
  let held: { tool: Tool; cancel: () => void } | null = null

  const place = (event: MouseEvent): { x: number; y: number } => placeIn(canvas, event)
  const pointer = (event: PointerEvent): ToolPointer => ({
    ...place(event),
    ctrl: event.ctrlKey,
    shift: event.shiftKey,
    buttons: event.buttons,
  })
  const pinch = (): Pinch => {
    const [a, b] = [...fingers.values()]
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) }
  }

  /** A press that goes nowhere is a click. */
  const clicks = (tool: Tool): boolean => tool === target.camera || tool === target.box

  function begin(event: PointerEvent): void {
    const at = pointer(event)
    const { camera } = target
    const active = target.tool()
    let tool: Tool = camera
    if (event.button === 0 && !event.shiftKey) {
      target.point(at)
      if (active !== camera && active.down(at)) tool = active
      else if ((event.ctrlKey || event.metaKey) && !active.ownsMain && target.box.down(at)) tool = target.box
    }
    if (tool === camera) camera.down(at)
    const cancel = pointerDrag(event, {
      threshold: clicks(tool) ? SLACK + 1 : 0,
      edits: !clicks(tool),
      move({ event: now }) {
        const to = pointer(now)
        if (tool !== camera) target.point(to)
        tool.move(to)
      },
      end(moved) {
        held = null
        const click = clicks(tool) && !moved
        if (click && tool !== camera) tool.cancel()
        else tool.up()
        if (click && event.button === 0) target.click(at.x, at.y, event.ctrlKey || event.metaKey)
        else if (click && event.button === 2) target.menu(at, { x: event.clientX, y: event.clientY })
      },
      cancel() {
        held = null
        tool.cancel()
      },
    })
    held = { tool, cancel }
  }

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      canvas.focus({ preventScroll: true })
      fingers.set(event.pointerId, place(event))
      if (event.button === 1) event.preventDefault()
      if (fingers.size === 1) begin(event)
      else {
        pinched = true
        held?.cancel()
        canvas.setPointerCapture(event.pointerId)
      }
    },
    { signal },
  )
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const now = place(event)
      const before = fingers.get(event.pointerId)
      if (!before) return target.point(now)
      if (!pinched) return
      if (fingers.size === 2) {
        const from = pinch()
        fingers.set(event.pointerId, now)
        target.camera.pinch(from, pinch())
      } else if (fingers.size === 1) {
        fingers.set(event.pointerId, now)
        target.camera.down({ ...pointer(event), ...before })
        target.camera.move(pointer(event))
        target.camera.up()
      }
    },
    { signal },
  )
  const lift = (event: PointerEvent): void => {
    fingers.delete(event.pointerId)
    if (!fingers.size) pinched = false
  }
  canvas.addEventListener('pointerup', lift, { signal })
  canvas.addEventListener('pointercancel', lift, { signal })
  canvas.addEventListener('lostpointercapture', lift, { signal })
  canvas.addEventListener('pointerleave', () => target.point(null), { signal })
  canvas.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault()
      // systems tell of the right button at its press or at its release: here its release counts, as long as it did not move the camera
      if (event.button === 2 || fingers.size > 0) return
      const { left, top, width, height } = canvas.getBoundingClientRect()
      target.menu(null, { x: left + width / 2, y: top + height / 2 })
    },
    { signal },
  )
  canvas.addEventListener(
    'dblclick',
    (event) => {
      const { x, y } = place(event)
      target.doubleClick(x, y)
    },
    { signal },
  )
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1
      const { x, y } = place(event)
      if (event.shiftKey && !event.ctrlKey)
        target.camera.pan(-(event.deltaX || event.deltaY) * unit, event.deltaX ? -event.deltaY * unit : 0)
      // a pinch on a touchpad arrives as a wheel with ctrl, in much smaller steps
      else target.camera.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.0015)), x, y)
    },
    { signal, passive: false },
  )
  const key = (event: KeyboardEvent): void => {
    if (!held?.tool.key?.(event)) return
    event.preventDefault()
    // digits are no views meanwhile
    event.stopPropagation()
  }
  window.addEventListener('keydown', key, { signal, capture: true })
  window.addEventListener('keyup', key, { signal, capture: true })
}
