/** A PNG onto a texture in the window: on the model at once, its bytes alone on disk, undone; and dropped, refused, saved. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from '../support/sample.ts'
import { texturesOf, txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { readPng, writePng } from '../../src/main/interchange/png.ts'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'
import { openFromLibrary } from './steps.ts'
import type { Locator, Page } from 'playwright'

const TXD = 'San Andreas/models/peds/adventurer.txd'

/** Share of the viewport's pixels that are the colour of the new texture. */
async function magenta(page: Page): Promise<number> {
  const box = (await page.locator('canvas[aria-label]').first().boundingBox())!
  const { rgba } = await readPng(await page.screenshot({ clip: box }), 'screen')
  let n = 0
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i] > 90 && rgba[i + 2] > 90 && rgba[i + 1] < rgba[i] / 2) n++
  return n / (rgba.length / 4)
}

const dropPng = (on: Locator, bytes: Uint8Array, name: string): Promise<void> =>
  on.evaluate(
    (target, [data, file]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(data as number[])], file as string, { type: 'image/png' }))
      for (const type of ['dragenter', 'dragover', 'drop'])
        target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    },
    [[...bytes], name] as const,
  )

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
    const inspector = page.locator('[data-panel="inspector"]')
    const replace = inspector.getByRole('button', { name: 'Replace from PNG…' })
    await expect.poll(() => replace.isEnabled()).toBe(true)
    await screenshot('texture')
    await inspector.getByRole('img').click({ button: 'right' })
    await page.getByRole('menu').getByRole('menuitem', { name: 'Save the texture as PNG' }).waitFor()
    await page.getByRole('menu').press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })

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
    const drop = (bytes: Uint8Array, name: string): Promise<void> => dropPng(inspector.locator('.preview'), bytes, name)
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

  test('looked at in the viewer: channels, levels, UVs, zoomed by keys, and before and after in Changes', async ({ startApp }) => {
    const { page, screenshot } = await startApp({ sample: true })
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page.locator('section[aria-label="Library"] [role=listbox]').getByText('San Andreas/models/peds').dblclick()
    await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
    // nothing is chosen: the first one is shown
    await page.keyboard.press('Alt+0')
    const viewer = page.locator('[data-panel="texture"]')
    const picture = viewer.getByRole('img')
    await expect.poll(() => picture.getAttribute('aria-label')).toBe('Texture adventurer, Colours and alpha')
    const look = async (): Promise<Uint8Array> => {
      const { rgba } = await readPng(await picture.screenshot(), 'picture')
      return rgba
    }
    const middle = async (of = picture): Promise<number[]> => {
      const { rgba, width, height } = await readPng(await of.screenshot(), 'picture')
      const at = 4 * ((height >> 1) * width + (width >> 1))
      return [...rgba.subarray(at, at + 3)].map((v) => Math.round(v / 32))
    }
    /** Whether the pixels in the middle are greys. */
    const grey = async (): Promise<boolean> => {
      const { rgba, width, height } = await readPng(await picture.screenshot(), 'picture')
      const at = 4 * ((height >> 1) * width + (width >> 1))
      return rgba.subarray(at - 80, at + 80).every((v, i, all) => i % 4 === 3 || v === all[i - (i % 4)])
    }
    await expect.poll(grey).toBe(false)
    await viewer.getByRole('button', { name: 'R', exact: true }).click()
    await expect.poll(() => picture.getAttribute('aria-label')).toBe('Texture adventurer, Red')
    await expect.poll(grey).toBe(true)
    await viewer.getByRole('button', { name: 'RGBA' }).click()
    await expect.poll(grey).toBe(false)

    // a smaller level is as large, and its pixels are counted as its own
    const whole = await look()
    await viewer.getByLabel('Mip level').selectOption({ label: 'Level 3' })
    await viewer.getByText('32 × 32').waitFor()
    await expect.poll(async () => Buffer.compare(await look(), whole)).not.toBe(0)
    const box = (await picture.boundingBox())!
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2 + 1)
    await viewer.getByText('16, 16', { exact: true }).waitFor()
    await viewer.getByLabel('Mip level').selectOption({ label: 'Level 0' })

    const uv = viewer.getByRole('button', { name: 'UVs of the chosen mesh' })
    await uv.click()
    await page.mouse.move(0, 0)
    await viewer.getByText(/UVs of adventurer, [\d,]+ triangles/).waitFor()
    await expect.poll(async () => Buffer.compare(await look(), whole)).not.toBe(0)
    await screenshot('texture-uvs')
    await uv.click()

    // keys of the picture are its own: no view of the model comes of 1, no rest pose of 0
    const zoom = async (): Promise<number> => Number.parseFloat((await viewer.locator('.zoom').textContent())!)
    const fitted = await zoom()
    await picture.focus()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await expect.poll(zoom).toBeCloseTo(2 * fitted, -1)
    await viewer.getByText('128, 128', { exact: true }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => viewer.getByText('128, 128', { exact: true }).count()).toBe(0)
    await page.keyboard.press('1')
    await expect.poll(zoom).toBe(100)
    await page.keyboard.press('0')
    await expect.poll(zoom).toBe(fitted)
    await page.mouse.move(box.x + box.width / 3, box.y + box.height / 3)
    await page.mouse.wheel(0, -400)
    await expect.poll(zoom).toBeGreaterThan(fitted)
    await page.keyboard.press('0')
    await expect.poll(() => page.getByRole('toolbar', { name: 'Playback' }).getByRole('combobox').first().inputValue()).not.toBe('-1')

    // an edit is in the viewer at once; Changes has the original beside it
    const at = await middle()
    await page.getByRole('searchbox', { name: 'Search the outliner' }).fill('adventurer')
    await page.locator('[role="treeitem"][data-kind="texture"]').first().click()
    const inspector = page.locator('[data-panel="inspector"]')
    await inspector.getByRole('button', { name: 'View' }).waitFor()
    const replace = inspector.getByRole('button', { name: 'Replace from PNG…' })
    await expect.poll(() => replace.isEnabled()).toBe(true)
    const green = new Uint8Array(4 * 256 * 256)
    for (let i = 0; i < green.length; i += 4) green.set([20, 200, 30, 255], i)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), replace.click()])
    const buffer = Buffer.from(writePng({ width: 256, height: 256, rgba: green }))
    await chooser.setFiles({ name: 'green.png', mimeType: 'image/png', buffer })
    await inspector.getByText(/^Stored as /).waitFor()
    const isGreen = [1, 6, 1]
    await expect.poll(() => middle()).toEqual(isGreen)
    await page.keyboard.press('Alt+8')
    const pictures = page.getByRole('region', { name: 'Changed pictures' })
    const [before, after] = ['Original', 'Now'].map((side) => pictures.getByRole('img', { name: `${side}: texture adventurer` }))
    await after.waitFor()
    await expect.poll(() => middle(after)).toEqual(isGreen)
    expect(await middle(before)).not.toEqual(isGreen)
    await screenshot('texture-before-after')
    expect(await accessFindings(page, 'changed pictures', '[data-panel="changes"]')).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    // both are zoomed as one
    const small = Buffer.from(await before.screenshot())
    await after.focus()
    await page.keyboard.press('+')
    await expect.poll(async () => Buffer.compare(await before.screenshot(), small)).not.toBe(0)

    await page.keyboard.press('Control+z')
    await expect.poll(() => pictures.count()).toBe(0)
    await expect.poll(() => middle()).toEqual(at)

    // what is shown large takes a picture as well, and says what became of it; its menu is the texture's, with the colour under the pointer
    await page.keyboard.press('Escape')
    const drop = (bytes: Uint8Array, name: string): Promise<void> => dropPng(picture, bytes, name)
    await drop(Uint8Array.of(1, 2, 3), 'not.png')
    await viewer.getByRole('alert').getByText('not.png: not a PNG file').waitFor()
    await drop(buffer, 'green.png')
    await viewer.getByText(/^Stored as /).waitFor()
    await expect.poll(() => middle()).toEqual(isGreen)
    await picture.click({ button: 'right' })
    const menu = page.getByRole('menu', { name: 'adventurer' })
    await menu.getByRole('menuitem', { name: /^Copy the colour #[0-9a-f]{6}$/ }).waitFor()
    await expect.poll(() => menu.getByRole('menuitem', { name: 'Open it in the viewer' }).count()).toBe(0)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      menu.getByRole('menuitem', { name: 'Save the texture as PNG' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('adventurer.png')
    await screenshot('texture-dropped-in-viewer')
  }, 120_000)

  test('have a checker behind what is not opaque, or a colour', async ({ startApp }) => {
    const { page } = await startApp({ sample: true })
    await openFromLibrary(page, /^walker_skn$/)
    await page.keyboard.press('Alt+0')
    const viewer = page.locator('[data-panel="texture"]')
    await viewer
      .getByRole('combobox')
      .first()
      .selectOption({ label: await viewer.getByRole('option', { name: /glass/i }).innerText() })
    const picture = viewer.getByRole('img')
    await expect.poll(() => picture.getAttribute('aria-label')).toMatch(/glass/i)
    const colours = async (): Promise<string> => {
      const { rgba } = await readPng(await picture.screenshot(), 'picture')
      let [red, green] = [0, 0]
      for (let i = 0; i < rgba.length; i += 4) [red, green] = [red + rgba[i], green + rgba[i + 1]]
      return red > 1.2 * green ? 'reddish' : 'not'
    }
    const checker = viewer.getByRole('button', { name: 'Checker behind the picture' })
    await expect.poll(() => checker.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(colours).toBe('not')
    await viewer.getByLabel('Colour behind the picture').fill('#ff0000')
    await expect.poll(() => checker.getAttribute('aria-pressed')).toBe('false')
    await expect.poll(colours).toBe('reddish')
    await checker.click()
    await expect.poll(colours).toBe('not')
  })
})
