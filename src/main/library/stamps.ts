/** Versions of the files on disk that a row of the index was made from. */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { baseName, MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { touching, type DiskTouch } from '../../shared/worker/disk-mark.ts'
import type { OpenArchive } from '../files/places.ts'

/** Compared, and never shown. */
type Stamp = string

/** Files that an archive is read from beside its own, a line each; a directory that comes beside it later changes what it is, too. */
export function companionsOf({ format, ref, dataRef, peers }: OpenArchive): string {
  if (dataRef === '' || dataRef.includes(MEMBER_SEPARATOR)) return dataRef
  const there = new Map(peers.map((peer) => [peer.ref.toLowerCase(), peer.ref]))
  const others = (format.peers?.(baseName(ref)) ?? []).map((name) => join(dirname(ref), name)).filter((path) => path !== ref)
  return [dataRef, ...others.map((path) => there.get(path.toLowerCase()) ?? path)].join('\n')
}

/** @param paths a line each */
export function stampOf(paths: string, touch?: DiskTouch): Stamp {
  return paths
    .split('\n')
    .map((path) => stampOfFile(path, touch))
    .join(';')
}

function stampOfFile(path: string, touch: DiskTouch | undefined): Stamp {
  try {
    const stat = touching(touch, path, () => statSync(path, { throwIfNoEntry: false }))
    return stat ? `${stat.size}:${stat.mtimeMs}` : 'missing'
  } catch {
    return 'missing'
  }
}
