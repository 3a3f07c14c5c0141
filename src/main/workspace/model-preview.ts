/** Edits of a model on copies of its documents: what they would make of it, with nothing of the model touched and nothing kept. */
import { sceneChange, sceneUpdate, shareEntries } from '../../shared/scene/scene-update.ts'
import type { Scene } from '../../shared/scene/types.ts'
import type { SceneBeyond } from '../../shared/api/types/model.ts'
import type { AssembledModel, ModelBinding } from '../formats/binding.ts'
import { encodedToKeep, type Document } from '../formats/format.ts'
import { keepFor, keepNothing } from '../formats/kept.ts'
import type { EditSession, OpenDocuments } from '../formats/editing.ts'
import { ABSENT, isAbsent, memberMade, NO_BYTES } from './absent.ts'
import type { OpenFile } from './document-store.ts'
import { become, editSession } from './edit-session.ts'
import type { OpenModel } from './open-model.ts'
import { diff } from './patch.ts'

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
    const { binding } = this.model
    const made = this.files().flatMap(({ file, document }) =>
      document.format !== ABSENT && isAbsent(file) ? [memberMade(file.format, file.ref)] : [],
    )
    const gone = (ref: string): boolean => this.copies.get(ref)?.document.format === ABSENT
    return { ...binding, members: [...binding.members.filter(({ ref }) => !gone(ref)), ...made] }
  }

  get assembled(): AssembledModel {
    if (this.copies.size === 0) return this.model.assembled
    return (this.made ??= this.model.assemble((ref) => this.document(ref), this.binding))
  }

  document(ref: string): Document | undefined {
    const document = this.copies.get(ref)?.document
    return document?.format === ABSENT ? undefined : (document ?? this.model.document(ref))
  }

  /** What edits made of the scene, and the revision of the model that they began with: its own may be another by now. */
  update(): SceneBeyond {
    return this.beyond(sceneUpdate)
  }

  /** The same, for a window that has the tracks of the clips that changed. */
  change(): SceneBeyond {
    return this.beyond(sceneChange)
  }

  private beyond(told: typeof sceneUpdate): SceneBeyond {
    const { scene } = this.assembled
    shareEntries(scene, this.known)
    return { basis: this.basis, scene: told(scene, this.known) }
  }

  /** The copies, and the bytes that edits made of them. */
  files(): readonly PreviewedFile[] {
    return [...this.copies.values()]
  }

  /** What was done so far; `backTo` comes back to it. */
  mark(): ReadonlyMap<string, PreviewedFile> {
    return new Map([...this.copies].map(([ref, copy]) => [ref, { ...copy }]))
  }

  /** @param mark documents of it may have been written into since: they are read again */
  backTo(mark: ReadonlyMap<string, PreviewedFile>): void {
    this.copies.clear()
    for (const [ref, { file, document, bytes }] of mark)
      this.copies.set(ref, { file, bytes, document: bytes.length === 0 ? document : file.format.decode(bytes, ref) })
    this.made = undefined
  }

  /** Does in a session what was done here: edits that build on what the ones before made of the scene are one step then. */
  writeTo(session: EditSession): void {
    for (const { file, document, bytes } of this.copies.values()) {
      if (Buffer.compare(bytes, file.bytes) === 0) continue
      if (document.format === ABSENT) {
        session.discard(file.ref)
        continue
      }
      if (isAbsent(file)) {
        session.create(file.ref, document)
        continue
      }
      become(session.editOther(file.ref), document)
    }
  }

  /** As an edit of the model would: bytes are made of what `body` did, and read again. @throws what `body` throws */
  edit(body: (session: EditSession) => void): boolean {
    const taken = new Set<PreviewedFile>()
    const take = (ref: string, file: OpenFile, document: () => Document): PreviewedFile => {
      const copy = this.copies.get(ref) ?? { file, document: document(), bytes: file.bytes }
      this.copies.set(ref, copy)
      keepNothing(copy.document)
      taken.add(copy)
      return copy
    }
    body(
      editSession(this.model, this, {
        take: (ref) => {
          const file = this.copies.get(ref)?.file ?? this.model.writable(ref)
          return take(ref, file, () => file.format.decode(file.bytes, ref, this.model.memory)).document
        },
        put: (ref, document) => {
          const file = document.format === ABSENT ? this.model.writable(ref) : this.model.toMake(document)
          take(ref, file, () => document).document = document
        },
      }),
    )
    for (const copy of taken) {
      if (copy.document.format === ABSENT) {
        copy.bytes = NO_BYTES
        continue
      }
      const { format, ref, bytes: before, kept } = copy.file
      copy.bytes = encodedToKeep(format, copy.document, copy.bytes.length, this.model.memory)
      copy.document = format.decode(copy.bytes, ref, this.model.memory)
      // what edits left as it is in the file is not made anew of them
      keepFor(copy.document, kept.after(diff(before, copy.bytes)))
    }
    if (taken.size > 0) this.made = undefined
    return taken.size > 0
  }
}
