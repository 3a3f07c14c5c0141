/** Folders that are left out of the library: by keyboard and mouse, back by the message, the menu, the empty list and the settings, kept over a reload. */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { sampleTree } from '../support/service-bench.ts'
import { writeFiles } from '../workspace/support.ts'
import { describe, expect, test } from './harness.ts'

const shown = (page: Page, models: number) =>
  page.getByRole('button', { name: `Models ${models}`, exact: true }).waitFor({ timeout: 30_000 })

describe('a folder of the library', () => {
  test('is left out and taken in again, at its place in the tree', async ({ startApp, place }) => {
    const game = join(place, 'game')
    writeFiles(
      game,
      sampleTree((path) => /^(San Andreas\/models|Dark Cloud 2)\//.test(path)),
    )
    const { page, services, state } = await startApp({ folder: game })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await shown(page, 4)
    const tree = page.getByRole('tree', { name: 'Folders' })
    const row = (name: RegExp) => tree.getByRole('treeitem', { name })
    const list = page.getByRole('listbox', { name: 'Models' })

    // the keyboard alone: All folders, Dark Cloud 2, San Andreas
    await tree.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    await row(/^models/).waitFor()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Leave this folder out' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText("Left out 'San Andreas'").waitFor()
    await shown(page, 1)
    await row(/^San Andreas ?left out/).waitFor()
    await expect.poll(() => row(/^San Andreas/).getAttribute('aria-expanded')).toBeNull()
    await row(/^models/).waitFor({ state: 'detached' })
    // the folder is the one that is listed: the list says why it is empty
    await page.getByText('Left out of the library').filter({ visible: true }).waitFor()
    const library = (await services.handlers['library.open']({ root: game }, { signal: new AbortController().signal })).id
    expect(await services.handlers['library.leftOut']({ library }, { signal: new AbortController().signal })).toEqual(['San Andreas'])

    // what was done is undone
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText("Took 'San Andreas' in again").waitFor()
    await shown(page, 4)
    await row(/^San Andreas ?3/).waitFor()
    await list.getByText('adventurer_split').waitFor()

    // a folder in one, by mouse: those around it stay
    await row(/^All folders/).click()
    await row(/^models/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Leave this folder out' }).click()
    await shown(page, 1)
    await row(/^models ?left out/).waitFor()
    await list.getByText('adventurer', { exact: true }).waitFor()
    await page.reload()
    await row(/^San Andreas/).waitFor({ timeout: 30_000 })
    await row(/^San Andreas/).click()
    await page.keyboard.press('ArrowRight')
    await row(/^models ?left out/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Take this folder in again' }).click()
    await shown(page, 4)

    // another run has it, and lists it among the settings
    await row(/^models/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Leave this folder out' }).click()
    await shown(page, 1)
    await page.close()
    const again = await startApp({ folder: game, state })
    await again.page.getByRole('button', { name: 'Settings' }).click({ timeout: 30_000 })
    const settings = again.page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('heading', { name: 'Left out of game' }).waitFor()
    await settings.getByRole('button', { name: 'Take in again: San Andreas/models' }).click()
    await settings.getByRole('heading', { name: 'Left out of game' }).waitFor({ state: 'detached' })
    await shown(again.page, 4)
  }, 120_000)

  test('is left out while a scan runs: that one ends, and another has it right', async ({ startApp, place }) => {
    const game = join(place, 'game')
    writeFiles(
      game,
      sampleTree((path) => /^(San Andreas\/models|Dark Cloud 2)\//.test(path)),
    )
    const { page, services } = await startApp({ folder: game })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const scan = services.handlers['library.scan']
    let held = 0
    // a scan that does not end by itself
    services.handlers['library.scan'] = (args, options) => {
      if (held++ > 0) return scan(args, options)
      return new Promise((_resolve, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason as Error)))
    }
    await page.getByRole('button', { name: /^Scan/ }).click()
    await page
      .getByRole('tree', { name: 'Folders' })
      .getByRole('treeitem', { name: /^Dark Cloud 2/ })
      .click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Leave this folder out' }).click()
    await shown(page, 3)
    expect(held).toBe(2)
  }, 60_000)
})
