/** What a glTF's channels show between their keys. */
import { slerp } from '../../shared/scene/matrix.ts'
import { unitQuaternion } from '../../shared/scene/length.ts'
import { dot } from './quaternion.ts'
import type { GltfChannel } from './gltf-reader.ts'

/** How far a time in seconds may be from the one that it stands for: it was rounded to 32 bits. */
export function timeRounding(seconds: number): number {
  return Math.max(1e-6, Math.abs(seconds) * 2.4e-7)
}

/** Value of a channel at a time, as a glTF player shows it; rotations are unit quaternions. */
export function sampleChannel(channel: GltfChannel, seconds: number, out: Float32Array): void {
  const { times, values, path, interpolation } = channel
  const width = path === 'rotation' ? 4 : 3
  const cubic = interpolation === 'CUBICSPLINE'
  const valueOf = (key: number): number => (cubic ? 3 * key + 1 : key) * width
  let low = 0
  let high = times.length
  // a time that is a key but for its rounding to 32 bits is the key: beside it may be a jump
  const near = seconds + timeRounding(seconds)
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] <= near) low = middle + 1
    else high = middle
  }
  const key = Math.max(0, low - 1)
  const next = key + 1
  if (next >= times.length || interpolation === 'STEP' || seconds <= times[key] + timeRounding(seconds))
    for (let c = 0; c < width; c++) out[c] = values[valueOf(key) + c]
  else {
    const span = times[next] - times[key]
    const t = span > 0 ? (seconds - times[key]) / span : 0
    const [a, b] = [valueOf(key), valueOf(next)]
    if (cubic) {
      const [t2, t3] = [t * t, t * t * t]
      for (let c = 0; c < width; c++)
        out[c] =
          (2 * t3 - 3 * t2 + 1) * values[a + c] +
          span * (t3 - 2 * t2 + t) * values[a + width + c] +
          (3 * t2 - 2 * t3) * values[b + c] +
          span * (t3 - t2) * values[b - width + c]
    } else if (path === 'rotation') slerp(out, 0, values, a, values, b, t)
    else for (let c = 0; c < width; c++) out[c] = values[a + c] + (values[b + c] - values[a + c]) * t
  }
  if (path === 'rotation') unitQuaternion(out, 0)
}

/** A rotation at a time as tools show it that blend components in straight lines; where a channel has none, as `sampleChannel`. */
export function straightArc(channel: GltfChannel, seconds: number, out: Float32Array): void {
  const { times, values, interpolation } = channel
  let next = 0
  let high = times.length
  const near = seconds + timeRounding(seconds)
  while (next < high) {
    const middle = (next + high) >> 1
    if (times[middle] <= near) next = middle + 1
    else high = middle
  }
  const at = Math.max(0, next - 1)
  if (next >= times.length || interpolation !== 'LINEAR' || seconds <= times[at]) return sampleChannel(channel, seconds, out)
  const t = (seconds - times[at]) / (times[next] - times[at])
  const sign = dot(values, 4 * at, values, 4 * next) < 0 ? -1 : 1
  for (let c = 0; c < 4; c++) out[c] = values[4 * at + c] * (1 - t) + sign * t * values[4 * next + c]
  unitQuaternion(out, 0)
}
