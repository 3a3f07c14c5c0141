/**
 * A program that is killed at a call that changes something on disk (test/workspace/kill-at.ts). What a death leaves is what is on the disk at
 * that moment: one run that copies its folder before each call shows every one of them, without a process for each. Runs that really die are
 * looked at with the same eyes, here and there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildChild } from './built-child.ts'

/** So many processes really die, spread over the calls. */
const REALLY = 3

/** One death: the call, and the folder as it was left. */
interface Death {
  call: number
  base: string
}

export class KilledRuns {
  /** where runs stand */
  readonly folder: string
  private readonly program: string

  private constructor(folder: string, program: string) {
    this.folder = folder
    this.program = program
  }

  /** @param source of the program, which takes its arguments and then the call that it dies at, 0 for none */
  static async of(source: string): Promise<KilledRuns> {
    const folder = mkdtempSync(join(tmpdir(), `marrow-${basename(source, '.ts')}-`))
    return new KilledRuns(folder, await buildChild(source, join(folder, 'built')))
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** A folder for one run. */
  base(): string {
    return mkdtempSync(join(this.folder, 'run-'))
  }

  /** @param copies of `of` are put there before each call, and nobody dies @returns whether it was killed */
  async run(args: readonly string[], call: number, copies?: { of: string; to: string }): Promise<boolean> {
    const child = spawn(process.execPath, [this.program, ...args, String(call)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(this.folder, 'compiled'),
        ...(copies ? { MARROW_COPY_OF: copies.of, MARROW_COPIES_TO: copies.to } : {}),
      },
    })
    let trouble = ''
    child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(trouble)
    return signal === 'SIGKILL'
  }

  /**
   * Every state that a death can leave, then some that really died.
   * @param make a folder to run in @param args of a run there @param look at what is left; it may change it
   */
  async each(make: () => string, args: (base: string) => string[], look: (death: Death) => Promise<void>): Promise<void> {
    const base = make()
    const copies = mkdtempSync(join(this.folder, 'copies-'))
    await this.run(args(base), 1, { of: base, to: copies })
    const made = readdirSync(copies)
      .map(Number)
      .sort((a, b) => a - b)
    const calls = made.at(-1)!
    for (const call of made) {
      rmSync(base, { recursive: true, force: true })
      renameSync(join(copies, String(call)), base)
      await look({ call, base })
    }
    rmSync(copies, { recursive: true, force: true })
    rmSync(base, { recursive: true, force: true })
    for (let i = 1; i <= REALLY; i++) {
      const [own, call] = [make(), Math.round((i * calls) / (REALLY + 1))]
      if (await this.run(args(own), call)) await look({ call, base: own })
      rmSync(own, { recursive: true, force: true })
    }
  }
}
