/** A mod folder and its game stand side by side: one inside of the other would be scanned, exported and saved as a part of it. */
import { basename } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { realPlace, stepsBelow } from './real-place.ts'
import { say } from '../../shared/texts/say.ts'

/**
 * @param of what the root is to who chooses the folder: that of the game, or of the mod
 * @throws FormatError refused where the folder is the root, or one stands in the other, links followed; invalid-argument for no whole path
 */
export function expectBeside(root: string, folder: string, of: 'game' | 'mod' = 'game'): void {
  const mod = realPlace(folder)
  const library = realPlace(root)
  const why =
    library === mod ? 'same' : stepsBelow(library, mod) !== null ? 'inside' : stepsBelow(mod, library) !== null ? 'around' : undefined
  if (why)
    throw new FormatError(
      'refused',
      say(`files.beside.${of}.${why}`, { folder: basename(folder) || folder, root: basename(root) || root }),
      { file: folder },
    )
}

/** Why a folder can be no mod folder of a library, '' where it can. */
export function notBeside(root: string, folder: string): string {
  try {
    expectBeside(root, folder)
    return ''
  } catch (error) {
    return toErrorData(error, folder).message
  }
}
