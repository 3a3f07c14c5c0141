/**
 * The window in the pseudo-language: what has no brackets is not in the catalogue (or is data), and what is cut or overlaps has no room for a
 * language whose words are longer. Screens whose texts have moved to the catalogue are looked at.
 */
import type { Page } from 'playwright'
import { families } from '../../src/main/formats/registry.ts'
import { describe, expect, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const getComputedStyle: any
declare const innerWidth: number
declare const innerHeight: number

const SIZES = [
  { width: 1024, height: 700 },
  { width: 1440, height: 900 },
]

/** What is shown as it is in every language: numbers with units, keys of the keyboard, names of files and their places. */
const DATA = [/^[^\p{L}]*$/u, /^[\d.,]* ?(x|B|KB|MB|px|fps|ms|s)$/, /^\((Ctrl|Alt|Shift|F\d)[^)]*\)$/, /^[\w.\-~!: ]*\/[\w.\-~!/: ]*$/]
/** Names of the sample's models, and what families say of themselves and their files (each brings its own words). */
const SAMPLE = [
  new RegExp(`^(${families.map(({ label }) => label).join('|')})( \\(\\d+\\))?$`),
  /^(sample|adventurer|ruin|scout|walker)\w*$/,
]

interface Look {
  loose: string[]
  cut: string[]
  overlapping: string[]
}

/** What people read in a part of the page, and how it is laid out. */
function look(page: Page, root: string): Promise<Look> {
  return page.evaluate((root: string) => {
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
    const loose = new Set<string>()
    const cut: string[] = []
    const overlapping: string[] = []
    const nameOf = (element: any): string =>
      `${element.tagName.toLowerCase()}.${element.className} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}"`
    for (const part of document.querySelectorAll(root)) {
      for (const element of [part, ...part.querySelectorAll('*')]) {
        if (!shown(element) || element.closest('kbd, svg, canvas')) continue
        for (const name of ['title', 'aria-label', 'placeholder', 'aria-description']) {
          const rest = bare(element.getAttribute(name) ?? '')
          if (rest) loose.add(rest)
        }
        for (const node of element.childNodes) {
          if (node.nodeType !== 3) continue
          // a sentence may have parts of the page between its words
          let [rest, around] = [bare(node.textContent), element]
          for (; /[⟦⟧]/.test(rest) && around !== part; around = around.parentElement) rest = bare(around.textContent)
          if (rest) loose.add(rest)
        }
        const { textOverflow, overflowX } = getComputedStyle(element)
        const holdsText = [...element.childNodes].some((node: any) => node.nodeType === 3 && node.textContent.trim())
        // an ellipsis says that there is more; what scrolls can be reached
        if (holdsText && textOverflow !== 'ellipsis' && ['visible', 'hidden', 'clip'].includes(overflowX) && element.clientWidth > 0) {
          const box = element.getBoundingClientRect()
          const range = document.createRange()
          range.selectNodeContents(element)
          const text = range.getBoundingClientRect()
          const clipped = element.closest('.ellipsis, .sr-only')
          if (!clipped && (text.right > box.right + 1.5 || box.right > innerWidth + 1)) cut.push(nameOf(element))
        }
      }
      for (const bar of part.querySelectorAll('header, footer, [role=toolbar], [role=tablist], [role=group], .panel-bar')) {
        const boxes = [...bar.children].filter((child: any) => shown(child) && getComputedStyle(child).position === 'static')
        for (let i = 1; i < boxes.length; i++) {
          const [a, b] = [boxes[i - 1].getBoundingClientRect(), boxes[i].getBoundingClientRect()]
          if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5)
            overlapping.push(`${nameOf(boxes[i - 1])} and ${nameOf(boxes[i])}`)
        }
      }
    }
    return { loose: [...loose], cut, overlapping }
  }, root)
}

/** Everything that is read stands in the catalogue, nothing is cut, nothing overlaps. */
async function expectWhole(page: Page, root: string, data: readonly RegExp[] = []): Promise<void> {
  const { loose, cut, overlapping } = await look(page, root)
  expect
    .soft(
      loose.filter((text) => ![...DATA, ...data].some((known) => known.test(text))),
      `texts outside of the catalogue in ${root}`,
    )
    .toEqual([])
  expect.soft(cut, `cut in ${root}`).toEqual([])
  expect.soft(overlapping, `overlapping in ${root}`).toEqual([])
}

describe.each(SIZES)('in the pseudo-language at $width x $height', (size) => {
  test('the page of the start', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ locale: 'en-XA', size })
    await page.locator('h1').waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-XA')
    await expectWhole(page, 'body')
    await screenshot(`pseudo-welcome-${size.width}`)
  })

  test('the library', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ locale: 'en-XA', size, sample: true, theme: 'light' })
    await page.locator('.library [role=option], .library [role=row]').first().waitFor()
    await screenshot(`pseudo-library-${size.width}`)
    await expectWhole(page, 'body', SAMPLE)
  })

  test('the palette, settings and shortcuts', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ locale: 'en-XA', size })
    await page.locator('h1').waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input').waitFor()
    await expectWhole(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+,')
    await page.locator('.popover.settings').waitFor()
    await screenshot(`pseudo-settings-${size.width}`)
    await expectWhole(page, '.popover.settings')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Alt+k')
    await page.locator('.shortcuts').waitFor()
    await screenshot(`pseudo-shortcuts-${size.width}`)
    await expectWhole(page, '.shortcuts')
  })
})
