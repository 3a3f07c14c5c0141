/** Small pictures of models, for lists: an engine of its own on a canvas that is on no page. */
import { basis, defaultOrbit, depthRange, eye, frameBounds, VIEWS } from './orbit.ts'
import { Graphics, paceOf } from './graphics.ts'
import { ModelView } from './model-view.ts'
import { PosedModel } from './posed-model.ts'
import { defaultDisplay } from './types.ts'
import type { ThumbnailImage } from './types.ts'
import type { Scene } from '../../shared/scene/types.ts'

export class Thumbnailer {
  private readonly canvas = document.createElement('canvas')
  private graphics: Graphics | null = null
  private queue: Promise<unknown> = Promise.resolve()
  private readonly closing = new AbortController()

  /**
   * The scene in the first pose of its first slice (or clip), three-quarter view, nothing behind it.
   * Calls wait for each other. @param size of the square, pixels
   * @throws NoWebGL; an AbortError after dispose
   */
  render(scene: Scene, size: number): Promise<ThumbnailImage> {
    const next = this.queue.then(() => this.draw(scene, size))
    this.queue = next.catch(() => undefined)
    return next
  }

  private async draw(scene: Scene, size: number): Promise<ThumbnailImage> {
    this.closing.signal.throwIfAborted()
    this.graphics ??= new Graphics(this.canvas, { transparent: true })
    const { engine, stage, camera } = this.graphics
    engine.setSize(size, size)
    const model = new PosedModel(scene)
    const slice = scene.slices[0]
    const clip = slice ? slice.clip : scene.clips.length ? 0 : -1
    const orbit = { ...defaultOrbit(), ...VIEWS['three-quarter'] }
    model.update(clip, slice ? slice.start : (scene.clips[0]?.start ?? 0), basis(orbit))
    const view = await ModelView.build(stage, model, paceOf(this.closing.signal))
    try {
      const display = { ...defaultDisplay }
      const bounds = model.bounds((i) => view.isShown(i, display)) ?? { min: [-1, -1, -1], max: [1, 1, 1] }
      Object.assign(orbit, frameBounds(orbit, bounds, 1, 1.06))
      const { near, far } = depthRange(orbit, bounds, 0)
      camera.place(orbit, 1, near, far)
      view.upload()
      view.show()
      // shaders compile beside us; a picture before they are done would lack parts
      for (let i = 0; i < 400; i++) {
        view.style(display, { mesh: -1 }, 0, eye(orbit))
        if (view.isReady()) break
        await new Promise((done) => setTimeout(done, 5))
        this.closing.signal.throwIfAborted()
      }
      this.graphics.render()
      const raw = (await engine.readPixels(0, 0, size, size)) as Uint8Array
      return { width: size, height: size, rgba: upright(raw, size) }
    } finally {
      view.dispose()
    }
  }

  dispose(): void {
    this.closing.abort(new DOMException('closed', 'AbortError'))
    this.graphics?.dispose()
    this.graphics = null
  }
}

/** Rows from the top, straight alpha: the engine gives rows from the bottom, premultiplied. */
export function upright(raw: Uint8Array, size: number): Uint8ClampedArray {
  const out = new Uint8ClampedArray(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = 4 * ((size - 1 - y) * size + x), to = 4 * (y * size + x)
      // light that was added over nothing shows by its own strength
      const a = Math.max(raw[from + 3], raw[from], raw[from + 1], raw[from + 2])
      if (!a) continue
      for (let c = 0; c < 3; c++) out[to + c] = (raw[from + c] * 255) / a
      out[to + 3] = a
    }
  }
  return out
}
