/** Where one joint stands towards its parent at a moment of a clip. */
import { compose, decompose, multiply } from '../scene/matrix.ts'
import { sampleTrack } from '../scene/pose.ts'
import type { Clip, Scene, Track } from '../scene/types.ts'

const value = new Float32Array(64)
const turn = new Float32Array(4)
const move = new Float32Array(3)
const one = new Float32Array([1, 1, 1])
const a = new Float32Array(16)
const b = new Float32Array(16)
const byJoint = new WeakMap<Clip, Map<number, Track[]>>()

export function tracksOfJoint(clip: Clip, joint: number): readonly Track[] {
  let map = byJoint.get(clip)
  if (!map) {
    map = new Map()
    for (const track of clip.tracks) {
      if (track.target.kind !== 'joint') continue
      const list = map.get(track.target.index)
      if (list) list.push(track)
      else map.set(track.target.index, [track])
    }
    byJoint.set(clip, map)
  }
  return map.get(joint) ?? []
}

/** Translation (3), rotation x, y, z, w (4) and scale (3) of a joint, in scene space, towards its parent. */
export function localPose(scene: Scene, clip: Clip, joint: number, time: number, out: Float32Array): void {
  const s = scene.skeleton
  out.set(s.restTranslation.subarray(3 * joint, 3 * joint + 3), 0)
  out.set(s.restRotation.subarray(4 * joint, 4 * joint + 4), 3)
  out.set(s.restScale.subarray(3 * joint, 3 * joint + 3), 7)
  let delta = false
  for (const track of tracksOfJoint(clip, joint)) {
    const { property } = track
    if (property !== 'translation' && property !== 'rotation' && property !== 'scale') continue
    if (!sampleTrack(track, clip, time, value)) continue
    if (track.mode === 'delta' && property !== 'scale') {
      if (!delta) {
        move.fill(0)
        turn.set([0, 0, 0, 1])
      }
      delta = true
      if (property === 'translation') move.set(value.subarray(0, 3))
      else turn.set(value.subarray(0, 4))
    } else out.set(value.subarray(0, property === 'rotation' ? 4 : 3), property === 'translation' ? 0 : property === 'rotation' ? 3 : 7)
  }
  if (!delta) return
  compose(a, 0, out, 0, out, 3, out, 7)
  compose(b, 0, move, 0, turn, 0, one, 0)
  multiply(a, 0, a, 0, b, 0)
  decompose(a, 0, out, 0, out, 3, out, 7)
}
