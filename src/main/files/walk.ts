/** All files below a folder, without following links out of it or round in circles. */
import { readdirSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { join, resolve } from 'node:path'
import { touching, type DiskTouch } from '../../shared/worker/disk-mark.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { compareNames, isInside, realPath } from './store.ts'
import { ioError } from './sources.ts'
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'

export interface WalkedFile {
  path: string
  name: string
  folder: string
  size: number
  mtimeMs: number
  /** when anything of it changed last, by the system's own clock: no program sets it */
  ctimeMs: number
}

/** A folder on the way, and those that it stands in. */
interface Step {
  folder: string
  /** of the file system; '' where it has none */
  id: string
  above: Step | undefined
}

/** The folder on the way down to this one that it is again: drives of other machines may lead round without a link that is seen. */
function circleOf({ id, above }: Step): Step | undefined {
  if (id === '') return undefined
  for (let at = above; at; at = at.above) if (at.id === id) return at
  return undefined
}

/** Numbers of files are larger than a double holds. */
function idOf(folder: string, touch: DiskTouch | undefined): string {
  const { dev, ino } = touching(touch, folder, () => statSync(folder, { bigint: true }))
  return ino === 0n ? '' : `${dev}:${ino}`
}

/**
 * Files in a fixed order (a folder's files by name, then its folders). A link to a file inside of the root counts as a
 * file of its own; links to folders are not followed, since what they lead to is either reached anyway or outside; a folder that is one of those around it is told to `onError`.
 * Pipes, devices and sockets are left out, and so is what Marrow writes for moments. Folders that cannot be read are told to
 * `onError`.
 * @param onTemporaries folders in which something was left by a write that is not finished, or never will be
 * @param touch told of each call that a drive may leave without an answer
 * @param ignore files and folders that are passed over as if they were not there: nothing of them is asked of the disk
 * @throws FormatError when the root itself cannot be read
 */
export function* walk(
  start: string,
  onError: (error: FormatError) => void = () => {},
  onTemporaries: (folder: string) => void = () => {},
  touch?: DiskTouch,
  ignore?: (path: string) => boolean,
): Generator<WalkedFile> {
  const root = resolve(start)
  const real = touching(touch, root, () => realPath(root))
  if (!touching(touch, root, () => statSync(real)).isDirectory())
    throw new FormatError('not-found', say('files.noFolder', { folder: root }), { file: root })
  const pending: Omit<Step, 'id'>[] = [{ folder: root, above: undefined }]
  const list = (folder: string): Dirent[] => touching(touch, folder, () => readdirSync(folder, { withFileTypes: true }))
  while (pending.length > 0) {
    const { folder, above } = pending.pop()!
    let step: Step
    const folders: string[] = []
    let entries
    try {
      step = { folder, id: idOf(folder, touch), above }
      const same = circleOf(step)
      if (same) throw new FormatError('refused', say('files.circle', { folder: same.folder }), { file: folder })
      entries = list(folder)
      if (entries.some(({ name }) => isTemporaryName(name))) {
        touching(touch, folder, () => onTemporaries(folder))
        entries = list(folder).filter(({ name }) => !isTemporaryName(name))
      }
    } catch (error) {
      if (folder === root) throw ioError(error, root)
      onError(ioError(error, folder))
      continue
    }
    entries.sort((a, b) => compareNames(a.name, b.name))
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (ignore?.(path)) continue
      try {
        if (entry.isDirectory()) {
          folders.push(path)
          continue
        }
        if (
          entry.isSymbolicLink()
            ? !isInside(
                real,
                touching(touch, path, () => realPath(path)),
              )
            : !entry.isFile()
        )
          continue
        const stat = touching(touch, path, () => statSync(path))
        if (stat.isFile()) yield { path, name: entry.name, folder, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs }
      } catch (error) {
        onError(ioError(error, path))
      }
    }
    for (let i = folders.length - 1; i >= 0; i--) pending.push({ folder: folders[i], above: step })
  }
}
