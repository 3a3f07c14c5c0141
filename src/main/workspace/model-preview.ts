/** Edits of a model on copies of its documents: what they would make of it, with nothing of the model touched and nothing kept. */
import { sceneUpdate, shareEntries } from '../../shared/scene/scene-update.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { SceneUpdate } from '../../shared/scene/scene-update.ts'
import { encodeDocument, type AssembledModel, type Document, type ModelBinding } from '../formats/format.ts'
import type { EditSession, OpenDocuments } from '../formats/editing.ts'
import type { OpenFile } from './document-store.ts'
import { editSession } from './edit-session.ts'
import type { OpenModel } from './open-model.ts'

/** A file as edits would make it, beside the file as it is. */
export interface PreviewedFile {
  readonly file: OpenFile
  document: Document
  bytes: Uint8Array
}

export class ModelPreview implements OpenDocuments {
  private readonly model: OpenModel
  private readonly basis: number
  private readonly known: Scene
  private readonly copies = new Map<string, PreviewedFile>()
  private made: AssembledModel | undefined

  constructor(model: OpenModel) {
    this.model = model
    this.basis = model.revision
    this.known = model.assembled.scene
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

  /** What edits made of the scene, and the revision of the model that they began with: its own may be another by now. */
  update(): { basis: number; scene: SceneUpdate } {
    const { scene } = this.assembled
    shareEntries(scene, this.known)
    return { basis: this.basis, scene: sceneUpdate(scene, this.known) }
  }

  /** The copies, and the bytes that edits made of them. */
  files(): readonly PreviewedFile[] {
    return [...this.copies.values()]
  }

  /** Does in a session what was done here: edits that build on what the ones before made of the scene are one step then. */
  writeTo(session: EditSession): void {
    for (const { file, document, bytes } of this.copies.values()) {
      if (Buffer.compare(bytes, file.bytes) === 0) continue
      const own = session.editOther<Document>(file.ref) as unknown as Record<string, unknown>
      for (const key of Object.keys(own)) Reflect.deleteProperty(own, key)
      Object.assign(own, document)
    }
  }

  /** As an edit of the model would: bytes are made of what `body` did, and read again. @throws what `body` throws */
  edit(body: (session: EditSession) => void): boolean {
    const taken = new Set<PreviewedFile>()
    body(
      editSession(this.model, this, (ref) => {
        const file = this.model.writable(ref)
        const copy = this.copies.get(ref) ?? { file, document: file.format.decode(file.bytes, ref), bytes: file.bytes }
        this.copies.set(ref, copy)
        taken.add(copy)
        return copy.document
      }),
    )
    for (const copy of taken) {
      copy.bytes = encodeDocument(copy.file.format, copy.document).bytes.slice()
      copy.document = copy.file.format.decode(copy.bytes, copy.file.ref)
    }
    if (taken.size > 0) this.made = undefined
    return taken.size > 0
  }
}
