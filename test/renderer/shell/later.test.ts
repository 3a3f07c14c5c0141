// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { createApp, h, nextTick } from 'vue'
import { laterPage } from '../../../src/renderer/shell/later.ts'

vi.mock('../../../src/renderer/viewport/later.ts', () => ({ fetchViewport: () => Promise.resolve() }))
const pages = vi.hoisted(() => ({ fails: true }))
vi.mock('../../../src/renderer/shell/later-pages.ts', () => {
  if (pages.fails) throw new Error('nobody answers')
  return { ExportPanel: { render: () => h('p', 'exports') } }
})

function mount(): { host: HTMLElement; failed: () => unknown } {
  const host = document.createElement('div')
  let failure: unknown
  const app = createApp({ render: () => h(laterPage('ExportPanel')) })
  app.config.errorHandler = (error) => (failure = error)
  app.mount(host)
  afterEach(() => app.unmount())
  return { host, failed: () => failure }
}

it('is there as soon as its script is, at once from then on, and fails where it cannot be had', async () => {
  const first = mount()
  expect(first.host.textContent).toBe('')
  await expect.poll(() => first.failed()).toBeInstanceOf(Error)
  // fetched again by who shows it
  pages.fails = false
  const second = mount()
  await expect.poll(() => second.host.textContent).toBe('exports')
  const third = mount()
  expect(third.host.textContent).toBe('exports')
  await nextTick()
  expect(third.failed()).toBeUndefined()
})
