/** Edits of a model on copies of its documents: what they would make of it, with nothing of the model touched and nothing kept. */
import { encodeDocument, type AssembledModel, type Document, type ModelBinding } from '../formats/format.ts'
import type { EditSession, OpenDocuments } from '../formats/editing.ts'
import type { OpenFile } from './document-store.ts'
import type { OpenModel } from './open-model.ts'

export class ModelPreview implements OpenDocuments {
  private readonly model: OpenModel
  private readonly copies = new Map<string, { file: OpenFile; document: Document }>()
  private made: AssembledModel | undefined

  constructor(model: OpenModel) {
    this.model = model
  }

  get binding(): ModelBinding {
    return this.model.binding
  }

  get assembled(): AssembledModel {
    if (this.copies.size === 0) return this.model.assembled
    return (this.made ??= this.model.assemble((ref) => this.document(ref)))
  }

  document(ref: string): Document | undefined {
    return this.copies.get(ref)?.document ?? this.model.document(ref)
  }

  /** As an edit of the model would: bytes are made of what `body` did, and read again. @throws what `body` throws */
  edit(body: (session: EditSession) => void): boolean {
    const taken = new Set<string>()
    const edit = <D extends Document>(ref: string): D => {
      const file = this.model.writable(ref)
      taken.add(ref)
      const copy = this.copies.get(ref) ?? { file, document: file.format.decode(file.bytes, ref) }
      this.copies.set(ref, copy)
      return copy.document as D
    }
    body({
      binding: this.binding,
      assembled: this.assembled,
      document: (ref) => this.document(ref),
      edit: (ref) => edit(this.model.member(ref)),
      editOther: edit,
      needing: (key) => this.model.around.needing(key, this.binding.primary).map((file) => file.ref),
      providing: (key) => this.model.around.providing(key, this.binding.primary).map((file) => file.ref),
    })
    for (const ref of taken) {
      const copy = this.copies.get(ref)!
      copy.document = copy.file.format.decode(encodeDocument(copy.file.format, copy.document).bytes.slice(), ref)
    }
    if (taken.size > 0) this.made = undefined
    return taken.size > 0
  }
}
