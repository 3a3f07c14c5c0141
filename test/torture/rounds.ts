/** A round of an area, from outside. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { commandLineRound } from './cli-kills.ts'
import { killRound } from './kills.ts'
import { programFile } from './places.ts'
import { runProgram } from './programs.ts'
import type { ArenaOrder } from './arena.ts'
import type { Area, Finding, RoundOptions, RoundResult } from './findings.ts'

/** Operations of a round. */
const MOST: Record<ArenaOrder['area'], number> = { flips: 100, disk: 20, calls: 400 }

export function runRound(area: Area, folder: string, options: RoundOptions): Promise<RoundResult> {
  if (area !== 'kills') return arenaRound(area, folder, options)
  // one in six of the command line
  return options.round % 6 === 4 ? commandLineRound(folder, options) : killRound(folder, options)
}

async function arenaRound(area: ArenaOrder['area'], folder: string, options: RoundOptions): Promise<RoundResult> {
  const base = mkdtempSync(join(folder, `${area}-`))
  try {
    const { seed, round } = options
    const order: ArenaOrder = { area, base, seed, round, most: MOST[area], time: Math.min(options.until - performance.now(), 1e9) }
    const ended = await runProgram(
      options.programs,
      [
        '--max-old-space-size=600',
        '--single-threaded-gc',
        '--max-semi-space-size=48',
        programFile(options.programs, 'arena'),
        JSON.stringify(order),
      ],
      {
        root: base,
        // calls are made by somebody who would like to write elsewhere
        allowed: area === 'calls' ? ['game', 'state', 'mod', 'out'].map((name) => join(base, 'here', name)) : [base],
        patience: 600_000,
      },
    )
    const findings = ended.lines.filter(([word]) => word === 'finding').map(([, finding]) => finding as Finding)
    const at = (ended.lines.findLast(([word]) => word === 'at')?.[1] ?? [0, 'getting ready']) as [number, string]
    let told = 0
    let now: [number, string] | undefined
    for (const [word, value] of ended.lines) {
      if (word === 'at') {
        now = value as [number, string]
        options.trace?.(`${area} ${round}.${now.join(': ')}`)
      }
      // before the first operation it is the test itself that lays its folders out
      if (word === 'outside' && now && told++ < 3)
        findings.push({
          area,
          kind: 'wrong',
          round,
          operation: now[0],
          text: `${now[1]}: changes what it may not: ${JSON.stringify(value)}`,
        })
    }
    const done = ended.lines.findLast(([word]) => word === 'end')?.[1] as number | undefined
    if (done === undefined)
      findings.push({
        area,
        kind: 'crash',
        round,
        operation: at[0],
        text: `the process ended by ${ended.signal ?? `status ${ended.code}`} at ${at[1]}: ${ended.trouble.slice(-1500)}`,
      })
    return { done: done ?? at[0], findings }
  } finally {
    if (!process.env.MARROW_TORTURE_KEEP) rmSync(base, { recursive: true, force: true })
  }
}
