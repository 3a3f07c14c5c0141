/** After an edit a window is told what changed in the tracks that it has, in every family. */
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import { encodeMessage } from '../../src/shared/api/wire.ts'
import { withDifference } from '../../src/shared/scene/difference.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'

const files = sampleTree()
const { game, call } = serviceBenches(afterAll)({ files, guarded: true })

const PRIMARIES = [/adventurer\.mds$/, /animodel\/adventurer\.txt$/, /peds\/adventurer\.dff$/, /\.w3d$/i]

/** One value of the first key, which is no part of a turn where there is another. */
function moved({ id, times, values, components }: NativeTrack, by: number) {
  const first = values.slice(0, components.length)
  first[0] += by
  return { track: id, set: { keys: Uint32Array.of(0), times: times.slice(0, 1), values: first } }
}

describe('tracks that a window has', () => {
  it('become those of the model with what changed, and the others stay the same data', async () => {
    const library = await scanned(call, game)
    for (const pattern of PRIMARIES) {
      const ref = join(
        game,
        Object.keys(files).find((path) => pattern.test(path))!,
      )
      const { info } = await call('model.open', { ref, library })
      const model = info.id
      const known = await call('clips.tracks', { model, clip: 0 })
      if (known.length < 2) continue
      const track = known.find((t) => t.times.length > 1 && t.limits.readOnly === '' && t.property !== 'visibility')!
      const edited = await call('clips.editKeys', { model, label: 'Move', edits: [moved(track, 0.25)] })
      const now = await call('clips.changedTracks', { model, clip: 0, since: info.revision })
      expect(now.revision).toBe(edited.info.revision)
      if (!('change' in now) || !now.change) throw new Error(`${ref}: no change`)
      const list = withDifference(known, now.change)
      expect(list).toEqual(await call('clips.tracks', { model, clip: 0 }))
      expect(list).not.toEqual(known)
      expect(encodeMessage(now).length).toBeLessThan(encodeMessage(list).length / 2)
      expect(list.filter((t, i) => t === known[i]).length).toBeGreaterThan(0)

      // nothing since then, and from any other state all of them
      expect(await call('clips.changedTracks', { model, clip: 0, since: now.revision })).toEqual({ revision: now.revision, change: null })
      expect(await call('clips.changedTracks', { model, clip: 0, since: now.revision + 1 })).toEqual({
        revision: now.revision,
        tracks: list,
      })
      await call('model.close', { model, discard: true })
    }
  })
})
