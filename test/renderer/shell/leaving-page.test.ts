import { beforeEach, expect, it, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { useLeavingPage } from '../../../src/renderer/shell/leaving-page.ts'

const waiting: { frames: (() => void)[]; rests: (() => void)[] } = { frames: [], rests: [] }
beforeEach(() => {
  waiting.frames.length = waiting.rests.length = 0
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => waiting.frames.push(run))
  vi.stubGlobal('requestIdleCallback', (run: () => void) => waiting.rests.push(run))
  return () => vi.unstubAllGlobals()
})

async function run(list: (() => void)[]): Promise<void> {
  for (const one of list.splice(0)) one()
  await nextTick()
}

it('stands there until what came in its place is drawn and the window rests, and comes back as another one', async () => {
  const scope = effectScope()
  const shown = ref(false)
  const stands = scope.run(() => useLeavingPage(() => shown.value))!
  await run(waiting.frames)
  await run(waiting.rests)
  expect(stands.value).toBe(0)
  shown.value = true
  expect(stands.value).toBe(1)
  shown.value = false
  expect(stands.value).toBe(1)
  await run(waiting.rests)
  expect(stands.value).toBe(1)
  await run(waiting.frames)
  expect(stands.value).toBe(1)
  await run(waiting.rests)
  expect(stands.value).toBe(0)

  // shown again before it was taken down: whoever waited for that has nothing to do any more
  shown.value = true
  shown.value = false
  await run(waiting.frames)
  shown.value = true
  expect(stands.value).toBe(3)
  await run(waiting.rests)
  expect(stands.value).toBe(3)
  scope.stop()
})
