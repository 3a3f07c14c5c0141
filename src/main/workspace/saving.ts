/** Saves open models: what a save would write, and the save. How one file is written stands in save.ts. */
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { baseName, MEMBER_SEPARATOR } from '../../shared/ref.ts'
import { isThere } from '../files/temporaries.ts'
import type { CopyPlan, SavePlan, SaveResult } from '../../shared/api/types/save.ts'
import { isAbsent } from './absent.ts'
import { archiveOutputs } from './archive-files.ts'
import { imageInPlace, planImage } from './image-edits.ts'
import type { ImageWatch, PlannedImage } from './image-edits.ts'
import type { ImageCopies } from './image-copies.ts'
import { inPlaceFiles } from './in-place.ts'
import type { OpenModel } from './open-model.ts'
import type { ModelMember } from '../formats/binding.ts'
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
import { say } from '../../shared/texts/say.ts'

/** What goes into a first copy of an image of a disc. */
export interface PlannedCopy extends Omit<CopyPlan['plan'], 'placed'> {
  /** where the mod folder has it; '' where the user chooses */
  target: string
}

type PlanRow = SavePlan['files'][number]

interface Item {
  file: OpenFile
  target: SaveTarget
  place: SavePlace
  model: OpenModel
}

/** The parts of the workspace that a save needs. */
export interface SavingParts {
  models: OpenModels
  journals: ModelJournals
  originals: Originals
  changes: ModelChanges
  disk: ModelsOnDisk
  game: GameUnderMod
  copies: ImageCopies
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
  private readonly copies: ImageCopies
  private readonly onMade: SavingParts['onMade']

  constructor({ models, journals, originals, changes, disk, game, copies, onMade }: SavingParts) {
    this.models = models
    this.journals = journals
    this.originals = originals
    this.changes = changes
    this.disk = disk
    this.game = game
    this.copies = copies
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
        const own = this.models.place(file.ref)
        const image = this.imageOf(file)
        const target = image && own.image ? undefined : saveTarget(this.models.files, file, own)
        row.target = target?.disk ?? ''
        if (target?.loose) row.loose = true
        if (target?.why) row.notLoose = target.why
        // without room in the image nothing can be saved, wherever to
        const planned = image && !target?.loose ? this.planned([file]) : undefined
        if (planned && (!target || !isThere(target.disk))) row.image = image
        const rewrites = planned ? await this.imageRewritten(planned, row) : target?.loose ? undefined : await this.rewritten(file, target!)
        if (rewrites) row.rewrites = rewrites
        row.keepsOriginal = target !== undefined && isThere(target.disk) && (await this.originals.entry(target.disk)) === undefined
        if (target) {
          checkUnchanged(this.models.files, file, target, model.library)
          await expectWritable(target.disk)
        }
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

  /** The image of a disc that the game has a file in. */
  private imageOf({ ref }: OpenFile): string | undefined {
    const { files } = this.models
    return files.exists(ref) ? files.imageOf(ref) : undefined
  }

  /** Files in one image as they will be: in its copy where they were read from that. @throws FormatError */
  private planned(list: readonly OpenFile[]): PlannedImage {
    const { files } = this.models
    const place = this.models.place(list[0].ref)
    const copy = place.image ? undefined : saveTarget(files, list[0], place).disk
    const from = copy !== undefined && isThere(copy) ? copy : this.imageOf(list[0])!
    const rest = (file: OpenFile): string => file.ref.slice(files.diskFile(file.ref).length)
    return planImage(files, from, new Map(list.map((file) => [from + rest(file), file.bytes])))
  }

  private async imageRewritten(planned: PlannedImage, { target, image }: PlanRow): Promise<PlanRow['rewrites']> {
    if (image !== undefined || (await imageInPlace(planned, target))) return undefined
    return { files: [baseName(target)], bytes: planned.bytes.written }
  }

  /** Unsaved files that wait for a copy of the image which the first of them stands in. */
  private waiting(ids: readonly string[]): { image: string; files: OpenFile[] } {
    const all = [...new Set(ids.flatMap((id) => this.changes.files(this.models.model(id)).filter((file) => file.dirty)))]
    const waits = all.filter((file) => {
      const image = this.imageOf(file)
      if (image === undefined) return false
      const place = this.models.place(file.ref)
      if (place.image) return true
      const target = saveTarget(this.models.files, file, place)
      return !target.loose && !isThere(target.disk)
    })
    const [first] = waits
    const image = first && this.imageOf(first)
    if (image === undefined) throw new FormatError('invalid-edit', say('saving.noneInImage'))
    return { image, files: waits.filter((file) => this.imageOf(file) === image) }
  }

  /**
   * What a first copy of an image takes: unsaved files of models in one pass.
   * @throws FormatError invalid-edit where no unsaved file stands in an image, or it has no room for what grew
   */
  planCopy(ids: readonly string[]): PlannedCopy {
    const { image, files } = this.waiting(ids)
    const place = this.models.place(files[0].ref)
    return {
      image,
      files: files.map((file) => ({ ref: file.ref, changedBytes: changedBytes(diff(file.saved.bytes, file.bytes, 0)) })),
      target: place.image ? '' : saveTarget(this.models.files, files[0], place).disk,
      ...this.planned(files).bytes,
    }
  }

  /** Saves unsaved files of models into a new copy of their image, in one pass. @param out '' where the mod folder has its place */
  saveCopy(ids: readonly string[], out: string, watch: ImageWatch): Promise<SaveResult> {
    // what a copy that is gone had is written again with it
    const leave: SaveLeave = { newCopy: true, writeAgain: true }
    if (out === '') return this.save(ids, leave, watch)
    return this.copies.into(this.waiting(ids).image, out, () => this.save(ids, leave, watch))
  }

  /**
   * Writes the files of the models that have unsaved edits, and those that were changed together with them. One that fails
   * does not keep the others from being written.
   * With leave to write over or again, files that are gone are written also when they were not edited.
   * @param watch of an image of a disc, all of which may be written
   */
  save(ids: readonly string[], leave: SaveLeave = {}, watch: ImageWatch = {}): Promise<SaveResult> {
    return this.models.exclusive(async () => {
      const models = ids.map((id) => this.models.model(id))
      for (const model of models) model.history.seal()
      const wanted = new Map<OpenFile, OpenModel>()
      for (const model of models) for (const file of this.changes.files(model)) if (!wanted.has(file)) wanted.set(file, model)
      const result: SaveResult = { saved: [], failed: [] }
      const groups = new Map<string, Item[]>()
      const fail = (file: OpenFile, error: unknown): void => {
        const { code, message } = toErrorData(error, file.ref)
        result.failed.push({ ref: file.ref, code, message })
      }
      for (const [file, model] of wanted) {
        if (!file.dirty && !((leave.overwriteChanged || leave.writeAgain) && isGone(this.disk.troubleOf(file)))) continue
        try {
          const place = this.models.place(file.ref)
          const target = saveTarget(this.models.files, file, place)
          if (!leave.newCopy && !target.loose && !isThere(target.disk) && this.imageOf(file))
            throw new FormatError('copy-only', say('saving.copyOnly', { image: baseName(this.imageOf(file)!) }), { file: file.ref })
          const group = groups.get(target.disk)
          if (group) group.push({ file, target, place, model })
          else groups.set(target.disk, [{ file, target, place, model }])
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
            library: items[0].model.library,
            watch,
          })
          for (const { file, target } of items) await this.game.noteBase(file, target, fresh)
          items.forEach(({ file, target, model }, i) => {
            this.models.documents.markSaved(file, target.ref)
            if (file.format.comesAndGoes && !isAbsent(file) && !this.models.files.exists(file.ref))
              this.onMade(model, { role: file.format.comesAndGoes, ref: file.ref })
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
