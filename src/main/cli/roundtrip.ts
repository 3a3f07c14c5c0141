/** `marrow roundtrip`: every recognised file and archive member is decoded and encoded again, whole bytes compared. */
import { resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { decodeVerified, encodeDocument, firstDifference } from '../formats/format.ts'
import { MAX_DOCUMENT } from '../files/open-document.ts'
import { MAX_MEMBERS } from '../files/store.ts'
import { isRefusal } from '../binary/format-error.ts'
import { failureOf } from './output.ts'
import { filesGiven } from './files.ts'
import type { ArchiveIndex, ByteSource, Segment } from '../formats/archive.ts'
import type { FileFormat } from '../formats/format.ts'
import type { StoreMember, StoreMembers } from '../files/store-members.ts'
import type { FileStore } from '../files/store.ts'
import type { OpenArchive } from '../files/places.ts'
import type { Failure } from './output.ts'
import { say } from '../../shared/texts/say.ts'

export interface RoundtripReport {
  /** recognised files, archives and members of archives: identical ones and failures */
  files: number
  identical: number
  /** not recognised, or refused by design */
  skipped: number
  /** bytes written from typed fields; bodies of members count with the member */
  typedBytes: number
  /** bytes carried raw: unknown chunks, padding, trailing data, members that no format knows */
  opaqueBytes: number
  failures: Failure[]
  /** recognised files that were skipped, and why */
  notes: Failure[]
}

export interface RoundtripOptions {
  /** check the path that a save takes instead of the codecs alone */
  copy?: boolean
  onProgress?: (report: Readonly<RoundtripReport>, current: string) => void
}

const WINDOW = 2 ** 20

export function roundtrip(store: FileStore, paths: readonly string[], options: RoundtripOptions = {}): RoundtripReport {
  const report: RoundtripReport = { files: 0, identical: 0, skipped: 0, typedBytes: 0, opaqueBytes: 0, failures: [], notes: [] }
  const run = new Run(store, report, options)
  for (const ref of filesGiven(store, paths, (path, error) => run.fail(path, error))) run.file(ref)
  run.finish()
  return report
}

class Run {
  private readonly store: FileStore
  private readonly report: RoundtripReport
  private readonly options: RoundtripOptions
  /** data files of archives in two parts: checked with their directory, whichever comes first */
  private readonly dataFiles = new Set<string>()
  private readonly unrecognised: string[] = []
  /** below the file on disk that is being checked */
  private members = 0

  constructor(store: FileStore, report: RoundtripReport, options: RoundtripOptions) {
    this.store = store
    this.report = report
    this.options = options
  }

  file(ref: string, member = false): void {
    this.options.onProgress?.(this.report, ref)
    this.members = member ? this.members + 1 : 0
    let known = false
    try {
      const source = this.store.source(ref)
      const found = this.store.registry.identify(this.store.headOf(source), this.store.nameOf(ref), source.size)
      if (!found) {
        if (member) this.report.opaqueBytes += source.size
        this.unrecognised.push(member ? ref : resolve(ref))
        return
      }
      known = true
      if (found.archive) this.archive(ref)
      else this.document(found.format, source, ref)
    } catch (error) {
      if (known && isRefusal(error)) {
        this.report.skipped++
        this.report.notes.push(failureOf(error, ref))
      } else {
        this.fail(ref, error, known)
      }
    }
  }

  fail(ref: string, error: unknown, recognised = false): void {
    if (recognised) this.report.files++
    this.report.failures.push(failureOf(error, ref))
  }

  finish(): void {
    for (const ref of this.unrecognised) if (!this.dataFiles.has(ref)) this.report.skipped++
  }

  private document(format: FileFormat, source: ByteSource, ref: string): void {
    if (source.size > MAX_DOCUMENT)
      throw new FormatError('unsupported', say('files.tooLargeToDecode', { size: source.size, most: MAX_DOCUMENT }), { file: ref })
    const bytes = source.read(0, source.size)
    // a save writes what decodeVerified let through; it would have marked a lossy document read-only
    const document = this.options.copy ? decodeVerified(format, bytes, ref) : format.decode(bytes, ref)
    const { bytes: written, typedBytes, opaqueBytes } = encodeDocument(format, document)
    const at = firstDifference(bytes, written)
    if (at >= 0) throw differs(at, bytes.length, written.length, ref)
    this.report.typedBytes += typedBytes
    this.report.opaqueBytes += opaqueBytes
    this.report.files++
    this.report.identical++
  }

  private archive(ref: string): void {
    const open = this.store.openArchive(ref)!
    if (open.dataRef) this.dataFiles.add(open.dataRef)
    let failed: { error: unknown } | undefined
    try {
      this.compareArchive(open)
      this.report.files++
      this.report.identical++
    } catch (error) {
      failed = { error }
    }
    // members are worth a look also where the archive itself is not the same
    for (const member of open.members) {
      if (this.members > MAX_MEMBERS)
        throw new FormatError('unsupported', say('files.tooManyMembers', { most: MAX_MEMBERS }), {
          file: ref,
        })
      this.file(member.ref, true)
    }
    if (failed) throw failed.error
  }

  private compareArchive({ format, index, source, data, dataRef, members }: OpenArchive): void {
    const covered = coverage(members)
    const counted = { typed: 0, opaque: 0 }
    const count = (segments: Segment[], holdsMembers: boolean): Segment[] => {
      for (const segment of segments) {
        if (segment.kind === 'copy')
          counted.opaque += holdsMembers ? segment.length - covered(segment.offset, segment.length) : segment.length
        else if (segment.as !== 'member') counted[segment.as] += segment.bytes.length
      }
      return segments
    }
    tile(count(format.encode(index), !dataRef), source, index.ref)
    if (dataRef && format.encodeData) tile(count(format.encodeData(index), true), data, dataRef)
    if (this.options.copy && !format.readOnly) this.compareSave(format, index, source, data, members)
    this.report.typedBytes += counted.typed
    this.report.opaqueBytes += counted.opaque
  }

  /** An archive saved with a member as it was. */
  private compareSave(
    format: OpenArchive['format'],
    index: ArchiveIndex,
    source: ByteSource,
    data: ByteSource,
    members: StoreMembers,
  ): void {
    const replacements = new Map<number, Uint8Array>()
    const first = members.find((m) => m.size > 0 && m.size <= 16 * WINDOW)
    if (first) replacements.set(first.index, data.read(first.offset, first.size))
    const saved = format.replace(index, replacements)
    tile(saved.data, data, data.ref)
    if (saved.directory) tile(saved.directory, source, index.ref)
  }
}

/** Compares what segments say with a file, in windows. @throws FormatError not-lossless */
function tile(segments: Iterable<Segment>, source: ByteSource, ref: string): void {
  let at = 0
  for (const segment of segments) {
    const length = segment.kind === 'copy' ? segment.length : segment.bytes.length
    if (segment.kind === 'copy' && segment.offset === at && at + length <= source.size) {
      at += length
      continue
    }
    for (let done = 0; done < length; done += WINDOW) {
      const size = Math.min(WINDOW, length - done)
      const left = Math.max(0, Math.min(size, source.size - at - done))
      const written = segment.kind === 'copy' ? source.read(segment.offset + done, size) : segment.bytes.subarray(done, done + size)
      const difference = firstDifference(source.read(Math.min(at + done, source.size), left), written)
      if (difference >= 0) throw differs(at + done + difference, source.size, -1, ref)
    }
    at += length
  }
  if (at !== source.size) throw differs(Math.min(at, source.size), source.size, at, ref)
}

function differs(at: number, size: number, written: number, file: string): FormatError {
  const message =
    written >= 0 && written !== size
      ? say('reports.roundtrip.differsInSize', { at, n: size, written })
      : say('reports.roundtrip.differs', { at })
  return new FormatError('not-lossless', message, { file, offset: at })
}

/** How many bytes of a range belong to at least one member. */
function coverage(members: Iterable<StoreMember>): (offset: number, length: number) => number {
  const starts: number[] = []
  const ends: number[] = []
  for (const { offset, size } of [...members].sort((a, b) => a.offset - b.offset)) {
    if (ends.length > 0 && offset <= ends[ends.length - 1]) ends[ends.length - 1] = Math.max(ends[ends.length - 1], offset + size)
    else {
      starts.push(offset)
      ends.push(offset + size)
    }
  }
  return (offset, length) => {
    // first joined range that ends behind the offset
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle] > offset) high = middle
      else low = middle + 1
    }
    let sum = 0
    for (let i = low; i < starts.length && starts[i] < offset + length; i++)
      sum += Math.min(ends[i], offset + length) - Math.max(starts[i], offset)
    return sum
  }
}

export function roundtripText(report: RoundtripReport): string {
  const all = report.typedBytes + report.opaqueBytes
  const share = all > 0 ? ((report.typedBytes / all) * 100).toFixed(2) : '100'
  const { identical, files: n, skipped, typedBytes, opaqueBytes: opaque } = report
  const typed = say('reports.counts.bytes', { n: typedBytes })
  return `${say('reports.roundtrip.sum', { identical, n, skipped, typed, opaque, share })}\n`
}
