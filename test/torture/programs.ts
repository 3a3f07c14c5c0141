/** Starts the test's programs with the counting in them, and hears what they tell. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programFile } from './places.ts'

/** A process that has not ended by then hangs, ms: long, since a machine that has much else to do lets it wait. */
const PATIENCE = 600_000

export interface Ended {
  lines: [string, unknown][]
  signal: string | null
  code: number | null
  trouble: string
}

/** Runs one of the programs with the counting in it. */
export async function runProgram(
  programs: string,
  args: string[],
  options: { root: string; allowed: string[]; env?: Record<string, string>; strike?: number; patience?: number },
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${pathToFileURL(programFile(programs, 'counting')).href}`,
      NODE_COMPILE_CACHE: join(programs, 'compiled'),
      MARROW_TORTURE: JSON.stringify({ root: options.root, allowed: options.allowed, strike: options.strike }),
      MARROW_TORTURE_MODULES: programFile(programs, 'counting'),
      ...options.env,
    },
  })
  let out = ''
  let trouble = ''
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
  // a process that hangs
  const timer = setTimeout(() => {
    trouble += '\nit hangs'
    child.kill('SIGTERM')
    child.kill('SIGKILL')
  }, options.patience ?? PATIENCE)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  const lines = out
    .split('\n')
    // the last line may be cut
    .filter((line, i, all) => line !== '' && i < all.length - 1)
    .map((line): [string, unknown] => {
      const space = line.indexOf(' ')
      try {
        return [line.slice(0, space), JSON.parse(line.slice(space + 1))]
      } catch {
        return ['output', line]
      }
    })
  return { lines, signal: trouble.endsWith('it hangs') ? 'it hangs' : signal, code, trouble }
}
