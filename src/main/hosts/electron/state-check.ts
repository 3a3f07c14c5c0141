/** The state folder can be used, or the start says at once why not; later the first edit would. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../../../shared/texts/say.ts'

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
    throw new Error(say('desktop.stateFolder', { folder, why: why(error) }), { cause: error })
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
  if (code === 'EACCES' || code === 'EPERM') return say('desktop.stateRights')
  if (code === 'EROFS') return say('desktop.stateReadOnly')
  if (code === 'ENOSPC' || code === 'EDQUOT') return say('desktop.stateFull')
  if (code === 'ENOTDIR' || code === 'EEXIST') return say('desktop.stateFile')
  return message
}
