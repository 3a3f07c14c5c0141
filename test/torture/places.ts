/** Where the test's folders stand: in memory, where the system has such a place. */
import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A folder of a file system in memory; undefined where there is none. */
export function ramFolder(): string | undefined {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return statSync('/dev/shm').isDirectory() ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

export const scratchFolder = (): string => ramFolder() ?? tmpdir()
