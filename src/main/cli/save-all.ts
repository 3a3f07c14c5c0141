/** Saving at the end of a command: all or an error that says what to do. */
import { FormatError } from '../binary/format-error.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What the command line was given leave for. */
export interface SaveLeave {
  replaceReadOnly?: boolean
}

export interface SavedFile {
  path: string
  target: string
  bytes: number
  changedBytes: number
}

/** What can be done about a file that was not written. */
const WAYS_OUT: Record<string, string> = {
  'write-protected': 'Give --replace-read-only to replace it; it stays protected',
  'changed-on-disk': 'Run the command again: it then starts from what is there now',
  deleted: 'Put the file back, then run the command again',
  moved: 'Run the command again with the place where it is now',
  unreadable: 'See who may read it, then run the command again',
  refused: "With a mod folder in the settings, files of known games alone are saved. Open the game's folder in Marrow once",
}

/** @throws FormatError of the first file that could not be written */
export async function saveAll(workspace: Workspace, model: OpenModel, leave: SaveLeave): Promise<SavedFile[]> {
  const { saved, failed } = await workspace.save(model.id, leave)
  const [first] = failed
  if (first) {
    const way = Object.hasOwn(WAYS_OUT, first.code) ? `. ${WAYS_OUT[first.code]}` : ''
    throw new FormatError(first.code as FormatError['code'], first.message + way, { file: first.ref })
  }
  return saved.map(({ ref, target, bytes, changedBytes }) => ({ path: ref, target, bytes, changedBytes }))
}
