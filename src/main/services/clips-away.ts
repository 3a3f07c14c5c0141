/**
 * What of a scene's clips goes to a window with the model: their tracks as long as they are few, else those of the clip that is shown first. A
 * figure with hundreds of clips is on screen as soon as one with a single one; the others follow one by one when they are shown (`model.clip`).
 */
import { clipAway, trackBytes } from '../formats/clip-tracks.ts'
import { firstMoment } from '../../shared/scene/standing.ts'
import type { Scene } from '../../shared/scene/types.ts'

/** Bytes of tracks that go along. */
const MOST_BYTES = 256 * 1024

/** The same scene, its other entries shared; clips whose tracks stay behind say so. @param shown clip whose tracks go along whatever their size */
export function clipsAway(scene: Scene, shown = firstMoment(scene).clip): Scene {
  const sizes = scene.clips.map(trackBytes)
  if (sizes.reduce((sum, size) => sum + size, 0) <= MOST_BYTES) return scene
  return { ...scene, clips: scene.clips.map((clip, i) => (i === shown || sizes[i] === 0 ? clip : clipAway(clip))) }
}
