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

export interface Row {
  name: string
  bytes: number
  ms: number
  /** what it is compared with, and how long that took */
  against: string
  againstMs: number
  /** least ratio against / ms that is aimed at, 0 for none */
  aim: number
}

export function print(rows: Row[]): void {
  const cells = rows.map((r) => {
    const ratio = r.againstMs / r.ms
    return [
      r.name,
      r.bytes ? `${(r.bytes / 1e6).toFixed(1)} MB` : '',
      `${r.ms.toFixed(r.ms < 10 ? 2 : 0)} ms`,
      r.against,
      r.againstMs ? `${r.againstMs.toFixed(r.againstMs < 10 ? 2 : 0)} ms` : '',
      r.againstMs ? ratio.toFixed(2) : '',
      r.aim ? `>= ${r.aim.toFixed(2)} ${ratio >= r.aim ? 'met' : 'MISSED'}` : '',
    ]
  })
  const head = ['what', 'size', 'time', 'against', 'its time', 'ratio', 'aim']
  const widths = head.map((h, i) => Math.max(h.length, ...cells.map((c) => c[i].length)))
  for (const line of [head, ...cells])
    console.log(
      line
        .map((c, i) => c.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
}
