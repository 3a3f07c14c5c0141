/** Markers in the window: put at the playhead, named, moved and reached from the keyboard, kept over a restart. */
import { describe, expect, test } from './harness.ts'
import { saveEdits } from './steps.ts'
import type { App } from './harness.ts'

const markers = async (app: App): Promise<[string, number][]> => {
  const signal = new AbortController().signal
  const [info] = (await app.services.handlers['model.list']({}, { signal })).slice(-1)
  return (await app.services.handlers['model.scene']({ model: info.id }, { signal })).scene.markers.map((m) => [m.name, m.time])
}

async function open(app: App): Promise<void> {
  await app.page.getByText(/^Scanned /).waitFor({ timeout: 60_000 })
  await app.page.getByText('Dark Cloud/chara/adventurer.chr').first().dblclick()
  await app.page.getByRole('toolbar', { name: 'Posing' }).waitFor({ timeout: 60_000 })
}

describe('markers', () => {
  test('M puts one at the playhead; named, moved, jumped to; a restart shows it again', async ({ startApp, stateFolder: state }) => {
    const app = await startApp({ sample: true, state })
    const { page } = app
    await open(app)
    const frame = page.getByLabel('Current frame', { exact: true })
    const seek = async (to: number): Promise<void> => {
      await frame.fill(String(to))
      await frame.press('Enter')
      await frame.blur()
    }
    await seek(12)
    await page.keyboard.press('m')
    const name = page.getByLabel('Name of marker Marker 1')
    await name.waitFor()
    await page.keyboard.type('踏み込み')
    await page.keyboard.press('Enter')
    await expect.poll(() => markers(app)).toEqual([['踏み込み', 12]])
    // the next one is numbered by the names that the window shows
    await page.getByRole('button', { name: 'Marker 踏み込み at 12' }).waitFor()
    await seek(30)
    await page.keyboard.press('m')
    await page.getByLabel('Name of marker Marker 1').press('Escape')
    await expect
      .poll(() => markers(app))
      .toEqual([
        ['踏み込み', 12],
        ['Marker 1', 30],
      ])

    await page.getByRole('button', { name: 'Marker 踏み込み at 12' }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await expect
      .poll(() => markers(app))
      .toEqual([
        ['踏み込み', 22],
        ['Marker 1', 30],
      ])
    await page.getByRole('button', { name: 'Marker 踏み込み at 22' }).waitFor()
    await page.keyboard.press('Alt+PageDown')
    await page.keyboard.press('Alt+PageUp')
    await expect.poll(() => frame.inputValue()).toBe('22')
    await app.screenshot('markers')
    await page.getByRole('button', { name: 'Marker Marker 1 at 30' }).focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => markers(app)).toEqual([['踏み込み', 22]])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect
      .poll(() => markers(app))
      .toEqual([
        ['踏み込み', 22],
        ['Marker 1', 30],
      ])
    await saveEdits(page)
    await app.close()

    const again = await startApp({ sample: true, state })
    await open(again)
    await again.page.getByRole('button', { name: 'Marker 踏み込み at 22' }).waitFor({ timeout: 20_000 })
    await expect
      .poll(() => markers(again))
      .toEqual([
        ['踏み込み', 22],
        ['Marker 1', 30],
      ])
    await again.close()
  }, 180_000)
})
