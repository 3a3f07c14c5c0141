/** A mod of an archive's members, chosen on its page to hold them as loose files: it holds just those, and no copy of the archive. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { newDff } from '../../src/main/formats/renderware/make.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { img2Bytes } from '../support/img.ts'
import { describe, expect, test } from './harness.ts'
import { saveEdits } from './steps.ts'

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()

describe('a mod of members of an archive', () => {
  test('holds its members as loose files and nothing else, where that is chosen for it', async ({ startApp, place }) => {
    const [game, mod] = [join(place, 'game'), join(place, 'mod')]
    mkdirSync(join(game, 'models'), { recursive: true })
    mkdirSync(mod)
    const ped = encodeDocument(dffFormat, newDff(pedModel())).bytes.slice()
    const archive = img2Bytes({ 'first.dff': ped, 'second.dff': ped, 'third.dff': ped })
    writeFileSync(join(game, 'models', 'gta3.img'), archive)
    const { page } = await startApp({ folder: game, settings: { saveMode: 'mod-folder', modFolder: mod } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.keyboard.press('Control+Shift+m')
    const panel = page.getByRole('dialog', { name: /^Mod of / })
    const layout = panel.getByRole('group', { name: 'Members of archives are saved' })
    await layout.getByRole('button', { name: 'In copies of the archives', pressed: true }).waitFor()
    await layout.getByRole('button', { name: 'As loose files' }).click()
    await layout.getByRole('button', { name: 'As loose files', pressed: true }).waitFor()
    await panel
      .getByText(/Mod Loader/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    const edit = async (name: string): Promise<void> => {
      await page.locator('header').getByRole('tab').first().click()
      await page.locator('section[aria-label="Library"] [role=listbox]').getByText(name, { exact: true }).first().dblclick()
      await page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor({ timeout: 60_000 })
      await page
        .getByRole('tree', { name: 'Outliner' })
        .getByRole('treeitem')
        .filter({ has: page.getByText('Spine', { exact: true }) })
        .click()
      const x = page.getByLabel('Inspector', { exact: true }).getByLabel('Rest position x', { exact: true })
      await x.fill('0.25')
      await x.press('Enter')
      await saveEdits(page)
    }
    await edit('first')
    await edit('second')
    expect(filesOf(mod)).toEqual(['modloader/mod/first.dff', 'modloader/mod/second.dff'])
    const loose = new Uint8Array(readFileSync(join(mod, 'modloader/mod/first.dff')))
    // a member is whole sectors
    expect(loose.length).toBe(2048)
    expect(loose.subarray(0, ped.length)).not.toEqual(ped)
    expect(new Uint8Array(readFileSync(join(game, 'models', 'gta3.img')))).toEqual(archive)
  })
})
