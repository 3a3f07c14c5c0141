/** Whether anything of a model is seen at a moment: effects come and go by their opacity, visibility and size. */
import { createPose, sampleClip, type Pose } from '../../shared/scene/pose.ts'
import type { Clip, Scene, TrackProperty } from '../../shared/scene/types.ts'
import { length3 } from '../../shared/scene/length.ts'
import { frameStep } from '../core/clock.ts'

/** What is shown: a clip (-1: none) at a native time, and from where to where it plays. */
export interface Moment {
  clip: number
  time: number
  start: number
  end: number
}

const FADES: ReadonlySet<TrackProperty> = new Set(['opacity', 'visibility', 'scale'])
/** Less than this of its light or its size is nothing to an eye. */
const LEAST_OPACITY = 0.02
const LEAST_SIZE = 1e-5
/** Frames that are looked through at most. */
const MOST_STEPS = 4000

/** The clip with those tracks alone that make something come and go; null where it has none. */
function fadesOf(scene: Scene, index: number): Clip | null {
  const clip = scene.clips[index]
  const tracks = clip?.tracks.filter(({ property, times }) => FADES.has(property) && times.length > 0) ?? []
  return tracks.length > 0 ? { ...clip, tracks } : null
}

function isSeen({ meshes, materials, skeleton }: Scene, pose: Pose): boolean {
  return meshes.some(({ joint, skin, groups }, i) => {
    if (!pose.meshVisible[i] || !groups.length) return false
    if (joint >= 0 && joint < skeleton.count) {
      if (!pose.visible[joint]) return false
      if (skin < 0 && !hasArea(pose.world, 16 * joint)) return false
    }
    return groups.some(({ material }) => !materials[material] || pose.materialOpacity[material] >= LEAST_OPACITY)
  })
}

/** Two of three directions are left of what a matrix moves: a face can be seen. */
function hasArea(m: Float32Array, o: number): boolean {
  return [0, 4, 8].filter((axis) => length3(m[o + axis], m[o + axis + 1], m[o + axis + 2]) >= LEAST_SIZE).length >= 2
}

/** @returns null where something is seen, or where nothing fades; else the frame after that moment, in the rest of what plays or of its clip, where something is: -1 for none */
export function seenLater(scene: Scene, { clip: index, time, start, end }: Moment): number | null {
  const clip = fadesOf(scene, index)
  if (!clip || !scene.meshes.length) return null
  const pose = createPose(scene)
  const at = (moment: number): boolean => {
    sampleClip(scene, clip, moment, pose)
    return isSeen(scene, pose)
  }
  if (at(time)) return null
  const step = frameStep(clip.unit)
  const first = (from: number, to: number): number | undefined => {
    for (let i = 0, moment = from; moment <= to + 1e-6 && i < MOST_STEPS; i++, moment = from + i * step) if (at(moment)) return moment
    return undefined
  }
  return first(time + step, end) ?? first(start, time) ?? first(clip.start, clip.end) ?? -1
}
