/** Who comes for the first time is led from a folder to a saved edit: each step is done by the window or by its user, and the edit is one to undo. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'
import { runCommand } from './steps.ts'

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
    // a page that is loaded again goes on where it was, and with what was played
    await page.reload()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor()
    await at('Edit')
    // the first page lies over nothing that a step is about
    await page.getByRole('button', { name: 'Welcome page' }).click()
    await games.waitFor()
    await next.click()
    await games.waitFor({ state: 'detached' })
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

  test('say what the folder or the model does not have, and lead on', async ({ startApp, place }) => {
    const game = join(place, 'game')
    mkdirSync(game)
    const { page, services } = await startApp({ folder: game })
    page.setDefaultTimeout(20_000)
    await page.getByText('No models in this folder').filter({ visible: true }).waitFor()
    await runCommand(page, 'First steps')
    const strip = page.getByRole('region', { name: 'First steps' })
    const next = strip.getByRole('button', { name: 'Do it for me' })
    const status = page.getByRole('contentinfo')
    await next.click()
    await status.getByText('This folder has no models').waitFor()
    // a model that stands still
    writeFileSync(join(game, 'hero.dff'), sampleFiles().find(({ path }) => path.endsWith('peds/adventurer.dff'))!.bytes)
    await page.getByRole('button', { name: 'Scan again' }).click()
    await page.getByRole('listbox', { name: 'Models' }).getByText('hero', { exact: true }).waitFor()
    await next.click()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor()
    await next.click()
    await status.getByText('This model has no motion to play').waitFor()
    await status.getByRole('button', { name: 'Open the sample' }).click()
    const { sample } = await services.handlers['app.info']({}, { signal })
    await status.getByText(sample).waitFor()
    await strip.locator('[aria-current=step]').filter({ hasText: 'Model' }).waitFor()
  })
})
