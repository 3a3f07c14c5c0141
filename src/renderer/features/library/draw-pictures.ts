/** The worker that draws small pictures of models, so that the window never waits for one. One scene at a time. */
import { apiError } from '../../../shared/api/api-error.ts'
import { PICTURE_SIZE } from '../../../shared/api/types/library.ts'
import type { Scene } from '../../../shared/scene/types.ts'
import { serveWindow } from '../../core/worker/serve-web.ts'
import { NoWebGL } from '../../viewport/graphics.ts'
import { Thumbnailer } from '../../viewport/thumbnail.ts'

/** Gives RGBA. An error `unsupported`: this machine draws none at all. */
export interface DrawWork {
  draw: { takes: Scene; gives: Uint8Array }
}

const thumbnailer = new Thumbnailer()

serveWindow<DrawWork>({
  async draw(scene, work) {
    try {
      const { rgba } = await thumbnailer.render(scene, PICTURE_SIZE)
      work.transfer([rgba])
      return new Uint8Array(rgba.buffer)
    } catch (error) {
      throw error instanceof NoWebGL ? apiError('unsupported', error.message) : error
    }
  },
})
