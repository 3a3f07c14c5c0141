/** A clip that the window made is a clip of the game's files: saved, it is found by a scan that knows nothing of it, and it moves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { writeSample } from '../../src/main/sample/write-sample.ts'
import { afterAll, beforeAll, describe, expect, test } from './harness.ts'
import { openFromLibrary, saveEdits } from './steps.ts'

const FAMILIES = [
  { family: 'Level-5', place: /Dark Cloud 2\/adventurer/, bone: 'spine', slices: true },
  { family: 'RenderWare', place: /San Andreas\/models\/peds/, bone: 'spine' },
  { family: 'W3D', place: /WALKER_SKN/i, bone: 'TURRET' },
  { family: 'Lost Saga', place: /Lost Saga\/resource\/skeleton/, bone: 'Bip01 Spine' },
  { family: 'Level-5, in a pack', place: /Dark Cloud\/chara/, bone: 'spine', slices: true },
  { family: 'W3D, in a BIG', place: /SCOUT_SKN/i, bone: 'TURRET' },
]

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-new-clip-'))
  await writeSample(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const table = (page: Page, slices = false): Locator => page.getByRole('grid', { name: slices ? 'Slices' : 'Clips' })

async function chooseBone(page: Page, bone: string): Promise<Locator> {
  const tree = page.getByRole('tree', { name: 'Outliner' })
  const search = page.getByLabel('Search the outliner')
  await search.fill(bone)
  await tree.getByRole('treeitem', { name: bone, exact: true }).first().click()
  await search.fill('')
  await page.keyboard.press('Alt+4')
  return page
    .locator('[data-panel="inspector"]')
    .getByRole('textbox', { name: /Rotation.* x/ })
    .first()
}

describe.each(FAMILIES)('a new clip of $family', ({ place, bone, slices }) => {
  test('is found and played after a fresh scan', async ({ startApp }) => {
    const first = await startApp({ folder })
    first.page.setDefaultTimeout(20_000)
    await openFromLibrary(first.page, place)
    const tools = first.page.getByRole('toolbar', { name: 'Timeline tools' })
    if (slices) {
      const rows = table(first.page, true).getByRole('row')
      const before = await rows.count()
      await rows.nth(1).click()
      await tools.getByRole('button', { name: 'More for clips', exact: true }).click()
      const popover = first.page.getByRole('dialog', { name: 'More for clips' })
      await popover.getByRole('button', { name: 'Duplicate with keys of its own' }).click()
      await expect.poll(() => rows.count()).toBe(before + 1)
    } else {
      await first.page.getByRole('button', { name: /^Clips \d/ }).click()
      await tools.getByRole('button', { name: 'New clip, without movement', exact: true }).click()
      const field = first.page.getByRole('textbox', { name: 'Name of clip new' })
      await field.fill('mine')
      await field.press('Enter')
      await table(first.page).getByRole('row', { name: 'mine', exact: true, selected: true }).waitFor()
    }
    const turn = await chooseBone(first.page, bone)
    const frame = first.page.getByLabel(/^Current (frame|ms)$/)
    await frame.focus()
    await first.page.keyboard.press('Escape')
    await first.screenshot(`new-clip-${bone}`)
    await first.page.keyboard.press('End')
    const end = Number(await frame.inputValue())
    await turn.fill('40')
    await turn.press('Enter')
    await expect.poll(async () => Math.round(Number(await turn.inputValue()))).toBe(40)
    await turn.blur()
    await saveEdits(first.page)
    const count = await table(first.page, slices).getByRole('row').count()
    await first.close()

    // nothing is known of the folder, and nothing of the clip
    const { page } = await startApp({ folder })
    page.setDefaultTimeout(20_000)
    await openFromLibrary(page, place)
    if (slices) {
      await expect.poll(() => table(page, true).getByRole('row').count()).toBe(count)
      await table(page, true).getByRole('row').last().click()
    } else {
      await page.getByRole('button', { name: /^Clips \d/ }).click()
      await table(page).getByRole('row', { name: 'mine', exact: true }).click()
    }
    const turned = await chooseBone(page, bone)
    const now = page.getByLabel(/^Current (frame|ms)$/)
    await page.getByRole('toolbar', { name: 'Playback' }).getByRole('button', { name: /^Play/ }).click()
    const from = Number(await now.inputValue())
    await expect.poll(async () => Number(await now.inputValue())).not.toBe(from)
    await page
      .getByRole('toolbar', { name: 'Playback' })
      .getByRole('button', { name: /^Pause/ })
      .click()
    await now.fill(String(end))
    await now.press('Enter')
    await expect.poll(async () => Math.round(Number(await turned.inputValue()))).toBe(40)
  }, 180_000)
})
