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

/** What stands over the picture and lies on something else that does, or beside the picture. */
function crowded(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const picture = document.querySelector('.pictures .viewport')
    const bounds = picture.getBoundingClientRect()
    const bars = [...picture.querySelectorAll('.bar .set, .bar .lods, .ball, .below, .paint, .pose > *, .legend, .over')]
    const boxes = bars.map((bar: any) => [bar.className, bar.getBoundingClientRect()]).filter(([, box]: any) => box.width > 0)
    const found: string[] = boxes.length < 4 ? [`${boxes.length} bars`] : []
    boxes.forEach(([name, a]: any, i: number) => {
      if (a.left < bounds.left || a.top < bounds.top || a.right > bounds.right || a.bottom > bounds.bottom) found.push(`${name} is cut`)
      for (const [other, b] of boxes.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(`${name} on ${other}`)
    })
    return found
  })
}

/** What lies where the upper middle of the picture is, below one row of switches: a figure has its head there. */
function overHead(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { left, top, width } = document.querySelector('.pictures .viewport').getBoundingClientRect()
    return [45, 70, 95].flatMap((y) => {
      const there = document.elementFromPoint(left + width / 2, top + y)
      return there.matches('.picture') ? [] : [`${there.className} at ${y}`]
    })
  })
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

  test('begins its bars of panels with a whole tab, whichever is shown', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 1024, height: 700 } })
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await page.keyboard.press('Alt+p')
    await tabOf(page, 'Poses').waitFor()
    const bar = page.locator('.dv-tabs-container').filter({ has: page.getByText('Structure', { exact: true }) })
    const cut = () =>
      bar.evaluate((own: any) => {
        const { left, right } = own.getBoundingClientRect()
        const tabs = [...own.querySelectorAll('.dv-tab')].map((tab: any) => ({ tab, box: tab.getBoundingClientRect() }))
        return tabs
          .filter(
            ({ tab, box }) =>
              (box.left < left - 1 && box.right > left + 1) ||
              (tab.matches('.dv-active-tab') && (box.left < left - 1 || box.right > right + 1)),
          )
          .map(({ tab }) => tab.textContent)
      })
    for (const panel of ['Poses', 'Structure', 'Weights', 'Inspector', 'Structure', 'Poses']) {
      await tabOf(page, panel).dispatchEvent('pointerdown', { button: 0 })
      await tabOf(page, panel).dispatchEvent('click')
      await bar.locator('.dv-active-tab').getByText(panel, { exact: true }).waitFor()
      await atRest(page)
      await expect.poll(cut, { message: panel }).toEqual([])
    }
  }, 120_000)

  test('shows the values of fields, however large its words are', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 } })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    // panels keep their parts of the window
    await page.setViewportSize({ width: 800, height: 700 })
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { level: 2 }).first().click()
    const values = page.getByRole('grid', { name: 'Fields' }).first().locator('.field-row .value')
    await values.first().waitFor()
    // a value of some letters takes more than a letter's room
    const narrow = () => values.evaluateAll((all: any[]) => all.filter((one) => one.clientWidth < 60).map((one) => one.textContent))
    await expect.poll(narrow).toEqual([])
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

describe('bars over a picture', () => {
  test.for([
    { width: 1440, height: 900, pictures: 1 },
    { width: 1440, height: 900, pictures: 2 },
    { width: 1024, height: 700, pictures: 2 },
  ])(
    'of $pictures in $width x $height do not lie on each other, nor on the head of a figure',
    { timeout: 120_000 },
    async ({ width, height, pictures }, { startApp }) => {
      const { page, screenshot } = await startApp({ sample: true, size: { width, height } })
      // has levels of detail, and packed clips of which the tools say something
      await openFromLibrary(page, /WALKER_SKN/i)
      await atRest(page)
      if (pictures === 2) {
        await page.keyboard.press('y')
        await page.getByRole('region', { name: 'Second picture' }).waitFor()
      }
      await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'TURRET' }).first().click()
      await page.getByRole('toolbar', { name: 'Posing' }).getByText('Packed:').waitFor()
      await expect.poll(() => crowded(page)).toEqual([])
      await expect.poll(() => overHead(page)).toEqual([])
      // the skeleton has switches of its own, the weights a legend
      await page.keyboard.press('b')
      await page.keyboard.press('h')
      await page.locator('.legend').first().waitFor()
      await page.getByRole('combobox', { name: 'Shape of bones' }).waitFor()
      await expect.poll(() => crowded(page)).toEqual([])
      await page.keyboard.press('v')
      await page.getByRole('toolbar', { name: 'Weight brush' }).waitFor()
      await expect.poll(() => crowded(page)).toEqual([])
      await screenshot(`bars-${width}-${pictures}`)
    },
  )

  test('of a small one that is painted stay clear of the brush', { timeout: 120_000 }, async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 640, height: 700 } })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await atRest(page)
    await page.keyboard.press('v')
    await page.getByRole('toolbar', { name: 'Weight brush' }).waitFor()
    await page.locator('.legend').first().waitFor()
    for (const height of [900, 700, 560]) {
      await page.setViewportSize({ width: 640, height })
      await expect.poll(() => crowded(page), { message: `${height} px` }).toEqual([])
    }
    await page.keyboard.press('y')
    await page.getByRole('region', { name: 'Second picture' }).waitFor()
    for (const height of [900, 640, 560]) {
      await page.setViewportSize({ width: 760, height })
      await expect.poll(() => crowded(page), { message: `${height} px, two pictures` }).toEqual([])
    }
  })
})
