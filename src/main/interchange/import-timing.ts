/** Whether a glTF was sampled at another rate than the clip has keys at, and what that does to them. */
import { timeRounding } from './gltf-sampling.ts'
import { differs } from './clip-difference.ts'
import { slerp } from '../../shared/scene/matrix.ts'
import type { ImportTiming } from '../../shared/api/types/import.ts'
import type { Clip } from '../../shared/scene/types.ts'
import type { Baseline, PartChange } from './clip-difference.ts'
import type { Window } from './import-names.ts'

/**
 * @param step seconds between two samples of the file, undefined where it has keys
 * @returns undefined where each key of the clip stands on a sample
 */
export function timingOf(
  baseline: Baseline,
  parts: readonly PartChange[],
  clip: Clip,
  window: Window,
  step: number | undefined,
): ImportTiming | undefined {
  if (step === undefined) return undefined
  const out: ImportTiming = { file: 1 / step, clip: clip.unit === 'frame' ? window.rate : 0, keys: 0, degrees: 0, distance: 0 }
  const own = new Float32Array(4)
  const shown = new Float32Array(4)
  let closest = Infinity
  for (const { joint, path, times, values, changed } of parts) {
    if (times.length < 2) continue
    const width = path === 'rotation' ? 4 : 3
    const keys = baseline.times(joint, path)
    let next = 1
    for (let k = 0; k < keys.length; k++) {
      const at = keys[k]
      if (k > 0) closest = Math.min(closest, at - keys[k - 1])
      if (at < times[0] || at > times.at(-1)!) continue
      while (next < times.length - 1 && times[next] < at) next++
      const near = 0.01 * step + timeRounding(at)
      if (Math.abs(times[next] - at) <= near || Math.abs(times[next - 1] - at) <= near) continue
      out.keys++
      if (changed[next] || changed[next - 1]) continue
      const t = (at - times[next - 1]) / (times[next] - times[next - 1])
      const a = (next - 1) * width
      if (path === 'rotation') slerp(shown, 0, values, a, values, a + 4, t)
      else for (let c = 0; c < 3; c++) shown[c] = values[a + c] + (values[a + 3 + c] - values[a + c]) * t
      baseline.at(joint, path, at, own)
      const error = differs(path, shown, own)
      if (path === 'rotation') out.degrees = Math.max(out.degrees, error)
      else if (path === 'translation') out.distance = Math.max(out.distance, error)
    }
  }
  if (out.keys === 0) return undefined
  if (out.clip === 0) out.clip = Number.isFinite(closest) && closest > 0 ? 1 / closest : window.rate
  return out
}
