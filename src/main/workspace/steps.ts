/** Undoable steps: made, kept in the journals, joined to the one before, undone and done again. */
import { randomUUID } from 'node:crypto'
import { FormatError } from '../binary/format-error.ts'
import { baseName } from '../../shared/ref.ts'
import type { Document } from '../formats/format.ts'
import type { Kept } from '../formats/kept.ts'
import type { OpenFile } from './document-store.ts'
import type { FileStep, Step } from './history.ts'
import { stillInJournal } from './journal.ts'
import type { Journal, JournalMark } from './journal.ts'
import type { JournalFile, JournalStep } from './journal-format.ts'
import type { ModelJournals } from './model-journals.ts'
import type { OpenModel } from './open-model.ts'
import type { OpenModels } from './open-models.ts'
import { joined } from './joined-patch.ts'
import { changedBytes, invertPatch, isEmpty } from './patch.ts'
import type { Patch } from './patch.ts'
import { say } from '../../shared/texts/say.ts'

/** What a step changes of files is shown ahead of its answer up to here: it crosses to the window twice. */
const MOST_AHEAD = 1 << 16

/** One file's way from one state to the next. */
export interface Change {
  file: OpenFile
  patch: Patch
  bytes: Uint8Array
  document: Document
  state: number
  /** what was made of the document before, where that is more than what the patch leaves */
  kept?: Kept
  /** of bytes that nobody has proven yet. @throws FormatError invalid-edit */
  proof?: () => void
}

export type CommitRecord = Pick<JournalStep, 'kind' | 'label' | 'id' | 'merge' | 'replaces' | 'foreign'>

export class Steps {
  private readonly models: OpenModels
  private readonly journals: ModelJournals

  constructor(models: OpenModels, journals: ModelJournals) {
    this.models = models
    this.journals = journals
  }

  async step(model: OpenModel, kind: 'undo' | 'redo'): Promise<void> {
    const { undoable, redoable } = model.history
    const from = kind === 'undo' ? undoable : redoable
    const to = kind === 'undo' ? redoable : undoable
    const step = from.at(-1)
    if (!step) throw new FormatError('not-found', say(kind === 'undo' ? 'edits.nothingToUndo' : 'edits.nothingToRedo'))
    const changes = this.stepFiles(model, step, kind === 'undo' ? 'after' : 'before').map(({ file, part }): Change => {
      const patch = kind === 'undo' ? invertPatch(part.patch) : part.patch
      const state = kind === 'undo' ? part.before : part.after
      return { file, patch, state, ...this.models.documents.stateAt(file, state, patch) }
    })
    await this.commit(model, changes, { kind, label: step.label })
    from.pop()
    to.push(step)
  }

  /** The files of a step, which all must be in the state on this side of it. */
  stepFiles(model: OpenModel, step: Step, side: 'before' | 'after'): { file: OpenFile; part: FileStep }[] {
    return [...step.files].map(([ref, part]) => {
      const file = model.file(ref)
      if (file.state !== part[side])
        throw new FormatError('invalid-edit', say('edits.changedByOther', { file: baseName(ref) }), { file: ref })
      return { file, part }
    })
  }

  /** Applies changes, assembles, proves them, writes the journals; on a failure everything is as before. */
  async commit(model: OpenModel, changes: Change[], given: CommitRecord): Promise<void> {
    const record = given.kind === 'edit' ? { ...given, id: given.id ?? randomUUID() } : given
    const before = changes.map(({ file }) => ({ file, bytes: file.bytes, state: file.state }))
    const concerned = this.models.list().filter((m) => changes.some(({ file }) => m.shows(file.ref)))
    const marks = new Map<Journal, JournalMark>()
    const ahead = changes.reduce((sum, { patch }) => sum + changedBytes(patch), 0) <= MOST_AHEAD
    const prove = (): void => changes.forEach(({ proof }) => proof?.())
    if (!ahead) prove()
    try {
      for (const { file, patch, bytes, document, state, kept } of changes)
        this.models.documents.setState(file, bytes, document, state, kept ?? file.kept.after(patch))
      for (const m of concerned) m.stale()
      void model.assembled
      if (ahead) {
        this.models.onAhead(model)
        // behind the picture: writing all of a long animation a second time takes as long as making it
        prove()
      }
      await Promise.all(
        concerned.map(async (m) => {
          const journal = await this.journals.of(m)
          marks.set(journal, journal.mark())
          const files = changes
            .map((change, i) => ({ ...change, base: before[i].bytes }))
            .filter(({ file }) => m.shows(file.ref))
            .map(({ file, patch, bytes, base }): JournalFile => this.journals.fileOf(journal, file, base, patch, bytes))
          await journal.append({ ...record, foreign: m === model ? record.foreign : true, at: Date.now(), files })
        }),
      )
    } catch (error) {
      // a step that is refused must be in no journal
      let left = false
      for (const [journal, mark] of marks) left = !(await journal.rewind(mark)) || left
      for (const { file, bytes, state } of before)
        this.models.documents.setState(file, bytes, this.models.documents.decode(file, bytes), state)
      for (const m of concerned) m.stale()
      if (ahead) this.models.onChanged(model)
      throw left ? stillInJournal(error) : error
    }
    if (record.kind === 'edit' && !record.foreign) this.remember(model, changes, before, { ...record, id: record.id! })
    for (const m of concerned) {
      await this.journals.keepShort(m)
      if (m !== model) this.models.onChanged(m)
    }
    this.journals.announce()
  }

  private remember(
    model: OpenModel,
    changes: Change[],
    before: { file: OpenFile; bytes: Uint8Array; state: number }[],
    { id, label, merge: gesture, replaces }: CommitRecord & { id: string },
  ): void {
    // after a recovery the step that was replaced may be part of an earlier save: then this is one of its own
    const top = replaces === undefined ? model.history.sameGesture(gesture) : model.history.onTop(replaces)
    const fits = top && changes.every(({ file }, i) => !top.files.has(file.ref) || top.files.get(file.ref)!.after === before[i].state)
    if (!top || !fits) {
      const files: Step['files'] = new Map()
      changes.forEach(({ file, patch, state }, i) => files.set(file.ref, { patch, before: before[i].state, after: state }))
      model.history.push({ id, label, gesture, files })
      return
    }
    if (replaces !== undefined) {
      top.label = label
      top.gesture = undefined
      model.history.redoable.length = 0
    }
    changes.forEach(({ file, patch, bytes, state }, i) => {
      const old = top.files.get(file.ref)
      if (!old) {
        top.files.set(file.ref, { patch, before: before[i].state, after: state })
        return
      }
      top.files.set(file.ref, { patch: joined(old.patch, patch, before[i].bytes, bytes), before: old.before, after: state })
    })
    // a file that is as it was before the step is no part of it; a drag that ended where it began is no step
    for (const [ref, part] of top.files) {
      if (!isEmpty(part.patch)) continue
      const file = this.models.documents.get(ref)
      if (file) file.state = part.before
      top.files.delete(ref)
    }
    if (top.files.size === 0) model.history.undoable.pop()
  }
}
