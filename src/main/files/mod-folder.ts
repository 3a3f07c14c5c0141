/** A mod folder and its game stand side by side: one inside of the other would be scanned, exported and saved as a part of it. */
import { basename } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { realPlace, stepsBelow } from './real-place.ts'
import { say } from '../../shared/texts/say.ts'

/** @throws FormatError refused where the folder is the library, or one stands in the other, links followed; invalid-argument for no whole path */
export function expectBeside(root: string, folder: string): void {
  const mod = realPlace(folder)
  const library = realPlace(root)
  const why =
    library === mod
      ? 'files.modFolder.same'
      : stepsBelow(library, mod) !== null
        ? 'files.modFolder.inside'
        : stepsBelow(mod, library) !== null
          ? 'files.modFolder.around'
          : ''
  if (why)
    throw new FormatError('refused', say(why, { folder: basename(folder) || folder, root: basename(root) || root }), { file: folder })
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
