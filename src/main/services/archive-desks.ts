/** Archives whose pages are open, with what is planned in each: on disk before a call answers, so that a crash loses no step. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { archiveStep } from '../../shared/api/arguments.ts'
import { NEW_ARCHIVE } from '../../shared/api/types/archive.ts'
import { ArchiveDesk } from '../workspace/archive-desk.ts'
import { archiveTarget } from '../workspace/archive-writes.ts'
import { NewArchiveDesk } from '../workspace/new-archive-desk.ts'
import { replaceFileSync } from '../workspace/atomic.ts'
import { PRIVATE_FILE } from '../workspace/state-files.ts'
import type { ArchiveStep } from '../../shared/api/types/archive.ts'
import type { ArchiveTarget } from '../workspace/archive-writes.ts'
import type { FileStore } from '../files/store.ts'
import type { SavePlace } from '../workspace/mod-copies.ts'
import type { DeskBodies } from '../workspace/archive-steps.ts'
import type { StateFiles, StateKind } from '../workspace/state-files.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import { say } from '../../shared/texts/say.ts'

const FOLDER = 'archives'
const BODY = /^[0-9a-f]{64}$/
/** Bytes that one archive's steps keep. */
const MOST_HELD = 2 ** 30

interface Kept {
  ref: string
  from: string
  stamp: string
  steps: ArchiveStep[]
  done: number
}

const keptSchema = v.object({
  ref: v.string(),
  from: v.string(),
  stamp: v.string(),
  steps: v.array(archiveStep),
  done: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
const keptKind: StateKind<Kept> = {
  name: 'archive',
  version: 1,
  label: 'originals.kinds.archive',
  parse(value) {
    const parsed = v.safeParse(keptSchema, value)
    return parsed.success && parsed.output.done <= parsed.output.steps.length ? parsed.output : undefined
  },
}

type Desk = ArchiveDesk | NewArchiveDesk

export class ArchiveDesks {
  private readonly store: FileStore
  private readonly files: StateFiles
  private readonly place: (ref: string) => SavePlace
  private readonly intoCopy: (target: ArchiveTarget) => boolean
  private readonly desks = new Map<string, Desk>()
  /** bytes that are kept for each archive */
  private readonly held = new Map<string, number>()

  /**
   * @param place where a file is saved
   * @param intoCopy whether what is written is a copy of an image of a disc that may be
   */
  constructor(store: FileStore, files: StateFiles, place: (ref: string) => SavePlace, intoCopy: (target: ArchiveTarget) => boolean) {
    this.store = store
    this.files = files
    this.place = place
    this.intoCopy = intoCopy
  }

  /** Reads the archive's directory in steps, for `open` to find. @throws FormatError not-found */
  *opening(given: string): Stepwise<void> {
    if (given === NEW_ARCHIVE) return
    const ref = this.store.archiveOfData(given)
    yield* this.store.opening(archiveTarget(this.store, ref, this.place(ref)).from)
  }

  /** The archive as it is planned; steps of an earlier run count where its files are still the same. @throws FormatError bad-magic, not-found */
  open(given: string): Desk {
    if (given === NEW_ARCHIVE) return this.openNew()
    const ref = this.store.archiveOfData(given)
    const { from } = archiveTarget(this.store, ref, this.place(ref))
    const there = this.desks.get(ref)
    if (there?.from === from && (there.done > 0 || !there.stale)) return there
    // says by itself what is no archive
    this.store.members(from)
    const kept = this.kept(ref, from)
    const bodies = this.bodies(ref)
    const intoCopy = (): boolean => this.intoCopy(archiveTarget(this.store, ref, this.place(ref)))
    const desk = new ArchiveDesk(this.store, ref, from, bodies, undefined, intoCopy)
    const now = kept?.stamp === desk.stamp ? new ArchiveDesk(this.store, ref, from, bodies, kept, intoCopy) : desk
    this.desks.set(ref, now)
    return now
  }

  private openNew(): Desk {
    const there = this.desks.get(NEW_ARCHIVE)
    if (there) return there
    const desk = new NewArchiveDesk(this.store, this.bodies(NEW_ARCHIVE), this.kept(NEW_ARCHIVE, NEW_ARCHIVE))
    this.desks.set(NEW_ARCHIVE, desk)
    return desk
  }

  /** Steps of an earlier run, as far as all that they put in is still there. */
  private kept(ref: string, from: string): Kept | undefined {
    const read = this.files.read(this.file(ref), keptKind)
    if (read.state !== 'good' || read.value.ref !== ref || read.value.from !== from) return undefined
    return read.value.steps.every((step) => bodiesOf(step).every((body) => existsSync(this.bodyFile(ref, body)))) ? read.value : undefined
  }

  private bodies(ref: string): DeskBodies {
    return {
      read: (body) => this.body(ref, body),
      size: (body) => this.sizeOf(ref, body),
      file: (body) => this.bodyFile(ref, body),
    }
  }

  private canonical(ref: string): string {
    return ref === NEW_ARCHIVE ? ref : this.store.archiveOfData(ref)
  }

  /** The desk of an archive whose page is open. */
  get(ref: string): Desk {
    return this.desks.get(this.canonical(ref)) ?? this.open(ref)
  }

  step(desk: Desk, step: ArchiveStep): void {
    for (const body of bodiesOf(step))
      if (!BODY.test(body) || !existsSync(this.bodyFile(desk.ref, body)))
        throw new FormatError('not-found', say('archiveEdits.noBody'), { file: desk.ref })
    desk.do(step)
    this.keep(desk)
  }

  /** What is planned is on disk. */
  keep({ ref, from, stamp, steps, done }: Desk): void {
    this.files.make(FOLDER)
    if (steps.length === 0) this.files.remove(this.file(ref))
    else this.files.writeSync(this.file(ref), { ref, from, stamp, steps, done }, keptKind)
  }

  /** Nothing is planned any more. */
  forget(ref: string): void {
    const key = ref !== NEW_ARCHIVE && this.store.exists(ref) ? this.store.archiveOfData(ref) : ref
    this.desks.delete(key)
    this.held.delete(key)
    this.files.remove(this.file(key))
    rmSync(this.folder(key), { recursive: true, force: true })
  }

  /** Keeps the bytes of a file that a step will put in. @throws FormatError refused, io */
  hold(ref: string, bytes: Uint8Array): string {
    const key = this.canonical(ref)
    const body = createHash('sha256').update(bytes).digest('hex')
    const file = this.bodyFile(key, body)
    if (existsSync(file)) return body
    try {
      this.files.make(FOLDER)
      mkdirSync(this.folder(key), { recursive: true, mode: 0o700 })
      const held = this.held.get(key) ?? this.heldOnDisk(key)
      if (held + bytes.length > MOST_HELD)
        throw new FormatError('refused', say('files.tooLargeAtOnce', { size: held + bytes.length, most: MOST_HELD }), { file: ref })
      replaceFileSync(file, bytes, { mode: PRIVATE_FILE })
      this.held.set(key, held + bytes.length)
    } catch (error) {
      throw ioError(error, file)
    }
    return body
  }

  private heldOnDisk(key: string): number {
    return readdirSync(this.folder(key)).reduce((sum, name) => sum + statSync(join(this.folder(key), name)).size, 0)
  }

  private body(ref: string, body: string): Uint8Array {
    const file = this.bodyFile(ref, body)
    try {
      const bytes = new Uint8Array(readFileSync(file))
      if (createHash('sha256').update(bytes).digest('hex') === body) return bytes
    } catch (error) {
      throw ioError(error, file)
    }
    throw new FormatError('io', say('archiveEdits.noBody'), { file })
  }

  private sizeOf(ref: string, body: string): number {
    return statSync(this.bodyFile(ref, body), { throwIfNoEntry: false })?.size ?? 0
  }

  private key(ref: string): string {
    return createHash('sha256').update(ref).digest('hex').slice(0, 32)
  }

  private file(ref: string): string {
    return `${FOLDER}/${this.key(ref)}.json`
  }

  private folder(ref: string): string {
    return join(this.files.root, FOLDER, this.key(ref))
  }

  private bodyFile(ref: string, body: string): string {
    return join(this.folder(ref), body)
  }
}

function bodiesOf(step: ArchiveStep): string[] {
  if (step.kind === 'add') return step.files.map(({ body }) => body)
  return step.kind === 'replace' ? [step.body] : []
}
