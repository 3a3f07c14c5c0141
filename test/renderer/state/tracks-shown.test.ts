// @vitest-environment happy-dom
/** Tracks are those of the clip that is shown, whichever model was shown before. */
import { createPinia, setActivePinia } from 'pinia'
import { expect, it } from 'vitest'
import { nextTick } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useKeys } from '../../../src/renderer/core/keys/store.ts'
import { useModels, type OpenModel } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSession } from '../../../src/renderer/core/session.ts'

it('are there again behind a model without a clip, and none of them is chosen', async () => {
  const pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(createFakeApi())
  const [models, playback, keys] = [useModels(pinia), usePlayback(pinia), useKeys(pinia)]
  const open = (): Promise<unknown> => models.openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
  await open()
  playback.chooseClip(0)
  await expect.poll(() => keys.tracks.length).toBeGreaterThan(3)
  const [model] = models.open
  const bare = (id: string): OpenModel => {
    const scene = { ...model.scene, clips: [], slices: [] }
    return { ...model, id, info: { ...model.info, id }, scene, viewScene: scene }
  }
  models.open = [model, bare('bare'), bare('other')]
  const tracks = keys.tracks
  for (const other of ['bare', 'other', 'bare']) {
    keys.chooseAll()
    expect(keys.count).toBeGreaterThan(0)
    models.activeId = other
    await nextTick()
    expect([keys.tracks, keys.count]).toEqual([[], 0])
    // by its row in the library, which opens it once more, or by its tab
    if (other === 'bare') await open()
    else models.activeId = model.id
    await nextTick()
    expect(models.activeId).toBe(model.id)
    expect(keys.tracks).toBe(tracks)
    expect(keys.count).toBe(0)
  }
})
