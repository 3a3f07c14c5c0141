// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { createApp, h, nextTick, ref, type App } from 'vue'
import SidePanel from '../../../src/renderer/ui/SidePanel.vue'

let app: App | undefined

afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})

/** A button of the window, and the panel that it opens. */
async function open(props: Record<string, unknown> = {}): Promise<{ opener: HTMLElement; panel: HTMLElement; closed: boolean[] }> {
  document.body.innerHTML = '<button id="opener"></button><div id="host"></div>'
  const opener = document.getElementById('opener')!
  opener.focus()
  const shown = ref(true)
  const closed: boolean[] = []
  const onClose = (byKey: boolean): void => {
    closed.push(byKey)
    shown.value = false
  }
  app = createApp({
    render: () =>
      shown.value ? h(SidePanel, { title: 'Export', width: 480, onClose, ...props }, () => h('button', { class: 'first' })) : null,
  })
  app.mount('#host')
  await nextTick()
  return { opener, panel: document.querySelector<HTMLElement>('[role=dialog]')!, closed }
}

describe('a panel in the corner', () => {
  it('is called by its title, or by what is given', async () => {
    expect((await open()).panel.getAttribute('aria-label')).toBe('Export')
    app!.unmount()
    expect((await open({ label: 'Export models' })).panel.getAttribute('aria-label')).toBe('Export models')
  })

  it('takes the focus where it says so, and gives it back when it closes', async () => {
    const { opener, panel, closed } = await open({ focusSelector: '.first' })
    expect(document.activeElement?.className).toBe('first')
    panel.querySelector<HTMLElement>('.head button')!.click()
    await nextTick()
    expect(closed).toEqual([false])
    expect(document.querySelector('[role=dialog]')).toBeNull()
    expect(document.activeElement).toBe(opener)
  })

  it('is left by Esc, which nothing around it hears of', async () => {
    const { panel, closed } = await open()
    let heard = 0
    const listen = (): void => void heard++
    document.addEventListener('keydown', listen)
    panel.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    document.removeEventListener('keydown', listen)
    expect(closed).toEqual([true])
    expect(heard).toBe(0)
  })
})
