/** What the commands print: one JSON object or text on standard output, progress on standard error. */
import { failureOf } from '../services/failure.ts'
import type { Failure } from '../../shared/api/types/compare.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import { printable, printableLines } from '../../shared/printable.ts'
import { say } from '../../shared/texts/say.ts'

export interface Output {
  out(text: string): void
  err(text: string): void
  /** progress is drawn over itself on a terminal, and told now and then elsewhere */
  terminal: boolean
}

export { failureOf }
export type { Failure }

export class Progress {
  private readonly output: Output
  private last = 0
  private drawn = false

  constructor(output: Output) {
    this.output = output
    this.last = Date.now()
  }

  show(text: string): void {
    const now = Date.now()
    if (now - this.last < (this.output.terminal ? 100 : 2000)) return
    this.last = now
    const shown = printable(text)
    this.output.err(this.output.terminal ? `\r\x1b[K${shown.slice(0, 100)}` : `${shown}\n`)
    this.drawn = this.output.terminal
  }

  end(): void {
    if (this.drawn) this.output.err('\r\x1b[K')
    this.drawn = false
  }
}

export function printJson(output: Output, value: unknown): void {
  output.out(`${JSON.stringify(value, jsonValue, 2)}\n`)
}

/** Typed arrays as lists; numbers that JSON has no form for as text. */
function jsonValue(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as unknown as ArrayLike<number | bigint>)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value
}

/** Output on which nothing that a file's name holds is obeyed: of what comes here, lines and tabs alone stay as they are. In JSON the text is the same. */
export function printableOutput(output: Output): Output {
  return {
    out: (text) => output.out(printableLines(text)),
    err: (text) => output.err(printableLines(text)),
    terminal: output.terminal,
  }
}

/** A report for people: a line break in a name does not begin a line of the report. */
export function printableReport<R>(report: R): R {
  if (typeof report === 'string') return printable(report) as R
  if (Array.isArray(report)) return report.map(printableReport) as R
  if (typeof report !== 'object' || report === null || ArrayBuffer.isView(report)) return report
  return Object.fromEntries(Object.entries(report).map(([key, value]) => [key, printableReport(value)])) as R
}

export function bytesText(size: number): string {
  if (size < 10_000) return say('files.byteCount', { count: size })
  if (size < 10_000_000) return say('reports.kib', { size: (size / 1024).toFixed(1) })
  return say('reports.mib', { size: (size / 2 ** 20).toFixed(1) })
}

/** The first of several names, as a list; `of` is how many there are. */
export function listed(names: readonly string[], of = names.length): string {
  return [...names, ...(of > names.length ? ['…'] : [])].join(', ')
}

/** A diagnostic: what it says, then its code and its place for whoever looks for it. */
export function problemText({ severity, code, message, path, offset, known }: Omit<Diagnostic, 'ref' | 'fixes'>): string {
  const place = `${code}${path ? ` ${path}` : ''}${offset >= 0 ? ` @${offset}` : ''}`
  const said = known === 'one-source' ? say('reports.oneSource', { message }) : message
  return `${say(`reports.severity.${severity}`, { message: said })} [${place}]`
}

export function failureText({ path, code, message, offset }: Failure): string {
  return offset >= 0 ? say('reports.failureAt', { path, code, offset, message }) : say('reports.failure', { path, code, message })
}
