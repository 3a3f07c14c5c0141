/** The journals of open models: what they are told, when one begins anew, when one is needed no more. */
import { basename } from 'node:path'
import { firstDifference } from '../formats/format.ts'
import type { OpenFile } from './document-store.ts'
import type { Journal, JournalFolder } from './journal.ts'
import type { JournalFile, JournalHeader, JournalRecord } from './journal-format.ts'
import type { OpenModel } from './open-model.ts'
import type { OpenModels } from './open-models.ts'
import { sha256 } from './originals.ts'
import { diff, sameStart } from './patch.ts'
import type { Patch } from './patch.ts'
import { StateHashes } from './recovery.ts'
import { say } from '../../shared/texts/say.ts'

export class ModelJournals {
  readonly hashes = new StateHashes()
  private readonly models: OpenModels
  private readonly folder: JournalFolder
  private readonly limit: number

  /** @param limit a journal larger than this is written anew, bytes */
  constructor(models: OpenModels, folder: JournalFolder, limit: number) {
    this.models = models
    this.folder = folder
    this.limit = limit
  }

  /** The model's journal, begun when it has none. */
  async of(model: OpenModel): Promise<Journal> {
    return (model.journal ??= await this.folder.create(journalHeader(model)))
  }

  /** A journal for a recovery: it counts from `publish` on, and takes the place of the one that it is made from. */
  async beginRecovered(model: OpenModel, from: string): Promise<void> {
    model.journal ??= await this.folder.create({ ...journalHeader(model), replaces: basename(from) }, true)
  }

  /** No model is open any more. */
  close(): Promise<void> {
    return this.folder.close()
  }

  /**
   * Sees which models other Marrows on this state folder have open. Each run writes journals of its own, so nothing is
   * lost; the one that saves second is told that the file changed on disk, and this tells it before.
   * @returns models of which that is no longer what it was
   */
  async lookElsewhere(): Promise<OpenModel[]> {
    const others = await this.folder.elsewhere()
    const edited = new Set(others.flatMap((other) => other.edited))
    return this.models.list().filter((model) => {
      const own = model.allRefs().filter((ref) => edited.has(ref))
      const now = own.length > 0 || others.some((other) => other.primary === model.binding.primary) ? { edited: own } : undefined
      const before = model.elsewhere
      model.elsewhere = now
      return before?.edited.join('\n') !== now?.edited.join('\n')
    })
  }

  /** Other runs see which models are open here, and which of their files have unsaved edits. */
  announce(): void {
    this.folder.announce(
      this.models.list().map((model) => ({
        primary: model.binding.primary,
        edited: model.allRefs().filter((ref) => this.models.documents.get(ref)?.dirty),
      })),
    )
  }

  /** Before bytes go to disk: every journal that follows one of these files can tell them when it is replayed. */
  async recordDisk(files: { ref: string; hash: string }[]): Promise<void> {
    for (const model of this.models.list()) {
      const shown = files.filter(({ ref }) => model.journal?.known.has(ref))
      if (shown.length > 0) await model.journal!.append({ kind: 'disk', files: shown } satisfies JournalRecord)
    }
  }

  /** A journal is needed as long as one of its model's files is not saved. */
  async dropClean(): Promise<void> {
    for (const model of this.models.list()) {
      if (!model.journal || model.dirty) continue
      const journal = model.journal
      model.journal = undefined
      await journal.remove()
    }
    this.announce()
  }

  /** A journal that is too large, or gone from the disk, begins again. */
  async keepShort(model: OpenModel): Promise<void> {
    const { journal } = model
    // a recovery's journal does not count until it is whole: nothing that does may take its place before
    if (journal?.published && (journal.size > this.limit + 2 * journal.startSize || (await journal.isGone()))) await this.shorten(model)
  }

  /**
   * A journal that has grown large (hours of painting) begins again with the way from the disk to here: a recovery
   * then brings the bytes back, without the single steps. The old one counts until the new one is whole.
   */
  async shorten(model: OpenModel): Promise<void> {
    const old = model.journal!
    const files = this.models
      .openFiles(model)
      .filter((file) => file.dirty && old.known.has(file.ref))
      .map((file): JournalFile => ({
        ref: file.ref,
        ...this.fromDisk(file, file.bytes),
      }))
    // nothing is lost when this fails: the old journal goes on
    const next = await this.folder.create({ ...journalHeader(model), replaces: basename(old.path) }, true).catch(() => undefined)
    if (!next) return
    try {
      if (files.length > 0) await next.append({ kind: 'edit', label: say('steps.earlier'), at: Date.now(), files })
      await next.publish()
    } catch {
      await next.remove()
      return
    }
    model.journal = next
    await old.remove()
  }

  /**
   * A journal can be replayed by itself: the first patch of a file starts from what is on disk. Where the file was
   * changed before this journal knew it (through another model), the way from the disk to here is part of that patch.
   */
  fileOf(journal: Journal, file: OpenFile, before: Uint8Array, patch: Patch, after: Uint8Array): JournalFile {
    if (journal.known.has(file.ref))
      return {
        ref: file.ref,
        before: this.hashes.of(before),
        after: this.hashes.of(after, { bytes: before, same: sameStart(patch) }),
        patch,
      }
    return { ref: file.ref, ...this.fromDisk(file, after, firstDifference(file.saved.bytes, before) < 0 ? patch : undefined) }
  }

  /** The way from what is on disk to a state, as a journal begins with it. */
  private fromDisk({ saved }: OpenFile, after: Uint8Array, patch = diff(saved.bytes, after)): Omit<JournalFile, 'ref'> {
    return {
      base: { hash: sha256(saved.bytes), size: saved.bytes.length },
      before: this.hashes.of(saved.bytes),
      after: this.hashes.of(after, { bytes: saved.bytes, same: sameStart(patch) }),
      patch,
    }
  }

  /** A file came to this model with unsaved edits of another one: its journal takes them over. */
  async adopt(model: OpenModel, file: OpenFile): Promise<void> {
    if (model.journal?.known.has(file.ref)) return
    const journal = await this.of(model)
    await journal.append({
      kind: 'edit',
      label: say('steps.inAnotherModel'),
      foreign: true,
      at: Date.now(),
      files: [{ ref: file.ref, ...this.fromDisk(file, file.bytes) }],
    })
  }
}

function journalHeader(model: OpenModel): JournalHeader {
  return {
    kind: 'header',
    version: 2,
    primary: model.binding.primary,
    name: model.binding.name,
    family: model.family.id,
    library: model.library,
    startedAt: Date.now(),
  }
}
