/** When the user last did something in the window. */

const KINDS = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/** @returns milliseconds since the last key, button, wheel or drag; a pointer that only passes over says nothing */
export function watchInput(target: Pick<Window, 'addEventListener' | 'removeEventListener'>): { quietFor(): number; stop(): void } {
  let last = -Infinity
  const onInput = (event: Event): void => {
    if (event.type !== 'pointermove' || (event as PointerEvent).buttons !== 0) last = performance.now()
  }
  const options = { capture: true, passive: true }
  for (const kind of KINDS) target.addEventListener(kind, onInput, options)
  return {
    quietFor: () => performance.now() - last,
    stop: () => KINDS.forEach((kind) => target.removeEventListener(kind, onInput, options)),
  }
}
