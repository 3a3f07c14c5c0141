/** A family that the window was never told of: it is found, shown and edited by what the registry says of it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { families, flightBytes, kiteBytes } from '../fixtures/kite/family.ts'
import { temporaryFolder, writeFiles } from '../workspace/support.ts'
import { afterAll, atRest, describe, expect, pixelsOf, test } from './harness.ts'

const base = temporaryFolder()
const game = join(base, 'game')
writeFiles(game, {
  'red.kite': kiteBytes(),
  'red.flight': flightBytes([
    [0, 0],
    [10, 0.25],
    [20, 0],
  ]),
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('a made-up family', () => {
  test('is in library, viewport, timeline and Changes', async ({ startApp }) => {
    const registry = createRegistry(families)
    const registryModule = new URL('../fixtures/kite/family.ts', import.meta.url).href
    const services = createServices({ stateFolder: join(base, 'state'), host: 'web', registry, registryModule })
    const { page, screenshot } = await startApp({ folder: game, services })
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const library = page.locator('section[aria-label="Library"]')
    await library.getByRole('list', { name: 'Family' }).getByRole('button', { name: 'Kites & Co' }).click()
    const row = library.locator('[role="row"],[role="option"]').filter({ has: page.getByText(/^red$/) })
    await row.first().dblclick()

    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    await expect.poll(() => page.locator('footer').textContent()).toContain('Kites & Co')
    await atRest(page)
    // the sail is lit: something in the picture is brighter than ground and grid
    const { rgba } = await pixelsOf(page.locator('canvas').first())
    let bright = 0
    for (let i = 0; i < rgba.length; i += 4) if (rgba[i] + rgba[i + 1] + rgba[i + 2] > 450) bright++
    expect(bright).toBeGreaterThan(rgba.length / 4 / 200)

    const signal = new AbortController().signal
    const [{ id }] = await services.handlers['model.list']({}, { signal })
    const [track] = await services.handlers['clips.tracks']({ model: id, clip: 0 }, { signal })
    const values = track.values.slice(4, 8)
    values[2] = 0.5
    const edits = [{ track: track.id, set: { keys: Uint32Array.of(1), times: Float64Array.of(10), values } }]
    await services.handlers['clips.editKeys']({ model: id, label: 'Turn', edits }, { signal })
    await page
      .getByRole('tab', { name: /^Changes/ })
      .first()
      .click()
    const changed = page.getByRole('tree', { name: 'Changes' }).locator('[data-kind="entry"]')
    await expect.poll(() => changed.allTextContents(), { timeout: 20_000 }).toEqual([expect.stringContaining('frame 10')])
    await screenshot('made-up-family')
  })
})
