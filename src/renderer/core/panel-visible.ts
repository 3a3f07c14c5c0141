/** Whether the panel that a component stands in can be seen. */
import { inject, ref, type InjectionKey, type Ref } from 'vue'

export const panelVisible: InjectionKey<Readonly<Ref<boolean>>> = Symbol('panel-visible')

export function usePanelVisible(): Readonly<Ref<boolean>> {
  return inject(panelVisible, () => ref(true), true)
}
