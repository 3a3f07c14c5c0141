/**
 * The viewport without its frame: takes a scene, a moment, a selection and options, and keeps a picture of them on a canvas.
 * It draws only when something has changed, and builds large models in slices.
 */
import type { Helper, Scene } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'
import { withExtent, type Bounds } from './bounds.ts'
import { CameraRig } from './camera-rig.ts'
import { attachControls } from './controls.ts'
import { attachGrab } from './grab-controls.ts'
import { Graphics, paceOf } from './graphics.ts'
import { standOf } from './grid.ts'
import { KeptViews } from './kept-views.ts'
import { LabelLayer, labelStyle } from './label-layer.ts'
import { ModelView } from './model-view.ts'
import { depthRange, eye, viewer } from './orbit.ts'
import { Overlays } from './overlays.ts'
import { PosedModel } from './posed-model.ts'
import { RenderLoop } from './render-loop.ts'
import { drawSceneLabels } from './scene-labels.ts'
import { compileAhead } from './shaders-ahead.ts'
import { selectionBounds } from './selection-bounds.ts'
import { boneAt, pickScene, surfacePlace } from './scene-pick.ts'
import { ToolSet } from './tools/tool-set.ts'
import { defaultDisplay, noSelection } from './types.ts'
import type {
  DisplayOptions,
  EngineCounts,
  LaidModel,
  Orbit,
  PoseDrag,
  StageEvents,
  SurfacePlace,
  ViewBrush,
  ViewName,
  ViewPick,
  ViewSelection,
  ViewTool,
} from './types.ts'
import type { ViewState } from './view-state.ts'
import { withoutGround } from './without-ground.ts'

const BACKGROUND = { dark: '#22262b', light: '#dfe3e6' } as const

/** A box of the size of a person where nothing says better. */
const EMPTY_BOUNDS: Bounds = { min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] }

export class ViewportStage implements ViewState {
  private readonly canvas: HTMLCanvasElement
  private readonly labels: LabelLayer
  private readonly events: StageEvents
  private readonly closing = new AbortController()
  private readonly loop: RenderLoop
  readonly rig = new CameraRig(
    () => {
      this.invalidate()
      this.events.camera()
    },
    () => this.events.beside(),
  )

  readonly tools: ToolSet
  private graphics: Graphics | null = null
  private overlays: Overlays | null = null
  /** what was asked for last, built or not */
  private scene: Scene | null = null
  private loading: AbortController | null = null

  readonly kept = new KeptViews()
  view: ModelView | null = null
  model: PosedModel | null = null
  display: DisplayOptions = { ...defaultDisplay }
  selection: ViewSelection = { ...noSelection }
  clip = -1
  time = 0
  bounds: Bounds = EMPTY_BOUNDS
  floor = 0
  /** height of the model at rest */
  extent = 1
  pointer: { x: number; y: number } | null = null
  hovered = -1
  over: LaidModel | null = null

  /** for textures that scroll: goes on where the clip jumps back */
  private seconds = 0
  private ratio = 1
  /** has room on the page */
  private sized = false
  /** the page is shown */
  private shown = true
  private posed = false
  private waiting = false

  /** @throws NoWebGL */
  constructor(canvas: HTMLCanvasElement, labelCanvas: HTMLCanvasElement, events: StageEvents) {
    this.canvas = canvas
    this.labels = new LabelLayer(labelCanvas)
    this.events = events
    this.tools = new ToolSet(this, events)
    this.loop = new RenderLoop(
      (now) => this.draw(now),
      (speed) => events.stats({ ...speed, triangles: this.view?.triangles ?? 0, vertices: this.view?.vertices ?? 0 }),
    )
    this.start()
    const { signal } = this.closing
    attachControls(
      canvas,
      {
        camera: this.tools.camera,
        tool: () => this.tools.active,
        point: (at) => this.point(at),
        box: this.tools.box,
        menu: (place, at) => events.menu(place && this.pick(place.x, place.y), at),
        click: (x, y, add) => events.pick({ ...this.pick(x, y), ...(add && { add }) }),
        doubleClick: (x, y) => {
          const what = this.pick(x, y)
          const something = what.helper !== undefined || what.joint !== undefined || what.mesh !== undefined
          this.frame(something ? 'selection' : 'all')
        },
      },
      signal,
    )
    attachGrab(canvas, this.tools.grab, signal)
    canvas.addEventListener(
      'webglcontextlost',
      (event) => {
        event.preventDefault()
        this.stop()
        events.trouble(say('viewport.driverStopped'))
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
   * @param camera where it stands in another model, which is framed without it
   */
  async setScene(scene: Scene | null, keepCamera = false, camera?: Orbit): Promise<void> {
    this.scene = scene
    this.loading?.abort()
    const loading = (this.loading = new AbortController())
    if (!scene || !this.graphics) {
      this.drop()
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
      view = this.kept.take(model) ?? (await ModelView.build(this.graphics.stage, model, paceOf(loading.signal)))
    } catch (error) {
      if (loading.signal.aborted) return
      throw error
    }
    if (loading.signal.aborted) return view.dispose()
    this.drop()
    this.view = view
    view.show()
    if (!keepCamera) this.layFloor(model)
    this.show(model)
    if (!keepCamera) this.rig.show(this.bounds, camera)
  }

  private show(model: PosedModel): void {
    this.model = model
    this.overlays!.setModel(model)
    this.hovered = -1
    this.tools.adopt(model)
    this.pose()
    this.measure()
    this.waiting = true
    this.invalidate()
  }

  /** Once for a model: it stays where it is while the model moves. */
  private layFloor(model: PosedModel): void {
    model.update(-1, 0)
    const rest = model.bounds()
    const { floor, extent } = standOf(rest ?? EMPTY_BOUNDS)
    this.floor = floor
    this.extent = extent
    this.rig.follow([0, 0], false)
  }

  setDisplay(display: DisplayOptions): void {
    const walks = display.inPlace !== this.display.inPlace
    const follows = (display.follow && !this.display.follow) || (display.inPlace && walks)
    this.display = display
    if (walks) this.repose()
    if (follows && this.model) {
      // it goes along from here on, also where the next moment is far away
      this.pose()
      // whoever asks for it has often seen the model walk away
      this.rig.reach(this.measure())
    }
    this.invalidate()
  }

  setSelection(selection: ViewSelection): void {
    if (selection.joint !== this.selection.joint || selection.helper !== this.selection.helper) this.tools.leave()
    this.selection = selection
    this.invalidate()
  }

  setTool(tool: ViewTool): void {
    this.tools.use(tool)
    if (this.display.inPlace) this.repose()
    this.invalidate()
  }

  setBrush(brush: ViewBrush | null): void {
    this.tools.paint(brush)
    this.invalidate()
  }

  /** Another model in the place of this one; null for none. */
  setOver(over: LaidModel | null): void {
    this.over = over
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
    this.tools.settle()
    this.repose()
  }

  /** See ViewportHandle. */
  grab(kind: PoseDrag['kind'], keepSkin = false): boolean {
    // keys are the grab's own now, wherever the focus was
    this.canvas.focus({ preventScroll: true })
    return this.tools.grab.begin(kind, keepSkin)
  }

  helper(index: number | undefined): Helper | undefined {
    return this.tools.helper(index)
  }

  // --- camera ----------------------------------------------------------------------------------------------------

  frame(what: 'selection' | 'all' = 'selection'): void {
    this.poseNow()
    this.rig.frame((what === 'selection' ? selectionBounds(this) : null) ?? this.measure())
  }

  /** Null while the model that was asked for is not shown yet. */
  get orbit(): Orbit | null {
    return this.model && this.scene === this.model.scene ? this.rig.orbit : null
  }

  setView(view: ViewName): void {
    this.rig.look(view, this.measure())
  }

  zoom(factor: number): void {
    this.rig.zoom(factor, this.bounds)
  }

  /** Box of the model in its present pose, kept for the grid and the depth range. */
  private measure(): Bounds {
    this.poseNow()
    this.bounds = withExtent(this.model?.bounds((i) => this.view?.isShown(i, this.display) ?? true) ?? EMPTY_BOUNDS)
    return this.bounds
  }

  // --- size and pictures -----------------------------------------------------------------------------------------

  /** CSS pixels. Draws at once: a canvas that has been resized is blank until then. Without a size nothing is drawn, and the last one stays. */
  resize(width: number, height: number, ratio: number): void {
    this.sized = width > 0 && height > 0
    if (!this.sized) return
    this.rig.width = Math.max(1, width)
    this.rig.height = Math.max(1, height)
    this.ratio = ratio
    this.labels.resize(this.rig.width, this.rig.height, ratio)
    this.graphics?.engine.setSize(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)))
    this.draw(performance.now())
  }

  /** While the page that it stands on is not shown nothing is drawn. */
  setShown(shown: boolean): void {
    this.shown = shown
    if (shown) this.invalidate()
  }

  private get unseen(): boolean {
    return !this.shown || !this.sized
  }

  /** PNG of the picture as it is, without names. */
  screenshot(): Promise<Blob> {
    this.draw(performance.now())
    return new Promise((done, fail) =>
      this.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(say('viewport.noPicture')))), 'image/png'),
    )
  }

  /**
   * The figure alone, from where the camera stands, with nothing behind it: it is shown on the ground of any theme. Of a skeleton without meshes its
   * bones. The page shows none of what is drawn for it. @throws where there is no picture
   */
  async figure(): Promise<ImageData> {
    const { graphics, display, selection, over, model } = this
    if (!graphics || this.unseen) throw new Error(say('viewport.noPicture'))
    const bare = { grid: false, helpers: false, rootPath: false, trail: false, onion: null, heatJoint: -1, heatMesh: -1, wireframe: false }
    this.display = { ...display, ...bare, skeleton: model?.meshes.length === 0 }
    this.selection = { ...noSelection }
    this.over = null
    const [width, height] = [graphics.engine.getRenderWidth(), graphics.engine.getRenderHeight()]
    const reads = ['#000000', '#ffffff'].map((ground) => {
      this.draw(performance.now(), ground)
      return graphics.engine.readPixels(0, 0, width, height) as Promise<Uint8Array>
    })
    Object.assign(this, { display, selection, over })
    this.draw(performance.now())
    const [onBlack, onWhite] = await Promise.all(reads)
    return new ImageData(withoutGround(onBlack, onWhite, width, height), width, height)
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  invalidate(): void {
    this.loop.invalidate()
  }

  repose(): void {
    this.posed = false
    this.invalidate()
  }

  /** Its moment may have come after the last frame: what is looked at is what the next one shows. */
  private poseNow(): void {
    if (!this.posed) this.pose()
  }

  private pose(): void {
    const { model, view } = this
    if (!model || !view) return
    // what is edited is where the file has it
    model.inPlace = this.display.inPlace && !this.tools.posing
    model.update(this.clip, this.time, viewer(this.rig.orbit))
    // a walk in its place stays where it is in the picture, also while a tool takes it to where the file has it
    this.rig.follow(model.walked, this.display.follow || this.display.inPlace)
    view.upload()
    this.tools.tell(model)
    this.posed = true
  }

  private draw(now: number, ground: string = BACKGROUND[this.display.background]): void {
    const { graphics, overlays, display, rig } = this
    if (!graphics || !overlays || this.unseen) return
    const began = performance.now()
    rig.step(now)
    if (!this.posed || this.model?.facesViewer) this.pose()
    const floor = overlays.begin(this)
    const { near, far } = depthRange(rig.orbit, this.bounds, floor)
    graphics.camera.place(rig.orbit, rig.aspect, near, far)
    graphics.clearTo(ground)
    // edges of the chosen mesh would hide the colours of weights
    const edged = display.heatJoint >= 0 || this.selection.vertex !== undefined ? { mesh: -1 } : this.selection
    this.view?.style(display, edged, this.seconds, eye(rig.orbit))
    this.updateHover()
    overlays.draw(this, !this.tools.handled, (batch) => this.tools.active.draw?.(batch) ?? false)
    this.canvas.style.cursor = this.tools.active.cursor() || (this.hovered >= 0 ? 'pointer' : '')
    const whole = !this.waiting || overlays.isReady(this.view)
    graphics.render()
    this.drawLabels()
    this.loop.count(now, performance.now() - began)
    if (!overlays.isReady(this.view)) this.invalidate()
    else if (this.waiting) {
      this.waiting = false
      // what was compiled while this frame was drawn may be missing in it
      if (!whole) graphics.render()
      this.events.ready()
    }
  }

  private drawLabels(): void {
    const { labels } = this
    const style = labelStyle(this.display.background === 'dark')
    labels.begin()
    drawSceneLabels(labels, style, this)
    this.tools.active.drawOver?.(labels, style)
    this.tools.box.drawOver(labels)
  }

  // --- pointing --------------------------------------------------------------------------------------------------

  /** Bones that the pointer can take: none where a brush has it. */
  private get bones(): Overlays['bones'] | null {
    return this.tools.painting ? null : (this.overlays?.bones ?? null)
  }

  /** What a pixel shows: a bone where the skeleton is on, else the surface. */
  pick(x: number, y: number): ViewPick {
    return pickScene(this, this.bones, x, y)
  }

  /** See ViewportHandle. */
  placeAtPointer(joint = -1): SurfacePlace | null {
    return surfacePlace(this, joint)
  }

  private point(at: { x: number; y: number } | null): void {
    this.pointer = at && { x: at.x, y: at.y }
    const held = this.tools.active !== this.tools.camera
    if (held || (at ? this.display.skeleton : this.hovered >= 0)) this.invalidate()
  }

  private updateHover(): void {
    const { pointer, bones } = this
    const joint = pointer && bones ? boneAt(this, bones, pointer.x, pointer.y) : -1
    if (joint === this.hovered) return
    this.hovered = joint
    this.events.hover(joint)
  }

  // --- life ------------------------------------------------------------------------------------------------------

  private start(): void {
    this.graphics = new Graphics(this.canvas)
    this.overlays = new Overlays(this.graphics.stage, (shown) => this.events.apart(shown))
    const { stage } = this.graphics
    void compileAhead(stage, () => this.graphics?.stage === stage && !this.scene)
  }

  /** Lets go of everything on the graphics card; the scene stays. */
  private stop(): void {
    this.loading?.abort()
    this.drop()
    this.kept.clear()
    this.overlays?.dispose()
    this.overlays = null
    this.graphics?.dispose()
    this.graphics = null
  }

  private restart(): void {
    try {
      this.start()
    } catch (error) {
      this.events.trouble(error instanceof Error ? error.message : String(error))
      return
    }
    if (this.sized) this.resize(this.rig.width, this.rig.height, this.ratio)
    this.events.trouble('')
    void this.setScene(this.scene, true)
  }

  private drop(): void {
    if (this.view) this.kept.put(this.view)
    this.view = null
    this.model = null
    this.overlays?.setModel(null)
    this.posed = false
  }

  /** The picture shows all that was asked for: the model is built, and no frame is due, as one is while the camera glides. */
  get atRest(): boolean {
    return this.scene === (this.model?.scene ?? null) && !this.waiting && !this.loop.due
  }

  /** See Graphics. */
  counts(): EngineCounts {
    return this.graphics?.counts() ?? { meshes: 0, materials: 0, textures: 0, geometries: 0 }
  }

  dispose(): void {
    this.closing.abort()
    this.loop.end()
    this.stop()
    this.scene = null
  }
}
