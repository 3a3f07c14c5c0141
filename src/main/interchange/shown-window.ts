/** What a stretch of a clip shows: which meshes when, and materials in which colour. */
import { sampleTimes, seconds } from './clip-window.ts'
import { clamp01, linear } from './gltf-materials.ts'
import { sampleTrack } from '../../shared/scene/pose.ts'
import type { Stretch } from './clip-window.ts'
import type { Clip, Scene, Track } from '../../shared/scene/types.ts'

export interface VisibilityChannel {
  /** index into Scene.meshes */
  mesh: number
  /** seconds from the start of the window, strictly ascending; each value is held until the next */
  times: Float32Array
  /** 1 shown, 0 hidden */
  values: Uint8Array
}

/** When meshes are shown: those that have a track, and those on a joint that has one. */
export function visibilityChannels(scene: Scene, clip: Clip, stretch: Stretch): VisibilityChannel[] {
  return scene.meshes.flatMap((mesh, index): VisibilityChannel[] => {
    const tracks = clip.tracks.filter(
      ({ property, target }) =>
        property === 'visibility' &&
        ((target.kind === 'mesh' && target.index === index) || (target.kind === 'joint' && mesh.skin < 0 && target.index === mesh.joint)),
    )
    if (tracks.length === 0) return []
    const at = sampleTimes(tracks, stretch, true)
    const value = new Float32Array(1)
    const shown = at.map((time) => (tracks.every((track) => !sampleTrack(track, clip, time, value) || value[0] >= 0.5) ? 1 : 0))
    const kept = at.flatMap((_, i) => (i === 0 || shown[i] !== shown[i - 1] ? [i] : []))
    const times = seconds(
      kept.map((i) => at[i]),
      stretch,
    )
    return [{ mesh: index, times, values: Uint8Array.from(kept, (i) => shown[i]) }]
  })
}

export interface MaterialChannel {
  /** index into Scene.materials */
  material: number
  interpolation: 'LINEAR' | 'STEP'
  /** seconds from the start of the window, strictly ascending */
  times: Float32Array
  /** base colour factor, linear light, with opacity: 4 per key */
  values: Float32Array
}

/** Frames of a window that colours are evaluated at; a longer one has its keys alone. */
const MOST_FRAMES = 10_000

/** Opacity and colour of materials that a clip changes. */
export function materialChannels(scene: Scene, clip: Clip, stretch: Stretch): MaterialChannel[] {
  const { from, to } = stretch
  const tracksOf = new Map<number, Track[]>()
  for (const track of clip.tracks) {
    const { target, property, times } = track
    if (target.kind !== 'material' || (property !== 'opacity' && property !== 'color') || times.length === 0) continue
    if (scene.materials[target.index]) tracksOf.set(target.index, [...(tracksOf.get(target.index) ?? []), track])
  }
  return [...tracksOf].map(([material, tracks]) => {
    const step = tracks.every((track) => track.interpolation === 'step')
    const native = new Set(sampleTimes(tracks, stretch, step))
    // colours blend as they are displayed, glTF's in linear light: from frame to frame both are the same line
    const blends = !step && tracks.some(({ property }) => property === 'color') && to - from < MOST_FRAMES
    if (blends) for (let time = Math.ceil(from); time < to; time++) native.add(time)
    const { diffuse } = scene.materials[material]
    const value = new Float32Array(3)
    const all = [...native].sort((a, b) => a - b)
    const at = seconds(all, stretch)
    // times that fall together as 32-bit floats are one key
    const kept = all.flatMap((_, i) => (i + 1 === all.length || at[i + 1] > at[i] ? [i] : []))
    const values = kept.flatMap((i) => {
      const colour = [...diffuse]
      for (const track of tracks) {
        if (!sampleTrack(track, clip, all[i], value)) continue
        if (track.property === 'color') for (let c = 0; c < 3; c++) colour[c] = value[c]
        else colour[3] = diffuse[3] * clamp01(value[0])
      }
      return [linear(colour[0]), linear(colour[1]), linear(colour[2]), clamp01(colour[3])]
    })
    return {
      material,
      interpolation: step ? 'STEP' : 'LINEAR',
      times: Float32Array.from(kept, (i) => at[i]),
      values: Float32Array.from(values),
    }
  })
}
