/** Where the test's folders stand: in memory, where the system has such a place. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ramFolder } from '../support/ram-folder.ts'

export const scratchFolder = (): string => ramFolder() ?? tmpdir()

/** One of the programs in the folder that they were bundled into: as deep in it as the sources are in the project. */
export const programFile = (folder: string, name: string): string => join(folder, 'out', 'main', 'programs', `${name}.js`)
