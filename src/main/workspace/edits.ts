/** Edits of open models: documents for writing are given out, what was done to them is read back and becomes one undoable step once it is proven. */
import { FormatError } from '../binary/format-error.ts'
import { baseName } from '../../shared/ref.ts'
import type { EditSession } from '../formats/editing.ts'
import type { Document } from '../formats/format.ts'
import { keepFor, keepNothing } from '../formats/kept.ts'
import { ABSENT, removable } from './absent.ts'
import type { Edited, OpenFile } from './document-store.ts'
import { editSession } from './edit-session.ts'
import type { OpenModel } from './open-model.ts'
import type { OpenModels } from './open-models.ts'
import { diff, invertPatch, isEmpty } from './patch.ts'
import type { Change, CommitRecord, Steps } from './steps.ts'
import { say } from '../../shared/texts/say.ts'

export class Edits {
  private readonly models: OpenModels
  private readonly steps: Steps

  constructor(models: OpenModels, steps: Steps) {
    this.models = models
    this.steps = steps
  }

  /**
   * One undoable step. Resolves once the step is in the journal on disk.
   *
   * With `replaces` it takes the place of the step on top: `body` sees the documents as they were before that one, and
   * the history keeps one step, which undoes both to the same state. The id stays. A step that now changes nothing goes.
   * @returns whether anything changed, against what was there before the call
   * @throws what `body` throws, FormatError read-only, invalid-edit, io: nothing is kept then, and the step that was to
   * be replaced stays as it is; not-found when that one is not on top
   */
  edit(
    id: string,
    label: string,
    body: (session: EditSession) => void,
    options: { gesture?: string; replaces?: string } = {},
  ): Promise<boolean> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      if (options.replaces !== undefined) return this.replace(model, label, body, options.replaces)
      const taken = new Map<string, OpenFile>()
      const others: string[] = []
      try {
        body(this.session(model, taken, others))
        const changes: Change[] = []
        for (const file of taken.values()) {
          const edited = this.models.documents.readBack(file)
          const patch = diff(file.bytes, edited.bytes)
          // the same bytes are as proven as they were
          if (isEmpty(patch)) this.models.documents.renew(file, edited.document)
          else changes.push({ file, patch, ...edited, state: this.models.documents.nextState() })
        }
        if (changes.length === 0) return false
        await this.commit(model, changes, others, { kind: 'edit', label, merge: options.gesture })
        return true
      } catch (error) {
        for (const file of taken.values()) this.models.documents.revert(file)
        throw error
      } finally {
        for (const ref of others) if (!model.touched.has(ref) && !model.shows(ref)) this.models.documents.release(id, ref)
      }
    })
  }

  /**
   * The step on top, done again. What it changed is put back for as long as `body` runs, which is not long enough for
   * anybody to see it: nothing here waits before the new bytes are in place. The journal gets the way from the old
   * result to the new one, so that a crash at any moment recovers one of the two.
   */
  private async replace(model: OpenModel, label: string, body: (session: EditSession) => void, id: string): Promise<boolean> {
    const step = model.history.onTop(id)
    if (!step) throw new FormatError('not-found', say('edits.otherStepsSince'))
    const now = this.steps.stepFiles(model, step, 'after').map(({ file, part }) => ({
      file,
      part,
      bytes: file.bytes,
      document: file.document,
      kept: file.kept,
      state: file.state,
    }))
    const taken = new Map<string, OpenFile>()
    const others: string[] = []
    const results = new Map<OpenFile, Edited>()
    const concerned = this.models.list().filter((m) => now.some(({ file }) => m.shows(file.ref)))
    const fresh = (): void => {
      for (const m of concerned) m.stale()
    }
    try {
      try {
        for (const { file, part } of now) {
          const before = this.models.documents.stateAt(file, part.before, invertPatch(part.patch))
          this.models.documents.setState(file, before.bytes, before.document, part.before, before.kept)
        }
        fresh()
        model.stale(this.asRead(model, taken))
        body(this.session(model, taken, others, true))
        for (const { file } of now) if (!taken.has(file.ref)) results.set(file, { bytes: file.bytes, document: file.document })
        for (const file of taken.values()) results.set(file, this.models.documents.readBack(file))
      } finally {
        const held = new Set(now.map(({ file }) => file))
        for (const file of taken.values()) if (!held.has(file)) this.models.documents.revert(file)
        for (const { file, bytes, document, state, kept } of now) this.models.documents.setState(file, bytes, document, state, kept)
        fresh()
      }
      const changes: Change[] = []
      for (const [file, edited] of results) {
        const patch = diff(file.bytes, edited.bytes)
        if (!isEmpty(patch)) changes.push({ file, patch, ...edited, state: this.models.documents.nextState() })
      }
      if (changes.length === 0) {
        step.label = label
        return false
      }
      await this.commit(model, changes, others, { kind: 'edit', label, replaces: id })
      // behind the answer: who turns a number does the step again and again
      setImmediate(() => {
        for (const { file, part } of now) this.models.documents.readLeft(file, part.before)
      })
      return true
    } finally {
      for (const ref of others) if (!model.touched.has(ref) && !model.shows(ref)) this.models.documents.release(model.id, ref)
    }
  }

  /** @param others files outside of the model that the edit was given: those that it changed are the model's from now on */
  private async commit(model: OpenModel, changes: Change[], others: readonly string[], record: CommitRecord): Promise<void> {
    const coming = changes.map(({ file }) => file).filter(({ ref }) => others.includes(ref) && !model.touched.has(ref))
    for (const file of coming) model.touch(file)
    try {
      await this.steps.commit(model, changes, record)
    } catch (error) {
      for (const file of coming) model.leaveAlone(file)
      throw error
    }
  }

  /** Documents of a model, read again where they were given out: few edits ask for the scene that these make. */
  private asRead(model: OpenModel, taken: ReadonlyMap<string, OpenFile>): (ref: string) => Document | undefined {
    const read = new Map<string, Document>()
    return (ref) => {
      const file = taken.get(ref)
      if (!file || model.isAbsent(ref)) return model.document(ref)
      const document = read.get(ref) ?? this.models.documents.decode(file, file.bytes)
      keepFor(document, file.kept)
      read.set(ref, document)
      return document
    }
  }

  /** @throws FormatError not-found when there is nothing to undo, invalid-edit when another model's edit of a shared file stands above it */
  undo(id: string): Promise<void> {
    return this.models.exclusive(() => this.steps.step(this.models.model(id), 'undo'))
  }

  redo(id: string): Promise<void> {
    return this.models.exclusive(() => this.steps.step(this.models.model(id), 'redo'))
  }

  private session(model: OpenModel, taken: Map<string, OpenFile>, others: string[], sceneLater?: true): EditSession {
    const take = (ref: string, file: OpenFile): OpenFile => {
      if (!model.shows(ref)) others.push(ref)
      taken.set(ref, file)
      keepNothing(file.document)
      return file
    }
    return editSession(model, model, {
      sceneLater,
      take: (ref) => take(ref, model.writable(ref)).document,
      put: (ref, document) => {
        const { files, place } = this.models
        const file = document.format === ABSENT ? removable(model.writable(ref), files, place(ref)) : model.toMake(document)
        take(ref, file).document = document
      },
    })
  }

  /**
   * Bytes for a file that were made elsewhere (`encodeProven`) from those of `state`, as one undoable step.
   * @returns whether anything changed
   * @throws FormatError invalid-edit when the file is not in that state any more, read-only, not-found
   */
  put(id: string, label: string, { ref, state, bytes }: { ref: string; state: number; bytes: Uint8Array }): Promise<boolean> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      const file = model.writable(ref)
      if (file.state !== state) throw new FormatError('invalid-edit', say('edits.changedMeanwhile', { file: baseName(ref) }), { file: ref })
      const stored = this.models.documents.asStored(file, { bytes, document: this.models.documents.decode(file, bytes) })
      const patch = diff(file.bytes, stored.bytes)
      if (isEmpty(patch)) return false
      await this.steps.commit(model, [{ file, patch, ...stored, state: this.models.documents.nextState() }], { kind: 'edit', label })
      return true
    })
  }
}
