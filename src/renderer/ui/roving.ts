/** One tab stop for many controls: arrows, Home and End move within. */
export function roveFocus(bar: HTMLElement, event: KeyboardEvent): void {
  const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0
  if (!step && event.key !== 'Home' && event.key !== 'End') return
  const { target } = event
  // a list and a slider have up and down for themselves
  if (target instanceof HTMLSelectElement && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) return
  if (target instanceof HTMLInputElement && target.type === 'range') return
  const items = [...bar.querySelectorAll<HTMLElement>('button:not(:disabled), select, input')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? items.length - 1 : (at + step + items.length) % items.length
  items[next]?.focus()
  event.preventDefault()
  event.stopPropagation()
}
