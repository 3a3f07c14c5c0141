/** Who comes for the first time is led from a folder to a saved edit: each step is done by the window or by its user, and the edit is one to undo. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'

const signal = new AbortController().signal

/** Bytes of every file below a folder. */
function bytesBelow(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(files.map((file) => [join(file.parentPath, file.name), readFileSync(join(file.parentPath, file.name), 'latin1')]))
}
const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...after.keys()].filter((path) => after.get(path) !== before.get(path))

describe('the first steps', () => {
  test('lead from a folder to a saved edit, each a real one', async ({ startApp }) => {
    const { page, services, screenshot } = await startApp()
    page.setDefaultTimeout(20_000)
    const games = page.getByRole('region', { name: 'Games whose files are read and written' })
    for (const game of ['Dark Cloud', 'San Andreas', 'Zero Hour', 'Lost Saga']) await games.getByText(game).first().waitFor()
    expect(await accessFindings(page, 'welcome of a first start')).toEqual([])
    await page.getByRole('button', { name: 'First steps' }).click()
    const strip = page.getByRole('region', { name: 'First steps' })
    const next = strip.getByRole('button', { name: 'Do it for me' })
    const at = (name: string) => strip.locator('[aria-current=step]').filter({ hasText: name }).waitFor()
    await at('Folder')
    await screenshot('first-steps')
    await next.click()
    await at('Model')
    const { sample } = await services.handlers['app.info']({}, { signal })
    const before = bytesBelow(sample)
    await next.click()
    await at('Play')
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor()
    // a step that its user takes counts as well
    await page.keyboard.press('Space')
    await at('Edit')
    await next.click()
    await at('Save')
    await screenshot('first-steps-edited')
    const [info] = await services.handlers['model.list']({}, { signal })
    expect(info.history.undo).toEqual([expect.stringMatching(/^Turn .+ by 20°$/)])
    // taken back, the step is there again; so is the edit
    await page.getByRole('button', { name: /^Undo/ }).click()
    await at('Edit')
    await page.getByRole('button', { name: /^Redo/ }).click()
    await at('Save')
    expect(changed(before, bytesBelow(sample))).toEqual([])
    await next.click()
    await strip.getByText('That was all of it').waitFor()
    expect(changed(before, bytesBelow(sample))).toHaveLength(1)
    await strip.getByRole('button', { name: 'Show Changes' }).click()
    await page.locator('[data-panel="changes"]').waitFor()
    await page.setViewportSize({ width: 800, height: 600 })
    await page.emulateMedia({ colorScheme: 'light' })
    await screenshot('first-steps-done')
    await strip.getByRole('button', { name: 'Leave the first steps' }).click()
    await strip.waitFor({ state: 'detached' })
  }, 120_000)
})
