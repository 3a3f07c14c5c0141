/**
 * A large file written to a new place in one pass, of which a part may be there already: what is there is compared and set right, what is not
 * is written. So a copy that was stopped, or whose process died, goes on where it was, and nothing needs to be remembered of it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { makeFolder } from '../files/make-folder.ts'
import { FormatError } from '../binary/format-error.ts'
import { takePlace } from '../files/busy.ts'
import { expectNoLink } from '../files/real-place.ts'
import { expectRoom } from '../files/room.ts'
import { ioError } from '../files/sources.ts'
import { newTemporary, sweepFolder } from '../files/temporaries.ts'
import { temporaryParts } from '../../shared/temporary-name.ts'
import { syncFolder } from './atomic.ts'
import type { ByteSource } from '../formats/archive.ts'
import { say } from '../../shared/texts/say.ts'

const WINDOW = 1 << 22

export interface LargeCopyOptions {
  /** what is there is replaced */
  force: boolean
  signal?: AbortSignal
  /** @param done bytes of `all`, in the pass that writes and once more in the one that reads back */
  onProgress?: (done: number, all: number, pass: 'write' | 'read') => void
  /** awaited once the copy is whole and read back, before it gets its name; with its SHA-256 */
  settle?: (part: string, hash: string) => Promise<void>
}

/** Where a copy stands until it is whole. */
export function copyBegun(out: string): string {
  return `${out}.marrow-copy`
}

/**
 * @throws FormatError io, cancelled: what is written so far stays as `copyBegun(out)`, and the next call goes on with it
 */
export async function writeLargeCopy(
  source: ByteSource,
  out: string,
  { force, signal, onProgress, settle }: LargeCopyOptions,
): Promise<void> {
  if (!force && existsSync(out)) throw new FormatError('io', say('commandLine.isThereOut', { file: out }), { file: out })
  const part = copyBegun(out)
  const begun = await stat(part).catch(() => undefined)
  await expectRoom(source.size - (begun?.size ?? 0), out)
  const going = async (): Promise<void> => {
    await breathe()
    if (signal?.aborted) throw new FormatError('cancelled', say('saving.partStays', { file: basename(part) }), { file: part })
  }
  let done = (): void => {}
  try {
    await makeFolder(dirname(out))
    expectNoLink(dirname(part), part)
    done = claimed(part)
    const hash = createHash('sha256')
    const handle = await open(part, existsSync(part) ? 'r+' : 'wx+')
    try {
      const { size: there } = await handle.stat()
      if (there > source.size) await handle.truncate(source.size)
      for (let at = 0; at < source.size; at += WINDOW) {
        await going()
        const bytes = source.read(at, Math.min(WINDOW, source.size - at))
        if (!(await isThere(handle, at, bytes))) await writeAt(handle, at, bytes)
        onProgress?.(at + bytes.length, source.size, 'write')
      }
      await handle.sync()
      for (let at = 0; at < source.size; at += WINDOW) {
        await going()
        const bytes = source.read(at, Math.min(WINDOW, source.size - at))
        if (!(await isThere(handle, at, bytes))) throw new FormatError('io', say('saving.notReadBack'), { file: part, offset: at })
        hash.update(bytes)
        onProgress?.(at + bytes.length, source.size, 'read')
      }
    } finally {
      await handle.close()
    }
    await settle?.(part, hash.digest('hex'))
    await takePlace(part, out)
    await syncFolder(dirname(out))
  } catch (error) {
    throw ioError(error, out)
  } finally {
    done()
  }
}

/**
 * Says beside the copy that this run writes it: two would write over each other, and the second find its file gone. One whose run died says nothing.
 * @returns takes the sign away @throws FormatError io
 */
function claimed(part: string): () => void {
  const folder = dirname(part)
  sweepFolder(folder)
  // the beginning of a long name is not it alone
  const name = createHash('sha256').update(basename(part)).digest('hex').slice(0, 16)
  const sign = newTemporary(folder, name)
  writeFileSync(sign, '', { flag: 'wx' })
  const done = (): void => rmSync(sign, { force: true })
  const others = readdirSync(folder).filter((other) => temporaryParts(other)?.file === name && join(folder, other) !== sign)
  if (others.length === 0) return done
  done()
  throw new FormatError('io', say('saving.copyHeld', { file: basename(part) }), { file: part })
}

async function isThere(handle: FileHandle, at: number, wanted: Uint8Array): Promise<boolean> {
  const found = Buffer.allocUnsafe(wanted.length)
  for (let done = 0; done < found.length;) {
    const { bytesRead } = await handle.read(found, done, found.length - done, at + done)
    if (bytesRead === 0) return false
    done += bytesRead
  }
  return found.equals(wanted)
}

async function writeAt(handle: FileHandle, at: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
}
