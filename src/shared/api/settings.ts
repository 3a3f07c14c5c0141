/**
 * Every setting: its kind, default, limits and the keys of its words. What is stored and what a window may set is checked by this,
 * the page of settings is made from it (src/renderer/features/settings), and the command line has the same defaults and limits.
 */
import * as v from 'valibot'
import type { PlainKey } from '../texts/texts.ts'

interface Common<T> {
  default: T
  /** key of its label (src/shared/texts); '' for what has no place on the page of settings */
  label: PlainKey | ''
  /** key of a line below it; of a choice, its value is put behind (`note.in-place`) */
  note?: string
  /** of this host alone */
  host?: 'electron' | 'web'
  /** shown while another setting has a value */
  when?: { setting: string; is: string }
  /** also a choice of single models of the families that read it, which counts more than the setting */
  ofModels?: boolean
}

export type Setting =
  | (Common<string> & { kind: 'choice'; values: readonly string[] })
  | (Common<number> & { kind: 'number'; least: number; most: number; /** offered beside any other value */ usual: readonly number[] })
  | (Common<boolean> & { kind: 'flag' })
  | (Common<string> & { kind: 'color' })
  | (Common<string> & { kind: 'folder' })
  /** what a part of the window looks after by itself */
  | (Common<object> & { kind: 'own'; schema: v.GenericSchema<any> })

export type KeyPreset = 'marrow' | 'blender' | 'blockbench'

/** Keys of the window's commands. */
export interface KeySettings {
  preset: KeyPreset
  /** the user's own keys by id of the command, in place of the preset's; an empty list takes them away */
  changed: Record<string, string[]>
}

export const keySettingsSchema = v.object({
  preset: v.picklist(['marrow', 'blender', 'blockbench']),
  changed: v.record(
    v.pipe(v.string(), v.maxLength(64)),
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(40))), v.maxLength(8)),
  ),
})

/** Longest text of a setting, characters. */
const MOST_TEXT = 4096
/** Longest value that the window keeps for itself, characters. */
const MOST_OWN = 262_144

export const SETTINGS = {
  theme: { kind: 'choice', default: 'system', values: ['system', 'light', 'dark'], label: 'settings.theme.label' },
  scale: { kind: 'number', default: 100, least: 90, most: 150, usual: [90, 100, 125, 150], label: 'settings.scale.label' },
  tickRate: {
    kind: 'number',
    default: 60,
    least: 1,
    most: 240,
    usual: [30, 60],
    label: 'settings.tickRate.label',
    note: 'settings.tickRate.note',
    ofModels: true,
  },
  saveMode: {
    kind: 'choice',
    default: 'in-place',
    values: ['in-place', 'mod-folder'],
    label: 'settings.saveMode.label',
    note: 'settings.saveMode.note',
  },
  modFolder: { kind: 'folder', default: '', label: 'settings.modFolder.label', when: { setting: 'saveMode', is: 'mod-folder' } },
  teamColor: { kind: 'color', default: '#3060d0', label: 'settings.teamColor.label' },
  missingTextures: {
    kind: 'choice',
    default: 'clay',
    values: ['clay', 'checker'],
    label: 'settings.missingTextures.label',
  },
  watchFolders: { kind: 'flag', default: true, label: 'settings.watchFolders.label', note: 'settings.watchFolders.note' },
  updates: { kind: 'flag', default: true, label: 'settings.updates.label', note: 'settings.updates.note', host: 'electron' },
  rulesOff: {
    kind: 'own',
    default: [],
    schema: v.pipe(v.array(v.pipe(v.string(), v.maxLength(80))), v.maxLength(500)),
    label: '',
  },
  keys: { kind: 'own', default: { preset: 'marrow', changed: {} }, schema: keySettingsSchema, label: '' },
  window: {
    kind: 'own',
    default: {},
    schema: v.record(v.pipe(v.string(), v.maxLength(MOST_TEXT)), v.pipe(v.string(), v.maxLength(MOST_OWN))),
    label: '',
  },
} as const satisfies Record<string, Setting>

export interface Settings {
  theme: (typeof SETTINGS.theme.values)[number]
  /** size of the interface, per cent */
  scale: number
  /** game ticks per second, of games that count in them; 60 or 30 are the two readings */
  tickRate: number
  saveMode: (typeof SETTINGS.saveMode.values)[number]
  modFolder: string
  /** player colour for the preview, #rrggbb */
  teamColor: string
  /** what stands on a surface whose picture was not found */
  missingTextures: (typeof SETTINGS.missingTextures.values)[number]
  /** folders of libraries are looked through again when something in them changes on disk */
  watchFolders: boolean
  /** the desktop application asks for newer versions; nothing is loaded without a word of the user */
  updates: boolean
  /** rules that are switched off, by their ids (`family.key-order`) */
  rulesOff: string[]
  keys: KeySettings
  /** the window's own: panel layout and such */
  window: Record<string, string>
}

export type SettingName = keyof Settings

/** Settings that a family may read as a choice of its models. */
export type ModelSetting = {
  [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends { ofModels: true } ? K : never
}[keyof typeof SETTINGS]

export const defaultSettings: Settings = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as unknown as Settings

/** What a value of a setting has to be. */
function schemaOf(setting: Setting): v.GenericSchema<any> {
  switch (setting.kind) {
    case 'choice':
      return v.picklist(setting.values)
    case 'number':
      return v.pipe(v.number(), v.finite(), v.minValue(setting.least), v.maxValue(setting.most))
    case 'flag':
      return v.boolean()
    case 'color':
      return v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i))
    case 'folder':
      return v.pipe(v.string(), v.maxLength(MOST_TEXT))
    case 'own':
      return setting.schema
  }
}

type SettingSchemas = { [K in SettingName]: v.GenericSchema<Settings[K]> }

const schemas = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, schemaOf(setting)]),
) as unknown as SettingSchemas

/** Some settings, as a window sets them. */
export const settingsChangeSchema = v.partial(v.object(schemas))

/** Settings as they are stored: what is missing or out of its limits is the default. */
export function parseSettings(stored: unknown): Settings {
  const given: Partial<Record<string, unknown>> = typeof stored === 'object' && stored !== null ? stored : {}
  const parsed = Object.entries(schemas).map(([name, schema]) => {
    const read = v.safeParse(schema, given[name])
    return [name, read.success ? read.output : defaultSettings[name as SettingName]] as const
  })
  return Object.fromEntries(parsed) as unknown as Settings
}
