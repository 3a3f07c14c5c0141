/** Moments of a clip, and the clip as it moves joints alone. */
import { emptyScene, type Clip, type Scene } from '../scene/types.ts'

/** A clip of more frames is looked at in wider steps. */
const MOST_FRAMES = 20_000

/** Native times from a start to an end, a frame apart; both are there. */
export function momentsOf(start: number, end: number, step: number): Float64Array {
  if (!(end > start) || !(step > 0)) return Float64Array.of(start)
  const frames = Math.min(MOST_FRAMES, Math.max(1, Math.ceil((end - start) / step - 1e-6)))
  const wide = frames === MOST_FRAMES ? (end - start) / frames : step
  return Float64Array.from({ length: frames + 1 }, (_, i) => Math.min(end, start + i * wide))
}

/** Without meshes, pictures and tracks of anything but joints: what stands where is sampled as quickly as can be. */
export function motionOnly(scene: Scene, clip: Clip): { scene: Scene; clip: Clip } {
  const moves = new Set(['translation', 'rotation', 'scale'])
  return {
    scene: { ...emptyScene(scene.name), skeleton: scene.skeleton },
    clip: { ...clip, tracks: clip.tracks.filter(({ target, property }) => target.kind === 'joint' && moves.has(property)) },
  }
}
