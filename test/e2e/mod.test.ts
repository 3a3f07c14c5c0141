/** The page of the mod: what is unsaved, what differs from the game on disk, and the way from there to the model and out as a package. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openFromLibrary, typeAndPress } from './steps.ts'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'

describe('the page of the mod', () => {
  test('follows an edit from the open model into the mod folder, and out as a package', async ({ startApp, place }) => {
    const { page, services } = await startApp({ sample: true, settings: { saveMode: 'mod-folder', modFolder: join(place, 'mod') } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    // from the library, too
    await page.keyboard.press('Control+Shift+m')
    const mod = page.getByRole('dialog', { name: /^Mod of / })
    await mod.getByText('No file differs from the game yet').waitFor()
    await expect.poll(() => mod.getByRole('textbox', { name: 'Mod folder' }).inputValue()).toBe(join(place, 'mod'))
    await expect.poll(() => mod.getByRole('button', { name: 'Export mod…' }).isDisabled()).toBe(true)
    mkdirSync(join(place, 'other'))
    // another folder is typed, and the list asked for before that one is taken: it comes with it, and stays
    const set = services.handlers['settings.set']
    const asked = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    services.handlers['settings.set'] = async (...args) => {
      await asked.promise
      try {
        return await set(...args)
      } finally {
        taken.resolve()
      }
    }
    const folder = mod.getByRole('textbox', { name: 'Mod folder' })
    const browse = mod.getByRole('button', { name: 'Browse for the mod folder' })
    await typeAndPress(page, folder, join(place, 'other'), browse)
    asked.resolve()
    await taken.promise
    services.handlers['settings.set'] = set
    await expect.poll(() => folder.inputValue()).toBe(join(place, 'other'))
    await expect.poll(() => browse.getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => mod.getByRole('textbox', { name: 'Folder path' }).inputValue()).toBe(join(place, 'other'))
    await mod.getByRole('textbox', { name: 'Folder path' }).press('Escape')
    await mod.getByRole('textbox', { name: 'Folder path' }).waitFor({ state: 'detached' })
    await folder.fill(join(place, 'mod'))
    await folder.press('Enter')
    // Enter leaves the field: Escape is the page's then
    await page.keyboard.press('Escape')
    await mod.waitFor({ state: 'detached' })

    await openFromLibrary(page, /Dark Cloud 2\/adventurer/)
    await page.getByRole('grid', { name: 'Slices' }).getByRole('row').nth(1).click()
    await page.keyboard.press('Control+d')
    await page.locator('header').getByRole('button', { name: 'Save', exact: true }).waitFor()
    await page.keyboard.press('Control+Shift+m')
    const unsaved = mod.getByRole('list', { name: 'Unsaved' })
    await expect.poll(() => unsaved.innerText()).toContain('adventurer: info.cfg')
    await unsaved.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('tree', { name: 'Changes' }).waitFor()

    await page.keyboard.press('Control+s')
    const changed = mod.getByRole('tree', { name: 'Changed files' })
    const file = changed.getByRole('treeitem', { name: /^Dark Cloud 2\/adventurer\/info\.cfg, .* was / })
    await file.waitFor()
    await expect.poll(() => unsaved.count()).toBe(0)
    await file.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy path' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })

    const given = page.waitForEvent('download')
    await mod.getByRole('button', { name: 'Export mod…' }).click()
    expect((await given).suggestedFilename()).toMatch(/\.marrow\.zip$/)

    // the model that has it is shown again
    await page.locator('header').getByRole('tab').first().click()
    await file.dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor()
    await expect.poll(() => page.locator('header').getByRole('tab').count()).toBe(2)
  })

  test('has what is unsaved in every tab, and saves all of it', async ({ startApp, place }) => {
    const folder = join(place, 'fifth')
    const { page, services } = await startApp({ sample: true, settings: { saveMode: 'mod-folder', modFolder: folder } })
    for (const model of [/Dark Cloud 2\/adventurer/, /Dark Cloud\/chara/]) {
      if (await page.getByRole('toolbar', { name: 'Playback' }).isVisible()) await page.locator('header').getByRole('tab').first().click()
      await openFromLibrary(page, model)
      await page.getByRole('grid', { name: 'Slices' }).getByRole('row').nth(1).click()
      await page.keyboard.press('Control+d')
      await page.locator('header').getByRole('button', { name: 'Save', exact: true }).waitFor()
      await page.getByRole('tab', { name: /unsaved edits/, selected: true }).waitFor()
    }
    await page.keyboard.press('Control+Shift+m')
    const mod = page.getByRole('dialog', { name: /^Mod of / })
    await expect.poll(() => mod.getByRole('list', { name: 'Unsaved' }).getByRole('listitem').count()).toBe(2)
    await mod.getByRole('button', { name: 'Save all models' }).click()
    await mod
      .getByRole('tree', { name: 'Changed files' })
      .getByRole('treeitem', { name: /^Dark Cloud\/chara\// })
      .waitFor()
    await expect.poll(() => mod.getByRole('list', { name: 'Unsaved' }).count()).toBe(0)
    const open = await services.handlers['model.list']({}, { signal: new AbortController().signal })
    expect(open.map(({ dirty }) => dirty)).toEqual([false, false])
    for (const file of ['Dark Cloud 2/adventurer/info.cfg', 'Dark Cloud/chara/adventurer.chr'])
      expect(existsSync(join(folder, file))).toBe(true)
  })

  test('checks what is not open, says what changed in each file, and leads to the places', async ({ startApp, place }) => {
    const folder = join(place, 'other')
    const { page, state } = await startApp({ sample: true, settings: { saveMode: 'mod-folder', modFolder: folder } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const script = join('Dark Cloud 2', 'adventurer', 'info.cfg')
    const text = readFileSync(join(state, 'sample', script), 'latin1')
    mkdirSync(join(folder, 'Dark Cloud 2', 'adventurer'), { recursive: true })
    // a window that ends before it begins
    writeFileSync(join(folder, script), text.replace('50, 80,', '50, -5,'), 'latin1')
    await page.keyboard.press('Control+Shift+m')
    const mod = page.getByRole('dialog', { name: /^Mod of / })
    const problems = mod.getByRole('tree', { name: 'Problems in what changed' })
    await problems.getByRole('treeitem', { name: /^Dark Cloud 2\/adventurer\/info\.cfg, 1 error/ }).waitFor({ timeout: 30_000 })
    const changed = mod.getByRole('tree', { name: 'Changed files' })
    const file = changed.getByRole('treeitem', { name: /info\.cfg, .*1 change, / })
    await file.click()
    await page.keyboard.press('ArrowRight')
    await changed.getByRole('treeitem', { name: /80 → -5/ }).waitFor()
    // a browser's page has no file manager
    await expect.poll(() => mod.getByRole('button', { name: 'Show in file manager' }).count()).toBe(0)
    await expect.poll(() => page.locator('header').getByRole('tab').count()).toBe(1)
    await problems.getByRole('treeitem', { name: /^error: / }).click()
    await page.getByRole('tree', { name: 'Structure' }).getByRole('treeitem', { selected: true }).waitFor({ timeout: 30_000 })
    await expect.poll(() => page.locator('header').getByRole('tab').count()).toBe(2)
    // open now: its problems are those that it has as it stands
    await problems.getByRole('treeitem', { name: /info\.cfg, 1 error/ }).waitFor()
    expect(await accessFindings(page, 'mod with changed files', '.side-panel')).toEqual([])
  })

  test('leaves out the middle of a long place, and no letter of its end', async ({ startApp, place }) => {
    const folder = join(place, 'fourth')
    const { page, state } = await startApp({ sample: true, settings: { saveMode: 'mod-folder', modFolder: folder } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    // a texture that the dictionary does not have
    const model = join('San Andreas', 'models', 'peds', 'adventurer.dff')
    mkdirSync(dirname(join(folder, model)), { recursive: true })
    writeFileSync(
      join(folder, model),
      Buffer.from(
        readFileSync(join(state, 'sample', model))
          .toString('latin1')
          .replace('adventurer\0', 'elsewhere0\0'),
        'latin1',
      ),
    )
    await page.keyboard.press('Control+Shift+m')
    const mod = page.getByRole('dialog', { name: /^Mod of / })
    const problem = mod
      .getByRole('tree', { name: 'Problems in what changed' })
      .getByRole('treeitem', { name: /^(warning|note|info): .*elsewhere0/ })
    await problem.waitFor({ timeout: 30_000 })
    const lost = () =>
      problem.locator('.tail').evaluate((tail: any) => {
        const whole = tail.cloneNode(true)
        whole.style.cssText = 'position: absolute; overflow: visible'
        tail.parentElement.append(whole)
        const [is, wanted] = [tail, whole].map((one) => one.getBoundingClientRect().width)
        whole.remove()
        return [tail.previousElementSibling.scrollWidth > tail.previousElementSibling.clientWidth, wanted - is]
      })
    await expect.poll(lost).toEqual([true, 0])
  })

  test('is tried in a folder that gets just what the game would read', async ({ startApp, place }) => {
    const [folder, tried] = [join(place, 'third'), join(place, 'tried')]
    const script = 'Dark Cloud 2/adventurer/info.cfg'
    const { page, state } = await startApp({ sample: true, settings: { saveMode: 'mod-folder', modFolder: folder } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    mkdirSync(join(folder, 'Dark Cloud 2', 'adventurer'), { recursive: true })
    const text = readFileSync(join(state, 'sample', script), 'latin1').replace('50, 80,', '50, 79,')
    writeFileSync(join(folder, script), text, 'latin1')
    await page.keyboard.press('Control+Shift+m')
    const mod = page.getByRole('dialog', { name: /^Mod of / })
    const field = mod.getByRole('textbox', { name: 'Test folder' })
    // what nobody filled in is no mistake
    await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull()
    // the game's own folder is none
    await field.fill(join(state, 'sample'))
    await field.press('Enter')
    await mod.getByRole('alert').waitFor()
    await field.fill(tried)
    await field.press('Enter')
    await mod.getByText('1 file to write').waitFor()
    expect(existsSync(tried)).toBe(false)
    await mod.getByRole('button', { name: 'Write test folder' }).click()
    await mod.getByText('Written: 1; taken away: 0').waitFor()
    expect(readFileSync(join(tried, script), 'latin1')).toBe(text)
    await expect.poll(() => mod.getByRole('button', { name: 'Write test folder' }).isDisabled()).toBe(true)
    expect(readdirSync(tried, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(1)
    // of another folder nothing was written
    cpSync(tried, join(place, 'copied'), { recursive: true })
    await field.fill(join(place, 'copied'))
    await field.press('Enter')
    await mod.getByText('Up to date', { exact: true }).waitFor()
  })
})
