/** Says when something in a folder changed, some time after it did: what changes mostly goes on changing. */
import { isInside } from '../files/store.ts'
import { workerFile } from '../worker/node-line.ts'
import { startThread } from '../worker/thread.ts'
import type { Thread } from '../worker/thread.ts'

export interface WatchInput {
  root: string
  /** files and folders of Marrow's own that may stand in it */
  ignore: readonly string[]
  /** places of folders that the user leaves out: nothing there is watched */
  leftOut: readonly string[]
  /** ms between two looks whether the folder itself is there */
  every: number
}

/** `changed`: also of a folder that was away and is back, which may have changed meanwhile. `unwatched`: the system lets nobody watch so much. */
export type FolderNews = { kind: 'changed' | 'away' } | { kind: 'unwatched'; why: string }

export interface WatchOptions {
  /** ms without a change after which changes are told; more than the steps of a drive's clock, so that times tell what comes after them */
  pause: number
  onChanged(): void
  /** places of folders that the user leaves out */
  leftOut?: readonly string[]
  /** it ends by itself */
  onUnwatched(why: string): void
  /** ms */
  lookEvery?: number
}

/** Told at least so often while it goes on changing, in pauses. */
const MOST_PAUSES = 6
const LOOK_EVERY = 5000

export class FolderWatch {
  private readonly thread: Thread
  private readonly options: WatchOptions
  private timer: NodeJS.Timeout | undefined
  /** when the first change was that was not told yet */
  private since: number | undefined

  constructor(root: string, ignore: readonly string[], options: WatchOptions) {
    this.options = options
    const workerData: WatchInput = {
      root,
      ignore: ignore.filter((own) => isInside(root, own)),
      leftOut: options.leftOut ?? [],
      every: options.lookEvery ?? LOOK_EVERY,
    }
    this.thread = startThread(workerFile('watch-worker', import.meta.url), { workerData })
    const { worker } = this.thread
    worker.unref()
    worker.on('message', (news: FolderNews) => this.hear(news))
    worker.on('error', (error) => this.options.onUnwatched(error instanceof Error ? error.message : String(error)))
  }

  close(): Promise<void> {
    clearTimeout(this.timer)
    this.thread.worker.removeAllListeners('message')
    return this.thread.end()
  }

  private hear(news: FolderNews): void {
    if (news.kind === 'unwatched') return this.options.onUnwatched(news.why)
    clearTimeout(this.timer)
    // what is away has not changed: the library stays as it was, and is looked through once it is back
    if (news.kind === 'away') return void (this.since = undefined)
    const { pause } = this.options
    this.since ??= Date.now()
    const wait = Math.max(0, Math.min(pause, this.since + MOST_PAUSES * pause - Date.now()))
    this.timer = setTimeout(() => {
      this.since = undefined
      this.options.onChanged()
    }, wait)
    this.timer.unref()
  }
}
