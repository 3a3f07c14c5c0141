/** Bytes of files and of ranges of files, read in windows: a large archive is never held in memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { touching, type DiskTouch } from '../../shared/worker/disk-mark.ts'
import { HEAD_BYTES } from '../formats/registry.ts'
import { IN_PLACE_FROM } from './undo-record.ts'
import type { ByteSource, PackedBody } from '../formats/archive.ts'
import { say } from '../../shared/texts/say.ts'

/** What tells one version of a file on disk from another. */
export interface DiskStamp {
  size: number
  mtimeMs: number
}

/** What to do about a file that another program holds, in words. */
export function inUse(file: string): string {
  return say('files.inUse', { file })
}

/** A FormatError for whatever Node threw about `ref`. */
export function ioError(error: unknown, ref: string): FormatError {
  if (error instanceof FormatError) return error
  const { code, message } = toErrorData(error, ref)
  return new FormatError(code === 'internal' ? 'io' : code, message, { file: ref })
}

interface OpenFile {
  fd: number
  stamp: DiskStamp
}

/** How long a descriptor is kept after a turn of reads, ms: Windows lets nobody replace a file that somebody holds. */
const HELD_MS = 100

/** A few open descriptors, the least recently used closed first, all of them soon after they were used. */
export class DescriptorPool {
  private readonly open = new Map<string, OpenFile>()
  private timer: NodeJS.Timeout | undefined
  private readonly most: number

  private readonly touch: DiskTouch | undefined

  constructor(touch?: DiskTouch, most = 16) {
    this.touch = touch
    this.most = most
  }

  /**
   * Reads exactly `out.length` bytes at `offset` of a file that is still the one with this stamp.
   * @throws FormatError changed-on-disk, not-found, io
   */
  read(path: string, stamp: DiskStamp, offset: number, out: Uint8Array, ref: string): void {
    touching(this.touch, path, () => this.readNow(path, stamp, offset, out, ref))
  }

  private readNow(path: string, stamp: DiskStamp, offset: number, out: Uint8Array, ref: string): void {
    try {
      const { fd } = this.acquire(path, stamp, ref)
      let done = 0
      while (done < out.length) {
        const got = readSync(fd, out, done, out.length - done, offset + done)
        if (got === 0) throw new FormatError('changed-on-disk', say('files.becameShorter'), { file: ref, offset: offset + done })
        done += got
      }
      // one that is written where it stands keeps its descriptor
      if (stamp.size >= IN_PLACE_FROM && !isStamped(fstatSync(fd), stamp))
        throw new FormatError('changed-on-disk', say('files.changedSinceOpened'), { file: ref })
    } catch (error) {
      throw ioError(error, ref)
    }
  }

  private acquire(path: string, stamp: DiskStamp, ref: string): OpenFile {
    const held = this.open.get(path)
    if (held) {
      this.open.delete(path)
      if (isStamped(held.stamp, stamp)) {
        this.open.set(path, held)
        return held
      }
      closeSync(held.fd)
    }
    const fd = openSync(path, 'r')
    const now = fstatSync(fd)
    if (!now.isFile() || !isStamped(now, stamp)) {
      closeSync(fd)
      throw new FormatError('changed-on-disk', say('files.changedSinceOpened'), { file: ref })
    }
    const file = { fd, stamp }
    this.open.set(path, file)
    this.timer ??= setTimeout(() => this.release(), HELD_MS).unref()
    if (this.open.size > this.most) {
      const [oldest] = this.open.keys()
      this.release(oldest)
    }
    return file
  }

  /** Closes the descriptor of a file (needed before it is replaced on Windows), or all of them. */
  release(path?: string): void {
    if (path === undefined) {
      clearTimeout(this.timer)
      this.timer = undefined
    }
    for (const [key, file] of path === undefined ? [...this.open] : [[path, this.open.get(path)] as const]) {
      if (!file) continue
      this.open.delete(key)
      closeSync(file.fd)
    }
  }
}

export function isStamped(now: DiskStamp | undefined, { size, mtimeMs }: DiskStamp): boolean {
  return now?.size === size && now.mtimeMs === mtimeMs
}

function checkRange(offset: number, length: number, size: number, ref: string): void {
  if (offset >= 0 && length >= 0 && Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset + length <= size) return
  throw new FormatError('truncated', say('files.outside', { start: offset, end: offset + length, size }), {
    file: ref,
    offset: Math.max(0, Math.min(offset, size)),
    expected: say('files.byteCount', { count: length }),
    actual: say('files.byteCount', { count: Math.max(0, size - offset) }),
  })
}

/** A file on disk as it was when the source was made; a read fails with changed-on-disk once it is another one. */
export class DiskSource implements ByteSource {
  readonly ref: string
  readonly size: number
  private readonly pool: DescriptorPool
  private readonly stamp: DiskStamp

  constructor(pool: DescriptorPool, path: string, stamp: DiskStamp) {
    this.pool = pool
    this.ref = path
    this.size = stamp.size
    this.stamp = stamp
  }

  read(offset: number, length: number, room?: Uint8Array): Uint8Array {
    checkRange(offset, length, this.size, this.ref)
    const out = room?.subarray(0, length) ?? new Uint8Array(length)
    if (length > 0) this.pool.read(this.ref, this.stamp, offset, out, this.ref)
    return out
  }
}

/** A range of another source: the body of a member. */
export class RangeSource implements ByteSource {
  readonly ref: string
  readonly size: number
  private readonly base: ByteSource
  private readonly start: number

  constructor(base: ByteSource, ref: string, start: number, size: number) {
    this.base = base
    this.ref = ref
    this.start = start
    this.size = size
  }

  read(offset: number, length: number, room?: Uint8Array): Uint8Array {
    checkRange(offset, length, this.size, this.ref)
    // a member without bytes may be said to stand behind the end of the file
    if (length === 0) return new Uint8Array(0)
    if (this.start + offset + length > this.base.size) {
      const left = Math.max(0, this.base.size - this.start)
      throw new FormatError('truncated', say('files.archiveEnds', { left, size: this.size }), {
        file: this.ref,
        offset: left,
        expected: say('files.byteCount', { count: this.size }),
        actual: say('files.byteCount', { count: left }),
      })
    }
    return this.base.read(this.start + offset, length, room)
  }

  /** The file on disk that its bytes stand in, and where they begin; undefined where they are unpacked on the way. */
  get onDisk(): { file: string; offset: number } | undefined {
    const { base, start } = this
    if (base instanceof DiskSource) return { file: base.ref, offset: start }
    const around = base instanceof RangeSource ? base.onDisk : undefined
    return around && { file: around.file, offset: around.offset + start }
  }
}

/** Bytes of unpacked members that are kept; one that is larger is kept alone. */
const KEPT_BYTES = 2 ** 27

/** Unpacked members, the least recently unpacked given up first: archives in zips may be many and large. */
export class UnpackedPool {
  private readonly kept = new Map<UnpackedSource, Uint8Array>()
  private bytes = 0

  of(source: UnpackedSource): Uint8Array | undefined {
    return this.kept.get(source)
  }

  keep(source: UnpackedSource, bytes: Uint8Array): void {
    this.kept.set(source, bytes)
    this.bytes += bytes.length
    for (const [oldest, { length }] of this.kept) {
      if (this.bytes <= KEPT_BYTES || oldest === source) return
      this.kept.delete(oldest)
      this.bytes -= length
    }
  }

  clear(): void {
    this.kept.clear()
    this.bytes = 0
  }
}

/** What is in a packed member. It is unpacked whole when more than its beginning is asked for. */
export class UnpackedSource implements ByteSource {
  readonly ref: string
  readonly size: number
  private readonly body: PackedBody
  private readonly pool: UnpackedPool

  constructor(body: PackedBody, ref: string, pool: UnpackedPool) {
    this.ref = ref
    this.size = body.size
    this.body = body
    this.pool = pool
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(offset, length, this.size, this.ref)
    if (length === 0) return new Uint8Array(0)
    const end = offset + length
    // what a file is needs its beginning alone
    let whole = this.pool.of(this)
    if (!whole && end <= HEAD_BYTES && end < this.size) return this.body.bytes(end).slice(offset, end)
    if (!whole) this.pool.keep(this, (whole = this.body.bytes(this.size)))
    return whole.slice(offset, end)
  }
}
