/** A figure out of an image of a disc: edited, saved into a copy of the image when the plan was seen, and on into that; the copy has it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { discImage } from '../support/disc-image.ts'
import { accessFindings } from './axe.ts'
import { describe, expect, test } from './harness.ts'
import { openFromLibrary, saveEdits } from './steps.ts'
import type { Page } from 'playwright'

const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path))
const differing = (a: Uint8Array, b: Uint8Array): number[] => [...a.keys()].filter((i) => a[i] !== b[i])

async function setEnd(page: Page, value: string): Promise<void> {
  const end = page.getByLabel('End of slice 1', { exact: true })
  await end.fill(value)
  await end.press('Enter')
}

describe('a figure out of an image of a disc', () => {
  test('is saved into a copy, whose plan is shown first, and from then on where that stands', async ({ startApp, place }) => {
    const folder = join(place, 'game')
    mkdirSync(folder)
    const image = join(folder, 'game.iso')
    const before = discImage().image
    writeFileSync(image, before)
    const { page, screenshot } = await startApp({ folder })
    page.setDefaultTimeout(20_000)
    await openFromLibrary(page, /c01a\.chr/)
    await setEnd(page, '79')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await page.keyboard.press('Control+s')
    const panel = page.getByRole('dialog', { name: 'Save a copy of game.iso' })
    await panel.getByText('info.cfg').waitFor()
    const now = panel.getByRole('button', { name: 'Save the copy' })
    await expect.poll(() => now.isDisabled()).toBe(true)
    await expect.poll(() => panel.getByRole('textbox', { name: 'Name of the copy' }).inputValue()).toBe('game-copy.iso')
    await panel.getByRole('textbox', { name: 'Folder of the copy' }).fill(folder)
    await page.keyboard.press('Enter')
    await panel.getByText('Free on the disk').waitFor()
    await screenshot('image-copy')
    expect(await accessFindings(page, 'copy of an image', '.side-panel')).toEqual([])
    // closed, nothing is written and nothing is lost
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(readdirSync(folder)).toEqual(['game.iso'])
    await page.keyboard.press('Control+s')
    await panel.getByRole('textbox', { name: 'Folder of the copy' }).fill(folder)
    await page.keyboard.press('Enter')
    await expect.poll(() => now.evaluate((button: any) => button === button.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ state: 'detached' })
    const copy = join(folder, 'game-copy.iso')
    expect(readdirSync(folder).sort()).toEqual(['game-copy.iso', 'game.iso'])
    const places = differing(before, bytesOf(copy))
    const text = (bytes: Uint8Array): string => places.map((i) => String.fromCharCode(bytes[i])).join('')
    expect([text(before), text(bytesOf(copy))]).toEqual(['80', '79'])

    // the next one asks for nothing
    await setEnd(page, '78')
    await saveEdits(page)
    expect(text(bytesOf(copy))).toBe('78')
    expect(differing(before, bytesOf(copy))).toEqual(places)
    expect(Buffer.compare(bytesOf(image), before)).toBe(0)

    // another start: the library has found both
    const again = await startApp({ folder })
    again.page.setDefaultTimeout(20_000)
    await openFromLibrary(again.page, /game-copy\.iso.*c01a\.chr/)
    await expect.poll(() => again.page.getByLabel('End of slice 1', { exact: true }).inputValue()).toBe('78')
  }, 180_000)
})
