/**
 * The way in which Marrow replaces files: everybody sees the old one or the new one, whole. A temporary in the same
 * folder, flushed, checked, renamed; several files that are one archive change together (files/commit-record.ts). The one other
 * way, for a few bytes of a large archive, is in-place.ts.
 */
import { closeSync, fsyncSync, openSync, readdirSync, realpathSync, renameSync, statSync, writeSync } from 'node:fs'
import { access, chmod, constants, link, open, realpath, rename, stat, unlink, utimes } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { inUseError, takePlace, whileBusy } from '../files/busy.ts'
import { settleRecord, settleRecords } from '../files/commit-record.ts'
import type { CommitRecord } from '../files/commit-record.ts'
import { IN_PLACE_FROM } from '../files/undo-record.ts'
import { clearAway, dropTemporary, newTemporary, ownerIsAlive, sweepFolder, TOUCH_EVERY_MS } from '../files/temporaries.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import { say } from '../../shared/texts/say.ts'

export interface ReplaceOptions {
  /** the user permits to replace a file that is write-protected; its protection stays */
  replaceReadOnly?: boolean
}

export interface Replacement {
  target: string
  /** writes the new content to the open temporary file */
  write(handle: FileHandle): Promise<void>
}

/**
 * @param write writes the new content to the open temporary file
 * @param check looks at the temporary file, flushed and closed, before it takes the target's place; throws to give up
 * @throws FormatError io, write-protected; the target is then what it was
 */
export async function replaceFile(
  target: string,
  write: (handle: FileHandle) => Promise<void>,
  check?: (temporary: string) => Promise<void> | void,
  options: ReplaceOptions = {},
): Promise<void> {
  await replaceFiles([{ target, write }], check && (([temporary]) => check(temporary)), options)
}

/**
 * Replaces files of one folder together: all of them or none, whatever is killed when.
 * @param check looks at the temporaries, in the order of `list`
 * @throws FormatError io, write-protected, refused for files of several folders; the targets are then what they were
 */
export async function replaceFiles(
  list: readonly Replacement[],
  check?: (temporaries: string[]) => Promise<void> | void,
  options: ReplaceOptions = {},
): Promise<void> {
  const written: Written[] = []
  const touch = setInterval(() => {
    for (const { temporary } of written) void utimes(temporary, new Date(), new Date()).catch(() => {})
  }, TOUCH_EVERY_MS)
  touch.unref()
  let at = list[0].target
  try {
    for (const { target, write } of list) {
      at = target
      await writeTemporary(target, write, options, written)
    }
    await check?.(written.map(({ temporary }) => temporary))
    const [{ temporary, real, before }] = written
    if (before && before.size >= IN_PLACE_FROM) expectNoRecord(dirname(real), [real])
    if (written.length === 1) await takePlace(temporary, real)
    else await commit(written)
  } catch (error) {
    for (const { temporary } of written) dropTemporary(temporary)
    throw await inUseError(error, at)
  } finally {
    clearInterval(touch)
  }
  if (written.length === 1) await syncFolder(dirname(written[0].real))
}

interface Written {
  /** the target; through a link, the file behind it is replaced and the link stays */
  real: string
  temporary: string
  before: { size: number; mtimeMs: number; mode: number } | undefined
}

async function writeTemporary(
  target: string,
  write: (handle: FileHandle) => Promise<void>,
  options: ReplaceOptions,
  written: Written[],
): Promise<void> {
  const real = await realpath(target).catch(() => target)
  sweepFolder(dirname(real))
  const before = await stat(real).catch(() => undefined)
  if (before && !options.replaceReadOnly) await expectUnprotected(real, before.mode)
  const temporary = newTemporary(dirname(real), basename(real))
  const mode = before && before.mode & 0o777
  const handle = await open(temporary, 'wx', mode)
  written.push({ real, temporary, before: before && { size: before.size, mtimeMs: before.mtimeMs, mode: before.mode } })
  try {
    await write(handle)
    // what the process masks on creation is not what the file had
    if (mode !== undefined) await handle.chmod(mode).catch(() => {})
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * A rename would replace a file that nobody may write to. The user has to permit that.
 * @throws FormatError write-protected
 */
export async function expectUnprotected(path: string, mode?: number): Promise<void> {
  const bits = mode ?? (await stat(path).catch(() => undefined))?.mode
  if (bits === undefined) return
  const writable =
    (bits & 0o222) !== 0 &&
    (await access(path, constants.W_OK).then(
      () => true,
      () => false,
    ))
  if (!writable) throw new FormatError('write-protected', say('saving.writeProtected', { file: basename(path) }), { file: path })
}

/** Windows replaces no file that has the attribute. */
async function unprotect({ real, before }: Written): Promise<void> {
  if (process.platform === 'win32' && before && (before.mode & 0o200) === 0) await chmod(real, before.mode | 0o200)
}

async function commit(files: Written[]): Promise<void> {
  const folder = dirname(files[0].real)
  if (files.some(({ real }) => dirname(real) !== folder))
    throw new FormatError('refused', say('saving.foldersDiffer'), {
      file: files[0].real,
    })
  expectNoRecord(
    folder,
    files.map(({ real }) => real),
  )
  const path = newTemporary(folder, basename(files[0].real), 'commit')
  const record: CommitRecord = {
    marrow: 'commit',
    version: 1,
    direction: 'forward',
    files: files.map(({ real, temporary, before }) => ({
      target: basename(real),
      temporary: basename(temporary),
      aside: basename(newTemporary(folder, basename(real))),
      before: before ? { size: before.size, mtimeMs: before.mtimeMs } : null,
    })),
  }
  await writeRecord(path, encodeRecord(record))
  const pending = files.map((file, i) => ({ ...file, aside: join(folder, record.files[i].aside) }))
  const aside = pending.map((file) => file.aside)
  const apart = new Set<string>()
  try {
    for (const file of files) await unprotect(file)
    for (const { real, aside: name, before } of pending) {
      // a file system without links: the old file moves away
      if (before) await link(real, name).catch(() => apart.add(real))
    }
    // without a break between them: nobody in this process sees half of it
    await whileBusy(async () => {
      for (let file = pending[0]; file; file = pending[0]) {
        if (apart.delete(file.real)) renameSync(file.real, file.aside)
        renameSync(file.temporary, file.real)
        pending.shift()
      }
    })
  } catch (error) {
    const back: CommitRecord = { ...record, direction: 'back' }
    await writeRecord(path, encodeRecord(back)).catch(() => {})
    // where a file is held by somebody, or the disk takes nothing, the record stands, and whoever carries it out needs the temporaries
    clearAway(path, () => settleRecord(path, back))
    files.length = 0
    throw error
  }
  await syncFolder(folder)
  // a record whose files are replaced asks for nothing any more; without it, what stands aside is a temporary like any other
  for (const name of aside) dropTemporary(name)
  dropTemporary(path)
}

/** A write that is under way, or could not be taken back yet, would take its files over what is written now. @throws FormatError io */
export function expectNoRecord(folder: string, files: readonly string[]): void {
  const { busy } = settleRecords(folder, readdirSync(folder).filter(isTemporaryName), ownerIsAlive)
  const file = files.find((path) => busy.has(basename(path)))
  if (file !== undefined) throw new FormatError('io', say('saving.earlierReplacement', { file: basename(file) }), { file })
}

const encodeRecord = (record: CommitRecord): Uint8Array => Buffer.from(JSON.stringify(record))

/** A record that others go by after a kill: whole and flushed once it has its name. */
export async function writeRecord(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = newTemporary(dirname(path), 'record')
  try {
    const handle = await open(temporary, 'wx')
    try {
      await writeAll(handle, bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
  } catch (error) {
    dropTemporary(temporary)
    throw error
  }
  await syncFolder(dirname(path))
  // where no folder can be flushed, its file can
  if (process.platform === 'win32') {
    const handle = await open(path, 'r+')
    await handle.sync().finally(() => handle.close())
  }
}

/**
 * For the few places that cannot wait: settings, and the window's place while it closes.
 * @param options.mode of the new file; without it the old one's @param options.flush false where it may reach the disk some time later
 * @throws what the file system says
 */
export function replaceFileSync(target: string, bytes: Uint8Array | string, options: { mode?: number; flush?: boolean } = {}): void {
  let real = target
  try {
    real = realpathSync(target)
  } catch {
    // a new file
  }
  sweepFolder(dirname(real))
  const temporary = newTemporary(dirname(real), basename(real))
  const mode = options.mode ?? (statSync(real, { throwIfNoEntry: false })?.mode ?? 0o666) & 0o777
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  try {
    const fd = openSync(temporary, 'wx', mode)
    try {
      for (let at = 0; at < data.length;) at += writeSync(fd, data, at)
      if (options.flush ?? true) fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, real)
  } catch (error) {
    dropTemporary(temporary)
    throw error
  }
}

/**
 * Takes a file away; through a link, the file behind it.
 * @throws FormatError io, write-protected
 */
export async function removeFile(target: string, options: ReplaceOptions = {}): Promise<void> {
  if (!options.replaceReadOnly) await expectUnprotected(target)
  try {
    const real = await realpath(target)
    await whileBusy(() => unlink(real))
    await syncFolder(dirname(real))
  } catch (error) {
    throw await inUseError(error, target)
  }
}

/** Clears away what dead processes left in the folder of a file that is about to be written. */
export async function sweepTemporaries(target: string): Promise<void> {
  sweepFolder(dirname(await realpath(target).catch(() => target)))
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
