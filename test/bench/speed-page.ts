/** `docs/speed.md`: the course of each row in the history, a table a machine. */
import { inUnit } from './measure.ts'
import type { Measured } from './history.ts'

/** Runs beside each other in a table: the newest. */
const MOST_RUNS = 6

const HEAD = `# Speed

\`npm run bench\` measures, \`npm run bench -- --save\` writes what it measured into \`test/bench/history.csv\` and makes this page from it; \`npm run bench -- --compare COMMIT\` measures both states in turn in one run. \`npm run bench -- --help\` says the rest.

Ratios mean something, figures only beside others of the same machine, and those only where it had nothing else to do: *load* is how many programs wanted a core when a row was measured. A ratio is what a row is compared with, divided by the row: higher is better. **Bold** is below its aim. The history has every run, this page the last ${MOST_RUNS} of a machine.
`

/** In the order in which they came first. */
function grouped<T>(list: readonly T[], key: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const entry of list) {
    const group = groups.get(key(entry))
    if (group) group.push(entry)
    else groups.set(key(entry), [entry])
  }
  return groups
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')

const cellOf = (m: Measured | undefined): string => {
  if (!m) return ''
  const figure = inUnit(m.figure, m.unit)
  if (m.ratio === undefined) return figure
  const missed = m.aim > 0 && m.ratio < m.aim
  return missed ? `${figure} **×${m.ratio.toFixed(2)}**` : `${figure} ×${m.ratio.toFixed(2)}`
}

export function speedPage(history: readonly Measured[]): string {
  const parts = [HEAD]
  for (const [machine, list] of grouped(history, (m) => m.machine)) {
    const runs = [...grouped(list, (m) => m.commit).values()].slice(-MOST_RUNS)
    const shown = new Set(runs.flat().map((m) => m.row))
    const loads = runs.map((run) => [Math.min(...run.map((m) => m.load)), Math.max(...run.map((m) => m.load))])
    const head = ['row', 'against', ...runs.map(([first]) => `\`${first.commit}\` ${first.date.slice(0, 10)}`)]
    const lines = [
      head,
      head.map((_, i) => (i < 2 ? '---' : '---:')),
      ['*load*', '', ...loads.map(([least, most]) => `${least} to ${most}`)],
    ]
    for (const [row, all] of grouped(list, (m) => m.row)) {
      if (!shown.has(row)) continue
      const { against, aim } = all.at(-1)!
      // the last of a commit that was measured several times
      const cells = runs.map((run) => cellOf(run.findLast((m) => m.row === row)))
      lines.push([escaped(row), escaped(aim > 0 && aim !== 1 ? `${against}, at least ×${aim}` : against), ...cells])
    }
    parts.push(`## ${machine}\n`, `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`)
  }
  return parts.join('\n')
}
