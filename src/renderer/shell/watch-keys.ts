/** Key presses of the window on their way to a command, or to the element that has them to itself. */
import { useCommands } from '../core/commands/registry.ts'
import { watchTyping } from '../core/commands/typing.ts'
import { isInBar, ownsKey, scopesAt, type Focus } from '../core/keymap/focus.ts'

/** Keys by which menus, dialogs and forms are worked: an element always has them first. */
const ELEMENTS_FIRST = new Set(['Escape', 'Enter', 'Tab', 'F10', 'ContextMenu'])

/** @returns what ends it */
export function watchKeys(focus: Focus, ready: () => boolean): () => void {
  const commands = useCommands()
  const typing = watchTyping(window)
  /** Space that ran a command: the button under it must not be pressed when it goes up */
  let taken = false

  function run(event: KeyboardEvent): boolean {
    const scopes = scopesAt(event.target)
    // a field whose text was kept or never touched has nothing of its own to take back
    const undo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && !typing.unkept(event.target)
    if (!commands.press(event, undo ? scopes.filter((scope) => scope !== 'field') : scopes)) return false
    event.preventDefault()
    taken = event.key === ' '
    return true
  }

  function ignored(event: KeyboardEvent): boolean {
    return event.defaultPrevented || event.isComposing || !ready()
  }

  function owned(event: KeyboardEvent): boolean {
    return !event.ctrlKey && !event.metaKey && !event.altKey && ownsKey(event.target, event.key, focus.byKeyboard(), event.shiftKey)
  }

  /** After a click on a control of a toolbar or a tab, the window's commands have their keys before that control. */
  function onCapture(event: KeyboardEvent): void {
    if (ignored(event) || focus.byKeyboard() || ELEMENTS_FIRST.has(event.key) || !isInBar(event.target) || owned(event)) return
    if (run(event)) event.stopPropagation()
  }

  function onKey(event: KeyboardEvent): void {
    if (ignored(event)) return
    // a popover closes first
    if (event.key === 'Escape' && document.querySelector('[data-dismissable-layer]')) return
    if (owned(event) || run(event)) return
    // never the browser's own: it would save the page
    if ((event.ctrlKey || event.metaKey) && event.key === 's') event.preventDefault()
  }

  function onKeyUp(event: KeyboardEvent): void {
    if (event.key !== ' ' || !taken) return
    taken = false
    event.preventDefault()
  }

  window.addEventListener('keydown', onCapture, true)
  window.addEventListener('keydown', onKey)
  window.addEventListener('keyup', onKeyUp, true)
  return () => {
    window.removeEventListener('keydown', onCapture, true)
    window.removeEventListener('keydown', onKey)
    window.removeEventListener('keyup', onKeyUp, true)
    typing.stop()
  }
}
