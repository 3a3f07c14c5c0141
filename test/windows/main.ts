/** Runs in Windows' Node: `main.ts PLACE.json OUTCOMES.json [PART OF A NAME]`. One process for all checks, since Wine takes seconds to start. */
import { readFileSync, writeFileSync } from 'node:fs'
import { checks, Skipped } from './checks.ts'
import type { Outcome, Place } from './place.ts'

const [given, answer, only = ''] = process.argv.slice(2)
/** A check that hangs must not take the others with it, ms. */
const MOST_MS = 300_000
const place = JSON.parse(readFileSync(given, 'utf8')) as Place
const outcomes: Outcome[] = []
for (const [name, check] of Object.entries(checks)) {
  if (!name.includes(only)) continue
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`not done after ${MOST_MS} ms`)), MOST_MS)))
    await Promise.race([check(place), late])
    outcomes.push({ name, state: 'passed', detail: '' })
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    outcomes.push(error instanceof Skipped ? { name, state: 'skipped', detail: error.message } : { name, state: 'failed', detail })
  }
  clearTimeout(timer)
  // what was done so far is known even where the process is ended
  writeFileSync(answer, JSON.stringify(outcomes))
}
process.exit()
