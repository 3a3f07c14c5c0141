/** Replays the journal of an earlier run on a model that was opened for it. Which of its steps apply stands in recovery.ts. */
import { randomUUID } from 'node:crypto'
import { FormatError } from '../binary/format-error.ts'
import { formatToMake } from './absent.ts'
import type { OpenFile } from './document-store.ts'
import type { Step } from './history.ts'
import type { JournalFile, JournalStep } from './journal-format.ts'
import type { ModelJournals } from './model-journals.ts'
import type { OpenModel } from './open-model.ts'
import type { OpenModels } from './open-models.ts'
import { sha256 } from './originals.ts'
import { applyPatch, invertPatch } from './patch.ts'
import type { Patch } from './patch.ts'
import { planReplay } from './recovery.ts'
import type { Recovery, ReplayPlan } from './recovery.ts'
import type { Change, Steps } from './steps.ts'
import { say } from '../../shared/texts/say.ts'

/** The parts of the workspace that a replay needs. */
export interface ReplayParts {
  models: OpenModels
  steps: Steps
  journals: ModelJournals
  recovery: Recovery
}

export class Replay {
  private readonly models: OpenModels
  private readonly steps: Steps
  private readonly journals: ModelJournals
  private readonly recovery: Recovery

  constructor({ models, steps, journals, recovery }: ReplayParts) {
    this.models = models
    this.steps = steps
    this.journals = journals
    this.recovery = recovery
  }

  /**
   * Replays an earlier run's journal on a model that was opened for it. The journal stays when it does not fit.
   * @throws FormatError changed-on-disk when a file is neither what the journal began with nor what it was saved as
   */
  recover(id: string, model: OpenModel): Promise<void> {
    return this.models.exclusive(async () => {
      const journal = await this.recovery.find(id)
      const plan = planReplay(journal, (ref) => sha256(this.file(model, ref).bytes))
      if (plan.misfits.length > 0)
        throw new FormatError('changed-on-disk', say('journals.fileIsAnother'), {
          file: plan.misfits[0],
        })
      if (plan.steps.length === 0 && journal.damage)
        throw new FormatError('bad-value', say('journals.nothingFits'), {
          file: journal.path,
        })
      this.rehearse(plan, model)
      // the old journal counts until the new one is complete: a recovery can be cut off like anything else
      const fresh = model.journal === undefined
      await this.journals.beginRecovered(model, journal.path)
      try {
        for (const { record, files } of plan.steps) await this.replay(model, record, files)
        await model.journal!.publish()
      } catch (error) {
        if (fresh) {
          await model.journal!.remove()
          model.journal = undefined
        }
        throw error
      }
      await this.recovery.done(journal)
      await this.journals.dropClean()
    })
  }

  /** A file that a journal names. @throws FormatError where it cannot be read */
  private file(model: OpenModel, ref: string): OpenFile {
    const own = model.shows(ref)
    const { file: known, error } = model.entry(ref)
    const made = !known && error.code === 'not-found' ? formatToMake(this.models.files.registry, ref) : undefined
    const file = made ? model.toMake({ format: made.id, ref }) : model.file(ref)
    if (!own) model.touch(file)
    return file
  }

  /** All or nothing: the patches must fit each other, lead to the states that they were recorded with, and to files that decode. */
  private rehearse(plan: ReplayPlan, model: OpenModel): void {
    const now = new Map<string, Uint8Array>()
    for (const { files } of plan.steps)
      for (const { ref, patch, after } of files) {
        const bytes = applyPatch(now.get(ref) ?? model.file(ref).bytes, patch, ref)
        if (after !== undefined && this.journals.hashes.of(bytes) !== after)
          throw new FormatError('bad-value', say('journals.leadsElsewhere'), { file: ref })
        now.set(ref, bytes)
      }
    for (const [ref, bytes] of now) this.models.documents.decode(model.file(ref), bytes)
  }

  private async replay(model: OpenModel, record: JournalStep, files: JournalFile[]): Promise<void> {
    const { undoable, redoable } = model.history
    const from = record.kind === 'undo' ? undoable : redoable
    const top = record.kind === 'edit' || record.foreign ? undefined : from.at(-1)
    // a journal that was begun anew has all earlier steps in one record: an undo of one of them does not undo that record
    const known =
      top &&
      files.length === top.files.size &&
      files.every(({ ref, patch }) => leadsLike(patch, top.files.get(ref)?.patch, record.kind === 'undo'))
        ? top
        : undefined
    const changes = files.map(({ ref, patch }): Change => {
      const file = model.file(ref)
      const bytes = applyPatch(file.bytes, patch, ref)
      const part = known?.files.get(ref)
      return {
        file,
        patch,
        bytes,
        document: this.models.documents.decode(file, bytes),
        state: (record.kind === 'undo' ? part?.before : part?.after) ?? this.models.documents.nextState(),
      }
    })
    const before = changes.map(({ file }) => file.state)
    const foreign = record.foreign === true
    await this.steps.commit(model, changes, {
      kind: record.kind,
      label: record.label,
      id: record.id,
      merge: record.merge,
      replaces: record.replaces,
      foreign: record.foreign,
    })
    if (record.kind === 'edit' || foreign) return
    if (known) from.pop()
    // it led to before steps that the journal has in one (what a save or a shortened journal left of them): those cannot be undone by themselves
    else if (record.kind === 'undo')
      for (let i = undoable.length - 1; i >= 0; i--) if (files.some(({ ref }) => undoable[i].files.has(ref))) undoable.splice(i, 1)
    // a step from before the last save is not in the journal: its way back is
    const step: Step = known ?? {
      id: randomUUID(),
      label: record.label,
      files: new Map(
        changes.map(({ file, patch, state }, i) => [
          file.ref,
          record.kind === 'undo'
            ? { patch: invertPatch(patch), before: state, after: before[i] }
            : { patch, before: before[i], after: state },
        ]),
      ),
    }
    ;(record.kind === 'undo' ? redoable : undoable).push(step)
  }
}

/** Whether a patch does what a step's own does, or takes it back. */
function leadsLike(patch: Patch, own: Patch | undefined, back: boolean): boolean {
  if (!own) return false
  const other = back ? invertPatch(own) : own
  return (
    patch.sizeBefore === other.sizeBefore &&
    patch.sizeAfter === other.sizeAfter &&
    (['offsets', 'removedSizes', 'insertedSizes', 'removed', 'inserted'] as const).every(
      (key) => patch[key].length === other[key].length && patch[key].every((value, i) => value === other[key][i]),
    )
  )
}
