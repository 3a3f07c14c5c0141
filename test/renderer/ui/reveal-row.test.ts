import { Virtualizer } from '@tanstack/vue-virtual'
import { expect, it } from 'vitest'
import { revealRow } from '../../../src/renderer/ui/reveal-row.ts'

/** Ten rows of 24 pixels, four in sight. @returns how often the page was asked for a size, and where it was scrolled to */
function reveal(index: number, scrolledTo: number): { asked: number; to: number[] } {
  let asked = 0
  const to: number[] = []
  const size = (pixels: number): number => {
    asked++
    return pixels
  }
  const element = {
    get scrollHeight() {
      return size(240)
    },
    get clientHeight() {
      return size(96)
    },
    ownerDocument: { defaultView: { requestAnimationFrame: () => 0, cancelAnimationFrame: () => {} } },
    addEventListener: () => {},
    removeEventListener: () => {},
  } as unknown as HTMLElement
  const rows = new Virtualizer<HTMLElement, Element>({
    count: 10,
    getScrollElement: () => element,
    estimateSize: () => 24,
    observeElementRect: (_, tell) => tell({ width: 200, height: 96 }),
    observeElementOffset: (_, tell) => tell(scrolledTo, false),
    scrollToFn: (offset) => void to.push(offset),
  })
  rows._willUpdate()
  asked = 0
  to.length = 0
  revealRow(rows, index)
  return { asked, to }
}

it('asks the page for nothing where the row is in sight, also at an edge', () => {
  for (const index of [0, 1, 3]) expect(reveal(index, 0), `row ${index}`).toEqual({ asked: 0, to: [] })
  for (const index of [6, 9]) expect(reveal(index, 144), `row ${index}`).toEqual({ asked: 0, to: [] })
})

it('scrolls the least to one that is not', () => {
  expect(reveal(5, 0).to).toEqual([48])
  expect(reveal(0, 144).to).toEqual([0])
  expect(reveal(3, 12).to).toEqual([])
  expect(reveal(4, 12).to).toEqual([24])
  expect(reveal(0, 12).to).toEqual([0])
})
