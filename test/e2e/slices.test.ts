/** Slices and what is chosen beside them: extracted, put back, moved; clips that follow a click; slices of Marrow's own where the game keeps none. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { atRest, describe, expect, pixelsOf, test } from './harness.ts'
import { runCommand } from './steps.ts'

async function open(page: Page, place: RegExp): Promise<void> {
  page.setDefaultTimeout(20_000)
  await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
  await page.locator('section[aria-label="Library"] [role=listbox]').getByText(place).first().dblclick()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 30_000 })
}

const timeline = (page: Page, name: string) => page.getByRole('toolbar', { name: 'Timeline tools' }).getByRole('button', { name })

describe('a slice', () => {
  test('is put back from the file that was taken out of it, and says in Changes where it moved', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await open(page, /Dark Cloud\/chara/)
    await page.getByLabel('Start of slice 2', { exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), timeline(page, 'Extract slice as an animation file').click()])
    const bytes = readFileSync(await download.path())
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), timeline(page, 'Replace window from file…').click()])
    await chooser.setFiles({ name: 'attack.mot', mimeType: '', buffer: bytes })
    await page.getByText('攻撃 plays attack.mot now').waitFor({ timeout: 20_000 })
    // what is none of the game's is refused in words
    const [other] = await Promise.all([page.waitForEvent('filechooser'), timeline(page, 'Replace window from file…').click()])
    await other.setFiles({ name: 'notes.txt', mimeType: '', buffer: Buffer.from('no motion') })
    await page.getByRole('alert').first().waitFor()
    // and what can be no motion of the list, which is none of its rows'
    await page.keyboard.press('Escape')
    await page.getByLabel('Start of slice 2', { exact: true }).click()
    await timeline(page, 'More for clips').click()
    const [wrong] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('dialog', { name: 'More for clips' }).getByRole('button', { name: 'Add clips from a file…' }).click(),
    ])
    await wrong.setFiles({ name: 'notes.txt', mimeType: '', buffer: Buffer.from('no motion') })
    await expect.poll(() => page.locator('.table-message.error').allTextContents()).toEqual(['no format knows this file'])

    await page.keyboard.press('Control+z')
    for (let i = 0; i < 2; i++) {
      const up = timeline(page, 'Move slice up')
      await up.click()
      await page.getByRole('row', { name: `Slice ${1 - i} 攻撃` }).waitFor()
    }
    await page
      .getByRole('tab', { name: /^Changes/ })
      .first()
      .click()
    await page.getByRole('tree', { name: 'Changes' }).getByText('moved from 2 to 0').waitFor({ timeout: 20_000 })
    await screenshot('slices-moved')
  }, 120_000)

  test("is Marrow's own where the game keeps none, and that is said", async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await open(page, /San Andreas\/models\/peds/)
    await page.getByRole('button', { name: /^Slices 0/ }).click()
    await page.getByText(/This game keeps no slices: those that you add are Marrow's own/).waitFor()
    await timeline(page, "Add slice of Marrow's own: this game keeps none").click()
    await page.getByText("Marrow's own slices: this game keeps none").waitFor()
    // tools for bytes of the game's own slices are not there
    await expect.poll(() => timeline(page, 'Replace window from file…').count()).toBe(0)
    await expect.poll(() => timeline(page, 'Extract slice as an animation file').count()).toBe(0)
    await screenshot('slices-own')
  }, 120_000)
})

describe('the outliner', () => {
  test('says in its heads how many of all were found', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await open(page, /Dark Cloud\/chara/)
    const tree = page.getByRole('tree', { name: 'Outliner' })
    const bones = tree.getByRole('treeitem', { name: /^Bones, / })
    const all = /^Bones, (\d+)$/.exec((await bones.getAttribute('aria-label'))!)![1]
    await page.getByRole('searchbox', { name: 'Search the outliner' }).fill('upperarm')
    // those that they hang on are shown, too
    await expect.poll(() => bones.innerText()).toMatch(new RegExp(`Bones\\s+2 of ${all}$`))
    await expect.poll(() => bones.getAttribute('aria-label')).toBe(`Bones, 2 of ${all}`)
    await page.keyboard.press('Escape')
    await expect.poll(() => bones.getAttribute('aria-label')).toBe(`Bones, ${all}`)
  })

  test('a click on a clip is what timeline and picture show; a double click on a texture leaves the camera', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await open(page, /San Andreas\/models\/peds/)
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    await page.getByRole('searchbox', { name: 'Search the outliner' }).fill('attack')
    await outliner.locator('[data-kind="clip"]').first().click()
    await expect
      .poll(() => page.getByRole('grid', { name: 'Clips' }).getByRole('row', { selected: true }).getAttribute('aria-label'), {
        timeout: 10_000,
      })
      .toBe('attack')
    await page.getByRole('searchbox', { name: 'Search the outliner' }).fill('adventurer')
    const texture = outliner.locator('[data-kind="texture"]').first()
    // chosen first: what is chosen may show in the picture
    await texture.click()
    const picture = async (): Promise<Buffer> => {
      await atRest(page)
      return Buffer.from((await pixelsOf(page.locator('canvas').first())).rgba)
    }
    const before = await picture()
    await texture.dblclick()
    await page.getByRole('heading', { name: 'Texture' }).first().waitFor()
    // it is looked at in a panel of its own; without that the picture is as it was
    await page.locator('[data-panel="texture"]').waitFor()
    await runCommand(page, 'Close the panel')
    await page.locator('[data-panel="texture"]').waitFor({ state: 'detached' })
    expect((await picture()).equals(before)).toBe(true)
  }, 120_000)
})
