/** The packed application of this system, in real Electron with its fuses as users get them. They forbid a debugger in the main process, not in the page. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

const suffix = process.arch === 'x64' ? '' : `-${process.arch}`
const program = join(
  projectRoot,
  'dist',
  {
    linux: `linux${suffix}-unpacked/marrow`,
    win32: `win${suffix}-unpacked/Marrow.exe`,
    darwin: `mac${suffix}/Marrow.app/Contents/MacOS/Marrow`,
  }[process.platform as string] ?? 'none',
)
const why = process.env.MARROW_ELECTRON === 'required' ? null : 'MARROW_ELECTRON=required asks for it, after npm run package'

describe.skipIf(why !== null)(why === null ? 'the packed application' : `the packed application (skipped: ${why})`, () => {
  it('opens the samples: worker, native module and page come out of the archive', async () => {
    if (!existsSync(program)) throw new Error(`${program} is not there: npm run package`)
    const home = mkdtempSync(join(tmpdir(), 'marrow-packaged-'))
    const child = spawn(program, ['--remote-debugging-port=0'], {
      env: { ...process.env, MARROW_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    try {
      const address = await new Promise<string>((resolve, reject) => {
        let said = ''
        child.stderr.on('data', (part) => {
          said += part
          const found = /DevTools listening on (ws:\/\/\S+)/.exec(said)
          if (found) resolve(found[1])
        })
        child.once('error', reject)
        child.once('close', (code) => reject(new Error(`it ended with ${code}: ${said}`)))
      })
      const browser = await chromium.connectOverCDP(address)
      const pages = () => browser.contexts().flatMap((context) => context.pages())
      await expect
        .poll(() => pages().map((page) => page.url()), { timeout: 60_000 })
        .toContainEqual(expect.stringMatching(/^marrow:\/\/app\//))
      const page = pages().find((one) => one.url().startsWith('marrow://app/'))!
      await page.getByText('Open the sample library').click()
      // found by the index worker, kept by SQLite
      await page
        .getByText(/^[1-9]\d* models?$/)
        .first()
        .waitFor()
      await browser.close()
    } finally {
      child.kill()
      await ended
      rmSync(home, { recursive: true, force: true })
    }
  })
})
