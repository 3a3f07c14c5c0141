/** The right button and the menu key: each place has its menu, with what holds there; the right button that is dragged opens none. */
import type { Locator, Page } from 'playwright'
import { openFromLibrary } from './steps.ts'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any

const menu = (page: Page): Locator => page.getByRole('menu')
const labels = async (page: Page): Promise<string[]> => {
  await menu(page).waitFor()
  return page.locator('.context-menu .line .grow').allInnerTexts()
}
/** Escape closes it, and what had the focus has it again. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await left(page)
}
async function left(page: Page): Promise<void> {
  await menu(page).waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement !== document.body)
}
/** It runs once the menu is gone. */
async function choose(page: Page, name: string): Promise<void> {
  await item(page, name).click()
  await left(page)
}
const item = (page: Page, name: string): Locator => menu(page).locator('[role^=menuitem]').filter({ hasText: name })
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim())
const highlighted = (page: Page): Promise<string> =>
  page.locator('.context-menu .line[data-highlighted] .grow').innerText({ timeout: 5000 })

describe('menus', () => {
  test('of the outliner hold for the kind of the row, by mouse and by keyboard', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    const tree = page.getByRole('tree', { name: 'Outliner' })
    await tree.getByRole('treeitem', { name: 'pelvis' }).click({ button: 'right' })
    await expect.poll(() => menu(page).getAttribute('aria-labelledby')).not.toBe('')
    const ofBone = await labels(page)
    for (const label of ['Frame the selection', 'Rename…', 'Choose parent…', 'Take the chosen bone', 'Open all below'])
      expect(ofBone).toContain(label)
    // what is asked for in the inspector has the focus there
    await choose(page, 'Rename…')
    await expect.poll(() => page.evaluate(() => document.activeElement.value)).toBe('pelvis')
    await tree.getByRole('treeitem', { name: 'pelvis' }).click({ button: 'right' })
    await choose(page, 'Choose it with all below')
    await expect.poll(() => tree.locator('[aria-selected=true]').count()).toBeGreaterThan(5)
    // one of several: they stay chosen
    await tree.getByRole('treeitem', { name: /^spine/ }).click({ button: 'right' })
    await leave(page)
    await expect.poll(() => tree.locator('[aria-selected=true]').count()).toBeGreaterThan(5)

    // by keyboard: at the row, arrows, ends, first letters, Escape
    await tree.getByRole('treeitem', { name: 'pelvis' }).click()
    // a menu hides all else from readers, so its place is asked for before
    const row = (await tree.getByText('pelvis').boundingBox())!
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).toEqual(ofBone)
    const box = (await page.locator('.context-menu').boundingBox())!
    expect(Math.abs(box.x - row.x)).toBeLessThan(120)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => highlighted(page)).toBe('Frame the selection')
    await page.keyboard.press('End')
    await expect.poll(() => highlighted(page)).toBe('Close all below')
    await page.keyboard.press('Home')
    await page.keyboard.press('c')
    await expect.poll(() => highlighted(page)).toBe('Choose it with all below')
    await leave(page)
    await expect.poll(() => focused(page)).toBe('Outliner')
    // what it runs is what the tree's own key runs
    await page.keyboard.press('Shift+F10')
    await menu(page).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(() => tree.getByRole('treeitem', { name: 'pelvis' }).getAttribute('aria-expanded')).toBe('false')

    await tree
      .getByRole('treeitem', { name: /^weapon/ })
      .last()
      .click({ button: 'right' })
    await choose(page, 'Hide mesh')
    await tree.getByRole('button', { name: 'Show mesh weapon' }).waitFor()
  })

  test('of tabs close models, and lead back to the library', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    const tabs = page.locator('header').getByRole('tab')
    await tabs.nth(1).click({ button: 'right' })
    await choose(page, 'Show in the library')
    const chosen = page.locator('.library [role=option][aria-selected=true]:visible')
    await expect.poll(() => chosen.innerText()).toContain('Dark Cloud 2')
    await page.locator('.library [role=option]:visible').filter({ hasText: 'San Andreas/models/peds' }).first().dblclick()
    await expect.poll(() => tabs.count()).toBe(3)
    // the tab that is not shown, by keyboard
    await tabs.nth(2).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).toContain('Close the other models')
    await leave(page)
    await expect.poll(() => focused(page)).toMatch(/^adventurer/)
    await page.keyboard.press('Shift+F10')
    await choose(page, 'Close the other models')
    await expect.poll(() => tabs.count()).toBe(2)
    await tabs.nth(0).click({ button: 'right' })
    await expect.poll(() => labels(page)).toContain('Scan for changes')
    await leave(page)
    await tabs.nth(1).click({ button: 'right' })
    await item(page, 'Close all models').click()
    await expect.poll(() => tabs.count()).toBe(1)
  })

  test('of the picture opens on a press that stays; one that is dragged moves the camera alone', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    await atRest(page)
    const canvas = page.locator('canvas.picture')
    const { x, y, width, height } = (await canvas.boundingBox())!
    const before = await pixelsOf(canvas)
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down({ button: 'right' })
    await page.mouse.move(x + width / 2 + 80, y + height / 2, { steps: 4 })
    await page.mouse.up({ button: 'right' })
    await atRest(page)
    await expect.poll(() => menu(page).count()).toBe(0)
    expect(Buffer.compare(before.rgba, (await pixelsOf(canvas)).rgba)).not.toBe(0)

    await page.keyboard.press('Shift+f')
    await atRest(page)
    await page.mouse.click(x + width / 2, y + height / 2, { button: 'right' })
    await expect.poll(() => labels(page)).toContain('Hide mesh')
    await choose(page, 'Hide mesh')
    await atRest(page)
    // beside the model it is about the picture, with its switches
    await page.mouse.click(x + width * 0.12, y + height * 0.6, { button: 'right' })
    await expect.poll(() => labels(page)).toContain('Show all meshes')
    const grid = menu(page).getByRole('menuitemcheckbox', { name: 'Grid' })
    await expect.poll(() => grid.getAttribute('aria-checked')).toBe('true')
    await choose(page, 'Grid')
    await expect.poll(() => page.getByRole('button', { name: /^Grid/ }).getAttribute('aria-pressed')).toBe('false')
    // the menu key asks about what is chosen
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem', { name: 'pelvis' }).click()
    await canvas.focus()
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).toContain('Turn the chosen bone')
    await leave(page)
    await expect.poll(() => canvas.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('of the timeline are about keys, their rows and slices; of the changes about what differs', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    const sheet = page.getByRole('tree', { name: 'Keys', exact: true })
    await sheet.getByText('pelvis', { exact: true }).waitFor()
    await sheet.getByText('pelvis', { exact: true }).click({ button: 'right' })
    await expect.poll(() => labels(page)).not.toContain('Insert keys here')
    await choose(page, 'Choose keys of this row')
    await page.getByRole('group', { name: 'Chosen keys' }).waitFor()
    const row = (await sheet.getByText('pelvis', { exact: true }).boundingBox())!
    const keysAt = (await sheet.locator('canvas').boundingBox())!
    await page.mouse.click(keysAt.x + keysAt.width - 30, row.y + row.height / 2, { button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Cut the chosen keys', 'Insert keys here', 'Smooth keys']))
    await leave(page)
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).not.toContain('Insert keys here')
    await choose(page, 'Delete the chosen keys')
    await expect.poll(() => page.getByRole('group', { name: 'Chosen keys' }).count()).toBe(0)
    await page.keyboard.press('Control+z')

    await page.keyboard.press('c')
    const curves = page.getByRole('group', { name: 'Curves' }).locator('canvas')
    await curves.click({ button: 'right', position: { x: 300, y: 8 } })
    await expect.poll(() => labels(page)).toContain('Insert keys here')
    await expect.poll(() => menu(page).getByRole('menuitemcheckbox', { name: 'Curves' }).getAttribute('aria-checked')).toBe('true')
    await leave(page)

    const table = page.getByRole('grid', { name: 'Slices' })
    await table.getByRole('row').nth(1).click({ button: 'right' })
    await expect.poll(() => labels(page)).toContain('Replace window from file…')
    await choose(page, 'Duplicate slice')
    await expect.poll(() => table.getByRole('row').count()).toBe(6)
    await page.locator('.bar .body').nth(2).click({ button: 'right' })
    await choose(page, 'Delete slice')
    await expect.poll(() => table.getByRole('row').count()).toBe(5)
    await table.getByRole('row').first().click({ button: 'right' })
    await choose(page, 'Duplicate slice')
    await expect.poll(() => table.getByRole('row').count()).toBe(6)

    await page.keyboard.press('Alt+8')
    const changes = page.getByRole('tree', { name: 'Changes' })
    const file = changes.getByRole('treeitem', { name: /^info\.cfg/ }).first()
    await file.click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Show structure and bytes', 'Copy path']))
    await choose(page, 'Restore file')
    await expect.poll(() => file.count(), { timeout: 20_000 }).toBe(0)
    // nothing differs any more: the keyboard is still in the panel
    await expect.poll(() => page.evaluate(() => document.activeElement.closest('[data-panel]')?.dataset.panel)).toBe('changes')
  })

  test('of tabs of panels, the ruler, fields and vertices', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    const library = page.getByRole('region', { name: 'Library' })
    await library.getByText(/^Scanned /).waitFor({ timeout: 90_000 })
    await library.getByRole('treeitem', { name: 'All folders' }).click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Scan for changes', 'Copy path']))
    await leave(page)
    // the pane has what the row has that it is about
    const row = library.getByRole('option').filter({ hasText: 'Lost Saga/resource/mesh' }).first()
    await row.click({ button: 'right' })
    const ofRow = await labels(page)
    await leave(page)
    const pane = page.getByRole('complementary', { name: 'Preview' })
    await pane.locator('.stage').click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(ofRow)
    await item(page, 'Open').first().click()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })

    const tab = page.getByRole('tab', { name: 'Outliner' })
    await tab.click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(['Close Outliner', 'Reset the panels'])
    await leave(page)
    await tab.focus()
    await page.keyboard.press('Shift+F10')
    await item(page, 'Close Outliner').click()
    await expect.poll(() => tab.count()).toBe(0)
    await page.getByRole('tab', { name: 'Viewport' }).click({ button: 'right' })
    await item(page, 'Reset the panels').click()
    await tab.waitFor()

    const ruler = page.locator('canvas.ruler')
    const playhead = async (): Promise<number> => Number(await ruler.getAttribute('aria-valuenow'))
    const before = await playhead()
    await ruler.click({ button: 'right', position: { x: 200, y: 8 } })
    await expect.poll(() => labels(page)).toContain('Add a marker at the playhead')
    expect(await playhead()).toBe(before)
    await choose(page, 'Playhead to here')
    await expect.poll(playhead).toBeGreaterThan(before)
    await ruler.focus()
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).not.toContain('Playhead to here')
    await leave(page)

    await page.keyboard.press('Alt+5')
    const structure = page.locator('[data-panel="structure"]')
    await structure.getByRole('treeitem').first().click()
    const field = structure.getByRole('grid', { name: 'Fields' }).getByRole('row').first()
    await field.click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Copy value', 'Copy place in the file']))
    await leave(page)
    await page.keyboard.press('Alt+6')
    await page.getByRole('grid', { name: 'Vertices' }).getByRole('row').nth(2).click({ button: 'right' })
    await expect.poll(async () => (await labels(page)).some((label) => label.endsWith(': show on the mesh'))).toBe(true)
    await leave(page)
    await page.locator('[data-panel="weights"]').getByRole('button', { name: 'Bones', exact: true }).click()
    await page.getByRole('grid', { name: 'Bones of the skin' }).getByRole('row').nth(2).click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Its vertices', 'To its bone', 'Copy name']))
    await leave(page)
  })

  test('of problems have the place, the words and the rule', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /San Andreas\/models\/peds/)
    await page.keyboard.press('Alt+7')
    const rows = page.getByRole('grid', { name: 'Problems' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(2)
    await rows.first().click({ button: 'right' })
    const own = await labels(page)
    for (const label of ['Show structure and bytes', 'Copy message', 'Show in the library']) expect(own).toContain(label)
    await choose(
      page,
      own.find((label) => label.startsWith('Look for renderware.'))!,
    )
    await expect.poll(() => rows.count()).toBe(1)
    await rows.first().click()
    await page.keyboard.press('Shift+F10')
    await choose(page, 'Show structure and bytes')
    // and so have the parts of a file
    const parts = page.getByRole('tree', { name: /structure/i }).getByRole('treeitem')
    await parts.first().click({ button: 'right' })
    await choose(page, 'Close all below')
    await expect.poll(() => parts.count()).toBe(1)
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Copy name', 'Copy path']))
    await choose(page, 'Open all below')
    await expect.poll(() => parts.count()).toBeGreaterThan(5)
  })

  test('of the status bar have the message that stands there, and what its parts are about', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    const status = page.getByRole('contentinfo')
    await page.locator('canvas.picture').focus()
    await status.getByText('Level-5').click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Changes', 'Problems', 'Copy path', 'Show in the library']))
    await choose(page, 'Copy path')
    await status
      .getByText(/copied|clipboard/)
      .first()
      .waitFor()
    // by keyboard at one of its buttons
    await status.getByRole('button', { name: 'Saved' }).focus()
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).toContain('Copy message')
    await leave(page)
    await expect.poll(() => focused(page)).toBe('Saved')
    await page.keyboard.press('Control+Shift+l')
    await status.locator('.file').or(status.locator('.notice')).last().click({ button: 'right' })
    await expect.poll(() => labels(page)).toEqual(expect.arrayContaining(['Scan for changes', 'Copy path']))
    await leave(page)
  })

  test('of files of the model, of steps and of kept originals', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    const inspector = page.locator('[data-panel="inspector"]')
    const script = inspector.getByRole('button', { name: /^info\.cfg/ }).first()
    await script.click({ button: 'right' })
    const ofFile = await labels(page)
    for (const label of ['Show structure and bytes', 'Add files to the model…', 'Copy path']) expect(ofFile).toContain(label)
    await leave(page)
    // the menu key asks below the line, and gives the focus back to it
    await script.focus()
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => labels(page)).toEqual(ofFile)
    await leave(page)
    await expect.poll(() => focused(page)).toContain('info.cfg')

    await page.getByRole('grid', { name: 'Slices' }).getByRole('row').nth(1).click()
    await page.keyboard.press('Control+d')
    await page.locator('header').getByRole('button', { name: 'Save', exact: true }).waitFor()
    await page.keyboard.press('Alt+9')
    const steps = page.getByRole('listbox', { name: 'History' })
    await expect.poll(() => steps.getByRole('option').count()).toBe(2)
    await steps.getByRole('option').first().click({ button: 'right' })
    const ofStep = await labels(page)
    for (const label of ['Go back to here', 'Undo', 'Copy name']) expect(ofStep).toContain(label)
    // Redo has nothing to do
    expect(ofStep).not.toContain('Redo')
    await choose(page, 'Go back to here')
    await expect.poll(() => steps.getByRole('option').first().getAttribute('aria-current')).toBe('step')
    await steps.getByRole('option').last().click({ button: 'right' })
    await choose(page, 'Go forward to here')
    await expect.poll(() => steps.getByRole('option').last().getAttribute('aria-current')).toBe('step')

    // saved and taken back: what is on disk has a kept original, and what is open is as that
    await page.keyboard.press('Control+s')
    await page.getByText(/^Saved 1 file,/).waitFor()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Alt+8')
    const kept = page.getByRole('list', { name: 'Kept originals' }).getByRole('listitem')
    await kept.click({ button: 'right' })
    const ofKept = await labels(page)
    for (const label of ['Restore original', 'Copy hash', 'Copy path']) expect(ofKept).toContain(label)
    // asked for twice, as by its button
    await choose(page, 'Restore original')
    await kept.getByRole('button', { name: 'Really restore?' }).waitFor()
  })
})
