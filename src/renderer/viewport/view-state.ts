/** What the parts of the viewport see of it: what is shown, how, and from where. */
import type { Helper } from '../../shared/scene/types.ts'
import type { Bounds } from './bounds.ts'
import type { CameraRig } from './camera-rig.ts'
import type { ModelView } from './model-view.ts'
import type { PosedModel } from './posed-model.ts'
import type { DisplayOptions, LaidModel, ViewSelection } from './types.ts'

export interface ViewState {
  readonly model: PosedModel | null
  readonly view: ModelView | null
  readonly display: DisplayOptions
  readonly selection: ViewSelection
  /** number of the clip, -1 rests; native time in it */
  readonly clip: number
  readonly time: number
  /** of the model in its pose when it was measured last */
  readonly bounds: Bounds
  /** height of the floor */
  readonly floor: number
  /** height of the model at rest */
  readonly extent: number
  readonly rig: CameraRig
  /** of the canvas, where it is over it */
  readonly pointer: { readonly x: number; readonly y: number } | null
  /** joint under the pointer, -1 for none */
  readonly hovered: number
  /** laid over the model */
  readonly over: LaidModel | null
  /** a helper of the scene, where a tool holds it now */
  helper(index: number | undefined): Helper | undefined
  /** Draws soon. */
  invalidate(): void
  /** The model is posed anew before that. */
  repose(): void
}

/** Numbers of the helpers that are drawn: all, or the chosen one. */
export function shownHelpers({ model, display, selection }: ViewState): number[] {
  return model ? model.scene.helpers.flatMap((_, i) => (display.helpers || i === selection.helper ? [i] : [])) : []
}

/** The joint that is named and has its axes: of none where a mesh or a point was chosen since, unless its weights are what is shown. Tools go on holding it. */
export function pointedJoint({ joint, mesh, helper }: ViewSelection, { heatJoint }: Pick<DisplayOptions, 'heatJoint'>): number {
  return (mesh < 0 && helper === undefined) || joint === heatJoint ? joint : -1
}
