/** The Changes panel: a key that was moved is named with both values, and goes back by itself. */
import { describe, expect, test } from './harness.ts'

describe('changes', () => {
  test('by track, key and field; one key goes back alone', async ({ startApp }) => {
    const { page, services } = await startApp({ sample: true })
    const signal = new AbortController().signal
    await page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
    const library = page.locator('section[aria-label="Library"]')
    await library
      .locator('[role="row"],[role="option"]')
      .filter({ hasText: /Lost Saga\/resource\/model\/animodel/ })
      .filter({ has: page.getByText(/^adventurer$/) })
      .first()
      .dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 60_000 })
    const [{ id }] = await services.handlers['model.list']({}, { signal })
    const track = (await services.handlers['clips.tracks']({ model: id, clip: 0 }, { signal })).find((t) => t.times.length > 2)!
    const width = track.components.length
    const values = track.values.slice(width, 3 * width)
    values[0] += 0.25
    values[width] += 0.25
    await services.handlers['clips.editKeys'](
      {
        model: id,
        label: 'Move keys',
        edits: [{ track: track.id, set: { keys: Uint32Array.of(1, 2), times: track.times.slice(1, 3), values } }],
      },
      { signal },
    )
    await page
      .getByRole('tab', { name: /^Changes/ })
      .first()
      .click()
    const tree = page.getByRole('tree', { name: 'Changes' })
    const keys = tree.locator('[data-kind="entry"]')
    await expect.poll(() => keys.count(), { timeout: 20_000 }).toBe(2)
    await expect.poll(() => tree.locator('[data-kind="node"]').textContent()).toContain(track.target)
    await keys.first().click()
    // what the edit is found fault with has lines that are longer than their panel
    await page.locator('[data-panel="problems"] p.ellipsis').first().waitFor({ state: 'attached' })
    // panels that are not shown stand below the window: nothing may bring them into view by moving all of it
    const moved = await page.evaluate(() => {
      for (const element of document.querySelectorAll('*')) element.scrollIntoView()
      return [...document.querySelectorAll('*')]
        .filter((e) => (e.scrollTop || e.scrollLeft) && !/auto|scroll/.test(getComputedStyle(e).overflowY))
        .map((e) => `${e.tagName} ${e.className} ${e.scrollTop}`)
    })
    expect(moved).toEqual([])
    await page
      .getByRole('button', { name: /^Restore time / })
      .last()
      .click()
    await expect.poll(() => keys.count(), { timeout: 20_000 }).toBe(1)
    await expect.poll(() => keys.first().textContent()).toContain(`time ${track.times[2]} ms`)
    const [file] = await services.handlers['model.changes']({ model: id }, { signal })
    expect(file.changes.map((c) => c.entry?.label)).toEqual([`time ${track.times[2]} ms`])
  })
})
