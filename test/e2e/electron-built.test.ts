/** The built main and preload bundles, run as they are against the stand-in for `electron`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'

describe('built Electron bundles', () => {
  it('start, serve their page, answer calls, tell events and end; the next run has what was open', () => {
    const home = mkdtempSync(join(tmpdir(), 'marrow-built-'))
    try {
      const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'electron-built-driver.ts')]
      const run = (): Record<string, unknown> => {
        const out = execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, MARROW_HOME: home }, timeout: 60_000 })
        return JSON.parse(out.slice(out.indexOf('{"preload"'))) as Record<string, unknown>
      }
      const first = run()
      expect(first).toEqual({
        preload: 'out/preload/index.cjs',
        url: 'marrow://app/',
        exposed: ['listen', 'openFiles', 'send'],
        page: 200,
        scripts: [200],
        outside: 404,
        host: 'electron',
        theme: 'light',
        lastOpen: '',
        refused: 'invalid-argument',
        unknown: 'invalid-argument',
        menu: 'edit.undo',
        sample: existsSync(join(projectRoot, 'src/main/sample/write-sample.ts')) ? 'indexed' : expect.any(String),
        lost: expect.stringContaining('Your edits are kept'),
        servedAgain: 'electron',
        processes: 2,
        ended: true,
      })
      // what the window had open is there for the next run, which opens it again
      expect(run()).toEqual({ ...first, lastOpen: '{"was":"open"}' })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})
