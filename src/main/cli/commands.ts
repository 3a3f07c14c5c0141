/** All commands of `marrow`, in the order of the help. */
import { archiveCommands } from './commands/archives.ts'
import { checkCommands } from './commands/checks.ts'
import { clipCommands } from './commands/clips.ts'
import { exchangeCommands } from './commands/exchange.ts'
import { fieldCommands } from './commands/fields.ts'
import { modCommands } from './commands/mods.ts'
import { patchCommands } from './commands/patches.ts'
import { retargetCommand } from './commands/retarget.ts'
import { sampleCommand } from './commands/sample.ts'
import { serveCommand } from './commands/serve.ts'
import { sliceCommands } from './commands/slices.ts'
import { textureCommands } from './commands/textures.ts'
import type { Command, Words } from './command.ts'

export const commands: readonly Command[] = [
  ...checkCommands,
  ...sliceCommands,
  ...clipCommands,
  ...exchangeCommands,
  retargetCommand,
  ...textureCommands,
  ...fieldCommands,
  ...archiveCommands,
  ...modCommands,
  ...patchCommands,
  sampleCommand,
  serveCommand,
]

/** What the commands have in common whose name begins with this word. */
export const groups: Readonly<Record<string, Words>> = {
  slice: 'commandLine.slice.help',
  clip: 'commandLine.clip.help',
  texture: 'commandLine.texture.help',
  field: 'commandLine.field.help',
  archive: 'commandLine.archive.help',
  mod: 'commandLine.mod.help',
  patch: 'commandLine.patch.help',
}
