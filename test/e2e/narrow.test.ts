/** Where there is little room: tabs keep off what stands beside them, and panels can be closed for good. */
import type { Page } from 'playwright'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
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

/** Drags the edge between the picture and the panels below it. */
async function makeAsHigh(page: Page, height: number): Promise<void> {
  const heightNow = async (): Promise<number> => (await page.locator('canvas.picture').first().boundingBox())!.height
  const edge = (await page.locator('.dv-sash').first().boundingBox())!
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2]
  const by = height - (await heightNow())
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + by, { steps: 4 })
  await page.mouse.up()
  await expect.poll(heightNow).toBeCloseTo(height, -1)
}

/** Drags the edge between the picture and the panels beside it. */
async function makeAsWide(page: Page, width: number): Promise<void> {
  const box = async () => (await page.locator('canvas.picture').first().boundingBox())!
  const { x, y, width: now } = await box()
  await page.mouse.move(x + now, y + 60)
  await page.mouse.down()
  await page.mouse.move(x + width, y + 60, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await box()).width).toBeCloseTo(width, -1)
}

/** All that stands over the first picture; without it the focus has no frame either. */
function showTools(page: Page, shown: boolean): Promise<void> {
  return page.evaluate((visible) => {
    for (const part of document.querySelector('.pictures .viewport').children)
      if (part.matches('.picture')) part.style.boxShadow = visible ? '' : 'none'
      else part.style.visibility = visible ? '' : 'hidden'
  }, shown)
}

/** Of the first picture: what can be pressed where its figure is seen, or where that is cut. Its ground is one colour. */
async function toolsOnFigure(page: Page): Promise<string[]> {
  await atRest(page)
  const picture = page.locator('canvas.picture').first()
  await showTools(page, false)
  const { rgba, width, height } = await pixelsOf(picture)
  await showTools(page, true)
  const box = { left: width, top: height, right: 0, bottom: 0 }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ([0, 1, 2].every((c) => Math.abs(rgba[4 * (y * width + x) + c] - rgba[c]) < 12)) continue
      Object.assign(box, {
        left: Math.min(box.left, x),
        top: Math.min(box.top, y),
        right: Math.max(box.right, x + 1),
        bottom: Math.max(box.bottom, y + 1),
      })
    }
  if (box.bottom - box.top < 0.25 * height) return [`a figure of ${box.bottom - box.top} in ${height}`]
  return page.evaluate((figure) => {
    const view = document.querySelector('.pictures .viewport')
    const { left, top, height } = view.getBoundingClientRect()
    const found = figure.top <= 0 || figure.bottom >= height ? ['cut'] : []
    for (const tool of view.querySelectorAll('button, select, input')) {
      const b = tool.getBoundingClientRect()
      const over =
        b.left - left < figure.right && b.right - left > figure.left && b.top - top < figure.bottom && b.bottom - top > figure.top
      if (b.width > 0 && over) found.push(tool.getAttribute('aria-label') ?? tool.className)
    }
    return found
  }, box)
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
    await makeAsWide(page, 810)
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { level: 2 }).first().click()
    const values = page.getByRole('grid', { name: 'Fields' }).first().locator('.field-row .value')
    await values.first().waitFor()
    // a value of some letters takes more than a letter's room
    const narrow = () => values.evaluateAll((all: any[]) => all.filter((one) => one.clientWidth < 60).map((one) => one.textContent))
    await expect.poll(narrow).toEqual([])
  }, 120_000)

  test('has panels that can be read where they were laid out in a large window', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true, settings: { scale: 150 }, size: { width: 2560, height: 1440 } })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    const widthOf = async (panel: string): Promise<number> => (await page.locator(`[data-panel="${panel}"]`).boundingBox())!.width
    await expect.poll(() => widthOf('outliner')).toBe(360)
    // a layout that was touched is kept
    await tabOf(page, 'Problems').click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(() => widthOf('outliner')).toBe(360)
    await expect.poll(() => widthOf('inspector')).toBe(456)
    await screenshot('from-large-to-middle')
    // no room beside the picture: all of them are below it
    const groups = () => page.locator('.dv-tabs-container').count()
    for (const reloaded of [false, true]) {
      await page.setViewportSize({ width: 1024, height: 700 })
      if (reloaded) {
        await page.reload()
        await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
      }
      await expect.poll(groups).toBe(2)
      await page.keyboard.press('Alt+1')
      await expect.poll(() => widthOf('outliner')).toBe(1024)
      await screenshot(`from-large-to-small${reloaded ? '-reloaded' : ''}`)
      await page.setViewportSize({ width: 1440, height: 900 })
      await expect.poll(groups).toBe(4)
      await expect.poll(() => widthOf('outliner')).toBe(360)
      await expect.poll(() => widthOf('inspector')).toBe(456)
    }
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

  test('of one that is narrower than they are leave all of it to its figure', { timeout: 120_000 }, async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true, size: { width: 1024, height: 700 } })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    const picture = page.locator('canvas.picture').first()
    await atRest(page)
    await picture.click({ position: { x: 20, y: 200 } })
    await page.keyboard.press('Shift+G')
    for (const [width, height] of [
      [115, 240],
      [115, 160],
      [200, 120],
    ]) {
      await makeAsWide(page, width)
      await makeAsHigh(page, height)
      await picture.focus()
      await page.keyboard.press('Shift+F')
      const message = `${width} x ${height}`
      await expect.poll(() => toolsOnFigure(page), { message }).toEqual([])
    }
    await screenshot('narrow-picture')
    // what the switches do is in the menu
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitemcheckbox', { name: 'Skeleton' }).waitFor()
  })

  test('of a low one leave its figure free, and stay in it', { timeout: 120_000 }, async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true, size: { width: 1440, height: 900 } })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    const picture = page.locator('canvas.picture').first()
    await atRest(page)
    await picture.click({ position: { x: 20, y: 200 } })
    await page.keyboard.press('Shift+G')
    for (const pictures of [1, 2]) {
      if (pictures === 2) {
        await page.keyboard.press('y')
        await page.getByRole('region', { name: 'Second picture' }).waitFor()
      }
      for (const height of [240, 170, 115]) {
        await makeAsHigh(page, height)
        await picture.focus()
        await page.keyboard.press('Shift+F')
        const message = `${height} px, ${pictures}`
        await expect.poll(() => crowded(page), { message }).toEqual([])
        await expect.poll(() => toolsOnFigure(page), { message }).toEqual([])
      }
      await screenshot(`low-picture-${pictures}`)
    }
  })
})
