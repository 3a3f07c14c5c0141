/** Folders that users name, made with all above them. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from './sources.ts'
import { say } from '../../shared/texts/say.ts'

/**
 * Step by step, which says where it ends and why: asked for all at once, Node may say of the last one that it is not there, and never ends
 * where a file system says so of a folder in one that is there.
 * @throws FormatError io, as where a file stands in the way
 */
export async function makeFolder(folder: string): Promise<void> {
  const there = await isFolder(folder)
  if (there) return
  if (there === false) throw new FormatError('io', say('files.noFolder', { folder }), { file: folder })
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  try {
    await mkdir(folder)
  } catch (error) {
    // somebody else was quicker
    if (!(await isFolder(folder))) throw ioError(error, folder)
  }
}

/** Undefined for what is not there; also below a file. */
async function isFolder(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw ioError(error, path)
  }
}
