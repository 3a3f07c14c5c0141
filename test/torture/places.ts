/** Where the test's folders stand: in memory, where the system has such a place. */
import { accessSync, constants, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

/** One of the programs in the folder that they were bundled into: as deep in it as the sources are in the project. */
export const programFile = (folder: string, name: string): string => join(folder, 'out', 'main', 'programs', `${name}.js`)
