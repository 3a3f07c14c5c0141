/** A model that is open: its files as they are now, the scene that they make, its steps and its journal. */
import { randomUUID } from 'node:crypto'
import { FormatError } from '../binary/format-error.ts'
import type { TakeMemory } from '../binary/own-memory.ts'
import type { AssembledModel, ModelBinding, ModelChoices, ModelMember, Neighbourhood } from '../formats/binding.ts'
import type { Family } from '../formats/family.ts'
import type { Document } from '../formats/format.ts'
import type { OpenDocuments, SliceEditor } from '../formats/editing.ts'
import { isAbsent, memberMade } from './absent.ts'
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
  /** what the binder found; some of it may have been taken away since, and what edits made is beside it */
  private bound: ModelBinding
  around: Neighbourhood
  readonly library: string
  /** Marrow's own list of slices and markers, '' for none */
  readonly slicesFile: string
  choices: ModelChoices
  readonly history = new History()
  /** grows with every change of what the model shows */
  revision = 0
  /** files outside of the model that its steps changed */
  readonly touched = new Set<string>()
  /** those of them that its steps made */
  private readonly made = new Set<string>()
  journal: Journal | undefined
  /** another Marrow on the same state folder has the model open, or unsaved edits in these files of it */
  elsewhere: { edited: string[] } | undefined
  private readonly documents: DocumentStore
  private scene: AssembledModel | undefined
  /** what the scene is made of, where that is not the documents as they are */
  private source: ((ref: string) => Document | undefined) | undefined

  constructor(documents: DocumentStore, options: OpenModelOptions) {
    this.id = randomUUID()
    this.documents = documents
    this.family = options.family
    this.bound = options.binding
    this.around = options.around
    this.library = options.library ?? ''
    this.slicesFile = options.slicesFile ?? ''
    this.choices = options.choices ?? {}
  }

  /** The files that belong together now: what edits made is in it, what they took away is not. */
  get binding(): ModelBinding {
    const refs = new Set(this.bound.members.map(({ ref }) => ref))
    const made = [...this.made].flatMap((ref): ModelMember[] => {
      const file = this.documents.get(ref)
      return file && !refs.has(ref) ? [memberMade(file.format, ref)] : []
    })
    const members = [...this.bound.members, ...made].filter(({ ref }) => !this.isAbsent(ref))
    return { ...this.bound, members }
  }

  set binding(binding: ModelBinding) {
    this.bound = binding
  }

  /** The scene as last assembled; made again after a change. */
  get assembled(): AssembledModel {
    return (this.scene ??= this.assemble(this.source ?? ((ref) => this.document(ref))))
  }

  /** The scene that documents make. @param binding where it is another than that of the model */
  assemble(document: (ref: string) => Document | undefined, binding = this.binding): AssembledModel {
    const made = this.family.assemble(binding, document, this.choices)
    const own = this.slicesFile ? document(this.slicesFile) : undefined
    if (own) addOwn(own as SlicesDocument, made.scene)
    return made
  }

  document(ref: string): Document | undefined {
    return this.isAbsent(ref) ? undefined : this.documents.open(ref, this.id).file?.document
  }

  /** For bytes and documents that are made of its files. */
  get memory(): TakeMemory {
    return this.documents.memory.take
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
    return [...new Set([...this.bound.members.map((member) => member.ref), ...this.touched, ...own])]
  }

  shows(ref: string): boolean {
    return (ref !== '' && ref === this.slicesFile) || this.touched.has(ref) || this.bound.members.some((member) => member.ref === ref)
  }

  /** A step changes a file outside of the model, or makes it: one that is not there yet is the model's from then on. */
  touch(file: OpenFile): void {
    this.touched.add(file.ref)
    if (isAbsent(file)) this.made.add(file.ref)
  }

  /** What was about to change it did not. */
  leaveAlone(file: OpenFile): void {
    this.touched.delete(file.ref)
    this.made.delete(file.ref)
  }

  /** A file that an edit makes. @throws FormatError invalid-edit */
  toMake(document: Pick<Document, 'format' | 'ref'>): OpenFile {
    return this.documents.toMake(document, this.id)
  }

  /** Whether an edit took the file away, or none has made it yet. */
  isAbsent(ref: string): boolean {
    const file = this.documents.get(ref)
    return file !== undefined && isAbsent(file)
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

  /**
   * Drops the assembled scene after a change; whoever asks for it next assembles it again.
   * @param source the documents that it is made of until the next change, where those of the model are going to be written into
   */
  stale(source?: (ref: string) => Document | undefined): void {
    this.scene = undefined
    this.source = source
    this.revision++
  }
}
