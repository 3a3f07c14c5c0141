/** What an import did to the poses of a model, and how far they are from the glTF. */
import { jointNames } from '../../shared/scene/animation-names.ts'
import { decompose } from '../../shared/scene/matrix.ts'
import { createPose, sampleClip } from '../../shared/scene/pose.ts'
import { differs } from './clip-difference.ts'
import { timeRounding } from './gltf-sampling.ts'
import type { JointMove } from '../../shared/api/types/import.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { Imported } from './import-animation.ts'
import type { Stepwise } from '../../shared/stepwise.ts'

/** Times at which poses are compared, per animation. */
const MOST_TIMES = 2000
/** Less than this is rounding: degrees, and parts of a length. */
const SEEN = 1e-4

/** Puts into the report how far joints went against the clip before, and how far they are from the glTF now. @param scene the model after the import */
export function* measureImport(scene: Scene, { report, windows, before }: Imported): Stepwise<void> {
  const names = jointNames(scene.skeleton)
  const [now, was] = [createPose(scene), createPose(before)]
  const own = { translation: new Float64Array(3), rotation: new Float64Array(4), scale: new Float64Array(3) }
  const old = { translation: new Float64Array(3), rotation: new Float64Array(4), scale: new Float64Array(3) }
  for (const [i, { window, changes }] of windows.entries()) {
    const done = report.imported[i]
    if (done.keysChanged + done.keysInserted + done.tracksAdded === 0 && changes.length === 0) continue
    const [clip, oldClip] = [scene.clips[window.clip], before.clips[window.clip]]
    const all = new Set<number>()
    for (const change of changes) change.times.forEach((time, k) => change.changed[k] && all.add(time))
    const times = [...all].sort((a, b) => a - b)
    const every = Math.ceil(times.length / MOST_TIMES)
    const moved = new Map<number, JointMove>()
    for (const [n, time] of times.entries()) {
      if (n % every !== 0) continue
      yield (i + n / times.length) / windows.length
      // beside a key may be a jump: a time that is a whole one but for its rounding is the whole one
      const native = window.start + time * window.rate
      const whole = Math.round(native)
      const at = Math.abs(native - whole) <= timeRounding(time) * window.rate ? whole : native
      sampleClip(scene, clip, at, now)
      sampleClip(before, oldClip, at, was)
      for (const { joint, path, times: own2, values, changed } of changes) {
        const k = own2.indexOf(time)
        if (k < 0 || !changed[k]) continue
        decompose(now.local, 16 * joint, own.translation, 0, own.rotation, 0, own.scale, 0)
        const width = path === 'rotation' ? 4 : 3
        const error = differs(path, own[path], values.subarray(k * width, k * width + width))
        if (path === 'rotation') done.degrees = Math.max(done.degrees, error)
        else if (path === 'translation') done.distance = Math.max(done.distance, error)
      }
      for (let joint = 0; joint < scene.skeleton.count; joint++) {
        decompose(now.local, 16 * joint, own.translation, 0, own.rotation, 0, own.scale, 0)
        decompose(was.local, 16 * joint, old.translation, 0, old.rotation, 0, old.scale, 0)
        const degrees = differs('rotation', own.rotation, old.rotation)
        const o = 16 * joint + 12
        const distance = Math.hypot(now.world[o] - was.world[o], now.world[o + 1] - was.world[o + 1], now.world[o + 2] - was.world[o + 2])
        if (degrees <= SEEN && distance <= SEEN * Math.hypot(was.world[o], was.world[o + 1], was.world[o + 2])) continue
        const most = moved.get(joint) ?? { joint: names[joint], degrees: 0, distance: 0 }
        most.degrees = Math.max(most.degrees, degrees)
        most.distance = Math.max(most.distance, distance)
        moved.set(joint, most)
      }
    }
    done.moved = [...moved.values()].sort((a, b) => b.degrees - a.degrees || b.distance - a.distance)
  }
}
