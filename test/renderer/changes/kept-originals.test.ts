// @vitest-environment happy-dom
import { createPinia } from 'pinia'
import { afterEach, expect, it } from 'vitest'
import { createApp, h, nextTick, ref, type App } from 'vue'
import KeptOriginals from '../../../src/renderer/features/changes/KeptOriginals.vue'
import type { OriginalInfo } from '../../../src/shared/api/types/save.ts'

let app: App | undefined

afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})

const kept = (ref: string, target: string): OriginalInfo => ({ ref, target, hash: '0123456789abcdef', size: 4, keptAt: 1 })
const pack = '/game/c01a.chr'
const buttons = (): HTMLButtonElement[] => [...document.querySelectorAll('button')]
const told = (): [string, boolean][] => buttons().map((b) => [b.textContent!.trim(), b.classList.contains('danger')])

it('asks once more, in the colour of danger, whichever member of a pack was asked for first', async () => {
  const confirming = ref('')
  const restored: string[] = []
  const originals = [kept(`${pack}!info.cfg`, pack), kept('/game/b.mot', '/game/b.mot'), kept(`${pack}!c01a.mot`, pack)]
  document.body.innerHTML = '<div id="host"></div>'
  app = createApp({
    render: () => h(KeptOriginals, { originals, confirming: confirming.value, onRestore: (of: string) => void restored.push(of) }),
  }).use(createPinia())
  app.mount('#host')
  const asItStands = told()
  expect(asItStands.map(([, danger]) => danger)).toEqual([false, false])
  for (const member of ['info.cfg', 'c01a.mot']) {
    confirming.value = `${pack}!${member}`
    await nextTick()
    expect(told()).toEqual([['Really restore?', true], asItStands[1]])
    // the second press is of what was asked for: of another member it would ask a third time
    buttons()[0].click()
    expect(restored.at(-1)).toBe(confirming.value)
  }
})
