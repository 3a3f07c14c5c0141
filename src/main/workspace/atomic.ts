/**
 * Replaces a file on disk so that everybody sees the old one or the new one, whole: a temporary file in the same folder,
 * flushed, checked, renamed. One way for plain files and for archives that are streamed.
 */
import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, realpath, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { inUseError, takePlace } from '../files/busy.ts'
import { clippedName } from '../files/file-names.ts'

const MARK = '.marrow-tmp'

/** How the temporary files of a file begin. The longest names that a disk takes leave no room for more behind them. */
function beginning(name: string): string {
  const clipped = clippedName(name, 150)
  return `.${clipped === name ? name : `${clipped}~${createHash('sha256').update(name).digest('hex').slice(0, 12)}`}.`
}

/**
 * @param write writes the new content to the open temporary file
 * @param check looks at the temporary file, flushed and closed, before it takes the target's place; throws to give up
 * @throws FormatError io; the target is then what it was
 */
export async function replaceFile(
  target: string,
  write: (handle: FileHandle) => Promise<void>,
  check?: (temporary: string) => Promise<void> | void,
): Promise<void> {
  // through a link, the file behind it is replaced and the link stays
  const real = await realpath(target).catch(() => target)
  // the extension stays last: formats without a magic weigh it
  const temporary = join(
    dirname(real),
    `${beginning(basename(real))}${randomBytes(6).toString('hex')}${MARK}${clippedName(extname(real), 40)}`,
  )
  try {
    const mode = await stat(real).then(
      (s) => s.mode & 0o777,
      () => undefined,
    )
    const handle = await open(temporary, 'wx', mode)
    try {
      await write(handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await check?.(temporary)
    await takePlace(temporary, real)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw await inUseError(error, target)
  }
  await syncFolder(dirname(real))
}

/** Removes what an interrupted write of this file left behind. */
export async function sweepTemporaries(target: string): Promise<void> {
  const real = await realpath(target).catch(() => target)
  const start = beginning(basename(real))
  const names = await readdir(dirname(real)).catch(() => [] as string[])
  for (const name of names)
    if (
      name.startsWith(start) &&
      /^[0-9a-f]{12}$/.test(name.slice(start.length, start.length + 12)) &&
      name.startsWith(MARK, start.length + 12)
    )
      await unlink(join(dirname(real), name)).catch(() => {})
}

/** A rename is on disk for good once its folder is. Windows has no such call, and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // not every file system lets a folder be flushed
  }
}

/** Writes all of `bytes`; one write may take only a part. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at, Math.min(bytes.length - at, 1 << 24))).bytesWritten
}
