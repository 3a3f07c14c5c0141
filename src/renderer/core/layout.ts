/** Panels of the workbench: where they stand is kept with the window's settings. */
import type { DockviewApi, IDockviewPanel } from 'dockview-vue'
import { defineStore } from 'pinia'
import { markRaw, shallowRef } from 'vue'
import type { ViewportHandle } from '../viewport/types.ts'
import { useKept, type Kept } from './kept.ts'
import { titleOf } from './keymap/catalogue.ts'

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

/** Where a panel that was closed opens again: among its own, else beside the picture. */
const SIDES = [
  { ids: ['outliner', 'files'], direction: 'left', size: { initialWidth: 240 } },
  { ids: ['timeline', 'problems', 'changes', 'history'], direction: 'below', size: { initialHeight: 280 } },
  { ids: ['inspector', 'weights', 'structure', 'poses'], direction: 'right', size: { initialWidth: 304 } },
] as const

/** Pixels below which the picture has no panels at its sides. */
const NARROW = 760

/** Opened when it is asked for: it shares the room of the picture, or takes its place where that is less than this wide. */
const BESIDE_PICTURE = 'texture'
const SHARED = 560

export interface PanelInfo {
  id: (typeof PANELS)[number]
  title: string
}

export const useLayout = defineStore('layout', () => {
  const kept = useKept('layout')
  const dock = shallowRef<DockviewApi | null>(null)
  const viewport = shallowRef<ViewportHandle | null>(null)
  /** asked for while the page of the model was on its way: shown as soon as the panels are there */
  let wished = ''

  const panels: PanelInfo[] = PANELS.map((id) => ({ id, title: titleOf(`view.${id}`) }))

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
    const height = api.height || 800
    add('viewport')
    add('timeline', { referencePanel: 'viewport', direction: 'below' }, { initialHeight: Math.round(Math.min(320, height * 0.36)) })
    // at 200 % of zoom a small screen has no room for three columns: what would stand beside the picture stands below it
    const narrow = (api.width || 1440) < NARROW
    const beside = (direction: 'left' | 'right'): object =>
      narrow ? { referencePanel: 'timeline', direction: 'within' } : { referencePanel: 'viewport', direction }
    add('outliner', beside('left'), narrow ? { inactive: true } : { initialWidth: 240 })
    add('files', { referencePanel: 'outliner', direction: 'within' }, { inactive: true })
    add('inspector', beside('right'), narrow ? { inactive: true } : { initialWidth: 304 })
    add('weights', { referencePanel: 'inspector', direction: 'within' }, { inactive: true })
    add('structure', { referencePanel: 'inspector', direction: 'within' }, { inactive: true })
    for (const id of ['problems', 'changes', 'history']) add(id, { referencePanel: 'timeline', direction: 'within' }, { inactive: true })
    api.getPanel('viewport')?.api.setActive()
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
    if (!restore(api)) build(api)
    attach(api)
    let shown: Kept<'layout'> = null
    api.onDidLayoutChange(() =>
      kept.writeSoon(() => {
        // a workbench that is gone has no panels to tell of
        if (dock.value === api) shown = { ...api.toJSON() }
        return shown ?? kept.read()
      }),
    )
  }

  function restore(api: DockviewApi): boolean {
    try {
      const layout = kept.read()
      if (!layout) return false
      // the full screen ends with its page: without it, panels of the next one would be hidden and nothing say where they are
      const grid: Record<string, unknown> = { ...(layout.grid as object) }
      delete grid.maximizedNode
      api.fromJSON({ ...layout, grid } as never)
      if (api.panels.some((p) => !panels.some((known) => known.id === p.id)) || !api.getPanel('viewport'))
        throw new Error('panels of another version')
      return true
    } catch {
      api.clear()
      return false
    }
  }

  function leftFullScreen(): void {
    const panel = dock.value?.getPanel('viewport')
    if (!document.fullscreenElement && panel?.api.isMaximized()) panel.api.exitMaximized()
  }

  function detach(): void {
    document.removeEventListener('fullscreenchange', leftFullScreen)
    dock.value = null
  }

  /** The room that a change takes or leaves is the picture's: what stands at its sides keeps its width. */
  function withPictureRoom<T>(api: DockviewApi, change: () => T): T {
    const picture = api.getPanel('viewport')?.group
    const widths = api.groups.filter((group) => group !== picture).map((group) => [group, group.api.width] as const)
    const made = change()
    for (const [group, width] of widths) if (api.groups.includes(group)) group.api.setSize({ width })
    return made
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
      const room = api.getPanel('viewport')?.api.width ?? 0
      const shares = id === BESIDE_PICTURE && room >= SHARED
      const side = SIDES.find(({ ids }) => (ids as readonly string[]).includes(id))
      const beside = side?.ids.find((p) => p !== id && api.getPanel(p)) ?? (id === BESIDE_PICTURE && !shares ? 'viewport' : undefined)
      const add = (): IDockviewPanel =>
        api.addPanel({
          id,
          component: id,
          title: info.title,
          renderer: 'always',
          position: beside
            ? { referencePanel: beside, direction: 'within' }
            : { referencePanel: 'viewport', direction: side?.direction ?? 'right' },
          ...side?.size,
        })
      const added = shares ? withPictureRoom(api, add) : add()
      if (shares) for (const half of [api.getPanel('viewport'), added]) half?.api.setSize({ width: Math.round(room / 2) })
    }
    requestAnimationFrame(() => {
      // what is typed goes where it is asked for meanwhile: the palette may be there again
      if (document.activeElement?.closest('[aria-modal="true"]')) return
      document.querySelector<HTMLElement>(`[data-panel="${id}"] [tabindex="0"], [data-panel="${id}"] button`)?.focus()
    })
  }

  /** Whether a panel can be seen: it is open, and in front of those beside it. */
  const isSeen = (id: string): boolean => dock.value?.getPanel(id)?.api.isVisible ?? false

  /** Something new is to be looked at in the picture: another panel that lies over it makes room, the focus stays. */
  function uncoverPicture(): void {
    if (!isSeen('viewport')) dock.value?.getPanel('viewport')?.api.setActive()
  }

  /** The picture stays: it is what the others are about. */
  const canClose = (id: string | undefined): boolean => id !== undefined && id !== 'viewport'

  /** @param id of the panel; the one that is worked in without it */
  function closePanel(id = dock.value?.activePanel?.id): void {
    const api = dock.value
    const panel = canClose(id) ? api?.getPanel(id!) : undefined
    if (!api || !panel) return
    withPictureRoom(api, () => panel.api.close())
  }

  /** The picture alone on the whole screen, and back. A window that may not take the screen gives it the room that it has. */
  async function toggleFullScreen(): Promise<void> {
    const panel = dock.value?.getPanel('viewport')
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
    const api = dock.value
    if (!api) return
    api.clear()
    build(api)
  }

  return { panels, dock, viewport, begin, attach, detach, showPanel, isSeen, uncoverPicture, canClose, closePanel, toggleFullScreen, reset }
})
