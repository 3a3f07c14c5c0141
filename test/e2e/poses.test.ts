/** Poses are kept under a name with a picture, found again after a restart, and put on bones by the keyboard. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'
import type { App } from './harness.ts'
import type { Page } from 'playwright'

const signal = (): { signal: AbortSignal } => ({ signal: new AbortController().signal })
const model = async ({ services }: App) => (await services.handlers['model.list']({}, signal())).at(-1)!
const history = async (app: App): Promise<string[]> => (await model(app)).history.undo
const changedKeys = async (app: App): Promise<number> => {
  const files = await app.services.handlers['model.changes']({ model: (await model(app)).id }, signal())
  return new Set(files.flatMap(({ changes }) => changes.map(({ entry }) => entry?.path))).size
}

async function goTo(page: Page, frame: number): Promise<void> {
  const time = page.getByLabel('Current frame', { exact: true })
  await time.fill(String(frame))
  await time.press('Enter')
  await time.blur()
}

describe('kept poses', () => {
  test('are kept, put on bones by shares and mirrored, renamed, removed and put back, given away, and there after a restart', async ({
    startApp,
    stateFolder,
  }) => {
    const app = await startApp({ sample: true, state: stateFolder })
    const { page } = app
    await openFromLibrary(page, /chara\/adventurer\.chr/)
    await page.keyboard.press('Alt+p')
    const panel = page.locator('[data-panel="poses"]')
    const form = panel.getByRole('form', { name: 'Keep the pose at the playhead' })
    const list = panel.getByRole('listbox', { name: 'Kept poses' })
    const pose = (name: string) => list.getByRole('option', { name })
    await panel.getByText('No poses are kept of this skeleton').waitFor()
    await goTo(page, 100)
    await form.getByLabel('Name of the new pose').fill('strike')
    await form.getByLabel('Group of the new pose').fill('fight')
    await page.keyboard.press('Enter')
    await pose('strike').waitFor()
    await expect
      .poll(() =>
        pose('strike')
          .locator('img')
          .evaluate((img: any) => img.naturalWidth),
      )
      .toBe(160)
    // on the ground of the theme, whichever it is: the picture has the figure and nothing behind it
    const alpha = pose('strike')
      .locator('img')
      .evaluate((img: any) => {
        const canvas = Object.assign(img.ownerDocument.createElement('canvas'), { width: 160, height: 160 })
        const context = canvas.getContext('2d')
        context.drawImage(img, 0, 0)
        const { data } = context.getImageData(0, 0, 160, 160)
        return { corner: data[3], shown: data.filter((value: number, i: number) => i % 4 === 3 && value === 255).length }
      })
    expect((await alpha).corner).toBe(0)
    expect((await alpha).shown).toBeGreaterThan(500)
    await expect.poll(() => history(app)).toEqual([])
    // of chosen bones alone
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    const row = (name: string) => outliner.getByRole('treeitem').filter({ hasText: name }).first()
    await row('upperarm_l').click()
    await form.getByText('Of one chosen bone').waitFor()
    await form.getByLabel('Name of the new pose').fill('arm')
    await form.getByLabel('Group of the new pose').fill('')
    await page.keyboard.press('Enter')
    await pose('arm').getByText('One bone').waitFor()
    await pose('strike').click({ button: 'right' })
    for (const name of ['Rename…', 'Put on bones mirrored']) await page.getByRole('menuitem', { name }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await pose('arm').click()
    await list.focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await expect.poll(() => panel.getByRole('group').locator('input').first().inputValue()).toBe('arm')
    await row('root').click()
    await row('root').click({ modifiers: ['Control'] })
    await form.getByText('Of all bones').waitFor()

    await goTo(page, 61)
    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect.poll(() => history(app)).toEqual(['Pose strike'])
    const adjust = page.getByRole('group', { name: 'Pose strike' })
    const share = adjust.getByLabel('Share', { exact: true })
    await expect.poll(() => changedKeys(app)).toBeGreaterThan(5)
    await share.fill('40')
    await share.press('Enter')
    await expect.poll(() => share.inputValue()).toBe('40')
    await expect.poll(() => history(app)).toEqual(['Pose strike'])
    // nothing of it is what was there: no key is written
    await share.fill('0')
    await share.press('Enter')
    await expect.poll(() => changedKeys(app)).toBe(0)
    await share.fill('100')
    await share.press('Enter')
    await expect.poll(() => changedKeys(app)).toBeGreaterThan(5)
    await app.screenshot('poses')
    await list.focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => history(app)).toEqual([])
    await expect.poll(() => changedKeys(app)).toBe(0)
    // one bone, mirrored: the other arm's keys alone
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+Enter')
    await expect.poll(() => history(app)).toEqual(['Pose arm, mirrored'])
    const [file] = await app.services.handlers['model.changes']({ model: (await model(app)).id }, signal())
    expect(file.nodes.filter(({ type }) => type === 'track').map(({ summary }) => summary)).toHaveLength(1)
    await list.focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => history(app)).toEqual([])

    await list.focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('left arm')
    await page.keyboard.press('Enter')
    await pose('left arm').waitFor()
    await panel.getByRole('searchbox', { name: 'Search poses' }).fill('figh')
    await expect.poll(() => list.getByRole('option').count()).toBe(1)
    await panel.getByRole('searchbox', { name: 'Search poses' }).fill('')
    await list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await pose('strike').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Put back' }).click()
    await pose('strike').waitFor()
    const download = page.waitForEvent('download')
    await panel.getByRole('button', { name: 'Write the poses of this skeleton to a file' }).click()
    const given = await download
    const bytes = readFileSync(await given.path())
    expect(given.suggestedFilename()).toMatch(/\.marrow-poses\.json$/)
    const takeIn = async (name: string, buffer: Buffer): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await panel.getByRole('button', { name: 'Take in poses from a file' }).click()
      await (await chooser).setFiles({ name, mimeType: 'application/json', buffer })
    }
    await takeIn('a.json', bytes)
    await page.getByText('Every pose of this file is here already').waitFor()
    await takeIn('b.json', Buffer.from('{}'))
    await panel.getByRole('alert').getByText('This is no file of poses that Marrow wrote').waitFor()
    // what is open is kept soon, not at once
    await expect
      .poll(async () => (await app.services.handlers['settings.get']({}, signal())).window.lastOpen ?? '')
      .toContain('adventurer.mds')
    await app.close()

    const again = await startApp({ state: stateFolder })
    await again.page.getByRole('listbox', { name: 'Kept poses' }).getByRole('option', { name: 'strike' }).waitFor({ timeout: 60_000 })
    await expect.poll(() => again.page.getByRole('listbox', { name: 'Kept poses' }).getByRole('option').count()).toBe(2)
  }, 240_000)
})
