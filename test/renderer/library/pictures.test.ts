// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { usePictures } from '../../../src/renderer/features/library/pictures.ts'
import type { CallName } from '../../../src/shared/api/contract.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

let pinia: Pinia
let calls: CallName[]

/** No picture is known or drawn. */
function listening(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    call: ((name: CallName, args: { refs: string[] }, options) => {
      calls.push(name)
      if (name === 'library.pictures') return Promise.resolve(args.refs.map(() => null))
      if (name === 'library.pictureScene') return Promise.resolve({ reason: 'none here', broken: false })
      return inner.call(name, args as never, options)
    }) as Api['call'],
  }
}

beforeEach(async () => {
  vi.stubGlobal('requestIdleCallback', (done: () => void) => setTimeout(done))
  calls = []
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(listening())
  await useLibrary(pinia).open('/games/dark-cloud')
  usePictures(pinia)
})

afterEach(() => {
  usePictures(pinia).$dispose()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const made = (): number => calls.filter((name) => name === 'library.pictureScene').length

/** From here on time passes as the test says. */
function showRows(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const row = useLibrary(pinia).rowAt(0)!
  usePictures(pinia).show(Symbol('list'), [row])
}

/** Once a second, for seconds. */
async function working(seconds: number, type: string, buttons = 0): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    window.dispatchEvent(Object.assign(new Event(type), { buttons }))
    await vi.advanceTimersByTimeAsync(1000)
  }
}

describe('pictures of a list beside a model', () => {
  it.each([
    ['keydown', 0],
    ['pointerdown', 1],
    ['pointermove', 1],
    ['wheel', 0],
  ])('wait while the user works there, until nothing comes for a while (%s)', async (type, buttons) => {
    await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
    showRows()
    await working(5, type, buttons)
    expect(made()).toBe(0)
    await vi.advanceTimersByTimeAsync(3000)
    expect(made()).toBe(1)
  })

  it('come while a pointer only passes over', async () => {
    await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
    showRows()
    await working(2, 'pointermove')
    expect(made()).toBe(1)
  })

  it('come at once in the library, whose rows they are', async () => {
    showRows()
    await working(2, 'keydown')
    expect(made()).toBe(1)
  })
})

describe('pictures of a list that is searched', () => {
  it('are no more asked for with the next letter, and come when no more do', async () => {
    showRows()
    let stopped = false
    const { api } = useSession(pinia)
    vi.spyOn(api!, 'call').mockImplementation(((name: CallName, args: { refs: string[] }, { signal }: { signal?: AbortSignal } = {}) => {
      calls.push(name)
      if (name === 'library.pictureScene') return Promise.resolve({ reason: 'none here', broken: false })
      if (name !== 'library.adoptPictures' || stopped) return Promise.resolve(args.refs.map(() => null))
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          stopped = true
          reject(new Error(name))
        })
      })
    }) as never)
    await vi.advanceTimersByTimeAsync(200)
    expect(calls).toContain('library.adoptPictures')
    expect(usePictures(pinia).typing).toBe(false)
    useLibrary(pinia).query.text = 'c'
    await vi.advanceTimersByTimeAsync(400)
    expect([stopped, made(), usePictures(pinia).typing]).toEqual([true, 0, true])
    await vi.advanceTimersByTimeAsync(2000)
    expect([made(), usePictures(pinia).typing]).toEqual([1, false])
  })
})
