/** One engine on one canvas with one stage and camera: what the viewport and thumbnails have in common. */
import { Engine } from '@babylonjs/core/Engines/engine'
import { EngineStore } from '@babylonjs/core/Engines/engineStore'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import { Logger } from '@babylonjs/core/Misc/logger'
import { Scene as Stage } from '@babylonjs/core/scene'
import { nextTask } from '../ui/next-task.ts'
import { say } from '../../shared/texts/say.ts'
import { OrbitCamera } from './camera.ts'
import type { EngineCounts } from './types.ts'
import { parseColor } from './vec.ts'

export class NoWebGL extends Error {
  override name = 'NoWebGL'
  constructor(options?: ErrorOptions) {
    super(say('viewport.noWebgl'), options)
  }
}

/** Engines of this thread that were made and not let go. */
export const liveEngines = (): number => EngineStore.Instances.length

export class Graphics {
  readonly engine: Engine
  readonly stage: Stage
  readonly camera: OrbitCamera

  /** @throws NoWebGL where the machine has no WebGL2 */
  constructor(canvas: HTMLCanvasElement | OffscreenCanvas, options: { transparent?: boolean } = {}) {
    // the engine's greeting on the console is switched off
    Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel
    try {
      this.engine = new Engine(canvas, true, {
        alpha: options.transparent ?? false,
        premultipliedAlpha: true,
        preserveDrawingBuffer: false,
        stencil: false,
        depth: true,
        powerPreference: 'high-performance',
        // the viewport builds itself anew from the scene: no second copy of every buffer is kept
        doNotHandleContextLost: true,
        adaptToDeviceRatio: false,
        audioEngine: false,
      })
    } catch (error) {
      throw new NoWebGL({ cause: error })
    }
    if (this.engine.webGLVersion < 2) {
      this.engine.dispose()
      throw new NoWebGL()
    }
    this.engine.disableUniformBuffers = true
    this.stage = new Stage(this.engine)
    this.stage.useRightHandedSystem = true
    this.stage.skipFrustumClipping = true
    this.stage.skipPointerMovePicking = true
    this.stage.ambientColor.set(0, 0, 0)
    this.stage.clearColor = new Color4(0, 0, 0, 0)
    this.camera = new OrbitCamera(this.stage)
    this.stage.activeCamera = this.camera
  }

  /** @param background a colour as CSS has it, `#rrggbb` */
  clearTo(background: string): void {
    this.stage.clearColor = Color4.FromArray([...parseColor(background), 1])
  }

  /** Live engine objects, for the leak test. */
  counts(): EngineCounts {
    const { meshes, materials, textures, geometries } = this.stage
    return { meshes: meshes.length, materials: materials.length, textures: textures.length, geometries: geometries.length }
  }

  render(): void {
    this.engine.beginFrame()
    this.stage.render()
    this.engine.endFrame()
  }

  dispose(): void {
    this.stage.dispose()
    this.engine.dispose()
  }
}

/**
 * Slices of work between which the window lives: waits when a slice has lasted long enough. The first begins once the window has done what it was at:
 * that may last longer than a slice, and a model that waited for it would be drawn a frame later.
 */
export function paceOf(signal: AbortSignal, budget = 8): () => Promise<void> {
  let since: number | undefined
  return async () => {
    signal.throwIfAborted()
    if (since !== undefined && performance.now() - since < budget) return
    if (since !== undefined) await nextTask()
    else await Promise.resolve()
    signal.throwIfAborted()
    since = performance.now()
  }
}
