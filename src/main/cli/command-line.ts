/**
 * The frame around the commands of `marrow`: arguments are parsed, the body runs, its report is printed as text or as one JSON
 * object, errors are told. Exit status: 0 no failure, 1 a failure, 2 a call that is wrong or not available.
 */
import { Argument, Command as Parser, CommanderError, Option } from 'commander'
import { FormatError } from '../binary/format-error.ts'
import { stateFolder } from '../hosts/state-folder.ts'
import { packageVersion } from '../services/version.ts'
import { printable } from '../../shared/printable.ts'
import { commands, groups } from './commands.ts'
import { HelpWords } from './help.ts'
import { failureOf, failureText, printableOutput, printableReport, printJson, Progress } from './output.ts'
import type { Registry } from '../formats/registry.ts'
import { watchOf } from './command.ts'
import type { Answer, Command, CommandContext, Value } from './command.ts'
import type { Output } from './output.ts'

export interface CommandLineOptions {
  registry?: Registry
  /** URL of a module that exports the same families, for workers */
  registryModule?: string
  stateFolder?: string
  signal?: () => AbortSignal
}

/** Runs one call. @returns the exit status */
export async function runCommandLine(args: readonly string[], raw: Output, options: CommandLineOptions = {}): Promise<number> {
  const output = printableOutput(raw)
  const json = args.includes('--json')
  let context: CommandContext | undefined
  let status = 0
  const parser = await createParser(args, output, options, async (command, given) => {
    context = await contextOf(output, raw, options, command, given)
    const answer = await command.run(given, context)
    context.progress.end()
    if (!answer) return
    print(output, answer, given.json === true)
    status = answer.failed ? 1 : 0
  })
  try {
    await parser.parseAsync([...args], { from: 'user' })
    return status
  } catch (error) {
    context?.progress.end()
    return failed(error, output, json)
  } finally {
    context?.progress.end()
    context?.store.close()
  }
}

/** All families are read for a command that runs, and not to show help. */
async function registryOf({ registry }: CommandLineOptions): Promise<Registry> {
  return registry ?? (await import('../formats/registry.ts')).registry
}

async function contextOf(
  output: Output,
  raw: Output,
  options: CommandLineOptions,
  command: Command,
  given: Record<string, unknown>,
): Promise<CommandContext> {
  const folder = options.stateFolder ?? stateFolder()
  const [{ FileStore }, { withSlices }, registry] = await Promise.all([
    import('../files/store.ts'),
    import('../workspace/slices-file.ts'),
    registryOf(options),
  ])
  const store = new FileStore({ registry: withSlices(registry) })
  const context: CommandContext = {
    output,
    store,
    // draws over itself
    progress: new Progress(raw),
    signal: options.signal ?? (() => new AbortController().signal),
    models: async (settings) => {
      const [{ CommandModels, savingOf }, { commandState }] = await Promise.all([import('./models.ts'), import('./state.ts')])
      return new CommandModels(store, commandState(folder), settings, savingOf(command, given), {
        tell: (text) => context.output.err(text),
        watch: () => watchOf(context),
      })
    },
    registry: options.registry,
    registryModule: options.registryModule,
    stateFolder: folder,
  }
  return context
}

/** Characters that are printed at once of a text that is long. */
const PIECE = 1 << 16

/** The report as JSON, or as text with what is told aside of it. */
function print(output: Output, { report, text, aside = [] }: Answer, json: boolean): void {
  if (json) return printJson(output, report)
  for (const line of aside) output.err(`${printable(line)}\n`)
  const said = text(printableReport(report))
  if (typeof said === 'string') return output.out(said)
  let piece = ''
  for (const part of said) {
    piece += part
    if (piece.length < PIECE) continue
    output.out(piece)
    piece = ''
  }
  if (piece !== '') output.out(piece)
}

/** Tells an error. @returns the exit status */
function failed(error: unknown, output: Output, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    const message = error.message.replace(/^error: /, '')
    if (json) printJson(output, { error: { path: '', code: 'invalid-argument', message, offset: -1 } })
    return 2
  }
  const failure = failureOf(error, '')
  failure.path = error instanceof FormatError ? error.file : failure.path
  if (json) printJson(output, { error: failure })
  const text = failure.path && !failure.message.includes(failure.path) ? failureText(failure) : failure.message
  output.err(`marrow: ${printable(text)}\n`)
  return failure.code === 'unsupported' || failure.code === 'invalid-argument' ? 2 : 1
}

/** Whether a call, or `help` before it, is of this command. */
function isAskedFor({ name }: Command, args: readonly string[]): boolean {
  const words = args[0] === 'help' ? args.slice(1) : args
  return name.every((word, i) => words[i] === word)
}

async function createParser(
  args: readonly string[],
  output: Output,
  options: CommandLineOptions,
  run: (command: Command, given: Record<string, unknown>) => Promise<void>,
): Promise<Parser> {
  const words = new HelpWords()
  const program = words
    .set(new Parser('marrow'), 'commandLine.about')
    .version(packageVersion(), '-V, --version')
    .configureHelp(words.help)
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) })
  const groupParsers = new Map<string, Parser>()
  for (const command of commands) {
    const [first, second] = command.name
    let parent = program
    if (second !== undefined) {
      parent = groupParsers.get(first) ?? words.set(program.command(first), groups[first])
      groupParsers.set(first, parent)
    }
    const parser = words.set(parent.command(second ?? first), command.help)
    for (const value of Object.values(command.arguments)) parser.addArgument(words.set(argumentOf(value), value.help))
    for (const [name, value] of Object.entries(command.options)) {
      const option = optionOf(name, value)
      if (typeof value.choices === 'object') option.choices(value.choices)
      else if (value.choices && isAskedFor(command, args)) option.choices(value.choices(await registryOf(options)))
      parser.addOption(words.set(option, value.help))
    }
    if (command.json) parser.addOption(words.set(new Option('--json'), 'commandLine.json'))
    parser.action(async () => {
      const given = Object.fromEntries(Object.keys(command.arguments).map((name, i) => [name, parser.processedArgs[i]]))
      await run(command, { ...given, ...parser.opts() })
    })
  }
  return program
}

function argumentOf({ placeholder, required, many }: Value<unknown>): Argument {
  const name = placeholder + (many ? '...' : '')
  return new Argument(required ? `<${name}>` : `[${name}]`)
}

/** `tickRate` is typed as `--tick-rate`. */
function optionOf(name: string, value: Value<unknown>): Option {
  const { placeholder, required, many, negated, fallback, parse } = value
  const flag = `--${negated ? 'no-' : ''}${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const option = new Option(placeholder ? `${flag} <${placeholder}${many ? '...' : ''}>` : flag)
  if (parse) option.argParser(parse)
  if (fallback !== undefined) option.default(fallback)
  return option.makeOptionMandatory(required)
}
