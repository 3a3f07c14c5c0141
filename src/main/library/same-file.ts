/**
 * Whether a file on disk is the one that was read. Size and time tell, where its time does not lie: programs set it back, and what changed within one step
 * of a drive's clock has the time that it had. The system's own time shows that something of a file changed; its bytes then show what.
 */
import { crc32 } from 'node:zlib'
import type { FileStore } from '../files/store.ts'
import type { WalkedFile } from '../files/walk.ts'

/** The row of a file on disk, as the scan before left it. */
export interface Known {
  id: number
  stamp: string
  companion: string
  /** as `settled` gave it */
  changed: number
  /** of a file that was read whole */
  crc: number | null
  error_code: string | null
}

/** Errors that may be gone without the file having changed. */
const PASSING = new Set(['io', 'no-answer', 'not-found', 'changed-on-disk', 'internal'])
/** Steps of the clocks of drives, ms: FAT has one of two seconds. */
const CLOCK_MS = 2000
/** Of a file that may change without a time that tells. */
export const UNSETTLED = -1

/** The system's time of a file that is so far back that another change has another one. */
export function settled({ mtimeMs, ctimeMs }: WalkedFile): number {
  const isNow = (time: number): boolean => Math.abs(Date.now() - time) <= CLOCK_MS
  return isNow(mtimeMs) || isNow(ctimeMs) ? UNSETTLED : ctimeMs
}

/**
 * @param stampOf of the file with its companions, as it is now
 * @returns its time for the row, undefined for another file
 */
export function sameFile(
  store: FileStore,
  file: WalkedFile,
  known: Known,
  stampOf: (companion: string) => string,
): { changed: number } | undefined {
  if (known.stamp !== stampOf(known.companion) || (known.error_code !== null && PASSING.has(known.error_code))) return undefined
  if (known.changed === file.ctimeMs) return known
  return known.crc !== null && crcOf(store, file.path) === known.crc ? { changed: settled(file) } : undefined
}

/** Null for what cannot be read: whoever reads it then says why. */
function crcOf(store: FileStore, ref: string): number | null {
  try {
    return crc32(store.read(ref))
  } catch {
    return null
  }
}
