/** The commands of `marrow` and their options. Exit status: 0 no failure, 1 a failure, 2 a call that is wrong or not available. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { FormatError } from '../binary/format-error.ts'
import { FileStore } from '../files/store.ts'
import { info, infoText } from './info.ts'
import { lint, lintText } from './lint.ts'
import { failureOf, failureText, printJson, Progress } from './output.ts'
import { roundtrip, roundtripText } from './roundtrip.ts'
import type { Registry } from '../formats/registry.ts'
import type { Output } from './output.ts'

export interface CommandContext {
  output: Output
  store: FileStore
  signal: AbortSignal
  progress: Progress
  registryModule?: string
}

export interface CommandLineOptions {
  registry?: Registry
  /** URL of a module that exports the same families, for the index worker */
  registryModule?: string
  signal?: AbortSignal
}

/** Runs one call. @returns the exit status */
export async function runCommandLine(args: readonly string[], output: Output, options: CommandLineOptions = {}): Promise<number> {
  const store = new FileStore({ registry: options.registry })
  const context: CommandContext = { output, store, signal: options.signal ?? new AbortController().signal, progress: new Progress(output), registryModule: options.registryModule }
  const json = args.includes('--json')
  let status = 0
  const program = createProgram(context, (value) => {
    status = value
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    context.progress.end()
    const failure = failureOf(error, '')
    failure.path = error instanceof FormatError ? error.file : failure.path
    if (json) printJson(output, { error: failure })
    output.err(`marrow: ${failure.path && !failure.message.includes(failure.path) ? failureText(failure) : failure.message}\n`)
    return failure.code === 'unsupported' || failure.code === 'invalid-argument' ? 2 : 1
  } finally {
    context.progress.end()
    store.close()
  }
}

function createProgram(context: CommandContext, exit: (status: number) => void): Command {
  const { output, store, progress } = context
  const program = new Command('marrow')
  program
    .description('Skeletons, skins and animations of old games: look, check, edit, and write back with every unedited byte as it was')
    .version(version(), '-V, --version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) })

  program
    .command('scan')
    .description('index a folder, archives as folders; what did not change since the last scan is not read again')
    .argument('<root>', 'a folder')
    .option('--db <file>', 'the index (default: in the caches of the system)')
    .option('--json', 'print one JSON object')
    .action(async (root: string, options: { db?: string; json?: boolean }) => {
      // the database is loaded for this command only
      const { scan, scanText } = await import('./scan.ts')
      const report = await scan(root, {
        db: options.db,
        signal: context.signal,
        registryModule: context.registryModule,
        onProgress: ({ phase, done, total, current }) => progress.show(`${phase} ${done}/${total} ${current}`),
      })
      progress.end()
      if (options.json) printJson(output, report)
      else output.out(scanText(report))
    })

  program
    .command('roundtrip')
    .description('decode and encode every recognised file and archive member, and compare whole bytes')
    .argument('<path...>', 'files, folders, archives or members (archive!member)')
    .option('--json', 'print one JSON object')
    .option('--copy', 'check the path that a save takes')
    .action((paths: string[], options: { json?: boolean; copy?: boolean }) => {
      const report = roundtrip(store, paths, { copy: options.copy, onProgress: ({ files }, current) => progress.show(`${files} files, ${current}`) })
      progress.end()
      if (options.json) printJson(output, report)
      else {
        for (const note of report.notes) output.err(`skipped ${failureText(note)}\n`)
        for (const failure of report.failures) output.err(`${failureText(failure)}\n`)
        output.out(roundtripText(report))
      }
      exit(report.failures.length > 0 ? 1 : 0)
    })

  program
    .command('info')
    .description('what a file is and what is in it, field by field')
    .argument('<file>', 'a file, an archive, or a member (archive!member)')
    .option('--json', 'print one JSON object')
    .action((file: string, options: { json?: boolean }) => {
      const report = info(store, file)
      if (options.json) printJson(output, report)
      else output.out(infoText(report))
      exit(report.error ? 1 : 0)
    })

  program
    .command('lint')
    .description('what the game will choke on')
    .argument('<path...>', 'files, folders, archives or members (archive!member)')
    .option('--json', 'print one JSON object')
    .action((paths: string[], options: { json?: boolean }) => {
      const report = lint(store, paths, { onProgress: ({ files }, current) => progress.show(`${files} files, ${current}`) })
      progress.end()
      if (options.json) printJson(output, report)
      else output.out(lintText(report))
      exit(report.problems.some((problem) => problem.severity === 'error') ? 1 : 0)
    })

  return program
}

function version(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

