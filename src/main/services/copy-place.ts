/** Where the window has a copy, or a new file, written: the folder and the name that the user gave. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { isPortableName } from '../../shared/portable-name.ts'
import { copyBegun } from '../workspace/large-copy.ts'
import { say } from '../../shared/texts/say.ts'

/** The file that a copy or a new archive becomes, '' where none is asked for. @throws FormatError invalid-argument, io for one that is there */
export function outOf(folder = '', name = ''): string {
  if (folder === '' && name === '') return ''
  if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeFolderPath'), { file: folder })
  if (!isPortableName(name)) throw new FormatError('invalid-argument', say('archiveEdits.noFileName', { name }), { path: 'name' })
  const out = join(folder, name)
  if (existsSync(out)) throw new FormatError('io', say('archiveEdits.fileThere', { file: name }), { file: out })
  return out
}

/** Bytes of a copy that was begun and can go on. */
export async function begunAt(file: string): Promise<number> {
  return (await stat(copyBegun(file)).catch(() => undefined))?.size ?? 0
}
