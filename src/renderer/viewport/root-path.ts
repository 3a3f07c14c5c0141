/** Where a clip carries a model over the ground: the way of what moves it, as a line on the floor with a mark every so many frames. */
import { momentsOf, motionOnly } from '../../shared/motion/moments.ts'
import { createPose, sampleClip } from '../../shared/scene/pose.ts'
import type { Clip, Scene } from '../../shared/scene/types.ts'
import type { FlatData } from './flat-batch.ts'
import { FUTURE, PAST } from './ghosts.ts'
import { travellerOf } from './travel.ts'
import type { Vec3 } from './vec.ts'

const FRAME = { frame: 1, ms: 1000 / 30, s: 1 / 30 } as const
/** Frames between marks: the first of these that leaves few enough. */
const BETWEEN = [10, 20, 50, 100, 200, 500, 1000]
const MOST_MARKS = 40
/** It is drawn at once: of a long clip in wider steps. */
const MOST_POINTS = 1500

const UP: Vec3 = [0, 1, 0]
/** of a mark's size: half of how wide the line is */
const THIN = 0.09

export interface RootPath {
  /** x and z of each moment */
  points: Float32Array
  times: Float64Array
  /** moments between marks */
  every: number
}

/** @param range native times, of the clip or of a part of it. @returns null where the clip moves nothing as a whole */
export function rootPathOf(scene: Scene, clip: Clip, range: { start: number; end: number }): RootPath | null {
  const joint = travellerOf(scene, clip)
  if (joint < 0) return null
  const frame = FRAME[clip.unit]
  const frames = (range.end - range.start) / frame
  const every = BETWEEN.find((count) => frames / count <= MOST_MARKS) ?? 2000
  // a part of the way between two marks is a whole number of frames
  const wide = Math.max(1, Math.ceil(frames / MOST_POINTS))
  const times = momentsOf(range.start, range.end, frame * (every % wide === 0 ? wide : every / Math.ceil(every / wide)))
  const bare = motionOnly(scene, clip)
  const carries = new Set<number>()
  for (let j = joint; j >= 0 && !carries.has(j); j = scene.skeleton.parents[j]) carries.add(j)
  bare.clip.tracks = bare.clip.tracks.filter(({ target }) => target.kind === 'joint' && carries.has(target.index))
  const pose = createPose(bare.scene)
  const points = new Float32Array(2 * times.length)
  times.forEach((time, k) => {
    sampleClip(bare.scene, bare.clip, time, pose)
    points[2 * k] = pose.world[16 * joint + 12]
    points[2 * k + 1] = pose.world[16 * joint + 14]
  })
  const gap = times.length > 1 ? (times[1] - times[0]) / frame : 1
  return { points, times, every: Math.max(1, Math.round(every / gap)) }
}

/** The part of a clip that a moment belongs to: the shortest slice about it, else all. */
export function rangeAbout({ slices }: Scene, index: number, clip: Clip, time: number): { start: number; end: number } {
  let best: { start: number; end: number } = clip
  for (const { clip: of, start, end } of slices)
    if (of === index && time >= start && time <= end && end - start < best.end - best.start) best = { start, end }
  return best
}

/** @param size of a mark, scene units */
export function fillRootPath(data: FlatData, { points, times, every }: RootPath, time: number, floor: number, size: number): void {
  data.clear()
  const y = floor + 0.02 * size
  const at = (k: number): Vec3 => [points[2 * k], y, points[2 * k + 1]]
  const last = times.length - 1
  /** across the way at a moment: as it comes there, or as it goes on */
  const across = (k: number): [number, number] => {
    for (const [a, b] of [
      [Math.max(0, k - 1), Math.min(last, k + 1)],
      [0, last],
    ]) {
      const [x, z] = [points[2 * b] - points[2 * a], points[2 * b + 1] - points[2 * a + 1]]
      const length = Math.hypot(x, z)
      if (length > 1e-3 * size) return [z / length, -x / length]
    }
    return [1, 0]
  }
  const mark = (k: number, half: number, color: Vec3): void => {
    const [x, , z] = at(k)
    const [ax, az] = across(k)
    data.ribbon([x - half * ax, y, z - half * az], [x + half * ax, y, z + half * az], UP, THIN * size, [...color, 1])
  }
  for (let k = 0; k < last; k++) {
    // what stands still has no side
    if (Math.hypot(points[2 * k + 2] - points[2 * k], points[2 * k + 3] - points[2 * k + 1]) < 1e-4 * size) continue
    data.ribbon(at(k), at(k + 1), UP, THIN * size, [...(times[k] < time ? PAST : FUTURE), 0.95])
  }
  // ends stand out, and of the others every fifth
  for (let k = 0; k <= last; k += every) mark(k, size * (k % (5 * every) === 0 ? 0.5 : 0.28), times[k] < time ? PAST : FUTURE)
  mark(0, size * 0.8, times[0] < time ? PAST : FUTURE)
  mark(last, size * 0.8, times[last] < time ? PAST : FUTURE)
}
