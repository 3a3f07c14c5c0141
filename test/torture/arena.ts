/** One round of flips, of a full disk or of calls, in a process of its own: what ends it ends no more than the round. */
import fs from 'node:fs'
import { callRound } from './calls.ts'
import { diskRound } from './disk.ts'
import { Findings } from './findings.ts'
import { flipRound } from './flips.ts'
import { toText } from './text.ts'
import type { Counting } from './counting.ts'
import type { Area } from './findings.ts'

export interface ArenaOrder {
  area: Exclude<Area, 'kills'>
  base: string
  seed: number
  round: number
  /** operations at most */
  most: number
  /** ms from now on after which no further operation begins */
  time: number
}

export interface ArenaRound extends ArenaOrder {
  findings: Findings
  counting: Counting
  /** said before each operation: a process that ends is asked what it was at */
  at(operation: number, what: string): void
  over(): boolean
}

const order = JSON.parse(process.argv[2]) as ArenaOrder
const write = fs.writeSync
const say = (word: string, value: unknown): void => void write(1, `${word} ${toText(value)}\n`)
const findings = new Findings(order.area, order.round)
let operation = 0
const fault = (what: string) => (error: unknown) => {
  say('finding', {
    area: order.area,
    kind: 'crash',
    round: order.round,
    operation,
    text: `${what}: ${(error as Error)?.stack ?? String(error)}`,
  })
}
process.on('uncaughtException', fault('nobody caught'))
process.on('unhandledRejection', fault('nobody waited for'))

const since = performance.now()
const done = await { flips: flipRound, disk: diskRound, calls: callRound }[order.area]({
  ...order,
  findings,
  counting: (globalThis as { tortureCounting?: Counting }).tortureCounting!,
  at(number, what) {
    operation = number
    say('at', [number, what])
  },
  over: () => performance.now() - since > order.time,
})
for (const finding of findings.list) say('finding', finding)
say('end', done)
process.exit(0)
