/**
 * Whether who wrote something is there: files of a run that is gone are cleared away or taken up, those of one that lives are left alone. A run is a
 * process, or a thread of one with its workers: behind the web host the services are a thread, which can fail while its process lives on.
 */
import { randomBytes } from 'node:crypto'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

interface Runs {
  own: string
  /** of this process, and they write no more */
  ended: readonly string[]
}

/** Workers have it of the thread that starts them. */
const KEY = 'marrow.runs'
const inherited = getEnvironmentData(KEY) as unknown as Runs | undefined
let runs: Runs = inherited ?? { own: newRun(), ended: [] }

/** What tells runs of one process apart: six hexadecimal digits. @param taken by others */
export function newRun(taken: readonly string[] = []): string {
  const run = randomBytes(3).toString('hex')
  return taken.includes(run) ? newRun(taken) : run
}

/** Said by a thread that is a run of its own, before it writes anything. @param ended earlier ones of this process */
export function beginRun(own: string, ended: readonly string[]): void {
  runs = { own, ended }
  setEnvironmentData(KEY, { own, ended: [...ended] })
}

/** Of this run and no other: twelve hexadecimal digits, for names of what it writes. */
export function ownMark(): string {
  return runs.own + randomBytes(3).toString('hex')
}

/** @param mark of a run of that process, where what it wrote has one */
export function processLives(pid: number, mark = ''): boolean {
  // 0 and below are groups of processes, and Node refuses what no system counts to
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (pid === process.pid && runs.ended.includes(mark.slice(0, 6))) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // a process of another user is there, too
    return (error as { code?: string }).code === 'EPERM'
  }
}
