// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useGameUpdates } from '../../../src/renderer/core/game-updates.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels, type OpenModel } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { CallName } from '../../../src/shared/api/contract.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

let pinia: Pinia
/** questions of this name wait until the test answers them, in the order in which they were asked */
let held: CallName | ''
let waiting: ((answer: unknown) => void)[]

function holding(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    call: ((name: CallName, args: never, options?: { signal?: AbortSignal }) =>
      name === held
        ? new Promise((resolve) => waiting.push(resolve as (answer: unknown) => void))
        : inner.call(name, args, options)) as Api['call'],
  }
}

beforeEach(async () => {
  held = ''
  waiting = []
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(holding())
  await useLibrary(pinia).open('/games/dark-cloud')
})

async function openModel(): Promise<OpenModel> {
  await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
  return useModels(pinia).active!
}

describe('the answer to an earlier question that comes last does not count', () => {
  it('for the problems of a model', async () => {
    const models = useModels(pinia)
    const model = await openModel()
    await expect.poll(() => model.problems).not.toBeNull()
    held = 'model.problems'
    const asked = [models.refreshProblems(model), models.refreshProblems(model)]
    waiting[1]([])
    waiting[0]([{ id: 'of the state before' }])
    await Promise.all(asked)
    expect(model.problems).toEqual([])
  })

  it('for what the disk has of its files', async () => {
    const models = useModels(pinia)
    const model = await openModel()
    held = 'model.disk'
    const asked = [models.lookAtDisk(model), models.lookAtDisk(model)]
    const now = [{ ref: 'a', state: 'changed', message: '' }]
    waiting[1](now)
    waiting[0]([])
    await Promise.all(asked)
    expect(model.changedOnDisk).toEqual(now)
  })

  it('for what the game updated under a mod, also when it is asked no more', async () => {
    const session = useSession(pinia)
    await session.change({ saveMode: 'mod-folder' })
    held = 'mod.updates'
    const updates = useGameUpdates(pinia)
    await expect.poll(() => waiting.length).toBe(1)
    const again = updates.load()
    const now = [{ ref: 'a', name: 'a' }]
    waiting[1](now)
    waiting[0]([])
    await again
    await Promise.resolve()
    expect(updates.files).toEqual(now)
    const late = updates.load()
    await session.change({ saveMode: 'in-place' })
    await expect.poll(() => updates.files).toEqual([])
    waiting[2](now)
    await late
    expect(updates.files).toEqual([])
  })

  it('two models are asked apart', async () => {
    const models = useModels(pinia)
    const one = await openModel()
    const other = { ...one }
    held = 'model.disk'
    const asked = [models.lookAtDisk(one), models.lookAtDisk(other)]
    waiting[1]([{ ref: 'b' }])
    waiting[0]([{ ref: 'a' }])
    await Promise.all(asked)
    expect([one.changedOnDisk, other.changedOnDisk]).toEqual([[{ ref: 'a' }], [{ ref: 'b' }]])
  })
})
