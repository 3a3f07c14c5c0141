/** What the system says of a disk, in words: Node's own name the system call. */
import { say } from '../../shared/texts/say.ts'

const TROUBLES = {
  ENOENT: 'files.notThere',
  ENOTDIR: 'files.notThere',
  ENOSPC: 'files.noRoom',
  EDQUOT: 'files.noRoom',
  EACCES: 'files.noRight',
  EPERM: 'files.noRight',
  EROFS: 'files.readOnlyDisk',
  EISDIR: 'files.isFolder',
  EEXIST: 'files.inTheWay',
  ENOTEMPTY: 'files.inTheWay',
  ENAMETOOLONG: 'files.nameTooLong',
  EBUSY: 'files.inUse',
  ETXTBSY: 'files.inUse',
  EMFILE: 'files.tooManyOpen',
  ENFILE: 'files.tooManyOpen',
  EIO: 'files.diskFails',
} as const

/** Codes of what is not there: a name that no disk can have is that of no file. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/**
 * What a call of the system failed with; undefined for any other error.
 * @param file that it was about; '' where the error alone knows
 */
export function systemTrouble(error: unknown, file: string): { missing: boolean; message: string } | undefined {
  const { code, syscall, path, dest, address } = (error ?? {}) as Record<string, unknown>
  // a connection is no file
  if (address !== undefined || typeof code !== 'string' || typeof syscall !== 'string') return undefined
  const named = [file, dest, path].find((name) => typeof name === 'string' && name !== '') as string | undefined
  const of = { file: named ?? say('files.theFile') }
  // how many files and folders are followed has an end of its own, which the system calls a full disk
  if (syscall === 'watch' && (code === 'ENOSPC' || code === 'EMFILE')) return { missing: false, message: say('files.notFollowed', of) }
  const message = code in TROUBLES ? say(TROUBLES[code as keyof typeof TROUBLES], of) : say('files.otherTrouble', { ...of, code })
  return { missing: MISSING.has(code), message }
}
