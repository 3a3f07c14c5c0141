/** The command line's start against that of a Node that does nothing. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt, projectRoot } from '../../scripts/lib/build.mjs'
import type { Row } from './measure.ts'

const RUNS = 15

/** Best time of a program in milliseconds: as a user starts it, by the Node that is installed. */
function started(...args: string[]): number {
  let least = Infinity
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now()
    spawnSync('node', args, { stdio: 'ignore' })
    least = Math.min(least, performance.now() - start)
  }
  return least
}

export function startRows(): Row[] {
  const marrow = join(projectRoot, 'bin/marrow.mjs')
  const from = isBuilt('cli') ? 'from the bundle' : 'from the sources'
  const empty = started('--eval', '0')
  const row = (name: string, args: string[], aim: number): Row => ({
    name,
    note: from,
    bytes: 0,
    ms: started(marrow, ...args),
    against: 'node --eval 0',
    againstMs: empty,
    aim,
  })
  // an empty Node takes 0.04 s where help is to be there within 0.12 s
  return [row('marrow --help', ['--help'], 0.34), row('marrow info of a small file', ['info', join(projectRoot, 'package.json')], 0)]
}
