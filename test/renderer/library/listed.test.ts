// @vitest-environment happy-dom
/** The list beside a model is not on screen while the library is searched: its rows wait for the end of the word. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp, h, nextTick, provide, ref, type App } from 'vue'
import { pageShown } from '../../../src/renderer/core/while-shown.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useListed } from '../../../src/renderer/features/library/listed.ts'

let app: App
let pinia: Pinia
const shown = ref(false)
let drawn: string[]

beforeEach(async () => {
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession().start(createFakeApi())
  await useLibrary().open('/games/dark-cloud')
  vi.useFakeTimers()
  shown.value = false
  drawn = []
  const list = {
    setup() {
      const listed = useListed()
      return () => {
        drawn.push(`${listed.value.total} ${listed.value.rowAt(0)?.name ?? ''}`)
        return null
      }
    },
  }
  app = createApp({
    setup() {
      provide(pageShown, shown)
      return () => h(list)
    },
  })
  app.use(pinia).mount(document.createElement('div'))
})
afterEach(() => {
  app.unmount()
  vi.useRealTimers()
})

/** As the answer to another text changes the list. */
async function found(total: number, name: string): Promise<void> {
  const library = useLibrary()
  const row = library.rowAt(0)!
  library.total = total
  library.pages.set(0, [{ ...row, name }])
  await nextTick()
}

it('draws nothing while letters come, and what there is once none came for a moment', async () => {
  expect(drawn).toHaveLength(1)
  for (const [total, name] of [
    [30, 'a'],
    [20, 'ab'],
    [10, 'abc'],
  ] as const) {
    await found(total, name)
    await vi.advanceTimersByTimeAsync(300)
  }
  expect(drawn).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(700)
  expect(drawn.slice(1)).toEqual(['10 abc'])
})

it('has what was found when it comes on screen, and follows at once there', async () => {
  await found(30, 'a')
  shown.value = true
  await nextTick()
  expect(drawn.slice(1)).toEqual(['30 a'])
  await found(20, 'ab')
  expect(drawn.slice(2)).toEqual(['20 ab'])
  await vi.advanceTimersByTimeAsync(2000)
  expect(drawn).toHaveLength(3)
})
