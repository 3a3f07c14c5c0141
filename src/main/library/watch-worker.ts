/**
 * A thread that says when something in a folder changed. It asks the disk by itself and at once, so that a drive that does not answer holds this thread and
 * nothing else: libraries that watch trees ask through the few threads that all of a process share, among them those that write its journals.
 */
import { lstatSync, readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { leftOutOf } from '../files/left-out.ts'
import { isTemporaryName } from '../../shared/temporary-name.ts'
import type { FolderNews, WatchInput } from './folder-watch.ts'

const { root, ignore, leftOut, every } = workerData as WatchInput
const isLeftOut = leftOutOf(root, leftOut)
/** One watch of the system for all below a folder; elsewhere each folder has its own. */
const DEEP = process.platform === 'win32' || process.platform === 'darwin'
/** Systems let a user watch so many, and other programs want some of them. */
const MOST_FOLDERS = 50_000

const watched = new Map<string, FSWatcher>()
/** which folder the root is now; undefined while it is away */
let id: string | undefined

const tell = (news: FolderNews): void => parentPort!.postMessage(news)

function folderId(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found?.isDirectory() ? `${found.dev}:${found.ino}` : undefined
  } catch {
    return undefined
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

function leave(folder: string): void {
  for (const [path, watcher] of watched) {
    if (!isBelow(path, folder)) continue
    watched.delete(path)
    watcher.close()
  }
}

/** Watches a folder and those in it; a link to one is not followed, as in a scan. */
function take(folder: string): void {
  const pending = [folder]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (watched.has(path)) continue
    if (watched.size >= MOST_FOLDERS) return giveUp('EMFILE')
    try {
      const at = path
      // before it is read: what comes in between is seen by one of both
      const watcher = watch(at, { recursive: DEEP }, (_event, name) => changed(at, name))
      watcher.on('error', () => lookAtRoot())
      watched.set(at, watcher)
      if (DEEP) return
      for (const entry of readdirSync(at, { withFileTypes: true }))
        if (entry.isDirectory() && !isLeftOut(join(at, entry.name))) pending.push(join(at, entry.name))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EMFILE') return giveUp(code)
      // gone again, or not to be read: a scan says so
    }
  }
}

/** A part that is watched would look like all of it. */
function giveUp(why: string): void {
  leave(root)
  clearInterval(timer)
  tell({ kind: 'unwatched', why })
}

function changed(folder: string, name: string | null): void {
  const path = name === null ? folder : join(folder, name)
  if (
    isTemporaryName(basename(path)) ||
    isLeftOut(path) ||
    ignore.some((own) => isBelow(path, own) || path.startsWith(`${own}-`) || path.startsWith(`${own}.`))
  )
    return
  if (folder === root && !lookAtRoot()) return
  if (!DEEP && path !== folder) {
    // a folder that came, went, or is another one under its name
    if (watched.has(path)) leave(path)
    if (isFolder(path)) take(path)
  }
  tell({ kind: 'changed' })
}

/** A drive may be taken away and come back, with changes that nobody saw. @returns whether the folder is the one that is watched */
function lookAtRoot(): boolean {
  const now = folderId(root)
  if (now === id) return now !== undefined
  id = now
  leave(root)
  if (now === undefined) {
    tell({ kind: 'away' })
    return false
  }
  take(root)
  tell({ kind: 'changed' })
  return false
}

id = folderId(root)
if (id !== undefined) {
  take(root)
  // what changed until now, since it was looked through, nobody saw
  tell({ kind: 'changed' })
}
const timer = setInterval(lookAtRoot, every)
