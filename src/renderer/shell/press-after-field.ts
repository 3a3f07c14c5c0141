/**
 * A press on a button right after typing: it takes the focus from the field, which gives away what was typed, and what comes of that may move
 * the button from under the pointer, or switch it off until an answer is there. The browser makes no click of such a press; here it becomes one.
 * (A button that was off, and that the typing switches on, is clicked by the browser.)
 */
interface Press {
  button: HTMLButtonElement
  /** what the button said it would do */
  words: string
  at: { x: number; y: number }
}

/** CSS pixels that a hand moves while it presses. */
const STILL = 4

const wordsOf = (button: HTMLElement): string => `${button.ariaLabel ?? ''} ${button.textContent}`

/** @returns what ends it */
export function watchPresses(): () => void {
  const ended = new AbortController()
  /** the field with text that it has not given away */
  let typed: EventTarget | null = null
  let press: Press | null = null
  const changed = new MutationObserver(() => settle())

  function forget(): void {
    press = null
    changed.disconnect()
  }

  function settle(): void {
    if (!press) return
    const { button, words } = press
    if (!button.isConnected || wordsOf(button) !== words) return forget()
    if (button.disabled) return changed.observe(document.body, { attributeFilter: ['disabled'], childList: true, subtree: true })
    forget()
    button.click()
  }

  function onDown({ target, button: which, clientX: x, clientY: y }: PointerEvent): void {
    forget()
    const button = target instanceof Element ? target.closest('button') : null
    if (typed && typed === document.activeElement && button && !button.disabled && which === 0)
      press = { button, words: wordsOf(button), at: { x, y } }
  }

  function onUp({ target, clientX, clientY }: PointerEvent): void {
    if (!press) return
    const { button, at } = press
    const still = Math.hypot(clientX - at.x, clientY - at.y) <= STILL
    if (still || (target instanceof Node && button.contains(target))) setTimeout(settle)
    else forget()
  }

  function watch<K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void): void {
    window.addEventListener(type, listener, { capture: true, signal: ended.signal })
  }
  watch('input', ({ target }) => (typed = target))
  watch('change', () => (typed = null))
  watch('focusout', () => (typed = null))
  watch('pointerdown', onDown)
  watch('pointerup', onUp)
  watch('pointercancel', forget)
  watch('keydown', forget)
  watch('click', ({ target }) => target instanceof Node && press?.button.contains(target) && forget())
  return () => {
    ended.abort()
    forget()
  }
}
