/** Key names of shortcuts: `Mod+Shift+P`, `Space`, `Alt+ArrowUp`. Mod is Cmd on a Mac, Ctrl elsewhere. */

export interface KeyPress {
  key: string
  code?: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

export function keyName(event: KeyPress, mac: boolean): string {
  const mod = mac ? event.metaKey : event.ctrlKey
  const other = mac ? event.ctrlKey : event.metaKey
  let key = event.key
  if (key === ' ') key = 'Space'
  else if (key.length === 1) {
    // with Alt or Shift the character is another one: letters and digits are named by their key
    const letter = /^Key([A-Z])$/.exec(event.code ?? '')
    const digit = /^Digit([0-9])$/.exec(event.code ?? '')
    if (/^[a-z]$/i.test(key)) key = key.toUpperCase()
    else if ((event.altKey || mod) && letter) key = letter[1]
    else if ((event.altKey || mod) && digit) key = digit[1]
  }
  // a character that needs Shift, such as ? or +, is named by itself
  const shift = event.shiftKey && (key.length > 1 || /^[A-Z0-9]$/.test(key))
  return `${mod ? 'Mod+' : ''}${other ? (mac ? 'Ctrl+' : 'Meta+') : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`
}

const PRETTY: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }

/** As shown in menus and tips: `Ctrl+Shift+P`, `⇧⌘P`. */
export function showKey(name: string, mac: boolean): string {
  const parts = name.split('+').map((p) => PRETTY[p] ?? p)
  if (!mac) return parts.map((p) => (p === 'Mod' ? 'Ctrl' : p)).join('+')
  const signs: Record<string, string> = { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Mod: '⌘' }
  const modifiers = Object.keys(signs)
    .filter((m) => parts.includes(m))
    .map((m) => signs[m])
  return modifiers.join('') + parts.filter((p) => !(p in signs)).join('')
}
