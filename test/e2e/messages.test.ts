/** What the window says in passing: one line, one action, nothing below it; long paths keep their ends, the whole is a step away. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, test } from './harness.ts'
import { coveredBy, openFromLibrary, runCommand } from './steps.ts'

/** The tests know no DOM: the page's own globals. */
declare const document: any

/** The last message as it stands there, once it says something. Looked at in one go: what went well leaves by itself. */
async function said(page: Page, part: string): Promise<{ height: number; text: string; whole: string }> {
  const found = await page.waitForFunction((wanted) => {
    const line = [...document.querySelectorAll('.notices .notice')].find((one: any) => one.checkVisibility() && one.title.includes(wanted))
    return line && { height: line.closest('.notices').getBoundingClientRect().height, text: line.textContent, whole: line.title }
  }, part)
  return found.jsonValue()
}

describe('messages', () => {
  test('stand in one line where no control is, the last in front; errors stay, all of them open above', async ({ startApp }) => {
    const root = mkdtempSync(join(tmpdir(), 'marrow-messages-'))
    try {
      const deep = join(root, ...Array.from({ length: 9 }, (_, i) => `a folder of the user ${i}`))
      mkdirSync(deep, { recursive: true })
      const { page, services, screenshot } = await startApp({ sample: true })
      await openFromLibrary(page, /Dark Cloud\/chara/)
      await runCommand(page, 'Export as GLB')
      const panel = page.getByRole('dialog', { name: /^Export / })
      await panel.getByRole('textbox', { name: 'Into' }).fill(deep)
      await panel.getByRole('button', { name: 'Export', exact: true }).click()
      const exported = await said(page, '.glb')
      expect(exported.height).toBeLessThanOrEqual(24)
      // both ends of the path are there, the whole is its tip
      expect(exported.text).toMatch(/…\/.*a folder of the user 8/)
      expect(exported.whole).toContain(deep)

      // the disk loses what the library still lists
      const { sample } = await services.handlers['app.info']({}, { signal: new AbortController().signal })
      rmSync(join(sample, 'San Andreas'), { recursive: true })
      await page.locator('.tabs').getByRole('tab').first().click()
      await page
        .locator('section[aria-label="Library"] [role=listbox]')
        .getByText(/San Andreas\/models\/peds/)
        .first()
        .dblclick()
      const error = page.getByRole('log', { name: 'Notices' }).getByRole('alert')
      await error.waitFor()
      for (const width of [1440, 800]) {
        await page.setViewportSize({ width, height: 600 })
        expect((await page.locator('.notices').boundingBox())!.height).toBeLessThanOrEqual(24)
        await expect.poll(() => coveredBy(page, '.notices'), { message: `at ${width} pixels` }).toEqual([])
      }
      await page.getByRole('button', { name: /Notices in full$/ }).click()
      const all = page.getByRole('group', { name: 'Notices in full' })
      await all.getByText('peds', { exact: false }).first().waitFor()
      await screenshot('messages-all')
      await page.keyboard.press('Escape')
      await all.waitFor({ state: 'detached' })
      // the warning of what the export left out stays, too
      const [stays, dismiss] = [page.locator('.notices .notice'), page.getByRole('button', { name: 'Dismiss' })]
      for (let left = await stays.count(); left; left--) await dismiss.click()
      await expect.poll(() => stays.count()).toBe(0)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
