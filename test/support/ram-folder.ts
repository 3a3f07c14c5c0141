/** Where a disk has nothing to wait for: what a kill leaves is the same there. */
import { accessSync, constants, statfsSync, statSync } from 'node:fs'

/**
 * A folder of a file system in memory; undefined where there is none.
 * @param room bytes that it must have free
 */
export function ramFolder(room = 0): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK)
    const { bavail, bsize } = statfsSync('/dev/shm')
    return statSync('/dev/shm').isDirectory() && bavail * bsize >= room ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
