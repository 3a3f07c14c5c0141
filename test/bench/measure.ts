/** Measuring for `npm run bench`: ratios within one run mean something, seconds of one machine do not. */

/** Best time of several runs in milliseconds; the best is what the code can do, the rest is what else the machine did. */
export function best(runs: number, body: () => void): number {
  // the first runs pay for compiling and for fresh memory
  for (let i = 0; i < 3; i++) body()
  let least = Infinity
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    body()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** The one in the middle: as who uses it feels it, with all that is collected in between. */
export function median(took: readonly number[]): number {
  return [...took].sort((a, b) => a - b)[took.length >> 1]
}

/**
 * The processor's time that this thread has between two looks of a timer, at most: on a busy machine that tells what is late by its own fault.
 * @returns ends it, and gives the milliseconds
 */
export function longestWork(every: number): () => number {
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let had = spent()
  const look = (): void => {
    const now = spent()
    longest = Math.max(longest, now - had)
    had = now
  }
  const looks = setInterval(look, every)
  return () => {
    clearInterval(looks)
    look()
    return longest
  }
}

export interface Row {
  /** the same in each run: the history goes by it */
  name: string
  /** what is told of this run beside its figures */
  note?: string
  bytes: number
  /** milliseconds, or what `unit` says */
  ms: number
  unit?: 'ms' | 'MB'
  /** what it is compared with, and how much that took */
  against: string
  againstMs: number
  /** least ratio against / ms that is aimed at, 0 for none */
  aim: number
}

/** A figure that has its limit from what a user feels. */
export function atMost(name: string, figure: number, most: number, more: Pick<Row, 'note' | 'unit'> & { bytes?: number } = {}): Row {
  const { bytes = 0, unit = 'ms', note } = more
  const against = `at most ${Number.isInteger(most) ? most : most.toFixed(1)} ${unit}`
  return { name, note, bytes, ms: figure, unit, against, againstMs: most, aim: 1 }
}

/** A figure that nothing is held against: what another row has of it, or what is told beside. */
export function byItself(name: string, figure: number, unit: Row['unit'] = 'ms'): Row {
  return { name, bytes: 0, ms: figure, unit, against: '', againstMs: 0, aim: 0 }
}

/** Nothing to compare with, or nothing that was measured, has none. */
export function ratioOf(row: Row): number | undefined {
  return row.againstMs > 0 && row.ms > 0 ? row.againstMs / row.ms : undefined
}

export function inUnit(figure: number, unit: Row['unit'] = 'ms'): string {
  return `${figure.toFixed(figure < 10 ? 2 : 0)} ${unit}`
}

export function print(rows: readonly Row[]): void {
  const cells = rows.map((r) => {
    const ratio = ratioOf(r)
    return [
      r.note ? `${r.name} (${r.note})` : r.name,
      r.bytes ? `${(r.bytes / 1e6).toFixed(1)} MB` : '',
      inUnit(r.ms, r.unit),
      r.against,
      r.againstMs ? inUnit(r.againstMs, r.unit) : '',
      ratio === undefined ? '' : ratio.toFixed(2),
      r.aim && ratio !== undefined ? `>= ${r.aim.toFixed(2)} ${ratio >= r.aim ? 'met' : 'MISSED'}` : '',
    ]
  })
  printTable(['what', 'size', 'time', 'against', 'its time', 'ratio', 'aim'], cells)
}

export function printTable(head: readonly string[], cells: readonly (readonly string[])[]): void {
  const widths = head.map((h, i) => Math.max(h.length, ...cells.map((c) => c[i].length)))
  for (const line of [head, ...cells])
    console.log(
      line
        .map((c, i) => c.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
}
