/**
 * A model that is put together before it is opened. Whoever chooses one in a list opens it with the next press, mostly: what takes longest of opening is
 * done between the two. Nobody sees it until then, and it is thrown away where anything of it is not as it was.
 */
import { isDeepStrictEqual } from 'node:util'
import { FormatError } from '../binary/format-error.ts'
import type { FileStore } from '../files/store.ts'
import type { DocumentStore, FileEntry } from './document-store.ts'
import { OpenModel } from './open-model.ts'
import type { OpenModelOptions } from './open-model.ts'

/** Of its files: more of them take longer than a press may hold up what else is asked for. */
const MOST_BYTES = 1 << 24
/** What opens it comes sooner, or chooses it again before. */
const HELD_MS = 5000

interface Waiting {
  options: OpenModelOptions
  model: OpenModel
  files: { entry: FileEntry; state: number | undefined }[]
}

export class ModelAhead {
  private readonly files: FileStore
  private readonly documents: DocumentStore
  private waiting: Waiting | undefined
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(files: FileStore, documents: DocumentStore) {
    this.files = files
    this.documents = documents
  }

  /** Instead of the one before. What cannot be read is told by opening it. */
  prepare(options: OpenModelOptions): void {
    if (this.waiting && isSame(this.waiting.options, options)) return this.hold()
    this.drop()
    try {
      if (this.sizeOf(options) <= MOST_BYTES) this.make(options)
    } catch (error) {
      this.drop()
      if (!(error instanceof FormatError)) throw error
    }
  }

  /** The model, where it was put together and opening it now would give the same. It is the caller's from then on. */
  take(options: OpenModelOptions): OpenModel | undefined {
    const { waiting } = this
    if (!waiting || !isSame(waiting.options, options) || !this.isFresh(waiting)) {
      this.drop()
      return undefined
    }
    clearTimeout(this.timer)
    this.waiting = undefined
    waiting.model.around = options.around
    return waiting.model
  }

  /** Its files are nobody's any more. */
  drop(): void {
    clearTimeout(this.timer)
    if (this.waiting) this.documents.release(this.waiting.model.id)
    this.waiting = undefined
  }

  private make(options: OpenModelOptions): void {
    const model = new OpenModel(this.documents, options)
    const waiting: Waiting = (this.waiting = { options, model, files: [] })
    void model.assembled
    const refs = new Set([...options.binding.members.map(({ ref }) => ref), ...(options.slicesFile ? [options.slicesFile] : [])])
    waiting.files = [...refs].map((ref) => {
      const entry = model.entry(ref)
      return { entry, state: entry.file?.state }
    })
    this.hold()
  }

  private hold(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.drop(), HELD_MS)
    this.timer.unref()
  }

  private sizeOf({ binding }: OpenModelOptions): number {
    return binding.members.reduce((sum, { ref }) => sum + this.files.stat(ref).size, 0)
  }

  private isFresh({ model, files }: Waiting): boolean {
    return files.every(({ entry, state }) => entry.file?.state === state && this.documents.isAsRead(entry, model.id))
  }
}

function isSame(a: OpenModelOptions, b: OpenModelOptions): boolean {
  const what = ({ family, binding, choices, library, slicesFile }: OpenModelOptions): unknown[] => [
    family.id,
    binding,
    choices,
    library,
    slicesFile,
  ]
  return isDeepStrictEqual(what(a), what(b))
}
