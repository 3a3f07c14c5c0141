/**
 * The checks of checks.ts on Windows: natively there, elsewhere by Windows' Node under Wine where the machine has both (`npm run windows-node`).
 * One process runs them all.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findWindows, runWindows, windowsPath } from '../../scripts/lib/windows.mjs'
import { bundleForWindows } from './bundle.ts'
import { checks } from './checks.ts'
import type { Outcome, Place } from './place.ts'

const windows = findWindows()
const missing = 'missing' in windows ? windows.missing : ''
if (missing) console.warn(`tests on Windows: SKIPPED, ${missing}`)

describe.skipIf(missing)(missing ? `on Windows (skipped: ${missing})` : 'on Windows', () => {
  const base = missing ? '' : mkdtempSync(join(tmpdir(), 'marrow-windows-'))
  const remove = [base]
  let outcomes: Outcome[] = []
  let said = ''

  beforeAll(async () => {
    if ('missing' in windows) return
    const files = { place: join(base, 'place.json'), outcomes: join(base, 'outcomes.json'), out: join(base, 'out.txt') }
    writeFileSync(files.place, JSON.stringify(places(join(base, 'games 게임 ゲーム'))))
    const env = { MARROW_HOME: undefined }
    const bundle = await bundleForWindows('test/windows/main.ts')
    remove.push(bundle)
    const { out, err } = await runWindows(
      windows,
      [join(bundle, 'main.js'), windowsPath(windows, files.place), windowsPath(windows, files.outcomes)],
      { out: files.out, env },
    )
    said = out + err
    if (existsSync(files.outcomes)) outcomes = JSON.parse(readFileSync(files.outcomes, 'utf8')) as Outcome[]
  }, 900_000)
  afterAll(() => {
    for (const folder of remove) if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  function places(area: string): Place {
    if ('missing' in windows) throw new Error(windows.missing)
    mkdirSync(area)
    const name = basename(base)
    if (windows.native) {
      // the share that Windows has of each drive, for who may reach it
      const share = `\\\\${hostname()}\\${area[0]}$${area.slice(2)}`
      return { area, other: process.env.MARROW_OTHER_DRIVE ?? '', unc: existsSync(share) ? share : '', junctions: true }
    }
    // Wine's C: beside its Z:, and a server of its own making
    const c = join(windows.prefix, 'drive_c', name)
    const server = join(windows.prefix, 'dosdevices', 'unc', name)
    for (const folder of [c, server]) mkdirSync(folder, { recursive: true })
    symlinkSync(base, join(server, 'share'))
    remove.push(c, server)
    return { area: windowsPath(windows, area), other: `C:\\${name}`, unc: `\\\\${name}\\share\\${basename(area)}`, junctions: false }
  }

  for (const name of Object.keys(checks))
    it(name, (context) => {
      const outcome = outcomes.find((o) => o.name === name)
      if (outcome?.state === 'skipped') {
        console.warn(`on Windows: ${name}: SKIPPED, ${outcome.detail}`)
        context.skip(outcome.detail)
      }
      expect(outcome?.state, outcome?.detail || `the process ended before: ${said}`).toBe('passed')
    })
})
