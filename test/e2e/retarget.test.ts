/** The motion of one open model on another, in the window: shown first, applied as one step, taken back. */
import { describe, expect } from 'vitest'
import { test } from './harness.ts'
import { runCommand, typeAndPress } from './steps.ts'

describe('a motion from another model', () => {
  test('is shown on the model, applied as one step, and taken back', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true, size: { width: 1024, height: 700 } })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const context = { signal: new AbortController().signal }
    const models = page.getByRole('listbox', { name: 'Models' })
    await models.getByText('adventurer', { exact: true }).first().dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 30_000 })
    await page.getByRole('tab', { name: 'Library' }).click()
    await models.getByText('adventurer_split', { exact: true }).first().dblclick()
    await expect.poll(async () => (await services.handlers['model.list']({}, context)).length, { timeout: 30_000 }).toBe(2)
    // the page of the first one has a playback, too
    await page.getByRole('tab', { name: /adventurer_split/, selected: true }).waitFor({ timeout: 30_000 })
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 30_000 })
    const open = await services.handlers['model.list']({}, context)
    const target = open.find(({ name }) => name === 'adventurer_split')!
    const other = open.find(({ id }) => id !== target.id)!
    const steps = async (): Promise<string[]> => (await services.handlers['history.list']({ model: target.id }, context)).undo

    // where another panel lies over the picture, the picture comes to the front
    const inFront = (): Promise<number> => page.locator('.dv-active-tab').filter({ hasText: 'Viewport' }).count()
    await page.keyboard.press('Alt+0')
    await expect.poll(inFront).toBe(0)
    await runCommand(page, 'Take a motion from another model')
    await expect.poll(inFront).toBe(1)
    await page.setViewportSize({ width: 1440, height: 900 })
    const panel = page.getByRole('dialog', { name: 'Motion from another model' })
    await panel.getByText('100 % of the body found').waitFor({ timeout: 30_000 })
    await expect
      .poll(() => panel.getByLabel('From').evaluate((select: HTMLSelectElement) => select.selectedOptions[0].text))
      .toBe(other.name)
    // the motion as the other model has it is beside what comes of it, and goes with the panel
    const beside = page.getByRole('region', { name: 'Second picture' })
    await expect.poll(() => beside.getByRole('combobox').evaluate((select: HTMLSelectElement) => select.value)).toBe(other.id)
    // every joint says what moves it, and can be given another
    await panel.getByRole('combobox', { name: 'What moves hand_l' }).fill('')
    await panel.getByRole('combobox', { name: 'What moves hand_l' }).press('Tab')
    await panel.getByText(/body found/).waitFor()
    await expect.poll(steps).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await beside.waitFor({ state: 'detached' })
    await expect.poll(steps).toEqual([])

    await runCommand(page, 'Take a motion from another model')
    await panel.getByText(/\d+ keys/).waitFor({ timeout: 30_000 })
    // what was typed last is in it: it is looked at first, which the press waits for
    const look = services.handlers['retarget.preview']
    const answered = Promise.withResolvers<void>()
    services.handlers['retarget.preview'] = async (...args) => {
      await answered.promise
      return look(...args)
    }
    const apply = panel.getByRole('button', { name: 'Apply' })
    await typeAndPress(page, panel.getByRole('combobox', { name: 'What moves hand_l' }), '', apply)
    await expect.poll(() => apply.isDisabled()).toBe(true)
    answered.resolve()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(steps).toEqual([expect.stringMatching(/^Motion .+ on .+$/)])
    await page.keyboard.press('Control+z')
    await expect.poll(steps).toEqual([])

    // into a clip that is made for it, which is played afterwards
    await runCommand(page, 'Take a motion from another model')
    await panel.getByLabel('Into').selectOption({ label: 'New clip' })
    const name = panel.getByLabel('Name of the new clip')
    await name.fill('a name that is longer than any')
    await name.press('Tab')
    await panel.getByRole('alert').waitFor()
    await name.fill('carried')
    await name.press('Tab')
    await panel.getByText(/\d+ keys/).waitFor({ timeout: 30_000 })
    await panel.getByRole('button', { name: 'Apply' }).click()
    await panel.waitFor({ state: 'detached' })
    await expect.poll(steps).toEqual([expect.stringMatching(/^Motion .+ on carried$/)])
    const clips = page.getByRole('grid', { name: 'Clips' })
    await expect.poll(() => clips.getByRole('row', { selected: true }).getAttribute('aria-label')).toBe('carried')
    await page.keyboard.press('Control+z')
    await clips.getByRole('row', { name: 'carried' }).waitFor({ state: 'detached' })
  })
})
