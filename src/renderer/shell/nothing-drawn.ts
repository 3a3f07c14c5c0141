/** Why a picture has no model in it: an empty floor alone looks as if the window were at fault. */
import type { ModelFile } from '../../shared/api/types/model.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'
import { seenLater, type Moment } from './seen.ts'

export type NothingDrawn =
  | { why: 'unread'; file: ModelFile }
  | { why: 'textures'; count: number }
  | { why: 'motion' }
  | { why: 'nothing' }
  /** meshes are there, and none is seen now; `at` is where one is, -1 for nowhere */
  | { why: 'faded'; count: number; at: number }

/**
 * @returns null where something is drawn. A file that cannot be read is said before bones that others of the model have.
 * @param moment that is shown; undefined while it plays: what comes and goes is no news then
 */
export function nothingDrawn(scene: Scene, files: readonly ModelFile[], moment?: Moment): NothingDrawn | null {
  if (scene.meshes.length > 0 && scene.helpers.length === 0 && moment) {
    const at = seenLater(scene, moment)
    return at === null ? null : { why: 'faded', count: scene.meshes.length, at }
  }
  if (scene.meshes.length > 0 || scene.helpers.length > 0) return null
  const file = files.find(({ error }) => error)
  if (file) return { why: 'unread', file }
  if (scene.skeleton.count > 0) return null
  if (scene.textures.length > 0) return { why: 'textures', count: scene.textures.length }
  return { why: scene.clips.length > 0 ? 'motion' : 'nothing' }
}

/** In one line; '' where something is drawn. */
export function saidOfNothing(found: NothingDrawn | null, name: string): string {
  switch (found?.why) {
    case 'unread':
      return say('shell.nothingDrawn.unread', { name: found.file.name, error: found.file.error! })
    case 'textures':
      return say('shell.nothingDrawn.textures', { count: found.count })
    case 'motion':
      return say('shell.nothingDrawn.motion')
    case 'nothing':
      return say('shell.nothingDrawn.nothing', { name })
    case 'faded':
      return say(found.at < 0 ? 'shell.nothingDrawn.never' : 'shell.nothingDrawn.faded', { count: found.count })
    default:
      return ''
  }
}
