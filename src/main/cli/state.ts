/** The state folder for the command line: what is found damaged in it is said on the error output. */
import { damageText } from '../services/state-care.ts'
import { StateFiles } from '../workspace/state-files.ts'

export function commandState(stateFolder: string): StateFiles {
  const files = new StateFiles(stateFolder)
  files.onDamage(({ message, kept }) => process.stderr.write(`marrow: ${damageText(message, kept)}\n`))
  return files
}
