/** What rules of one file look up in others. */
import { folderOf, stemOf } from '../../../../shared/ref.ts'
import { LINKED_SKELETON, type SklDocument } from '../codecs/skl.ts'
import type { LintModel } from '../../family.ts'

/** Bones that a mesh can name, lower case, and the skeleton's name for saying; without `has` where no skeleton is known. A linked skeleton's count. */
export function bonesFor(names: string[], ref: string, model: LintModel): { stem: string; has?: Set<string> } {
  const members = model.binding?.members ?? []
  const own = members.find((m) => m.role === 'skeleton')?.ref ?? skeletonFor(names, ref, model)
  const documents = [own, ...members.filter((m) => m.role === LINKED_SKELETON).map((m) => m.ref)].flatMap((r) => {
    const document = r ? model.load(r) : undefined
    return document?.format === 'lostsaga.skl' ? [document as SklDocument] : []
  })
  return documents.length
    ? { stem: stemOf(documents[0].ref), has: new Set(documents.flatMap((d) => d.bones.map((b) => b.name.text.toLowerCase()))) }
    : { stem: '' }
}

/** The skeleton that has the first bones of a mesh, when only files are at hand. */
function skeletonFor(names: string[], ref: string, model: LintModel): string | undefined {
  const first = names.find(Boolean)
  return first ? model.around.providing(`lostsaga.bone:${first}`, folderOf(ref)).find((f) => f.format === 'lostsaga.skl')?.ref : undefined
}
