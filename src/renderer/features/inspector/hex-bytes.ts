/** Bytes of a hex view: those that the user has chosen as text, and the place that was typed. */

/** Some of a file. */
export interface Bytes {
  start: number
  size: number
}

/** The bytes below a selection in either column of the view: from the first byte that it holds to the last one. */
export function chosenBytes(view: Element, selection: Selection | null): Bytes | null {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0)
  const cells = [...view.querySelectorAll<HTMLElement>('[data-at]')].filter(
    (cell) =>
      selection.containsNode(cell, true) &&
      // it begins behind this one, or ends before it
      !(cell.contains(startContainer) && startOffset === startContainer.textContent!.length) &&
      !(cell.contains(endContainer) && endOffset === 0),
  )
  if (cells.length === 0) return null
  const [first, last] = [Number(cells[0].dataset.at), Number(cells.at(-1)!.dataset.at)]
  return { start: first, size: last - first + 1 }
}

/** An offset as hex views have it: hexadecimal, with `0x` before it or without; NaN for what is none. */
export function offsetOf(text: string): number {
  const digits = text.trim().replace(/^0x/i, '').replaceAll(/[\s_]/g, '')
  return /^[\da-f]{1,12}$/i.test(digits) ? Number.parseInt(digits, 16) : NaN
}
