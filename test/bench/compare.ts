/** Two commits in one run, in turn: a machine that grows slower meanwhile is slower for both. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { corpusFolder } from './corpus.ts'
import { inUnit, printTable, type Row } from './measure.ts'

/** The rows of a group, or why there are none. */
export type Answer = { rows: Row[] } | { failed: string }
/** Measures a group once. */
export type Side = (group: string) => Answer

export interface Compared {
  name: string
  unit: Row['unit']
  /** medians; undefined where a side has no such row */
  then?: number
  now?: number
  /** then / now: above 1 is faster or smaller */
  ratio?: number
  /** the least and the most that a round said */
  spread?: [number, number]
}

const median = (list: readonly number[]): number => {
  const sorted = [...list].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Who begins changes with each round. A side that cannot measure the group is not asked again. */
export function compareGroup(group: string, then: Side, now: Side, rounds: number): { rows: Compared[]; failed: string[] } {
  const figures = { then: new Map<string, number[]>(), now: new Map<string, number[]>() }
  const units = new Map<string, Row['unit']>()
  const failed: string[] = []
  for (let round = 0; round < rounds && failed.length === 0; round++) {
    const turns = [
      ['then', then],
      ['now', now],
    ] as const
    for (const [side, measure] of round % 2 === 0 ? turns : [...turns].reverse()) {
      const answer = measure(group)
      if ('failed' in answer) {
        failed.push(`${side}: ${answer.failed}`)
        continue
      }
      for (const { name, ms, unit } of answer.rows) {
        units.set(name, unit)
        const list = figures[side].get(name)
        if (list) list.push(ms)
        else figures[side].set(name, [ms])
      }
    }
  }
  const rows = [...units].map(([name, unit]): Compared => {
    const [before, after] = [figures.then.get(name), figures.now.get(name)]
    if (!before || !after) return { name, unit, then: before && median(before), now: after && median(after) }
    const each = before.slice(0, after.length).map((ms, i) => ms / after[i])
    return {
      name,
      unit,
      then: median(before),
      now: median(after),
      ratio: median(before) / median(after),
      spread: [Math.min(...each), Math.max(...each)],
    }
  })
  return { rows, failed }
}

export function printCompared(rows: readonly Compared[], commit: string): void {
  const figure = (value: number | undefined, unit: Row['unit']): string => (value === undefined ? 'none' : inUnit(value, unit))
  printTable(
    ['what', commit, 'now', 'ratio', 'rounds'],
    rows.map(({ name, unit, then, now, ratio, spread }) => [
      name,
      figure(then, unit),
      figure(now, unit),
      ratio === undefined ? '' : ratio.toFixed(2),
      spread ? `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}` : '',
    ]),
  )
}

/** This bench over the sources that stand in a folder, in a process of its own. */
export function sideIn(root: string): Side {
  return (group) => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
    const file = join(folder, 'rows.json')
    try {
      const corpus = corpusFolder()
      const { status, signal, stderr } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(root, 'test/bench/main.ts'), group, '--json', file],
        {
          cwd: root,
          encoding: 'utf8',
          stdio: ['ignore', 'ignore', 'pipe'],
          env: { ...process.env, ...(corpus && { MARROW_CORPUS: corpus }) },
        },
      )
      if (status === 0) return { rows: JSON.parse(readFileSync(file, 'utf8')) as Row[] }
      const why = stderr.split('\n').find((line) => /error\b/i.test(line)) ?? ''
      return { failed: why.trim() || (signal ? `ended by ${signal}` : `status ${status}`) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function git(root: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error((error?.message ?? (stderr || `git ${args.join(' ')}: status ${status}`)).trim())
  return stdout.trim()
}

/**
 * The sources of a commit in a temporary folder, with the packages and the measures of now: what differs is what is measured.
 * @throws Error where there is no such commit
 */
export function withSourcesOf<T>(commit: string, body: (folder: string) => T, root = projectRoot): T {
  const hash = git(root, 'rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`)
  const temporary = mkdtempSync(join(tmpdir(), 'marrow-compare-'))
  const folder = join(temporary, 'then')
  try {
    git(root, 'worktree', 'add', '--detach', '--quiet', folder, hash)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    rmSync(join(folder, 'test'), { recursive: true, force: true })
    cpSync(join(root, 'test'), join(folder, 'test'), { recursive: true })
    return body(folder)
  } finally {
    // the link alone, never what it leads to
    rmSync(join(folder, 'node_modules'), { force: true })
    if (existsSync(folder)) git(root, 'worktree', 'remove', '--force', folder)
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** What is measured as it is built. @throws Error */
export function buildIn(root: string): void {
  const program = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [program, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${root} cannot be built`)
}
