/** The state folder can be used, or the start says at once why not; later the first edit would. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** @throws Error with one line for the user */
export function checkStateFolder(folder: string): void {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true })
    const handle = openSync(probe, 'w', 0o600)
    try {
      writeSync(handle, 'marrow')
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw new Error(`Marrow keeps its journals and settings in ${folder}, and cannot write there: ${why(error)}`, { cause: error })
  } finally {
    try {
      rmSync(probe, { force: true })
    } catch {
      // a folder that allows to write and not to remove
    }
  }
}

function why(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return 'the rights are missing'
  if (code === 'EROFS') return 'it is read-only'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file stands where the folder should be'
  return message
}
