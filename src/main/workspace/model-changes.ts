/** What is different in the files of open models: against their originals, and which files were changed together. */
import type { FileChanges } from '../../shared/api/types/changes.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { Document } from '../formats/format.ts'
import { NO_BYTES } from './absent.ts'
import { changedTogether } from './change-links.ts'
import type { ChangeLinks } from './change-links.ts'
import { fileChanges } from './changes.ts'
import type { OpenFile } from './document-store.ts'
import type { OpenModel } from './open-model.ts'
import type { OpenModels } from './open-models.ts'
import type { Originals } from './originals.ts'

export class ModelChanges {
  private readonly models: OpenModels
  private readonly originals: Originals
  private readonly links: ChangeLinks

  constructor(models: OpenModels, originals: Originals, links: ChangeLinks) {
    this.models = models
    this.originals = originals
    this.links = links
  }

  /** Files of the model that differ from their originals. */
  async of(id: string, { ref, within }: { ref?: string; within?: string } = {}): Promise<FileChanges[]> {
    const model = this.models.model(id)
    const all: FileChanges[] = []
    for (const file of this.files(model)) {
      if (ref !== undefined && file.ref !== ref) continue
      const found = fileChanges(file.ref, file.format, await this.originalBytes(file), file, { within })
      if (found.changes.length > 0 || found.omitted > 0) all.push({ ...found, ...this.placeOf(file) })
    }
    return all
  }

  /** Where the game has a member on disk. */
  private placeOf({ ref }: OpenFile): Pick<FileChanges, 'onDisk'> {
    try {
      const onDisk = this.models.files.onDisk(ref)
      return onDisk ? { onDisk } : {}
    } catch {
      // one that is gone, or came with the edits
      return {}
    }
  }

  /** The bytes of a file, or of its original: the one that was kept, the game's own under a mod folder, else what is on disk. */
  async bytes(id: string, ref: string, original = false): Promise<Uint8Array> {
    const file = this.models.model(id).file(ref)
    return original ? this.originalBytes(file) : file.bytes
  }

  /** What the originals of a model's files make, by the choices of now. A file that is unreadable as its original is as it is now. */
  async scene(id: string): Promise<Scene> {
    const model = this.models.model(id)
    const before = new Map<string, Document>()
    for (const ref of model.allRefs()) {
      const { file } = model.entry(ref)
      if (!file) continue
      try {
        before.set(ref, file.format.decode(await this.originalBytes(file), ref))
      } catch {
        // what it is now says more than nothing
      }
    }
    return model.assemble((ref) => before.get(ref) ?? model.document(ref)).scene
  }

  /** @throws FormatError io where an original was kept and is damaged: nothing else is taken for it */
  async originalBytes(file: OpenFile): Promise<Uint8Array> {
    const kept = file.source === file.ref ? await this.originals.pathOf(file.saved.disk) : undefined
    if (file.source !== file.ref && file.format.comesAndGoes && !this.models.files.exists(file.ref)) return NO_BYTES
    try {
      if (file.source !== file.ref) return this.models.files.read(file.ref)
      const { disk } = file.saved
      if (kept) return this.models.files.read(kept + (file.ref.startsWith(disk) ? file.ref.slice(disk.length) : ''))
    } catch {
      // an original that cannot be read (a companion is not beside it) is no reason to show nothing
    }
    return file.saved.bytes
  }

  /** Files of a model, and whatever one edit changed together with one of them, in this run or an earlier one. */
  refs(model: OpenModel): string[] {
    return changedTogether(model.allRefs(), [...this.stepGroups(), ...this.links.groups()])
  }

  stepGroups(): string[][] {
    const steps = this.models.list().flatMap((model) => model.history.undoable)
    return steps.filter((step) => step.files.size > 1).map((step) => [...step.files.keys()])
  }

  files(model: OpenModel): OpenFile[] {
    return this.refs(model).flatMap((ref) => model.entry(ref).file ?? [])
  }

  /** Remembers for later runs which files were changed together, of those that were saved. */
  async link(saved: readonly { ref: string }[]): Promise<void> {
    for (const group of this.stepGroups()) if (group.some((ref) => saved.some((one) => one.ref === ref))) await this.links.add(group)
  }
}
