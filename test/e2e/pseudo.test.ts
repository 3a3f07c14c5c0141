/** Pages outside of a model, in the pseudo-language. */
import { families } from '../../src/main/formats/registry.ts'
import { describe, expect, test } from './harness.ts'
import { expectWhole, SAMPLE, SIZES } from './pseudo-look.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any

describe.each(SIZES)('in the pseudo-language at $width x $height', (size) => {
  test('the page of the start', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ locale: 'en-XA', size })
    await page.locator('h1').waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en-XA')
    // families go by their names in every language
    await expectWhole(page, 'body', { whole: families.map(({ label }) => new RegExp(`^${label}$`)) })
    await screenshot(`pseudo-welcome-${size.width}`)
  })

  test('the library', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ locale: 'en-XA', size, sample: true, theme: 'light' })
    await page.locator('.library [role=option], .library [role=row]').first().waitFor()
    await screenshot(`pseudo-library-${size.width}`)
    await expectWhole(page, 'body', { whole: SAMPLE })
    // what a row counts is shown whole or not at all
    const chips = await page.locator('.library .counts').evaluateAll((lines: any[]) =>
      lines.flatMap((line) =>
        [...line.querySelectorAll('.tag')].map((chip) => {
          const [room, box] = [line.getBoundingClientRect(), chip.getBoundingClientRect()]
          const shown = box.top < room.bottom
          return { text: chip.textContent, shown, cut: shown && (chip.scrollWidth > chip.clientWidth || box.right > room.right + 1) }
        }),
      ),
    )
    expect(chips.filter(({ shown }) => shown).length).toBeGreaterThan(10)
    expect(chips.filter(({ cut }) => cut)).toEqual([])
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
