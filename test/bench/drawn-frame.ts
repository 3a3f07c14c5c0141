/// <reference lib="dom" />
/** What the graphics driver takes for a frame: here it draws in software, and what shows a picture cannot be quicker than its drawing. */
import type { Page, Worker } from 'playwright'

/** Milliseconds from the first mesh of each frame until all of it is drawn. */
interface Drawn {
  drawn: number[]
}

/** From now on each frame of the open model is waited for, which holds up the window: what it measures by itself is measured before. */
export function waitForFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const drawn: number[] = []
    Object.assign(globalThis, { drawn } satisfies Drawn)
    const { prototype } = WebGL2RenderingContext
    const { drawElements } = prototype
    const pixel = new Uint8Array(4)
    let since = -1
    prototype.drawElements = function (...args) {
      const model = (this.canvas as HTMLCanvasElement).closest('[data-panel="viewport"]')
      if (model && since < 0) {
        since = performance.now()
        // when all meshes have been given to the driver; a pixel is there once it has drawn them
        queueMicrotask(() => {
          this.readPixels(0, 0, 1, 1, this.RGBA, this.UNSIGNED_BYTE, pixel)
          drawn.push(performance.now() - since)
          since = -1
        })
      }
      drawElements.apply(this, args)
    }
  })
}

/** Frames, or pictures, since the last call. */
export function framesDrawn(where: Pick<Worker, 'evaluate'>): Promise<number[]> {
  return where.evaluate(() => (globalThis as unknown as Drawn).drawn.splice(0))
}

/** In the worker that draws small pictures: from the first mesh of each until its pixels are there, which are waited for anyway. */
export function watchPictures(worker: Worker): Promise<void> {
  return worker.evaluate(() => {
    const drawn: number[] = []
    Object.assign(globalThis, { drawn } satisfies Drawn)
    const { prototype } = WebGL2RenderingContext
    const { drawElements, readPixels } = prototype
    let since = -1
    prototype.drawElements = function (...args) {
      if (since < 0) since = performance.now()
      drawElements.apply(this, args)
    }
    prototype.readPixels = function (...args: unknown[]) {
      Reflect.apply(readPixels, this, args)
      if (since >= 0) drawn.push(performance.now() - since)
      since = -1
    }
  })
}
