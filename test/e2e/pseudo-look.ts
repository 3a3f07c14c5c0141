/**
 * What tests in the pseudo-language look at: what has no brackets is not in the catalogue (or is data), and what is cut or overlaps has no room
 * for a language whose words are longer.
 */
import type { Page } from 'playwright'
import { families } from '../../src/main/formats/registry.ts'
import { expect } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const getComputedStyle: any
declare const innerWidth: number
declare const innerHeight: number

export const SIZES = [
  { width: 1024, height: 700 },
  { width: 1440, height: 900 },
]

/** What is shown as it is in every language: numbers with units, offsets, keys of the keyboard, names of files and their places. */
const DATA = [
  /^[^\p{L}]*$/u,
  /^[\d.,]* ?(x|B|KB|MB|px|fps|ms|s)$/,
  /^0x[\da-f]+(–0x[\da-f]+)?$/,
  /^\(((Ctrl|Alt|Shift|F\d)[^)]*|\p{Lu}|Del|Esc|Home|End|Space)\)$/u,
  /^[\w.\-~!: ]*\/[\w.\-~!/: ]*$/,
  // channels of a picture
  /^[RGBA]{1,4}$/,
]
/** Names of the sample's models and of its folders, and what families say of themselves and their files (each brings its own words). */
export const SAMPLE = [
  new RegExp(`^(${families.map(({ label }) => label).join('|')})( \\(\\d+\\))?$`),
  /^(sample|adventurer|ruin|scout|walker)\w*$/,
  /^(Dark Cloud|Dark Cloud 2|San Andreas|Zero Hour)$/,
]

interface Look {
  loose: string[]
  cut: string[]
  overlapping: string[]
}

/** What people read in a part of the page, and how it is laid out. */
function look(page: Page, root: string, shownIn = ''): Promise<Look> {
  return page.evaluate(
    ([root, shownIn]: string[]) => {
      const shown = (element: any): boolean => {
        const { width, height, right, bottom, left, top } = element.getBoundingClientRect()
        if (width < 2 || height < 2 || right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return false
        return element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      }
      const bare = (text: string): string => {
        let rest = text
        for (let before = ''; before !== rest;) {
          before = rest
          rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ')
        }
        return rest.replace(/\s+/g, ' ').trim()
      }
      const scrolls = (element: any): boolean =>
        element !== null && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
      /** Partly where nobody sees it, and not brought there by scrolling. */
      const outside = (element: any): boolean => {
        const box = element.getBoundingClientRect()
        for (let around = element.parentElement; around; around = around.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(around)
          if (['auto', 'scroll'].includes(overflowX) || ['auto', 'scroll'].includes(overflowY)) return false
          const room = around.getBoundingClientRect()
          if (overflowX !== 'visible' && (box.left < room.left - 1.5 || box.right > room.right + 1.5)) return true
        }
        return box.right > innerWidth + 1.5
      }
      const loose = new Set<string>()
      const cut: string[] = []
      const overlapping: string[] = []
      const nameOf = (element: any): string =>
        `${element.tagName.toLowerCase()}.${element.className} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`
      for (const part of document.querySelectorAll(root)) {
        for (const element of [part, ...part.querySelectorAll('*')]) {
          if (!shown(element) || element.closest('kbd, svg, canvas')) continue
          const ofFiles = shownIn && element.closest(shownIn)
          for (const name of ['title', 'aria-label', 'placeholder', 'aria-description']) {
            const rest = bare(element.getAttribute(name) ?? '')
            if (rest && !ofFiles) loose.add(rest)
          }
          for (const node of element.childNodes) {
            if (node.nodeType !== 3 || ofFiles) continue
            // a sentence may have parts of the page between its words: its brackets stand around all of them
            let [rest, around] = [bare(node.textContent), element]
            if (!bare(element.textContent).includes(rest)) continue
            // one text whose middle gives way
            const whole = element.closest('.middle-text')
            if (whole) rest = bare(whole.textContent)
            for (; /[⟦⟧]/.test(rest) && around !== part; around = around.parentElement) rest = bare(around.textContent)
            if (rest) loose.add(rest)
          }
          if (element.matches('button, input, select, textarea, a') && outside(element)) cut.push(nameOf(element))
          const { textOverflow, overflowX } = getComputedStyle(element)
          const holdsText = [...element.childNodes].some((node: any) => node.nodeType === 3 && node.textContent.trim())
          // an ellipsis says that there is more; what scrolls can be reached
          if (holdsText && textOverflow !== 'ellipsis' && ['visible', 'hidden', 'clip'].includes(overflowX) && element.clientWidth > 0) {
            const box = element.getBoundingClientRect()
            const range = document.createRange()
            range.selectNodeContents(element)
            const text = range.getBoundingClientRect()
            const clipped = element.closest('.ellipsis, .sr-only')
            if (!clipped && (text.right > box.right + 1.5 || (box.right > innerWidth + 1 && !scrolls(element)))) cut.push(nameOf(element))
          }
        }
        for (const bar of part.querySelectorAll('header, footer, .head, .foot, [role=toolbar], [role=tablist], [role=group], .panel-bar')) {
          const boxes = [...bar.children].filter((child: any) => shown(child) && getComputedStyle(child).position === 'static')
          for (let i = 1; i < boxes.length; i++) {
            const [a, b] = [boxes[i - 1].getBoundingClientRect(), boxes[i].getBoundingClientRect()]
            if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5)
              overlapping.push(`${nameOf(boxes[i - 1])} and ${nameOf(boxes[i])}`)
          }
        }
      }
      return { loose: [...loose], cut, overlapping }
    },
    [root, shownIn],
  )
}

/** What of a page's words is data: texts as a whole, names wherever they stand, and parts of the page that show what is in files. */
export interface PageData {
  whole?: readonly RegExp[]
  names?: readonly string[]
  /** selector */
  shownIn?: string
}

/** Nothing is cut, nothing overlaps: in any language. */
export async function expectRoom(page: Page, root: string): Promise<void> {
  const { cut, overlapping } = await look(page, root)
  expect.soft(cut, `cut in ${root}`).toEqual([])
  expect.soft(overlapping, `overlapping in ${root}`).toEqual([])
}

/** Everything that is read stands in the catalogue, nothing is cut, nothing overlaps. */
export async function expectWhole(page: Page, root: string, { whole = [], names = [], shownIn }: PageData = {}): Promise<void> {
  const { loose, cut, overlapping } = await look(page, root, shownIn)
  // the longest first: a name may be part of another
  const longest = names.filter(Boolean).sort((a, b) => b.length - a.length)
  const withoutNames = (text: string): string =>
    longest
      .reduce((rest, name) => rest.replaceAll(name, ' '), text)
      .replace(/\s+/g, ' ')
      .trim()
  expect
    .soft(
      loose.filter((text) => ![...DATA, ...whole].some((known) => known.test(text) || known.test(withoutNames(text)))),
      `texts outside of the catalogue in ${root}`,
    )
    .toEqual([])
  expect.soft(cut, `cut in ${root}`).toEqual([])
  expect.soft(overlapping, `overlapping in ${root}`).toEqual([])
}
