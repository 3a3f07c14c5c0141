/** `marrow archive ...`: the members of an archive, listed, taken out, put in, named and taken away. */
import { relative, resolve, sep } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { nameFilter } from '../../shared/name-filter.ts'
import { walk } from '../files/walk.ts'
import { memberKey } from '../../shared/ref.ts'
import { changesNothing, planArchiveChange } from '../workspace/archive-edits.ts'
import {
  archiveTarget,
  expectCopyPlace,
  intoOwnCopy,
  writeArchiveChange,
  writeArchiveCopy,
  writtenPlan,
} from '../workspace/archive-writes.ts'
import { filesOf, makerOf, planNewArchive } from '../workspace/archive-new.ts'
import { archiveMeant, extractedText } from '../workspace/archive-extract.ts'
import { firstDifferent } from '../workspace/compare.ts'
import { failureText, listed } from './output.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchiveChange, ArchivePlan } from '../workspace/archive-edits.ts'
import type { ExtractReport } from '../workspace/archive-extract.ts'
import type { ArchiveWatch } from '../workspace/archive-writes.ts'
import type { CommandModels } from './models.ts'
import { fileLines, planLines } from './plan-lines.ts'
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
  /** what opening found, of entries that are left out too */
  diagnostics: readonly Diagnostic[]
}

/** @throws FormatError bad-magic for what is no archive */
export function listArchive(store: FileStore, given: string, filter?: string): ArchiveList {
  const archive = archiveMeant(store, given)
  const members = store.members(archive)
  const { ref, format, index, source, data, dataRef, peers } = store.openArchive(archive)!
  const fits = nameFilter(filter)
  const rows: MemberRow[] = []
  for (const { ref: path, key: name, offset, size } of members) if (fits(name)) rows.push({ path, name, offset, size })
  const size = [...(dataRef ? [data] : []), ...peers.map((peer) => peer.source)].reduce((sum, one) => sum + one.size, source.size)
  return { archive: ref, format: format.id, label: format.label, size, members: rows, diagnostics: index.diagnostics }
}

export function* listText({ archive, label, members }: ArchiveList): Generator<string> {
  yield `${archive}\n  ${label}\n`
  for (const { name, offset, size } of members) yield `${String(offset).padStart(11)} ${String(size).padStart(11)}  ${name}\n`
  yield `${say('archiveEdits.members', { n: members.length })}\n`
}

// --- taken out -------------------------------------------------------------------------------------------------

export function* extractText({ folder, files, failures }: ExtractReport): Generator<string> {
  for (const failure of failures) yield `${failureText(failure)}\n`
  for (const { name, file, renamed } of files) if (renamed) yield `${say('archiveEdits.writtenAs', { name, file })}\n`
  yield `${extractedText({ folder, files })}\n`
}

// --- changed ---------------------------------------------------------------------------------------------------

type MemberChange = Exclude<ArchiveChange, { kind: 'fields' }>

/** What is asked for: members by name, files by path. */
export type ArchiveWish =
  | { kind: 'add'; file: string; name?: string }
  | { kind: 'replace'; name: string; file: string }
  /** the files below a folder, as `extract` lays them out */
  | { kind: 'put'; folder: string }
  | { kind: 'rename'; name: string; to: string }
  | { kind: 'remove'; name: string }
  | { kind: 'reorder'; names: readonly string[]; to: MovePlace }
  | { kind: 'rebuild' }

/** Where members go: in front of one, behind one, or in an order of all that needs no names. */
export type MovePlace = { before: string } | { after: string } | { end: 'first' | 'last' } | { by: 'name' | 'place' }

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
  /** the archive has these bytes already: nothing is written */
  unchanged?: true
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
  watch: ArchiveWatch = {},
): Promise<ArchiveChangeReport> {
  const { store, finder } = models
  const ref = archiveMeant(store, finder.refOf(given))
  const place = finder.place(ref)
  const target =
    leave.out === undefined ? archiveTarget(store, ref, place) : { from: finder.source(ref), disk: resolve(leave.out), folder: '' }
  const change = changeOf(store, target.from, wish)
  const planned = planArchiveChange(store, target.from, change, leave.out !== undefined || intoOwnCopy(store, models.originals(), target))
  if (leave.out !== undefined) expectCopyPlace(planned, target.disk, leave.force === true)
  const report: ArchiveChangeReport = {
    action: wish.kind,
    name: nameOf(store, wish),
    ...(change.kind === 'put' ? { files: change.bodies.size } : {}),
    ...(wish.kind === 'rename' ? { to: wish.to } : {}),
    plan: await writtenPlan(planned, target.disk, leave.out !== undefined),
    member: sizesOf(store, target.from, change),
    target: target.disk,
    written: [],
  }
  const none = wish.kind === 'rebuild' ? report.plan.size[0] <= report.plan.size[1] : leave.out === undefined && changesNothing(planned)
  if (none) return { ...report, unchanged: true }
  if (leave.dryRun) return report
  tell(report)
  report.written =
    leave.out === undefined
      ? await writeArchiveChange(store, models.originals(), planned, target, leave, watch)
      : await writeArchiveCopy(store, planned, target.disk, leave.force === true, watch, models.originals())
  return report
}

function nameOf(store: FileStore, wish: ArchiveWish): string {
  if (wish.kind === 'add') return addedName(store, wish)
  if (wish.kind === 'put') return wish.folder
  if (wish.kind === 'reorder') return wish.names.join(', ')
  return wish.kind === 'rebuild' ? '' : wish.name
}

function addedName(store: FileStore, { file, name }: { file: string; name?: string }): string {
  return name ?? store.nameOf(file)
}

function changeOf(store: FileStore, archive: string, wish: ArchiveWish): MemberChange {
  if (wish.kind === 'add') return { kind: 'add', members: [{ name: addedName(store, wish), bytes: store.read(wish.file) }] }
  if (wish.kind === 'put') return { kind: 'put', bodies: bodiesBelow(store, archive, resolve(wish.folder)) }
  if (wish.kind === 'rebuild') return wish
  if (wish.kind === 'reorder') return { kind: 'reorder', order: orderOf(store, archive, wish) }
  const member = numberOf(store, archive, wish.name)
  if (wish.kind === 'rename') return { kind: 'rename', names: new Map([[member, wish.to]]) }
  return wish.kind === 'remove' ? { kind: 'remove', members: new Set([member]) } : { kind: 'replace', member, bytes: store.read(wish.file) }
}

/** @throws FormatError not-found */
function numberOf(store: FileStore, archive: string, name: string): number {
  const member = store.members(archive).byKey(memberKey(name, 0))?.index
  if (member === undefined) throw new FormatError('not-found', say('formats.missing.member', { name }), { file: archive })
  return member
}

/** @throws FormatError not-found, invalid-edit where members would go beside themselves */
function orderOf(store: FileStore, archive: string, { names, to }: Extract<ArchiveWish, { kind: 'reorder' }>): number[] {
  const members = store.members(archive)
  if ('by' in to) {
    const all = members.slice(0)
    const keys = all.map(({ key }) => key.toLowerCase())
    const order = all.map((_, i) => i)
    // of several with one name the order stays: it says which of them the game reads
    const less = (a: number, b: number): number =>
      to.by === 'place' ? all[a].offset - all[b].offset : keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0
    return order.sort((a, b) => less(a, b) || a - b)
  }
  const moving = [...new Set(names.map((name) => numberOf(store, archive, name)))]
  const goes = new Set(moving)
  const rest = members.slice(0).flatMap(({ index }) => (goes.has(index) ? [] : [index]))
  const beside = 'before' in to ? to.before : 'after' in to ? to.after : undefined
  let at = 'end' in to && to.end === 'last' ? rest.length : 0
  if (beside !== undefined) {
    at = rest.indexOf(numberOf(store, archive, beside))
    if (at < 0) throw new FormatError('invalid-edit', say('archiveEdits.besideItself', { name: beside }), { file: archive })
    if ('after' in to) at++
  }
  return [...rest.slice(0, at), ...moving, ...rest.slice(at)]
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

function sizesOf(store: FileStore, archive: string, change: MemberChange): [number, number] {
  if (change.kind === 'add') return [0, change.members[0].bytes.length]
  if (change.kind === 'put') {
    let sizes: [number, number] = [0, 0]
    for (const [i, { length }] of change.bodies) sizes = [sizes[0] + store.members(archive).at(i)!.size, sizes[1] + length]
    return sizes
  }
  if (change.kind === 'reorder' || change.kind === 'rebuild') return [0, 0]
  const number = change.kind === 'replace' ? change.member : [...(change.kind === 'remove' ? change.members : change.names.keys())][0]
  const { size } = store.members(archive).at(number)!
  return [size, change.kind === 'remove' ? 0 : change.kind === 'replace' ? change.bytes.length : size]
}

const said = (n: number): string => say('reports.counts.bytes', { n })

/** What will be written, in bytes. */
export function planText({ action, name, to = '', files = 0, plan, member, target }: ArchiveChangeReport): string {
  const [from, n] = member
  const what = {
    rename: () => say('archiveEdits.plan.rename', { from: name, name: to }),
    remove: () => say('archiveEdits.plan.remove', { name, n: from }),
    add: () => say('archiveEdits.plan.add', { name, n }),
    put: () => say('archiveEdits.plan.put', { count: files, from: said(from), n }),
    replace: () => say('archiveEdits.plan.replace', { name, from: said(from), n }),
    reorder: () => say('archiveEdits.plan.reorder', { n: plan.moved }),
    rebuild: () => say('archiveEdits.plan.rebuild', { n: plan.size[0] - plan.size[1] }),
  }[action]()
  const { archive, written, inPlace, each } = plan
  const lines = [
    what,
    ...planLines(archive, plan),
    say(inPlace ? 'archiveEdits.plan.inPlace' : 'archiveEdits.plan.copy', { n: written, file: target }),
    ...fileLines(each),
  ]
  return `${lines.join('\n')}\n`
}

export function changeText(report: ArchiveChangeReport): string {
  if (report.unchanged) return `${say(report.action === 'rebuild' ? 'archiveEdits.plan.compact' : 'archiveEdits.plan.unchanged')}\n`
  return report.written.length > 0 ? `${report.written.join('\n')}\n` : `${planText(report)}${say('archiveEdits.plan.dry')}\n`
}

// --- made ------------------------------------------------------------------------------------------------------

interface NewArchiveReport {
  archive: string
  format: string
  plan: ArchivePlan
  /** files that were written; empty with --dry-run */
  written: string[]
}

/** @param tell what will be written, before it is @throws FormatError invalid-argument, invalid-edit, io, cancelled: nothing is written then */
export async function newArchive(
  store: FileStore,
  out: string,
  given: readonly string[],
  { format, dryRun }: { format?: string; dryRun?: boolean },
  tell: (report: NewArchiveReport) => void,
  watch: ArchiveWatch,
): Promise<NewArchiveReport> {
  const maker = makerOf(store.registry, out, format)
  const planned = planNewArchive(store, maker, out, filesOf(store, given))
  const report: NewArchiveReport = { archive: planned.plan.archive, format: maker.id, plan: planned.plan, written: [] }
  if (dryRun) return report
  tell(report)
  return { ...report, written: await planned.write(watch) }
}

export function newArchiveText({ plan: { archive, members, size, bodies, copied, tables, each } }: NewArchiveReport): string {
  const lines = [
    say('archiveEdits.plan.make', { n: members[1], size: said(size[1]) }),
    say('archiveEdits.plan.parts', { n: copied + bodies, tables }),
    say('archiveEdits.plan.written', { n: size[1], file: archive }),
    ...fileLines(each),
  ]
  return `${lines.join('\n')}\n`
}
