/** The pointer moves the camera: a drag turns it, with the middle button or Shift it moves the picture. */
import type { Orbit } from '../orbit.ts'
import type { ViewState } from '../view-state.ts'
import type { CssCursor, Tool, ToolPointer } from './tool.ts'

/** radians a pixel */
const TURN = 0.008

export class CameraTool implements Tool {
  private readonly state: ViewState
  /** the second button turns, too: another tool has the main one */
  private readonly secondTurns: () => boolean
  private start: Orbit | null = null
  private last = { x: 0, y: 0 }

  constructor(state: ViewState, secondTurns: () => boolean) {
    this.state = state
    this.secondTurns = secondTurns
  }

  down(at: ToolPointer): boolean {
    this.start = this.state.rig.orbit
    this.last = { x: at.x, y: at.y }
    return true
  }

  move(at: ToolPointer): void {
    const dx = at.x - this.last.x
    const dy = at.y - this.last.y
    this.last = { x: at.x, y: at.y }
    const { rig } = this.state
    if (at.buttons & 4 || at.shift || (at.buttons & 2 && !this.secondTurns())) rig.pan(dx, dy)
    else rig.turn(-dx * TURN, dy * TURN)
  }

  up(): void {
    this.start = null
  }

  cancel(): void {
    if (this.start) this.state.rig.set(this.start)
    this.start = null
  }

  pan(dx: number, dy: number): void {
    this.state.rig.pan(dx, dy)
  }

  zoom(factor: number, x?: number, y?: number): void {
    this.state.rig.zoom(factor, this.state.bounds, x, y)
  }

  /** Two fingers: what is under them stays there. */
  pinch(from: Pinch, to: Pinch): void {
    this.pan(to.x - from.x, to.y - from.y)
    if (from.distance > 0 && to.distance > 0) this.zoom(from.distance / to.distance, to.x, to.y)
  }

  cursor(): CssCursor {
    return ''
  }
}

/** Middle of two fingers and how far they are apart, pixels. */
export interface Pinch {
  x: number
  y: number
  distance: number
}
