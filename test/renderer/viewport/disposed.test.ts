/** What a model and the marks about it put on the engine goes with them: nothing is left on the stage, nothing is called for each frame. */
import { NullEngine } from '@babylonjs/core/Engines/nullEngine'
import { Logger } from '@babylonjs/core/Misc/logger'
import { Scene as Stage } from '@babylonjs/core/scene'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { CameraRig } from '../../../src/renderer/viewport/camera-rig.ts'
import { ModelView } from '../../../src/renderer/viewport/model-view.ts'
import { viewer } from '../../../src/renderer/viewport/orbit.ts'
import { Overlays } from '../../../src/renderer/viewport/overlays.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import { defaultDisplay } from '../../../src/renderer/viewport/types.ts'
import type { ViewState } from '../../../src/renderer/viewport/view-state.ts'

let engine: NullEngine
let stage: Stage

beforeEach(() => {
  Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel
  engine = new NullEngine()
  stage = new Stage(engine)
})
afterEach(() => {
  stage.dispose()
  engine.dispose()
})

const held = (): Record<string, number> => ({
  meshes: stage.meshes.length,
  materials: stage.materials.length,
  multiMaterials: stage.multiMaterials.length,
  textures: stage.textures.length,
  geometries: stage.geometries.length,
  nodes: stage.rootNodes.length,
  beforeRender: stage.onBeforeRenderObservable.observers.length,
  afterRender: stage.onAfterRenderObservable.observers.length,
  dispose: stage.onDisposeObservable.observers.length,
  resize: engine.onResizeObservable.observers.length,
  loaded: engine.getLoadedTexturesCache().length,
})

const pace = (): Promise<void> => Promise.resolve()

describe('what is let go', () => {
  it('a model, shown in every way that makes something of its own', async () => {
    const empty = held()
    for (let i = 0; i < 2; i++) {
      const view = await ModelView.build(stage, new PosedModel(devScene(3)), pace)
      view.show()
      const eye = [0, 1, 5] as [number, number, number]
      view.style({ ...defaultDisplay }, { mesh: 0, group: 0 }, 0, eye)
      view.style({ ...defaultDisplay, wireframe: true, heatJoint: 1 }, { mesh: 0 }, 1, eye)
      const shown = held()
      for (const kind of ['meshes', 'materials', 'textures', 'geometries']) expect(shown[kind], kind).toBeGreaterThan(empty[kind])
      view.dispose()
      expect(held()).toEqual(empty)
    }
  })

  it('a model whose building was given up', async () => {
    const empty = held()
    let steps = 0
    const given = new Error('given up')
    const givenUp = ModelView.build(stage, new PosedModel(devScene(3)), async () => {
      if (++steps > 2) throw given
    })
    await expect(givenUp).rejects.toBe(given)
    expect(held()).toEqual(empty)
  })

  it('a model that is laid over another one, with the colours of the distances', async () => {
    const empty = held()
    const overlays = new Overlays(stage)
    const bare = held()
    const told: unknown[] = []
    const model = new PosedModel(devScene(3))
    const rig = new CameraRig(() => {})
    model.update(-1, 0, viewer(rig.orbit))
    const view = await ModelView.build(stage, model, pace)
    const shown = held()
    const scene = devScene(3)
    const joints = [scene.skeleton.names.indexOf('head')]
    const laid = { scene, clip: -1, time: 0, joints, distances: true, fit: true }
    const bounds = model.bounds()!
    const state = { model, view, bounds, rig, over: laid, display: { ...defaultDisplay, skeleton: true }, extent: 1, floor: 0 }
    const marked = new Overlays(stage, (apart) => told.push(apart))
    const both = held()
    for (const over of [laid, { ...laid, scene: { ...scene } }, { ...laid, scene: devScene(4) }]) {
      marked.begin({ ...state, over } as unknown as ViewState)
      expect(held().meshes).toBeGreaterThan(both.meshes)
    }
    expect(told.length).toBeGreaterThan(1)
    expect(told[0]).toMatchObject({ scale: 1, moved: 0, jointsMoved: 0, top: 0 })
    expect((told[0] as { vertices: number }).vertices).toBeGreaterThan(0)
    marked.begin({ ...state, over: null } as unknown as ViewState)
    expect(told.at(-1)).toBeNull()
    expect(view.distances).toBeNull()
    marked.dispose()
    expect(held()).toEqual(shown)
    view.dispose()
    expect(held()).toEqual(bare)
    overlays.dispose()
    expect(held()).toEqual(empty)
  })

  it('floor, bones, helpers, ghosts and handles', () => {
    const empty = held()
    const overlays = new Overlays(stage)
    overlays.setModel(new PosedModel(devScene()))
    expect(held().meshes).toBeGreaterThan(empty.meshes)
    overlays.dispose()
    expect(held()).toEqual(empty)
  })
})
