/** Two pictures beside each other: the original and what was made of it, or another model; one playhead and one camera. */
import type { Page } from 'playwright'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const KeyboardEvent: any

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

  test('lies over the first where it is wanted so, and says how far both are apart', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.getByRole('tab', { name: 'sample' }).click()
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    const plain = await pixelsOf(pictures(page).first())
    await page.keyboard.press('Shift+Y')
    const laid = page.getByRole('group', { name: 'Model laid over this one' })
    await laid.getByText('Every vertex and bone is in the same place').waitFor({ timeout: 30_000 })
    await expect.poll(() => pictures(page).count()).toBe(1)
    // without the colours of distances nothing is seen of a model that is the same
    await laid.getByRole('button', { name: 'Distances as colours' }).click()
    const apart = async (): Promise<{ pink: number; other: number }> => {
      const { rgba, width } = await pixelsOf(pictures(page).first())
      let [pink, other] = [0, 0]
      for (let i = 0; i < rgba.length; i += 4) {
        // the tools stand at the left
        if ((i / 4) % width < 350) continue
        if ([0, 1, 2].every((c) => Math.abs(rgba[i + c] - plain.rgba[i + c]) < 40)) continue
        other++
        if (rgba[i] > rgba[i + 1] + 60 && rgba[i + 2] > rgba[i + 1] + 30) pink++
      }
      return { pink, other }
    }
    await expect.poll(async () => (await apart()).other).toBeLessThan(200)

    const spine = page
      .getByRole('tree', { name: 'Outliner' })
      .getByRole('treeitem')
      .filter({ has: page.getByText('spine', { exact: true }) })
    await spine.click()
    const x = page.getByLabel('Inspector', { exact: true }).getByLabel('Rotation ° x', { exact: true }).first()
    await x.fill('40')
    await x.press('Enter')
    const toPicture = (): Promise<void> =>
      pictures(page)
        .first()
        .click({ position: { x: 20, y: 250 } })
    await laid.getByText(/^Vertices elsewhere: [1-9][\d,]* of /).waitFor({ timeout: 30_000 })
    await laid.getByText(/^Bones elsewhere: [1-9]\d* of 28$/).waitFor()
    await expect.poll(async () => (await apart()).pink).toBeGreaterThan(2000)
    await laid.getByRole('button', { name: 'Distances as colours' }).click()
    await screenshot('second-over-original')

    await toPicture()
    await page.keyboard.press('b')
    await screenshot('second-over-bones')

    // one playhead: with the edit undone, both are the same at each frame
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByLabel('Current frame', { exact: true }).fill('97')
    await page.keyboard.press('Enter')
    await laid.getByText('Every vertex and bone is in the same place').waitFor({ timeout: 30_000 })

    // another model, of another make and of another size
    await laid.getByRole('combobox', { name: 'Laid over this model' }).selectOption({ index: 1 })
    await laid.getByText('No mesh with the same triangles').waitFor({ timeout: 30_000 })
    await laid.getByText('Drawn 10 times as large').waitFor()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1024, height: 700 })
    await screenshot('second-over-light-small')

    // and beside it again, by the key and by the button; what was chosen is kept
    await toPicture()
    await page.keyboard.press('Shift+Y')
    await second(page).waitFor()
    await second(page).getByRole('button', { name: 'Over each other' }).click()
    await second(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    await page.keyboard.press('y')
    await laid.waitFor({ timeout: 30_000 })
    await laid.getByRole('button', { name: 'Take the other model away' }).click()
    await laid.waitFor({ state: 'detached' })
  }, 180_000)

  test('looks at a model that stands, wherever the first one walked', async ({ startApp }) => {
    const { page, services, screenshot } = await startApp({ sample: true })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.getByRole('tab', { name: 'sample' }).click()
    await openFromLibrary(page, /Dark Cloud\/chara/)
    const { signal } = new AbortController()
    const { id: model } = (await services.handlers['model.list']({}, { signal })).at(-1)!
    const times = Float64Array.of(1, 30)
    const translation = Float32Array.of(0, 0, 0, 0, 0, 400)
    const walk = { clip: 0, label: 'Walk', poses: [{ joint: 0, times, translation }] }
    await services.handlers['clips.pose']({ model, ...walk }, { signal })
    await page.reload()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    await atRest(page)
    const first = pictures(page).first()
    const onFirst = (): Promise<void> => first.click({ position: { x: 20, y: 250 } })
    await onFirst()
    await page.keyboard.press('Shift+G')
    await page.keyboard.press('y')
    await second(page).getByRole('combobox', { name: 'Shown in the second picture' }).selectOption({ index: 1 })
    const frame = async (at: number): Promise<void> => {
      const field = page.getByLabel('Current frame', { exact: true })
      await field.fill(String(at))
      await field.press('Enter')
    }
    /** Of both pictures: whether much of the middle is not as the ground is. */
    const seen = async (): Promise<boolean[]> => {
      await atRest(page)
      const found = []
      for (const picture of [first, pictures(page).last()]) {
        const { rgba, width, height } = await pixelsOf(picture)
        const at = (x: number, y: number): number => 4 * (y * width + x)
        const ground = at(Math.floor(width / 2), height - 70)
        let count = 0
        for (let y = 110; y < height - 70; y++)
          for (let x = 80; x < width - 110; x++) if ([0, 1, 2].some((c) => Math.abs(rgba[at(x, y) + c] - rgba[ground + c]) > 24)) count++
        found.push(count / (width * height) > 0.01)
      }
      return found
    }
    await frame(1)
    await onFirst()
    await page.keyboard.press('Shift+F')
    await expect.poll(seen, { timeout: 30_000 }).toEqual([true, true])
    // not followed: it leaves its picture, and the other one stays in its own
    await frame(30)
    await expect.poll(seen).toEqual([false, true])
    await onFirst()
    await page.keyboard.press('Shift+F')
    await screenshot('second-beside-walk')
    await expect.poll(seen).toEqual([true, true])
    await page.keyboard.press('4')
    await expect.poll(seen).toEqual([true, true])
    // looked at where it is going to stand, though no frame has shown it there yet
    await page.evaluate(async () => {
      for (const init of [{ key: 'Home' }, { key: 'F', shiftKey: true }]) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }))
        // the window has followed, and nothing is drawn
        for (let i = 0; i < 20; i++) await Promise.resolve()
      }
    })
    await expect.poll(seen).toEqual([true, true])
    await frame(30)
    await expect.poll(seen).toEqual([false, true])
    await onFirst()
    await page.keyboard.press('Shift+F')
    await expect.poll(seen).toEqual([true, true])
    // in its place, also while a tool takes it to where the file has it
    await page.getByRole('button', { name: 'In place' }).click()
    await expect.poll(seen).toEqual([true, true])
    await page.getByRole('button', { name: /^Move bone/ }).click()
    await onFirst()
    await page.keyboard.press('6')
    await expect.poll(seen).toEqual([true, true])
    await second(page).getByRole('combobox', { name: 'Shown in the second picture' }).selectOption({ index: 0 })
    await expect.poll(seen).toEqual([true, true])
    await screenshot('second-walk-in-place')
  }, 180_000)
})
