/** What cannot be read is opened as it is, what a search found says why, two of one name are told apart, and a mod folder is browsed for in its place. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { formatSize } from '../../src/renderer/ui/format.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'
import { coveredBy } from './steps.ts'

const motions = sampleFiles().find(({ path }) => path.endsWith('models/adventurer.ifp'))!.bytes
const ped = sampleFiles().find(({ path }) => path.endsWith('peds/adventurer.dff'))!.bytes

describe('the library', () => {
  test('opens an error with its structure and bytes, says what a search found, tells two of one name apart, and refuses a mod folder in one line', async ({
    startApp,
    place,
  }) => {
    const home = realpathSync(place)
    for (const folder of ['game/one', 'game/two', 'game/anim', 'mods']) mkdirSync(join(home, folder), { recursive: true })
    for (const name of ['one/hero.dff', 'two/hero.dff']) writeFileSync(join(home, 'game', name), ped)
    writeFileSync(join(home, 'game', 'two', 'zz_hand_r.dff'), ped)
    // shared by all of them, and a part of none
    writeFileSync(join(home, 'game', 'anim', 'ped.ifp'), motions)
    writeFileSync(join(home, 'game', 'empty.dff'), '')
    writeFileSync(join(home, 'game', 'cut.dff'), ped.subarray(0, ped.length >> 1))
    const state = join(home, 'state')
    const services = createServices({ stateFolder: state, host: 'web', home })
    const { page, screenshot, close } = await startApp({
      services,
      state,
      folder: join(home, 'game'),
      size: { width: 1024, height: 700 },
      settings: { saveMode: 'mod-folder' },
    })
    page.setDefaultTimeout(30_000)
    const library = page.locator('section[aria-label="Library"]').first()
    await page.getByText(/^Scanned /).waitFor()
    await page.getByRole('contentinfo').getByRole('button', { name: '2 errors' }).click()
    await expect.poll(() => library.getByRole('button', { name: 'Errors 2' }).getAttribute('aria-pressed')).toBe('true')
    await library.getByRole('listbox').getByText('the file is empty').waitFor()
    // no parts are known of what could not be read
    const filters = library.getByRole('navigation', { name: 'Filter' })
    await expect.poll(() => filters.getByRole('button', { name: /^RenderWare/ }).count()).toBe(1)
    await expect.poll(() => filters.getByText('With', { exact: true }).count()).toBe(0)
    await library.getByRole('listbox').getByText('cut.dff').click()
    await page.keyboard.press('Enter')
    await page
      .getByRole('tree', { name: /structure/i })
      .getByText('cut.dff')
      .waitFor()
    // the first bytes of a clump
    await expect.poll(() => page.getByRole('region', { name: 'Bytes' }).textContent(), { timeout: 20_000 }).toContain('10000000')
    await screenshot('errors-structure')
    // nor is the picture empty without a word: it says why, and leads to the bytes
    await page.getByRole('tab', { name: 'Inspector' }).click()
    const said = page.locator('[data-panel="viewport"]').getByRole('status').filter({ hasText: 'cut.dff cannot be read: ' })
    expect(await accessFindings(page, 'picture of a spoiled file', '[data-panel="viewport"]')).toEqual([])
    await said.getByRole('button', { name: 'Show its bytes' }).click()
    await page.getByRole('region', { name: 'Bytes' }).waitFor()

    await page.getByRole('tab', { name: 'game' }).click()
    await library.getByLabel('Models 3', { exact: true }).click()
    // of its own: bones and bytes of the animations that all of them share are nobody's
    const first = library.getByRole('listbox').getByRole('option').first()
    await first.getByText('27 bones', { exact: true }).waitFor()
    await first.getByText(formatSize(ped.length), { exact: true }).waitFor()
    await filters.getByText('With', { exact: true }).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search the library' })
    await search.fill('hand_r')
    // whose name has it comes before who has it inside
    await expect.poll(() => first.textContent()).toContain('zz_hand_r')
    await library.getByRole('listbox').getByText('bone hand_r').first().waitFor()
    // the status bar counts what the search left, nothing too
    await search.fill('empty')
    await library.getByRole('button', { name: 'Models 0' }).waitFor()
    for (const counted of ['0 models', '0 files', '1 error'])
      await page.getByRole('contentinfo').getByText(counted, { exact: true }).waitFor()
    await search.fill('')
    // rows stand where they will be pressed
    await expect.poll(() => first.textContent()).toMatch(/^hero/)
    for (const folder of ['one', 'two']) {
      await library.getByRole('listbox').getByText(folder, { exact: true }).first().dblclick()
      await page.getByRole('main', { name: 'Model' }).waitFor()
      await page.getByRole('tab', { name: 'game' }).click()
    }
    for (const folder of ['one', 'two']) await page.getByRole('tab', { name: `hero, ${folder}` }).waitFor()

    // beside a whole model, and over it
    await page.getByRole('tab', { name: 'hero, two' }).click()
    await page.keyboard.press('y')
    const second = page.getByRole('region', { name: 'Second picture' })
    await second.getByRole('combobox').selectOption({ label: 'cut' })
    await second.getByRole('status').filter({ hasText: 'cut.dff cannot be read: ' }).waitFor()
    await second.getByRole('button', { name: 'Over each other' }).click()
    await page.getByText(/^cut\.dff cannot be read: /).waitFor()
    await second.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'game' }).click()

    await page.getByRole('button', { name: 'Settings' }).click()
    const field = page.getByRole('textbox', { name: 'Mod folder' })
    await field.fill(join(home, 'game', 'mods'))
    await field.press('Enter')
    const refused = page.getByRole('alert').filter({ hasText: 'choose a folder beside the game' })
    await refused.waitFor()
    expect((await refused.boundingBox())!.height).toBeLessThanOrEqual(20)
    // names of folders, no paths
    await expect.poll(() => refused.textContent()).not.toContain(home)
    await expect.poll(() => coveredBy(page, '.refused')).toEqual([])
    await screenshot('mod-folder-refused')
    await page.getByRole('button', { name: 'Browse for the mod folder' }).click()
    const path = page.getByRole('textbox', { name: 'Folder path' })
    await path.fill('~/mods')
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue(), { timeout: 10_000 }).toBe(join(home, 'mods'))
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await close()
  })
})
