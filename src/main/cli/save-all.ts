/** Saving at the end of a command: all or an error that says what to do. */
import { FormatError } from '../binary/format-error.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'
import { MEMBER_SEPARATOR, baseName } from '../../shared/ref.ts'
import type { ImageWatch } from '../workspace/image-edits.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import { planLines } from './plan-lines.ts'
import type { PlannedCopy } from '../workspace/saving.ts'
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

/** What a command says of images of discs, which are saved into copies. */
export interface ImageSaving {
  /** told before a copy is written that was not there */
  tell(text: string): void
  /** asked for when one is */
  watch(): ImageWatch
}

/** @throws FormatError of the first file that could not be written; before anything is where a copy has no place */
export async function saveAll(images: ImageSaving, workspace: Workspace, model: OpenModel, leave: SaveLeave): Promise<SavedFile[]> {
  const waits = (await workspace.plan(model.id)).files.filter(({ image, problem }) => image !== undefined && problem === undefined)
  const copy = waits.length > 0 ? workspace.planCopy([model.id]) : undefined
  if (copy?.target === '')
    throw new FormatError('copy-only', say('commandLine.imageNeedsOut', { image: baseName(copy.image) }), { file: waits[0].ref })
  if (copy) images.tell(copyText(copy))
  const { saved, failed } = await workspace.save(model.id, { ...leave, newCopy: copy !== undefined }, copy ? images.watch() : {})
  const [first] = failed
  if (first) {
    const message = Object.hasOwn(WAYS_OUT, first.code)
      ? say('commandLine.withWayOut', { message: first.message, way: say(WAYS_OUT[first.code]) })
      : first.message
    throw new FormatError(first.code as FormatError['code'], message, { file: first.ref })
  }
  return saved.map(({ ref, ...rest }) => ({ path: ref, ...rest }))
}

/** What is written of an image, in bytes. */
function copyText(planned: PlannedCopy): string {
  const { image, target, written } = planned
  const lines = [...planLines(image, planned), say('archiveEdits.plan.written', { n: written, file: target })]
  return `${lines.join('\n')}\n`
}

/** The file that was written; of a member that went into its archive both. */
function memberOf(path: string, target: string): string {
  for (let at = path.indexOf(MEMBER_SEPARATOR); at >= 0; at = path.indexOf(MEMBER_SEPARATOR, at + 1))
    if (baseName(path.slice(0, at)) === baseName(target)) return `${target}${path.slice(at)}`
  return target
}

/** What was written, a line a file. */
export function savedText(saved: readonly SavedFile[]): string {
  if (saved.length === 0) return say('reports.nothingChanged')
  return saved
    .flatMap(({ path, target, bytes, changedBytes, notLoose }) => [
      bytes === 0
        ? say('reports.fileGone', { file: target })
        : say('reports.bytesChanged', { n: changedBytes, file: memberOf(path, target) }),
      ...(notLoose ? [say('reports.notLoose', { why: notLoose })] : []),
    ])
    .join('\n')
}
