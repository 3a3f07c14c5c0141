// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp, nextTick } from 'vue'
import { useLibraryChoice } from '../../../src/renderer/core/library-choice.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { usePreparing } from '../../../src/renderer/features/library/prepare.ts'

const asked: string[] = []
let pressed: (event: MouseEvent) => void

beforeEach(async () => {
  const pinia = createPinia()
  setActivePinia(pinia)
  const api = createFakeApi()
  const call = (name: string, args: { ref: string }, ...more: unknown[]): unknown =>
    name === 'model.prepare'
      ? (asked.push(args.ref), Promise.resolve(null))
      : (api.call as (...all: unknown[]) => unknown)(name, args, ...more)
  await useSession().start({ ...api, call } as never)
  await useLibrary().open('/games/dark-cloud')
  asked.length = 0
  vi.useFakeTimers()
  const app = createApp({
    setup: () => {
      pressed = usePreparing()
      return () => null
    },
  })
  app.use(pinia).mount(document.createElement('div'))
  return () => app.unmount()
})
afterEach(() => void vi.useRealTimers())

const ref = (index: number): string => useLibrary().rowAt(index)!.ref
const press = (button = 0, detail = 1): void => pressed(new MouseEvent('mousedown', { button, detail }))

it('has a model made ready with the first press on it, and with no other', () => {
  const choice = useLibraryChoice()
  press()
  expect(asked).toEqual([])
  choice.only(1)
  press()
  expect(asked).toEqual([ref(1)])
  press(0, 2)
  press(2)
  choice.turn(2)
  press()
  expect(asked).toEqual([ref(1)])
})

it('has it made ready where the keyboard rests, not where it goes by', async () => {
  const choice = useLibraryChoice()
  for (const index of [0, 1, 2]) {
    choice.only(index)
    await nextTick()
    vi.advanceTimersByTime(200)
  }
  expect(asked).toEqual([])
  vi.advanceTimersByTime(100)
  expect(asked).toEqual([ref(2)])
})

it('leaves alone what is open', async () => {
  const choice = useLibraryChoice()
  vi.useRealTimers()
  await useModels().openRef(ref(0))
  vi.useFakeTimers()
  choice.only(0)
  press()
  await nextTick()
  vi.advanceTimersByTime(1000)
  expect(asked).toEqual([])
})
