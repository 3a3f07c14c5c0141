// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { computed, watch } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels, type OpenModel } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { sceneUpdate } from '../../../src/shared/scene/scene-update.ts'
import type { EventMap } from '../../../src/shared/api/events.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { EditResult } from '../../../src/shared/api/types/model.ts'

let pinia: Pinia
let model: OpenModel
let tell: (event: EventMap['model.ahead']) => void
let tellChanged: (event: EventMap['model.changed']) => void
/** the edit that was sent is answered */
let answer: PromiseWithResolvers<EditResult>
let frames: (() => void)[]

function holding(): Api {
  const inner = createFakeApi()
  return {
    on(name, listener) {
      if (name === 'model.ahead') tell = listener as typeof tell
      if (name === 'model.changed') tellChanged = listener as typeof tellChanged
      return inner.on(name, listener)
    },
    call: ((name, args, options) => (name === 'history.undo' ? answer.promise : inner.call(name, args, options))) as Api['call'],
  }
}

beforeEach(async () => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  answer = Promise.withResolvers()
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(holding())
  await useLibrary(pinia).open('/games/dark-cloud')
  await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
  model = useModels(pinia).active!
})
afterEach(() => vi.unstubAllGlobals())

const edited = () => sceneUpdate({ ...model.scene, lods: ['edited'] }, model.scene)
const told = (basis = model.info.revision): void => tell({ model: model.id, basis, scene: edited() })
const answered = (): void => {
  const { revision } = model.info
  answer.resolve({ info: { ...model.info, revision: revision + 1 }, basis: revision, scene: edited(), diagnostics: [] })
}

describe('an edit that is told ahead of its answer', () => {
  it('is in the picture alone, and the rest follows once that is drawn', async () => {
    const [revision, before] = [model.info.revision, model.scene]
    const sent = useModels(pinia).edit('history.undo', {})
    told()
    const shown = model.viewScene
    expect([shown.lods, model.scene, model.info.revision]).toEqual([['edited'], before, revision])
    answered()
    await new Promise((resolve) => setTimeout(resolve))
    expect(model.scene).toBe(before)
    for (const frame of frames) frame()
    await sent
    expect([model.scene.lods, model.info.revision]).toEqual([['edited'], revision + 1])
    // the picture has it already: nothing is made anew
    expect(model.viewScene).toBe(shown)
  })

  it('does not wait for a picture that nobody sees', async () => {
    const sent = useModels(pinia).edit('history.undo', {})
    told()
    answered()
    await sent
    expect(model.scene.lods).toEqual(['edited'])
  })

  it('leaves those who show no scene with nothing to do', async () => {
    const models = useModels(pinia)
    const names = computed(() => models.open.map(({ info }) => info.name))
    let changes = 0
    const stop = watch(names, () => changes++, { flush: 'sync' })
    const sent = models.edit('history.undo', {})
    told()
    expect([model.viewScene.lods, changes]).toEqual([['edited'], 0])
    answered()
    await sent
    expect(changes).toBe(1)
    stop()
  })

  it('is not shown on another state than the one it was made of', () => {
    told(model.info.revision + 1)
    expect(model.viewScene).toBe(model.scene)
  })

  it('is out of the picture when it is told as changed back', async () => {
    const before = model.scene.lods
    const sent = useModels(pinia).edit('history.undo', {})
    told()
    expect(model.viewScene.lods).toEqual(['edited'])
    answer.reject(new Error('what was written is read differently'))
    expect(await sent).toBeNull()
    tellChanged({ info: { ...model.info, revision: model.info.revision + 2 } })
    await expect.poll(() => model.viewScene.lods).toEqual(before)
  })
})
