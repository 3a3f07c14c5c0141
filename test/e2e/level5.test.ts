/** The whole path on Dark Cloud files: a pack in, a moving model on screen, an edited file out. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode as decodePng } from 'fast-png'
import { corpusRoot } from '../support/corpus.ts'
import { sampleFiles } from '../support/sample.ts'
import { describe, expect, test } from './harness.ts'
import type { Page } from 'playwright'

const CHR = 'Dark Cloud/chara/adventurer.chr'

/** Colours of the viewport's middle, as shares of the pixels. */
async function colours(page: Page): Promise<{ distinct: number; share: (test: (r: number, g: number, b: number) => boolean) => number }> {
  const box = (await page
    .getByRole('application', { name: /viewport/i })
    .or(page.locator('canvas[aria-label]'))
    .first()
    .boundingBox())!
  const png = decodePng(
    await page.screenshot({ clip: { x: box.x + box.width * 0.25, y: box.y + 40, width: box.width * 0.5, height: box.height - 80 } }),
  )
  const seen = new Set<number>()
  const pixels: [number, number, number][] = []
  for (let i = 0; i < png.data.length; i += png.channels) {
    const [r, g, b] = [png.data[i], png.data[i + 1], png.data[i + 2]] as number[]
    seen.add((r << 16) | (g << 8) | b)
    pixels.push([r, g, b])
  }
  return { distinct: seen.size, share: (test) => pixels.filter(([r, g, b]) => test(r, g, b)).length / pixels.length }
}

async function openRow(page: Page, where: RegExp): Promise<void> {
  const row = page.locator('section[aria-label="Library"] [role=listbox]').getByText(where).first()
  await row.waitFor({ timeout: 20_000 })
  // the list may still grow while the folder is read
  await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
  await row.dblclick()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
}

/** Rendering in software takes a while; the model is there when the picture has its colours. */
async function untilDrawn(page: Page): Promise<Awaited<ReturnType<typeof colours>>> {
  let last = await colours(page)
  await expect.poll(async () => (last = await colours(page)).distinct, { timeout: 30_000 }).toBeGreaterThan(400)
  return last
}

const frame = (page: Page): Promise<number> => page.getByLabel('Current frame', { exact: true }).inputValue().then(Number)

const unsaved = (page: Page): Promise<void> => page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 10_000 })

/** Byte ranges of `b` that a common beginning and end leave over. */
function middle(a: Uint8Array, b: Uint8Array): { start: number; before: string; after: string } {
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const text = (bytes: Uint8Array): string => new TextDecoder('shift_jis').decode(bytes)
  return { start, before: text(a.subarray(start, a.length - end)), after: text(b.subarray(start, b.length - end)) }
}

describe('Dark Cloud, from folder to file', () => {
  test('the sample: on screen with its texture, plays, a window is dragged and renamed, saved in its own bytes, undone', async ({
    startApp,
  }) => {
    const { page, state, screenshot } = await startApp()
    await page.getByText('Open the sample library').click()
    await openRow(page, /Dark Cloud\/chara/)
    const picture = await untilDrawn(page)
    // the tunic's blue-green, the scarf's red
    expect(picture.share((r, g, b) => b > r + 25 && g > r + 15)).toBeGreaterThan(0.004)
    expect(picture.share((r, g, b) => r > 120 && g < 90 && b < 90)).toBeGreaterThan(0.0005)
    await screenshot('level5-sample')

    const before = await frame(page)
    await page.keyboard.press('Space')
    await expect.poll(() => frame(page), { timeout: 15_000 }).not.toBe(before)
    await page.keyboard.press('Space')

    const root = findSample(state)
    const path = join(root, ...CHR.split('/'))
    const original = new Uint8Array(readFileSync(path))
    expect(Buffer.compare(original, sampleFiles().find((f) => f.path === CHR)!.bytes)).toBe(0)

    // drag the end of the second window four frames to the right
    const handle = page.getByRole('slider', { name: /^End of slice 1 / })
    await page.locator('[data-slice="1"]').click()
    const end = Number(await handle.getAttribute('aria-valuenow'))
    const box = (await handle.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    for (let i = 1; i <= 8; i++) await page.mouse.move(box.x + box.width / 2 + i * 4, box.y + box.height / 2)
    await page.mouse.up()
    await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeGreaterThan(end)
    const dragged = Number(await handle.getAttribute('aria-valuenow'))

    const name = page.getByLabel('Name of slice 1', { exact: true })
    await name.fill('忍び歩き表')
    await name.press('Enter')
    await expect.poll(() => name.inputValue()).toBe('忍び歩き表')
    await expect.poll(() => page.getByRole('button', { name: /^Slice 1 忍び歩き表/ }).count()).toBe(1)
    expect(Buffer.compare(readFileSync(path), original)).toBe(0)

    await unsaved(page)
    await page.getByRole('tab', { name: 'Changes' }).click()
    await screenshot('level5-changes')
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)
    const saved = new Uint8Array(readFileSync(path))
    // within the script's KEY line: the end, and the name behind it; sizes and padding of the pack's record follow the text's length
    const script = (bytes: Uint8Array): Uint8Array => {
      const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0x44, true)
      return bytes.slice(0x50, 0x50 + size)
    }
    const [linesBefore, linesAfter] = [original, saved].map((bytes) => new TextDecoder('shift_jis').decode(script(bytes)).split('\r\n'))
    const changed = linesBefore.flatMap((line, i) => (line === linesAfter[i] ? [] : [[line, linesAfter[i]]]))
    expect(linesAfter.length).toBe(linesBefore.length)
    expect(changed).toEqual([['KEY  50,  80,  0.50    //歩き', `KEY  50,  ${dragged},  0.50    //忍び歩き表`]])
    // every other member is as it was, byte for byte
    const stride = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0x48, true)
    expect(Buffer.compare(saved.subarray(stride(saved)), original.subarray(stride(original)))).toBe(0)

    // a restore on the disk brings back more than the member that it stands beside: it says so before
    const changes = page.locator('[data-panel="changes"]')
    await changes
      .getByRole('treeitem', { name: /^info\.cfg/ })
      .first()
      .click()
    await changes.getByRole('button', { name: 'Restore info.cfg alone', exact: true }).waitFor()
    const restore = changes.getByRole('button', { name: 'Restore pack adventurer.chr on disk', exact: true })
    await restore.waitFor()
    await expect
      .poll(() => restore.getAttribute('title'))
      .toBe('All of adventurer.chr as it was, on disk: every member of it, not this one alone')

    await page.getByRole('tab', { name: 'Timeline' }).click()
    const undo = page.getByRole('button', { name: /^Undo/ })
    await undo.click()
    await expect.poll(() => name.inputValue()).toBe('歩き')
    await undo.click()
    await expect.poll(() => page.getByLabel('End of slice 1', { exact: true }).inputValue()).toBe(String(end))
    // nothing of it is changed any more: what was kept is the pack, and so is what comes back
    await page.getByRole('tab', { name: 'Changes' }).click()
    await changes
      .getByRole('list', { name: 'Kept originals' })
      .getByRole('button', { name: 'Restore pack adventurer.chr', exact: true })
      .waitFor()
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).toBe(0)
  }, 180_000)

  const effects = join(corpusRoot, 'level5', 'dc1-effects')
  test.skipIf(!existsSync(effects))(
    'the real packs: windows of the CFG, on screen, an edit in the KEY line only (skipped where the corpus is absent)',
    async ({ startApp }) => {
      const folder = mkdtempSync(join(tmpdir(), 'marrow-packs-'))
      try {
        mkdirSync(join(folder, 'game'))
        const packs = readdirSync(effects).filter((file) => statSync(join(effects, file)).isFile())
        // the corpus may be write-protected, and a copy is then, too
        for (const file of packs) writeFileSync(join(folder, 'game', file), readFileSync(join(effects, file)))
        const { page, screenshot } = await startApp({ folder: join(folder, 'game') })
        for (const pack of ['Fire', 'Ice', 'Wind']) {
          await page.getByRole('tab').first().click()
          await openRow(page, new RegExp(`^${pack}$`, 'i'))
          // the effects fade in: their materials are transparent at the first frame
          const nothing = page.locator('.nothing-drawn')
          await nothing.getByText(/^\d+ meshes, none of them seen at this moment$/).waitFor()
          await nothing.getByRole('button', { name: /^Go to frame \d+$/ }).click()
          await expect.poll(() => nothing.count()).toBe(0)
          expect(await frame(page)).toBeGreaterThan(1)
          const time = page.getByLabel('Current frame', { exact: true })
          await time.fill('20')
          await time.press('Enter')
          await untilDrawn(page)
          await screenshot(`level5-${pack.toLowerCase()}`)
        }
        const path = join(folder, 'game', 'Wind')
        const original = new Uint8Array(readFileSync(path))
        const speed = page.getByLabel('Speed of slice 0', { exact: true })
        const old = await speed.inputValue()
        await speed.fill('0.25')
        await speed.press('Enter')
        await unsaved(page)
        await page.keyboard.press('Control+s')
        await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)
        const { before, after } = middle(original, new Uint8Array(readFileSync(path)))
        expect(old).not.toBe('0.25')
        expect(before.length).toBeLessThanOrEqual(4)
        expect('0.25').toContain(after)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    180_000,
  )
})

/** The sample stands below the state folder. */
function findSample(state: string): string {
  const found = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((p) => p.replaceAll('\\', '/').endsWith(CHR))
  if (!found) throw new Error('the sample was not written')
  return join(state, found.slice(0, found.length - CHR.length))
}
