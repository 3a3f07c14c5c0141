/** A model that is open: its files as they are now, the scene that they make, its steps and its journal. */
import { randomUUID } from 'node:crypto'
import { FormatError } from '../binary/format-error.ts'
import type { AssembledModel, Document, Family, ModelBinding, ModelChoices, Neighbourhood } from '../formats/format.ts'
import type { OpenDocuments, SliceEditor } from '../formats/editing.ts'
import type { DocumentStore, FileEntry, OpenFile } from './document-store.ts'
import { History } from './history.ts'
import type { Journal } from './journal.ts'
import { addOwn, ownSlices } from './slices-file.ts'
import type { SlicesDocument } from './slices-file.ts'
import { say } from '../../shared/texts/say.ts'

export interface OpenModelOptions {
  family: Family
  binding: ModelBinding
  around: Neighbourhood
  choices?: ModelChoices
  /** root of the library, '' for none */
  library?: string
  /** Marrow's own list of slices (for families whose games keep none) and markers; need not be there */
  slicesFile?: string
}

/** A model that is open. The workspace alone changes it. */
export class OpenModel implements OpenDocuments {
  readonly id: string
  readonly family: Family
  binding: ModelBinding
  readonly around: Neighbourhood
  readonly library: string
  /** Marrow's own list of slices and markers, '' for none */
  readonly slicesFile: string
  choices: ModelChoices
  readonly history = new History()
  /** grows with every change of what the model shows */
  revision = 0
  /** files outside of the model that its steps changed */
  readonly touched = new Set<string>()
  journal: Journal | undefined
  /** another Marrow on the same state folder has the model open, or unsaved edits in these files of it */
  elsewhere: { edited: string[] } | undefined
  private readonly documents: DocumentStore
  private scene: AssembledModel | undefined

  constructor(documents: DocumentStore, options: OpenModelOptions) {
    this.id = randomUUID()
    this.documents = documents
    this.family = options.family
    this.binding = options.binding
    this.around = options.around
    this.library = options.library ?? ''
    this.slicesFile = options.slicesFile ?? ''
    this.choices = options.choices ?? {}
  }

  /** The scene as last assembled; made again after a change. */
  get assembled(): AssembledModel {
    return (this.scene ??= this.assemble((ref) => this.document(ref)))
  }

  /** The scene that documents make. */
  assemble(document: (ref: string) => Document | undefined): AssembledModel {
    const made = this.family.assemble(this.binding, document, this.choices)
    const own = this.slicesFile ? document(this.slicesFile) : undefined
    if (own) addOwn(own as SlicesDocument, made.scene)
    return made
  }

  document(ref: string): Document | undefined {
    return this.documents.open(ref, this.id).file?.document
  }

  /** The file with its bytes; its error when it cannot be read. */
  entry(ref: string): FileEntry {
    return this.documents.open(ref, this.id)
  }

  /** Members in order, each file once. */
  refs(): string[] {
    return [...new Set(this.binding.members.map((member) => member.ref))]
  }

  /** Members, and other files that its steps changed. */
  allRefs(): string[] {
    const own = this.slicesFile && this.documents.get(this.slicesFile) ? [this.slicesFile] : []
    return [...new Set([...this.binding.members.map((member) => member.ref), ...this.touched, ...own])]
  }

  shows(ref: string): boolean {
    return (ref !== '' && ref === this.slicesFile) || this.touched.has(ref) || this.binding.members.some((member) => member.ref === ref)
  }

  /** A file of the model, as somebody names it. @throws FormatError not-found */
  member(ref: string): string {
    if (!this.shows(ref)) throw new FormatError('not-found', say('calls.fileNotOfModel'), { file: ref })
    return ref
  }

  /** @throws FormatError why the file cannot be read */
  file(ref: string): OpenFile {
    const { file, error } = this.entry(ref)
    if (!file) throw new FormatError(error.code, error.message, error)
    return file
  }

  /** A file that can be edited. @throws FormatError read-only, and as `file` */
  writable(ref: string): OpenFile {
    const file = this.file(ref)
    if (file.document.readOnly) throw new FormatError('read-only', say('edits.readOnly', { why: file.document.readOnly }), { file: ref })
    return file
  }

  /** The family's editor of slices, or Marrow's own where the game keeps none. */
  get slices(): SliceEditor {
    return this.family.editor.slices ?? ownSlices(this.slicesFile)
  }

  get dirty(): boolean {
    return this.allRefs().some((ref) => this.documents.get(ref)?.dirty)
  }

  /** Drops the assembled scene after a change; whoever asks for it next assembles it again. */
  stale(): void {
    this.scene = undefined
    this.revision++
  }
}
