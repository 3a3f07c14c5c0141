/** What is shown can be read: in a narrow window, and in a very wide one. */
import { openFromLibrary } from './steps.ts'
import { describe, expect, test } from './harness.ts'

describe('what is shown can be read', () => {
  test('numbers of the inspector, bytes and the tab of what is shown, in narrow windows', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true, theme: 'light' })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    await page.getByRole('treeitem', { name: /^head/ }).first().click()
    const inspector = page.locator('[data-panel="inspector"]')
    const rotation = inspector.getByLabel('Rotation ° x', { exact: true })
    await rotation.waitFor()
    const cut = () =>
      inspector
        .locator('input')
        .evaluateAll((fields) =>
          fields.flatMap((field: any) =>
            field.type !== 'checkbox' && field.scrollWidth > field.clientWidth
              ? [`${field.getAttribute('aria-label')} ${field.value}`]
              : [],
          ),
        )
    // what is stored is not quite what is typed: the others have a small rest, which is no long number
    for (const [axis, angle] of [
      ['x', '35'],
      ['y', '20'],
    ]) {
      const field = inspector.getByLabel(`Rotation ° ${axis}`, { exact: true })
      await field.fill(angle)
      await field.press('Enter')
      // one that is being edited has all its digits
      await field.blur()
      await expect.poll(async () => Math.round(Number(await field.inputValue()))).toBe(Number(angle))
    }
    // a step is named by what it changed, without the unit of a field
    await page.getByRole('button', { name: 'Undo Rotation of head' }).waitFor()
    await expect.poll(cut).toEqual([])
    for (const width of [1024, 800]) {
      await page.setViewportSize({ width, height: 700 })
      await expect.poll(cut).toEqual([])
      await screenshot(`inspector-${width}`)
    }

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Alt+5')
    const bytes = page.getByRole('region', { name: 'Bytes' })
    await bytes.getByText('00000000').first().waitFor()
    await page.setViewportSize({ width: 1024, height: 700 })
    await expect.poll(() => bytes.evaluate((view: any) => view.scrollWidth - view.clientWidth)).toBeLessThanOrEqual(0)
    // its tab is in sight, and the others are in the list of those that have no room
    const tab = page.getByRole('tab', { name: /^Structure/ }).first()
    await expect
      .poll(() =>
        tab.evaluate(
          (own: any) => own.getBoundingClientRect().right <= own.closest('.dv-tabs-container').getBoundingClientRect().right + 1,
        ),
      )
      .toBe(true)
    await screenshot('structure-1024')
  })

  test('rows of a very wide library, whose columns stay together', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 2560, height: 1440 } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
    const rows = page.locator('section[aria-label="Library"] [role=listbox]')
    const name = (await rows.getByText('walker_skn').boundingBox())!
    const size = (await rows
      .getByRole('option', { name: /walker_skn/ })
      .locator('.size')
      .boundingBox())!
    expect(size.x + size.width - name.x).toBeLessThan(1700)
    const head = (await page.locator('section[aria-label="Library"] .head .size').boundingBox())!
    expect(Math.abs(head.x + head.width - size.x - size.width)).toBeLessThan(2)
  })

  test('names in a narrow outliner, whose tags are shown whole or not at all', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 1440, height: 900 } })
    await openFromLibrary(page, /Zero Hour\/Art\/W3D/)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await outliner.getByRole('treeitem', { name: /MUZZLE01/ }).waitFor()
    const shown = () =>
      outliner.locator('.plain').evaluateAll((lists: any[]) =>
        lists.map((list) => {
          const box = list.getBoundingClientRect()
          const [tag] = list.querySelectorAll('.tag')
          const own = tag.getBoundingClientRect()
          if (own.top > box.top + 8) return 'none'
          return own.left >= box.left - 1 && own.right <= box.right + 1 ? 'whole' : 'cut'
        }),
      )
    await expect.poll(async () => (await shown()).length).toBeGreaterThan(3)
    await expect.poll(shown).not.toContain('cut')
    await page.setViewportSize({ width: 2560, height: 1440 })
    await expect.poll(async () => [...new Set(await shown())]).toEqual(['whole'])
    await page.setViewportSize({ width: 1024, height: 700 })
    await expect.poll(async () => [...new Set(await shown())]).toEqual(['none'])
  })
})
