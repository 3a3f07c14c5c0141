/** All commands of `marrow`, in the order of the help. */
import { checkCommands } from './commands/checks.ts'
import { exchangeCommands } from './commands/exchange.ts'
import { patchCommands } from './commands/patches.ts'
import { serveCommand } from './commands/serve.ts'
import { sliceCommands } from './commands/slices.ts'
import { textureCommands } from './commands/textures.ts'
import type { Command } from './command.ts'

export const commands: readonly Command[] = [
  ...checkCommands,
  ...sliceCommands,
  ...exchangeCommands,
  ...textureCommands,
  ...patchCommands,
  serveCommand,
]

/** What the commands have in common whose name begins with this word. */
export const groups: Readonly<Record<string, string>> = {
  slice: "edit the slices in the game's own files, or in Marrow's list where the game keeps none; the first write keeps the original",
  texture: 'one texture of a model or a dictionary, as a PNG and from one',
  patch: 'a mod as a zip of what changed, and a mod folder from such a zip',
}
