/** A PNG onto a texture in the window: on the model at once, its bytes alone on disk, undone; and dropped, refused, saved. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from '../support/sample.ts'
import { texturesOf, txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { readPng, writePng } from '../../src/main/interchange/png.ts'
import { describe, expect, test } from './harness.ts'
import type { Page } from 'playwright'

const TXD = 'San Andreas/models/peds/adventurer.txd'

/** Share of the viewport's pixels that are the colour of the new texture. */
async function magenta(page: Page): Promise<number> {
  const box = (await page.locator('canvas[aria-label]').first().boundingBox())!
  const { rgba } = await readPng(await page.screenshot({ clip: box }), 'screen')
  let n = 0
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i] > 90 && rgba[i + 2] > 90 && rgba[i + 1] < rgba[i] / 2) n++
  return n / (rgba.length / 4)
}

describe('textures in the window', () => {
  test('replaced from a PNG, dropped, refused, saved as PNG', async ({ startApp }) => {
    const { page, state, screenshot } = await startApp({ sample: true })
    const path = join(state, 'sample', ...TXD.split('/'))
    const original = new Uint8Array(readFileSync(path))
    expect(Buffer.compare(original, sampleFiles().find((f) => f.path === TXD)!.bytes)).toBe(0)
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.locator('section[aria-label="Library"] [role=listbox]').getByText('San Andreas/models/peds').dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    await page.getByRole('searchbox', { name: 'Search the outliner' }).fill('adventurer')
    await page.locator('[role="treeitem"][data-kind="texture"]').first().click()
    const inspector = page.getByRole('region', { name: 'Inspector' })
    const replace = inspector.getByRole('button', { name: 'Replace from PNG…' })
    await expect.poll(() => replace.isEnabled()).toBe(true)
    await screenshot('texture')

    const native = (bytes: Uint8Array) => texturesOf(txdFormat.decode(bytes, 'a.txd'))[0]
    const { width, height, chunk } = native(original)
    const picture = new Uint8Array(4 * width * height)
    for (let i = 0; i < picture.length; i += 4) picture.set([250, 10, 240, 255], i)
    const before = await magenta(page)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), replace.click()])
    await chooser.setFiles({ name: 'pink.png', mimeType: 'image/png', buffer: Buffer.from(writePng({ width, height, rgba: picture })) })
    await inspector.getByText(/^Stored as /).waitFor()
    await expect.poll(() => magenta(page), { timeout: 20_000 }).toBeGreaterThan(before + 0.01)
    await screenshot('texture-replaced')

    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)
    const saved = new Uint8Array(readFileSync(path))
    expect(saved.length).toBe(original.length)
    expect(Buffer.compare(saved.subarray(0, chunk.start), original.subarray(0, chunk.start))).toBe(0)
    expect(Buffer.compare(saved.subarray(chunk.end), original.subarray(chunk.end))).toBe(0)
    const [download] = await Promise.all([page.waitForEvent('download'), inspector.getByRole('button', { name: 'Save as PNG' }).click()])
    const out = await readPng(new Uint8Array(readFileSync((await download.path())!)), 'out')
    expect([out.width, out.height, Math.abs(out.rgba[0] - 250) < 9, out.rgba[3]]).toEqual([width, height, true, 255])

    // what cannot be stored is refused where it was asked for, and nothing changes
    const drop = (bytes: Uint8Array, name: string): Promise<void> =>
      inspector.locator('.preview').evaluate(
        (target, [data, file]) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([Uint8Array.from(data as number[])], file as string, { type: 'image/png' }))
          for (const type of ['dragenter', 'dragover', 'drop'])
            target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
        },
        [[...bytes], name] as const,
      )
    await drop(Uint8Array.of(1, 2, 3), 'not.png')
    await inspector.getByRole('alert').getByText('not.png: not a PNG file').waitFor()
    await drop(writePng({ width: 8, height: 8, rgba: new Uint8Array(256).fill(200) }), 'small.png')
    await inspector.getByText('8 × 8').waitFor()

    // twice back: the game's own file
    for (let i = 0; i < 2; i++) await page.keyboard.press('Control+z')
    await inspector.getByText(`${width} × ${height}`).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).isEnabled()).toBe(false)
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).toBe(0)
  }, 120_000)
})
