// @vitest-environment happy-dom
/** Pins and edited chains: of a skeleton, kept over a restart, and not of another one. */
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { markRaw, nextTick } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useReach } from '../../../src/renderer/core/reach.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { Settings } from '../../../src/shared/api/settings.ts'

let stored: Partial<Settings>

/** The fake services, with settings that outlive a window. */
function api(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name: never, args: never, options: never) {
      const answer: unknown = await inner.call(name, args, options)
      if (name === ('settings.set' as never)) stored = { ...stored, ...(args as Partial<Settings>) }
      return String(name).startsWith('settings.') ? { ...(answer as Settings), ...stored } : answer
    },
  } as Api
}

async function start(): Promise<ReturnType<typeof useReach>> {
  const pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(api())
  await useModels(pinia).openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
  return useReach(pinia)
}

describe('pins and chains', () => {
  beforeEach(() => {
    stored = {}
  })

  it('are of a rig that is made for a skeleton, not for each scene that has it', async () => {
    const { rig } = await start()
    const models = useModels()
    const model = models.active!
    model.scene = markRaw({ ...model.scene, clips: [...model.scene.clips] })
    expect(useReach().rig).toBe(rig)
    const { skeleton } = model.scene
    model.scene = markRaw({ ...model.scene, skeleton: { ...skeleton, restTranslation: skeleton.restTranslation.map((n) => n + 1) } })
    expect(useReach().rig).not.toBe(rig)
  })

  it('are there after a restart, and let go of as they were set', async () => {
    let reach = await start()
    const joint = reach.rig!.bones.findIndex((bones) => bones > 1)
    expect(joint).toBeGreaterThan(0)
    reach.togglePins([joint, 1])
    reach.setBones(joint, 1)
    expect(reach.pins).toEqual([joint, 1])
    expect([...reach.bones]).toEqual([[joint, 1]])
    reach = await start()
    expect(reach.pins).toEqual([joint, 1])
    expect([...reach.bones]).toEqual([[joint, 1]])
    reach.togglePins([1])
    reach.setBones(joint)
    reach = await start()
    expect(reach.pins).toEqual([joint])
    expect([...reach.bones]).toEqual([])
    reach.clearPins()
    expect((await start()).pins).toEqual([])
  })

  it('stay where a joint gets another name or number, and are none of a skeleton with other names', async () => {
    const reach = await start()
    const models = useModels()
    reach.togglePins([1, 2])
    const { skeleton } = models.scene!
    const show = async (names: string[]): Promise<void> => {
      models.active!.scene = { ...models.scene!, skeleton: { ...skeleton, names } } as never
      await nextTick()
    }
    const renamed = skeleton.names.with(1, 'another')
    await show(renamed)
    expect(reach.pins).toEqual([2])
    // the same joints in another order
    await show([...skeleton.names.slice(0, 1), skeleton.names[2], skeleton.names[1], ...skeleton.names.slice(3)])
    expect([...reach.pins].sort()).toEqual([1, 2])
    expect(Object.keys(JSON.parse(useSession().settings.window.reach).value)).toHaveLength(2)
  })
})
