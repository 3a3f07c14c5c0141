/** Panels of the workbench: where they stand is kept with the window's settings. */
import type { DockviewApi } from 'dockview-vue'
import { defineStore } from 'pinia'
import { markRaw, shallowRef } from 'vue'
import type { ViewportHandle } from '../viewport/types.ts'
import { catalogue } from './keymap/catalogue.ts'
import { useSession } from './session.ts'

const PANELS = ['viewport', 'outliner', 'files', 'timeline', 'inspector', 'structure', 'weights', 'problems', 'changes', 'history'] as const

export interface PanelInfo {
  id: (typeof PANELS)[number]
  title: string
}

/** Grows when the first layout changes, so that a kept one of an older kind is not used. */
const LAYOUT_VERSION = 1

export const useLayout = defineStore('layout', () => {
  const session = useSession()
  const dock = shallowRef<DockviewApi | null>(null)
  const viewport = shallowRef<ViewportHandle | null>(null)

  const panels: PanelInfo[] = PANELS.map((id) => ({ id, title: catalogue[`view.${id}`].title }))

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
    add('outliner', { referencePanel: 'viewport', direction: 'left' }, { initialWidth: 240 })
    add('files', { referencePanel: 'outliner', direction: 'within' }, { inactive: true })
    add('inspector', { referencePanel: 'viewport', direction: 'right' }, { initialWidth: 304 })
    add('weights', { referencePanel: 'inspector', direction: 'within' }, { inactive: true })
    add('structure', { referencePanel: 'inspector', direction: 'within' }, { inactive: true })
    for (const id of ['problems', 'changes', 'history']) add(id, { referencePanel: 'timeline', direction: 'within' }, { inactive: true })
    api.getPanel('viewport')?.api.setActive()
  }

  function attach(api: DockviewApi): void {
    dock.value = markRaw(api)
    if (!restore(api)) build(api)
    let timer: ReturnType<typeof setTimeout> | undefined
    api.onDidLayoutChange(() => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (dock.value === api) void session.setWindowValue('layout', JSON.stringify({ version: LAYOUT_VERSION, layout: api.toJSON() }))
      }, 1000)
    })
  }

  function restore(api: DockviewApi): boolean {
    try {
      const kept = JSON.parse(session.windowValue('layout') || 'null') as { version: number; layout: never } | null
      if (kept?.version !== LAYOUT_VERSION) return false
      api.fromJSON(kept.layout)
      if (api.panels.some((p) => !panels.some((known) => known.id === p.id)) || !api.getPanel('viewport'))
        throw new Error('panels of another version')
      return true
    } catch {
      api.clear()
      return false
    }
  }

  function detach(): void {
    dock.value = null
  }

  function showPanel(id: string): void {
    const api = dock.value
    if (!api) return
    const known = api.getPanel(id)
    if (known) known.api.setActive()
    else {
      const info = panels.find((p) => p.id === id)
      if (!info) return
      const beside = ['problems', 'changes', 'history', 'timeline'].find((p) => p !== id && api.getPanel(p))
      const bottom = ['problems', 'changes', 'history', 'timeline'].includes(id)
      api.addPanel({
        id,
        component: id,
        title: info.title,
        renderer: 'always',
        position:
          bottom && beside
            ? { referencePanel: beside, direction: 'within' }
            : { referencePanel: 'viewport', direction: bottom ? 'below' : 'right' },
      })
    }
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-panel="${id}"] [tabindex="0"], [data-panel="${id}"] button`)?.focus(),
    )
  }

  function reset(): void {
    const api = dock.value
    if (!api) return
    api.clear()
    build(api)
  }

  return { panels, dock, viewport, attach, detach, showPanel, reset }
})
