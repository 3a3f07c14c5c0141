/** Watches the folders of libraries that were looked through, and tells windows when one changed on disk. */
import { FolderWatch } from '../library/folder-watch.ts'
import type { LibraryEntry } from './libraries.ts'
import type { Log } from './log.ts'
import type { Emit } from './service.ts'

const PAUSE = 2500

interface FolderWatchesOptions {
  /** Marrow's own files, if they stand in a library */
  stateFolder: string
  wanted: () => boolean
  /** places of the folders that the user leaves out of a library */
  leftOut: (root: string) => readonly string[]
  emit: Emit
  log: Log
  /** ms without a change before windows are told; 0 for never */
  pause?: number
}

export class FolderWatches {
  private readonly options: FolderWatchesOptions
  private readonly pause: number
  private readonly watches = new Map<string, FolderWatch>()

  constructor(options: FolderWatchesOptions) {
    this.options = options
    this.pause = options.pause ?? PAUSE
  }

  /**
   * Begins where it does not watch yet; windows are told of the folder once it is watched, since it may have changed after it was looked through. A folder
   * that nobody scanned is not walked through unasked.
   */
  watch({ id, root, index }: LibraryEntry): void {
    const { emit, leftOut, log, stateFolder, wanted } = this.options
    if (this.pause === 0 || !wanted() || this.watches.has(id) || index.info().scannedAt === 0) return
    const told = (): void => {
      if (wanted()) emit('folder.changed', { library: id })
    }
    const watch = new FolderWatch(root, [stateFolder, ...(index.database === undefined ? [] : [index.database])], {
      pause: this.pause,
      leftOut: leftOut(root),
      onChanged: told,
      onUnwatched(why) {
        log.write('warning', `A folder is not watched for changes: ${why}`)
      },
    })
    this.watches.set(id, watch)
  }

  /** What is left out is another now. */
  async renew(entry: LibraryEntry): Promise<void> {
    await this.stop(entry.id)
    this.watch(entry)
  }

  async stop(id: string): Promise<void> {
    const watch = this.watches.get(id)
    this.watches.delete(id)
    await watch?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.watches.keys()].map((id) => this.stop(id)))
  }
}
