/** The models that are open and their files, which every part of the workspace works on, and the queue of what changes them. */
import { FormatError } from '../binary/format-error.ts'
import type { FileStore } from '../files/store.ts'
import type { DocumentStore, OpenFile } from './document-store.ts'
import type { OpenModel } from './open-model.ts'
import type { SavePlace } from './mod-copies.ts'
import { say } from '../../shared/texts/say.ts'

export interface OpenModelsOptions {
  files: FileStore
  documents: DocumentStore
  /** how and where a file of a library is saved */
  place(ref: string): SavePlace
  /** a model was changed by an edit in another one, or by a restore */
  onChanged(model: OpenModel): void
  /** a step of the model is assembled, and is proven and goes into the journal now; if that fails, the model is told as changed */
  onAhead(model: OpenModel): void
}

export class OpenModels {
  readonly files: FileStore
  readonly documents: DocumentStore
  readonly place: (ref: string) => SavePlace
  readonly onChanged: (model: OpenModel) => void
  readonly onAhead: (model: OpenModel) => void
  private readonly models = new Map<string, OpenModel>()
  private last: Promise<unknown> = Promise.resolve()

  constructor({ files, documents, place, onChanged, onAhead }: OpenModelsOptions) {
    this.files = files
    this.documents = documents
    this.place = place
    this.onChanged = onChanged
    this.onAhead = onAhead
  }

  list(): OpenModel[] {
    return [...this.models.values()]
  }

  /** @throws FormatError not-found */
  model(id: string): OpenModel {
    const model = this.models.get(id)
    if (!model) throw new FormatError('not-found', say('calls.modelNotOpen'))
    return model
  }

  add(model: OpenModel): void {
    this.models.set(model.id, model)
  }

  delete(id: string): void {
    this.models.delete(id)
  }

  clear(): void {
    this.models.clear()
  }

  /** Files of a model that can be read. */
  openFiles(model: OpenModel): OpenFile[] {
    return model.allRefs().flatMap((ref) => model.entry(ref).file ?? [])
  }

  /** Edits, saves and restores one after the other, in the order they were asked for. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const run = this.last.then(task, task)
    this.last = run.catch(() => {})
    return run
  }
}
