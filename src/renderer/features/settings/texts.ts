/** Words of the page of settings, by the keys that src/shared/api/settings.ts gives them. */
import { SETTINGS } from '../../../shared/api/settings.ts'
import type { Setting } from '../../../shared/api/settings.ts'

const texts: Readonly<Record<string, string>> = {
  'theme.label': 'Theme',
  'theme.system': 'System',
  'theme.light': 'Light',
  'theme.dark': 'Dark',
  'tickRate.label': 'Game ticks per second',
  'tickRate.note': 'Of games that count in ticks: a slice moves by its speed each tick. Sources disagree on 30 or 60.',
  'saveMode.label': 'Saving',
  'saveMode.in-place': 'In place',
  'saveMode.mod-folder': 'Mod folder',
  'saveMode.note.in-place': "The game's files are written; each original is kept once.",
  'saveMode.note.mod-folder': "Changed files go to a folder of their own with the game's paths; the game folder stays as it is.",
  'modFolder.label': 'Mod folder',
  'teamColor.label': 'Team colour',
  'updates.label': 'Look for new versions',
  'updates.note': 'Off, nothing is asked of the network. A new version is only loaded when you say so.',
}

export const textOf = (key: string): string => texts[key] ?? key

/** Every key that a setting's row shows. */
export function keysOf(name: string, setting: Setting): string[] {
  if (!setting.label) return []
  const values = setting.kind === 'choice' ? setting.values : []
  const notes = setting.note ? (values.length > 0 ? values.map((value) => `${setting.note}.${value}`) : [setting.note]) : []
  return [setting.label, ...values.map((value) => `${name}.${value}`), ...notes]
}

/** Settings that have a row on the page, in their order. */
export const shown = Object.entries(SETTINGS as Record<string, Setting>).filter(([, { label }]) => label !== '')
