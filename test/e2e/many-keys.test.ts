/** A quarter of a million keys in the window: a tool over all of them works beside it, can be stopped, and is adjusted like any other. */
import { describe, expect, test } from './harness.ts'
import type { App } from './harness.ts'
import { caller } from '../support/caller.ts'
import { growKeys, MANY_KEYS } from '../support/many-keys.ts'
import type { ModelInfo } from '../../src/shared/api/types/model.ts'

const signal = (): AbortSignal => new AbortController().signal
const info = async (app: App): Promise<ModelInfo> => (await app.services.handlers['model.list']({}, { signal: signal() })).at(-1)!

describe('a quarter of a million keys', () => {
  test('are reduced beside the window: progress, cancel, and a worker for each try', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const keys = await growKeys(caller(() => app.services))
    expect(keys).toBeGreaterThanOrEqual(MANY_KEYS)
    await page.getByRole('combobox', { name: 'Slice', exact: true }).selectOption({ index: 0 })
    await page.getByRole('button', { name: 'Tools on keys' }).click()
    await page.getByText(/^On 2[56]\d,\d+ keys, all of the clip$/).waitFor({ timeout: 60_000 })

    let workers = 0
    // the library draws its pictures in a worker, too, whenever it finds time
    page.on('worker', (worker) => {
      if (worker.url().includes('plan-worker')) workers++
    })
    const panel = page.getByRole('group', { name: /^Last operation/ })
    const rounds = page.getByLabel('Rounds of smoothing')
    await rounds.fill('50')
    await rounds.press('Enter')
    await page.getByRole('button', { name: 'Smooth', exact: true }).click()
    await panel.getByRole('button', { name: 'Cancel' }).click({ timeout: 60_000 })
    await panel.waitFor({ state: 'detached' })
    expect(workers).toBe(1)
    expect((await info(app)).history.undo).toEqual(['Grow'])

    await page.getByRole('button', { name: 'Tools on keys' }).click()
    await page.getByRole('button', { name: 'Reduce', exact: true }).click()
    await panel.getByText(/taken out/).waitFor({ timeout: 120_000 })
    expect(workers).toBe(2)
    await expect.poll(async () => (await info(app)).history.undo.length).toBe(2)
    await app.screenshot('many-keys')
  }, 240_000)
})
