// @vitest-environment happy-dom
/** The panel of the last operation stays as it is until the next one has its step: nothing goes off the page ahead of the picture. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp, nextTick, type App } from 'vue'
import { useAdjust, type Operation } from '../../../src/renderer/core/adjust.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import AdjustPanel from '../../../src/renderer/shell/AdjustPanel.vue'
import type { Api } from '../../../src/shared/api/transport.ts'

let app: App
let steps: string[]
/** edits are answered */
let answer: Promise<void>

beforeEach(async () => {
  steps = []
  answer = Promise.resolve()
  const pinia = createPinia()
  setActivePinia(pinia)
  const inner = createFakeApi()
  await useSession().start({
    on: inner.on.bind(inner),
    call: async (name: string, args: never, options: never) => {
      if (name !== 'clips.editKeys') return inner.call(name as never, args, options)
      await answer
      steps.push(`step ${steps.length}`)
      const { info, scene } = await inner.call('model.scene', { model: 'm1' })
      return { info: { ...info, history: { undo: steps, redo: [], top: steps.at(-1)! } }, scene, diagnostics: [] }
    },
  } as unknown as Api)
  await useModels().openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
  document.body.innerHTML = '<div id="host"></div>'
  app = createApp(AdjustPanel).use(pinia)
  app.mount('#host')
})
afterEach(() => {
  app.unmount()
  document.body.innerHTML = ''
})

const tool = (title: string, fields: Operation['fields'] = [{ key: 'by', label: 'By', kind: 'number' }]): Operation => ({
  title,
  fields,
  values: { by: 1 },
  run: (_values, way) => way.edit('clips.editKeys', { label: title, edits: [] }),
})
const panel = (): Element | null => document.querySelector('.adjust')

it.each([
  ['is that of the next one then', undefined, 'Turn'],
  ['goes when that has nothing to adjust', [], undefined],
])('%s', async (_, fields, then) => {
  const adjust = useAdjust()
  await adjust.perform(() => tool('Move'))
  await nextTick()
  const before = panel()
  expect(before?.textContent).toContain('Move')
  const answered = Promise.withResolvers<void>()
  answer = answered.promise
  const next = adjust.perform(() => tool('Turn', fields))
  await expect.poll(() => adjust.last?.operation.title).toBe('Turn')
  await nextTick()
  expect(panel()).toBe(before)
  expect(before?.textContent).toContain('Move')
  answered.resolve()
  await next
  await nextTick()
  expect(panel()?.querySelector('.title')?.textContent.trim()).toBe(then)
})
