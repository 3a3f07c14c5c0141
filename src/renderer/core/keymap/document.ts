/** The keymap as the text of docs/keys.md. */
import type { KeyPreset } from '../../../shared/api/settings.ts'
import { catalogue, commandIds, type Scope } from './catalogue.ts'
import { OWN_KEYS } from './focus.ts'
import { showKey } from './keystroke.ts'
import { defaultKeys, PRESETS } from './presets.ts'

export const SCOPE_LABELS: Record<Scope, string> = {
  window: 'Everywhere',
  picture: 'In the picture',
  timeline: 'In the timeline',
  table: 'In the list',
  field: 'In a field',
}

export function keysDocument(): string {
  const presets = Object.keys(PRESETS) as KeyPreset[]
  const code = (keys: readonly string[]): string => keys.map((key) => `\`${showKey(key, false)}\``).join(' ')
  const out = [
    '# Keys',
    '',
    'Made from the keymap of the window (`src/renderer/core/keymap`); a test fails where it differs.',
    'A key means the same wherever the focus is, unless the place is named behind the command. On a Mac, Ctrl is ⌘.',
    'Keys are changed under *Keyboard shortcuts*, where presets are chosen, and written to a file and read from one.',
    '',
    'Space plays wherever the focus is, except in text fields and on a control that was gone to by keyboard: there it presses the control.',
    '',
  ]
  for (const group of new Set(commandIds.map((id) => catalogue[id].group))) {
    const ids = commandIds.filter((id) => catalogue[id].group === group && presets.some((preset) => defaultKeys(preset, id).length))
    if (!ids.length) continue
    out.push(
      `## ${group}`,
      '',
      `| Command | ${presets.map((p) => PRESETS[p].label).join(' | ')} |`,
      `| --- |${' --- |'.repeat(presets.length)}`,
    )
    for (const id of ids) {
      const { title, scope = 'window' } = catalogue[id]
      const where = scope === 'window' ? '' : ` (${SCOPE_LABELS[scope].toLowerCase()})`
      out.push(`| ${title}${where} | ${presets.map((preset) => code(defaultKeys(preset, id)).replaceAll('|', '\\|')).join(' | ')} |`)
    }
    out.push('')
  }
  out.push('## Keys of controls', '', '| Where | Keys | What they do |', '| --- | --- | --- |')
  for (const { where, keys, meaning } of OWN_KEYS) out.push(`| ${where} | ${keys} | ${meaning} |`)
  return `${out.join('\n')}\n`
}
