/** The room on the disk that a file stands on, or will. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'

/** Folders that are made with the file count as the nearest one that is there. */
function folderOf(file: string): string {
  let folder = dirname(file)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Free bytes, -1 where the system does not say. */
export async function freeAt(file: string): Promise<number> {
  const room = await statfs(folderOf(file)).catch(() => undefined)
  return room ? room.bavail * room.bsize : -1
}

/** A disk that says nothing is tried. @throws FormatError io where it has less */
export async function expectRoom(needed: number, file: string): Promise<void> {
  const free = await freeAt(file)
  if (free >= 0 && free < needed) throw new FormatError('io', say('saving.noRoom', { needed, free, folder: folderOf(file) }), { file })
}
