/**
 * The viewport without its frame: takes a scene, a moment, a selection and options, and keeps a picture of them on a canvas.
 * It draws only when something has changed, and builds large models in slices.
 */
import { Color4 } from '@babylonjs/core/Maths/math.color'
import { invertAffine, transformPoint } from '../../shared/scene/matrix.ts'
import type { Helper, Scene } from '../../shared/scene/types.ts'
import { boneColors, overlaySize, pickBone } from './bones.ts'
import { radius } from './bounds.ts'
import type { Bounds } from './bounds.ts'
import { alongStroke, brushRim, brushSpot } from './brush.ts'
import type { BrushSpot } from './brush.ts'
import { attachControls, type ControlTarget } from './controls.ts'
import { FlatBatch } from './flat-batch.ts'
import { fillTrail, Ghosts, trailOf } from './ghosts.ts'
import { fillGizmo, GizmoDrag, gizmoFrame, jointSubject, pickHandle, pointSubject } from './gizmo.ts'
import type { GizmoFrame, GizmoSubject, Handle, LocalPose } from './gizmo.ts'
import { Graphics, paceOf } from './graphics.ts'
import { fillGrid, measureGrid } from './grid.ts'
import { fillHelpers, pickPoint, place } from './helpers.ts'
import { LabelLayer, labelStyle } from './label-layer.ts'
import { ALWAYS, declutter } from './labels.ts'
import type { Label } from './labels.ts'
import { ModelView } from './model-view.ts'
import { basis, defaultOrbit, depthRange, eye, frameBounds, mixOrbit, pan, projector, turn, viewer, VIEWS, zoom } from './orbit.ts'
import type { Orbit, Projector } from './orbit.ts'
import { pickSurface } from './picking.ts'
import { PosedModel } from './posed-model.ts'
import { SkeletonOverlay } from './skeleton-overlay.ts'
import { defaultDisplay, noSelection } from './types.ts'
import type {
  BrushEvent,
  DisplayOptions,
  PointDrag,
  PoseDrag,
  SurfacePlace,
  ViewBrush,
  ViewName,
  ViewPick,
  ViewSelection,
  ViewStats,
  ViewTool,
} from './types.ts'
import { parseColor } from './vec.ts'
import type { Vec3 } from './vec.ts'

export interface StageEvents {
  pick(what: ViewPick): void
  /** joint under the pointer, -1 for none */
  hover(joint: number): void
  ready(): void
  stats(stats: ViewStats): void
  /** empty when it is over */
  trouble(message: string): void
  pose(drag: PoseDrag): void
  point(drag: PointDrag): void
  brush(event: BrushEvent): void
}

const BACKGROUND = { dark: '#22262b', light: '#dfe3e6' } as const

const MOVE_MS = 200
const STATS_MS = 500

/** A box of the size of a person where nothing says better. */
const EMPTY_BOUNDS: Bounds = { min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] }

export class ViewportStage {
  private readonly canvas: HTMLCanvasElement
  private readonly labels: LabelLayer
  private readonly events: StageEvents
  private readonly closing = new AbortController()

  private graphics: Graphics | null = null
  private grid: FlatBatch | null = null
  private helperLines: FlatBatch | null = null
  private bones: SkeletonOverlay | null = null
  private ghosts: Ghosts | null = null
  private trailLines: FlatBatch | null = null
  private handles: FlatBatch | null = null
  private view: ModelView | null = null
  /** what was asked for last, built or not */
  private scene: Scene | null = null
  private model: PosedModel | null = null
  private loading: AbortController | null = null

  private display: DisplayOptions = { ...defaultDisplay }
  private selection: ViewSelection = { ...noSelection }
  private tool: ViewTool = { kind: 'none', space: 'local' }
  private brush: ViewBrush | null = null
  /** where the last dab of a stroke was, null between strokes */
  private stroke: { x: number; y: number } | null = null
  private gizmo: GizmoFrame | null = null
  private handle: Handle | null = null
  private drag: GizmoDrag | null = null
  private held: LocalPose | null = null
  /** a point that a handle put elsewhere than the scene has it */
  private heldPoint: { helper: number; center: [number, number, number] } | null = null
  private trail: { scene: Scene; clip: number; joint: number; way: ReturnType<typeof trailOf> } | null = null
  private clip = -1
  private time = 0
  /** for textures that scroll: goes on where the clip jumps back */
  private seconds = 0

  private orbit: Orbit = defaultOrbit()
  private move: { from: Orbit; to: Orbit; since: number } | null = null
  private bounds: Bounds = EMPTY_BOUNDS
  private gridRadius = 1
  private width = 1
  private height = 1
  private ratio = 1

  private posed = false
  private gridDrawn = ''
  private request = 0
  private hovered = -1
  private pointer: { x: number; y: number } | null = null
  private waiting = false
  private firstFrameDone: (() => void) | null = null
  firstFrame: Promise<void> = Promise.resolve()

  private lastFrame = 0
  private fps = 0
  private cpu = 0
  private lastStats = 0
  private statsTimer: ReturnType<typeof setTimeout> | undefined

  /** @throws NoWebGL */
  constructor(canvas: HTMLCanvasElement, labelCanvas: HTMLCanvasElement, events: StageEvents) {
    this.canvas = canvas
    this.labels = new LabelLayer(labelCanvas)
    this.events = events
    this.start()
    attachControls(canvas, this.controls(), this.closing.signal)
    const { signal } = this.closing
    canvas.addEventListener(
      'webglcontextlost',
      (event) => {
        event.preventDefault()
        this.stop()
        events.trouble('The graphics driver stopped. The picture comes back by itself when it has started again.')
      },
      { signal },
    )
    canvas.addEventListener('webglcontextrestored', () => this.restart(), { signal })
    // names are drawn anew once their font is there
    document.fonts?.addEventListener?.('loadingdone', () => this.invalidate(), { signal })
  }

  // --- what is shown ---------------------------------------------------------------------------------------------

  /**
   * Shows another scene. The present one stays on screen until the new one is built.
   * @param keepCamera for the same model after an edit
   */
  async setScene(scene: Scene | null, keepCamera = false): Promise<void> {
    this.scene = scene
    this.loading?.abort()
    const loading = new AbortController()
    this.loading = loading
    this.firstFrameDone?.()
    this.firstFrame = new Promise((done) => (this.firstFrameDone = done))
    if (!scene || !this.graphics) {
      this.drop()
      this.model = null
      this.firstFrameDone?.()
      this.invalidate()
      return
    }
    const model = new PosedModel(scene)
    if (keepCamera && this.view?.adopt(model)) {
      this.show(model)
      return
    }
    let view: ModelView
    try {
      view = await ModelView.build(this.graphics.stage, model, paceOf(loading.signal))
    } catch (error) {
      if (loading.signal.aborted) return
      throw error
    }
    if (loading.signal.aborted) {
      view.dispose()
      return
    }
    this.drop()
    this.view = view
    view.show()
    this.show(model)
    if (!keepCamera) {
      this.orbit = { ...this.orbit, ...VIEWS['three-quarter'] }
      this.orbit = { ...this.orbit, ...frameBounds(this.orbit, this.bounds, this.width / this.height) }
      this.move = null
    }
  }

  private show(model: PosedModel): void {
    this.model = model
    this.bones!.setModel(model)
    this.ghosts!.setScene(model.scene)
    this.hovered = -1
    // an edit of the very joint that is being dragged comes back as a scene: the hand still holds it
    if (this.drag && this.held) model.held = { joint: this.selection.joint, ...this.held, keepSkin: this.tool.keepSkin }
    else this.held = null
    if (!this.drag) this.heldPoint = null
    this.pose()
    this.measure()
    this.waiting = true
    this.invalidate()
  }

  setDisplay(display: DisplayOptions): void {
    this.display = display
    this.invalidate()
  }

  setSelection(selection: ViewSelection): void {
    if (selection.joint !== this.selection.joint || selection.helper !== this.selection.helper) this.letGo()
    this.selection = selection
    this.invalidate()
  }

  setTool(tool: ViewTool): void {
    this.tool = tool
    this.invalidate()
  }

  setBrush(brush: ViewBrush | null): void {
    if (!brush || brush.mesh !== this.brush?.mesh) this.endStroke(true)
    this.brush = brush
    this.canvas.style.cursor = ''
    this.invalidate()
  }

  /** Weights to show in place of the scene's, per vertex of a mesh; null: the scene's again. */
  previewHeat(mesh: number, values: Float32Array | null): void {
    this.view?.previewHeat(mesh, values)
    this.invalidate()
  }

  /** @param clip -1 rests; @param time native */
  setMoment(clip: number, time: number): void {
    if (clip === this.clip && time === this.time) return
    const rate = this.model?.scene.clips[clip]?.rate || 30
    const forward = (time - this.time) / rate
    // where playback jumps back, one frame has passed on the wall
    this.seconds += clip === this.clip && forward >= 0 ? forward : 1 / 60
    this.clip = clip
    this.time = time
    this.posed = false
    if (!this.drag) this.letGo()
    this.invalidate()
  }

  // --- camera ----------------------------------------------------------------------------------------------------

  frame(what: 'selection' | 'all' = 'selection'): void {
    const bounds = (what === 'selection' ? this.selectionBounds() : null) ?? this.measure()
    this.go({ ...this.orbit, ...frameBounds(this.orbit, bounds, this.width / this.height) })
  }

  setView(view: ViewName): void {
    const turned = { ...this.orbit, ...VIEWS[view] }
    this.go({ ...turned, ...frameBounds(turned, this.measure(), this.width / this.height) })
  }

  private go(to: Orbit): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (still) this.orbit = to
    else this.move = { from: this.orbit, to, since: performance.now() }
    this.invalidate()
  }

  private moveBy(next: Orbit): void {
    this.move = null
    this.orbit = next
    this.invalidate()
  }

  get camera(): Readonly<Orbit> {
    return this.orbit
  }

  /** Box of the model in its present pose, kept for the grid and the depth range. */
  private measure(): Bounds {
    this.bounds = this.model?.bounds((i) => this.view?.isShown(i, this.display) ?? true) ?? EMPTY_BOUNDS
    if (radius(this.bounds) < 1e-6) {
      const m = this.bounds.min
      this.bounds = { min: [m[0] - 0.5, m[1] - 0.5, m[2] - 0.5], max: [m[0] + 0.5, m[1] + 0.5, m[2] + 0.5] }
    }
    return this.bounds
  }

  private selectionBounds(): Bounds | null {
    const { model, selection } = this
    if (!model) return null
    const { mesh, vertex, joint } = selection
    const helper = this.helperNow(selection.helper)
    if (helper) return around(place(helper, model.pose.world), Math.max(radius(this.bounds) * 0.15, Math.hypot(...helper.extent)))
    if (mesh >= 0 && mesh < model.meshes.length) {
      if (vertex === undefined) return model.bounds((i) => i === mesh)
      const p = model.scenePositions(mesh)
      return around([p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]], radius(this.bounds) * 0.1)
    }
    if (joint >= 0 && joint < model.scene.skeleton.count) {
      const w = model.pose.world
      return around([w[16 * joint + 12], w[16 * joint + 13], w[16 * joint + 14]], radius(this.bounds) * 0.2)
    }
    return null
  }

  // --- size and pictures -----------------------------------------------------------------------------------------

  /** CSS pixels. Draws at once: a canvas that has been resized is blank until then. */
  resize(width: number, height: number, ratio: number): void {
    this.width = Math.max(1, width)
    this.height = Math.max(1, height)
    this.ratio = ratio
    this.labels.resize(this.width, this.height, ratio)
    this.graphics?.engine.setSize(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)))
    if (width > 0 && height > 0) this.draw(performance.now())
  }

  /** PNG of the picture as it is, without names. */
  screenshot(): Promise<Blob> {
    this.draw(performance.now())
    return new Promise((done, fail) =>
      this.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('The picture could not be made'))), 'image/png'),
    )
  }

  /** Draws soon. */
  invalidate(): void {
    if (this.request || this.closing.signal.aborted) return
    this.request = requestAnimationFrame((now) => {
      this.request = 0
      this.draw(now)
    })
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  private pose(): void {
    const { model, view } = this
    if (!model || !view) return
    model.update(this.clip, this.time, viewer(this.orbit))
    view.upload()
    this.posed = true
  }

  private draw(now: number): void {
    const { graphics, display } = this
    if (!graphics || this.width <= 1 || this.height <= 1) return
    const began = performance.now()
    this.step(now)
    if (!this.posed || this.model?.facesViewer) this.pose()
    const o = this.orbit
    const { near, far } = depthRange(o, this.bounds, this.gridRadius)
    graphics.camera.place(o, this.width / this.height, near, far)
    graphics.stage.clearColor = Color4.FromArray([...parseColor(BACKGROUND[display.background]), 1])
    this.drawGrid()
    // edges of the chosen mesh would hide the colours of weights
    this.view?.style(
      display,
      display.heatJoint >= 0 || this.selection.vertex !== undefined ? { mesh: -1 } : this.selection,
      this.seconds,
      eye(o),
    )
    this.updateHover()
    const dark = display.background === 'dark'
    this.bones!.update(
      display.skeleton && this.view !== null,
      this.selection.joint,
      this.hovered,
      this.bounds,
      dark,
      this.tool.kind === 'none',
    )
    this.drawHelpers()
    this.ghosts!.update(display.onion, this.clip, this.time, dark, (i) => this.view?.isShown(i, display) ?? false)
    this.drawTrail()
    this.drawHandles()
    graphics.render()
    this.drawLabels()
    const cpu = performance.now() - began
    this.count(now, cpu)
    const ready =
      (this.view?.isReady() ?? true) &&
      this.bones!.isReady() &&
      this.grid!.isReady() &&
      this.ghosts!.isReady() &&
      this.handles!.isReady() &&
      this.trailLines!.isReady() &&
      this.helperLines!.isReady()
    if (!ready) this.invalidate()
    else if (this.waiting) {
      // the frame before may have been drawn without a shader: this one is whole
      this.waiting = false
      graphics.render()
      this.firstFrameDone?.()
      this.firstFrameDone = null
      this.events.ready()
      this.invalidate()
    }
  }

  /** Camera moves in flight. */
  private step(now: number): void {
    if (!this.move) return
    const t = Math.min(1, Math.max(0, (now - this.move.since) / MOVE_MS))
    const ease = 1 - (1 - t) ** 3
    this.orbit = t === 1 ? this.move.to : mixOrbit(this.move.from, this.move.to, ease)
    if (t === 1) this.move = null
    else this.invalidate()
  }

  private count(now: number, cpu: number): void {
    const passed = now - this.lastFrame
    this.lastFrame = now
    // a pause between drawings on demand says nothing about speed
    if (passed > 0 && passed < 250) this.fps = this.fps ? this.fps * 0.9 + (1000 / passed) * 0.1 : 1000 / passed
    this.cpu = this.cpu ? this.cpu * 0.8 + cpu * 0.2 : cpu
    clearTimeout(this.statsTimer)
    // a last report follows when drawing stops
    if (now - this.lastStats < STATS_MS) this.statsTimer = setTimeout(() => this.report(), STATS_MS)
    else this.report()
  }

  private report(): void {
    this.lastStats = performance.now()
    this.events.stats({
      fps: Math.round(this.fps),
      triangles: this.view?.triangles ?? 0,
      vertices: this.view?.vertices ?? 0,
      cpu: this.cpu,
    })
  }

  private drawGrid(): void {
    const grid = this.grid!
    const measured = measureGrid(this.bounds)
    const key = `${measured.step} ${measured.lines} ${this.display.background}`
    if (key !== this.gridDrawn) {
      this.gridDrawn = key
      this.gridRadius = measured.extent
      fillGrid(grid.data, measured, this.display.background === 'dark')
      grid.upload()
    }
    grid.fade(0, 0, measured.extent)
    grid.visible = this.display.grid
  }

  private drawHelpers(): void {
    const lines = this.helperLines!
    const { model } = this
    const shown = model ? this.shownHelpers() : []
    if (model && shown.length > 0) {
      const chosen = boneColors(this.display.background === 'dark').selectedEdge
      const helpers = shown.map((i) =>
        i === this.selection.helper
          ? { ...this.helperNow(i)!, color: [chosen[0], chosen[1], chosen[2]] as [number, number, number] }
          : model.scene.helpers[i],
      )
      fillHelpers(lines.data, helpers, model.pose.world, overlaySize(this.bounds).mark * 2)
      lines.upload()
    }
    lines.visible = shown.length > 0
  }

  /** Numbers of the helpers that are drawn: all, or the chosen one. */
  private shownHelpers(): number[] {
    const { model, selection } = this
    if (!model) return []
    return model.scene.helpers.flatMap((_, i) => (this.display.helpers || i === selection.helper ? [i] : []))
  }

  /** A helper as it is held now. */
  private helperNow(index: number | undefined): Helper | undefined {
    const helper = index === undefined ? undefined : this.model?.scene.helpers[index]
    const held = this.heldPoint
    return helper && held && held.helper === index ? { ...helper, center: held.center } : helper
  }

  private drawTrail(): void {
    const lines = this.trailLines!
    const { model, clip } = this
    const { joint } = this.selection
    const on =
      this.display.trail === true &&
      model !== null &&
      model.scene.clips[clip] !== undefined &&
      joint >= 0 &&
      joint < model.scene.skeleton.count
    if (on) {
      if (this.trail?.scene !== model.scene || this.trail.clip !== clip || this.trail.joint !== joint)
        this.trail = { scene: model.scene, clip, joint, way: trailOf(model.scene, clip, joint) }
      fillTrail(lines.data, this.trail.way, this.time, overlaySize(this.bounds).mark * 0.5)
      lines.upload()
    } else this.trail = null
    lines.visible = on
  }

  private drawHandles(): void {
    const batch = this.handles!
    const { tool } = this
    const subject = this.subject()
    const on = tool.kind !== 'none' && subject !== null
    this.gizmo = tool.kind !== 'none' && subject ? gizmoFrame(tool.kind, tool.space, subject, this.projector(), basis(this.orbit)) : null
    if (this.gizmo) {
      if (!this.drag) this.handle = this.pointer ? pickHandle(this.gizmo, this.projector(), this.pointer.x, this.pointer.y) : null
      batch.data.clear()
      fillGizmo(batch.data, this.gizmo, this.handle)
      batch.upload()
      if (this.handle !== null) this.canvas.style.cursor = 'grab'
      else if (this.hovered < 0) this.canvas.style.cursor = ''
    }
    batch.visible = on
  }

  // --- posing ----------------------------------------------------------------------------------------------------

  /** What a tool takes: the chosen point, else the chosen joint. */
  private subject(): GizmoSubject | null {
    const { model, selection } = this
    if (!model) return null
    const helper = this.helperNow(selection.helper)
    if (helper) return pointSubject(helper, model.pose)
    const { joint } = selection
    return joint >= 0 && joint < model.scene.skeleton.count ? jointSubject(model.scene.skeleton, joint, model.pose) : null
  }

  private hold(pose: LocalPose, phase: PoseDrag['phase']): void {
    const { joint, helper } = this.selection
    if (this.helperNow(helper)) {
      this.heldPoint = { helper: helper!, center: pose.translation }
      this.events.point({ helper: helper!, center: pose.translation, phase })
      this.invalidate()
      return
    }
    this.held = pose
    if (this.model) this.model.held = { joint, ...pose, keepSkin: this.tool.keepSkin }
    this.posed = false
    this.events.pose({ joint, kind: this.tool.kind as 'move' | 'rotate', ...pose, phase })
    this.invalidate()
  }

  /** The clip says again where the joint is. */
  letGo(): void {
    if (!this.held && !this.heldPoint && !this.drag) return
    this.drag = null
    this.held = null
    this.heldPoint = null
    if (this.model) this.model.held = null
    this.posed = false
    this.invalidate()
  }

  private drawLabels(): void {
    const { labels, display, model, selection } = this
    const style = labelStyle(display.background === 'dark')
    labels.begin()
    labels.compass(this.orbit, style)
    if (!model) return
    const view = projector(this.orbit, this.width, this.height)
    const p = [0, 0, 0]
    const list: Label[] = []
    const strong = new Set<number>()
    const put = (text: string, at: Vec3, id: number, priority: number): void => {
      view.project(at[0], at[1], at[2], p)
      if (p[2] > 0 && text)
        list.push({ text, x: p[0], y: p[1], width: labels.measure(text), id, priority: priority - p[2] / (radius(this.bounds) * 100) })
    }
    const { skeleton } = model.scene
    const w = model.pose.world
    for (let j = 0; j < skeleton.count; j++) {
      const chosen = j === selection.joint || j === this.hovered
      if (!chosen && (!display.names || skeleton.roles?.[j] === 'hidden')) continue
      if (chosen) strong.add(j)
      put(skeleton.names[j], [w[16 * j + 12], w[16 * j + 13], w[16 * j + 14]], j, chosen ? 2 * ALWAYS : 0)
    }
    for (const i of this.shownHelpers()) {
      const h = this.helperNow(i)!
      const chosen = i === selection.helper
      if (chosen) strong.add(skeleton.count + i)
      put(h.label || h.name, place(h, w), skeleton.count + i, chosen ? 2 * ALWAYS : 1)
    }
    labels.labels(declutter(list, this.width, this.height), style, strong)
    const { mesh, vertex } = selection
    if (vertex !== undefined && mesh >= 0 && mesh < model.meshes.length && model.meshes[mesh].visible) {
      const positions = model.scenePositions(mesh)
      view.project(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], p)
      if (p[2] > 0) labels.ring(p[0], p[1], style)
    }
    const spot = this.brush && this.pointer && this.spotAt(this.pointer.x, this.pointer.y)
    if (this.brush) this.canvas.style.cursor = spot ? 'none' : ''
    if (spot) {
      view.project(spot.hit.point[0], spot.hit.point[1], spot.hit.point[2], p)
      labels.rim(brushRim(spot, view), p[0], p[1], style)
    }
  }

  // --- painting --------------------------------------------------------------------------------------------------

  private spotAt(x: number, y: number): BrushSpot | null {
    const { model, view, brush } = this
    if (!model || !view || !brush) return null
    const projected = this.projector()
    const { origin, direction } = projected.ray(x, y)
    const hit = pickSurface(model, (i) => i === brush.mesh && view.isShown(i, this.display), origin, direction)
    return hit && brushSpot(model, hit, projected, direction, brush.radius)
  }

  private dab(x: number, y: number, phase: 'start' | 'drag', inverse: boolean): boolean {
    const spot = this.spotAt(x, y)
    if (!spot || !this.model) return false
    const { mesh, point } = spot.hit
    this.events.brush({ phase, mesh, point, radius: spot.radius, positions: this.model.scenePositions(mesh), inverse })
    return true
  }

  private endStroke(cancel: boolean): void {
    if (!this.stroke) return
    this.stroke = null
    this.events.brush({ phase: cancel ? 'cancel' : 'end' })
    this.invalidate()
  }

  // --- pointing --------------------------------------------------------------------------------------------------

  private projector(): Projector {
    return projector(this.orbit, this.width, this.height)
  }

  private boneAt(x: number, y: number): number {
    const { model, bones } = this
    if (!model || !bones || !this.display.skeleton || this.brush) return -1
    return pickBone(model.scene.skeleton, bones.boneList, bones.segments, model.pose.world, this.projector(), x, y)
  }

  /** What a pixel shows: a bone where the skeleton is on, else the surface. */
  pick(x: number, y: number): ViewPick {
    const { model, view } = this
    if (!model || !view) return {}
    const points = this.shownHelpers()
    const helper = points.length
      ? pickPoint(
          points.map((i) => this.helperNow(i)!),
          model.pose.world,
          this.projector(),
          x,
          y,
        )
      : -1
    if (helper >= 0) return { helper: points[helper] }
    const joint = this.boneAt(x, y)
    if (joint >= 0) return { joint }
    const { origin, direction } = this.projector().ray(x, y)
    const hit = pickSurface(model, (i, g) => view.isShown(i, this.display, g), origin, direction)
    return hit ? { mesh: hit.mesh, vertex: hit.vertex, nativeVertex: hit.nativeVertex, material: hit.material, group: hit.group } : {}
  }

  /** See ViewportHandle. */
  placeAtPointer(joint = -1): SurfacePlace | null {
    const { model, view, pointer } = this
    if (!model || !view || !pointer) return null
    const { origin, direction } = this.projector().ray(pointer.x, pointer.y)
    const hit = pickSurface(model, (i, g) => view.isShown(i, this.display, g), origin, direction)
    if (!hit) return null
    const own = joint >= 0 ? joint : carrierOf(model.scene, hit.mesh, hit.vertex)
    const inverse = new Float32Array(16)
    const center: Vec3 = [...hit.point]
    if (own >= 0 && invertAffine(inverse, 0, model.pose.world, 16 * own)) transformPoint(center, 0, inverse, 0, ...hit.point)
    return { mesh: hit.mesh, joint: own, center }
  }

  private updateHover(): void {
    const joint = this.pointer ? this.boneAt(this.pointer.x, this.pointer.y) : -1
    if (joint === this.hovered) return
    this.hovered = joint
    this.canvas.style.cursor = joint >= 0 ? 'pointer' : ''
    this.events.hover(joint)
  }

  /** The camera's moves, for whoever has the keys. */
  get moves(): Pick<ControlTarget, 'turn' | 'pan' | 'zoom'> {
    return this.controls()
  }

  private controls(): ControlTarget {
    return {
      turn: (dYaw, dPitch) => this.moveBy(turn(this.orbit, dYaw, dPitch)),
      pan: (dx, dy) => this.moveBy(pan(this.orbit, dx, dy, this.height)),
      zoom: (factor, x = this.width / 2, y = this.height / 2) => {
        const before = this.orbit
        const after = zoom(before, factor, radius(this.bounds))
        // what is under the pointer stays there
        const k = 1 - after.distance / before.distance
        const shifted = pan(before, (this.width / 2 - x) * k, (this.height / 2 - y) * k, this.height)
        this.moveBy({ ...after, target: shifted.target })
      },
      click: (x, y) => this.events.pick(this.pick(x, y)),
      doubleClick: (x, y) => {
        const what = this.pick(x, y)
        if (what.helper !== undefined || what.joint !== undefined || what.mesh !== undefined) this.frame('selection')
        else this.frame('all')
      },
      hover: (x, y) => {
        this.pointer = { x, y }
        if (this.display.skeleton || this.tool.kind !== 'none' || this.brush) this.invalidate()
      },
      leave: () => {
        this.pointer = null
        if (this.hovered >= 0 || this.brush) this.invalidate()
      },
      secondTurns: () => this.brush !== null,
      grab: (x, y, inverse) => {
        this.pointer = { x, y }
        if (this.brush && this.dab(x, y, 'start', inverse)) {
          this.stroke = { x, y }
          return true
        }
        const { model, gizmo } = this
        if (!model || !gizmo) return false
        const handle = pickHandle(gizmo, this.projector(), x, y)
        if (handle === null) return false
        this.handle = handle
        this.drag = new GizmoDrag(gizmo, handle, this.subject()!, this.projector(), x, y)
        this.hold(this.drag.to(this.projector(), x, y), 'start')
        return true
      },
      drag: (x, y, snap) => {
        this.pointer = { x, y }
        if (this.stroke && this.brush) {
          for (const at of alongStroke(this.stroke, { x, y }, this.brush.radius)) this.dab(at.x, at.y, 'drag', snap)
          this.stroke = { x, y }
          this.invalidate()
        }
        if (!this.drag) return
        const step = !snap ? 0 : this.tool.kind === 'rotate' ? Math.PI / 36 : measureGrid(this.bounds).step
        this.hold(this.drag.to(this.projector(), x, y, step), 'drag')
      },
      drop: (cancel) => {
        this.endStroke(cancel)
        if (!this.drag) return
        this.drag = null
        if (this.heldPoint) this.hold({ translation: this.heldPoint.center, rotation: [0, 0, 0, 1] }, cancel ? 'cancel' : 'end')
        else if (this.held) this.hold(this.held, cancel ? 'cancel' : 'end')
        if (cancel) this.letGo()
      },
    }
  }

  // --- life ------------------------------------------------------------------------------------------------------

  private start(): void {
    this.graphics = new Graphics(this.canvas)
    const { stage } = this.graphics
    this.grid = new FlatBatch('grid', stage, { lines: true, depth: 'behind-hidden', order: -1_000_000 })
    this.helperLines = new FlatBatch('helpers', stage, { lines: true, depth: 'behind-hidden', order: 1_500_000 })
    this.bones = new SkeletonOverlay(stage)
    this.ghosts = new Ghosts(stage)
    this.trailLines = new FlatBatch('trail', stage, { lines: true, depth: 'over', order: 2_500_000 })
    this.handles = new FlatBatch('handles', stage, { lines: false, depth: 'over', order: 3_000_000 })
    this.gridDrawn = ''
  }

  /** Lets go of everything on the graphics card; the scene stays. */
  private stop(): void {
    this.loading?.abort()
    this.drop()
    this.grid?.dispose()
    this.helperLines?.dispose()
    this.bones?.dispose()
    this.ghosts?.dispose()
    this.trailLines?.dispose()
    this.handles?.dispose()
    this.graphics?.dispose()
    this.graphics = null
  }

  private restart(): void {
    const { scene } = this
    try {
      this.start()
    } catch (error) {
      this.events.trouble(error instanceof Error ? error.message : String(error))
      return
    }
    this.resize(this.width, this.height, this.ratio)
    this.events.trouble('')
    void this.setScene(scene, true)
  }

  private drop(): void {
    this.view?.dispose()
    this.view = null
    this.model = null
    this.bones?.setModel(null)
    this.ghosts?.setScene(null)
    this.posed = false
  }

  /** Live engine objects, for the leak test. */
  counts(): { meshes: number; materials: number; textures: number; geometries: number } {
    const s = this.graphics?.stage
    return {
      meshes: s?.meshes.length ?? 0,
      materials: s?.materials.length ?? 0,
      textures: s?.textures.length ?? 0,
      geometries: s?.geometries.length ?? 0,
    }
  }

  dispose(): void {
    this.closing.abort()
    cancelAnimationFrame(this.request)
    clearTimeout(this.statsTimer)
    this.firstFrameDone?.()
    this.stop()
    this.scene = null
  }
}

function around(p: Vec3, r: number): Bounds {
  return { min: [p[0] - r, p[1] - r, p[2] - r], max: [p[0] + r, p[1] + r, p[2] + r] }
}

/** The joint that moves a vertex most. */
function carrierOf(scene: Scene, mesh: number, vertex: number): number {
  const { skin: index, joint } = scene.meshes[mesh]
  const skin = scene.skins[index]
  if (!skin) return joint
  let best = -1
  for (let i = skin.offsets[vertex]; i < skin.offsets[vertex + 1]; i++) if (best < 0 || skin.weights[i] > skin.weights[best]) best = i
  return best < 0 ? joint : skin.joints[skin.slots[best]]
}
