/** Files of open models and what others do to them on disk: found out, compared, read again, or kept as they are open. */
import { toErrorData } from '../binary/format-error.ts'
import { firstDifference } from '../formats/format.ts'
import type { FileStat } from '../files/store.ts'
import type { FileChanges } from '../../shared/api/types/changes.ts'
import type { DiskFileState } from '../../shared/api/types/save.ts'
import { fileChanges } from './changes.ts'
import { troubleOf } from './disk-state.ts'
import type { DiskTroubleOf } from './disk-state.ts'
import type { OpenFile } from './document-store.ts'
import type { ModelJournals } from './model-journals.ts'
import type { OpenModel } from './open-model.ts'
import type { OpenModels } from './open-models.ts'

export class ModelsOnDisk {
  private readonly models: OpenModels
  private readonly journals: ModelJournals

  constructor(models: OpenModels, journals: ModelJournals) {
    this.models = models
    this.journals = journals
  }

  /** What became of the files of open models on disk, told once per change. Cheap while size and time hold. */
  changed(): (DiskFileState & { model: OpenModel })[] {
    const found: (DiskFileState & { model: OpenModel })[] = []
    for (const file of this.models.documents.files()) {
      const { told, saved } = file
      let version = ''
      let stat: FileStat | undefined
      try {
        stat = this.models.files.stat(file.source)
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
      for (const model of this.models.list()) if (model.shows(file.ref)) found.push({ model, ...stateOf(file, trouble) })
    }
    return found
  }

  /** Every file of a model that the disk does not have as it was read. */
  states(id: string): DiskFileState[] {
    return this.models.openFiles(this.models.model(id)).flatMap((file) => {
      const trouble = this.troubleOf(file)
      return trouble ? [stateOf(file, trouble)] : []
    })
  }

  /** What is wrong with the file on disk, where it is not as it was read. */
  troubleOf(file: OpenFile): DiskTroubleOf | undefined {
    const root = this.models.list().find((model) => model.library !== '' && model.shows(file.ref))?.library
    return troubleOf(this.models.files, file, file.source, root)
  }

  /**
   * Reads the files of a model again; its edits are dropped. Files that are not there, or cannot be read, are not taken out
   * of the model without the user's word: `keep` leaves them as they are open, with their edits, `drop` goes on without them.
   * @throws FormatError deleted, moved, unreadable where `missing` does not say: nothing is read again then
   */
  reload(id: string, { missing }: { missing?: 'keep' | 'drop' } = {}): Promise<OpenModel> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      const lost = new Set<string>()
      for (const file of this.models.openFiles(model)) {
        const trouble = this.troubleOf(file)
        if (!trouble || trouble.state === 'changed-on-disk') continue
        if (!missing) throw trouble.error
        if (missing === 'keep') lost.add(file.ref)
      }
      for (const ref of model.allRefs()) {
        if (lost.has(ref)) continue
        this.models.files.invalidate(this.models.documents.get(ref)?.source ?? ref)
        this.models.documents.reload(ref)
      }
      model.history.clear()
      for (const m of this.models.list()) if (m === model || model.allRefs().some((ref) => m.shows(ref))) m.stale()
      // what is kept is told without the steps of files that were read again
      if (lost.size > 0 && model.journal && model.dirty) await this.journals.shorten(model)
      await this.journals.dropClean()
      return model
    })
  }

  /** What stands on disk now against the open files, for files that are no longer what was read. */
  async compare(id: string): Promise<FileChanges[]> {
    const found: FileChanges[] = []
    for (const file of this.models.openFiles(this.models.model(id))) {
      let now: Uint8Array
      try {
        now = this.models.files.read(file.source)
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
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      for (const file of this.models.openFiles(model)) {
        // a file that is gone has nothing that could be written over: saving writes it again when the user says so
        if (this.troubleOf(file)?.state !== 'changed-on-disk') continue
        const stat = this.models.files.stat(file.source)
        const bytes = this.models.files.read(file.source)
        file.told = undefined
        file.saved = { bytes, state: this.models.documents.nextState(), disk: stat.disk, size: stat.size, mtimeMs: stat.mtimeMs }
        this.models.documents.setState(file, file.bytes, file.document, file.state)
        // journals tell the way from the disk as it is now
        for (const m of this.models.list()) {
          if (!m.shows(file.ref)) continue
          if (m.journal?.known.has(file.ref)) await this.journals.shorten(m)
          else if (file.dirty) await this.journals.adopt(m, file)
          m.stale()
          if (m !== model) this.models.onChanged(m)
        }
      }
      await this.journals.dropClean()
      return model
    })
  }

  /** Other members of an archive that was written have its new time, too. */
  restamp(disk: string): void {
    for (const file of this.models.documents.files()) {
      if (file.saved.disk !== disk) continue
      try {
        const { size, mtimeMs } = this.models.files.stat(file.source)
        file.saved = { ...file.saved, size, mtimeMs }
        if (file.told?.trouble === undefined) file.told = undefined
      } catch {
        // told by changed()
      }
    }
  }
}

function stateOf({ ref }: OpenFile, trouble: DiskTroubleOf | undefined): DiskFileState {
  return { ref, state: trouble?.state ?? 'same', message: trouble?.error.message ?? '', movedTo: trouble?.movedTo ?? '' }
}
