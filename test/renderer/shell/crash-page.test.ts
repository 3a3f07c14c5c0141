// @vitest-environment happy-dom
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, defineAsyncComponent, defineComponent, h, nextTick, ref, type App, type Component } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import CrashPage from '../../../src/renderer/shell/CrashPage.vue'

let pinia: Pinia
let app: App
const noted = vi.fn()
/** what the component does, changed from outside */
const broken = ref(false)

const Drawn = defineComponent({
  setup: () => () => {
    if (broken.value) throw new Error('no such joint')
    return h(
      'button',
      {
        onClick: () => {
          throw new Error('a press that fails')
        },
      },
      'all is well',
    )
  },
})

const Unmade: Component = defineComponent({
  setup() {
    throw new Error('not made')
  },
  render: () => null,
})

function mount(props: { panel?: string }, inside: Component = Drawn): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  app = createApp({ render: () => h(CrashPage, props, () => h(inside)) }).use(pinia)
  app.config.errorHandler = noted
  app.mount(host)
  return host
}

const press = (host: HTMLElement, text: string): void => [...host.querySelectorAll('button')].find((b) => b.textContent === text)!.click()

beforeEach(async () => {
  broken.value = false
  noted.mockClear()
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(createFakeApi())
})
afterEach(() => {
  app.unmount()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

describe('page in place of what cannot be drawn', () => {
  it('says so in place of a panel, and draws the panel again', async () => {
    const host = mount({ panel: 'inspector' })
    expect(host.textContent).toContain('all is well')
    broken.value = true
    await nextTick()
    await nextTick()
    expect(host.textContent).toContain('This panel cannot be drawn')
    expect(host.textContent).toContain('no such joint')
    expect(noted).toHaveBeenCalledTimes(1)
    // still broken: it is said again, not drawn empty
    press(host, 'Draw it again')
    await nextTick()
    expect(host.textContent).toContain('This panel cannot be drawn')
    broken.value = false
    press(host, 'Draw it again')
    await nextTick()
    expect(host.textContent).toContain('all is well')
  })

  it('stands in place of a window that could not be made, and loads it again', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const host = mount({}, Unmade)
    await nextTick()
    expect(host.textContent).toContain('This window cannot be drawn')
    expect(host.textContent).toContain('Your edits are kept')
    press(host, 'Reload')
    expect(reload).toHaveBeenCalledOnce()
  })

  it('says so where the script of a page cannot be had, and fetches it again', async () => {
    const fetched = vi.fn(() => Promise.reject(new Error('nobody answers')))
    const host = mount({ panel: 'viewport' }, defineAsyncComponent<Component>(fetched))
    await expect.poll(() => host.textContent).toContain('nobody answers')
    fetched.mockImplementation((() => Promise.resolve(Drawn)) as never)
    press(host, 'Draw it again')
    await expect.poll(() => host.textContent).toContain('all is well')
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('saves a file for a report', async () => {
    const call = vi.spyOn(useSession(pinia), 'call')
    const host = mount({}, Unmade)
    await nextTick()
    press(host, 'Save diagnostics')
    expect(call).toHaveBeenCalledWith('diagnostics.make', expect.anything())
  })

  it('leaves the page where only a press fails', async () => {
    const host = mount({})
    press(host, 'all is well')
    await nextTick()
    expect(host.textContent).toBe('all is well')
    expect(noted).toHaveBeenCalledTimes(1)
  })
})
