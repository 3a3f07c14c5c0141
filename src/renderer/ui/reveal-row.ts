import type { Virtualizer } from '@tanstack/vue-virtual'

/** Scrolls to a row, unless it is in sight: the library would write the place that it has, and the page be laid out for it at once. */
export function revealRow(rows: Virtualizer<HTMLElement, Element>, index: number): void {
  if (!inSight(rows, index)) rows.scrollToIndex(index, { align: 'auto' })
}

/** By what is known: the library itself asks the page how high it is where a row touches an edge, as the first and the last do. */
function inSight(rows: Virtualizer<HTMLElement, Element>, index: number): boolean {
  const { scrollOffset, scrollRect } = rows
  const row = rows.getVirtualItems().find((item) => item.index === index)
  if (!row || scrollOffset === null || !scrollRect) return false
  return row.start >= scrollOffset && row.end <= scrollOffset + scrollRect.height
}
