/**
 * Files that another program holds. Windows lets nobody replace or remove a file while somebody has it open without saying that this is
 * welcome: games and viewers hold theirs for as long as they run, virus scanners and search indexes for moments.
 */
import { chmod, open, rename, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { FormatError } from '../binary/format-error.ts'
import { inUse, ioError } from './sources.ts'

/** How long to wait before each further try, ms; 1.6 s together. */
const WAITS = [20, 50, 100, 200, 400, 800]

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

/** What Windows answers for a file that somebody holds; elsewhere the same codes mean that nobody may. */
export function looksBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'EBUSY' || code === 'EPERM' || code === 'EACCES'
}

/** Tries again while the file is busy. */
export async function whileBusy<T>(task: () => Promise<T>, waits: readonly number[] = WAITS): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await task()
    } catch (error) {
      if (i >= waits.length || !looksBusy(error)) throw error
      await sleep(waits[i])
    }
  }
}

/**
 * Renames `temporary` to `target`, which may be there. A target that is read-only stays so: on Windows the attribute keeps even a rename
 * away, so it is taken off for the moment. Whether a read-only file may be replaced is for the caller to know.
 */
export async function takePlace(temporary: string, target: string): Promise<void> {
  const mode = await stat(target).then(
    (s) => s.mode & 0o777,
    () => undefined,
  )
  const locked = process.platform === 'win32' && mode !== undefined && (mode & 0o200) === 0
  if (locked) await chmod(target, mode | 0o200).catch(() => {})
  try {
    await whileBusy(() => rename(temporary, target))
  } catch (error) {
    if (locked) await chmod(target, mode).catch(() => {})
    throw error
  }
  if (locked) await chmod(target, mode).catch(() => {})
}

/** Before anything is prepared, and before the first of several files is replaced: on Windows none of them is held. @throws FormatError io */
export async function expectReplaceable(...targets: string[]): Promise<void> {
  if (process.platform !== 'win32') return
  for (const target of targets) {
    try {
      // a rename to its own name changes nothing, and asks for the same right as one that does
      await whileBusy(() => rename(target, target))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw await inUseError(error, target)
    }
  }
}

/**
 * The error of a write, in words that say what to do where the file is held.
 * @param error what the system said
 * @param file the file that was to be written
 */
export async function inUseError(error: unknown, file: string): Promise<FormatError> {
  if (error instanceof FormatError || !looksBusy(error) || process.platform !== 'win32') return ioError(error, file)
  if (codeOf(error) !== 'EBUSY' && !(await isHeld(file))) return ioError(error, file)
  return new FormatError('io', inUse(file), { file })
}

/** Whether the file could be written to if nobody had it open: it is there, not read-only, and its folder takes new files. */
async function isHeld(file: string): Promise<boolean> {
  const there = await stat(file).catch(() => undefined)
  if (!there?.isFile() || (there.mode & 0o200) === 0) return false
  // rights refuse this too; a holder that lets others read and write does not
  return open(file, 'r+').then(
    async (handle) => {
      await handle.close()
      return true
    },
    (error: unknown) => codeOf(error) === 'EBUSY',
  )
}
