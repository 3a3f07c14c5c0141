/** `marrow archive ...`: the members of an archive, listed, taken out, put in, named and taken away. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { nameKey, safeName } from '../files/file-names.ts'
import { isPortableName } from '../../shared/portable-name.ts'
import { expectNoLink, realPlace, stepsBelow } from '../files/real-place.ts'
import { ioError } from '../files/sources.ts'
import { walk } from '../files/walk.ts'
import { memberKey } from '../../shared/ref.ts'
import { archiveTarget, planArchiveChange, writeArchiveChange, writeArchiveCopy } from '../workspace/archive-edits.ts'
import { replaceFile, writeAll } from '../workspace/atomic.ts'
import { firstDifferent } from '../workspace/compare.ts'
import { failureOf, failureText, listed } from './output.ts'
import type { FileStore } from '../files/store.ts'
import type { StoreMember, StoreMembers } from '../files/store-members.ts'
import type { ArchiveChange, ArchivePlan } from '../workspace/archive-edits.ts'
import type { CommandModels } from './models.ts'
import type { Failure } from './output.ts'
import { say } from '../../shared/texts/say.ts'

interface MemberRow {
  path: string
  name: string
  offset: number
  size: number
}

export interface ArchiveList {
  archive: string
  format: string
  label: string
  /** of all files of the archive */
  size: number
  members: MemberRow[]
}

/** @throws FormatError bad-magic for what is no archive */
export function listArchive(store: FileStore, given: string, filter?: string): ArchiveList {
  const archive = meant(store, given)
  const members = store.members(archive)
  const { ref, format, source, data, dataRef, peers } = store.openArchive(archive)!
  const fits = filterOf(filter)
  const rows: MemberRow[] = []
  for (const { ref: path, key: name, offset, size } of members) if (fits(name)) rows.push({ path, name, offset, size })
  const size = [...(dataRef ? [data] : []), ...peers.map((peer) => peer.source)].reduce((sum, one) => sum + one.size, source.size)
  return { archive: ref, format: format.id, label: format.label, size, members: rows }
}

/** The archive as it is meant: by either of its files. @throws FormatError not-found */
function meant(store: FileStore, archive: string): string {
  if (!store.exists(archive)) throw new FormatError('not-found', say('files.notThere', { file: archive }), { file: archive })
  return store.archiveOfData(archive)
}

/** Whether a name has all the words. */
function filterOf(filter = ''): (name: string) => boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return (name) => words.every((word) => name.toLowerCase().includes(word))
}

export function* listText({ archive, label, members }: ArchiveList): Generator<string> {
  yield `${archive}\n  ${label}\n`
  for (const { name, offset, size } of members) yield `${String(offset).padStart(11)} ${String(size).padStart(11)}  ${name}\n`
  yield `${say('archiveEdits.members', { n: members.length })}\n`
}

// --- taken out -------------------------------------------------------------------------------------------------

export interface ExtractReport {
  archive: string
  folder: string
  files: { name: string; file: string; bytes: number }[]
  failures: Failure[]
}

interface ExtractOptions {
  out: string
  filter?: string
  force: boolean
  signal?: AbortSignal
  onProgress?: (current: string) => void
}

const WINDOW = 1 << 20

/** Members, or all below folders of the archive. One that cannot be written stops none of the others. @throws FormatError not-found where nothing fits */
export async function extractArchive(
  store: FileStore,
  given: string,
  names: readonly string[],
  { out, filter, force, signal, onProgress }: ExtractOptions,
): Promise<ExtractReport> {
  const archive = meant(store, given)
  const members = store.members(archive)
  const folder = resolve(out)
  const report: ExtractReport = { archive: store.openArchive(archive)!.ref, folder, files: [], failures: [] }
  const chosen = chosenOf(members, names, filter)
  if (chosen.length === 0 && members.length > 0)
    throw new FormatError('not-found', say('archiveEdits.noneFits', { names: [...names, filter ?? ''].filter(Boolean).join(', ') }), {
      file: archive,
    })
  makeFolder(folder)
  const taken = new Set<string>()
  for (const { ref, key } of chosen) {
    if (signal?.aborted) throw new FormatError('cancelled', extractedText(report), { file: archive })
    onProgress?.(key)
    try {
      const file = placeOf(folder, key, taken)
      // whatever a name says, and wherever links lead: nothing is written outside of the folder
      if (!stepsBelow(realPlace(folder), realPlace(file)))
        throw new FormatError('refused', say('archiveEdits.outside', { name: key }), { file: ref })
      if (!force && existsSync(file)) throw new FormatError('io', say('commandLine.isThere', { file }), { file })
      makeFolder(dirname(file))
      expectNoLink(folder, file)
      const source = store.source(ref)
      await replaceFile(file, async (handle) => {
        for (let at = 0; at < source.size; at += WINDOW) await writeAll(handle, source.read(at, Math.min(WINDOW, source.size - at)))
      })
      report.files.push({ name: key, file, bytes: source.size })
    } catch (error) {
      report.failures.push(failureOf(error, ref))
    }
  }
  return report
}

/** @throws FormatError io, as where a file stands in the way */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw ioError(error, folder)
  }
}

/** @throws FormatError not-found for a name that is neither a member nor a folder */
function chosenOf(members: StoreMembers, names: readonly string[], filter?: string): StoreMember[] {
  const fits = filterOf(filter)
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

/** Below the folder as the member's name has it; parts that no file system has, or that lead elsewhere, get others. */
function placeOf(folder: string, key: string, taken: Set<string>): string {
  const parts = key
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (isPortableName(part) ? part : safeName(part)))
  const last = parts.pop() ?? safeName('')
  let file = join(folder, ...parts, last)
  for (let n = 2; taken.has(nameKey(file)) || statSync(file, { throwIfNoEntry: false })?.isDirectory(); n++)
    file = join(folder, ...parts, `${n}-${last}`)
  taken.add(nameKey(file))
  return file
}

export function* extractText({ folder, files, failures }: ExtractReport): Generator<string> {
  for (const failure of failures) yield `${failureText(failure)}\n`
  yield `${extractedText({ folder, files })}\n`
}

function extractedText({ folder, files }: Pick<ExtractReport, 'folder' | 'files'>): string {
  return say('archiveEdits.extracted', { n: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0), folder })
}

// --- changed ---------------------------------------------------------------------------------------------------

type Watch = NonNullable<Parameters<typeof writeArchiveCopy>[4]>

/** What is asked for: members by name, files by path. */
export type ArchiveWish =
  | { kind: 'add'; file: string; name?: string }
  | { kind: 'replace'; name: string; file: string }
  /** the files below a folder, as `extract` lays them out */
  | { kind: 'put'; folder: string }
  | { kind: 'rename'; name: string; to: string }
  | { kind: 'remove'; name: string }

export interface ArchiveLeave {
  dryRun?: boolean
  /** a copy that is written in place of the archive */
  out?: string
  force?: boolean
  replaceReadOnly?: boolean
}

export interface ArchiveChangeReport {
  action: ArchiveWish['kind']
  name: string
  to?: string
  /** of `put`: how many differ from their members */
  files?: number
  plan: ArchivePlan
  /** bytes of the member before and after; 0 for one that was not there, or is not any more */
  member: [before: number, after: number]
  /** where it is written to */
  target: string
  /** files that were written; empty with --dry-run */
  written: string[]
}

/**
 * Changes an archive by one member: in place, in the mod folder as the settings have it, or into a copy.
 * @param tell what will be written, before it is
 * @param watch of a copy that takes long
 * @throws FormatError not-found, invalid-edit, unsupported, refused, write-protected ...: nothing is written then
 */
export async function changeArchive(
  models: CommandModels,
  given: string,
  wish: ArchiveWish,
  leave: ArchiveLeave,
  tell: (report: ArchiveChangeReport) => void,
  watch: Watch = {},
): Promise<ArchiveChangeReport> {
  const { store, finder } = models
  const ref = meant(store, finder.refOf(given))
  const place = finder.place(ref)
  const target =
    leave.out === undefined ? archiveTarget(store, ref, place) : { from: finder.source(ref), disk: resolve(leave.out), folder: '' }
  const change = changeOf(store, target.from, wish)
  const planned = planArchiveChange(store, target.from, change, leave.out !== undefined)
  const report: ArchiveChangeReport = {
    action: wish.kind,
    name: wish.kind === 'add' ? addedName(store, wish) : wish.kind === 'put' ? wish.folder : wish.name,
    ...(change.kind === 'put' ? { files: change.bodies.size } : {}),
    ...(wish.kind === 'rename' ? { to: wish.to } : {}),
    plan: planned.plan,
    member: sizesOf(store, target.from, change),
    target: target.disk,
    written: [],
  }
  if (leave.dryRun) return report
  tell(report)
  report.written =
    leave.out === undefined
      ? await writeArchiveChange(store, models.originals(), planned, target, leave)
      : await writeArchiveCopy(store, planned, target.disk, leave.force === true, watch)
  return report
}

function addedName(store: FileStore, { file, name }: { file: string; name?: string }): string {
  return name ?? store.nameOf(file)
}

function changeOf(store: FileStore, archive: string, wish: ArchiveWish): ArchiveChange {
  if (wish.kind === 'add') return { kind: 'add', members: [{ name: addedName(store, wish), bytes: store.read(wish.file) }] }
  if (wish.kind === 'put') return { kind: 'put', bodies: bodiesBelow(store, archive, resolve(wish.folder)) }
  const member = store.members(archive).byKey(memberKey(wish.name, 0))?.index
  if (member === undefined) throw new FormatError('not-found', say('formats.missing.member', { name: wish.name }), { file: archive })
  if (wish.kind === 'rename') return { kind: 'rename', member, name: wish.to }
  return wish.kind === 'remove' ? { kind: 'remove', members: new Set([member]) } : { kind: 'replace', member, bytes: store.read(wish.file) }
}

/** Bytes of files that are put in at once. */
const MOST_PUT = 2 ** 30

/** Files below a folder that are other than the members of their names. @throws FormatError not-found, unsupported, invalid-edit where none is */
function bodiesBelow(store: FileStore, archive: string, folder: string): Map<number, Uint8Array> {
  const members = store.members(archive)
  const bodies = new Map<number, Uint8Array>()
  const strange: string[] = []
  let total = 0
  for (const { path, size } of walk(folder)) {
    const name = relative(folder, path).split(sep).join('/')
    const member = members.byKey(name)
    if (!member) strange.push(name)
    if (!member || (member.size === size && firstDifferent(store.source(member.ref), store.source(path)) < 0)) continue
    if ((total += size) > MOST_PUT)
      throw new FormatError('unsupported', say('files.tooLargeAtOnce', { size: total, most: MOST_PUT }), { file: folder })
    bodies.set(member.index, store.read(path))
  }
  // a name that is not there is a file that the game would not read
  if (strange.length > 0)
    throw new FormatError('not-found', say('archiveEdits.notMembers', { names: listed(strange.slice(0, 5), strange.length) }), {
      file: archive,
    })
  if (bodies.size === 0) throw new FormatError('invalid-edit', say('archiveEdits.noneDiffers'), { file: folder })
  return bodies
}

function sizesOf(store: FileStore, archive: string, change: ArchiveChange): [number, number] {
  if (change.kind === 'add') return [0, change.members[0].bytes.length]
  if (change.kind === 'put') {
    let sizes: [number, number] = [0, 0]
    for (const [i, { length }] of change.bodies) sizes = [sizes[0] + store.members(archive).at(i)!.size, sizes[1] + length]
    return sizes
  }
  const number = change.kind === 'remove' ? [...change.members][0] : change.member
  const { size } = store.members(archive).at(number)!
  return [size, change.kind === 'remove' ? 0 : change.kind === 'replace' ? change.bytes.length : size]
}

/** What will be written, in bytes. */
export function planText({ action, name, to = '', files = 0, plan, member, target }: ArchiveChangeReport): string {
  const [from, n] = member
  const what =
    action === 'rename'
      ? say('archiveEdits.plan.rename', { from: name, name: to })
      : action === 'remove'
        ? say('archiveEdits.plan.remove', { name, n: from })
        : action === 'add'
          ? say('archiveEdits.plan.add', { name, n })
          : action === 'put'
            ? say('archiveEdits.plan.put', { count: files, from, n })
            : say('archiveEdits.plan.replace', { name, from, n })
  const { archive, size, members, copied, bodies, tables, moved, written, notes } = plan
  const lines = [
    what,
    say('archiveEdits.plan.size', { file: archive, from: size[0], to: size[1], before: members[0], after: members[1] }),
    say('archiveEdits.plan.bytes', { copied, bodies, tables, n: moved }),
    ...notes,
    say('archiveEdits.plan.written', { n: written, file: target }),
  ]
  return `${lines.join('\n')}\n`
}

export function changeText(report: ArchiveChangeReport): string {
  return report.written.length > 0 ? `${report.written.join('\n')}\n` : `${planText(report)}${say('archiveEdits.plan.dry')}\n`
}
