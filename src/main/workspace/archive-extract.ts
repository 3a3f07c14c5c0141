/** Members of an archive as files: one, many, all, or those that a filter means. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FormatError, toErrorData } from '../binary/format-error.ts'
import { makeFolder } from '../files/make-folder.ts'
import { expectNoLink, realPlace, stepsBelow } from '../files/real-place.ts'
import { realPath } from '../files/paths.ts'
import { nameFilter } from '../../shared/name-filter.ts'
import { memberKey } from '../../shared/ref.ts'
import { replaceFile, writeAll } from './atomic.ts'
import { MemberPlaces } from './member-places.ts'
import type { FileStore } from '../files/store.ts'
import type { StoreMember, StoreMembers } from '../files/store-members.ts'
import { say } from '../../shared/texts/say.ts'

/** The archive as it is meant: by either of its files. @throws FormatError not-found */
export function archiveMeant(store: FileStore, archive: string): string {
  if (!store.exists(archive)) throw new FormatError('not-found', say('files.notThere', { file: archive }), { file: archive })
  return store.archiveOfData(archive)
}

export interface ExtractReport {
  archive: string
  folder: string
  /** `renamed`: the file has another name than the member, which no file system has, or whose place was taken */
  files: { name: string; file: string; bytes: number; renamed?: true }[]
  failures: { path: string; code: string; message: string; offset: number }[]
}

export interface ExtractOptions {
  out: string
  filter?: string
  force: boolean
  signal?: AbortSignal
  onProgress?: (current: string, done: number, all: number) => void
}

const WINDOW = 1 << 20

/** Members, or all below folders of the archive. One that cannot be written stops none of the others. @throws FormatError not-found where nothing fits */
export async function extractArchive(
  store: FileStore,
  given: string,
  names: readonly string[],
  { out, filter, force, signal, onProgress }: ExtractOptions,
): Promise<ExtractReport> {
  const archive = archiveMeant(store, given)
  const members = store.members(archive)
  const folder = resolve(out)
  const report: ExtractReport = { archive: store.openArchive(archive)!.ref, folder, files: [], failures: [] }
  const chosen = chosenOf(members, names, filter)
  if (chosen.length === 0 && members.length > 0)
    throw new FormatError('not-found', say('archiveEdits.noneFits', { names: [...names, filter ?? ''].filter(Boolean).join(', ') }), {
      file: archive,
    })
  await makeFolder(folder)
  const places = new MemberPlaces(folder)
  const own = new Set(filesOf(store, archive).map(realPath))
  for (const { ref, key } of chosen) {
    if (signal?.aborted) throw stopped(report)
    onProgress?.(key, report.files.length + report.failures.length, chosen.length)
    try {
      const file = places.of(key)
      // whatever a name says, and wherever links lead: nothing is written outside of the folder
      if (!stepsBelow(realPlace(folder), realPlace(file)))
        throw new FormatError('refused', say('archiveEdits.outside', { name: key }), { file: ref })
      // a member that is called as its archive would take the place of what is being read
      if (existsSync(file) && own.has(realPath(file)))
        throw new FormatError('refused', say('archiveEdits.ontoArchive', { name: key }), { file })
      if (!force && existsSync(file)) throw new FormatError('io', say('archiveEdits.fileThere', { file: key }), { file })
      await makeFolder(dirname(file))
      expectNoLink(folder, file)
      const source = store.source(ref)
      await replaceFile(file, async (handle) => {
        for (let at = 0; at < source.size; at += WINDOW) {
          signal?.throwIfAborted()
          await writeAll(handle, source.read(at, Math.min(WINDOW, source.size - at)))
        }
      })
      report.files.push({ name: key, file, bytes: source.size, ...(places.isAsNamed(key, file) ? {} : { renamed: true }) })
    } catch (error) {
      if (signal?.aborted) throw stopped(report)
      const { code, message, offset } = toErrorData(error, ref)
      report.failures.push({ path: ref, code, message, offset })
    }
  }
  return report
}

/** On disk: of an archive in others, the one that stands there. */
function filesOf(store: FileStore, archive: string): string[] {
  const { ref, dataRef, peers } = store.openArchive(archive)!
  return [ref, ...(dataRef === '' ? [] : [dataRef]), ...peers.map((peer) => peer.ref)].map((one) => store.diskFile(one))
}

/** @throws FormatError not-found for a name that is neither a member nor a folder */
function chosenOf(members: StoreMembers, names: readonly string[], filter?: string): StoreMember[] {
  const fits = nameFilter(filter)
  if (names.length === 0) return members.slice(0).filter(({ key }) => fits(key))
  const chosen = new Map<number, StoreMember>()
  for (const name of names) {
    const key = memberKey(name, 0)
    const one = members.byKey(key)
    const below = `${key.replace(/\/+$/, '').toLowerCase()}/`
    const found = one ? [one] : members.slice(0).filter((member) => member.key.toLowerCase().startsWith(below))
    if (found.length === 0) throw new FormatError('not-found', say('formats.missing.member', { name }), { file: name })
    for (const member of found) if (fits(member.key)) chosen.set(member.index, member)
  }
  return [...chosen.values()]
}

function stopped(report: ExtractReport): FormatError {
  return new FormatError('cancelled', extractedText(report), { file: report.archive })
}

/** How much was written, in words. */
export function extractedText({ folder, files }: Pick<ExtractReport, 'folder' | 'files'>): string {
  return say('archiveEdits.extracted', {
    n: files.length,
    bytes: say('files.byteCount', { count: files.reduce((sum, file) => sum + file.bytes, 0) }),
    folder,
  })
}
