/** The structure panel: every typed field is given another value in its row, by keyboard, and the file says no below it. */
import { describe, expect, test } from './harness.ts'
import { openFromLibrary, runCommand } from './steps.ts'

describe('a field in the structure panel', () => {
  test('is edited in its row, undone, and refused in a line', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    page.setDefaultTimeout(60_000)
    const signal = new AbortController().signal
    await openFromLibrary(page, /walker_skn/i)
    const info = async () => (await services.handlers['model.list']({}, { signal })).at(-1)!
    const value = async (path: string) => {
      const { id, primary } = await info()
      return (await services.handlers['fields.get']({ model: id, ref: primary, path }, { signal })).value
    }
    await runCommand(page, 'structure')
    const panel = page.locator('[data-panel="structure"]')
    await panel.getByRole('treeitem', { name: /^mesh\[0\]/ }).click()
    await page.keyboard.press('ArrowRight')
    await panel.getByRole('treeitem', { name: /^header/ }).click()
    const row = (name: string) =>
      panel
        .getByRole('row')
        .filter({ has: page.getByText(name, { exact: true }) })
        .first()

    await row('attributes').focus()
    await page.keyboard.press('Enter')
    const twoSided = panel.getByRole('checkbox', { name: 'twoSided' })
    await twoSided.check()
    await expect.poll(() => value('mesh[0].header.attributes.twoSided')).toBe('1')
    await panel.getByTitle('Differs from the original').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => value('mesh[0].header.attributes.twoSided')).toBe('0')
    await page.keyboard.press('Escape')
    await twoSided.waitFor({ state: 'detached' })

    await row('meshName').focus()
    await page.keyboard.press('F2')
    const name = panel.getByRole('textbox', { name: 'meshName' })
    await name.fill('a name of more than fifteen')
    await name.press('Enter')
    await panel.getByRole('alert').waitFor()
    await expect.poll(() => value('mesh[0].header.meshName')).toBe('BODYLO')
    await name.press('Escape')

    await row('numTris').focus()
    await page.keyboard.press('Enter')
    await panel.getByText('it follows from what the file holds').waitFor()
  })
})
