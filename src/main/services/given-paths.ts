/** Where a command line looks: wherever its user points. The window's list of folders says which library that is in. */
import { FormatError } from '../binary/format-error.ts'
import { findModels } from '../files/find-models.ts'
import { MemoryNeighbourhood } from '../files/memory-neighbourhood.ts'
import { isInside, realPath } from '../files/store.ts'
import type { FileStore } from '../files/store.ts'
import type { Ground, Grounds } from './model-finder.ts'
import type { AppState } from './state.ts'
import { say } from '../../shared/texts/say.ts'

export class GivenPaths implements Grounds {
  private readonly store: FileStore
  private readonly state: AppState

  constructor(store: FileStore, state: AppState) {
    this.store = store
    this.state = state
  }

  /** As the window names it: whole, links followed. What is remembered of a model is found by that. @throws FormatError not-found */
  checkRef(given: string): { ref: string; library: Ground } {
    const { store } = this
    if (!store.exists(given)) throw new FormatError('not-found', say('files.notThere', { file: given }), { file: given })
    const disk = realPath(store.diskFile(given))
    const ref = disk + store.canonical(given).slice(store.diskFile(given).length)
    return {
      ref,
      library: {
        root: this.holding(disk)?.root ?? '',
        index: {
          neighbourhood: () => MemoryNeighbourhood.around(store, ref),
          modelOf: (member) => findModels(store, member).map(({ binding }) => binding),
        },
      },
    }
  }

  holding(disk: string): { root: string } | undefined {
    return this.state.recent.filter(({ root }) => isInside(root, disk)).sort((a, b) => b.root.length - a.root.length)[0]
  }
}
