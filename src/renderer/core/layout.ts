/** Panels of the workbench: where they stand is kept with the window's settings. */
import type { DockviewApi, IDockviewPanel } from 'dockview-vue'
import { defineStore } from 'pinia'
import { markRaw, shallowRef, watch } from 'vue'
import type { ViewportHandle } from '../viewport/types.ts'
import { giveLeastWidths, MOST_OF_DOCK, PICTURE, resize, withPictureRoom, type Shrinking } from './dock-room.ts'
import { useKept } from './kept.ts'
import { titleOf } from './keymap/catalogue.ts'
import { isFocusLost } from './keymap/focus.ts'
import { useSession } from './session.ts'

const PANELS = [
  'viewport',
  'outliner',
  'files',
  'timeline',
  'inspector',
  'structure',
  'weights',
  'problems',
  'changes',
  'history',
  'texture',
  'poses',
] as const

/** Where a panel that was closed opens again: among its own, else beside the picture. Sizes are those at a scale of 100 %. */
const SIDES = [
  { ids: ['outliner', 'files'], direction: 'left', size: 240 },
  { ids: ['timeline', 'problems', 'changes', 'history'], direction: 'below', size: 280 },
  { ids: ['inspector', 'weights', 'structure', 'poses'], direction: 'right', size: 304 },
] as const

/** Pixels below which the picture has no panels at its sides. At a scale of 100 %. */
const NARROW = 880
/** What the dock has before it is on the page. */
const UNKNOWN = { width: 1440, height: 800 }

/** Opened when it is asked for: it shares the room of the picture, or takes its place where that is less than this wide at a scale of 100 %. */
const BESIDE_PICTURE = 'texture'
const SHARED = 560

export interface PanelInfo {
  id: (typeof PANELS)[number]
  title: string
}

/** What has the keyboard first in a panel; fields do not, which would take the window's keys. */
const FIRST = '[tabindex="0"],button:not(:disabled,[tabindex="-1"]),summary'

/** Where it has nothing to go to, or not yet, the panel itself has the focus: Tab leads on from there. */
function focusIn(panel: HTMLElement): void {
  const first = [...panel.querySelectorAll<HTMLElement>(FIRST)].find((element) => element.checkVisibility())
  if (!first) {
    panel.tabIndex = -1
    panel.addEventListener('blur', () => panel.removeAttribute('tabindex'), { once: true })
  }
  ;(first ?? panel).focus()
}

export const useLayout = defineStore('layout', () => {
  const session = useSession()
  /** a window without room for panels beside the picture has a layout of its own */
  const kept = { wide: useKept('layout'), narrow: useKept('narrowLayout') }
  let form: keyof typeof kept = 'wide'
  let shrinking: Shrinking = {}
  const dock = shallowRef<DockviewApi | null>(null)
  const viewport = shallowRef<ViewportHandle | null>(null)
  /** asked for while the page of the model was on its way: shown as soon as the panels are there */
  let wished = ''

  const panels: PanelInfo[] = PANELS.map((id) => ({ id, title: titleOf(`view.${id}`) }))

  const scale = (): number => session.settings.scale / 100
  const formOf = ({ width }: { width: number }): typeof form => ((width || UNKNOWN.width) < NARROW * scale() ? 'narrow' : 'wide')

  const sizeOf = ({ direction, size }: (typeof SIDES)[number]): object =>
    direction === 'below' ? { initialHeight: size * scale() } : { initialWidth: size * scale() }

  function build(api: DockviewApi): void {
    const add = (id: string, position?: object, size: object = {}): void => {
      api.addPanel({
        id,
        component: id,
        title: panels.find((p) => p.id === id)!.title,
        position: position as never,
        renderer: 'always',
        ...size,
      })
    }
    api.clear()
    shrinking = {}
    const height = api.height || UNKNOWN.height
    const narrow = form === 'narrow'
    add(PICTURE)
    // at 200 % of zoom a small screen has no room for three columns: what would stand beside the picture stands below it
    const below = Math.min(320 * scale(), height * (1 - MOST_OF_DOCK))
    add('timeline', { referencePanel: PICTURE, direction: 'below' }, { initialHeight: Math.round(below) })
    const beside = (direction: 'left' | 'right'): object =>
      narrow ? { referencePanel: 'timeline', direction: 'within' } : { referencePanel: PICTURE, direction }
    add('outliner', beside('left'), narrow ? { inactive: true } : sizeOf(SIDES[0]))
    add('files', { referencePanel: 'outliner', direction: 'within' }, { inactive: true })
    add('inspector', beside('right'), narrow ? { inactive: true } : sizeOf(SIDES[2]))
    add('weights', { referencePanel: 'inspector', direction: 'within' }, { inactive: true })
    add('structure', { referencePanel: 'inspector', direction: 'within' }, { inactive: true })
    for (const id of ['problems', 'changes', 'history']) add(id, { referencePanel: 'timeline', direction: 'within' }, { inactive: true })
    api.getPanel(PICTURE)?.api.setActive()
    giveLeastWidths(api, scale())
  }

  /** The panels are on the page, anew or again. */
  function attach(api: DockviewApi): void {
    dock.value = markRaw(api)
    // Escape is the browser's own way out of it
    document.addEventListener('fullscreenchange', leftFullScreen)
    if (wished) showPanel(wished)
  }

  /** As they were when the window was closed. */
  function begin(api: DockviewApi): void {
    dock.value = markRaw(api)
    form = formOf(api)
    if (!restore(api)) build(api)
    attach(api)
    api.onDidAddGroup(() => giveLeastWidths(api, scale()))
    api.onDidMovePanel(() => giveLeastWidths(api, scale()))
    api.onDidMaximizedGroupChange(({ isMaximized }) => {
      if (!isMaximized) fit(api)
    })
    api.onDidLayoutChange(() => keep(api))
  }

  function keep(api: DockviewApi): void {
    const changed = form
    kept[changed].writeSoon(() =>
      // a workbench that is gone has no panels to tell of, and one of another form none of this
      dock.value === api && changed === form ? { ...api.toJSON() } : kept[changed].read(),
    )
  }

  /** The window has another size, or the interface another scale. */
  function fit(size: { width: number; height: number }): void {
    const api = dock.value
    if (!api || !size.width || !size.height) return
    const fits = formOf(size)
    if (fits === form || api.hasMaximizedGroup()) resize(api, scale(), size, shrinking)
    else {
      kept[form].write({ ...api.toJSON() })
      form = fits
      api.layout(size.width, size.height)
      if (!restore(api)) build(api)
    }
  }

  watch(
    () => session.settings.scale,
    () => {
      if (dock.value) fit(dock.value)
    },
  )

  function restore(api: DockviewApi): boolean {
    try {
      const layout = kept[form].read()
      if (!layout) return false
      // the full screen ends with its page: without it, panels of the next one would be hidden and nothing say where they are
      const grid: Record<string, unknown> = { ...(layout.grid as object) }
      delete grid.maximizedNode
      const { width, height } = api.width && api.height ? api : UNKNOWN
      api.fromJSON({ ...layout, grid } as never, { reuseExistingPanels: true })
      if (api.panels.some((p) => !panels.some((known) => known.id === p.id)) || !api.getPanel(PICTURE))
        throw new Error('panels of another version')
      // with the sizes that it was left with, and from there into the window as it is
      api.layout(Number(grid.width), Number(grid.height))
      resize(api, scale(), { width, height }, (shrinking = {}))
      giveLeastWidths(api, scale())
      return true
    } catch {
      return false
    }
  }

  function leftFullScreen(): void {
    const panel = dock.value?.getPanel(PICTURE)
    if (!document.fullscreenElement && panel?.api.isMaximized()) panel.api.exitMaximized()
  }

  function detach(): void {
    document.removeEventListener('fullscreenchange', leftFullScreen)
    dock.value = null
  }

  type Add = (position: object, size?: object) => IDockviewPanel

  /** It and the picture take half of its room each. */
  function addBesidePicture(api: DockviewApi, add: Add): void {
    const room = api.getPanel(PICTURE)?.api.width ?? 0
    if (room < SHARED * scale()) add({ referencePanel: PICTURE, direction: 'within' })
    else {
      const added = withPictureRoom(api, scale(), () => add({ referencePanel: PICTURE, direction: 'right' }))
      for (const half of [api.getPanel(PICTURE), added]) half?.api.setSize({ width: Math.round(room / 2) })
    }
  }

  function addAtSide(api: DockviewApi, id: string, add: Add): void {
    const picture = api.getPanel(PICTURE)?.group
    const side = SIDES.find(({ ids }) => (ids as readonly string[]).includes(id))!
    const below = form === 'narrow' ? api.panels.find(({ group }) => group !== picture)?.id : undefined
    const among = side.ids.find((p) => p !== id && api.getPanel(p)) ?? below
    if (among) add({ referencePanel: among, direction: 'within' })
    else add({ referencePanel: PICTURE, direction: form === 'narrow' ? 'below' : side.direction }, sizeOf(side))
  }

  function showPanel(id: string): void {
    const api = dock.value
    wished = api ? '' : id
    if (!api) return
    const known = api.getPanel(id)
    if (known) known.api.setActive()
    else {
      const info = panels.find((p) => p.id === id)
      if (!info) return
      const add = (position: object, size: object = {}): IDockviewPanel =>
        api.addPanel({ id, component: id, title: info.title, renderer: 'always', position: position as never, ...size })
      if (id === BESIDE_PICTURE) addBesidePicture(api, add)
      else addAtSide(api, id, add)
    }
    // what is typed goes where it is asked for meanwhile: the palette may be there again
    focusSoon(id, () => !document.activeElement?.closest('[aria-modal="true"]'))
  }

  function focusSoon(id: string, wanted: () => boolean): void {
    requestAnimationFrame(() => {
      const panel = wanted() && document.querySelector<HTMLElement>(`[data-panel="${id}"]`)
      if (panel) focusIn(panel)
    })
  }

  /** A model was asked for by keyboard: its picture has it, or what lies over that, unless something has it already. */
  function enter(): void {
    const front = dock.value?.getPanel(PICTURE)?.group.activePanel
    if (front) focusSoon(front.id, isFocusLost)
  }

  /** Whether a panel can be seen: it is open, and in front of those beside it. */
  const isSeen = (id: string): boolean => dock.value?.getPanel(id)?.api.isVisible ?? false

  /** Something new is to be looked at in the picture: another panel that lies over it makes room, the focus stays. */
  function uncoverPicture(): void {
    if (!isSeen(PICTURE)) dock.value?.getPanel(PICTURE)?.api.setActive()
  }

  /** The picture stays: it is what the others are about. */
  const canClose = (id: string | undefined): boolean => id !== undefined && id !== PICTURE

  /** @param id of the panel; the one that is worked in without it */
  function closePanel(id = dock.value?.activePanel?.id): void {
    const api = dock.value
    const panel = canClose(id) ? api?.getPanel(id!) : undefined
    if (!api || !panel) return
    withPictureRoom(api, scale(), () => panel.api.close())
  }

  /** The picture alone on the whole screen, and back. A window that may not take the screen gives it the room that it has. */
  async function toggleFullScreen(): Promise<void> {
    const panel = dock.value?.getPanel(PICTURE)
    if (!panel) return
    if (panel.api.isMaximized()) {
      panel.api.exitMaximized()
      if (document.fullscreenElement) await document.exitFullscreen().catch(() => {})
      return
    }
    panel.api.setActive()
    panel.api.maximize()
    await document.documentElement.requestFullscreen?.().catch(() => {})
  }

  function reset(): void {
    if (dock.value) build(dock.value)
  }

  return {
    panels,
    dock,
    viewport,
    begin,
    fit,
    attach,
    detach,
    showPanel,
    enter,
    isSeen,
    uncoverPicture,
    canClose,
    closePanel,
    toggleFullScreen,
    reset,
  }
})
