import type { Virtualizer } from '@tanstack/vue-virtual'

/** Scrolls to a row, unless it is in sight: the library would write the place that it has, and the page be laid out for it at once. */
export function revealRow(rows: Virtualizer<HTMLElement, Element>, index: number): void {
  const [, align] = rows.getOffsetForIndex(index, 'auto') ?? []
  if (align !== 'auto') rows.scrollToIndex(index, { align: 'auto' })
}
