// @vitest-environment happy-dom
/** Clips whose tracks the services keep until they are shown. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useKeys } from '../../../src/renderer/core/keys/store.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { CallName } from '../../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import type { Clip } from '../../../src/shared/scene/types.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

let pinia: Pinia
let calls: { name: CallName; args: any }[]
/** of the model, as `model.clip` says it */
let revision: number
let whole: Clip[]

/** The model of the fake services with two more clips, which are away. */
function api(): Api {
  const inner = createFakeApi()
  const widen = (opened: OpenedModel, shown = 0): OpenedModel => {
    const [clip] = opened.scene.clips
    whole = [clip, { ...clip, name: 'second' }, { ...clip, name: 'third' }]
    const clips = whole.map((c, i): Clip => (i === 0 || i === shown ? c : { ...c, tracks: [], away: true }))
    return { info: { ...opened.info, revision }, scene: { ...opened.scene, clips } }
  }
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name: CallName, args: any, options: never) {
      calls.push({ name, args })
      if (name === 'model.open' || name === 'model.scene') return widen((await inner.call(name, args, options)) as OpenedModel, args.clip)
      if (name === 'model.clip') return { revision, clip: whole[args.clip] }
      if (name === 'save.write') return { saved: [], failed: [] }
      if (name === 'model.list') return [{ ...useModels(pinia).info!, dirty: false }]
      return inner.call(name, args, options)
    },
  } as Api
}

const asked = (name: CallName): unknown[] => calls.filter((c) => c.name === name).map(({ args }) => args)

beforeEach(async () => {
  calls = []
  revision = 1
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(api())
  await useModels(pinia).openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
})

describe('a clip that is away', () => {
  it('comes when it is chosen, once, and its keys with it', async () => {
    const [models, playback, keys] = [useModels(pinia), usePlayback(pinia), useKeys(pinia)]
    await nextTick()
    expect(asked('model.clip')).toEqual([])
    const before = models.scene!
    playback.chooseClip(1)
    expect(playback.clip).toMatchObject({ name: 'second', away: true })
    await expect.poll(() => playback.clip?.tracks.length).toBeGreaterThan(0)
    expect(playback.clip).toEqual(whole[1])
    expect(models.active!.viewScene).toBe(models.scene)
    // all else is what it was
    expect(models.scene!.meshes).toBe(before.meshes)
    expect(models.scene!.clips[2]).toBe(before.clips[2])
    await expect.poll(() => keys.tracks.length).toBeGreaterThan(0)
    playback.chooseClip(0)
    playback.chooseClip(1)
    await nextTick()
    expect(asked('model.clip')).toEqual([{ model: models.activeId, clip: 1 }])
  })

  it('is not taken from another state of the model, and asked for again in that', async () => {
    const [models, playback] = [useModels(pinia), usePlayback(pinia)]
    revision = 2
    playback.chooseClip(1)
    await expect.poll(() => asked('model.clip')).toHaveLength(1)
    await nextTick()
    expect(playback.clip?.away).toBe(true)
    // what another window did is told: the scene comes anew, with the clip that is shown
    await models.reload(models.activeId)
    expect(asked('model.scene').at(-1)).toEqual({ model: models.activeId, clip: 1 })
    expect(playback.clip).toEqual(whole[1])
  })

  it('stays away when the model is saved: no scene is fetched', async () => {
    const models = useModels(pinia)
    const before = models.scene
    await models.save()
    expect(models.scene).toBe(before)
    expect(asked('model.scene')).toEqual([])
    expect(models.info!.dirty).toBe(false)
  })
})
