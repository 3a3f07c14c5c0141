/**
 * npm run fuzz [-- --seconds N] [--seed S] [--format id] [--case N [--write FILE]] [--verbose]
 * Damages sound files and looks whether every step from identify to lint holds. A case that takes more than two seconds of the
 * processor is a hang, one that takes the worker's memory is a crash. Each finding is named with the number that shows it again: --case.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { registry } from '../../src/main/formats/registry.ts'
import { Cases } from './cases.ts'
import { check, STAGES } from './check.ts'
import type { Finding } from './check.ts'
import type { WorkerInput } from './worker.ts'

/** Of the processor, not of the clock: other work on the machine makes no hang. */
const LIMIT_MS = 2000
/** Of the clock: one that waits for what never comes takes no processor. */
const WAIT_MS = 120_000
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    format: { type: 'string' },
    case: { type: 'string' },
    write: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const seconds = Number(values.seconds)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Where in the project it happened: findings of one place are one finding. */
function place(finding: Finding): string {
  const frames = finding.stack.split('\n').filter((line) => line.includes('/src/') && !line.includes('binary/reader'))
  const frame = /\/(src\/[^)]*?):(\d+):\d+/.exec(frames[0] ?? '')
  return frame ? `${frame[1]}:${frame[2]}` : finding.stack.split('\n')[0].slice(0, 120).replace(/\d+/g, 'N')
}

interface Found {
  count: number
  n: number
  path: string
  format: string
  finding: Finding
}

function report(found: ReadonlyMap<string, Found>): void {
  for (const { count, n, path, format, finding } of [...found.values()].sort((a, b) => b.count - a.count)) {
    console.log(
      `${finding.kind} in ${finding.stage}: ${finding.message.slice(0, 300)}\n  ${count} times, ${place(finding)}\n  --seed ${seed} --format ${format} --case ${n}   (${path})`,
    )
    if (values.verbose) console.log(finding.stack.split('\n').slice(0, 12).join('\n'))
  }
}

/** Cases of one format for a time. */
async function fuzz(format: string, time: number): Promise<{ cases: number; decoded: number; found: Map<string, Found>; slowest: string }> {
  const found = new Map<string, Found>()
  const keep = (n: number, path: string, finding: Finding): void => {
    const key = `${finding.kind} ${finding.stage} ${place(finding)}`
    const known = found.get(key)
    if (known) known.count++
    else found.set(key, { count: 1, n, path, format, finding })
  }
  const state = new SharedArrayBuffer(24)
  const view = new Int32Array(state)
  let first = 0
  // counted from the first case: getting ready takes longer than many cases
  let until = Infinity
  while (performance.now() < until) {
    Atomics.store(view, 0, -1)
    const input: WorkerInput = { seed, format, first, last: 2 ** 30, state }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: input,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const outcome = await new Promise<'time' | 'hang' | 'crash' | 'none'>((resolve) => {
      let at = -1
      let since = performance.now()
      let used = cpuMs()
      const timer = setInterval(() => {
        const now = Atomics.load(view, 0)
        if (now !== at) {
          at = now
          since = performance.now()
          used = cpuMs()
        } else if (at >= 0 && (cpuMs() - used > LIMIT_MS || performance.now() - since > WAIT_MS)) done('hang')
        // a case that is slow already is seen through
        if (performance.now() > until && at >= 0 && cpuMs() - used < LIMIT_MS / 4) done('time')
      }, 50)
      const done = (what: 'time' | 'hang' | 'crash' | 'none'): void => {
        clearInterval(timer)
        resolve(what)
      }
      worker.on('message', (message: { kind: string; n: number; path: string; finding: Finding; seeds: number }) => {
        if (message.kind === 'finding') keep(message.n, message.path, message.finding)
        else if (message.kind === 'ready') {
          if (message.seeds === 0) done('none')
          else until = Math.min(until, performance.now() + time)
        }
      })
      worker.on('error', (error: Error) => {
        if (Atomics.load(view, 0) < 0) throw error
        keep(Atomics.load(view, 0), '', {
          kind: 'crash',
          stage: STAGES[Atomics.load(view, 1)],
          message: String(error),
          stack: error.stack ?? '',
        })
        done('crash')
      })
    })
    await worker.terminate()
    if (outcome === 'hang')
      keep(Atomics.load(view, 0), '', {
        kind: 'hang',
        stage: STAGES[Atomics.load(view, 1)],
        message: `more than ${LIMIT_MS} ms of the processor`,
        stack: '',
      })
    if (outcome === 'none' || outcome === 'time') break
    first = Atomics.load(view, 0) + 1
  }
  return {
    cases: Atomics.load(view, 2),
    decoded: Atomics.load(view, 3),
    found,
    slowest: `case ${Atomics.load(view, 4)} with ${Atomics.load(view, 5)} ms`,
  }
}

if (values.case !== undefined) {
  const cases = new Cases(seed, values.format)
  const { seed: from, bytes, siblings, gltf } = cases.get(Number(values.case))
  console.log(`${from.path}: ${bytes.length} bytes, was ${from.bytes.length}`)
  if (values.write) writeFileSync(values.write, bytes)
  const started = cpuMs()
  let stage = ''
  let since = started
  const { findings } = await check(from, bytes, siblings, {
    gltf,
    onStage: (next) => {
      if (stage && cpuMs() - since > 50) console.log(`${stage}: ${Math.round(cpuMs() - since)} ms`)
      stage = next
      since = cpuMs()
    },
  })
  for (const finding of findings) console.log(`${finding.kind} in ${finding.stage}: ${finding.message}\n${finding.stack}`)
  console.log(`${findings.length} findings, ${Math.round(cpuMs() - started)} ms of the processor`)
  process.exitCode = findings.length > 0 ? 1 : 0
} else {
  const all = [
    ...registry.families.flatMap((family) => [...family.formats, ...family.archives].map((format) => format.id)),
    'common.dds',
    'common.tga',
  ]
  const formats = all.filter((id) => !values.format || id === values.format || id.startsWith(`${values.format}.`))
  if (formats.length === 0) {
    console.error(`there is no format ${values.format}: ${all.join(', ')}`)
    process.exit(2)
  }
  let total = 0
  for (const format of formats) {
    const { cases, decoded, found, slowest } = await fuzz(format, (1000 * seconds) / formats.length)
    if (cases > 0) console.log(`${format}: ${cases} cases, ${decoded} of them read, ${found.size} findings; slowest ${slowest}`)
    report(found)
    total += found.size
  }
  process.exitCode = total > 0 ? 1 : 0
}
