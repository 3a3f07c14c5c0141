/** Rows of the page of settings and the keys of what they say. */
import { SETTINGS } from '../../../shared/api/settings.ts'
import type { Setting } from '../../../shared/api/settings.ts'
import { isText, say } from '../../../shared/texts/say.ts'

/** The text of a key that was put together of a setting and its value. */
export const textOf = (key: string): string => (isText(key) ? say(key) : key)

/** Every key that a setting's row shows. */
export function keysOf(name: string, setting: Setting): string[] {
  if (!setting.label) return []
  const values = setting.kind === 'choice' ? setting.values : []
  const notes = setting.note ? (values.length > 0 ? values.map((value) => `${setting.note}.${value}`) : [setting.note]) : []
  return [setting.label, ...values.map((value) => `settings.${name}.${value}`), ...notes]
}

/** Settings that have a row on the page, in their order. */
export const shown = Object.entries(SETTINGS as Record<string, Setting>).filter(([, { label }]) => label !== '')
