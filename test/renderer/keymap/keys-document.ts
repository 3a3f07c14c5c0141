/** The keymap as the text of docs/keys.md. */
import type { KeyPreset } from '../../../src/shared/api/settings.ts'
import { say } from '../../../src/shared/texts/say.ts'
import { catalogue, commandIds, groupOf, titleOf } from '../../../src/renderer/core/keymap/catalogue.ts'
import { OWN_KEYS } from '../../../src/renderer/core/keymap/focus.ts'
import { showKey } from '../../../src/renderer/core/keymap/keystroke.ts'
import { defaultKeys, PRESETS } from '../../../src/renderer/core/keymap/presets.ts'

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
  for (const group of new Set(commandIds.map(groupOf))) {
    const ids = commandIds.filter((id) => groupOf(id) === group && presets.some((preset) => defaultKeys(preset, id).length))
    if (!ids.length) continue
    out.push(
      `## ${group}`,
      '',
      `| Command | ${presets.map((p) => say(`keys.presets.${p}`)).join(' | ')} |`,
      `| --- |${' --- |'.repeat(presets.length)}`,
    )
    for (const id of ids) {
      const { scope = 'window' } = catalogue[id]
      const where = scope === 'window' ? '' : ` (${say(`keys.scopes.${scope}`).toLowerCase()})`
      out.push(`| ${titleOf(id)}${where} | ${presets.map((preset) => code(defaultKeys(preset, id)).replaceAll('|', '\\|')).join(' | ')} |`)
    }
    out.push('')
  }
  out.push('## Keys of controls', '', '| Where | Keys | What they do |', '| --- | --- | --- |')
  for (const { where, keys, meaning } of OWN_KEYS) out.push(`| ${say(where)} | ${say(keys)} | ${say(meaning)} |`)
  return `${out.join('\n')}\n`
}
