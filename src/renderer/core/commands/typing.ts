/** Whether the text field with the focus holds text that nobody has kept yet: only then its own undo is what Ctrl+Z means. */
import { isTextField } from '../keymap/focus.ts'

export function watchTyping(target: Pick<Window, 'addEventListener' | 'removeEventListener'>): {
  unkept: (element: EventTarget | null) => boolean
  stop: () => void
} {
  let field: EventTarget | null = null
  let before = ''
  /** a field also changes by itself, when the model does */
  let typed = false
  const value = (element: EventTarget | null): string => (element as HTMLInputElement | null)?.value ?? ''
  const keep = (element: EventTarget | null): void => {
    field = element
    before = value(element)
    typed = false
  }
  const onFocus = (event: Event): void => keep(event.target)
  // the browser's word that the text was taken, by Enter or by leaving
  const onChange = (event: Event): void => keep(event.target)
  const onInput = (event: Event): void => {
    typed = event.target === field
  }
  const onKey = (event: KeyboardEvent): void => {
    // in a field of several lines Enter alone begins another one
    const gives = event.key === 'Enter' && (event.ctrlKey || event.metaKey || !(event.target instanceof HTMLTextAreaElement))
    if ((gives || event.key === 'Escape') && !event.isComposing && isTextField(event.target)) queueMicrotask(() => keep(event.target))
  }
  target.addEventListener('focusin', onFocus, true)
  target.addEventListener('change', onChange, true)
  target.addEventListener('input', onInput, true)
  target.addEventListener('keydown', onKey as EventListener, true)
  return {
    unkept: (element) => isTextField(element) && element === field && typed && value(element) !== before,
    stop() {
      target.removeEventListener('focusin', onFocus, true)
      target.removeEventListener('change', onChange, true)
      target.removeEventListener('input', onInput, true)
      target.removeEventListener('keydown', onKey as EventListener, true)
    },
  }
}
