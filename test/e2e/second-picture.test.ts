/** Two pictures beside each other: the original and what was made of it, or another model; one playhead and one camera. */
import type { Page } from 'playwright'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'

const second = (page: Page) => page.getByRole('region', { name: 'Second picture' })
const pictures = (page: Page) => page.locator('.pictures canvas.picture')

/** Of two pictures that are half a pixel apart edges differ, where an odd width is parted in two. */
const SAME = 0.015

/** Share of pixels in which the two pictures differ, without the edge that tools stand over. */
async function differing(page: Page): Promise<number> {
  const [a, b] = await Promise.all([pixelsOf(pictures(page).first()), pixelsOf(pictures(page).last())])
  expect(Math.abs(a.width - b.width)).toBeLessThanOrEqual(1)
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)]
  let count = 0
  // the middle: tools stand over the edges
  for (let y = 100; y < height - 60; y++)
    for (let x = 60; x < width - 100; x++)
      if ([0, 1, 2].some((c) => Math.abs(a.rgba[4 * (y * a.width + x) + c] - b.rgba[4 * (y * b.width + x) + c]) > 40)) count++
  return count / (width * height)
}

describe('the picture beside the first', () => {
  test('shows the original with the same playhead and camera, and another model', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.getByRole('tab', { name: 'sample' }).click()
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    await page.keyboard.press('y')
    await second(page).waitFor()
    const same = (): Promise<number> => differing(page)
    await expect.poll(same, { timeout: 30_000 }).toBeLessThan(SAME)

    // an edit is in the first one alone
    await page
      .getByRole('tree', { name: 'Outliner' })
      .getByRole('treeitem')
      .filter({ has: page.getByText('spine', { exact: true }) })
      .click()
    const x = page.getByLabel('Inspector', { exact: true }).getByLabel('Rotation ° x', { exact: true }).first()
    await x.fill('60')
    await x.press('Enter')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await expect.poll(same).toBeGreaterThan(2 * SAME)
    await screenshot('second-original')

    // undone, both are one from wherever they are looked at, at each frame
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(same).toBeLessThan(SAME)
    await pictures(page)
      .first()
      .click({ position: { x: 20, y: 200 } })
    for (const key of ['4', '4', 'Shift+5']) await page.keyboard.press(key)
    await page.getByLabel('Current frame', { exact: true }).fill('97')
    await page.keyboard.press('Enter')
    await expect.poll(same).toBeLessThan(SAME)
    // the second one leads as well
    const box = (await pictures(page).last().boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 120, box.y + box.height - 40, { steps: 4 })
    await page.mouse.up()
    await expect.poll(same).toBeLessThan(SAME)

    await second(page).getByRole('combobox', { name: 'Shown in the second picture' }).selectOption({ index: 1 })
    await expect.poll(same).toBeGreaterThan(2 * SAME)
    await screenshot('second-other-model')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1024, height: 700 })
    await screenshot('second-light-small')
    await second(page).getByRole('button', { name: 'Close the second picture' }).click()
    await second(page).waitFor({ state: 'detached' })
  }, 180_000)
})
