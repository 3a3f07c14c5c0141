// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp, h, nextTick, type App, type Component } from 'vue'
import type { Api } from '../../../src/shared/api/transport.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import FolderBrowser from '../../../src/renderer/core/FolderBrowser.vue'
import { useSession } from '../../../src/renderer/core/session.ts'

let pinia: Pinia
let app: App | null = null
/** Answers that are held back, by the path that was asked for. */
let held: Map<string, () => void>

function mount(component: Component, props: Record<string, unknown> = {}): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  app = createApp({ render: () => h(component, props) }).use(pinia)
  app.mount(host)
  return host
}

beforeEach(async () => {
  pinia = createPinia()
  setActivePinia(pinia)
  held = new Map()
  const api = createFakeApi()
  const call = (async (name: string, args: { path?: string }, options: never) => {
    if (args.path?.endsWith('slow')) await new Promise<void>((answer) => held.set(args.path!, answer))
    return api.call(name as never, args as never, options)
  }) as Api['call']
  await useSession(pinia).start({ ...api, call })
})
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})

describe('a folder that is read slowly', () => {
  it('is not shown once another one was asked for', async () => {
    const host = mount(FolderBrowser, { start: '/games/slow' })
    const field = (): HTMLInputElement => host.querySelector<HTMLInputElement>('input')!
    const goTo = async (path: string): Promise<void> => {
      field().value = path
      field().dispatchEvent(new Event('input'))
      await nextTick()
      field()
        .closest('form')!
        .dispatchEvent(new Event('submit', { cancelable: true }))
    }
    await expect.poll(() => [...held.keys()]).toEqual(['/games/slow'])
    await goTo('/nowhere')
    await expect.poll(() => host.querySelector('[role=alert]')?.textContent).toBe('There is no such folder')
    held.get('/games/slow')!()
    // an answer to a later question comes after it
    await useSession(pinia).call('folders.list', { path: '/home' })
    await nextTick()
    expect(field().value).toBe('/nowhere')
    expect(host.querySelector('[role=alert]')?.textContent).toBe('There is no such folder')
  })
})
