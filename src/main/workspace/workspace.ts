/**
 * Open models and everything that changes them. Whoever edits only says what to do: the workspace gives documents for
 * writing, encodes them afterwards, proves the result, keeps the difference as one undoable step and has it in the
 * journal before it answers. A step that fails anywhere leaves everything as it was.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { firstDifference } from '../formats/format.ts'
import { pathAt } from '../binary/structure.ts'
import { isInside } from '../files/store.ts'
import type { FileStat, FileStore } from '../files/store.ts'
import type { Document, ModelBinding, ModelChoices } from '../formats/format.ts'
import type { EditSession } from '../formats/editing.ts'
import { baseName } from '../../shared/ref.ts'
import type { DiskFileState, FileChanges, OriginalInfo, RecoveredModel, SavePlan, SaveResult } from '../../shared/api/types.ts'
import { expectUnprotected } from './atomic.ts'
import { ChangeLinks, changedTogether } from './change-links.ts'
import { fileChanges } from './changes.ts'
import { isGone, troubleOf } from './disk-state.ts'
import type { DiskTroubleOf } from './disk-state.ts'
import { Bases } from './bases.ts'
import type { Base } from './bases.ts'
import { mergeEdits } from './merge.ts'
import type { Merged } from './merge.ts'
import { DocumentStore } from './document-store.ts'
import type { OpenFile } from './document-store.ts'
import type { FileStep, Step } from './history.ts'
import { JournalFolder } from './journal.ts'
import type { Journal, JournalMark } from './journal.ts'
import type { JournalFile, JournalHeader, JournalRecord, JournalStep } from './journal-format.ts'
import { planReplay, Recovery, StateHashes } from './recovery.ts'
import type { ReplayPlan } from './recovery.ts'
import { OpenModel } from './open-model.ts'
import type { OpenModelOptions } from './open-model.ts'
import { StateFiles } from './state-files.ts'
import { firstOf, Originals, sha256 } from './originals.ts'
import { applyPatch, changedBytes, diff, invertPatch, isEmpty } from './patch.ts'
import type { Patch } from './patch.ts'
import { restorePart } from './restore-part.ts'
import type { FilePart } from './restore-part.ts'
import { checkUnchanged, expectWritable, modCopyOf, saveTarget, sourceFor, writeTarget } from './save.ts'
import type { SaveLeave, SavePlace, SaveTarget } from './save.ts'

export interface WorkspaceOptions {
  files: FileStore
  /** journals and originals stand here */
  stateFolder: string
  /** the same folder, where others look after it, too */
  state?: StateFiles
  /** how and where a file of a library is saved; in place when absent */
  place?(ref: string): SavePlace
  /** a model was changed by an edit in another one, or by a restore */
  onModelChanged?(model: OpenModel): void
  /** a journal larger than this is written anew, bytes */
  journalLimit?: number
  /** why a file is not to be edited, '' where nothing is against it */
  readOnly?(ref: string): string
}

/** One file's way from one state to the next. */
interface Change {
  file: OpenFile
  patch: Patch
  bytes: Uint8Array
  document: Document
  state: number
}

type CommitRecord = Pick<JournalStep, 'kind' | 'label' | 'id' | 'merge' | 'replaces' | 'foreign'>

export class Workspace {
  readonly files: FileStore
  readonly originals: Originals
  readonly bases: Bases
  private readonly links: ChangeLinks
  private readonly documents: DocumentStore
  private readonly journals: JournalFolder
  private readonly recovery: Recovery
  private readonly hashes = new StateHashes()
  private readonly models = new Map<string, OpenModel>()
  private readonly place: (ref: string) => SavePlace
  private readonly onModelChanged: (model: OpenModel) => void
  private readonly journalLimit: number
  /** hashes of the game's files under a mod, as they were last seen */
  private readonly seen = new Map<string, { size: number; mtimeMs: number; hash: string }>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: WorkspaceOptions) {
    this.files = options.files
    this.place = options.place ?? (() => ({ mode: 'in-place', root: '', folder: '' }))
    this.onModelChanged = options.onModelChanged ?? (() => {})
    this.journalLimit = options.journalLimit ?? 64 * 2 ** 20
    this.documents = new DocumentStore(this.files, (ref) => sourceFor(this.files, ref, this.place(ref)), options.readOnly)
    const state = options.state ?? new StateFiles(options.stateFolder)
    this.journals = new JournalFolder(state)
    this.recovery = new Recovery(this.journals, this.files, this.place)
    this.originals = new Originals(state)
    this.bases = new Bases(state)
    this.links = new ChangeLinks(state)
  }

  // --- models ---------------------------------------------------------------------------------------------------

  list(): OpenModel[] {
    return [...this.models.values()]
  }

  /** @throws FormatError not-found */
  model(id: string): OpenModel {
    const model = this.models.get(id)
    if (!model) throw new FormatError('not-found', 'this model is not open')
    return model
  }

  /** Opens a model; one with the same primary file that is open already is given as it is. */
  open(options: OpenModelOptions): OpenModel {
    const open = this.list().find((m) => m.binding.primary === options.binding.primary && m.family === options.family)
    if (open) return open
    const model = new OpenModel(this.documents, options)
    try {
      void model.assembled
    } catch (error) {
      this.documents.release(model.id)
      throw error
    }
    this.models.set(model.id, model)
    this.tell()
    return model
  }

  /** With unsaved edits and without `discard` the journal stays, and recovery offers them. */
  close(id: string, options: { discard?: boolean } = {}): Promise<void> {
    return this.exclusive(async () => {
      const model = this.model(id)
      const keep = model.dirty && !options.discard
      this.models.delete(id)
      // what another open model still shows lives on in that model's journal
      for (const ref of model.allRefs()) {
        const file = this.documents.get(ref)
        if (file?.dirty) for (const other of this.list()) if (other.shows(ref)) await this.adopt(other, file)
      }
      this.documents.release(id)
      if (keep) await model.journal?.close()
      else await model.journal?.remove()
      this.tell()
    })
  }

  /**
   * Sees which models other Marrows on this state folder have open. Each run writes journals of its own, so nothing is
   * lost; the one that saves second is told that the file changed on disk, and this tells it before.
   * @returns models of which that is no longer what it was
   */
  async lookElsewhere(): Promise<OpenModel[]> {
    const others = await this.journals.elsewhere()
    const edited = new Set(others.flatMap((other) => other.edited))
    return this.list().filter((model) => {
      const own = model.allRefs().filter((ref) => edited.has(ref))
      const now = own.length > 0 || others.some((other) => other.primary === model.binding.primary) ? { edited: own } : undefined
      const before = model.elsewhere
      model.elsewhere = now
      return before?.edited.join('\n') !== now?.edited.join('\n')
    })
  }

  private tell(): void {
    this.journals.tell(
      this.list().map((model) => ({
        primary: model.binding.primary,
        edited: model.allRefs().filter((ref) => this.documents.get(ref)?.dirty),
      })),
    )
  }

  /** Journals of unsaved edits stay for recovery. */
  async closeAll(): Promise<void> {
    await this.exclusive(async () => {
      for (const model of this.models.values()) {
        this.documents.release(model.id)
        await model.journal?.close()
      }
      this.models.clear()
      await this.journals.close()
    })
  }

  choose(id: string, choices: ModelChoices): OpenModel {
    const model = this.model(id)
    model.choices = choices
    model.stale()
    return model
  }

  rebind(id: string, binding: ModelBinding): OpenModel {
    const model = this.model(id)
    model.binding = binding
    model.stale()
    return model
  }

  // --- edits ----------------------------------------------------------------------------------------------------

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
    options: { merge?: string; replaces?: string } = {},
  ): Promise<boolean> {
    return this.exclusive(async () => {
      const model = this.model(id)
      if (options.replaces !== undefined) return this.replace(model, label, body, options.replaces)
      const taken = new Map<string, OpenFile>()
      const others: string[] = []
      try {
        body(this.session(model, taken, others))
        const changes: Change[] = []
        for (const file of taken.values()) {
          const { bytes, document } = this.documents.prove(file)
          const patch = diff(file.bytes, bytes)
          if (isEmpty(patch)) file.document = document
          else changes.push({ file, patch, bytes, document, state: this.documents.nextState() })
        }
        if (changes.length === 0) return false
        for (const ref of others) if (changes.some((c) => c.file.ref === ref)) model.touched.add(ref)
        await this.commit(model, changes, { kind: 'edit', label, merge: options.merge })
        return true
      } catch (error) {
        for (const file of taken.values()) this.documents.revert(file)
        throw error
      } finally {
        for (const ref of others) if (!model.touched.has(ref) && !model.shows(ref)) this.documents.release(id, ref)
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
    if (!step) throw new FormatError('not-found', 'other steps were made since: this one cannot be changed any more')
    const now = this.stepFiles(model, step, 'after').map(({ file, part }) => ({
      file,
      part,
      bytes: file.bytes,
      document: file.document,
      state: file.state,
    }))
    const taken = new Map<string, OpenFile>()
    const others: string[] = []
    const results = new Map<OpenFile, { bytes: Uint8Array; document: Document }>()
    const concerned = this.list().filter((m) => now.some(({ file }) => m.shows(file.ref)))
    const fresh = (): void => {
      for (const m of concerned) m.stale()
    }
    try {
      try {
        for (const { file, part, bytes } of now) {
          const before = applyPatch(bytes, invertPatch(part.patch), file.ref)
          this.documents.setState(file, before, this.documents.decode(file, before), part.before)
        }
        fresh()
        body(this.session(model, taken, others))
        for (const { file } of now) if (!taken.has(file.ref)) results.set(file, { bytes: file.bytes, document: file.document })
        for (const file of taken.values()) results.set(file, this.documents.prove(file))
      } finally {
        const held = new Set(now.map(({ file }) => file))
        for (const file of taken.values()) if (!held.has(file)) this.documents.revert(file)
        for (const { file, bytes, document, state } of now) this.documents.setState(file, bytes, document, state)
        fresh()
      }
      const changes: Change[] = []
      for (const [file, { bytes, document }] of results) {
        const patch = diff(file.bytes, bytes)
        if (!isEmpty(patch)) changes.push({ file, patch, bytes, document, state: this.documents.nextState() })
      }
      if (changes.length === 0) {
        step.label = label
        return false
      }
      for (const ref of others) if (changes.some((c) => c.file.ref === ref)) model.touched.add(ref)
      await this.commit(model, changes, { kind: 'edit', label, replaces: id })
      return true
    } finally {
      for (const ref of others) if (!model.touched.has(ref) && !model.shows(ref)) this.documents.release(model.id, ref)
    }
  }

  /** @throws FormatError not-found when there is nothing to undo, invalid-edit when another model's edit of a shared file stands above it */
  undo(id: string): Promise<void> {
    return this.exclusive(() => this.step(this.model(id), 'undo'))
  }

  redo(id: string): Promise<void> {
    return this.exclusive(() => this.step(this.model(id), 'redo'))
  }

  private session(model: OpenModel, taken: Map<string, OpenFile>, others: string[]): EditSession {
    const take = (ref: string): Document => {
      const file = model.writable(ref)
      taken.set(ref, file)
      return file.document
    }
    return {
      binding: model.binding,
      assembled: model.assembled,
      document: (ref) => model.document(ref),
      edit: <D extends Document>(ref: string) => {
        return take(model.member(ref)) as D
      },
      editOther: <D extends Document>(ref: string) => {
        if (!model.shows(ref)) others.push(ref)
        return take(ref) as D
      },
      needing: (key) => model.around.needing(key, model.binding.primary).map((file) => file.ref),
      providing: (key) => model.around.providing(key, model.binding.primary).map((file) => file.ref),
    }
  }

  private async step(model: OpenModel, kind: 'undo' | 'redo'): Promise<void> {
    const { undoable, redoable } = model.history
    const from = kind === 'undo' ? undoable : redoable
    const to = kind === 'undo' ? redoable : undoable
    const step = from.at(-1)
    if (!step) throw new FormatError('not-found', `there is nothing to ${kind}`)
    const changes = this.stepFiles(model, step, kind === 'undo' ? 'after' : 'before').map(({ file, part }): Change => {
      const patch = kind === 'undo' ? invertPatch(part.patch) : part.patch
      const bytes = applyPatch(file.bytes, patch, file.ref)
      return { file, patch, bytes, document: this.documents.decode(file, bytes), state: kind === 'undo' ? part.before : part.after }
    })
    await this.commit(model, changes, { kind, label: step.label })
    from.pop()
    to.push(step)
  }

  /** The files of a step, which all must be in the state on this side of it. */
  private stepFiles(model: OpenModel, step: Step, side: 'before' | 'after'): { file: OpenFile; part: FileStep }[] {
    return [...step.files].map(([ref, part]) => {
      const file = model.file(ref)
      if (file.state !== part[side])
        throw new FormatError('invalid-edit', `${baseName(ref)} was changed since by another model: undo that first`, { file: ref })
      return { file, part }
    })
  }

  /** Applies changes, assembles, writes the journals; on a failure everything is as before. */
  private async commit(model: OpenModel, changes: Change[], given: CommitRecord): Promise<void> {
    const record = given.kind === 'edit' ? { ...given, id: given.id ?? randomUUID() } : given
    const before = changes.map(({ file }) => ({ file, bytes: file.bytes, state: file.state }))
    const concerned = this.list().filter((m) => changes.some(({ file }) => m.shows(file.ref)))
    const marks = new Map<Journal, JournalMark>()
    try {
      for (const { file, bytes, document, state } of changes) this.documents.setState(file, bytes, document, state)
      for (const m of concerned) m.stale()
      void model.assembled
      await Promise.all(
        concerned.map(async (m) => {
          const journal = (m.journal ??= await this.journals.create(header(m)))
          marks.set(journal, journal.mark())
          const files = changes
            .map((change, i) => ({ ...change, base: before[i].bytes }))
            .filter(({ file }) => m.shows(file.ref))
            .map(({ file, patch, bytes, base }): JournalFile => this.journalFile(journal, file, base, patch, bytes))
          await journal.append({ ...record, foreign: m === model ? record.foreign : true, at: Date.now(), files })
        }),
      )
    } catch (error) {
      // a step that is refused must be in no journal
      for (const [journal, mark] of marks) await journal.rewind(mark)
      for (const { file, bytes, state } of before) this.documents.setState(file, bytes, this.documents.decode(file, bytes), state)
      for (const m of concerned) m.stale()
      throw error
    }
    if (record.kind === 'edit' && !record.foreign) this.remember(model, changes, before, { ...record, id: record.id! })
    for (const m of concerned) {
      // a recovery's journal does not count until it is whole: nothing that does may take its place before
      if (m.journal?.published && (m.journal.size > this.journalLimit + 2 * m.journal.startSize || (await m.journal.isGone())))
        await this.shorten(m)
      if (m !== model) this.onModelChanged(m)
    }
    this.tell()
  }

  /**
   * A journal that has grown large (hours of painting) begins again with the way from the disk to here: a recovery
   * then brings the bytes back, without the single steps. The old one counts until the new one is whole.
   */
  private async shorten(model: OpenModel): Promise<void> {
    const old = model.journal!
    const files = this.openFiles(model)
      .filter((file) => file.dirty && old.known.has(file.ref))
      .map((file): JournalFile => ({
        ref: file.ref,
        ...this.fromDisk(file, file.bytes),
      }))
    // nothing is lost when this fails: the old journal goes on
    const next = await this.journals.create({ ...header(model), replaces: basename(old.path) }, true).catch(() => undefined)
    if (!next) return
    try {
      if (files.length > 0) await next.append({ kind: 'edit', label: 'Earlier edits', at: Date.now(), files })
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
  private journalFile(journal: Journal, file: OpenFile, before: Uint8Array, patch: Patch, after: Uint8Array): JournalFile {
    if (journal.known.has(file.ref)) return { ref: file.ref, before: this.hashes.of(before), after: this.hashes.of(after), patch }
    return { ref: file.ref, ...this.fromDisk(file, after, firstDifference(file.saved.bytes, before) < 0 ? patch : undefined) }
  }

  /** The way from what is on disk to a state, as a journal begins with it. */
  private fromDisk({ saved }: OpenFile, after: Uint8Array, patch = diff(saved.bytes, after)): Omit<JournalFile, 'ref'> {
    return {
      base: { hash: sha256(saved.bytes), size: saved.bytes.length },
      before: this.hashes.of(saved.bytes),
      after: this.hashes.of(after),
      patch,
    }
  }

  /** A file came to this model with unsaved edits of another one: its journal takes them over. */
  private async adopt(model: OpenModel, file: OpenFile): Promise<void> {
    if (model.journal?.known.has(file.ref)) return
    model.journal ??= await this.journals.create(header(model))
    await model.journal.append({
      kind: 'edit',
      label: 'Changed in another model',
      foreign: true,
      at: Date.now(),
      files: [{ ref: file.ref, ...this.fromDisk(file, file.bytes) }],
    })
  }

  private remember(
    model: OpenModel,
    changes: Change[],
    before: { file: OpenFile; bytes: Uint8Array; state: number }[],
    { id, label, merge, replaces }: CommitRecord & { id: string },
  ): void {
    // after a recovery the step that was replaced may be part of an earlier save: then this is one of its own
    const top = replaces === undefined ? model.history.mergesInto(merge) : model.history.onTop(replaces)
    const fits = top && changes.every(({ file }, i) => !top.files.has(file.ref) || top.files.get(file.ref)!.after === before[i].state)
    if (!top || !fits) {
      const files: Step['files'] = new Map()
      changes.forEach(({ file, patch, state }, i) => files.set(file.ref, { patch, before: before[i].state, after: state }))
      model.history.push({ id, label, merge, files })
      return
    }
    if (replaces !== undefined) {
      top.label = label
      top.merge = undefined
      model.history.redoable.length = 0
    }
    changes.forEach(({ file, patch, bytes, state }, i) => {
      const old = top.files.get(file.ref)
      if (!old) {
        top.files.set(file.ref, { patch, before: before[i].state, after: state })
        return
      }
      const start = applyPatch(before[i].bytes, invertPatch(old.patch))
      top.files.set(file.ref, { patch: diff(start, bytes), before: old.before, after: state })
    })
    // a file that is as it was before the step is no part of it; a drag that ended where it began is no step
    for (const [ref, part] of top.files) {
      if (!isEmpty(part.patch)) continue
      const file = this.documents.get(ref)
      if (file) file.state = part.before
      top.files.delete(ref)
    }
    if (top.files.size === 0) model.history.undoable.pop()
  }

  // --- changes and saving -----------------------------------------------------------------------------------------

  /** Files of the model that differ from their originals. */
  async changes(id: string, { ref, within }: { ref?: string; within?: string } = {}): Promise<FileChanges[]> {
    const model = this.model(id)
    const all: FileChanges[] = []
    for (const file of this.changeFiles(model)) {
      if (ref !== undefined && file.ref !== ref) continue
      const found = fileChanges(file.ref, file.format, await this.originalBytes(file), file, { within })
      if (found.changes.length > 0 || found.omitted > 0) all.push(found)
    }
    return all
  }

  /** The bytes of a file, or of its original: the one that was kept, the game's own under a mod folder, else what is on disk. */
  async bytes(id: string, ref: string, original = false): Promise<Uint8Array> {
    const file = this.model(id).file(ref)
    return original ? this.originalBytes(file) : file.bytes
  }

  /** @throws FormatError io where an original was kept and is damaged: nothing else is taken for it */
  async originalBytes(file: OpenFile): Promise<Uint8Array> {
    const kept = file.source === file.ref ? await this.originals.pathOf(file.saved.disk) : undefined
    try {
      if (file.source !== file.ref) return this.files.read(file.ref)
      const { disk } = file.saved
      if (kept) return this.files.read(kept + (file.ref.startsWith(disk) ? file.ref.slice(disk.length) : ''))
    } catch {
      // an original that cannot be read (a companion is not beside it) is no reason to show nothing
    }
    return file.saved.bytes
  }

  /**
   * Bytes for a file that were made elsewhere (`encodeProven`) from those of `state`, as one undoable step.
   * @returns whether anything changed
   * @throws FormatError invalid-edit when the file is not in that state any more, read-only, not-found
   */
  put(id: string, label: string, { ref, state, bytes }: { ref: string; state: number; bytes: Uint8Array }): Promise<boolean> {
    return this.exclusive(async () => {
      const model = this.model(id)
      const file = model.writable(ref)
      if (file.state !== state) throw new FormatError('invalid-edit', `${baseName(ref)} was changed meanwhile: try again`, { file: ref })
      const stored = this.documents.asStored(file, { bytes, document: this.documents.decode(file, bytes) })
      const patch = diff(file.bytes, stored.bytes)
      if (isEmpty(patch)) return false
      await this.commit(model, [{ file, patch, ...stored, state: this.documents.nextState() }], { kind: 'edit', label })
      return true
    })
  }

  /**
   * A part of a file as in its original, as one undoable step; the file on disk stays until it is saved.
   * @returns whether anything changed
   * @throws FormatError invalid-edit when the part cannot be put back by itself, read-only, invalid-argument
   */
  restorePart(id: string, ref: string, part: FilePart): Promise<boolean> {
    return this.exclusive(async () => {
      const model = this.model(id)
      const file = model.writable(ref)
      const restored = restorePart(file.format, ref, await this.originalBytes(file), file, part)
      const stored = this.documents.asStored(file, { bytes: restored, document: this.documents.decode(file, restored) })
      const patch = diff(file.bytes, stored.bytes)
      if (isEmpty(patch)) return false
      const change: Change = { file, patch, ...stored, state: this.documents.nextState() }
      const what = part.kind === 'file' ? baseName(ref) : part.kind === 'node' ? part.path : fileChangePath(file, part.newStart)
      await this.commit(model, [change], { kind: 'edit', label: `Restore ${what}` })
      return true
    })
  }

  async plan(id: string): Promise<SavePlan> {
    const model = this.model(id)
    const place = this.place(model.binding.primary)
    const files: SavePlan['files'] = []
    for (const file of this.changeFiles(model).filter((f) => f.dirty)) {
      const row: SavePlan['files'][number] = {
        ref: file.ref,
        target: '',
        changedBytes: changedBytes(diff(file.saved.bytes, file.bytes, 0)),
        size: file.saved.bytes.length,
        newSize: file.bytes.length,
        keepsOriginal: false,
      }
      try {
        const target = saveTarget(this.files, file, this.place(file.ref))
        row.target = target.disk
        row.keepsOriginal = existsSync(target.disk) && (await this.originals.entry(target.disk)) === undefined
        checkUnchanged(this.files, file, target, model.library)
        await expectWritable(target.disk)
      } catch (error) {
        const { code, message } = toErrorData(error, file.ref)
        row.problem = message
        row.code = code
      }
      files.push(row)
    }
    return { files, mode: place.mode, folder: place.mode === 'mod-folder' ? place.folder : '' }
  }

  /**
   * Writes the files of the model that have unsaved edits, and those that were changed together with them. One that fails
   * does not keep the others from being written.
   * With leave to write over or again, files that are gone are written also when they were not edited.
   */
  save(id: string, leave: SaveLeave = {}): Promise<SaveResult> {
    return this.exclusive(async () => {
      const model = this.model(id)
      model.history.seal()
      const result: SaveResult = { saved: [], failed: [] }
      const groups = new Map<string, { file: OpenFile; target: SaveTarget; place: SavePlace }[]>()
      const fail = (file: OpenFile, error: unknown): void => {
        const { code, message } = toErrorData(error, file.ref)
        result.failed.push({ ref: file.ref, code, message })
      }
      for (const file of this.changeFiles(model).filter(
        (f) => f.dirty || ((leave.overwriteChanged || leave.writeAgain) && isGone(this.troubleOf(f))),
      )) {
        try {
          const place = this.place(file.ref)
          const target = saveTarget(this.files, file, place)
          const group = groups.get(target.disk)
          if (group) group.push({ file, target, place })
          else groups.set(target.disk, [{ file, target, place }])
        } catch (error) {
          fail(file, error)
        }
      }
      const all = [...groups.values()].flat()
      await this.journalDisk(all.map(({ file }) => ({ ref: file.ref, hash: sha256(file.bytes) })))
      for (const items of groups.values()) {
        try {
          const counts = items.map(({ file }) => changedBytes(diff(file.saved.bytes, file.bytes, 0)))
          const { mode, folder } = items[0].place
          const fresh = !existsSync(items[0].target.disk)
          await writeTarget(this.files, this.originals, items, {
            ...leave,
            root: mode === 'mod-folder' ? folder : '',
            library: model.library,
          })
          for (const { file, target } of items) await this.noteBase(file, target, fresh)
          items.forEach(({ file, target }, i) => {
            this.documents.markSaved(file, target.ref)
            result.saved.push({ ref: file.ref, target: target.disk, bytes: file.bytes.length, changedBytes: counts[i] })
          })
          this.restamp(items[0].target.disk)
        } catch (error) {
          for (const { file } of items) fail(file, error)
        }
      }
      for (const group of this.stepGroups())
        if (group.some((ref) => result.saved.some((saved) => saved.ref === ref))) await this.links.add(group)
      await this.dropCleanJournals()
      return result
    })
  }

  /** Files of a model, and whatever one edit changed together with one of them, in this run or an earlier one. */
  changeRefs(model: OpenModel): string[] {
    return changedTogether(model.allRefs(), [...this.stepGroups(), ...this.links.groups()])
  }

  private stepGroups(): string[][] {
    const steps = this.list().flatMap((model) => model.history.undoable)
    return steps.filter((step) => step.files.size > 1).map((step) => [...step.files.keys()])
  }

  private changeFiles(model: OpenModel): OpenFile[] {
    return this.changeRefs(model).flatMap((ref) => model.entry(ref).file ?? [])
  }

  /** Originals of the model's files, or all that were ever kept. */
  async keptOriginals(id?: string): Promise<OriginalInfo[]> {
    const entries = (await this.originals.list()).filter((entry) => firstOf(entry) !== undefined)
    const info = (ref: string, target: string): OriginalInfo[] => {
      const first = firstOf(entries.find((entry) => entry.target === target))
      return first ? [{ ref, target, hash: first.hash, size: first.size, keptAt: first.keptAt }] : []
    }
    if (id === undefined) return entries.flatMap((entry) => info(entry.target, entry.target))
    return this.openFiles(this.model(id)).flatMap((file) => info(file.ref, file.saved.disk))
  }

  /**
   * Brings the original of a file (for a member: of its archive) back, on disk and in every open model. In the models
   * that is a step that can be undone.
   */
  restore(id: string, ref: string, options: { replaceReadOnly?: boolean } = {}): Promise<void> {
    return this.exclusive(async () => {
      const model = this.model(id)
      const file = model.file(ref)
      const disk = file.saved.disk
      const entry = await this.originals.entry(disk)
      if (!entry) throw new FormatError('not-found', 'no original of this file was kept', { file: ref })
      if (!options.replaceReadOnly) await expectUnprotected(disk)
      const kept = await this.originals.pathOf(disk)
      const files = this.documents.files().filter((f) => f.saved.disk === disk)
      const wanted = new Map<OpenFile, Uint8Array>()
      for (const f of files) {
        const rest = f.source.startsWith(disk) ? f.source.slice(disk.length) : ''
        wanted.set(f, this.files.read(kept ? kept + rest : f.ref))
      }
      // the files of the model are one step; files that only other models show are brought along in theirs
      for (const m of [model, ...this.list().filter((other) => other !== model)]) {
        const changes: Change[] = []
        for (const [f, bytes] of wanted) {
          if (!m.shows(f.ref)) continue
          const patch = diff(f.bytes, bytes)
          if (!isEmpty(patch))
            changes.push({ file: f, patch, bytes, document: this.documents.decode(f, bytes), state: this.documents.nextState() })
        }
        if (changes.length > 0) await this.commit(m, changes, { kind: 'edit', label: `Restore ${baseName(disk)}` })
      }
      await this.journalDisk([...wanted].map(([f, bytes]) => ({ ref: f.ref, hash: sha256(bytes) })))
      this.files.invalidate(disk)
      await this.originals.restore(disk, options)
      this.files.invalidate(disk)
      for (const f of wanted.keys()) this.documents.markSaved(f, existsSync(disk) ? f.source : f.ref)
      await this.dropCleanJournals()
    })
  }

  // --- the game under a mod ---------------------------------------------------------------------------------------

  /** A file of the mod is made from the game's of its first save, or of the update that its edits were moved onto. */
  private async noteBase(file: OpenFile, target: SaveTarget, fresh: boolean): Promise<void> {
    if (target.ref === file.ref) return
    const { rebased } = file
    const moved = rebased && this.list().some((model) => model.history.undoable.includes(rebased.step))
    if (!moved && !fresh && this.bases.of(target.ref)) return
    file.rebased = undefined
    await this.bases.put(target.ref, file.ref, moved ? rebased.game : this.files.read(file.ref))
  }

  /** Files of the mod folder whose game file is not the one that they were made from. Read again only when size or time differ. */
  gameUpdates(root: string): { base: Base; sizeNow: number }[] {
    const found: { base: Base; sizeNow: number }[] = []
    for (const base of this.bases.list()) {
      if (!isInside(root, base.ref)) continue
      try {
        const place = this.place(base.ref)
        if (place.mode !== 'mod-folder' || modCopyOf(this.files, base.ref, place).ref !== base.target || !this.files.exists(base.target))
          continue
        const { size, mtimeMs } = this.files.stat(base.ref)
        let seen = this.seen.get(base.ref)
        if (seen?.size !== size || seen.mtimeMs !== mtimeMs)
          this.seen.set(base.ref, (seen = { size, mtimeMs, hash: sha256(this.files.read(base.ref)) }))
        if (seen.hash !== base.hash) found.push({ base, sizeNow: size })
      } catch {
        if (existsSync(root)) found.push({ base, sizeNow: -1 })
      }
    }
    return found
  }

  /** The mod's files stay, and count as made from the game's as they are now. */
  async keepMod(root: string, refs: readonly string[]): Promise<void> {
    for (const { base } of this.gameUpdates(root))
      if (refs.includes(base.ref) && this.files.exists(base.ref)) await this.bases.put(base.target, base.ref, this.files.read(base.ref))
  }

  /** @throws FormatError not-found for a file that was not updated */
  compareGame(id: string, ref: string): Merged {
    const file = this.model(id).file(ref)
    const base = this.bases.of(file.source)
    if (!base || file.source === ref) throw new FormatError('not-found', 'there is no update of the game for this file', { file: ref })
    return mergeEdits(file.format, ref, this.bases.bytes(base), this.files.read(ref), file.bytes)
  }

  /**
   * The mod's edits on the game's file of now, as one undoable step; once it is saved, that is what the file is made from.
   * @throws FormatError invalid-edit where both changed a place and `conflicts` does not say that the game's counts
   */
  rebase(id: string, ref: string, conflicts?: 'game'): Promise<void> {
    return this.exclusive(async () => {
      const model = this.model(id)
      const merged = this.compareGame(id, ref)
      const file = model.writable(ref)
      if (merged.conflicts.length > 0 && conflicts !== 'game')
        throw new FormatError(
          'invalid-edit',
          `the update changed ${merged.conflicts[0].path}${merged.conflicts.length > 1 ? ` and ${merged.conflicts.length - 1} more places` : ''}, as this mod did`,
          { file: ref, path: merged.conflicts[0].path },
        )
      const stored = this.documents.asStored(file, merged)
      const patch = diff(file.bytes, stored.bytes)
      const game = this.files.read(ref)
      if (isEmpty(patch)) {
        // all of the update is in the mod already
        await this.bases.put(file.source, ref, game)
        return
      }
      await this.commit(model, [{ file, patch, ...stored, state: this.documents.nextState() }], {
        kind: 'edit',
        label: `Move edits onto the updated ${baseName(ref)}`,
      })
      file.rebased = { step: model.history.undoable.at(-1)!, game }
    })
  }

  // --- the disk ---------------------------------------------------------------------------------------------------

  /** What became of the files of open models on disk, told once per change. Cheap while size and time hold. */
  changedOnDisk(): (DiskFileState & { model: OpenModel })[] {
    const found: (DiskFileState & { model: OpenModel })[] = []
    for (const file of this.documents.files()) {
      const { told, saved } = file
      let version = ''
      let stat: FileStat | undefined
      try {
        stat = this.files.stat(file.source)
        version = `${stat.size} ${stat.mtimeMs}`
      } catch (error) {
        version = toErrorData(error, file.ref).code
      }
      // a file that could not be read may be readable without being another one
      if (version === (told?.version ?? `${saved.size} ${saved.mtimeMs}`) && told?.trouble !== 'unreadable') continue
      const trouble = this.troubleOf(file)
      file.told = { version, trouble: trouble?.state }
      if (!trouble && stat) file.saved = { ...saved, size: stat.size, mtimeMs: stat.mtimeMs }
      if (trouble?.state === told?.trouble && trouble?.state !== 'changed-on-disk') continue
      for (const model of this.models.values()) if (model.shows(file.ref)) found.push({ model, ...stateOf(file, trouble) })
    }
    return found
  }

  /** Every file of a model that the disk does not have as it was read. */
  diskStates(id: string): DiskFileState[] {
    return this.openFiles(this.model(id)).flatMap((file) => {
      const trouble = this.troubleOf(file)
      return trouble ? [stateOf(file, trouble)] : []
    })
  }

  private troubleOf(file: OpenFile): DiskTroubleOf | undefined {
    const root = this.list().find((model) => model.library !== '' && model.shows(file.ref))?.library
    return troubleOf(this.files, file, file.source, root)
  }

  /**
   * Reads the files of a model again; its edits are dropped. Files that are not there, or cannot be read, are not taken out
   * of the model without the user's word: `keep` leaves them as they are open, with their edits, `drop` goes on without them.
   * @throws FormatError deleted, moved, unreadable where `missing` does not say: nothing is read again then
   */
  reload(id: string, { missing }: { missing?: 'keep' | 'drop' } = {}): Promise<OpenModel> {
    return this.exclusive(async () => {
      const model = this.model(id)
      const lost = new Set<string>()
      for (const file of this.openFiles(model)) {
        const trouble = this.troubleOf(file)
        if (!trouble || trouble.state === 'changed-on-disk') continue
        if (!missing) throw trouble.error
        if (missing === 'keep') lost.add(file.ref)
      }
      for (const ref of model.allRefs()) {
        if (lost.has(ref)) continue
        this.files.invalidate(this.documents.get(ref)?.source ?? ref)
        this.documents.reload(ref)
      }
      model.history.clear()
      for (const m of this.list()) if (m === model || model.allRefs().some((ref) => m.shows(ref))) m.stale()
      // what is kept is told without the steps of files that were read again
      if (lost.size > 0 && model.journal && model.dirty) await this.shorten(model)
      await this.dropCleanJournals()
      return model
    })
  }

  /** What stands on disk now against the open files, for files that are no longer what was read. */
  async compareDisk(id: string): Promise<FileChanges[]> {
    const found: FileChanges[] = []
    for (const file of this.openFiles(this.model(id))) {
      let now: Uint8Array
      try {
        now = this.files.read(file.source)
      } catch {
        // a file that is gone has nothing to be compared
        continue
      }
      if (firstDifference(now, file.saved.bytes) >= 0) found.push(fileChanges(file.ref, file.format, now, file))
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    return found
  }

  /**
   * The open files stay as they are and the disk is what they are edits of: saving writes over what somebody else wrote,
   * whose bytes are kept as an original then.
   */
  keepMine(id: string): Promise<OpenModel> {
    return this.exclusive(async () => {
      const model = this.model(id)
      for (const file of this.openFiles(model)) {
        // a file that is gone has nothing that could be written over: saving writes it again when the user says so
        if (this.troubleOf(file)?.state !== 'changed-on-disk') continue
        const stat = this.files.stat(file.source)
        const bytes = this.files.read(file.source)
        file.told = undefined
        file.saved = { bytes, state: this.documents.nextState(), disk: stat.disk, size: stat.size, mtimeMs: stat.mtimeMs }
        this.documents.setState(file, file.bytes, file.document, file.state)
        // journals tell the way from the disk as it is now
        for (const m of this.list()) {
          if (!m.shows(file.ref)) continue
          if (m.journal?.known.has(file.ref)) await this.shorten(m)
          else if (file.dirty) await this.adopt(m, file)
          m.stale()
          if (m !== model) this.onModelChanged(m)
        }
      }
      await this.dropCleanJournals()
      return model
    })
  }

  /** Other members of an archive that was written have its new time, too. */
  private restamp(disk: string): void {
    for (const file of this.documents.files()) {
      if (file.saved.disk !== disk) continue
      try {
        const { size, mtimeMs } = this.files.stat(file.source)
        file.saved = { ...file.saved, size, mtimeMs }
        if (file.told?.trouble === undefined) file.told = undefined
      } catch {
        // told by changedOnDisk
      }
    }
  }

  // --- journals ---------------------------------------------------------------------------------------------------

  /** Unsaved edits that earlier runs left behind. */
  recoverable(): Promise<RecoveredModel[]> {
    return this.recovery.list()
  }

  async recoveryHeader(id: string): Promise<JournalHeader> {
    return (await this.recovery.find(id)).header
  }

  /**
   * Replays an earlier run's journal on a model that was opened for it. The journal stays when it does not fit.
   * @throws FormatError changed-on-disk when a file is neither what the journal began with nor what it was saved as
   */
  recover(id: string, model: OpenModel): Promise<void> {
    return this.exclusive(async () => {
      const journal = await this.recovery.find(id)
      const plan = planReplay(journal, (ref) => sha256(this.recovering(model, ref).bytes))
      if (plan.misfits.length > 0)
        throw new FormatError('changed-on-disk', 'the file is not the one that these edits were made in; they are kept until it is back', {
          file: plan.misfits[0],
        })
      if (plan.steps.length === 0 && journal.damage)
        throw new FormatError('bad-value', 'nothing that is whole in this journal can be put onto the files as they are', {
          file: journal.path,
        })
      this.rehearse(plan, model)
      // the old journal counts until the new one is complete: a recovery can be cut off like anything else
      const fresh = model.journal === undefined
      model.journal ??= await this.journals.create({ ...header(model), replaces: basename(journal.path) }, true)
      try {
        for (const { record, files } of plan.steps) await this.replay(model, record, files)
        await model.journal.publish()
      } catch (error) {
        if (fresh) {
          await model.journal.remove()
          model.journal = undefined
        }
        throw error
      }
      await this.recovery.done(journal)
      await this.dropCleanJournals()
    })
  }

  /** The user does not want the edits. */
  discardRecovery(id: string): Promise<void> {
    return this.recovery.discard(id)
  }

  /** A file that a journal names. @throws FormatError where it cannot be read */
  private recovering(model: OpenModel, ref: string): OpenFile {
    if (!model.shows(ref)) model.touched.add(ref)
    const file = model.file(ref)
    return file
  }

  /** All or nothing: the patches must fit each other, lead to the states that they were recorded with, and to files that decode. */
  private rehearse(plan: ReplayPlan, model: OpenModel): void {
    const now = new Map<string, Uint8Array>()
    for (const { files } of plan.steps)
      for (const { ref, patch, after } of files) {
        const bytes = applyPatch(now.get(ref) ?? model.entry(ref).file!.bytes, patch, ref)
        if (after !== undefined && this.hashes.of(bytes) !== after)
          throw new FormatError('bad-value', 'a step of this journal leads elsewhere than it did when it was made', { file: ref })
        now.set(ref, bytes)
      }
    for (const [ref, bytes] of now) this.documents.decode(model.entry(ref).file!, bytes)
  }

  private async replay(model: OpenModel, record: JournalStep, files: JournalFile[]): Promise<void> {
    const { undoable, redoable } = model.history
    const from = record.kind === 'undo' ? undoable : redoable
    const top = record.kind === 'edit' || record.foreign ? undefined : from.at(-1)
    // a journal that was begun anew has steps of before in one: an undo of one of them is not that one's
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
        document: this.documents.decode(file, bytes),
        state: (record.kind === 'undo' ? part?.before : part?.after) ?? this.documents.nextState(),
      }
    })
    const before = changes.map(({ file }) => file.state)
    const foreign = record.foreign === true
    await this.commit(model, changes, {
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

  /** Before bytes go to disk: every journal that follows one of these files can tell them when it is replayed. */
  private async journalDisk(files: { ref: string; hash: string }[]): Promise<void> {
    for (const model of this.models.values()) {
      const shown = files.filter(({ ref }) => model.journal?.known.has(ref))
      if (shown.length > 0) await model.journal!.append({ kind: 'disk', files: shown } satisfies JournalRecord)
    }
  }

  /** A journal is needed as long as one of its model's files is not saved. */
  private async dropCleanJournals(): Promise<void> {
    for (const model of this.models.values()) {
      if (!model.journal || model.dirty) continue
      const journal = model.journal
      model.journal = undefined
      await journal.remove()
    }
    this.tell()
  }

  private openFiles(model: OpenModel): OpenFile[] {
    return model.allRefs().flatMap((ref) => model.entry(ref).file ?? [])
  }

  /** Edits, saves and restores one after the other, in the order they were asked for. */
  private exclusive<T>(task: () => Promise<T>): Promise<T> {
    const run = this.last.then(task, task)
    this.last = run.catch(() => {})
    return run
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

function header(model: OpenModel): JournalHeader {
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

function stateOf({ ref }: OpenFile, trouble: DiskTroubleOf | undefined): DiskFileState {
  return { ref, state: trouble?.state ?? 'same', message: trouble?.error.message ?? '', movedTo: trouble?.movedTo ?? '' }
}

function fileChangePath(file: OpenFile, at: number): string {
  return pathAt(file.format.describe(file.document), at).path
}
