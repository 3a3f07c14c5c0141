/** Which of several files of one name the game reads, in the row of the library and in the inspector. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'

describe('files that stand twice', () => {
  test('have a sign that says which one the game reads, and why', async ({ startApp }) => {
    const { page, state } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const rows = page.locator('section[aria-label="Library"] [role=listbox]:visible')
    await rows.getByText('scout_skn').waitFor()
    await expect.poll(() => rows.getByRole('img', { name: /^The game reads/ }).count()).toBe(0)
    // a second archive of the same members: its name comes later
    const folder = join(state, 'sample', 'Zero Hour')
    cpSync(join(folder, 'WalkerParts.big'), join(folder, 'Zweite.big'))
    await page.locator('section[aria-label="Library"]').getByRole('button', { name: 'Scan for changes' }).click()
    const hidden = rows.getByRole('option').filter({ hasText: 'Zweite.big' }).first()
    await hidden.getByRole('img', { name: 'The game reads another one' }).waitFor({ timeout: 30_000 })
    const read = rows.getByRole('option').filter({ hasText: 'WalkerParts.big' }).first()
    await read.getByRole('img', { name: 'The game reads this one' }).waitFor()
    expect(await accessFindings(page, 'files that stand twice', 'main [role=listbox]')).toEqual([])
    // as tiles, too
    const bar = page.locator('section[aria-label="Library"]')
    await bar.getByRole('button', { name: 'Pictures' }).click()
    await rows.getByRole('img', { name: 'The game reads another one' }).first().waitFor()
    await bar.getByRole('button', { name: 'List' }).click()
    await hidden.click()
    const pane = page.getByRole('complementary', { name: 'Preview' })
    await pane.getByText(/first of their archives by name that has a file: WalkerParts\.big before Zweite\.big$/).waitFor()
    await hidden.dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 30_000 })
    await page
      .locator('[data-panel=inspector]')
      .getByText(/WalkerParts\.big before Zweite\.big$/)
      .first()
      .waitFor()
  })
})
