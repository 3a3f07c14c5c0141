/** Runs a call of the command line in this process, with the fake family unless told otherwise. */
import { runCommandLine } from '../../src/main/cli/command-line.ts'
import { fakeRegistry } from '../files/fake-family.ts'
import type { CommandLineOptions } from '../../src/main/cli/command-line.ts'

export interface Called {
  status: number
  out: string
  err: string
  json<T = any>(): T
}

export async function marrow(args: string[], options: CommandLineOptions = { registry: fakeRegistry }): Promise<Called> {
  let out = ''
  let err = ''
  const status = await runCommandLine(args, { out: (text) => (out += text), err: (text) => (err += text), terminal: false }, options)
  return { status, out, err, json: () => JSON.parse(out) }
}
