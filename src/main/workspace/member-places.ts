/** Where members go in a folder that they are taken out into: as their names say, as far as every file system has such names and nothing else stands there. */
import { statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { clippedName, nameKey, safeName } from '../files/file-names.ts'
import { ioError } from '../files/sources.ts'
import { isPortableName } from '../../shared/portable-name.ts'

/** Bytes in UTF-8 of a part of a way, with room for the number of a second one in front; file systems end at 255. */
const MOST_BYTES = 240
/** Bytes of what is taken for an ending, with its point. */
const MOST_ENDING = 16

export class MemberPlaces {
  private readonly folder: string
  /** what members have taken, without regard to case: a file is no folder for others, nor the other way round */
  private readonly files = new Set<string>()
  private readonly folders = new Set<string>()
  /** by the way that a folder would have, without regard to case: the one that it has */
  private readonly ways = new Map<string, string>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** @param key the member's name, with `/` between its parts @throws FormatError not-found for a way that no system takes, io */
  of(key: string): string {
    const parts = key
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .map(fitting)
    const last = parts.pop() ?? safeName('')
    const folder = parts.reduce((above, part) => this.folderIn(above, part), this.folder)
    const file = numbered(folder, last, free(folder, last, this.files, this.folders, 'folder'))
    this.files.add(nameKey(file))
    return file
  }

  /** Whether a member has its own name at its place, but for the case of its folders. */
  isAsNamed(key: string, file: string): boolean {
    return nameKey(relative(this.folder, file).split(sep).join('/')) === nameKey(key)
  }

  /** All that is below one folder of the archive stays below one, called as the first member spells it: games know no case. */
  private folderIn(above: string, part: string): string {
    const wanted = nameKey(join(above, part))
    const known = this.ways.get(wanted)
    if (known !== undefined) return known
    const folder = numbered(above, part, free(above, part, this.files, undefined, 'file'))
    this.ways.set(wanted, folder)
    this.folders.add(nameKey(folder))
    return folder
  }
}

/** The first number with which a name is neither one of the others' nor something else on disk. */
function free(
  above: string,
  name: string,
  taken: ReadonlySet<string>,
  also: ReadonlySet<string> | undefined,
  other: 'file' | 'folder',
): number {
  for (let n = 0; ; n = Math.max(2, n + 1)) {
    const path = numbered(above, name, n)
    const key = nameKey(path)
    if (!taken.has(key) && !also?.has(key) && kindOf(path) !== other) return n
  }
}

function numbered(above: string, name: string, n: number): string {
  return join(above, n === 0 ? name : `${n}-${name}`)
}

/** What stands at a path; nothing below a file. @throws FormatError not-found for a path that no system takes, io */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    return there && (there.isDirectory() ? 'folder' : 'file')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOTDIR') return undefined
    throw ioError(error, path)
  }
}

/** Parts that some file system does not have, or that lead elsewhere, get others; long ones keep their beginning and their ending. */
function fitting(part: string): string {
  if (!isPortableName(part)) return safeName(part)
  if (Buffer.byteLength(part) <= MOST_BYTES) return part
  const ending = Buffer.byteLength(extname(part)) <= MOST_ENDING ? extname(part) : ''
  return `${clippedName(part, MOST_BYTES - MOST_ENDING).replace(/[. ]+$/, '')}${ending}`
}
