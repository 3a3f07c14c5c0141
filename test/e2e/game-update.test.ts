/** The game updates a file under the mod: what differs is seen, the edits move onto it, and where both changed a place that is said. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { registry } from '../../src/main/formats/registry.ts'
import { marrow } from '../cli/run.ts'
import { describe, expect, test, type App } from './harness.ts'
import { openFromLibrary, saveEdits } from './steps.ts'

const MODEL = 'Zero Hour/Art/W3D/WALKER_SKN.W3D'
const MINE = 'mesh[0].header.attributes.twoSided'
const OTHER = 'mesh[1].header.attributes.twoSided'

const signal = new AbortController().signal

/** A mod with one field of a model that is its own, saved. */
async function withEdit({ page, services }: App, place: string): Promise<void> {
  await openFromLibrary(page, /^walker_skn$/)
  const { id, primary } = (await services.handlers['model.list']({}, { signal })).at(-1)!
  await services.handlers['fields.set']({ model: id, ref: primary, values: [{ path: MINE, value: '1' }] }, { signal })
  await saveEdits(page)
  expect(await valueIn(join(place, 'mod', MODEL), MINE)).toBe('1')
  await page
    .locator('header')
    .getByRole('button', { name: /^Close / })
    .click()
  await page.getByText(/^Scanned /).waitFor()
}

const valueIn = async (file: string, path: string): Promise<string> =>
  (await marrow(['field', 'get', file, path, '--json'], { registry })).json().field.value

/** The game's maker gives the file another value. */
async function update({ page, state }: App, path: string, value: string): Promise<void> {
  const set = await marrow(['field', 'set', join(state, 'sample', MODEL), path, value], { registry, stateFolder: join(state, 'other') })
  expect(set.status, set.err).toBe(0)
  await page.reload()
  const said = page.getByRole('status').filter({ hasText: 'The game updated 1 file after this mod was made from it' })
  await said.getByRole('button', { name: 'Show' }).click()
  await page
    .getByRole('list', { name: 'Updated files' })
    .getByRole('button', { name: /WALKER_SKN\.W3D$/ })
    .click()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 30_000 })
}

const line = (page: Page) => page.getByRole('alert').filter({ hasText: 'The game updated' })

describe('a game that was updated under the mod', () => {
  test('has the edits moved onto it, where it changed other places', async ({ startApp, place }) => {
    const app = await startApp({ sample: true, settings: { saveMode: 'mod-folder', modFolder: join(place, 'mod') } })
    const { page, state, screenshot } = app
    page.setDefaultTimeout(20_000)
    await withEdit(app, place)
    await update(app, OTHER, '1')
    await page.keyboard.press('Control+Shift+m')
    const mod = page.getByRole('dialog', { name: /^Mod of / })
    const updated = mod.getByRole('list', { name: 'Updated by the game' })
    await expect.poll(() => updated.innerText()).toMatch(/WALKER_SKN\.W3D\s+the game has [\d.]+ KB now\s+Open$/)
    await page.keyboard.press('Escape')
    await mod.waitFor({ state: 'detached' })
    await line(page).getByRole('button', { name: 'Compare' }).click()
    for (const at of [/^mesh\[0\]\.header\.attributes/, /^mesh\[1\]\.header\.attributes/]) await line(page).getByTitle(at).first().waitFor()
    await expect.poll(() => line(page).getByText('Changed by both').count()).toBe(0)
    await screenshot('game-updated')
    await line(page).getByRole('button', { name: 'Move my edits onto it' }).click()
    await page.getByText('Your edits stand on the updated files: saving writes them').waitFor()
    await saveEdits(page)
    for (const path of [MINE, OTHER]) expect(await valueIn(join(place, 'mod', MODEL), path)).toBe('1')
    // nothing is left to move
    await expect.poll(() => line(page).count()).toBe(0)
    expect(await valueIn(join(state, 'sample', MODEL), MINE)).toBe('0')
  }, 120_000)

  test('says what both changed, by a place whose end is there, and moves what fits', async ({ startApp, place }) => {
    const app = await startApp({
      sample: true,
      settings: { saveMode: 'mod-folder', modFolder: join(place, 'mod'), scale: 150 },
      size: { width: 1024, height: 700 },
    })
    const { page } = app
    page.setDefaultTimeout(20_000)
    await withEdit(app, place)
    const before = readFileSync(join(place, 'mod', MODEL))
    await update(app, 'mesh[0].header.attributes.hidden', '1')
    await line(page).getByRole('button', { name: 'Compare' }).click()
    const conflict = line(page).locator('.conflict')
    await conflict.waitFor()
    // the beginning of a place says little where its end is cut
    const at = conflict.locator('.middle-text')
    await expect.poll(() => at.getAttribute('title')).toMatch(/^mesh\[0\]\.header\.attributes/)
    await expect
      .poll(() => at.locator('.tail').evaluate((tail: any) => [tail.textContent, tail.scrollWidth > tail.clientWidth + 1]))
      .toEqual(['.header.attributes', false])
    await line(page).getByRole('button', { name: 'Move what fits' }).click()
    await page.getByText('Your edits stand on the updated files: saving writes them').waitFor()
    // all that was the mod's own is the game's now: undo has it back
    await page.keyboard.press('Control+z')
    await line(page).getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => line(page).count()).toBe(0)
    expect(readFileSync(join(place, 'mod', MODEL)).equals(before)).toBe(true)
  }, 120_000)
})
