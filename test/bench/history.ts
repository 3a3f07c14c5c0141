/** What was measured before, in `history.csv`: a line a row and run. It holds no names of people, machines or folders. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { ratioOf, type Row } from './measure.ts'

const HISTORY = join(import.meta.dirname, 'history.csv')

/** Under which a row was measured. */
export interface Run {
  /** UTC, to the minute */
  date: string
  /** short hash; with `+` where sources or measures were not as committed */
  commit: string
  /** processor, cores, memory, version of Node */
  machine: string
  /** programs that wanted a core when the row's group began: more than there are cores, and the figures tell of others */
  load: number
}

export interface Measured extends Run {
  row: string
  note: string
  figure: number
  unit: NonNullable<Row['unit']>
  bytes: number
  against: string
  /** 0 where there is nothing to compare with */
  againstFigure: number
  /** undefined where there is nothing to compare with */
  ratio: number | undefined
  /** least ratio, 0 for none */
  aim: number
}

const COLUMNS = ['date', 'commit', 'machine', 'load', 'row', 'note', 'figure', 'unit', 'bytes', 'against', 'its figure', 'ratio', 'aim']

/** What a figure is good for. */
const rounded = (figure: number): number => Number(figure.toPrecision(4))

export function measured(run: Run, row: Row): Measured {
  const { name, note = '', ms, unit = 'ms', bytes, against, againstMs, aim } = row
  const ratio = ratioOf(row)
  return {
    ...run,
    row: name,
    note,
    figure: rounded(ms),
    unit,
    bytes,
    against,
    againstFigure: rounded(againstMs),
    ratio: ratio === undefined ? undefined : rounded(ratio),
    aim: rounded(aim),
  }
}

const cell = (value: string | number): string => {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function lineOf(m: Measured): string {
  const { date, commit, machine, load, row, note, figure, unit, bytes, against, againstFigure, ratio, aim } = m
  return [date, commit, machine, load, row, note, figure, unit, bytes, against, againstFigure, ratio ?? '', aim].map(cell).join(',')
}

export function formatHistory(list: readonly Measured[]): string {
  return [COLUMNS.join(','), ...list.map(lineOf), ''].join('\n')
}

/** Cells of each line; cells in quotes may hold line ends. @throws Error with the number of the line */
function cellsOf(text: string): { line: number; cells: string[] }[] {
  const out: { line: number; cells: string[] }[] = []
  let line = 1
  for (let at = 0; at < text.length;) {
    const cells: string[] = []
    const begin = line
    for (;;) {
      let value = ''
      if (text[at] === '"') {
        at++
        for (;;) {
          const quote = text.indexOf('"', at)
          if (quote < 0) throw new Error(`line ${begin}: a quoted cell has no end`)
          value += text.slice(at, quote)
          at = quote + 1
          if (text[at] !== '"') break
          value += '"'
          at++
        }
        line += value.split('\n').length - 1
      } else {
        const from = at
        while (at < text.length && text[at] !== ',' && text[at] !== '\n') at++
        value = text.slice(from, at).replace(/\r$/, '')
      }
      cells.push(value)
      if (text[at] !== ',') break
      at++
    }
    if (text[at] === '\r') at++
    if (at < text.length && text[at] !== '\n') throw new Error(`line ${begin}: text after a quoted cell`)
    at++
    line++
    if (cells.length > 1 || cells[0] !== '') out.push({ line: begin, cells })
  }
  return out
}

/** @throws Error with the number of the line that is no row of a history */
export function parseHistory(text: string): Measured[] {
  const [head, ...rest] = cellsOf(text)
  if (!head || head.cells.join() !== COLUMNS.join()) throw new Error(`line 1: the columns are not ${COLUMNS.join(',')}`)
  return rest.map(({ line, cells }) => {
    const wrong = (what: string): Error => new Error(`line ${line}: ${what}`)
    if (cells.length !== COLUMNS.length) throw wrong(`${cells.length} cells where there are ${COLUMNS.length} columns`)
    const [date, commit, machine, load, row, note, figure, unit, bytes, against, againstFigure, ratio, aim] = cells
    const number = (value: string): number => {
      const read = Number(value)
      if (value.trim() === '' || !Number.isFinite(read)) throw wrong(`${JSON.stringify(value)} is no number`)
      return read
    }
    if (Number.isNaN(Date.parse(date))) throw wrong(`${JSON.stringify(date)} is no date`)
    if (unit !== 'ms' && unit !== 'MB') throw wrong(`${JSON.stringify(unit)} is no unit`)
    return {
      date,
      commit,
      machine,
      load: number(load),
      row,
      note,
      figure: number(figure),
      unit,
      bytes: number(bytes),
      against,
      againstFigure: number(againstFigure),
      ratio: ratio === '' ? undefined : number(ratio),
      aim: number(aim),
    }
  })
}

export function readHistory(file = HISTORY): Measured[] {
  return existsSync(file) ? parseHistory(readFileSync(file, 'utf8')) : []
}

/** Puts rows at the end; what stands there keeps its bytes. @throws Error where that is no history */
export function appendHistory(list: readonly Measured[], file = HISTORY): void {
  if (!existsSync(file)) return appendFileSync(file, formatHistory(list))
  const text = readFileSync(file, 'utf8')
  parseHistory(text)
  appendFileSync(file, `${text.endsWith('\n') ? '' : '\n'}${list.map((m) => `${lineOf(m)}\n`).join('')}`)
}

/** What this machine is, without its name. */
export function machine(): string {
  const cores = cpus()
  const model = (cores[0]?.model ?? process.arch).replace(/\s+/g, ' ').trim()
  const many = cores.length === 1 ? '1 core' : `${cores.length} cores`
  return `${model}, ${many}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
}

export function runNow(commit: string): Run {
  return { date: `${new Date().toISOString().slice(0, 16)}Z`, commit, machine: machine(), load: rounded(loadavg()[0]) }
}

/** What decides a figure. */
const DECIDES = ['bin', 'scripts', 'src', 'test/bench/*.ts', 'test/support', 'electron.vite.config.ts', 'package-lock.json']

/** Of what stands in a folder. */
export function commitOf(root: string): string {
  const git = (...args: string[]): string => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : ''
  }
  const commit = git('rev-parse', '--short=8', 'HEAD')
  if (commit === '') return 'unknown'
  return git('status', '--porcelain', '--', ...DECIDES) === '' ? commit : `${commit}+`
}
