/** Mouse, touch and touchpad on the canvas, as camera moves and clicks. */

export interface ControlTarget {
  turn(dYaw: number, dPitch: number): void
  pan(dx: number, dy: number): void
  /** @param x,y pixel that stays in place; absent: the middle */
  zoom(factor: number, x?: number, y?: number): void
  click(x: number, y: number): void
  doubleClick(x: number, y: number): void
  hover(x: number, y: number): void
  leave(): void
  /** a press of the main button: true takes the drag, which then goes to `drag` and ends with `drop` */
  grab(x: number, y: number, inverse: boolean): boolean
  drag(x: number, y: number, snap: boolean): void
  drop(cancel: boolean): void
  /** the second button turns instead of panning: the main one is taken by a tool */
  secondTurns(): boolean
}

const TURN = 0.008
const SLACK = 4

/** Listens until the signal is raised. */
export function attachControls(canvas: HTMLCanvasElement, target: ControlTarget, signal: AbortSignal): void {
  const pointers = new Map<number, { x: number; y: number }>()
  let moved = 0
  let buttons = 0
  let held = false
  const drop = (cancel: boolean): void => {
    if (!held) return
    held = false
    target.drop(cancel)
  }

  const place = (event: PointerEvent | MouseEvent | WheelEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const spread = (): { x: number; y: number; distance: number } => {
    const [a, b] = [...pointers.values()]
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) }
  }

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      canvas.focus({ preventScroll: true })
      canvas.setPointerCapture(event.pointerId)
      pointers.set(event.pointerId, place(event))
      buttons = event.buttons
      if (pointers.size === 1) moved = 0
      else {
        moved = SLACK + 1
        drop(true)
      }
      const at = place(event)
      if (pointers.size === 1 && event.button === 0 && !event.shiftKey && target.grab(at.x, at.y, event.ctrlKey)) {
        held = true
        moved = SLACK + 1
      }
      if (event.button === 1) event.preventDefault()
    },
    { signal },
  )
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const now = place(event)
      const before = pointers.get(event.pointerId)
      if (!before) {
        target.hover(now.x, now.y)
        return
      }
      if (held) {
        pointers.set(event.pointerId, now)
        target.drag(now.x, now.y, event.ctrlKey)
        return
      }
      if (pointers.size === 2) {
        const old = spread()
        pointers.set(event.pointerId, now)
        const fresh = spread()
        target.pan(fresh.x - old.x, fresh.y - old.y)
        if (fresh.distance > 0 && old.distance > 0) target.zoom(old.distance / fresh.distance, fresh.x, fresh.y)
        return
      }
      const dx = now.x - before.x,
        dy = now.y - before.y
      moved += Math.abs(dx) + Math.abs(dy)
      if (moved <= SLACK) return
      pointers.set(event.pointerId, now)
      if (buttons & 4 || event.shiftKey || (buttons & 2 && !target.secondTurns())) target.pan(dx, dy)
      else target.turn(-dx * TURN, dy * TURN)
    },
    { signal },
  )
  const end = (event: PointerEvent): void => {
    const known = pointers.delete(event.pointerId)
    drop(event.type === 'pointercancel')
    if (known && event.type === 'pointerup' && moved <= SLACK && event.button === 0) {
      const { x, y } = place(event)
      target.click(x, y)
    }
  }
  canvas.addEventListener('pointerup', end, { signal })
  canvas.addEventListener('pointercancel', end, { signal })
  canvas.addEventListener('pointerleave', () => target.leave(), { signal })
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal })
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
      if (event.shiftKey && !event.ctrlKey) target.pan(-(event.deltaX || event.deltaY) * unit, event.deltaX ? -event.deltaY * unit : 0)
      // a pinch on a touchpad arrives as a wheel with ctrl, in much smaller steps
      else target.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.0015)), x, y)
    },
    { signal, passive: false },
  )
  canvas.addEventListener(
    'keydown',
    (event) => {
      if (!held || event.key !== 'Escape') return
      drop(true)
      event.preventDefault()
      event.stopPropagation()
    },
    { signal },
  )
}
