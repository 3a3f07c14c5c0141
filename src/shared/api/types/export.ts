/** What an export writes, and exports of many models. */

/** What of a model is written as glTF. What is absent is as `EXPORT_DEFAULTS` has it; the window and the command line share it. */
export interface ExportParts {
  /** names of the slices and clips that are written as animations; all when absent */
  animations?: readonly string[]
  /** pictures of materials */
  textures?: boolean
  /** meshes that the game does not show, marked as hidden (KHR_node_visibility) */
  hidden?: boolean
  /** every level of detail and not only the highest; the lower ones are marked as hidden */
  lods?: boolean
  /** colours of vertices, where the game multiplies them in as glTF does (COLOR_0) */
  colours?: boolean
  /** materials that light does nothing to are marked so (KHR_materials_unlit) */
  unlit?: boolean
  /** when meshes are shown, as animations (KHR_animation_pointer) */
  visibility?: boolean
  /** opacity and colour of materials, as animations (KHR_animation_pointer) */
  opacity?: boolean
  /** what the game has and glTF has no place for, under the key `marrow` of `extras` */
  extras?: boolean
  /** number of each vertex in the game's file, as the attribute _MARROW_VERTEX: weights that come back find theirs by it */
  vertices?: boolean
}

/** Off is what other programs may stumble at, or what they would show although the game does not. */
export const EXPORT_DEFAULTS = {
  textures: true,
  hidden: false,
  lods: false,
  colours: true,
  unlit: true,
  visibility: false,
  opacity: false,
  extras: true,
  vertices: false,
} as const satisfies Required<Omit<ExportParts, 'animations'>>

export interface BatchFailure {
  ref: string
  name: string
  code: string
  message: string
}

export interface BatchProgress {
  library: string
  done: number
  total: number
  /** the model whose turn it is */
  current: string
  /** since the last report */
  failures: BatchFailure[]
}

export interface BatchReport {
  /** models that the filter shows */
  total: number
  exported: number
  /** their files were there already */
  skipped: number
  files: number
  failures: BatchFailure[]
  /** what the form has no place for -> models that had it */
  left: { what: string; models: number }[]
  folder: string
  seconds: number
  cancelled: boolean
}
