/** What an edit is given of a model, whether it writes into the model's documents or into copies of them. */
import type { EditSession, OpenDocuments } from '../formats/editing.ts'
import type { Document } from '../formats/format.ts'
import type { OpenModel } from './open-model.ts'

/**
 * @param documents what the edit reads: those of the model, or copies
 * @param take a document for writing, of the model or of another file; throws when it is read-only or missing
 */
export function editSession(model: OpenModel, documents: OpenDocuments, take: (ref: string) => Document): EditSession {
  return {
    binding: model.binding,
    assembled: documents.assembled,
    document: (ref) => documents.document(ref),
    edit: <D extends Document>(ref: string) => take(model.member(ref)) as D,
    editOther: <D extends Document>(ref: string) => take(ref) as D,
    needing: (key) => model.around.needing(key, model.binding.primary).map((file) => file.ref),
    providing: (key) => model.around.providing(key, model.binding.primary).map((file) => file.ref),
  }
}
