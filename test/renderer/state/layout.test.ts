// @vitest-environment happy-dom
import { createDockview, type DockviewApi } from 'dockview-vue'
import { createPinia, disposePinia, setActivePinia, type Pinia } from 'pinia'
import { nextTick } from 'vue'
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
async function load(layout: string, { width = 1440, height = 800, scale = 100 } = {}): Promise<DockviewApi> {
  pinia = createPinia()
  setActivePinia(pinia)
  const session = useSession()
  await session.start(createFakeApi())
  session.settings = { ...session.settings, scale, window: layout ? { layout } : {} }
  api = createDockview(document.createElement('div'), {
    createComponent: () => ({ element: document.createElement('div'), init: () => {} }),
  })
  api.layout(width, height)
  useLayout().begin(api)
  return api
}

const widthsOf = ({ panels }: DockviewApi): Record<string, number> =>
  Object.fromEntries(panels.map(({ id, group }) => [id, group.api.width]))

/** The layout of a window, as it is kept when that is left. */
async function left(): Promise<string> {
  // dockview tells of changes when it is through with them
  await new Promise((resolve) => setTimeout(resolve))
  const session = useSession()
  leave()
  return session.settings.window.layout!
}

const sizeOf = (of: DockviewApi, id: string): { width: number; height: number } => {
  const { width, height } = of.getPanel(id)!.group.api
  return { width, height }
}

describe('panels beside the picture', () => {
  it('are as large in a smaller window as in the one that they were made in', async () => {
    const wide = await load('', { width: 2560, height: 1400 })
    expect(sizeOf(wide, 'outliner').width).toBe(240)
    expect(sizeOf(wide, 'inspector').width).toBe(304)
    expect(sizeOf(wide, 'timeline').height).toBe(320)
    wide.getPanel('timeline')!.api.setSize({ height: 300 })
    const small = await load(await left(), { width: 1024, height: 720 })
    expect(sizeOf(small, 'outliner').width).toBe(240)
    expect(sizeOf(small, 'inspector').width).toBe(304)
    expect(sizeOf(small, 'timeline').height).toBe(300)
    expect(sizeOf(small, 'viewport')).toEqual({ width: 480, height: 420 })
  })

  it('keep their size while the window is made smaller and larger', async () => {
    const dock = await load('', { width: 2000, height: 1000 })
    for (const [width, height] of [
      [1900, 760],
      [900, 740],
      [2400, 1300],
    ] as const) {
      useLayout().fit({ width, height })
      expect([dock.width, dock.height]).toEqual([width, height])
      expect(sizeOf(dock, 'outliner').width).toBe(240)
      expect(sizeOf(dock, 'inspector').width).toBe(304)
      expect(sizeOf(dock, 'timeline')).toEqual({ width, height: 320 })
    }
  })

  it('give way in a low window, where the picture has most of the room', async () => {
    const dock = await load('', { width: 1440, height: 1000 })
    useLayout().fit({ width: 1440, height: 500 })
    expect(sizeOf(dock, 'viewport').height).toBe(320)
    expect(sizeOf(dock, 'timeline').height).toBe(180)
  })

  it('have it again in a window that was small for a while, unless they were made of another size there', async () => {
    const dock = await load('', { width: 1440, height: 866 })
    const before = widthsOf(dock)
    const { height } = sizeOf(dock, 'timeline')
    for (const low of [620, 500, 700]) useLayout().fit({ width: 1000, height: low })
    expect(sizeOf(dock, 'timeline').height).toBe(700 - 410)
    useLayout().fit({ width: 1440, height: 866 })
    expect(sizeOf(dock, 'timeline').height).toBe(height)
    expect(widthsOf(dock)).toEqual(before)
    useLayout().fit({ width: 1440, height: 500 })
    dock.getPanel('timeline')!.api.setSize({ height: 150 })
    useLayout().fit({ width: 1440, height: 866 })
    expect(sizeOf(dock, 'timeline').height).toBe(150)
  })

  it('keep their size where three of them stand at one side', async () => {
    const dock = await load('', { width: 2400, height: 1000 })
    dock.getPanel('weights')!.api.moveTo({ group: dock.getPanel('inspector')!.group, position: 'right' })
    dock.getPanel('structure')!.api.moveTo({ group: dock.getPanel('inspector')!.group, position: 'right' })
    dock.getPanel('weights')!.api.setSize({ width: 280 })
    dock.getPanel('structure')!.api.setSize({ width: 350 })
    const before = widthsOf(dock)
    useLayout().fit({ width: 1800, height: 1000 })
    const { viewport: picture, timeline: _below, problems: _problems, changes: _changes, history: _history, ...beside } = before
    expect(widthsOf(dock)).toMatchObject(beside)
    expect(sizeOf(dock, 'viewport').width).toBe(picture! - 600)
    useLayout().closePanel('structure')
    const { structure, ...others } = beside
    expect(widthsOf(dock)).toMatchObject(others)
    expect(sizeOf(dock, 'viewport').width).toBe(picture! - 600 + structure!)
  })

  it('give way by one share where the picture would have no room', async () => {
    const wide = await load('', { width: 2560, height: 1400 })
    wide.getPanel('outliner')!.api.setSize({ width: 700 })
    wide.getPanel('inspector')!.api.setSize({ width: 350 })
    const small = await load(await left(), { width: 1024, height: 660 })
    expect(sizeOf(small, 'viewport').width).toBeGreaterThanOrEqual(239)
    expect(sizeOf(small, 'outliner').width / sizeOf(small, 'inspector').width).toBeCloseTo(2, 1)
  })

  it('are never narrower than their words need, by the scale of the interface', async () => {
    const dock = await load('', { width: 1440, scale: 150 })
    expect(sizeOf(dock, 'outliner').width).toBe(360)
    dock.getPanel('outliner')!.api.setSize({ width: 20 })
    expect(sizeOf(dock, 'outliner').width).toBe(270)
    useSession().settings = { ...useSession().settings, scale: 100 }
    await nextTick()
    dock.getPanel('outliner')!.api.setSize({ width: 20 })
    expect(sizeOf(dock, 'outliner').width).toBe(180)
    // the picture can be made smaller: it has no words
    dock.getPanel('viewport')!.api.setSize({ width: 120 })
    expect(sizeOf(dock, 'viewport').width).toBe(120)
  })
})

describe('a window without room for panels beside the picture', () => {
  const below = (of: DockviewApi): string[] => of.getPanel('outliner')!.group.panels.map(({ id }) => id)

  it.each([
    ['a layout of a wide one', { width: 700 }],
    ['a large interface', { width: 1024, scale: 150 }],
  ])('has them below it, with %s', async (_, size) => {
    await load('', { width: 2560, height: 1400 })
    const small = await load(await left(), size)
    expect(small.groups).toHaveLength(2)
    expect(below(small)).toEqual(expect.arrayContaining(['timeline', 'inspector', 'structure', 'history']))
    expect(sizeOf(small, 'timeline').width).toBe(size.width)
  })

  it('is as it was left when the window is as narrow again, and so is the wide one', async () => {
    const dock = await load('', { width: 1600 })
    dock.getPanel('inspector')!.api.setSize({ width: 400 })
    useLayout().closePanel('problems')
    const wide = widthsOf(dock)
    useLayout().fit({ width: 700, height: 800 })
    expect(dock.groups).toHaveLength(2)
    useLayout().closePanel('files')
    dock.getPanel('inspector')!.api.setActive()
    useLayout().fit({ width: 1600, height: 800 })
    expect(widthsOf(dock)).toEqual(wide)
    expect(dock.getPanel('problems')).toBeUndefined()
    useLayout().fit({ width: 650, height: 800 })
    expect(dock.getPanel('files')).toBeUndefined()
    expect(dock.getPanel('inspector')!.api.isVisible).toBe(true)
    expect(sizeOf(dock, 'inspector').width).toBe(650)
  })

  it('opens a panel that was closed among those below', async () => {
    const dock = await load('', { width: 700 })
    for (const id of ['outliner', 'files', 'poses'] as const) useLayout().closePanel(id)
    useLayout().showPanel('poses')
    expect(dock.groups).toHaveLength(2)
    expect(dock.getPanel('poses')!.group).toBe(dock.getPanel('timeline')!.group)
  })

  it('keeps its layout while the picture has the whole screen', async () => {
    const dock = await load('', { width: 700 })
    await useLayout().toggleFullScreen()
    useLayout().fit({ width: 1920, height: 1080 })
    expect(dock.hasMaximizedGroup()).toBe(true)
    useLayout().fit({ width: 700, height: 800 })
    await useLayout().toggleFullScreen()
    expect(dock.groups).toHaveLength(2)
    expect(sizeOf(dock, 'timeline').width).toBe(700)
  })
})

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
