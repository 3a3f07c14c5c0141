/** Commands for mod folders. */
import { answer, choice, command, required, text } from '../command.ts'

const FOLDER = required(text('folder', 'commandLine.mod.itself'))

export const modCommands = [
  command({
    name: ['mod', 'layout'],
    help: 'commandLine.mod.layout.help',
    arguments: { folder: FOLDER },
    options: { as: choice('layout', 'commandLine.mod.layout.as', ['archives', 'loose']) },
    async run({ folder, as }, { models }) {
      const { modLayout, modLayoutText } = await import('../mod.ts')
      return answer(modLayout(await models(), folder, as), modLayoutText)
    },
  }),
]
