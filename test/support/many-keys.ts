/** The movement of the sample, gone on for so long that its tracks have a quarter of a million keys. */
import type { KeyEdit } from '../../src/shared/api/types/clips.ts'
import type { Call } from './caller.ts'

export const MANY_KEYS = 250_000

/** @returns how many keys were added, to the first clip of the model that was opened last */
export async function growKeys(call: Call): Promise<number> {
  const { id: model } = (await call('model.list', {})).at(-1)!
  const tracks = (await call('clips.tracks', { model, clip: 0 })).filter((t) => t.property === 'rotation' || t.property === 'translation')
  const each = Math.ceil(MANY_KEYS / tracks.length)
  const edits = tracks.map((t): KeyEdit => {
    const width = t.components.length
    const times = Float64Array.from({ length: each }, (_, k) => 200 + k)
    const values = new Float32Array(each * width)
    for (let k = 0; k < each; k++) {
      // a swing that no straight line stands for, about the first pose
      if (t.property === 'rotation') {
        const half = 0.3 * Math.sin(k / 9)
        t.components.forEach((c, i) => (values[k * width + i] = c === 'w' ? Math.cos(half) : c === 'x' ? Math.sin(half) : 0))
      } else t.components.forEach((_, i) => (values[k * width + i] = t.values[i] + 0.2 * Math.sin(k / 7 + i)))
    }
    return { track: t.id, insert: { times, values } }
  })
  await call('clips.editKeys', { model, label: 'Grow', edits })
  return edits.length * each
}
