/** A model's animations as somebody's other program gives them back. */
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { multiplyQuat } from '../../src/shared/scene/matrix.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

/** @returns a GLB of the model, one joint of its first clip turned about x in all its keys */
export async function turned(scene: Scene, degrees: number): Promise<Uint8Array> {
  const copy = structuredClone(scene)
  copy.slices = []
  const track = copy.clips[0].tracks.find((t) => t.property === 'rotation' && t.target.kind === 'joint' && t.times.length > 2)!
  const half = (degrees * Math.PI) / 360
  const turn = Float32Array.of(Math.sin(half), 0, 0, Math.cos(half))
  for (let k = 0; k < track.times.length; k++) multiplyQuat(track.values, 4 * k, track.values.slice(4 * k, 4 * k + 4), 0, turn, 0)
  return (await writeGltf(copy, { format: 'glb', name: 'x' })).files[0].bytes
}
