/** Components of the panels by their id in the layout. */
import type { IDockviewPanelProps } from 'dockview-vue'
import { computed, defineComponent, h, markRaw, onBeforeUnmount, provide, ref, type Component } from 'vue'
import ChangesPanel from '../features/changes/ChangesPanel.vue'
import HistoryPanel from '../features/changes/HistoryPanel.vue'
import InspectorPanel from '../features/inspector/InspectorPanel.vue'
import StructurePanel from '../features/inspector/StructurePanel.vue'
import LibraryView from '../features/library/LibraryView.vue'
import TextureInspector from '../features/textures/TextureInspector.vue'
import TextureViewer from '../features/textures/TextureViewer.vue'
import OutlinerPanel from '../features/outliner/OutlinerPanel.vue'
import PosesPanel from '../features/pose/PosesPanel.vue'
import ProblemsPanel from '../features/problems/ProblemsPanel.vue'
import TimelinePanel from '../features/timeline/TimelinePanel.vue'
import WeightsPanel from '../features/weights/WeightsPanel.vue'
import CrashPage from './CrashPage.vue'
import PanelTab from './PanelTab.vue'
import { inspectorParts } from '../core/inspector-parts.ts'
import { titleOf } from '../core/keymap/catalogue.ts'
import type { PanelInfo } from '../core/layout.ts'
import { panelVisible } from '../core/panel-visible.ts'
import { useShown } from '../core/while-shown.ts'
import ViewportPanel from './ViewportPanel.vue'

/** A panel knows nothing of the docking: it gets a named place, with a heading for who reads by them. */
function panel(id: PanelInfo['id'], component: Component, props: Record<string, unknown> = {}): Component {
  return markRaw(
    defineComponent({
      name: `Panel-${id}`,
      inheritAttrs: false,
      props: { params: { type: Object, required: true } },
      setup(panelProps) {
        // panels behind another tab do no work of their own
        const { api } = panelProps.params as IDockviewPanelProps
        const inFront = ref(api.isVisible)
        const off = api.onDidVisibilityChange((event) => (inFront.value = event.isVisible))
        onBeforeUnmount(() => off.dispose())
        const shown = useShown()
        provide(inspectorParts, { texture: TextureInspector })
        provide(
          panelVisible,
          computed(() => inFront.value && shown.value),
        )
        return () =>
          h('div', { class: 'panel', 'data-panel': id }, [
            h('h2', { class: 'visually-hidden' }, titleOf(`view.${id}`)),
            h(CrashPage, { panel: id }, () => h(component, props)),
          ])
      },
    }),
  )
}

// dockview's type of a component is narrower than Vue's own
export const panelComponents: Record<string, any> = {
  viewport: panel('viewport', ViewportPanel),
  outliner: panel('outliner', OutlinerPanel),
  files: panel('files', LibraryView, { compact: true }),
  timeline: panel('timeline', TimelinePanel),
  inspector: panel('inspector', InspectorPanel),
  structure: panel('structure', StructurePanel),
  weights: panel('weights', WeightsPanel),
  problems: panel('problems', ProblemsPanel),
  changes: panel('changes', ChangesPanel),
  history: panel('history', HistoryPanel),
  texture: panel('texture', TextureViewer),
  poses: panel('poses', PosesPanel),
}

export const panelTab: any = markRaw(PanelTab)
