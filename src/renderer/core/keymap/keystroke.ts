/** Key names of shortcuts: `Mod+Shift+P`, `Space`, `Alt+ArrowUp`. Mod is Cmd on a Mac, Ctrl elsewhere. */

export interface KeyPress {
  key: string
  code?: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
  getModifierState?(key: string): boolean
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

/**
 * The names of a press, the likeliest first: the character that it types, then the key that it stands on. So letters and digits
 * work where the layout types others, and a sign works on whichever key it stands.
 */
export function keyNames(event: KeyPress, mac: boolean): string[] {
  // AltGr types signs: its Ctrl and Alt are none
  if (!mac && event.key.length === 1 && event.getModifierState?.('AltGraph')) return [event.key]
  const name = keyName(event, mac)
  const place = /^(?:Key|Digit)(.)$/.exec(event.code ?? '')?.[1]
  if (!place || event.key.length !== 1 || /[A-Z0-9]$/.test(name)) return [name]
  const { ctrlKey, metaKey, shiftKey, altKey } = event
  return [name, keyName({ key: place, ctrlKey, metaKey, shiftKey, altKey }, mac)]
}

/** The key types a character: in a text field that is all it does. */
export function typesText(name: string): boolean {
  return name === 'Space' || /^(Shift\+)?.$/u.test(name)
}

/** What is printed on a key: a name like that of the key itself. */
type KeySign = string
const PRETTY: Record<string, KeySign> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }

/** As shown in menus and tips: `Ctrl+Shift+P`, `⇧⌘P`. */
export function showKey(name: string, mac: boolean): string {
  // the key itself may be +
  const parts = name.split(/\+(?=.)/).map((p) => PRETTY[p] ?? p)
  if (!mac) return parts.map((p) => (p === 'Mod' ? 'Ctrl' : p)).join('+')
  const signs: Record<string, KeySign> = { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Mod: '⌘' }
  const modifiers = Object.keys(signs)
    .filter((m) => parts.includes(m))
    .map((m) => signs[m])
  return modifiers.join('') + parts.filter((p) => !(p in signs)).join('')
}
