/** The worker that draws small pictures of models, so that the window never waits for one. One scene at a time. */
import { PICTURE_SIZE } from '../../../shared/api/types.ts'
import type { Scene } from '../../../shared/scene/types.ts'
import { NoWebGL } from '../../viewport/graphics.ts'
import { Thumbnailer } from '../../viewport/thumbnail.ts'

export interface DrawOrder {
  number: number
  scene: Scene
}

/** `never`: this machine draws none at all. */
export type DrawAnswer = { number: number; rgba: Uint8Array } | { number: number; failure: string; never: boolean }

const scope = self as unknown as {
  onmessage: (event: MessageEvent<DrawOrder>) => void
  postMessage(message: DrawAnswer, transfer?: Transferable[]): void
}
const thumbnailer = new Thumbnailer()

scope.onmessage = ({ data: { number, scene } }) => {
  thumbnailer.render(scene, PICTURE_SIZE).then(
    ({ rgba }) => scope.postMessage({ number, rgba: new Uint8Array(rgba.buffer) }, [rgba.buffer]),
    (error: unknown) =>
      scope.postMessage({ number, failure: error instanceof Error ? error.message : String(error), never: error instanceof NoWebGL }),
  )
}
