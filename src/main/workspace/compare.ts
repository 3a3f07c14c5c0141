/**
 * Two versions of a file, or two with a third that both were made from, told apart as Changes tells an edit from the original:
 * by fields, tracks and keys where a format knows the file, else by ranges of bytes. One file at a time is in memory.
 */
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { MAX_DOCUMENT } from '../files/open-document.ts'
import { byteChanges, fileChanges } from './changes.ts'
import { mergeEdits } from './merge.ts'
import type { FileStore } from '../files/store.ts'
import type { ByteSource } from '../formats/archive.ts'
import type { FileFormat } from '../formats/format.ts'
import type { ErrorData } from '../../shared/api/errors.ts'
import type { ByteChange, ChangedNode, FileChanges } from '../../shared/api/types/changes.ts'
import type { MergeConflict } from '../../shared/api/types/mod.ts'
import { say } from '../../shared/texts/say.ts'

const WINDOW = 1 << 20
/** Files that no format knows are looked into up to this size; larger ones tell where they begin to differ. */
const MOST_PLAIN = 32 * 2 ** 20

/** A file as it is compared. */
interface Version {
  ref: string
  source: ByteSource
  format: FileFormat | undefined
}

export interface FileDifference {
  /** of the format that both are of; null where there is none */
  format: string | null
  sizes: [from: number, to: number]
  /** -1 where they were not counted */
  changedBytes: number
  /** nodes that hold changes, as `node` of a change counts them */
  nodes: ChangedNode[]
  changes: ByteChange[]
  /** changes that are not listed */
  omitted: number
  /** the file is too large to be looked into: where it begins to differ, else -1 */
  differsFrom: number
  /** what could not be read as what it is; the bytes are compared then */
  broken: { ref: string; error: ErrorData }[]
}

/** How two versions of a third go together. */
export interface ThreeWay {
  conflicts: MergeConflict[]
  /** why the two do not go together in one file; '' where they do but for the conflicts */
  apart: string
}

/** What differs from the one to the other, nothing where every byte is the same. @throws FormatError of a file that cannot be read */
export function difference(store: FileStore, from: string, to: string, most: number): FileDifference | undefined {
  const [a, b] = [versionOf(store, from, to), versionOf(store, to, from)]
  const at = firstDifferent(a.source, b.source)
  return at < 0 ? undefined : tell(a, b, at, most)
}

/** Whether `difference` finds nothing, without a look into what it would find. @throws FormatError of a file that cannot be read */
export function isSame(store: FileStore, from: string, to: string): boolean {
  return firstDifferent(versionOf(store, from, to).source, versionOf(store, to, from).source) < 0
}

/**
 * Of one file that both of two changed, each in its own way, where both changed the same place into different things.
 * @throws FormatError of a file that cannot be read
 */
export function threeWay(store: FileStore, base: string, refA: string, refB: string): ThreeWay {
  const [o, a, b] = [versionOf(store, base, refA), versionOf(store, refA, base), versionOf(store, refB, base)]
  const format = [o, a, b].every((v) => v.format && v.format === o.format && v.source.size <= MAX_DOCUMENT) ? o.format : undefined
  if (!format) return { conflicts: [], apart: say('compare.noFields') }
  try {
    const [ours, theirs, mine] = [o, a, b].map(bytesOf)
    return { conflicts: mergeEdits(format, base, ours, theirs, mine).conflicts, apart: '' }
  } catch (error) {
    return { conflicts: [], apart: toErrorData(error, refB).message }
  }
}

/** @param other what it is compared with: a member that is filled up with zeros to whole sectors is the file that was put there */
function versionOf(store: FileStore, ref: string, other: string): Version {
  const source = store.source(ref)
  const found = store.registry.identify(store.headOf(source), store.nameOf(ref), source.size)
  const unit = store.unit(other)
  const size = unit ? Math.ceil(source.size / unit) * unit : source.size
  const filled = size !== source.size && size === store.stat(other).size
  return { ref, source: filled ? new FilledSource(source, size) : source, format: found?.format }
}

/** A file with zeros behind it. */
class FilledSource implements ByteSource {
  readonly ref: string
  readonly size: number
  private readonly base: ByteSource

  constructor(base: ByteSource, size: number) {
    this.ref = base.ref
    this.size = size
    this.base = base
  }

  read(offset: number, length: number): Uint8Array {
    const out = new Uint8Array(length)
    const own = Math.min(length, this.base.size - offset)
    if (own > 0) out.set(this.base.read(offset, own))
    return out
  }
}

function bytesOf({ source }: Version): Uint8Array {
  return source.read(0, source.size)
}

/** Where two files begin to differ, -1 where they do not; read in windows. */
export function firstDifferent(a: ByteSource, b: ByteSource): number {
  const least = Math.min(a.size, b.size)
  for (let at = 0; at < least; at += WINDOW) {
    const length = Math.min(WINDOW, least - at)
    const [x, y] = [a.read(at, length), b.read(at, length)]
    if (Buffer.compare(x, y) !== 0) for (let i = 0; i < length; i++) if (x[i] !== y[i]) return at + i
  }
  return a.size === b.size ? -1 : least
}

function tell(a: Version, b: Version, at: number, most: number): FileDifference {
  const format = a.format && a.format === b.format ? a.format : undefined
  const sizes: [number, number] = [a.source.size, b.source.size]
  const told: FileDifference = {
    format: format?.id ?? null,
    sizes,
    changedBytes: -1,
    nodes: [],
    changes: [],
    omitted: 0,
    differsFrom: at,
    broken: [],
  }
  if (Math.max(...sizes) > (format ? MAX_DOCUMENT : MOST_PLAIN)) return told
  const [before, after] = [bytesOf(a), bytesOf(b)]
  const changes = format ? byFields(format, a, b, before, after, most, told) : byteChanges(b.ref, before, after)
  return {
    ...told,
    differsFrom: -1,
    changedBytes: changes.changedBytes,
    nodes: changes.nodes,
    changes: changes.changes.slice(0, most),
    omitted: changes.omitted + Math.max(0, changes.changes.length - most),
  }
}

function byFields(
  format: FileFormat,
  a: Version,
  b: Version,
  before: Uint8Array,
  after: Uint8Array,
  most: number,
  told: FileDifference,
): FileChanges {
  const decoded = [a, b].map(({ ref }, i) => {
    try {
      return format.decode(i === 0 ? before : after, ref)
    } catch (error) {
      told.broken.push({ ref, error: toErrorData(error, ref) })
      return undefined
    }
  })
  const [original, document] = decoded
  return original && document
    ? fileChanges(b.ref, format, before, { bytes: after, document }, { original, most })
    : byteChanges(b.ref, before, after)
}

/** @throws FormatError invalid-argument for paths that cannot be held against each other */
export function expectAlike(store: FileStore, paths: readonly string[]): void {
  const missing = paths.find((path) => !store.exists(path))
  if (missing !== undefined) throw new FormatError('invalid-argument', say('files.notThere', { file: missing }), { file: missing })
  const opens = paths.map((path) => isContainer(store, path))
  const odd = opens.findIndex((open) => open !== opens[0])
  if (odd > 0)
    throw new FormatError(
      'invalid-argument',
      say('compare.fileAndFolder', { folder: paths[opens[0] ? 0 : odd], file: paths[opens[0] ? odd : 0] }),
      {
        file: paths[odd],
      },
    )
}

/** A folder, or an archive: what has files in it. A broken archive is a file. */
export function isContainer(store: FileStore, ref: string): boolean {
  if (store.isFolder(ref)) return true
  try {
    return store.openArchive(ref) !== undefined
  } catch {
    return false
  }
}
