/** Where there is little room: tabs keep off what stands beside them, and panels can be closed for good. */
import type { Page } from 'playwright'
import { atRest, describe, expect, test } from './harness.ts'
import { coveredBy, openFromLibrary } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any

/** Buttons of the top bar that a press in their middle would miss. */
function missed(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate(
    (wanted) =>
      wanted.filter((name) => {
        const button = [...document.querySelectorAll('header button')].find((one: any) =>
          (one.getAttribute('aria-label') ?? one.textContent.trim()).startsWith(name),
        )
        if (!button) return true
        const { left, top, width, height } = button.getBoundingClientRect()
        return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      }),
    names,
  )
}

const tabOf = (page: Page, panel: string) => page.locator('.dv-tab').getByText(panel, { exact: true })

describe('a window of 800 pixels', () => {
  test('has Undo and Save beside the tabs of many models', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true, size: { width: 800, height: 600 } })
    for (const place of [
      /Dark Cloud\/chara/,
      /San Andreas\/models\/peds/,
      /Lost Saga\/resource\/model\/animodel/,
      /San Andreas\/models\/old/,
    ]) {
      await page.locator('.tabs').getByRole('tab').first().click()
      await openFromLibrary(page, place)
      await expect.poll(() => missed(page, ['Undo', 'Redo', 'Save', 'Settings'])).toEqual([])
      await expect.poll(() => coveredBy(page, '.tabs')).toEqual([])
    }
    await screenshot('narrow-tabs')
    // the tab of what is shown is in sight, whole
    const shown = (await page.locator('.tabs').getByRole('tab', { selected: true }).boundingBox())!
    const bar = (await page.locator('.tabs').boundingBox())!
    expect(shown.x).toBeGreaterThanOrEqual(bar.x - 1)
    expect(shown.x + shown.width).toBeLessThanOrEqual(bar.x + bar.width + 1)
  }, 120_000)

  test('keeps a panel closed, over a reload too, until it is asked for', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true, size: { width: 1024, height: 700 } })
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    await page.getByTitle('Close Outliner').click()
    await tabOf(page, 'Outliner').waitFor({ state: 'detached' })
    for (const panel of ['Viewport', 'Library', 'Timeline', 'Inspector'])
      await expect.poll(() => tabOf(page, panel).count(), { message: panel }).toBe(1)
    const { signal } = new AbortController()
    await expect.poll(async () => (await services.handlers['settings.get']({}, { signal })).window.layout).not.toContain('"outliner"')
    await page.reload()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    await expect.poll(() => tabOf(page, 'Outliner').count()).toBe(0)
    await page.keyboard.press('Alt+1')
    await page.getByRole('tree', { name: 'Outliner' }).waitFor()
  }, 120_000)
})
