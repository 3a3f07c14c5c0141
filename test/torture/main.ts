/**
 * npm run torture -- [MINUTES] [--seed S] [--only kills|flips|disk|calls] [--round N] [--lanes N] [--verbose]
 * Kills, damages and torments Marrow as long as it is let, and looks by its own means whether anything was lost. Each finding is named with what
 * shows it again: seed, area and round. The last line has the counts; the exit status is 1 where anything was lost, wrong or crashed.
 */
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { bundlePrograms } from './bundle.ts'
import { AREAS } from './findings.ts'
import { ramFolder } from '../support/ram-folder.ts'
import { scratchFolder } from './places.ts'
import { runRound } from './rounds.ts'
import type { Area, Finding } from './findings.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    round: { type: 'string' },
    // rounds wait for notices and for processes to start: two to a core keep it busy
    lanes: { type: 'string', default: String(2 * availableParallelism()) },
    verbose: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const minutes = Number(positionals[0] ?? 10)
const areas = AREAS.filter((area) => values.only === undefined || area === values.only)
if (areas.length === 0 || !Number.isFinite(seed) || !(minutes > 0)) {
  console.error(`usage: npm run torture -- [minutes] [--seed S] [--only ${AREAS.join('|')}] [--round N] [--lanes N] [--verbose]`)
  process.exit(2)
}

/** In which order rounds of the areas come: as many that each gets its share. */
const ORDER: Area[] = ['kills', 'flips', 'kills', 'calls', 'flips', 'kills', 'disk', 'flips', 'kills']
const started = performance.now()
const until = started + minutes * 60_000
const counts: Record<Area, number> = { kills: 0, flips: 0, disk: 0, calls: 0 }
const findings: Finding[] = []
const notes = new Set<string>()
console.log(
  `seed ${seed}, ${values.round === undefined ? `${minutes} minutes` : `round ${values.round}`}, in ${ramFolder() ? 'memory' : scratchFolder()}`,
)

const programs = await bundlePrograms()
const next: Record<Area, number> = { kills: 0, flips: 0, disk: 0, calls: 0 }
let turn = 0

async function one(area: Area, round: number, end: number): Promise<void> {
  const trace = values.verbose ? (text: string): void => console.log(text) : undefined
  const result = await runRound(area, programs, { programs, seed, round, until: end, trace })
  counts[area] += result.done
  if (result.note) notes.add(result.note)
  for (const finding of result.findings) {
    findings.push(finding)
    console.log(
      `${finding.kind}: ${finding.text}\n  --seed ${seed} --only ${finding.area} --round ${finding.round}   (operation ${finding.operation})`,
    )
  }
}

async function lane(): Promise<void> {
  while (performance.now() < until) {
    const area = areas.length === 1 ? areas[0] : ORDER[turn++ % ORDER.length]
    await one(area, next[area]++, until)
  }
}

try {
  if (values.round !== undefined) await one(areas[0], Number(values.round), Infinity)
  else await Promise.all(Array.from({ length: Math.max(1, Number(values.lanes)) }, () => lane()))
} finally {
  rmSync(programs, { recursive: true, force: true })
}
for (const note of notes) console.log(note)
const of = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length
const seconds = Math.round((performance.now() - started) / 1000)
const done = `${counts.kills} kills, ${counts.flips} flips, ${counts.disk} disk faults, ${counts.calls} calls`
console.log(`seed ${seed}, ${seconds} s: ${done}: ${of('lost')} lost, ${of('wrong')} wrong, ${of('crash')} crashes`)
process.exitCode = findings.length > 0 ? 1 : 0
