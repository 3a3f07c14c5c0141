/** Moving and turning at once by the keys of Blender's preset: no button is held, letters are axes, digits are how far. */
import { atRest, describe, expect, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'
import type { App } from './harness.ts'

const signal = (): { signal: AbortSignal } => ({ signal: new AbortController().signal })
const model = async (app: App) => (await app.services.handlers['model.list']({}, signal())).at(-1)!
const history = async (app: App): Promise<string[]> => (await model(app)).history.undo

describe('bones are moved and turned at once', () => {
  test('by letters and numbers, by the pointer, several together; one step each, only keys at the frame change', async ({ startApp }) => {
    const app = await startApp({ sample: true, settings: { keys: { preset: 'blender', changed: {} } } })
    const { page, services } = app
    await openFromLibrary(page, /chara\/adventurer\.chr/)
    const bar = page.getByRole('toolbar', { name: 'Posing' })
    await bar.waitFor({ timeout: 60_000 })
    const outliner = page.getByRole('tree', { name: 'Outliner' })
    const row = (name: string) => outliner.getByRole('treeitem').filter({ hasText: name }).first()
    const line = page.getByRole('group', { name: 'Moved or turned at once' })
    const canvas = page.locator('canvas.picture')

    // the keys are the grab's own meanwhile: X is no delete, 3 no view
    await row('thigh_l').click()
    await page.keyboard.press('r')
    await line.getByText('Turn thigh_l').waitFor()
    await page.keyboard.press('x')
    await line.getByText('about X', { exact: true }).waitFor()
    await page.keyboard.press('x')
    await line.getByText('about its own X', { exact: true }).waitFor()
    const rotation = () => Promise.all([...'xyz'].map((axis) => page.getByLabel(`Rotation ° ${axis}`, { exact: true }).inputValue()))
    const inClip = await rotation()
    await page.keyboard.type('-32.5')
    await line.getByText('-32.5°').waitFor()
    await app.screenshot('grab-turn')
    // the numbers are those of what is seen, before it is an edit too
    await expect.poll(rotation).not.toEqual(inClip)
    const held = await rotation()
    await page.keyboard.press('Escape')
    await expect.poll(rotation).toEqual(inClip)
    await page.keyboard.press('r')
    await page.keyboard.type('xx-32.5')
    await expect.poll(rotation).toEqual(held)
    await page.keyboard.press('Enter')
    await line.waitFor({ state: 'detached' })
    await expect.poll(rotation).toEqual(held)
    await expect.poll(() => history(app)).toEqual(['Turn thigh_l'])
    const { id } = await model(app)
    const [file, ...others] = await services.handlers['model.changes']({ model: id }, signal())
    expect(others).toEqual([])
    expect(file.omitted).toBe(0)
    // one key of one track: 4 numbers of 4 bytes, in place
    expect(file.size).toBe(file.originalSize)
    expect(new Set(file.changes.map(({ entry }) => entry?.path)).size).toBe(1)
    for (const { entry, start, end } of file.changes) {
      expect(start).toBeGreaterThanOrEqual(entry!.start)
      expect(end).toBeLessThanOrEqual(entry!.end)
      expect(entry!.end - entry!.start).toBeLessThanOrEqual(32)
    }

    // all is taken back
    await page.keyboard.press('g')
    await line.getByText('Move thigh_l').waitFor()
    await page.keyboard.press('Shift+Z')
    await line.getByText('across Z', { exact: true }).waitFor()
    await page.keyboard.type('2')
    await page.keyboard.press('Escape')
    await line.waitFor({ state: 'detached' })
    await expect.poll(() => history(app)).toEqual(['Turn thigh_l'])

    // the pointer, wherever it is, and a click that does nothing else
    const box = (await canvas.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await row('hand_l').click()
    await row('hand_r').click({ modifiers: ['Control'] })
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.keyboard.press('g')
    await line.getByText('Move 2 bones').waitFor()
    await page.keyboard.press('y')
    await page.mouse.move(box.x + box.width / 2 + 10, box.y + box.height / 2 - 30, { steps: 4 })
    await atRest(page)
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => history(app)).toEqual(['Turn thigh_l', 'Move 2 bones'])
    await expect.poll(() => row('hand_l').getAttribute('aria-selected')).toBe('true')
    for (const left of [1, 0]) {
      await page.keyboard.press('Control+z')
      await expect.poll(async () => (await history(app)).length).toBe(left)
    }

    // at rest the joint itself is moved, and its skin stays
    await page.keyboard.press('0')
    await bar.getByText('Bind pose: moves the skeleton').waitFor({ state: 'detached' })
    await row('hand_l').click()
    await page.keyboard.press('g')
    const rest = page.getByLabel('Rest position y', { exact: true })
    const inFile = Number(await rest.inputValue())
    await page.keyboard.type('y0.5')
    await expect.poll(async () => Number(await rest.inputValue())).not.toBe(inFile)
    const put = await rest.inputValue()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await history(app)).length).toBe(1)
    await expect.poll(() => rest.inputValue()).toBe(put)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await history(app)).length).toBe(0)
  }, 180_000)
})
