/** Brings originals back: a part of a file as an edit, a whole file on disk and in every model that shows it. */
import { existsSync } from 'node:fs'
import { FormatError } from '../binary/format-error.ts'
import { pathAt } from '../binary/structure.ts'
import { baseName } from '../../shared/ref.ts'
import type { OriginalInfo } from '../../shared/api/types/save.ts'
import { NO_BYTES } from './absent.ts'
import { expectUnprotected } from './atomic.ts'
import type { OpenFile } from './document-store.ts'
import type { ModelChanges } from './model-changes.ts'
import type { ModelJournals } from './model-journals.ts'
import type { OpenModels } from './open-models.ts'
import { firstOf, sha256 } from './originals.ts'
import type { Originals } from './originals.ts'
import { diff, isEmpty } from './patch.ts'
import { restorePart } from './restore-part.ts'
import type { FilePart } from './restore-part.ts'
import type { Change, Steps } from './steps.ts'
import { say } from '../../shared/texts/say.ts'

/** The parts of the workspace that a restore needs. */
export interface RestoringParts {
  models: OpenModels
  steps: Steps
  journals: ModelJournals
  originals: Originals
  changes: ModelChanges
}

export class Restoring {
  private readonly models: OpenModels
  private readonly steps: Steps
  private readonly journals: ModelJournals
  private readonly originals: Originals
  private readonly changes: ModelChanges

  constructor({ models, steps, journals, originals, changes }: RestoringParts) {
    this.models = models
    this.steps = steps
    this.journals = journals
    this.originals = originals
    this.changes = changes
  }

  /**
   * A part of a file as in its original, as one undoable step; the file on disk stays until it is saved.
   * @returns whether anything changed
   * @throws FormatError invalid-edit when the part cannot be put back by itself, read-only, invalid-argument
   */
  restorePart(id: string, ref: string, part: FilePart): Promise<boolean> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      const file = model.writable(ref)
      const restored = restorePart(file.format, ref, await this.changes.originalBytes(file), file, part)
      const stored = this.models.documents.asStored(file, { bytes: restored, document: this.models.documents.decode(file, restored) })
      const patch = diff(file.bytes, stored.bytes)
      if (isEmpty(patch)) return false
      const change: Change = { file, patch, ...stored, state: this.models.documents.nextState() }
      const what = part.kind === 'file' ? baseName(ref) : part.kind === 'node' ? part.path : fileChangePath(file, part.newStart)
      await this.steps.commit(model, [change], { kind: 'edit', label: say('steps.restore', { what }) })
      return true
    })
  }

  /** Originals of the model's files, or all that were ever kept. */
  async keptOriginals(id?: string): Promise<OriginalInfo[]> {
    const entries = (await this.originals.list()).filter((entry) => firstOf(entry) !== undefined)
    const info = (ref: string, target: string): OriginalInfo[] => {
      const first = firstOf(entries.find((entry) => entry.target === target))
      return first ? [{ ref, target, hash: first.hash, size: first.size, keptAt: first.keptAt }] : []
    }
    if (id === undefined) return entries.flatMap((entry) => info(entry.target, entry.target))
    return this.models.openFiles(this.models.model(id)).flatMap((file) => info(file.ref, file.saved.disk))
  }

  /**
   * Brings the original of a file (for a member: of its archive) back, on disk and in every open model. In the models
   * that is a step that can be undone.
   */
  restore(id: string, ref: string, options: { replaceReadOnly?: boolean } = {}): Promise<void> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      const file = model.file(ref)
      const disk = file.saved.disk
      const entry = await this.originals.entry(disk)
      if (!entry) throw new FormatError('not-found', say('originals.noneKept'), { file: ref })
      if (!options.replaceReadOnly) await expectUnprotected(disk)
      const kept = await this.originals.pathOf(disk)
      const files = this.models.documents.files().filter((f) => f.saved.disk === disk)
      const wanted = new Map<OpenFile, Uint8Array>()
      for (const f of files) {
        const rest = f.source.startsWith(disk) ? f.source.slice(disk.length) : ''
        // one that Marrow made where there was none goes again
        const none = !kept && f.format.comesAndGoes !== undefined && f.source === f.ref
        wanted.set(f, none ? NO_BYTES : this.models.files.read(kept ? kept + rest : f.ref))
      }
      // the files of the model are one step; files that only other models show are brought along in theirs
      for (const m of [model, ...this.models.list().filter((other) => other !== model)]) {
        const changes: Change[] = []
        for (const [f, bytes] of wanted) {
          if (!m.shows(f.ref)) continue
          const patch = diff(f.bytes, bytes)
          if (!isEmpty(patch))
            changes.push({
              file: f,
              patch,
              bytes,
              document: this.models.documents.decode(f, bytes),
              state: this.models.documents.nextState(),
            })
        }
        if (changes.length > 0) await this.steps.commit(m, changes, { kind: 'edit', label: say('steps.restore', { what: baseName(disk) }) })
      }
      await this.journals.recordDisk([...wanted].map(([f, bytes]) => ({ ref: f.ref, hash: sha256(bytes) })))
      this.models.files.invalidate(disk)
      await this.originals.restore(disk, options)
      this.models.files.invalidate(disk)
      for (const f of wanted.keys()) this.models.documents.markSaved(f, existsSync(disk) ? f.source : f.ref)
      await this.journals.dropClean()
    })
  }
}

function fileChangePath(file: OpenFile, at: number): string {
  return pathAt(file.format.describe(file.document), at).path
}
