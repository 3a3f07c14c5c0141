/** The models that a path means, as the binders have them: a folder, a pack, a member, or any file of a model. */
import { FormatError } from '../binary/format-error.ts'
import { MemoryNeighbourhood } from './memory-neighbourhood.ts'
import type { FileStore } from './store.ts'
import type { ModelBinding } from '../formats/binding.ts'
import type { Family } from '../formats/family.ts'
import { say } from '../../shared/texts/say.ts'

export interface BoundModel {
  family: Family
  binding: ModelBinding
  around: MemoryNeighbourhood
}

/**
 * Models below a folder or in an archive; for a file those that it is part of.
 * @throws FormatError not-found where the path is not there
 */
export function findModels(store: FileStore, given: string): BoundModel[] {
  if (!store.exists(given)) throw new FormatError('not-found', say('files.notThere', { file: given }), { file: given })
  // what is found is compared by its reference, and on Windows a path may be given in any case
  const path = store.canonical(given)
  const folder = store.isFolder(path)
  const archive = folder ? undefined : store.openArchive(path)
  if (archive || (folder && store.container(path) === undefined)) {
    const around = MemoryNeighbourhood.of(store, path)
    return bindAll(store, around.allFolders(), around)
  }
  const around = MemoryNeighbourhood.around(store, path)
  if (folder)
    return bindAll(
      store,
      around.allFolders().filter((other) => other === path || other.startsWith(`${path}/`)),
      around,
    )
  const holds = ({ binding }: BoundModel): boolean => binding.primary === path || binding.members.some((member) => member.ref === path)
  const here = bindAll(store, [store.folderOf(path)], around).filter(holds)
  const found = here.length > 0 ? here : bindAll(store, around.nearFolders(), around).filter(holds)
  // what the file is the primary of is meant before what it is only part of
  const own = found.filter(({ binding }) => binding.primary === path)
  return own.length > 0 ? own : found
}

function bindAll(store: FileStore, folders: readonly string[], around: MemoryNeighbourhood): BoundModel[] {
  return folders.flatMap((folder) =>
    store.registry.families.flatMap((family) => family.bind(folder, around).map((binding) => ({ family, binding, around }))),
  )
}
