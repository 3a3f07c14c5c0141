/** Saving at the end of a command: all or an error that says what to do. */
import { FormatError } from '../binary/format-error.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { say } from '../../shared/texts/say.ts'

/** What the options of the command permit. */
export interface SaveLeave {
  replaceReadOnly?: boolean
}

export interface SavedFile {
  path: string
  target: string
  bytes: number
  changedBytes: number
  /** why a member went into its archive although the mod holds loose files */
  notLoose?: string
}

/** What can be done about a file that was not written. */
const WAYS_OUT: Readonly<Record<string, PlainKey>> = {
  'write-protected': 'commandLine.wayOut.writeProtected',
  'changed-on-disk': 'commandLine.wayOut.changedOnDisk',
  deleted: 'commandLine.wayOut.deleted',
  moved: 'commandLine.wayOut.moved',
  unreadable: 'commandLine.wayOut.unreadable',
  refused: 'commandLine.wayOut.refused',
}

/** @throws FormatError of the first file that could not be written */
export async function saveAll(workspace: Workspace, model: OpenModel, leave: SaveLeave): Promise<SavedFile[]> {
  const { saved, failed } = await workspace.save(model.id, leave)
  const [first] = failed
  if (first) {
    const message = Object.hasOwn(WAYS_OUT, first.code)
      ? say('commandLine.withWayOut', { message: first.message, way: say(WAYS_OUT[first.code]) })
      : first.message
    throw new FormatError(first.code as FormatError['code'], message, { file: first.ref })
  }
  return saved.map(({ ref, ...rest }) => ({ path: ref, ...rest }))
}

/** What was written, a line a file. */
export function savedText(saved: readonly SavedFile[]): string {
  if (saved.length === 0) return say('reports.nothingChanged')
  return saved
    .flatMap(({ target, changedBytes, notLoose }) => [
      say('reports.bytesChanged', { n: changedBytes, file: target }),
      ...(notLoose ? [say('reports.notLoose', { why: notLoose })] : []),
    ])
    .join('\n')
}
