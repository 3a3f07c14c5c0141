import type { KeyPress } from '../../../src/renderer/core/keymap/keystroke.ts'

/** A key of the keyboard by its name, without modifiers unless they are given. */
export const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
})
