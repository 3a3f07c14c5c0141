/** Small pictures of models, for lists: an engine of its own on a canvas that is on no page. Works in the window and in a worker. */
import { defaultOrbit, depthRange, eye, framePoints, viewer, VIEWS } from './orbit.ts'
import { Graphics, paceOf } from './graphics.ts'
import { ModelView } from './model-view.ts'
import { PosedModel } from './posed-model.ts'
import { defaultDisplay } from './types.ts'
import type { ThumbnailImage } from './types.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

/** Effects may not be there yet in their first pose, nor any more in their last. */
class NothingShows extends Error {
  override name = 'NothingShows'
}

/** Clip and native time; clip -1 is the rest pose. */
type Moment = [clip: number, time: number]

/** Where a picture is tried, in this order. */
function momentsOf(scene: Scene): Moment[] {
  const slice = scene.slices[0]
  const clip = slice ? slice.clip : scene.clips.length > 0 ? 0 : -1
  const { start, end } = slice ?? scene.clips[0] ?? { start: 0, end: 0 }
  const at = end > start ? [0, 0.5, 0.25, 0.75] : [0]
  return [...at.map((part): Moment => [clip, start + part * (end - start)]), ...(clip < 0 ? [] : [[-1, 0] as Moment])]
}

/** Share of the picture that anything is drawn on. */
function covered(rgba: Uint8ClampedArray): number {
  let n = 0
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] > 12) n++
  return (4 * n) / rgba.length
}

/** A sword seen along its edge is more. */
const LEAST_COVERED = 0.004

export class Thumbnailer {
  private readonly canvas = new OffscreenCanvas(1, 1)
  private graphics: Graphics | null = null
  private queue: Promise<unknown> = Promise.resolve()
  private readonly closing = new AbortController()

  /**
   * The scene in the first pose of its first slice (or clip), three-quarter view, nothing behind it; in a later pose where nothing shows in the first.
   * Calls wait for each other. @param size of the square, pixels
   * @throws NoWebGL; NothingShows; an AbortError after dispose
   */
  render(scene: Scene, size: number): Promise<ThumbnailImage> {
    const next = this.queue.then(() => this.draw(scene, size))
    this.queue = next.catch(() => undefined)
    return next
  }

  private async draw(scene: Scene, size: number): Promise<ThumbnailImage> {
    this.closing.signal.throwIfAborted()
    this.graphics ??= new Graphics(this.canvas, { transparent: true })
    this.graphics.engine.setSize(size, size)
    const model = new PosedModel(scene)
    const orbit = { ...defaultOrbit(), ...VIEWS['three-quarter'] }
    const moments = momentsOf(scene)
    model.update(...moments[0], viewer(orbit))
    const view = await ModelView.build(this.graphics.stage, model, paceOf(this.closing.signal))
    try {
      view.show()
      for (const moment of moments) {
        const rgba = await this.moment(view, moment, size)
        if (rgba && covered(rgba) >= LEAST_COVERED) return { width: size, height: size, rgba }
      }
      throw new NothingShows(say('viewport.nothingShows'))
    } finally {
      view.dispose()
    }
  }

  /** One pose, filling the square; null where no mesh is shown in it. */
  private async moment(view: ModelView, [clip, time]: Moment, size: number): Promise<Uint8ClampedArray | null> {
    const { engine, camera } = this.graphics!
    const { model } = view
    const orbit = { ...defaultOrbit(), ...VIEWS['three-quarter'] }
    model.update(clip, time, viewer(orbit))
    const shown = model.meshes.flatMap((_, i) => (view.isShown(i, defaultDisplay) ? [i] : []))
    const bounds = shown.length > 0 ? model.bounds((i) => shown.includes(i)) : null
    if (!bounds) return null
    Object.assign(
      orbit,
      framePoints(
        orbit,
        shown.map((i) => model.scenePositions(i)),
        bounds,
        1,
        1.03,
      ),
    )
    const { near, far } = depthRange(orbit, bounds, 0)
    camera.place(orbit, 1, near, far)
    view.upload()
    // shaders compile beside us; a picture before they are done would lack parts
    for (let i = 0; i < 400; i++) {
      view.style(defaultDisplay, { mesh: -1 }, 0, eye(orbit))
      if (view.isReady()) break
      await new Promise((done) => setTimeout(done, 5))
      this.closing.signal.throwIfAborted()
    }
    this.graphics!.render()
    return upright((await engine.readPixels(0, 0, size, size)) as Uint8Array, size)
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
      const from = 4 * ((size - 1 - y) * size + x),
        to = 4 * (y * size + x)
      // light that was added over nothing shows by its own strength
      const a = Math.max(raw[from + 3], raw[from], raw[from + 1], raw[from + 2])
      if (!a) continue
      for (let c = 0; c < 3; c++) out[to + c] = (raw[from + c] * 255) / a
      out[to + 3] = a
    }
  }
  return out
}
