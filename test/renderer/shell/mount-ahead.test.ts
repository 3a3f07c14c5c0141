import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { useMountAhead } from '../../../src/renderer/shell/mount-ahead.ts'

const scripts = vi.hoisted(() => ({ come: (): Promise<boolean> => Promise.resolve(true) }))
vi.mock('../../../src/renderer/shell/later.ts', () => ({ fetchWhileIdle: () => scripts.come() }))

const REST = 700
let target: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  target = new EventTarget()
  vi.stubGlobal('window', target)
  scripts.come = () => Promise.resolve(true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const key = (): void => void target.dispatchEvent(new Event('keydown'))

it('begins when the library has been shown for a moment', async () => {
  const scope = effectScope()
  const begun = scope.run(() => useMountAhead(() => true))!
  await vi.advanceTimersByTimeAsync(REST - 1)
  expect(begun.value).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(begun.value).toBe(true)
  scope.stop()
})

it('waits for whoever types, from letter to letter', async () => {
  const scope = effectScope()
  const begun = scope.run(() => useMountAhead(() => true))!
  for (let letter = 0; letter < 20; letter++) {
    await vi.advanceTimersByTimeAsync(200)
    key()
  }
  expect(begun.value).toBe(false)
  await vi.advanceTimersByTimeAsync(2 * REST)
  expect(begun.value).toBe(true)
  scope.stop()
})

it('waits for a key that comes while scripts do', async () => {
  let there = (_: boolean): void => {}
  scripts.come = () => new Promise((done) => (there = done))
  const scope = effectScope()
  const begun = scope.run(() => useMountAhead(() => true))!
  await vi.advanceTimersByTimeAsync(REST)
  key()
  scripts.come = () => Promise.resolve(true)
  there(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(begun.value).toBe(false)
  await vi.advanceTimersByTimeAsync(REST)
  expect(begun.value).toBe(true)
  scope.stop()
})

it('does not begin where something is opened meanwhile', async () => {
  const free = ref(true)
  const scope = effectScope()
  const begun = scope.run(() => useMountAhead(() => free.value))!
  await vi.advanceTimersByTimeAsync(REST / 2)
  free.value = false
  await nextTick()
  await vi.advanceTimersByTimeAsync(4 * REST)
  expect(begun.value).toBe(false)
  scope.stop()
})
