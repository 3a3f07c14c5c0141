/** A bounded part of `npm run torture`, one test an area: the same rounds each time. Nothing is tried again: what is found counts. */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundlePrograms } from './bundle.ts'
import { runRound } from './rounds.ts'
import type { Area, Finding } from './findings.ts'

/** Rounds of each area, and what they come to at least. */
const ROUNDS: [Area, number[], number][] = [
  // archives: both sides of a pair, both families of IMG, a disc, a pack
  ['kills', [0, 2, 3, 5, 6, 8], 140],
  ['flips', [3, 5, 7], 300],
  ['disk', [0, 1, 3, 9, 11], 80],
  ['calls', [0, 1, 2, 5], 1200],
]
/** Another seed finds what this one does not: MARROW_TORTURE_SEED. */
const SEED = Number(process.env.MARROW_TORTURE_SEED ?? 1)

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => rmSync(programs, { recursive: true, force: true }))

const line = ({ kind, area, round, operation, text }: Finding): string =>
  `${kind}: ${text} (npm run torture -- --seed ${SEED} --only ${area} --round ${round}, operation ${operation})`

describe('torture', () => {
  it.concurrent.each(ROUNDS)('%s: nothing lost, nothing wrong, no crash', { timeout: 900_000 }, async (area, rounds, least) => {
    let done = 0
    const findings: string[] = []
    for (const round of rounds) {
      const result = await runRound(area, programs, { programs, seed: SEED, round, until: Infinity })
      done += result.done
      findings.push(...result.findings.map(line))
    }
    expect(findings).toEqual([])
    expect(done).toBeGreaterThanOrEqual(least)
  })
})
