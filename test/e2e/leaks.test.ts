/**
 * Models that are opened and closed again leave nothing behind: in the window no engine, mesh, material or texture, no listener, no worker,
 * no element; in the host no file, worker, watched folder or timer.
 */
import type { CDPSession, Page } from 'playwright'
import { held, heldSince } from '../support/held.ts'
import { atRest, describe, expect, test } from './harness.ts'
import type { TestProbe } from './harness.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any
declare const marrowProbe: TestProbe

const ROUNDS = 2
/** For elements: a few dozen are kept in turn, whichever was shown last, and are more than two rounds may leave. */
const MOST_ROUNDS = 6

const rows = (page: Page) => page.getByRole('listbox', { name: 'Models' }).getByRole('option')

async function open(page: Page, row: number): Promise<void> {
  await rows(page).nth(row).dblclick()
  await page.getByRole('tree', { name: 'Outliner' }).waitFor({ timeout: 60_000 })
  await atRest(page)
}

/** What the engine holds of the model that is shown. */
const drawn = (page: Page) => page.evaluate(() => marrowProbe.engine())

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Control+w')
  await page.getByRole('tree', { name: 'Outliner' }).waitFor({ state: 'detached' })
}

/** The pane beside the list shows the model that was closed last: it comes a little after the library, with a picture of its own. */
async function previewed(page: Page): Promise<void> {
  await page.getByRole('complementary', { name: 'Preview' }).getByRole('img').waitFor()
  await expect.poll(() => page.evaluate(() => marrowProbe.engines())).toBe(2)
}

/** What is there by name: as many as before, or it was left behind. */
const named = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(async () => ({
    listeners: marrowProbe.listeners(),
    engines: await marrowProbe.engines(),
    canvases: document.querySelectorAll('canvas').length,
  }))

interface Counted {
  nodes: number
  jsEventListeners: number
}

/** All that the browser holds of the page, on any element, in the page or out of it, after what nothing holds has been taken away. */
async function counted(cdp: CDPSession): Promise<Counted> {
  // the second takes what the first has let go of
  for (let i = 0; i < 2; i++) await cdp.send('HeapProfiler.collectGarbage')
  const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters')
  return { nodes, jsEventListeners }
}

describe('a window that is worked in for long', () => {
  test('holds what it held before models were opened and closed', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    const cdp = await page.context().newCDPSession(page)
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    await rows(page).first().waitFor()
    // each game of the sample has models of its own
    const models = await rows(page).count()
    expect(models).toBeGreaterThan(5)
    const round = async (): Promise<unknown[]> => {
      const shown: unknown[] = []
      for (let row = 0; row < models; row++) {
        await open(page, row)
        shown.push(await drawn(page))
        await close(page)
      }
      return shown
    }
    // the page of a model is put together ahead, once, and stays
    await expect.poll(() => page.evaluate(() => marrowProbe.engines()), { timeout: 60_000 }).toBe(1)
    // the first brings in what is loaded once, and the overlays of the picture to the room that they need
    const first = await round()
    expect(first.every((counts) => counts && (counts as { meshes: number }).meshes > 0)).toBe(true)
    await previewed(page)
    const before = { named: await named(page), counted: await counted(cdp), workers: page.workers().length, host: held() }
    const settled = await round()
    for (let i = 1; i < ROUNDS; i++) expect(await round(), `round ${i}`).toEqual(settled)
    await previewed(page)
    await expect.poll(() => named(page)).toEqual(before.named)
    await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBeLessThanOrEqual(before.workers)
    await expect.poll(() => heldSince(before.host), { timeout: 30_000 }).toEqual([])
    // fewer than one for each model that was opened: what is kept for good comes once, and what is lost comes each time
    let after = await counted(cdp)
    const lost = (rounds: number): boolean =>
      Math.max(after.jsEventListeners - before.counted.jsEventListeners, after.nodes - before.counted.nodes) >= rounds * models
    let rounds = ROUNDS
    for (; rounds < MOST_ROUNDS && lost(rounds); rounds++) {
      await round()
      after = await counted(cdp)
    }
    expect(lost(rounds), JSON.stringify({ rounds, before, after })).toBe(false)
  }, 300_000)
})
