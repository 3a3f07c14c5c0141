/** Where the focus is, for keys: which scopes count there, and which keys the element has to itself. */
import type { PlainKey } from '../../../shared/texts/texts.ts'
import type { Scope } from './catalogue.ts'

/** The element takes typed text. */
export function isTextField(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (element.isContentEditable) return true
  if (element instanceof HTMLTextAreaElement) return true
  return element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'color'].includes(element.type)
}

/** Nothing has the focus, or what had it is on a page that is not shown any more: a browser takes it away with the next frame. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || activeElement.closest('[inert]') !== null
}

/** Scopes at an element, the narrowest first. */
export function scopesAt(element: EventTarget | null): Scope[] {
  const scopes: Scope[] = []
  if (element instanceof Element) {
    if (isTextField(element)) scopes.push('field')
    if (element.closest('[role=grid],[role=tree],[role=listbox],table')) scopes.push('table')
    if (element.closest('[data-panel=timeline]')) scopes.push('timeline')
    if (element.closest('[data-panel=viewport]')) scopes.push('picture')
  }
  return [...scopes, 'window']
}

/** Keys that keep their common meaning in what has the focus, as the list of shortcuts says them. */
export const OWN_KEYS: readonly { where: PlainKey; keys: PlainKey; meaning: PlainKey }[] = [
  { where: 'keys.own.lists', keys: 'keys.own.arrows', meaning: 'keys.own.goToRow' },
  { where: 'keys.own.lists', keys: 'keys.own.enter', meaning: 'keys.own.openRow' },
  { where: 'keys.own.library', keys: 'keys.own.letters', meaning: 'keys.own.toLetters' },
  { where: 'keys.own.library', keys: 'keys.own.several', meaning: 'keys.own.chooseSeveral' },
  { where: 'keys.own.poses', keys: 'keys.own.poseKeys', meaning: 'keys.own.usePoses' },
  { where: 'keys.own.vertexList', keys: 'keys.own.several', meaning: 'keys.own.chooseSeveral' },
  { where: 'keys.own.rowsWithMenu', keys: 'keys.own.menuKeys', meaning: 'keys.own.openMenu' },
  { where: 'keys.own.fields', keys: 'keys.own.enterF2', meaning: 'keys.own.editField' },
  { where: 'keys.own.sliceCells', keys: 'keys.own.enterF2', meaning: 'keys.own.editCell' },
  { where: 'keys.own.sliceCellsByKeyboard', keys: 'keys.own.letters', meaning: 'keys.own.beginToEdit' },
  { where: 'keys.own.bars', keys: 'keys.own.leftRight', meaning: 'keys.own.goToNext' },
  { where: 'keys.own.pixels', keys: 'keys.own.pixelKeys', meaning: 'keys.own.zoomPixels' },
  { where: 'keys.own.grabbed', keys: 'keys.own.grabKeys', meaning: 'keys.own.holdGrabbed' },
  { where: 'keys.own.grabbed', keys: 'keys.own.grabEnds', meaning: 'keys.own.endGrab' },
  { where: 'keys.own.buttons', keys: 'keys.own.spaceEnter', meaning: 'keys.own.press' },
  { where: 'keys.own.marksAndBars', keys: 'keys.own.leftRightByTen', meaning: 'keys.own.moveMark' },
  { where: 'keys.own.marks', keys: 'keys.own.enterF2Delete', meaning: 'keys.own.editMark' },
  { where: 'keys.own.numbers', keys: 'keys.own.upDownByTen', meaning: 'keys.own.changeNumber' },
  { where: 'keys.scopes.window', keys: 'keys.own.tab', meaning: 'keys.own.goToControl' },
  { where: 'keys.own.dialogs', keys: 'keys.own.escape', meaning: 'keys.own.close' },
]

const ROWS = '[role=tree],[role=listbox],[role=grid],[role=menu],[role=radiogroup]'
const VALUES = '[role=slider],[role=spinbutton],select'
const RANGES = 'input:not([type=checkbox],[type=button],[type=color])'
/** Between whose controls keys move; `data-bar` where the list of tabs is named apart from what stands around them. */
const BARS = '[role=tablist],[role=toolbar],[data-bar]'
const PRESSED = 'button,a,select,input,summary,[role=option],[role=tab],[role=treeitem],[role=menuitem]'

/**
 * Whether the element uses a key, pressed without Ctrl, Cmd or Alt, itself. A control that got the focus by a click leaves the window's
 * keys to the window: Space after a click plays. A control that the user moved to by keyboard gets the key.
 * @param byKeyboard the focus came by keyboard
 * @param shift with Shift: only the bare arrow keys move through the rows of a list
 */
export function ownsKey(element: EventTarget | null, key: string, byKeyboard: boolean, shift = false): boolean {
  if (!(element instanceof Element)) return false
  // letters lead to the entry that begins so
  if (key.length === 1 && element.closest('[role=menu]')) return true
  if (key === ' ') return isTextField(element) || (byKeyboard && element.closest(PRESSED) !== null)
  if (/^(Arrow|Home|End|Page)/.test(key)) {
    if (element.closest(`${VALUES},${RANGES}`) || (!shift && element.closest(ROWS))) return true
    return byKeyboard && element.closest(BARS) !== null
  }
  return key === 'Enter' && element.closest('button,a,select') !== null
}

/** A control of a bar or a tab list, which moves between its own by keys: once clicked, keys of the window come before that. */
export function isInBar(element: EventTarget | null): boolean {
  return element instanceof Element && !isTextField(element) && element.closest(BARS) !== null
}

export interface Focus {
  /** the element with the focus got it by keyboard, and the mouse was not used since */
  byKeyboard(): boolean
  /** what was pressed last is a key */
  keyWasLast(): boolean
  stop(): void
}

/** One is enough for a window. */
export function watchFocus(target: Pick<Window, 'addEventListener' | 'removeEventListener'>): Focus {
  let last: 'keyboard' | 'pointer' | undefined
  let came: 'keyboard' | 'pointer' = 'keyboard'
  const onPointer = (): void => {
    last = came = 'pointer'
  }
  const onKey = (): void => {
    last = 'keyboard'
  }
  const onFocus = (): void => {
    came = last ?? 'keyboard'
  }
  target.addEventListener('pointerdown', onPointer, true)
  target.addEventListener('keydown', onKey, true)
  target.addEventListener('focusin', onFocus, true)
  return {
    byKeyboard: () => came === 'keyboard',
    keyWasLast: () => last === 'keyboard',
    stop() {
      target.removeEventListener('pointerdown', onPointer, true)
      target.removeEventListener('keydown', onKey, true)
      target.removeEventListener('focusin', onFocus, true)
    },
  }
}
