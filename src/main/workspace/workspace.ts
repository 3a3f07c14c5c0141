/**
 * Open models and everything that changes them. Whoever edits only says what to do: the workspace gives documents for
 * writing, encodes them afterwards, proves the result, keeps the difference as one undoable step and has it in the
 * journal before it answers. A step that fails anywhere leaves everything as it was.
 *
 * What each call does, and what it throws, is told where it stands: the parts below have one file each.
 */
import type { FileStore } from '../files/store.ts'
import type { EditSession } from '../formats/editing.ts'
import type { ModelBinding, ModelChoices, ModelMember } from '../formats/binding.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { FileChanges } from '../../shared/api/types/changes.ts'
import type { RecoveredModel } from '../../shared/api/types/recovery.ts'
import type { DiskFileState, OriginalInfo, SavePlan, SaveResult } from '../../shared/api/types/save.ts'
import { Bases } from './bases.ts'
import type { Base } from './bases.ts'
import { ChangeLinks } from './change-links.ts'
import { DocumentStore } from './document-store.ts'
import { Edits } from './edits.ts'
import { GameUnderMod } from './game-under-mod.ts'
import { ImageCopies } from './image-copies.ts'
import type { ImageWatch } from './image-edits.ts'
import type { JournalHeader } from './journal-format.ts'
import { JournalFolder } from './journal.ts'
import type { Merged } from './merge.ts'
import { ModelAhead } from './model-ahead.ts'
import { ModelChanges } from './model-changes.ts'
import { ModelJournals } from './model-journals.ts'
import { ModelsOnDisk } from './models-on-disk.ts'
import { OpenModel } from './open-model.ts'
import type { OpenModelOptions } from './open-model.ts'
import { OpenModels } from './open-models.ts'
import { Originals } from './originals.ts'
import { Recovery } from './recovery.ts'
import { Replay } from './replay.ts'
import type { FilePart } from './restore-part.ts'
import { Restoring } from './restoring.ts'
import { sourceFor } from './mod-copies.ts'
import type { SavePlace } from './mod-copies.ts'
import type { SaveLeave } from './save.ts'
import { Saving } from './saving.ts'
import type { PlannedCopy } from './saving.ts'
import { StateFiles } from './state-files.ts'
import { Steps } from './steps.ts'

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
  /** @see OpenModelsOptions.onAhead */
  onModelAhead?(model: OpenModel): void
  /** a file that edits made stands in the mod folder alone, where no library finds it: it is to be remembered for the model */
  onMade?(model: OpenModel, member: Pick<ModelMember, 'role' | 'ref'>): void
  /** the user's copies of images, where others know of them, too */
  copies?: ImageCopies
  /** whether copies of images that a run which was killed saved into count; for whoever recovers its edits */
  recovers?: boolean
  /** a journal larger than this is written anew, bytes */
  journalLimit?: number
  /** why a file is not to be edited, '' where nothing is against it */
  readOnly?(ref: string): string
}

export class Workspace {
  readonly files: FileStore
  readonly originals: Originals
  readonly bases: Bases
  private readonly copies: ImageCopies
  private readonly journalFolder: JournalFolder
  private readonly models: OpenModels
  private readonly ahead: ModelAhead
  private readonly journals: ModelJournals
  private readonly edits: Edits
  private readonly modelChanges: ModelChanges
  private readonly disk: ModelsOnDisk
  private readonly game: GameUnderMod
  private readonly saving: Saving
  private readonly restoring: Restoring
  private readonly recovery: Recovery
  private readonly replay: Replay

  constructor(options: WorkspaceOptions) {
    const { files } = options
    const state = options.state ?? new StateFiles(options.stateFolder)
    const originals = new Originals(state)
    const copies = options.copies ?? new ImageCopies(files, originals, options.recovers ? state : undefined)
    const place = (ref: string): SavePlace => copies.place(ref, options.place?.(ref) ?? { mode: 'in-place', root: '', folder: '' })
    const folder = new JournalFolder(state)
    const documents = new DocumentStore(files, (ref) => sourceFor(files, ref, place(ref)), options.readOnly)
    const { onModelChanged: onChanged = () => {}, onModelAhead: onAhead = () => {} } = options
    const models = new OpenModels({ files, documents, place, onChanged, onAhead })
    const journals = new ModelJournals(models, folder, options.journalLimit ?? 64 * 2 ** 20)
    const steps = new Steps(models, journals)
    const bases = new Bases(state)
    const changes = new ModelChanges(models, originals, new ChangeLinks(state))
    const disk = new ModelsOnDisk(models, journals)
    const game = new GameUnderMod(models, steps, bases)
    this.files = files
    this.originals = originals
    this.copies = copies
    this.journalFolder = folder
    this.bases = bases
    this.models = models
    this.ahead = new ModelAhead(files, documents)
    this.journals = journals
    this.edits = new Edits(models, steps)
    this.modelChanges = changes
    this.disk = disk
    this.game = game
    this.saving = new Saving({ models, journals, originals, changes, disk, game, copies, onMade: options.onMade ?? (() => {}) })
    this.restoring = new Restoring({ models, steps, journals, originals, changes })
    this.recovery = new Recovery(folder, files, place)
    this.replay = new Replay({ models, steps, journals, recovery: this.recovery })
  }

  // --- models: open-models.ts, open-model.ts --------------------------------------------------------------------

  list(): OpenModel[] {
    return this.models.list()
  }

  /** @throws FormatError not-found */
  model(id: string): OpenModel {
    return this.models.model(id)
  }

  /** Opens a model; one with the same primary file that is open already is given as it is. */
  open(options: OpenModelOptions): OpenModel {
    const open = this.opened(options)
    if (open) return open
    const { documents } = this.models
    const model = this.ahead.take(options) ?? new OpenModel(documents, options)
    try {
      void model.assembled
    } catch (error) {
      documents.release(model.id)
      throw error
    }
    this.models.add(model)
    this.journals.announce()
    return model
  }

  /** It may be opened next: what that takes longest for is done now. */
  prepare(options: OpenModelOptions): void {
    if (!this.opened(options)) this.ahead.prepare(options)
  }

  private opened({ binding, family }: OpenModelOptions): OpenModel | undefined {
    return this.list().find((m) => m.binding.primary === binding.primary && m.family === family)
  }

  /** With unsaved edits and without `discard` the journal stays, and recovery offers them. */
  close(id: string, options: { discard?: boolean } = {}): Promise<void> {
    return this.models.exclusive(async () => {
      const model = this.model(id)
      const { documents } = this.models
      // what it shares with this one would stay open, with its edits
      this.ahead.drop()
      const keep = model.dirty && !options.discard
      this.models.delete(id)
      // what another open model still shows lives on in that model's journal
      for (const ref of model.allRefs()) {
        const file = documents.get(ref)
        if (file?.dirty) for (const other of this.list()) if (other.shows(ref)) await this.journals.adopt(other, file)
      }
      documents.release(id)
      if (keep) await model.journal?.close()
      else await model.journal?.remove()
      this.journals.announce()
    })
  }

  /** Journals of unsaved edits stay for recovery. */
  async closeAll(): Promise<void> {
    this.ahead.drop()
    await this.models.exclusive(async () => {
      for (const model of this.list()) {
        this.models.documents.release(model.id)
        await model.journal?.close()
      }
      this.models.clear()
      await this.journals.close()
      // edits that wait for recovery may have been made on a copy
      if ((await this.journalFolder.abandoned()).length === 0) this.copies.close()
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

  lookElsewhere(): Promise<OpenModel[]> {
    return this.journals.lookElsewhere()
  }

  // --- edits: edits.ts, steps.ts, model-journals.ts -------------------------------------------------------------

  edit(
    id: string,
    label: string,
    body: (session: EditSession) => void,
    options: { gesture?: string; replaces?: string } = {},
  ): Promise<boolean> {
    return this.edits.edit(id, label, body, options)
  }

  put(id: string, label: string, made: { ref: string; state: number; bytes: Uint8Array }): Promise<boolean> {
    return this.edits.put(id, label, made)
  }

  undo(id: string): Promise<void> {
    return this.edits.undo(id)
  }

  redo(id: string): Promise<void> {
    return this.edits.redo(id)
  }

  // --- changes and originals: model-changes.ts, restoring.ts ----------------------------------------------------

  changes(id: string, options: { ref?: string; within?: string } = {}): Promise<FileChanges[]> {
    return this.modelChanges.of(id, options)
  }

  changeRefs(model: OpenModel): string[] {
    return this.modelChanges.refs(model)
  }

  originalScene(id: string): Promise<Scene> {
    return this.modelChanges.scene(id)
  }

  bytes(id: string, ref: string, original = false): Promise<Uint8Array> {
    return this.modelChanges.bytes(id, ref, original)
  }

  keptOriginals(id?: string): Promise<OriginalInfo[]> {
    return this.restoring.keptOriginals(id)
  }

  restorePart(id: string, ref: string, part: FilePart): Promise<boolean> {
    return this.restoring.restorePart(id, ref, part)
  }

  restore(id: string, ref: string, options: { replaceReadOnly?: boolean } = {}): Promise<void> {
    return this.restoring.restore(id, ref, options)
  }

  // --- saving: saving.ts ----------------------------------------------------------------------------------------

  plan(id: string): Promise<SavePlan> {
    return this.saving.plan(id)
  }

  save(id: string, leave: SaveLeave = {}, watch: ImageWatch = {}): Promise<SaveResult> {
    return this.saving.save([id], leave, watch)
  }

  planCopy(ids: readonly string[]): PlannedCopy {
    return this.saving.planCopy(ids)
  }

  saveCopy(ids: readonly string[], out: string, watch: ImageWatch = {}): Promise<SaveResult> {
    return this.saving.saveCopy(ids, out, watch)
  }

  // --- the game under a mod: game-under-mod.ts ------------------------------------------------------------------

  gameUpdates(root: string): { base: Base; sizeNow: number }[] {
    return this.game.updates(root)
  }

  keepMod(root: string, refs: readonly string[]): Promise<void> {
    return this.game.keepMod(root, refs)
  }

  compareGame(id: string, ref: string): Merged {
    return this.game.compare(id, ref)
  }

  rebase(id: string, ref: string, conflicts?: 'game'): Promise<void> {
    return this.game.rebase(id, ref, conflicts)
  }

  // --- the disk: models-on-disk.ts ------------------------------------------------------------------------------

  changedOnDisk(): (DiskFileState & { model: OpenModel })[] {
    return this.disk.changed()
  }

  diskStates(id: string): DiskFileState[] {
    return this.disk.states(id)
  }

  reload(id: string, options: { missing?: 'keep' | 'drop' } = {}): Promise<OpenModel> {
    return this.disk.reload(id, options)
  }

  compareDisk(id: string): Promise<FileChanges[]> {
    return this.disk.compare(id)
  }

  keepMine(id: string): Promise<OpenModel> {
    return this.disk.keepMine(id)
  }

  // --- what earlier runs left: recovery.ts, replay.ts -----------------------------------------------------------

  recoverable(): Promise<RecoveredModel[]> {
    return this.recovery.list()
  }

  async recoveryHeader(id: string): Promise<JournalHeader> {
    return (await this.recovery.find(id)).header
  }

  recover(id: string, model: OpenModel): Promise<void> {
    return this.replay.recover(id, model)
  }

  /** The user does not want the edits. */
  discardRecovery(id: string): Promise<void> {
    return this.recovery.discard(id)
  }
}
