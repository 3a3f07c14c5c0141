/**
 * What the inspector shows of a thing that another feature knows about. The window gives the parts, so that the inspector imports
 * no other feature.
 */
import { inject } from 'vue'
import type { Component, InjectionKey } from 'vue'

export interface InspectorParts {
  /** shown for a texture of the scene; has one property, `texture`, its number */
  texture?: Component
}

export const inspectorParts: InjectionKey<InspectorParts> = Symbol('parts of the inspector')

export function useInspectorParts(): InspectorParts {
  return inject(inspectorParts, {})
}
