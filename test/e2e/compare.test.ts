/** Two files and two folders side by side: chosen by the right button, by paths and versions; as structure, as text and in the picture. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from './harness.ts'
import { typeAndPress } from './steps.ts'

describe('comparing', () => {
  test('folders from the tree of the library: two of them, and one with what is named', async ({ startApp }) => {
    const { page, state } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const game = join(state, 'sample', 'Dark Cloud 2')
    cpSync(join(game, 'adventurer'), join(game, 'second'), { recursive: true })
    const script = join(game, 'second', 'info.cfg')
    writeFileSync(script, readFileSync(script, 'latin1').replace('50, 80,', '50, 79,'), 'latin1')
    await page.locator('section[aria-label="Library"]').getByRole('button', { name: 'Scan for changes' }).click()
    const folders = page.getByRole('tree', { name: 'Folders' })
    const row = (name: RegExp) => folders.getByRole('treeitem', { name })
    const menu = async (name: RegExp): Promise<void> => {
      await row(name).click()
      await page.keyboard.press('ContextMenu')
    }
    // by keyboard: the tree opens below the game, and the menu key is that of the row
    await row(/^Dark Cloud 2/).click()
    await page.keyboard.press('ArrowRight')
    await row(/^second/).waitFor({ timeout: 30_000 })
    await menu(/^adventurer/)
    await page.getByRole('menuitem', { name: 'Compare with…' }).waitFor()
    await page.getByRole('menuitem', { name: 'Select for compare' }).click()
    // not with itself
    await menu(/^adventurer/)
    await page.getByRole('menuitem', { name: 'Compare with…' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Compare with adventurer' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await menu(/^second/)
    await page.getByRole('menuitem', { name: 'Compare with adventurer' }).click()
    const panel = page.getByRole('dialog', { name: 'Compare' })
    const list = panel.getByRole('tree', { name: 'Differences' })
    await list.getByRole('treeitem', { name: /^info\.cfg, changed/ }).waitFor({ timeout: 30_000 })
    // what differs has a menu, too, and the panel stays
    await list.getByRole('treeitem', { name: /^info\.cfg, changed/ }).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+F10')
    for (const name of ['Copy place in the file', 'Copy value of A', 'Copy value of B'])
      await page.getByRole('menuitem', { name }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => panel.getByRole('textbox', { name: 'A' }).inputValue()).toBe(join(game, 'adventurer'))
    await expect.poll(() => panel.getByRole('textbox', { name: 'B' }).inputValue()).toBe(join(game, 'second'))
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await menu(/^second/)
    await page.getByRole('menuitem', { name: 'Compare with…' }).click()
    await expect.poll(() => panel.getByRole('textbox', { name: 'A' }).inputValue()).toBe(join(game, 'second'))
    await panel.getByRole('textbox', { name: 'B' }).fill(join(game, 'adventurer'))
    await page.keyboard.press('Enter')
    await list.getByRole('treeitem', { name: /^info\.cfg, changed/ }).waitFor({ timeout: 30_000 })
  })

  test('what was selected with what is chosen then; by structure, as text, in the picture', async ({ startApp }) => {
    const { page, state } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const game = join(state, 'sample', 'Dark Cloud 2')
    cpSync(join(game, 'adventurer'), join(game, 'second'), { recursive: true })
    const script = join(game, 'second', 'info.cfg')
    writeFileSync(script, readFileSync(script, 'latin1').replace('50, 80,', '50, 79,'), 'latin1')
    const library = page.locator('section[aria-label="Library"]')
    await library.getByRole('button', { name: 'Scan for changes' }).click()
    const rows = library.getByRole('listbox')
    const second = rows.getByRole('option').filter({ hasText: 'Dark Cloud 2/second' })
    await second.waitFor({ timeout: 30_000 })
    await rows.getByRole('option').filter({ hasText: 'Dark Cloud 2/adventurer' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Select for compare' }).click()
    await second.click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Compare with \S+\.\w+$/ }).click()
    const panel = page.getByRole('dialog', { name: 'Compare' })
    await panel.getByText('Every byte is the same').waitFor({ timeout: 30_000 })

    // whole models: the script is another one
    await panel.getByRole('button', { name: 'Whole models' }).click()
    const list = panel.getByRole('tree', { name: 'Differences' })
    await list.getByRole('treeitem', { name: /: 80 → 79$/ }).waitFor({ timeout: 30_000 })
    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => list.getByRole('treeitem').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await list.getByRole('treeitem', { name: /: 80 → 79$/ }).waitFor()
    await panel.getByRole('button', { name: 'As text' }).click()
    await panel.getByRole('option', { name: /80 -> 79/ }).waitFor()

    // folders, by their paths
    await panel.getByRole('button', { name: 'Whole models' }).click()
    await panel.getByRole('button', { name: 'By structure' }).click()
    for (const [side, folder] of [
      ['A', 'adventurer'],
      ['B', 'second'],
    ]) {
      await panel.getByRole('textbox', { name: side }).fill(join(game, folder))
      await panel.getByRole('textbox', { name: side }).press('Enter')
    }
    await list.getByRole('treeitem', { name: /^info\.cfg, changed/ }).waitFor({ timeout: 30_000 })
    // outside of what a window may name
    await panel.getByRole('textbox', { name: 'B' }).fill('/etc')
    await panel.getByRole('textbox', { name: 'B' }).press('Enter')
    await panel.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    // by the command, from where it was
    await page.keyboard.press('Alt+Shift+8')
    for (const [side, folder] of [
      ['A', 'adventurer'],
      ['B', 'second'],
    ]) {
      await panel.getByRole('textbox', { name: side }).fill(join(game, folder, 'info.cfg'))
      await panel.getByRole('textbox', { name: side }).press('Enter')
    }
    await list.getByRole('treeitem', { name: /: 80 → 79$/ }).waitFor({ timeout: 30_000 })
    await panel.getByRole('button', { name: 'In the picture' }).click()
    await page.locator('section.second').waitFor({ timeout: 60_000 })
    await expect.poll(() => page.locator('header').getByRole('tab').count()).toBe(3)
    // in one picture, clear of the panel
    await panel.getByRole('button', { name: 'Over each other' }).click()
    const laid = page.getByRole('group', { name: 'Model laid over this one' })
    await laid.getByText('Every vertex and bone is in the same place').waitFor({ timeout: 30_000 })
    // which says it all: nothing has a distance that a scale would tell
    await expect.poll(() => laid.locator('.ramp').count()).toBe(0)
    await expect.poll(() => laid.getByText('in the same place').count()).toBe(1)
    const [tools, side] = await Promise.all([laid.boundingBox(), panel.boundingBox()])
    expect(tools!.x + tools!.width).toBeLessThan(side!.x)
  })

  test('files of no open library in the picture, which the library stays behind; folders have none, and nothing chosen says how to', async ({
    startApp,
    place,
  }) => {
    const { page, state } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const game = join(state, 'sample', 'Dark Cloud 2')
    cpSync(join(game, 'adventurer'), join(place, 'elsewhere'), { recursive: true })
    cpSync(join(state, 'sample', 'Dark Cloud', 'chara', 'adventurer.chr'), join(place, 'apart', 'other.chr'))
    await page.keyboard.press('Alt+Shift+8')
    const panel = page.getByRole('dialog', { name: 'Compare' })
    await panel.getByText('Nothing to compare yet').waitFor()
    const choose = async (a: string, b: string): Promise<void> => {
      await panel.getByRole('textbox', { name: 'A' }).fill(a)
      await panel.getByRole('textbox', { name: 'B' }).fill(b)
      await panel.getByRole('textbox', { name: 'B' }).press('Enter')
    }
    await choose(game, join(place, 'elsewhere'))
    await panel.getByText('Folders have no picture').waitFor({ timeout: 30_000 })
    await expect.poll(() => panel.getByRole('button', { name: 'In the picture' }).count()).toBe(0)

    await choose(join(place, 'elsewhere', 'adventurer.mds'), '')
    // what comes of a path that was just typed takes no button from under the pointer
    await page.setViewportSize({ width: 720, height: 450 })
    await choose(join(place, 'elsewhere', 'adventurer.mds'), '/etc')
    await panel.getByRole('alert').waitFor()
    const b = join(place, 'apart', 'other.chr!adventurer.mds')
    await typeAndPress(page, panel.getByRole('textbox', { name: 'B' }), b, panel.getByRole('button', { name: 'In the picture' }), () =>
      panel.getByRole('button', { name: 'Copy' }).waitFor(),
    )
    await page.locator('section.second').waitFor({ timeout: 60_000 })
    // the model with its neighbours: the script beside it names its clips
    await expect.poll(() => page.locator('header').getByRole('tab').allTextContents()).toEqual(['sample', 'adventurer', 'other'])
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor()
  })
})
