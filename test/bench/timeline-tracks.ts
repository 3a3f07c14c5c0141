/** Tracks for the timeline's bench: rotations and positions of many bones with a given number of keys in all. */
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'

export function makeTracks(bones: number, keys: number): NativeTrack[] {
  const each = Math.ceil(keys / bones / (bones > 1 ? 2 : 1))
  const out: NativeTrack[] = []
  for (let b = 0; b < bones; b++) {
    for (const property of bones > 1 ? (['rotation', 'translation'] as const) : (['rotation'] as const)) {
      const components = property === 'rotation' ? ['w', 'x', 'y', 'z'] : ['x', 'y', 'z']
      const width = components.length
      const values = new Float32Array(each * width)
      for (let k = 0; k < each; k++)
        for (let c = 0; c < width; c++)
          values[k * width + c] = property === 'rotation' ? Math.cos(k / (40 + 9 * c) + b) : 40 * Math.sin(k / (30 + 7 * c) + b)
      out.push({
        id: `${b}.${property}`,
        ref: 'bench',
        clip: 'bench',
        target: `bone ${b}`,
        joint: b,
        property,
        label: property,
        components,
        times: Float64Array.from({ length: each }, (_, k) => k),
        values,
        limits: { timeStep: 1, minTime: 0, maxTime: 1e9, dense: false, stepped: false, packed: '', readOnly: '' },
      })
    }
  }
  return out
}

/** All keys chosen. */
export function allTimes(tracks: readonly NativeTrack[]): Map<string, Set<number>> {
  return new Map(tracks.map((t) => [t.id, new Set(t.times)]))
}
