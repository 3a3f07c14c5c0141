/**
 * Every option of an export to glTF: its kind, default and limits. What a window may ask for is checked by this, its form is made
 * from it (words in `exporting.parts.<name>`), and the command line has the same ones.
 */
import * as v from 'valibot'
import { defaultsOf, keptEntries, schemasOf } from './option.ts'
import type { OptionTable, OptionValues } from './option.ts'

export const EXPORT_OPTIONS = {
  /** `keys`: those of the game, and more only where a glTF needs them; else as many samples in a second */
  sampling: { kind: 'choice', default: 'keys', values: ['keys', '24', '25', '30', '50', '60', '100', '120'] },
  /** pictures of materials */
  textures: { kind: 'flag', default: true },
  /** colours of vertices, where the game multiplies them in as glTF does (COLOR_0) */
  colours: { kind: 'flag', default: true },
  /** materials that light does nothing to are marked so (KHR_materials_unlit) */
  unlit: { kind: 'flag', default: true },
  /** what the game has and glTF has no place for, under the key `marrow` of `extras` */
  extras: { kind: 'flag', default: true },
  /** meshes that the game does not show, marked as hidden (KHR_node_visibility) */
  hidden: { kind: 'flag', default: false },
  /** every level of detail and not only the highest; the lower ones are marked as hidden */
  lods: { kind: 'flag', default: false },
  /** when meshes are shown, as animations (KHR_animation_pointer) */
  visibility: { kind: 'flag', default: false },
  /** opacity and colour of materials, as animations (KHR_animation_pointer) */
  opacity: { kind: 'flag', default: false },
  /** number of each vertex in the game's file, as the attribute _MARROW_VERTEX: weights that come back find theirs by it */
  vertices: { kind: 'flag', default: false },
  /** one bone above all others, at the origin */
  rootBone: { kind: 'flag', default: false },
  /** times the size that the model has in metres */
  scale: { kind: 'number', default: 1, least: 1e-4, most: 1e4 },
} as const satisfies OptionTable

export type ExportOptionName = keyof typeof EXPORT_OPTIONS

/** A value for each option. */
export type ExportSettings = OptionValues<typeof EXPORT_OPTIONS>

/** What of a model is written; absent is the default. */
export interface ExportParts extends Partial<ExportSettings> {
  /** names of the animations that are written, as `animationNames` gives them; all when absent */
  animations?: string[]
  /** native times: animations have only what lies between, at the time where it was */
  range?: { from: number; to: number }
}

/** Off is what other programs may stumble at, or what they would show although the game does not. */
export const EXPORT_DEFAULTS: ExportSettings = defaultsOf(EXPORT_OPTIONS)

/** What other programs do best with. */
export const EXPORT_PRESETS = {
  blender: EXPORT_DEFAULTS,
  unreal: { ...EXPORT_DEFAULTS, sampling: '30', rootBone: true },
  plain: { ...EXPORT_DEFAULTS, unlit: false, extras: false },
} as const satisfies Record<string, ExportSettings>
export type ExportPreset = keyof typeof EXPORT_PRESETS
export const PRESET_NAMES = Object.keys(EXPORT_PRESETS) as ExportPreset[]

/** The preset that these settings are; undefined where they are the user's own. */
export function presetOf(settings: ExportSettings): ExportPreset | undefined {
  const names = Object.keys(EXPORT_OPTIONS) as ExportOptionName[]
  return PRESET_NAMES.find((preset) => names.every((name) => EXPORT_PRESETS[preset][name] === settings[name]))
}

export const exportSettingsSchema = v.partial(v.object(schemasOf(EXPORT_OPTIONS)))

/** Settings as they were kept. */
export const keptExportSettings = v.object(keptEntries(EXPORT_OPTIONS))
