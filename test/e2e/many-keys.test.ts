/** A quarter of a million keys in the window: a tool over all of them works beside it, can be stopped, and is adjusted like any other. */
import { describe, expect, test } from './harness.ts'
import type { App } from './harness.ts'
import type { KeyEdit } from '../../src/shared/api/types/clips.ts'
import type { ModelInfo } from '../../src/shared/api/types/model.ts'

const KEYS = 250_000
const signal = (): AbortSignal => new AbortController().signal
const info = async (app: App): Promise<ModelInfo> => (await app.services.handlers['model.list']({}, { signal: signal() })).at(-1)!

/** The movement of the sample, gone on for so long that its tracks have the keys. */
async function grow(app: App): Promise<number> {
  const { id: model } = await info(app)
  const tracks = (await app.services.handlers['clips.tracks']({ model, clip: 0 }, { signal: signal() })).filter(
    (t) => t.property === 'rotation' || t.property === 'translation',
  )
  const each = Math.ceil(KEYS / tracks.length)
  const edits = tracks.map((t): KeyEdit => {
    const width = t.components.length
    const times = Float64Array.from({ length: each }, (_, k) => 200 + k)
    const values = new Float32Array(each * width)
    for (let k = 0; k < each; k++) {
      // a swing that no straight line stands for, about the first pose
      if (t.property === 'rotation') {
        const half = 0.3 * Math.sin(k / 9)
        t.components.forEach((c, i) => (values[k * width + i] = c === 'w' ? Math.cos(half) : c === 'x' ? Math.sin(half) : 0))
      } else t.components.forEach((_, i) => (values[k * width + i] = t.values[i] + 0.2 * Math.sin(k / 7 + i)))
    }
    return { track: t.id, insert: { times, values } }
  })
  await app.services.handlers['clips.editKeys']({ model, label: 'Grow', edits }, { signal: signal() })
  return edits.length * each
}

describe('a quarter of a million keys', () => {
  test('are reduced beside the window: progress, cancel, and a worker for each try', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
    await page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
    const keys = await grow(app)
    expect(keys).toBeGreaterThanOrEqual(KEYS)
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
