/** A tool's settings after it ran: changed ones do its step again in place, in the bytes and in the history. */
import { describe, expect, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'
import type { App } from './harness.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { ModelInfo } from '../../src/shared/api/types/model.ts'

const signal = (): AbortSignal => new AbortController().signal
const info = async (app: App): Promise<ModelInfo> => (await app.services.handlers['model.list']({}, { signal: signal() })).at(-1)!
const steps = async (app: App): Promise<string[]> => (await info(app)).history.undo
const tracks = async (app: App): Promise<NativeTrack[]> =>
  app.services.handlers['clips.tracks']({ model: (await info(app)).id, clip: 0 }, { signal: signal() })
const count = async (app: App): Promise<number> => (await tracks(app)).reduce((n, t) => n + t.times.length, 0)

describe('the last operation', () => {
  test('lies over the views of a low picture', async ({ startApp }) => {
    const { page } = await startApp({ sample: true, size: { width: 900, height: 600 } })
    await openFromLibrary(page, /Dark Cloud\/chara/)
    await page.getByRole('button', { name: 'Tools on keys' }).click()
    await page.getByRole('button', { name: 'Reduce', exact: true }).click()
    const panel = page.getByRole('group', { name: 'Last operation: Reduce keys' })
    await panel.waitFor({ timeout: 20_000 })
    const above = (): Promise<string[]> =>
      panel.evaluate((own) => {
        const { left, top, right, bottom } = own.getBoundingClientRect()
        const found = new Set<string>()
        for (let x = left + 4; x < right - 4; x += 6)
          for (let y = top + 4; y < bottom - 4; y += 6) {
            const there = document.elementFromPoint(x, y)!
            if (!own.contains(there)) found.add(there.className)
          }
        return [...found]
      })
    await expect.poll(above).toEqual([])
  }, 120_000)

  test('keys are reduced, the error is changed in the panel: one step, and undo brings every byte back', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const before = await count(app)
    await page.getByRole('button', { name: 'Tools on keys' }).click()
    await page.getByRole('button', { name: 'Reduce', exact: true }).click()
    const panel = page.getByRole('group', { name: 'Last operation: Reduce keys' })
    await panel.waitFor({ timeout: 20_000 })
    await expect.poll(() => count(app)).toBeLessThan(before)
    const first = await count(app)
    await expect.poll(() => steps(app)).toEqual([expect.stringMatching(/^Reduce to \d+ keys$/)])
    const top = (await info(app)).history.top

    // from the keyboard: F9 goes to the first setting
    await page.keyboard.press('F9')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Turns')
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
    await expect.poll(() => count(app), { timeout: 20_000 }).toBeGreaterThan(first)
    await expect.poll(() => steps(app)).toHaveLength(1)
    expect((await info(app)).history).toMatchObject({ redo: [], top })
    await page.keyboard.press('F9')
    await page.keyboard.type('0.2')
    await page.keyboard.press('Enter')
    await expect.poll(() => count(app), { timeout: 20_000 }).toBe(first)
    await expect.poll(() => steps(app)).toHaveLength(1)
    await app.screenshot('adjust-reduce')

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect.poll(() => count(app)).toBe(before)
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => info(app)).toMatchObject({ dirty: false, history: { undo: [] } })
    // and again, with what is there to adjust
    await page.keyboard.press('Control+Shift+z')
    await panel.waitFor()
  }, 180_000)

  test('a retimed slice takes its end along, until that is switched off; what does not fit is refused in the panel', async ({
    startApp,
  }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const slice = async (): Promise<number[]> => {
      const { scene } = await app.services.handlers['model.scene']({ model: (await info(app)).id }, { signal: signal() })
      return [scene.slices[0].start, scene.slices[0].end]
    }
    await expect.poll(slice).toEqual([1, 41])
    await page.getByRole('button', { name: 'Tools on keys' }).click()
    await page.getByLabel('Length in percent').fill('50')
    await page.getByRole('button', { name: 'Retime', exact: true }).click()
    const panel = page.getByRole('group', { name: 'Last operation: Retime' })
    await panel.waitFor({ timeout: 20_000 })
    await expect.poll(slice).toEqual([1, 21])
    await panel.getByRole('checkbox', { name: 'Slices, events, markers' }).uncheck()
    await expect.poll(slice).toEqual([1, 41])
    const length = panel.getByLabel('Length')
    await length.fill('300')
    await length.press('Enter')
    await panel.getByRole('alert').filter({ hasText: 'Other keys stand between' }).waitFor({ timeout: 20_000 })
    await expect.poll(() => steps(app)).toEqual(['Retime to 50 %'])
    await app.screenshot('adjust-refused')
    await panel.getByRole('checkbox', { name: 'Slices, events, markers' }).check()
    await length.fill('75')
    await length.press('Enter')
    await expect.poll(slice).toEqual([1, 31])
    await expect.poll(() => steps(app)).toEqual(['Retime to 75 %'])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(slice).toEqual([1, 41])
    expect((await info(app)).dirty).toBe(false)
  }, 180_000)

  test('a typed turn is put upon the keys of a range: eases put in the keys that they need, all is one step', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    const bar = page.getByRole('toolbar', { name: 'Posing' })
    await bar.waitFor({ timeout: 60_000 })
    const turns = async (): Promise<NativeTrack> => (await tracks(app)).find((t) => t.target === 'thigh_l' && t.property === 'rotation')!
    const before = await turns()
    await page.getByRole('tree', { name: 'Outliner' }).getByRole('treeitem').filter({ hasText: 'thigh_l' }).first().click()
    await page.keyboard.press('Alt+k')
    const inspector = page.getByLabel('Inspector', { exact: true })
    await inspector.getByText('Poses offset the keys from 1 to 41').waitFor()
    const x = inspector.getByLabel('Rotation ° x', { exact: true }).first()
    await x.fill('+30')
    await x.press('Enter')
    const panel = page.getByRole('group', { name: 'Last operation: Offset over a range' })
    await panel.waitFor({ timeout: 20_000 })
    await expect.poll(() => steps(app)).toEqual(['Offset thigh_l over a range'])
    const all = await turns()
    expect([...all.times]).toEqual([...before.times])
    const differ = (now: NativeTrack): number[] =>
      [...now.times].filter((time, k) => {
        const was = [...before.times].indexOf(time)
        return was < 0 || [0, 1, 2, 3].some((c) => now.values[4 * k + c] !== before.values[4 * was + c])
      })
    expect(differ(all)).toEqual([...before.times].filter((time) => time <= 41))
    for (const [field, value] of [
      ['From', '6'],
      ['Ease in', '2'],
    ]) {
      await panel.getByLabel(field, { exact: true }).fill(value)
      await panel.getByLabel(field, { exact: true }).press('Enter')
      await expect.poll(() => panel.getByLabel(field, { exact: true }).inputValue()).toBe(value)
    }
    await expect.poll(async () => (await turns()).times.length).toBeGreaterThan(before.times.length)
    const eased = await turns()
    expect([...eased.times].filter((time) => !before.times.includes(time))).toEqual([6, 8].filter((time) => !before.times.includes(time)))
    expect(differ(eased).every((time) => time >= 6 && time <= 41)).toBe(true)
    await expect.poll(() => steps(app)).toEqual(['Offset thigh_l over a range'])
    await app.screenshot('adjust-offset')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await info(app)).dirty).toBe(false)
    expect([...(await turns()).times]).toEqual([...before.times])
    await bar.getByRole('button', { name: 'Poses offset the keys of a range' }).click()
    await inspector.getByText('Poses offset the keys from 1 to 41').waitFor({ state: 'detached' })
  }, 180_000)

  test('a loop begins at the frame of the playhead, and the rest of the round takes it back', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const turns = async (): Promise<NativeTrack> => (await tracks(app)).find((t) => t.target === 'thigh_l' && t.property === 'rotation')!
    const at = (t: NativeTrack, time: number): number[] => {
      const k = [...t.times].indexOf(time)
      return k < 0 ? [] : [...t.values.subarray(4 * k, 4 * k + 4)]
    }
    const before = await turns()
    const key = [...before.times].filter((time) => time > 1 && time < 41)[2]
    const time = page.getByLabel('Current frame', { exact: true })
    await time.fill(String(key))
    await time.press('Enter')
    await page.getByRole('button', { name: 'Tools on keys' }).click()
    await page.getByRole('button', { name: 'Begin later', exact: true }).click()
    const panel = page.getByRole('group', { name: 'Last operation: Begin the loop later' })
    await panel.waitFor({ timeout: 20_000 })
    await expect.poll(() => steps(app)).toEqual([`Begin the loop ${key - 1} later`])
    const now = await turns()
    // first and last pose are the one that the playhead stood at; the other slices keep their keys
    expect(at(now, 1)).toEqual(at(before, key))
    expect(at(now, 41)).toEqual(at(before, key))
    for (const other of before.times) if (other > 41) expect(at(now, other)).toEqual(at(before, other))
    const by = panel.getByLabel('Later by', { exact: true })
    await by.fill('40')
    await by.press('Enter')
    await expect.poll(async () => (await info(app)).dirty).toBe(false)
    expect(at(await turns(), 1)).toEqual(at(before, 1))
  }, 180_000)
})
