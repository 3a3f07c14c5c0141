/** Why a picture has no model in it: an empty floor alone looks as if the window were at fault. */
import type { ModelFile, ModelInfo } from '../../shared/api/types/model.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

export type NothingDrawn = { why: 'unread'; file: ModelFile } | { why: 'textures'; count: number } | { why: 'motion' } | { why: 'nothing' }

/** @returns null where something is drawn. A file that cannot be read is said before bones that others of the model have. */
export function nothingDrawn(scene: Scene, files: readonly ModelFile[]): NothingDrawn | null {
  if (scene.meshes.length > 0 || scene.helpers.length > 0) return null
  const file = files.find(({ error }) => error)
  if (file) return { why: 'unread', file }
  if (scene.skeleton.count > 0) return null
  if (scene.textures.length > 0) return { why: 'textures', count: scene.textures.length }
  return { why: scene.clips.length > 0 ? 'motion' : 'nothing' }
}

/** In one line; '' where something is drawn. */
export function saidOfNothing(scene: Scene, { name, files }: ModelInfo): string {
  const found = nothingDrawn(scene, files)
  switch (found?.why) {
    case 'unread':
      return say('shell.nothingDrawn.unread', { name: found.file.name, error: found.file.error! })
    case 'textures':
      return say('shell.nothingDrawn.textures', { count: found.count })
    case 'motion':
      return say('shell.nothingDrawn.motion')
    case 'nothing':
      return say('shell.nothingDrawn.nothing', { name })
    default:
      return ''
  }
}
