/** Files from anywhere that the user makes part of a model: which role each can play, and whether anything comes of it. */
import { toErrorData } from '../binary/format-error.ts'
import { openDocument } from '../files/open-document.ts'
import type { FileStore } from '../files/store.ts'
import type { FileKind } from '../../shared/api/types/family.ts'
import { COMMON_FAMILY } from '../../shared/api/types/family.ts'
import type { AddedFiles } from '../../shared/api/types/model.ts'
import type { CallArgs } from '../../shared/api/contract.ts'
import { refuse } from '../formats/format.ts'
import type { AssembledModel, RoleId } from '../formats/binding.ts'
import type { FileSummary } from '../formats/format.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Inbox } from './inbox.ts'
import { missingTextures } from './missing-parts.ts'
import type { Models } from './models.ts'
import type { UserBinding } from './state.ts'
import { say } from '../../shared/texts/say.ts'

/** What a file of a kind is to a model that it is given to. A model and the like are opened by themselves. */
const ROLES: Readonly<Partial<Record<FileKind, RoleId>>> = {
  animation: 'animation',
  skeleton: 'skeleton',
  skin: 'skin',
  'bind-pose': 'bind-pose',
  slices: 'slices',
  texture: 'textures',
  material: 'material',
}

/** Members of an archive that are looked at for a role, and that become part of a model. */
const MOST_LOOKED_AT = 2000
const MOST_OF_ARCHIVE = 64

type Wanted = NonNullable<CallArgs<'model.add'>['role']>

export class GivenFiles {
  private readonly store: FileStore
  private readonly models: Models
  private readonly inbox: Inbox

  constructor(store: FileStore, models: Models, inbox: Inbox) {
    this.store = store
    this.models = models
    this.inbox = inbox
  }

  add(model: OpenModel, refs: readonly string[], wanted?: Wanted): Omit<AddedFiles, 'opened'> {
    const added: AddedFiles['added'] = []
    const refused: string[] = []
    for (const given of refs) {
      let name = given
      let ref = given
      try {
        ref = this.store.canonical(given)
        name = this.store.nameOf(ref)
        for (const candidate of this.candidates(ref, wanted)) {
          const role = this.roleOf(model, candidate, wanted)
          this.models.give(model, { role, ref: candidate, remove: false }, (before, after) => uselessness(role, wanted, before, after))
          added.push({ ref: candidate, name: this.store.nameOf(candidate), role })
        }
      } catch (error) {
        refused.push(say('given.named', { name, why: toErrorData(error).message }))
        this.inbox.release(ref)
      }
    }
    return { added, refused }
  }

  /** A file that is part of the model no longer; a copy that was made for it goes. */
  remove(model: OpenModel, change: UserBinding): void {
    this.models.bind(model, change)
    this.inbox.release(change.ref)
  }

  /** The file, or members of an archive that can play the role. @throws FormatError refused */
  private candidates(ref: string, wanted: Wanted | undefined): string[] {
    if (!this.store.openArchive(ref)) return [ref]
    const members = this.store.members(ref)
    if (wanted === undefined || members.length > MOST_LOOKED_AT) refuse(ref, say('given.archive'))
    const found = members
      .map((member) => member.ref)
      .filter((member) => {
        const kind = this.store.identify(member)?.format?.kind
        return kind !== undefined && ROLES[kind] === wanted
      })
    if (found.length === 0) refuse(ref, say(`given.noneInArchive.${wanted}`))
    if (found.length > MOST_OF_ARCHIVE) refuse(ref, say('given.archive'))
    return found
  }

  /** @throws FormatError refused, where the file is of another family or nothing to a model */
  private roleOf(model: OpenModel, ref: string, wanted: Wanted | undefined): string {
    const { format, document } = openDocument(this.store, ref)
    const { registry } = this.store
    if (format.family !== model.family.id && format.family !== COMMON_FAMILY) {
      const family = registry.familyById(format.family)?.label ?? format.family
      refuse(ref, say('given.otherFamily', { family, model: model.binding.name, its: model.family.label }))
    }
    const summary = format.summarize(document)
    if (wanted !== undefined && holds(summary, wanted)) return wanted
    const role = ROLES[summary.kind ?? format.kind]
    if (role === undefined) refuse(ref, say('given.noPart', { format: format.label }))
    if (wanted !== undefined && role !== wanted) refuse(ref, say(`given.none.${wanted}`))
    return role
  }
}

/** Files on disk that users gave to models that are open. */
export function givenFiles(workspace: Workspace): string[] {
  return workspace.list().flatMap((model) =>
    model.binding.members.flatMap(({ why, ref }) => {
      if (why !== 'user') return []
      try {
        return [workspace.files.diskFile(ref)]
      } catch {
        // gone since: nothing of it is read
        return []
      }
    }),
  )
}

/** Files that are of one kind may hold more than that. */
function holds({ bones, clips, textures }: FileSummary, role: Wanted): boolean {
  const part = { skeleton: bones, animation: clips, textures, 'bind-pose': undefined }[role]
  return part !== undefined && part.length > 0
}

/** Why nothing came of a file, '' where something did. */
function uselessness(role: string, wanted: Wanted | undefined, before: AssembledModel, after: AssembledModel): string {
  if (role === 'animation' && after.scene.clips.length <= before.scene.clips.length) return say('given.noClip')
  if (role === 'textures' && wanted === 'textures' && missingTextures(after.scene).length >= missingTextures(before.scene).length)
    return say('given.otherTextures')
  if (role === 'skeleton' && wanted === 'skeleton' && after.scene.skeleton.count <= 1) return say('given.otherSkeleton')
  return ''
}
