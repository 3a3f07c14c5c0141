/**
 * At the end of every test file: what it opened is closed, and what it wrote is gone. Each file has a folder of temporary files of its own,
 * which it finds by `os.tmpdir()` and has to leave empty. In the window's tests listeners of the window and the document count too.
 */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { countListeners } from './page-listeners.ts'
import { held, heldSince } from './held.ts'

const NAMES = ['TMPDIR', 'TEMP', 'TMP']
const outer = NAMES.map((name) => process.env[name])
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'marrow-test-')))
for (const name of NAMES) process.env[name] = folder

const listeners = 'document' in globalThis ? countListeners(globalThis) : () => []
const before = held()

/** Lets what is being closed come to its end, 20 ms at a time, also where a test file has set the clock. */
async function left(tries: number): Promise<{ open: string[]; folder: string[]; listeners: string[] }> {
  for (;;) {
    const now = { open: heldSince(before), folder: readdirSync(folder), listeners: listeners() }
    if (--tries < 0 || !Object.values(now).some((list) => list.length)) return now
    await setTimeout(20)
  }
}

// hooks of a file run before those of what it is set up with
afterAll(async () => {
  const found = await left(1000)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  NAMES.forEach((name, i) => {
    if (outer[i] === undefined) delete process.env[name]
    else process.env[name] = outer[i]
  })
  expect(found, 'left by this file').toEqual({ open: [], folder: [], listeners: [] })
}, 60_000)
