// @vitest-environment happy-dom
import { createPinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, nextTick, type App } from 'vue'
import { useSession } from '../../../src/renderer/core/session.ts'
import Notices from '../../../src/renderer/shell/Notices.vue'

let app: App
let host: HTMLElement
let session: ReturnType<typeof useSession>

beforeEach(() => {
  const pinia = createPinia()
  session = useSession(pinia)
  host = document.body.appendChild(document.createElement('div'))
  app = createApp(Notices).use(pinia)
  app.mount(host)
})
afterEach(() => {
  app.unmount()
  document.body.innerHTML = ''
})

const button = (name: RegExp): HTMLElement | undefined =>
  [...host.querySelectorAll<HTMLElement>('button')].find((b) => name.test(b.getAttribute('aria-label') ?? b.textContent!))
const shown = (): string[] =>
  [...host.querySelectorAll<HTMLElement>('.notice')].filter((n) => n.style.display !== 'none').map((n) => n.textContent!)

describe('notices', () => {
  it('are one line, whatever they say; the whole is its tip and stands in the list', async () => {
    const path = '/home/someone/games/Dark Cloud/data/chara/adventurer.chr'
    session.notify('error', `${path} is in use`, `first\nsecond ${path}`)
    await nextTick()
    expect(shown()).toHaveLength(1)
    expect(shown()[0]).toContain('/home/…/Dark Cloud/data/chara/adventurer.chr is in use')
    expect(shown()[0]).toContain('first · second')
    expect(host.querySelector('.notice')!.getAttribute('title')).toBe(`${path} is in use\nfirst\nsecond ${path}`)
    expect(host.querySelector('.notice')!.getAttribute('role')).toBe('alert')
    button(/in full/)!.click()
    await nextTick()
    expect(host.querySelector('[role=group]')!.textContent).toContain(path)
    host.querySelector('[role=group]')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    await nextTick()
    expect(host.querySelector('[role=group]')).toBeNull()
    expect(document.activeElement).toBe(button(/in full/))
  })

  it('show the last; those before it are counted, and come again when it is dismissed', async () => {
    const run = vi.fn()
    session.notify('error', 'not written', '', { label: 'Write it over', run })
    session.notify('warning', 'left out')
    await nextTick()
    expect(shown()).toEqual(['left out'])
    expect(button(/^1 more: /)).toBeDefined()
    expect(button(/Write it over/)).toBeUndefined()
    button(/^Dismiss$/)!.click()
    await nextTick()
    expect(shown()).toEqual(['not written'])
    button(/Write it over/)!.click()
    await nextTick()
    expect(run).toHaveBeenCalledOnce()
    expect(session.notices).toEqual([])
    // who listens hears the next one: the place that is listened to stays
    expect(host.querySelector('[role=log]')).not.toBeNull()
  })
})
