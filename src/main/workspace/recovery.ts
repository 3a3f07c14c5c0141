/**
 * Unsaved edits of earlier runs: what is offered, and which steps of a journal lead on from the files as they are. What a
 * damaged journal has lost is said; steps behind the loss are offered where the hashes of their states prove that they
 * fit, the others stay in the journal, which is kept aside and never deleted.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import type { FileStore } from '../files/store.ts'
import type { RecoveredModel } from '../../shared/api/types/recovery.ts'
import { formatToMake, NO_BYTES } from './absent.ts'
import { readJournal } from './journal.ts'
import type { JournalFolder } from './journal.ts'
import type { JournalDamage, JournalFile, JournalStep, ReadJournal } from './journal-format.ts'
import { sha256 } from './originals.ts'
import { sourceFor } from './mod-copies.ts'
import type { SavePlace } from './mod-copies.ts'
import { say } from '../../shared/texts/say.ts'

/** Hex digits of a SHA-256 that name a state in a journal. */
const HASH_LENGTH = 32

/** Bytes between two places that a hash can be gone on from. */
const HASH_STEP = 1 << 20

/** Hashes of states of files: the bytes of a state never change, so each is made once, and goes on from where a state begins like another. */
export class StateHashes {
  private readonly known = new WeakMap<Uint8Array, { name: string; marks: Hash[] }>()

  /**
   * As journals name a state.
   * @param like a state of which the first bytes are the same, and how many
   */
  of(bytes: Uint8Array, like?: { bytes: Uint8Array; same: number }): string {
    const known = this.known.get(bytes)
    if (known) return known.name
    const marks = (like && this.known.get(like.bytes)?.marks.slice(0, Math.floor(like.same / HASH_STEP))) ?? []
    const hash = marks.at(-1)?.copy() ?? createHash('sha256')
    for (let at = marks.length * HASH_STEP; at < bytes.length; at += HASH_STEP) {
      hash.update(bytes.subarray(at, at + HASH_STEP))
      if (at + HASH_STEP <= bytes.length) marks.push(hash.copy())
    }
    const name = shortened(hash.digest('hex'))
    this.known.set(bytes, { name, marks })
    return name
  }
}

function shortened(hash: string): string {
  return hash.slice(0, HASH_LENGTH)
}

export interface ReplayStep {
  record: JournalStep
  /** the files of the record that are still to be brought there */
  files: JournalFile[]
}

export interface ReplayPlan {
  steps: ReplayStep[]
  /** steps that do not lead on from what is there before them */
  aside: JournalStep[]
  /** files that are neither what the journal began with nor what they were saved as */
  misfits: string[]
}

/**
 * Which steps of a journal apply to the files as they are now.
 * @param hashNow SHA-256 of a file's bytes
 */
export function planReplay(journal: ReadJournal, hashNow: (ref: string) => string): ReplayPlan {
  const now = new Map<string, string>()
  /** per file the record from which its patches apply */
  const starts = new Map<string, number>()
  const based = new Set<string>()
  journal.records.forEach((record, i) => {
    for (const part of record.files) {
      if (!now.has(part.ref)) now.set(part.ref, hashNow(part.ref))
      const here = 'hash' in part ? part.hash : part.base?.hash
      if (here === undefined) continue
      based.add(part.ref)
      if (here === now.get(part.ref)) starts.set(part.ref, i)
    }
  })
  const misfits: string[] = []
  for (const [ref, hash] of now) {
    if (starts.has(ref)) continue
    // where the record that names the state is lost, the step that starts from it tells as well
    const found = journal.damage
      ? journal.records.findIndex((r) => r.kind !== 'disk' && r.files.some((f) => f.ref === ref && f.before === shortened(hash)))
      : -1
    if (found >= 0) starts.set(ref, found)
    else if (based.has(ref) || !journal.damage) misfits.push(ref)
  }
  const plan: ReplayPlan = { steps: [], aside: [], misfits }
  const at = new Map<string, string | undefined>()
  journal.records.forEach((record, i) => {
    if (record.kind === 'disk') return
    const files = record.files.filter(({ ref }) => !starts.has(ref) || starts.get(ref)! <= i)
    if (files.length === 0) return
    const fits = files.every(({ ref, before }) => {
      const start = starts.get(ref)
      if (start === undefined) return false
      // a journal of version 1 says nothing of states: behind a loss nothing is sure until the file is known again
      if (before === undefined) return i < journal.behind || start >= journal.behind
      return before === (at.has(ref) ? at.get(ref) : shortened(now.get(ref)!))
    })
    if (!fits) {
      plan.aside.push(record)
      return
    }
    for (const { ref, after } of files) at.set(ref, after)
    plan.steps.push({ record, files })
  })
  return plan
}

/** Undoable steps of the model itself, as the window counts them. */
function ownSteps(records: readonly { kind: string; foreign?: boolean }[]): number {
  return records.filter((r) => r.kind === 'edit' && !r.foreign).length
}

/** What happened to a journal, in words. */
function damageText({ lost, cut, mended }: JournalDamage, aside: number): string {
  const parts: string[] = []
  if (lost > 0) parts.push(say('journals.recordsDamaged', { count: lost }))
  if (cut) parts.push(say('journals.endMissing'))
  if (parts.length === 0) parts.push(say(mended > 0 ? 'journals.mended' : 'journals.firstBytes'))
  const what = parts.length > 1 ? say('journals.both', { one: parts[0], other: parts[1] }) : parts[0]
  return aside === 0 ? say('journals.damaged', { what }) : say('journals.damagedAside', { what, count: aside })
}

export class Recovery {
  private readonly journals: JournalFolder
  private readonly files: FileStore
  private readonly place: (ref: string) => SavePlace

  constructor(journals: JournalFolder, files: FileStore, place: (ref: string) => SavePlace) {
    this.journals = journals
    this.files = files
    this.place = place
  }

  /** Unsaved edits that earlier runs left behind. Whole journals of which everything is on disk are cleared away. */
  async list(): Promise<RecoveredModel[]> {
    const found: RecoveredModel[] = []
    const journals: ReadJournal[] = []
    for (const path of await this.journals.abandoned()) {
      try {
        journals.push(await readJournal(path))
      } catch (error) {
        found.push(await unreadable(path, error))
      }
    }
    for (const journal of journals) {
      const { path, records, header, damage } = journal
      // a recovery was finished but for this; a damaged journal takes nothing over
      if (journals.some((other) => other.header.replaces === basename(path) && !other.damage)) {
        await this.done(journal)
        continue
      }
      const steps = records.filter((r): r is JournalStep => r.kind !== 'disk')
      if (!damage && (steps.length === 0 || this.isOnDisk(journal))) {
        await rm(path, { force: true })
        continue
      }
      const plan = damage ? planReplay(journal, (ref) => this.hashOnDisk(ref) ?? baseOf(journal, ref)) : undefined
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: header.startedAt }))
      found.push({
        id: recoveryId(path),
        primary: header.primary,
        name: header.name,
        steps: plan ? ownSteps(plan.steps.map(({ record }) => record)) : ownSteps(steps),
        lastEdit: steps.at(-1)?.at ?? Math.round(mtimeMs),
        ...(plan && { damage: { message: damageText(damage!, ownSteps(plan.aside)), restorable: plan.steps.length > 0 } }),
      })
    }
    return found.sort((a, b) => b.lastEdit - a.lastEdit)
  }

  /** @throws FormatError not-found; others where the journal cannot be read */
  async find(id: string): Promise<ReadJournal> {
    return readJournal(await this.pathOf(id))
  }

  /** The user does not want the edits. What is damaged is kept aside all the same. */
  async discard(id: string): Promise<void> {
    const path = await this.pathOf(id)
    const journal = await readJournal(path).catch(() => undefined)
    if (journal) await this.done(journal)
    else await this.journals.keepAside(path)
  }

  /** A journal counts no more. */
  async done({ path, damage }: ReadJournal): Promise<void> {
    if (damage) await this.journals.keepAside(path)
    else await rm(path, { force: true })
  }

  private async pathOf(id: string): Promise<string> {
    const path = (await this.journals.abandoned()).find((p) => recoveryId(p) === id)
    if (path === undefined) throw new FormatError('not-found', say('journals.nothingToRecover'))
    return path
  }

  private isOnDisk(journal: ReadJournal): boolean {
    const last = new Map<string, string | undefined>()
    for (const record of journal.records) {
      for (const part of record.files) last.set(part.ref, 'hash' in part ? part.hash : undefined)
    }
    return [...last].every(([ref, hash]) => hash !== undefined && this.hashOnDisk(ref) === hash)
  }

  private hashOnDisk(ref: string): string | undefined {
    try {
      const source = sourceFor(this.files, ref, this.place(ref))
      const made = this.files.exists(source) ? undefined : formatToMake(this.files.registry, ref)
      return sha256(made ? NO_BYTES : this.files.read(source))
    } catch {
      return undefined
    }
  }
}

async function unreadable(path: string, error: unknown): Promise<RecoveredModel> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
  return {
    id: recoveryId(path),
    primary: '',
    name: say('journals.someModel'),
    steps: 0,
    lastEdit: Math.round(mtimeMs),
    damage: {
      message: say('journals.unreadable', { why: toErrorData(error).message, path }),
      restorable: false,
    },
  }
}

function baseOf(journal: ReadJournal, ref: string): string {
  for (const record of journal.records)
    for (const part of record.files) if (part.ref === ref && 'base' in part && part.base) return part.base.hash
  return ''
}

function recoveryId(path: string): string {
  return sha256(Buffer.from(path)).slice(0, HASH_LENGTH)
}
