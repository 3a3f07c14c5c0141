/**
 * The help of `marrow` in the language of the process. The words of a command, argument and option are said when help is shown, and
 * not at every start.
 */
import type { Argument, Command, Help, Option } from 'commander'
import { say } from '../../shared/texts/say.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'
import { said } from './command.ts'
import type { Words } from './command.ts'

type Described = Command | Argument | Option

/** Commander's own headings. */
const TITLES: Readonly<Record<string, PlainKey>> = {
  'Usage:': 'commandLine.titles.usage',
  'Arguments:': 'commandLine.titles.arguments',
  'Options:': 'commandLine.titles.options',
  'Commands:': 'commandLine.titles.commands',
}

export class HelpWords {
  private readonly words = new Map<Described, Words>()

  set<T extends Described>(of: T, words: Words): T {
    this.words.set(of, words)
    return of
  }

  /** For Commander's `configureHelp`. */
  readonly help: Partial<Help> = {
    visibleArguments: (command) => [...command.registeredArguments],
    commandDescription: (command) => this.of(command),
    subcommandDescription: (command) => this.of(command),
    argumentDescription: (argument) => this.of(argument),
    optionDescription: (option) => [this.of(option), extraText(option)].filter(Boolean).join(' '),
    styleTitle: (title) => (Object.hasOwn(TITLES, title) ? say(TITLES[title]) : title),
  }

  private of(described: Described): string {
    const words = this.words.get(described)
    if (words) return said(words)
    // Commander adds these by itself
    return 'long' in described && described.long === '--version' ? say('commandLine.version') : say('commandLine.help')
  }
}

function extraText({ argChoices, defaultValue, required, optional }: Option): string {
  const extra: string[] = []
  if (argChoices) extra.push(say('commandLine.choices', { values: argChoices.map((choice) => JSON.stringify(choice)).join(', ') }))
  if (defaultValue !== undefined && (required || optional)) extra.push(say('commandLine.default', { value: JSON.stringify(defaultValue) }))
  return extra.length > 0 ? `(${extra.join(', ')})` : ''
}
