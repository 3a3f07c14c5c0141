/** Saves open models: what a save would write, and the save. How one file is written stands in save.ts. */
import { toErrorData } from '../binary/format-error.ts'
import { baseName, MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { isThere } from '../files/temporaries.ts'
import type { SavePlan, SaveResult } from '../../shared/api/types/save.ts'
import { isAbsent } from './absent.ts'
import { archiveOutputs } from './archive-files.ts'
import { inPlaceFiles } from './in-place.ts'
import type { OpenModel } from './open-model.ts'
import type { ModelMember } from '../formats/format.ts'
import { isGone } from './disk-state.ts'
import type { OpenFile } from './document-store.ts'
import type { GameUnderMod } from './game-under-mod.ts'
import type { ModelChanges } from './model-changes.ts'
import type { ModelJournals } from './model-journals.ts'
import type { ModelsOnDisk } from './models-on-disk.ts'
import type { OpenModels } from './open-models.ts'
import { sha256 } from './originals.ts'
import type { Originals } from './originals.ts'
import { changedBytes, diff } from './patch.ts'
import { saveTarget } from './mod-copies.ts'
import { checkUnchanged, expectWritable, writeTarget } from './save.ts'
import type { SavePlace, SaveTarget } from './mod-copies.ts'
import type { SaveLeave } from './save.ts'

/** The parts of the workspace that a save needs. */
export interface SavingParts {
  models: OpenModels
  journals: ModelJournals
  originals: Originals
  changes: ModelChanges
  disk: ModelsOnDisk
  game: GameUnderMod
  /** a file that edits made stands in the mod folder alone now, where no library looks */
  onMade(model: OpenModel, member: Pick<ModelMember, 'role' | 'ref'>): void
}

export class Saving {
  private readonly models: OpenModels
  private readonly journals: ModelJournals
  private readonly originals: Originals
  private readonly changes: ModelChanges
  private readonly disk: ModelsOnDisk
  private readonly game: GameUnderMod
  private readonly onMade: SavingParts['onMade']

  constructor({ models, journals, originals, changes, disk, game, onMade }: SavingParts) {
    this.models = models
    this.journals = journals
    this.originals = originals
    this.changes = changes
    this.disk = disk
    this.game = game
    this.onMade = onMade
  }

  async plan(id: string): Promise<SavePlan> {
    const model = this.models.model(id)
    const place = this.models.place(model.binding.primary)
    const files: SavePlan['files'] = []
    for (const file of this.changes.files(model).filter((f) => f.dirty)) {
      const row: SavePlan['files'][number] = {
        ref: file.ref,
        target: '',
        changedBytes: changedBytes(diff(file.saved.bytes, file.bytes, 0)),
        size: file.saved.bytes.length,
        newSize: file.bytes.length,
        keepsOriginal: false,
      }
      try {
        const target = saveTarget(this.models.files, file, this.models.place(file.ref))
        row.target = target.disk
        if (target.loose) row.loose = true
        if (target.why) row.notLoose = target.why
        const rewrites = target.loose ? undefined : await this.rewritten(file, target)
        if (rewrites) row.rewrites = rewrites
        row.keepsOriginal = isThere(target.disk) && (await this.originals.entry(target.disk)) === undefined
        checkUnchanged(this.models.files, file, target, model.library)
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

  /** What is written with the file's bytes; undefined where nothing is but them. */
  private async rewritten(file: OpenFile, { disk }: SaveTarget): Promise<SavePlan['files'][number]['rewrites']> {
    const store = this.models.files
    // one that comes with this save stands in nothing yet
    const container = store.exists(file.source) ? store.container(file.source) : undefined
    if (container === undefined) return undefined
    const open = store.openArchive(store.diskFile(file.source))!
    const { ref, source, data, dataRef, peers, members } = open
    const number = container === ref ? members.byKey(file.source.slice(ref.length + MEMBER_SEPARATOR.length))?.index : undefined
    if (number !== undefined && (await inPlaceFiles(archiveOutputs(open, new Map([[number, file.bytes]]), disk)))) return undefined
    const files = dataRef ? [{ ref: dataRef, source: data }, ...peers, { ref, source }] : [{ ref, source }]
    return { files: files.map((one) => baseName(one.ref)), bytes: files.reduce((sum, one) => sum + one.source.size, 0) }
  }

  /**
   * Writes the files of the model that have unsaved edits, and those that were changed together with them. One that fails
   * does not keep the others from being written.
   * With leave to write over or again, files that are gone are written also when they were not edited.
   */
  save(id: string, leave: SaveLeave = {}): Promise<SaveResult> {
    return this.models.exclusive(async () => {
      const model = this.models.model(id)
      model.history.seal()
      const result: SaveResult = { saved: [], failed: [] }
      const groups = new Map<string, { file: OpenFile; target: SaveTarget; place: SavePlace }[]>()
      const fail = (file: OpenFile, error: unknown): void => {
        const { code, message } = toErrorData(error, file.ref)
        result.failed.push({ ref: file.ref, code, message })
      }
      for (const file of this.changes
        .files(model)
        .filter((f) => f.dirty || ((leave.overwriteChanged || leave.writeAgain) && isGone(this.disk.troubleOf(f))))) {
        try {
          const place = this.models.place(file.ref)
          const target = saveTarget(this.models.files, file, place)
          const group = groups.get(target.disk)
          if (group) group.push({ file, target, place })
          else groups.set(target.disk, [{ file, target, place }])
        } catch (error) {
          fail(file, error)
        }
      }
      const all = [...groups.values()].flat()
      await this.journals.recordDisk(all.map(({ file }) => ({ ref: file.ref, hash: sha256(file.bytes) })))
      for (const items of groups.values()) {
        try {
          const counts = items.map(({ file }) => changedBytes(diff(file.saved.bytes, file.bytes, 0)))
          const { mode, folder } = items[0].place
          const fresh = !isThere(items[0].target.disk)
          await writeTarget(this.models.files, this.originals, items, {
            ...leave,
            root: mode === 'mod-folder' ? folder : '',
            library: model.library,
          })
          for (const { file, target } of items) await this.game.noteBase(file, target, fresh)
          items.forEach(({ file, target }, i) => {
            this.models.documents.markSaved(file, target.ref)
            if (file.format.comesAndGoes && !isAbsent(file) && !this.models.files.exists(file.ref))
              this.onMade(model, { role: file.format.kind, ref: file.ref })
            result.saved.push({
              ref: file.ref,
              target: target.disk,
              bytes: file.bytes.length,
              changedBytes: counts[i],
              ...(target.why ? { notLoose: target.why } : {}),
            })
          })
          this.disk.restamp(items[0].target.disk)
        } catch (error) {
          for (const { file } of items) fail(file, error)
        }
      }
      await this.changes.link(result.saved)
      await this.journals.dropClean()
      return result
    })
  }
}
