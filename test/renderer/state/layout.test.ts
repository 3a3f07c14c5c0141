// @vitest-environment happy-dom
import { createDockview, type DockviewApi } from 'dockview-vue'
import { createPinia, disposePinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLayout } from '../../../src/renderer/core/layout.ts'
import { useSession } from '../../../src/renderer/core/session.ts'

let pinia: Pinia | undefined
let api: DockviewApi | undefined

/** The page goes: what was to be kept soon is kept now. */
function leave(): void {
  window.dispatchEvent(new Event('pagehide'))
  if (pinia) useLayout().detach()
  api?.dispose()
  if (pinia) disposePinia(pinia)
  api = pinia = undefined
}
afterEach(leave)

/** The workbench of a page that begins with what the settings have, as text. */
async function load(layout: string): Promise<DockviewApi> {
  pinia = createPinia()
  setActivePinia(pinia)
  const session = useSession()
  await session.start(createFakeApi())
  session.settings = { ...session.settings, window: layout ? { layout } : {} }
  api = createDockview(document.createElement('div'), {
    createComponent: () => ({ element: document.createElement('div'), init: () => {} }),
  })
  api.layout(1440, 800)
  useLayout().begin(api)
  return api
}

const widthsOf = ({ panels }: DockviewApi): Record<string, number> =>
  Object.fromEntries(panels.map(({ id, group }) => [id, group.api.width]))

describe('the layout', () => {
  it('begins with its panels where the picture had the whole screen when the page was left', async () => {
    const before = await load('')
    const widths = widthsOf(before)
    before.getPanel('timeline')!.api.setActive()
    const keeping = useSession()
    await useLayout().toggleFullScreen()
    expect(before.hasMaximizedGroup()).toBe(true)
    expect(before.getPanel('timeline')!.api.isVisible).toBe(false)
    leave()
    const kept = keeping.settings.window.layout!
    expect(kept).toContain('maximizedNode')

    const after = await load(kept)
    expect(after.hasMaximizedGroup()).toBe(false)
    expect(after.getPanel('timeline')!.api.isVisible).toBe(true)
    expect(widthsOf(after)).toEqual(widths)
  })
})
