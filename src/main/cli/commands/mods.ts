/** Commands for mod folders. */
import { answer, choice, command, flag, required, text } from '../command.ts'

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
  command({
    name: ['mod', 'test'],
    help: 'commandLine.mod.test.help',
    arguments: { root: required(text('root', 'commandLine.patch.game')) },
    options: {
      out: required(text('folder', 'commandLine.mod.test.out')),
      mod: text('folder', 'commandLine.patch.export.mod'),
      dryRun: flag('commandLine.mod.test.dryRun'),
    },
    async run({ root, out, mod, dryRun }, { store, stateFolder, signal }) {
      const { modTest, modTestText } = await import('../mod.ts')
      return answer(await modTest(store, root, { out, mod, dryRun: dryRun === true, stateFolder, signal: signal() }), modTestText)
    },
  }),
]
