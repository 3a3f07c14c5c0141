/**
 * What the pointer does in the picture. One tool is active at a time: a press goes to it first, and to the camera where it takes nothing. A press
 * that was taken ends with exactly one `up` or `cancel`.
 *
 * Camera, handles and their picking are written by hand and not taken from Babylon.js: its gizmos and cameras bring the engine's own picking,
 * input and materials (half a megabyte), know neither a pose that a sampler owns nor handles in a parent's space, and cannot be tested without a
 * graphics card. Here they are plain maths on an Orbit and a pose, proven in Node.
 */
import type { FlatData } from '../flat-batch.ts'
import type { LabelLayer, LabelStyle } from '../label-layer.ts'

/** As CSS calls them. */
export type CssCursor = string

export interface ToolPointer {
  /** pixels of the picture */
  x: number
  y: number
  ctrl: boolean
  shift: boolean
  /** as an event has them: 1 main, 2 second, 4 middle */
  buttons: number
}

export interface Tool {
  /** the main button is the tool's wherever it is pressed: the second one turns the camera meanwhile */
  readonly ownsMain?: boolean
  /** A press of the main button. True takes the drag. */
  down(at: ToolPointer): boolean
  move(at: ToolPointer): void
  up(): void
  /** Escape, a lost pointer, a second finger: what the drag did is taken back. */
  cancel(): void
  /** A key during a drag. True takes it. */
  key?(event: KeyboardEvent): boolean
  /** Its marks in the picture. False where there are none. */
  draw?(batch: FlatData): boolean
  /** Its marks over the picture. */
  drawOver?(labels: LabelLayer, style: LabelStyle): void
  /** where the pointer is; empty where it has nothing to do there */
  cursor(): CssCursor
}
