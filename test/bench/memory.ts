/** Memory of a scan above that of the process before it, at its peak and once it is over; and of models that were opened one after the other. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mixedLibrary, oneSkeleton } from './mixed-library.ts'
import { atMost, type Row } from './measure.ts'
import type { SampleFile } from '../../src/main/sample/write-sample.ts'
import type { OpenMemory } from './open-memory.ts'
import type { ScanMemory } from './scan-memory.ts'

const FILES = 20_000
/** Files of the library with the models that are opened. */
const OPENED_FROM = 1500
const MOST_MB = 300
const MOST_LEFT_MB = 100

const LIBRARIES: [string, () => Iterable<SampleFile>][] = [
  ['files of all families', () => mixedLibrary(FILES)],
  ['W3D of one skeleton in a BIG', () => [{ path: 'Units.big', bytes: oneSkeleton(FILES) }]],
  ['models and animations of one skeleton in an IMG', () => [{ path: 'Units.img', bytes: oneSkeleton(FILES, 'renderware') }]],
]

/** What a program of this folder tells of a game. @throws Error with what it said */
function toldOf<T>(name: string, files: Iterable<SampleFile>): T {
  const root = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  try {
    for (const { path, bytes } of files) {
      const target = join(root, 'game', path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, bytes)
    }
    const program = join(import.meta.dirname, name)
    const args = ['--disable-warning=ExperimentalWarning', program, join(root, 'game'), join(root, 'index.db')]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as T
  } finally {
    rmSync(root, { recursive: true })
  }
}

export function memoryRows(): Row[] {
  const { models, left: ofModels } = toldOf<OpenMemory>('open-memory.ts', mixedLibrary(OPENED_FROM))
  const scans = LIBRARIES.flatMap(([what, files]) => {
    const { peak, left } = toldOf<ScanMemory>('scan-memory.ts', files())
    const name = `scan of ${FILES} ${what}, memory above start`
    return [
      atMost(`${name}: peak`, peak / 1e6, MOST_MB, { unit: 'MB' }),
      atMost(`${name}: left after it`, left / 1e6, MOST_LEFT_MB, { unit: 'MB' }),
    ]
  })
  return [
    ...scans,
    atMost(`${models} models opened one after the other, memory left after them`, ofModels / 1e6, MOST_LEFT_MB, { unit: 'MB' }),
  ]
}
