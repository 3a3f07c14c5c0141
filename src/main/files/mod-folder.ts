/** A mod folder stands beside the game: the one in the other would be scanned, exported and saved as if it were the other. */
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { realPlace, stepsBelow } from './real-place.ts'

/** @throws FormatError refused where the folder is the library, or one stands in the other, links followed; invalid-argument for no whole path */
export function expectBeside(root: string, folder: string): void {
  const mod = realPlace(folder)
  const library = realPlace(root)
  const how =
    library === mod ? 'is' : stepsBelow(library, mod) !== null ? 'stands in' : stepsBelow(mod, library) !== null ? 'stands around' : ''
  if (how) throw new FormatError('refused', `a mod folder stands beside the game's: ${folder} ${how} ${root}`, { file: folder })
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
