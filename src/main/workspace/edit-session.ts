/** What an edit is given of a model, whether it writes into the model's documents or into copies of them. */
import type { EditSession, OpenDocuments } from '../formats/editing.ts'
import type { Document } from '../formats/format.ts'
import { ABSENT, takesFiles } from './absent.ts'
import type { OpenModel } from './open-model.ts'

/** Where the documents of an edit come from, and where they are left. */
export interface EditedDocuments {
  /** a document for writing, of the model or of another file; throws when it is read-only or missing */
  take(ref: string): Document
  /** puts another document in the place of one; of a file that is not there, it makes the file */
  put(ref: string, document: Document): void
  /** the model has the scene of before the edit by itself: few edits of a step that is done again ask for it */
  sceneLater?: true
}

/** Makes a document that an edit was given another one, which was made elsewhere. */
export function become(document: Document, other: Document): void {
  const own = document as unknown as Record<string, unknown>
  for (const key of Object.keys(own)) Reflect.deleteProperty(own, key)
  Object.assign(own, other)
}

/** @param documents what the edit reads: those of the model, or copies */
export function editSession(model: OpenModel, documents: OpenDocuments, { take, put, sceneLater }: EditedDocuments): EditSession {
  const before = sceneLater ? undefined : documents.assembled
  const member = (ref: string): string => (documents.binding.members.some((known) => known.ref === ref) ? ref : model.member(ref))
  return {
    get binding() {
      return documents.binding
    },
    get assembled() {
      return before ?? model.assembled
    },
    document: (ref) => documents.document(ref),
    edit: <D extends Document>(ref: string) => take(member(ref)) as D,
    editOther: <D extends Document>(ref: string) => take(ref) as D,
    create: (ref, document) => put(ref, { ...document, ref }),
    takesFiles,
    discard: (ref) => {
      take(member(ref))
      put(ref, { format: ABSENT, ref, diagnostics: [] })
    },
    needing: (key) => model.around.needing(key, model.binding.primary).map((file) => file.ref),
    providing: (key) => model.around.providing(key, model.binding.primary).map((file) => file.ref),
  }
}
