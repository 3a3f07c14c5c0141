/** Events of a Lost Saga animation on the timeline, written back in their own bytes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from '../support/sample.ts'
import { describe, expect, test } from './harness.ts'

const ANI = 'Lost Saga/resource/animation/adventurer_attack.ani'

describe('events', () => {
  test('one is moved by the keyboard, copied, renamed, undone; the file has its own bytes changed', async ({ startApp }) => {
    const { page, state, screenshot } = await startApp()
    await page.getByText('Open the sample library').click()
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    await page
      .locator('section[aria-label="Library"] [role=listbox]')
      .getByText(/resource\/model\/animodel/)
      .first()
      .dblclick()
    const clip = page.getByLabel('Clip', { exact: true })
    await clip.waitFor({ timeout: 20_000 })
    const clips = await clip.locator('option').allTextContents()
    await clip.selectOption({ index: clips.findIndex((name) => name.includes('attack')) })
    const found = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((p) => p.replaceAll('\\', '/').endsWith(ANI))!
    const path = join(state, found)
    const original = sampleFiles().find((f) => f.path === ANI)!.bytes
    expect(Buffer.compare(readFileSync(path), original)).toBe(0)

    const event = (index: number): ReturnType<typeof page.getByRole> => page.getByRole('button', { name: new RegExp(`^Event ${index} `) })
    await event(0).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => event(0).getAttribute('aria-label')).toContain('at 370')
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor()
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)
    const saved = readFileSync(path)
    // 360 became 370: the float of the first event, behind token, version, count and two strings
    const at = 12 + 4 + 'motion_sound'.length + 4 + 'weapon/swing.wav'.length
    expect(saved.length).toBe(original.length)
    const changed = [...saved.keys()].filter((i) => saved[i] !== original[i])
    expect(changed.every((i) => i >= at && i < at + 4)).toBe(true)
    expect(new DataView(saved.buffer, saved.byteOffset).getFloat32(at, true)).toBe(370)

    await event(0).focus()
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Control+v')
    await expect.poll(() => page.getByRole('button', { name: /^Event \d/ }).count()).toBe(3)
    await event(2).dblclick()
    await screenshot('lostsaga-events')
    const text = page.getByRole('group', { name: 'Event 2' }).getByLabel('Text of event 2')
    await text.fill('weapon/할.wav')
    await text.press('Enter')
    await expect.poll(() => event(2).getAttribute('aria-label')).toContain('weapon/할.wav')

    const undo = page.getByRole('button', { name: /^Undo/ })
    for (let i = 0; i < 3; i++) {
      await expect.poll(() => undo.isEnabled()).toBe(true)
      await undo.click()
    }
    await expect.poll(() => event(0).getAttribute('aria-label')).toContain('at 360')
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).toBe(0)
  }, 120_000)
})
