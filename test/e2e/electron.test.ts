/** Real Electron, where its binary and a screen are. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { electronBinary, whyNoScreen } from '../../scripts/lib/electron.mjs'

declare const window: any

const binary = electronBinary()
// CI has both, and asks for it
const why = process.env.MARROW_ELECTRON === 'required' ? null : binary ? whyNoScreen() : 'its binary is not here'

describe.skipIf(why !== null)(why === null ? 'Electron' : `Electron (skipped: ${why})`, () => {
  it('opens the workbench and ends', async () => {
    const home = mkdtempSync(join(tmpdir(), 'marrow-electron-'))
    const app = await _electron.launch({
      executablePath: binary!,
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), projectRoot],
      env: { ...process.env, MARROW_HOME: home } as Record<string, string>,
    })
    try {
      const page = await app.firstWindow()
      const errors: string[] = []
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(error.message))
      await page.waitForLoadState('networkidle')
      expect(page.url()).toMatch(/^marrow:\/\/app\//)
      await expect.poll(() => page.locator('body').innerText()).toMatch(/\S/)
      await expect
        .poll(() =>
          page.evaluate(() => ({
            keys: Object.keys(window.marrow).sort(),
            node: typeof window.require,
            process: typeof window.process,
          })),
        )
        .toEqual({
          keys: ['listen', 'send'],
          node: 'undefined',
          process: 'undefined',
        })
      expect(errors).toEqual([])
    } finally {
      await app.close()
      rmSync(home, { recursive: true, force: true })
    }
  })
})
