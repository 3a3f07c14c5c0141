/** Memory of a scan above that of the process before it, at its peak and once it is over. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mixedLibrary, oneSkeleton } from './mixed-library.ts'
import { atMost, type Row } from './measure.ts'
import type { SampleFile } from '../../src/main/sample/write-sample.ts'
import type { ScanMemory } from './scan-memory.ts'

const FILES = 20_000
const MOST_MB = 300
const MOST_LEFT_MB = 100

const LIBRARIES: [string, () => Iterable<SampleFile>][] = [
  ['files of all families', () => mixedLibrary(FILES)],
  ['W3D of one skeleton in a BIG', () => [{ path: 'Units.big', bytes: oneSkeleton(FILES) }]],
  ['models and animations of one skeleton in an IMG', () => [{ path: 'Units.img', bytes: oneSkeleton(FILES, 'renderware') }]],
]

/** @throws Error with what the program said */
function scanOf(files: Iterable<SampleFile>): ScanMemory {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    for (const { path, bytes } of files) {
      const target = join(root, 'game', path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, bytes)
    }
    const program = join(import.meta.dirname, 'scan-memory.ts')
    const args = ['--disable-warning=ExperimentalWarning', program, join(root, 'game'), join(root, 'index.db')]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as ScanMemory
  } finally {
    rmSync(root, { recursive: true })
  }
}

export function memoryRows(): Row[] {
  return LIBRARIES.flatMap(([what, files]) => {
    const { peak, left } = scanOf(files())
    const name = `scan of ${FILES} ${what}, memory above start`
    return [
      atMost(`${name}: peak`, peak / 1e6, MOST_MB, { unit: 'MB' }),
      atMost(`${name}: left after it`, left / 1e6, MOST_LEFT_MB, { unit: 'MB' }),
    ]
  })
}
