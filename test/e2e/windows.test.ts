/** The web host on Windows, natively or by Windows' Node under Wine, with this machine's Chromium in front of it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findWindows, startWindows, windowsPath } from '../../scripts/lib/windows.mjs'
import { sampleFiles } from '../support/sample.ts'
import { bundleForWindows } from '../windows/bundle.ts'
import { sharedBrowser } from './browser.ts'

const windows = findWindows()
const missing = 'missing' in windows ? windows.missing : ''
if (missing) console.warn(`the web host on Windows: SKIPPED, ${missing}`)
const PACK = 'Dark Cloud/chara/adventurer.chr'

describe.skipIf(missing)(missing ? `the web host on Windows (skipped: ${missing})` : 'the web host on Windows', () => {
  const base = missing ? '' : mkdtempSync(join(tmpdir(), 'marrow-windows-web-'))
  const remove = [base]
  afterAll(() => remove.forEach((folder) => folder && rmSync(folder, { recursive: true, force: true, maxRetries: 5 })))

  it('opens a folder by its drive letter, shows its model, renames a window and saves it into the game', { timeout: 600_000 }, async () => {
    if ('missing' in windows) return
    const root = join(base, 'games 게임 ゲーム')
    const { bytes } = sampleFiles().find(({ path }) => path === PACK)!
    mkdirSync(join(root, dirname(PACK)), { recursive: true })
    writeFileSync(join(root, PACK), bytes)
    const bundle = await bundleForWindows('src/main/cli/main.ts')
    remove.push(bundle)
    const out = join(base, 'out.txt')
    const own = windowsPath(windows, join(base, 'state'))
    const server = await startWindows(windows, [join(bundle, 'main.js'), 'serve', windowsPath(windows, root)], {
      out,
      env: { MARROW_HOME: own },
    })
    const page = await (await sharedBrowser()).newPage({ viewport: { width: 1440, height: 900 } })
    try {
      const address = (): string => /http:\/\/\S+/.exec(readFileSync(out, 'utf8'))?.[0] ?? ''
      await expect.poll(() => address() || readFileSync(`${out}.err`, 'utf8'), { timeout: 240_000 }).toMatch(/^http:/)
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(address())
      const row = page
        .locator('section[aria-label="Library"] [role=listbox]')
        .getByText(/Dark Cloud.chara/)
        .first()
      await row.waitFor({ timeout: 240_000 })
      await page.getByText(/^Scanned /).waitFor({ timeout: 240_000 })
      await row.dblclick()
      await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 240_000 })
      await page.locator('[data-slice="1"]').click()
      const name = page.getByLabel('Name of slice 1', { exact: true })
      await name.fill('忍び歩き')
      await name.press('Enter')
      await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 60_000 })
      expect(Buffer.compare(readFileSync(join(root, PACK)), bytes)).toBe(0)
      await page.keyboard.press('Control+s')
      await expect.poll(() => Buffer.compare(readFileSync(join(root, PACK)), bytes), { timeout: 60_000 }).not.toBe(0)
      expect(new TextDecoder('shift_jis').decode(readFileSync(join(root, PACK)))).toContain('//忍び歩き\r\n')
      expect(errors).toEqual([])
    } finally {
      await page.close()
      server.child.kill()
      await server.ended
    }
    expect(existsSync(join(base, 'state'))).toBe(true)
  })
})
