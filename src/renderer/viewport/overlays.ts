/** What is drawn about the model and is no part of it: floor, bones, helpers, ghosts, the way of a bone, marks of the tool. */
import type { Scene as Stage } from '@babylonjs/core/scene'
import type { Scene } from '../../shared/scene/types.ts'
import { boneColors, overlaySize } from './bones.ts'
import { FlatBatch, type FlatData } from './flat-batch.ts'
import { fillTrail, Ghosts, trailOf } from './ghosts.ts'
import { fillGrid, measureGrid } from './grid.ts'
import { fillHelpers } from './helpers.ts'
import { LaidOver } from './laid-over.ts'
import type { ModelView } from './model-view.ts'
import type { PosedModel } from './posed-model.ts'
import { fillRootPath, rangeAbout, rootPathOf } from './root-path.ts'
import { SkeletonOverlay } from './skeleton-overlay.ts'
import type { ApartShown } from './types.ts'
import { shownHelpers, type ViewState } from './view-state.ts'

export class Overlays {
  readonly bones: SkeletonOverlay
  private readonly over: LaidOver
  private readonly grid: FlatBatch
  private readonly helpers: FlatBatch
  private readonly ghosts: Ghosts
  private readonly trail: FlatBatch
  private readonly path: FlatBatch
  private readonly tool: FlatBatch
  private gridDrawn = ''
  private way: { scene: Scene; clip: number; joint: number; points: ReturnType<typeof trailOf> } | null = null

  private root: { scene: Scene; clip: number; start: number; end: number; path: ReturnType<typeof rootPathOf> } | null = null

  /** @param apart is told how far a model that is laid over the shown one is from it */
  constructor(stage: Stage, apart: (shown: ApartShown | null) => void = () => {}) {
    this.over = new LaidOver(stage, apart)
    this.grid = new FlatBatch('grid', stage, { lines: true, depth: 'behind-hidden', order: -1_000_000 })
    this.helpers = new FlatBatch('helpers', stage, { lines: true, depth: 'behind-hidden', order: 1_500_000 })
    this.bones = new SkeletonOverlay(stage)
    this.ghosts = new Ghosts(stage)
    this.trail = new FlatBatch('trail', stage, { lines: true, depth: 'over', order: 2_500_000 })
    this.path = new FlatBatch('path', stage, { lines: false, depth: 'behind-hidden', order: -900_000 })
    this.tool = new FlatBatch('handles', stage, { lines: false, depth: 'over', order: 3_000_000 })
  }

  setModel(model: PosedModel | null): void {
    this.bones.setModel(model)
    this.ghosts.setScene(model?.scene ?? null)
  }

  /** @param plain no tool holds the chosen bone: it is marked as chosen alone */
  draw(state: ViewState, plain: boolean, marks: (batch: FlatData) => boolean): void {
    const { display, view, selection, hovered, bounds, clip, time } = state
    const dark = display.background === 'dark'
    this.bones.update(display, view !== null, selection, hovered, bounds, plain)
    this.drawHelpers(state, dark)
    this.ghosts.update(display.onion, clip, time, dark, state.model?.inPlace ?? false, (i) => view?.isShown(i, display) ?? false)
    this.drawTrail(state)
    this.drawRootPath(state)
    this.tool.data.clear()
    const any = marks(this.tool.data)
    if (any) this.tool.upload()
    this.tool.visible = any
  }

  /** What the model itself is drawn by. @returns how far the floor reaches */
  begin(state: ViewState): number {
    this.over.update(state)
    return this.drawGrid(state)
  }

  private drawGrid({ bounds, display, floor }: ViewState): number {
    const measured = measureGrid(bounds)
    const key = `${measured.step} ${measured.lines} ${display.background} ${floor}`
    if (key !== this.gridDrawn) {
      this.gridDrawn = key
      fillGrid(this.grid.data, measured, display.background === 'dark', floor)
      this.grid.upload()
    }
    this.grid.fade(0, 0, measured.extent)
    this.grid.visible = display.grid
    return measured.extent
  }

  /** Every shader of what is drawn, the model among it, has been compiled. */
  isReady(view: ModelView | null): boolean {
    return (
      view?.isReady() !== false &&
      [this.grid, this.helpers, this.bones, this.over, this.ghosts, this.trail, this.path, this.tool].every((part) => part.isReady())
    )
  }

  dispose(): void {
    for (const part of [this.grid, this.helpers, this.bones, this.over, this.ghosts, this.trail, this.path, this.tool]) part.dispose()
  }

  private drawHelpers(state: ViewState, dark: boolean): void {
    const { model, selection, bounds } = state
    const shown = shownHelpers(state)
    if (model && shown.length > 0) {
      const [r, g, b] = boneColors(dark).selectedEdge
      const drawn = shown.map((i) =>
        i === selection.helper ? { ...state.helper(i)!, color: [r, g, b] as [number, number, number] } : model.scene.helpers[i],
      )
      fillHelpers(this.helpers.data, drawn, model.pose.world, overlaySize(bounds).mark * 2)
      this.helpers.upload()
    }
    this.helpers.visible = shown.length > 0
  }

  private drawTrail({ model, display, selection, clip, time, bounds }: ViewState): void {
    const { joint } = selection
    const scene = model?.scene
    if (display.trail === true && scene?.clips[clip] && !scene.clips[clip].away && joint >= 0 && joint < scene.skeleton.count) {
      if (this.way?.scene !== scene || this.way.clip !== clip || this.way.joint !== joint)
        this.way = { scene, clip, joint, points: trailOf(scene, clip, joint) }
      fillTrail(this.trail.data, this.way.points, time, overlaySize(bounds).mark * 0.5)
      this.trail.upload()
    } else this.way = null
    this.trail.visible = this.way !== null
  }

  private drawRootPath({ model, display, clip, time, bounds, floor }: ViewState): void {
    const scene = model?.scene
    const sampled = scene?.clips[clip]
    if (display.rootPath && scene && sampled) {
      const { start, end } = rangeAbout(scene, clip, sampled, time)
      const { root } = this
      if (root?.scene !== scene || root.clip !== clip || root.start !== start || root.end !== end)
        this.root = { scene, clip, start, end, path: rootPathOf(scene, sampled, { start, end }) }
    } else this.root = null
    const path = this.root?.path
    if (path) {
      fillRootPath(this.path.data, path, time, floor, overlaySize(bounds).mark * 6)
      this.path.upload()
    }
    this.path.visible = path !== undefined && path !== null
  }
}
