/**
 * What became on disk of a file that is open. Four things have four words, because what can be done differs: somebody put
 * other bytes there (`changed-on-disk`: compare, read again, keep mine), it is gone (`deleted`: write it again, go on without),
 * it stands elsewhere (`moved`: open it there, write it here again), it is there and cannot be read (`unreadable`: try again).
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { firstDifference } from '../formats/format.ts'
import { walk } from '../files/walk.ts'
import { baseName } from '../../shared/ref.ts'
import type { DiskTrouble } from '../../shared/api/types/save.ts'
import type { FileStore } from '../files/store.ts'
import { isAbsent } from './absent.ts'
import type { OpenFile } from './document-store.ts'
import { say } from '../../shared/texts/say.ts'

/** Files that are looked at to find one that was moved. */
const MOST_LOOKED_AT = 20_000
/** Other systems keep the time of a file that is moved, some in whole milliseconds. */
const SAME_TIME_MS = 2

export interface DiskTroubleOf {
  state: DiskTrouble
  error: FormatError
  /** where a moved file stands now, '' for the others */
  movedTo: string
}

/**
 * @param from where the file is read now: its source, or its copy in the mod folder
 * @param root folder below which a file that is gone is looked for; '' for the one that it stood in
 * @returns undefined where the disk has the bytes that were read
 */
export function troubleOf(store: FileStore, file: OpenFile, from = file.source, root = ''): DiskTroubleOf | undefined {
  if (isAbsent({ format: file.format, bytes: file.saved.bytes }))
    return store.exists(from)
      ? trouble('changed-on-disk', say('saving.thereMeanwhile', { file: baseName(from) }), { file: from })
      : undefined
  let now: Uint8Array
  try {
    now = store.read(from)
  } catch (error) {
    return unread(store, file, from, root, error)
  }
  file.movedTo = undefined
  const at = firstDifference(file.saved.bytes, now)
  if (at < 0) return undefined
  return trouble('changed-on-disk', say('saving.notTheOneRead', { file: baseName(from) }), {
    file: from,
    offset: at,
    expected: say('files.byteCount', { count: file.saved.bytes.length }),
    actual: say('files.byteCount', { count: now.length }),
  })
}

/** Whether nothing stands in the file's place. */
export function isGone(trouble: DiskTroubleOf | undefined): boolean {
  return trouble?.state === 'deleted' || trouble?.state === 'moved'
}

function unread(store: FileStore, file: OpenFile, from: string, root: string, thrown: unknown): DiskTroubleOf {
  const { code, message } = toErrorData(thrown, from)
  const name = baseName(from)
  if (code === 'not-found' && existsSync(file.saved.disk))
    return trouble('deleted', say('saving.deletedMember', { file: name, archive: baseName(file.saved.disk) }), { file: from })
  if (code === 'not-found') {
    file.movedTo ??= findMoved(store, file, root)
    if (file.movedTo === '') return trouble('deleted', say('saving.deleted', { file: name }), { file: from })
    return trouble('moved', say('saving.moved', { file: name, place: file.movedTo }), { file: from, actual: file.movedTo }, file.movedTo)
  }
  if (code === 'changed-on-disk') return trouble('changed-on-disk', say('saving.notTheOneRead', { file: name }), { file: from })
  return trouble('unreadable', say('saving.unreadable', { file: name, why: message }), { file: from })
}

function trouble(state: DiskTrouble, message: string, at: ConstructorParameters<typeof FormatError>[2], movedTo = ''): DiskTroubleOf {
  return { state, error: new FormatError(state, message, at), movedTo }
}

/** A file with the time and the bytes of the one that is gone; '' for none. */
function findMoved(store: FileStore, file: OpenFile, root: string): string {
  const { disk, mtimeMs, bytes } = file.saved
  const rest = file.source.startsWith(disk) ? file.source.slice(disk.length) : ''
  let looked = 0
  const seen = new Set<string>()
  for (const folder of [dirname(disk), root]) {
    if (folder === '' || !existsSync(folder)) continue
    for (const found of walk(folder)) {
      if (++looked > MOST_LOOKED_AT) return ''
      if (seen.has(found.path) || Math.abs(found.mtimeMs - mtimeMs) > SAME_TIME_MS) continue
      seen.add(found.path)
      try {
        if (rest === '' && found.size !== bytes.length) continue
        if (firstDifference(store.read(found.path + rest), bytes) < 0) return found.path + rest
      } catch {
        // cannot be read: it does not count as the moved file
      }
    }
  }
  return ''
}
