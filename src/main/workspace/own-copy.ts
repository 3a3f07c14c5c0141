/** Copies of images of discs that are Marrow's own: remembered with the originals, so that later runs save into them where they stand. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { release } from './archive-files.ts'
import { writeLargeCopy } from './large-copy.ts'
import type { LargeCopyOptions } from './large-copy.ts'
import type { Originals } from './originals.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource } from '../formats/archive.ts'

/**
 * Writes a new copy, or the next state of one that is Marrow's own.
 * @throws FormatError io, cancelled: a copy that was begun stands as `copyBegun(out)`, and the next call goes on with it
 */
export async function writeOwnCopy(
  store: FileStore,
  originals: Originals,
  whole: ByteSource,
  out: string,
  watch: Pick<LargeCopyOptions, 'signal' | 'onProgress'>,
): Promise<void> {
  const force = existsSync(out)
  await originals.keep(out)
  await writeLargeCopy(whole, out, {
    ...watch,
    force,
    settle: async (part, hash) => {
      const { size, mtimeMs } = await stat(part)
      await originals.noteComing(out, hash, { size, mtimeMs })
      release(store, out, part)
    },
  })
  await originals.noteWritten(out)
}
