// @vitest-environment happy-dom
/** What chosen keys would make, in the picture while they are in the hand: asked for as long as they are no more than tools take at once. */
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { AT_ONCE } from '../../../src/renderer/core/keys/planner.ts'
import { keyPreview } from '../../../src/renderer/core/keys/preview.ts'
import { useKeys } from '../../../src/renderer/core/keys/store.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { NativeTrack } from '../../../src/shared/api/types/clips.ts'

let asked: number

/** One track with a key more than tools take at once. */
function api(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name: string, args: never, options: never) {
      if (name === 'clips.preview') asked++
      const answer: unknown = await inner.call(name as never, args, options)
      if (name !== 'clips.tracks') return answer
      const [track] = answer as NativeTrack[]
      const times = Float64Array.from({ length: AT_ONCE + 1 }, (_, i) => i)
      return [{ ...track, times, values: new Float32Array(times.length * track.components.length) }]
    },
  } as Api
}

beforeEach(async () => {
  asked = 0
  setActivePinia(createPinia())
  await useSession().start(api())
  await useModels().openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
  usePlayback().chooseClip(0)
  await expect.poll(() => useKeys().tracks.length).toBe(1)
})

describe('keys in the hand', () => {
  it('are shown as tools take them at once, and no more of them', async () => {
    const keys = useKeys()
    const preview = keyPreview()
    const [{ id }] = keys.tracks
    let planned = 0
    const plan = (): never => {
      planned++
      return { edits: [{ track: id }] } as never
    }
    keys.chooseWithin([id], 0, AT_ONCE, 'only')
    expect(keys.count).toBe(AT_ONCE + 1)
    preview.show(plan)
    expect(planned).toBe(0)
    keys.chooseWithin([id], 1, AT_ONCE, 'only')
    expect(keys.count).toBe(AT_ONCE)
    preview.show(plan)
    expect(planned).toBe(1)
    await expect.poll(() => asked).toBe(1)
    preview.end()
  })
})
