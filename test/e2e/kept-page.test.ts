/** The page of a model is kept while the library is shown: panels and graphics are there at once for the next one, and do nothing meanwhile. */
import type { Page } from 'playwright'
import { atRest, coloursOf, describe, differing, expect, pixelsOf, test } from './harness.ts'
import type { TestProbe } from './harness.ts'
import { runCommand } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const marrowProbe: TestProbe
declare const WebGL2RenderingContext: any
declare let pictures: number

const rows = (page: Page) => page.getByRole('listbox', { name: 'Models' }).getByRole('option')

async function open(page: Page, row: number): Promise<void> {
  await rows(page).nth(row).dblclick()
  await page.getByRole('tree', { name: 'Outliner' }).waitFor({ timeout: 60_000 })
  await atRest(page)
}

/** Of the timeline's keys. */
const lightPixels = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector('[role="tree"][aria-label="Keys"] canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let light = 0
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] > 150 && data[i + 1] > 150) light++
    return light
  })

/** Edges of what stands over a picture are not the same each time. */
const SAME = 0.001

/** The picture of the chosen row. */
const previewed = (page: Page) => page.getByRole('complementary', { name: 'Preview' }).locator('canvas.picture')

const toLibrary = async (page: Page): Promise<void> => {
  await page
    .getByRole('tab', { name: /Library|sample/i })
    .first()
    .click()
  await rows(page).first().waitFor()
}

describe('between library and model', () => {
  test('the page of a model is there before the first one, unseen, and takes nothing from the library', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await expect.poll(() => page.evaluate(() => marrowProbe.engines()), { timeout: 60_000 }).toBe(1)
    await expect.poll(() => page.locator('.workbench:visible, [data-panel]:visible').count()).toBe(0)
    await page.keyboard.press('Control+f')
    await expect.poll(() => page.getByRole('searchbox').evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('insert a key')
    await expect
      .poll(() =>
        page
          .getByRole('listbox', { name: 'Commands' })
          .getByRole('option', { name: /^Insert/ })
          .count(),
      )
      .toBe(0)
    await page.keyboard.press('Escape')
    const room = (await page.locator('main:visible').boundingBox())!
    await open(page, 0)
    await expect.poll(() => page.evaluate(() => marrowProbe.engines())).toBe(1)
    expect((await page.locator('.workbench').boundingBox())!).toEqual(room)
    // the keys are drawn in the theme's colours, though the timeline was put together out of the page: light ones on dark
    await expect.poll(() => lightPixels(page)).toBeGreaterThan(50)
    // the panels have the sizes of the window's room, as they have where a model is opened at once
    expect((await page.locator('[data-panel="outliner"]').boundingBox())!.width).toBeCloseTo(240, -1)
    expect((await page.locator('[data-panel="inspector"]').boundingBox())!.width).toBeCloseTo(304, -1)
    await page.keyboard.press('Control+w')
    await rows(page).first().waitFor()
    await open(page, 1)
    await expect.poll(() => page.evaluate(() => marrowProbe.engines())).toBe(1)
  }, 120_000)

  test('the keyboard is in the picture of a model that it opened, however it did, and on the row that it left in the library', async ({
    startApp,
  }) => {
    const { page } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const focused = (): Promise<string> =>
      page.evaluate(() => `${document.activeElement.tagName} ${document.activeElement.getAttribute('aria-label') ?? ''}`)
    const row = page.getByRole('listbox', { name: 'Models' }).getByRole('option', { selected: true })
    await expect.poll(focused).toBe('DIV Models')
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect.poll(focused, { timeout: 60_000 }).toMatch(/^CANVAS /)
    await atRest(page)
    // keys are the window's there, and Tab leads on beside the picture
    const frame = page.getByRole('toolbar', { name: 'Playback' }).getByLabel(/^Current /)
    const at = await frame.inputValue()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => frame.inputValue()).not.toBe(at)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement.closest('[data-panel]')?.dataset.panel)).toBe('viewport')
    const left = await page.evaluate(() => document.title)
    await page.keyboard.press('Control+Shift+l')
    await expect.poll(focused).toBe('DIV Models')
    await expect.poll(() => row.textContent()).toContain(left.split(' ')[0])
    // a second one, and the first one from its tab, which keeps the keyboard
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect.poll(focused, { timeout: 60_000 }).toMatch(/^CANVAS /)
    await page.keyboard.press('Control+Shift+l')
    await expect.poll(focused).toBe('DIV Models')
    await page.getByRole('tab').nth(1).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.title)).toBe(left)
    await expect.poll(focused).toMatch(/^BUTTON /)
    await page.keyboard.press('Control+w')
    await expect.poll(focused).toMatch(/^CANVAS /)
    await page.keyboard.press('Control+w')
    await expect.poll(focused).toBe('DIV Models')
    // from the palette, whose entry is gone with it
    await page.keyboard.press('Enter')
    await expect.poll(focused, { timeout: 60_000 }).toMatch(/^CANVAS /)
    await page.keyboard.press('Control+Shift+l')
    await runCommand(page, 'Next tab')
    await expect.poll(focused, { timeout: 60_000 }).toMatch(/^CANVAS /)
  }, 120_000)

  test('panels and graphics stay, and their commands are off', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await open(page, 0)
    await page.evaluate(() => (document.querySelector('[data-panel="viewport"] canvas.picture').dataset.first = 'yes'))
    await toLibrary(page)
    // beside the list the chosen row has one of its own, which stays as well
    await previewed(page).waitFor({ timeout: 60_000 })
    await page.evaluate(() => (document.querySelector('aside canvas.picture').dataset.first = 'preview'))
    await page.getByRole('tab').nth(1).click()
    await atRest(page)
    const engines = await page.evaluate(() => marrowProbe.engines())
    expect(engines).toBe(2)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    const scrolled = (): Promise<number> => outliner.evaluate((list: any) => list.scrollTop)
    await outliner.evaluate((list: any) => (list.scrollTop = 48))
    await expect.poll(scrolled).toBe(48)
    await toLibrary(page)
    await page.getByRole('tab').nth(1).click()
    await expect.poll(scrolled).toBe(48)
    await toLibrary(page)
    await expect.poll(() => page.locator('[data-panel="viewport"]:visible').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('insert a key')
    await expect
      .poll(() =>
        page
          .getByRole('listbox', { name: 'Commands' })
          .getByRole('option', { name: /^Insert/ })
          .count(),
      )
      .toBe(0)
    await page.keyboard.press('Escape')
    await open(page, 1)
    // rows of another model are read from the first one on
    await expect.poll(scrolled).toBe(0)
    await expect.poll(() => page.locator('canvas.picture[data-first="yes"]').count()).toBe(1)
    const canvas = await page.locator('[data-panel="viewport"] canvas.picture').boundingBox()
    expect(canvas!.width).toBeGreaterThan(300)
    await toLibrary(page)
    await previewed(page).waitFor({ timeout: 60_000 })
    expect(await previewed(page).evaluate((picture: any) => picture.dataset.first)).toBe('preview')
    await expect.poll(() => coloursOf(previewed(page)), { timeout: 30_000 }).toBeGreaterThan(100)
    await expect.poll(() => page.evaluate(() => marrowProbe.engines())).toBe(engines)
  }, 120_000)

  test('a model of another tab is shown from what the graphics card has of it, which goes with its tab', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const picture = page.locator('[data-panel="viewport"] canvas.picture')
    const meshes = (): Promise<number> => page.evaluate(() => marrowProbe.engine()!.meshes)
    const seen = async () => {
      await atRest(page)
      await page.mouse.move(2, 2)
      return pixelsOf(picture)
    }
    await open(page, 0)
    const first = await seen()
    const alone = await meshes()
    await toLibrary(page)
    await open(page, (await rows(page).count()) - 1)
    const second = await seen()
    expect(differing(first, second)).toBeGreaterThan(0.02)
    await page.evaluate(() => {
      const { prototype } = WebGL2RenderingContext
      Object.assign(globalThis, { pictures: 0 })
      for (const name of ['texImage2D', 'texStorage2D']) {
        const run = prototype[name]
        prototype[name] = function (...args: unknown[]) {
          pictures++
          return run.apply(this, args)
        }
      }
    })
    const tab = (at: number) => page.getByRole('tab').nth(at)
    for (const [at, before] of [
      [1, first],
      [2, second],
      [1, first],
    ] as const) {
      await tab(at).click()
      await expect.poll(async () => differing(await seen(), before)).toBeLessThan(SAME)
    }
    expect(await page.evaluate(() => pictures)).toBe(0)
    expect(await meshes()).toBeGreaterThan(alone)
    await tab(2).click()
    await atRest(page)
    await page.keyboard.press('Control+w')
    await expect.poll(meshes).toBe(alone)
    await expect.poll(async () => differing(await seen(), first)).toBeLessThan(SAME)
  }, 120_000)

  test('a model that is opened does not wait for the preview of its row', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const { 'model.open': openModel } = services.handlers
    const previews: string[] = []
    let stop!: () => void
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    Object.assign(services.handlers, {
      'library.preview': (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          previews.push('asked')
          signal.addEventListener('abort', () => {
            previews.push('stopped')
            stop()
            reject(signal.reason as Error)
          })
        }),
      'model.open': async (...args: Parameters<typeof openModel>) => {
        await stopped
        return openModel(...args)
      },
    })
    await rows(page).nth(1).click()
    await expect.poll(() => previews).toEqual(['asked'])
    await open(page, 1)
    expect(previews).toEqual(['asked', 'stopped'])
  }, 120_000)

  test('the library that a model was opened from is unseen at once, reads nothing more, and goes when the window rests', async ({
    startApp,
  }) => {
    const { page, services } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const asked: string[] = []
    const { 'library.preview': preview, 'model.prepare': prepare } = services.handlers
    Object.assign(services.handlers, {
      'library.preview': (...args: Parameters<typeof preview>) => (asked.push('preview'), preview(...args)),
      'model.prepare': (...args: Parameters<typeof prepare>) => (asked.push('prepare'), prepare(...args)),
    })
    await open(page, 0)
    await toLibrary(page)
    // the chosen row beside the list
    await expect.poll(() => asked).toContain('preview')
    await previewed(page).waitFor({ timeout: 60_000 })
    await page.evaluate(() => {
      const resting: (() => void)[] = []
      const paused: (() => void)[] = []
      const later = Reflect.get(globalThis, 'setTimeout') as (run: () => void, ms: number) => number
      Object.assign(globalThis, {
        resting,
        paused,
        requestIdleCallback: (run: () => void) => resting.push(run),
        setTimeout: (run: () => void, ms: number) => (ms === 250 ? paused.push(run) : later(run, ms)),
      })
    })
    asked.length = 0
    await open(page, 1)
    const pages = (): Promise<number> => page.locator('main').count()
    await expect.poll(pages).toBe(2)
    await expect.poll(() => page.locator('main:visible').count()).toBe(1)
    await expect.poll(() => page.evaluate(() => document.activeElement.closest('section[aria-label="Library"]'))).toBe(null)
    // a row that is chosen is looked at after a pause: what it asks for comes before all that is asked for below
    await page.evaluate(() => (globalThis as any).paused.splice(0).forEach((run: () => void) => run()))
    await page.evaluate(() => (globalThis as any).resting.forEach((run: () => void) => run()))
    await expect.poll(pages).toBe(1)
    await expect.poll(() => page.locator('aside canvas.picture:visible').count()).toBe(0)
    // the model's, and that of the preview, which stays
    await expect.poll(() => page.evaluate(() => marrowProbe.engines())).toBe(2)

    // a press of another button, and one on what is open, have nothing put together
    await toLibrary(page)
    await rows(page).nth(0).click()
    await rows(page).nth(2).click({ button: 'right' })
    await page.keyboard.press('Escape')
    await rows(page).nth(2).click()
    // of two presses that open a model the first has it put together
    await expect.poll(() => asked).toEqual(['prepare', 'prepare'])
  }, 120_000)
})
