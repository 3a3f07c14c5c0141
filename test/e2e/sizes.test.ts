/** The interface in other sizes, and the picture alone. */
import { atRest, describe, expect, test } from './harness.ts'
import { cutControls, openFromLibrary } from './steps.ts'

describe('the interface', () => {
  for (const scale of [90, 125, 150])
    test(`at ${scale} % has every control, and the picture its room`, async ({ startApp }) => {
      const { page, screenshot } = await startApp({ sample: true, settings: { scale } })
      await openFromLibrary(page, /Dark Cloud\/chara/)
      await atRest(page)
      await screenshot(`scale-${scale}`)
      expect.soft(await cutControls(page), 'model').toEqual([])
      expect((await page.locator('canvas.picture').boundingBox())!.width).toBeGreaterThan(300)
      await page.keyboard.press('Control+,')
      await page.getByRole('dialog', { name: 'Settings' }).waitFor()
      expect.soft(await cutControls(page), 'settings').toEqual([])
      await page.keyboard.press('Escape')
      // what is pointed at is what is under the pointer, in any size
      const row = page.getByRole('tree', { name: 'Keys' }).getByRole('treeitem').nth(2)
      await row.click()
      await expect.poll(() => row.getAttribute('aria-selected')).toBe('true')
      // and the menu of the right button opens at it, on whichever side has the room
      const { x, y } = (await row.boundingBox())!
      for (const at of [20, 100]) {
        await row.click({ button: 'right', position: { x: at, y: 8 } })
        const menu = (await page.getByRole('menu').boundingBox())!
        expect.soft(Math.min(Math.abs(menu.x - x - at), Math.abs(menu.x + menu.width - x - at)), 'beside the pointer').toBeLessThan(8)
        expect.soft(menu.y, 'above its foot').toBeLessThan(y + 16)
        expect.soft(menu.y + menu.height, 'below its head').toBeGreaterThan(y)
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
    })

  test('at 150 % in a small window has its panels in the window, and words that are whole', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 }, size: { width: 1024, height: 700 } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    // the word of a list, before its arrow
    expect((await page.getByRole('combobox', { name: 'Sort by' }).boundingBox())!.width).toBeGreaterThan(100)
    await page.keyboard.press('Control+Shift+e')
    const panel = page.getByRole('dialog', { name: /^Export models/ })
    const start = panel.getByRole('button', { name: /^Export 15 models/ })
    await start.scrollIntoViewIfNeeded()
    const [box, button] = await Promise.all([panel.boundingBox(), start.boundingBox()])
    expect(box!.y + box!.height).toBeLessThan(700 - 1.5 * 24)
    expect(button!.y + button!.height).toBeLessThan(box!.y + box!.height)
  })

  test('at 150 % has heads and numbers of tables beside a model that are whole', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 } })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    /** Texts that are wider than the cell or field that they stand in. */
    const cut = (place: string): Promise<string[]> =>
      page
        .locator(place)
        .evaluateAll((all: any[]) =>
          all.filter((one) => one.offsetWidth > 0 && one.scrollWidth > one.clientWidth).map((one) => one.value ?? one.textContent.trim()),
        )
    await page.getByRole('searchbox', { name: 'Search the outliner' }).fill('adventurer')
    await page.getByRole('tree', { name: 'Outliner' }).locator('[data-kind="mesh"]').first().click()
    await page.getByRole('grid', { name: /^Submeshes/ }).waitFor()
    await expect.poll(() => cut('[data-panel="inspector"] th')).toEqual([])
    await page.keyboard.press('Alt+6')
    const panel = page.locator('[data-panel="weights"]')
    await panel.getByRole('button', { name: 'Vertices', exact: true }).first().click()
    await panel.getByRole('row', { name: 'Vertex 0', exact: true }).waitFor()
    await expect.poll(() => cut('[data-panel="weights"] .rows input')).toEqual([])
    // narrow beside two pictures, and low above the timeline: its list has rows, and bones of the chosen vertex have their names
    await page.keyboard.press('Alt+0')
    await page.getByRole('tab', { name: 'Texture' }).waitFor()
    const rows = panel.getByRole('grid', { name: 'Vertices' })
    await expect.poll(async () => (await rows.boundingBox())!.height / 1.5).toBeGreaterThan(90)
    await panel.getByRole('row', { name: 'Vertex 0', exact: true }).getByRole('gridcell').first().click()
    const bone = panel.getByRole('combobox', { name: /^Bone 0 of vertex 0/ })
    await expect.poll(async () => (await bone.boundingBox())!.width / 1.5).toBeGreaterThan(120)
    await expect.poll(async () => (await rows.boundingBox())!.height / 1.5).toBeGreaterThan(90)
  })

  test('at 125 % has names of fields that are whole, however long', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 125 } })
    await openFromLibrary(page, /^walker_skn$/)
    await page.keyboard.press('Alt+5')
    const panel = page.locator('[data-panel="structure"]')
    await panel.getByRole('treeitem', { name: /^mesh\[0\]/ }).click()
    await page.keyboard.press('ArrowRight')
    await panel.getByRole('treeitem', { name: /^header/ }).click()
    const names = panel.getByRole('grid', { name: 'Fields' }).locator('.name > span:first-child')
    await names.filter({ hasText: 'vertexChannels' }).waitFor()
    await expect
      .poll(() => names.evaluateAll((all: any[]) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)))
      .toEqual([])
  })

  test('at 150 % has rows of the structure that end in the panel', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 } })
    await openFromLibrary(page, /^walker_skn$/)
    await page.keyboard.press('Alt+5')
    const tree = page.locator('[data-panel="structure"]').getByRole('tree')
    await tree.getByRole('treeitem').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open all below' }).click()
    await tree.focus()
    await page.keyboard.press('End')
    await tree
      .getByRole('treeitem', { name: /^subObject\[\d+\]/ })
      .last()
      .waitFor()
    /** Pixels of words that stand beyond the panel. */
    const over = (): Promise<number> =>
      tree.evaluate((list: any) => {
        const { right } = list.getBoundingClientRect()
        return Math.max(...[...list.querySelectorAll('.line > *')].map((word) => word.getBoundingClientRect().right - right))
      })
    await expect.poll(over).toBeLessThanOrEqual(0)
  })

  test('at 150 % has forms of materials whose names, numbers and choices are whole', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 }, size: { width: 1440, height: 1800 } })
    await openFromLibrary(page, /^walker_skn$/)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await outliner.getByRole('treeitem', { name: /^Bones, / }).click()
    await page.keyboard.press('ArrowLeft')
    await outliner.locator('[data-kind="material"]').first().click()
    const form = page.getByRole('region', { name: /^Fields of the material/ }).first()
    await form.waitFor()
    // a list of choices has an arrow at its end, and a word before it
    const narrow = (): Promise<string[]> =>
      form
        .locator('select')
        .evaluateAll((all: any[]) => all.filter((one) => one.clientWidth < 70).map((one) => one.getAttribute('aria-label')))
    await expect.poll(() => form.locator('select').count()).toBeGreaterThan(1)
    await expect.poll(narrow).toEqual([])
    const cut = (): Promise<string[]> =>
      form
        .locator('input, .ellipsis')
        .evaluateAll((all: any[]) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value ?? one.textContent))
    await expect.poll(cut).toEqual([])
  })

  test('at 150 % has a list without clips whose button stands free', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 } })
    await openFromLibrary(page, /staticmodel/)
    const clips = page.getByRole('region', { name: 'Clips' })
    const button = clips.getByRole('button').last()
    await button.waitFor()
    await button.scrollIntoViewIfNeeded()
    const line = clips.locator('.table-message')
    // the line below the list is drawn above it
    await expect
      .poll(async () => (await button.boundingBox())!.y + (await button.boundingBox())!.height - (await line.boundingBox())!.y)
      .toBeLessThan(1)
  })

  test('at 150 % has room for the names of submeshes, and no word on another', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, settings: { scale: 150 } })
    await openFromLibrary(page, /^walker_skn$/)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await outliner.getByRole('treeitem', { name: /^Bones, / }).click()
    await page.keyboard.press('ArrowLeft')
    await outliner.locator('[data-kind=mesh]').first().click()
    const table = page.getByRole('grid', { name: /^Submeshes of / })
    await table.waitFor()
    const words = () =>
      table.locator('th:not(:last-child)').evaluateAll((heads: any[]) =>
        heads.map((head) => {
          const range = head.ownerDocument.createRange()
          range.selectNodeContents(head)
          const { left, right, top, bottom } = range.getBoundingClientRect()
          return { left, right, top, bottom }
        }),
      )
    await expect
      .poll(async () =>
        (await words()).some((a, i, all) =>
          all.slice(i + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
        ),
      )
      .toBe(false)
    await expect.poll(async () => (await table.locator('td.names').first().boundingBox())!.width).toBeGreaterThan(150)
  })

  test('leaves the picture alone on the whole screen, and is back', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await atRest(page)
    const picture = page.locator('canvas.picture')
    const before = (await picture.boundingBox())!
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await page.keyboard.press('Shift+F11')
    await expect.poll(async () => (await picture.boundingBox())!.width).toBeGreaterThan(1.4 * before.width)
    await expect.poll(() => outliner.isVisible()).toBe(false)
    await atRest(page)
    await screenshot('full-screen')
    await page.keyboard.press('Shift+F11')
    await expect.poll(() => outliner.isVisible()).toBe(true)
    await expect.poll(async () => (await picture.boundingBox())!.width).toBe(before.width)
  })
})
