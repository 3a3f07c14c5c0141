/**
 * An archive with changes that are planned and not written yet: a list of steps, each of which is proven when it is made, over the members as
 * they are. Members are known by ids that stay: numbers of the file's own, and behind those of what was added.
 */
import { statSync } from 'node:fs'
import { FormatError } from '../binary/format-error.ts'
import { nameFilter } from '../../shared/name-filter.ts'
import { memberKey } from '../../shared/ref.ts'
import { planArchiveChange, whyReadOnly } from './archive-edits.ts'
import type { ArchiveRow, ArchiveState, ArchiveStep } from '../../shared/api/types/archive.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchiveChange, PlannedChange } from './archive-edits.ts'
import { say } from '../../shared/texts/say.ts'

/** Bytes of files that are put in by one save. */
const MOST_PUT = 2 ** 30

/** Bytes of files that steps put in, by what `put` answered. */
export interface DeskBodies {
  read(body: string): Uint8Array
  size(body: string): number
}

/** What the steps leave. */
interface Wanted {
  /** ids in their order */
  order: number[]
  /** names that differ from the file's, and those of members that were added */
  names: Map<number, string>
  bodies: Map<number, string>
  rebuild: boolean
}

export class ArchiveDesk {
  readonly ref: string
  /** the archive that is read: the copy in the mod folder where there is one */
  readonly from: string
  readonly stamp: string
  steps: ArchiveStep[]
  /** steps that count; the others can be done again */
  done: number
  private readonly store: FileStore
  private readonly bodies: DeskBodies
  private wanted: Wanted
  private found: { filter: string; ids: number[] } | undefined

  constructor(store: FileStore, ref: string, from: string, bodies: DeskBodies, kept?: { steps: ArchiveStep[]; done: number }) {
    this.store = store
    this.ref = ref
    this.from = from
    this.bodies = bodies
    this.stamp = stampOf(store, from)
    this.steps = kept?.steps ?? []
    this.done = kept?.done ?? 0
    this.wanted = this.replay(this.done)
  }

  get count(): number {
    return this.store.members(this.from).length
  }

  /** Its files are not those any more that the steps were made for. */
  get stale(): boolean {
    return stampOf(this.store, this.from) !== this.stamp
  }

  state(): ArchiveState {
    const open = this.store.openArchive(this.from)!
    const why = whyReadOnly(this.store, open, false)
    const inCopy = why !== '' && whyReadOnly(this.store, open, true) === ''
    const { source, data, dataRef, peers } = open
    const files = [source, ...(dataRef ? [data] : []), ...peers.map((peer) => peer.source)]
    return {
      ref: this.ref,
      name: this.store.nameOf(this.ref),
      label: open.format.label,
      readOnly: inCopy ? '' : why,
      copyOnly: inCopy,
      members: this.wanted.order.length,
      size: files.reduce((sum, { size }) => sum + size, 0),
      steps: this.done,
      undo: this.done > 0 ? labelOf(this.steps[this.done - 1]) : '',
      redo: this.done < this.steps.length ? labelOf(this.steps[this.done]) : '',
      stale: this.stale,
    }
  }

  rows(filter: string, offset: number, limit: number): { total: number; rows: ArchiveRow[] } {
    const ids = this.ids(filter)
    return { total: ids.length, rows: ids.slice(offset, offset + limit).map((id) => this.row(id)) }
  }

  /** Ids of the members whose names a filter means, in their order. */
  private ids(filter: string): number[] {
    if (filter.trim() === '') return this.wanted.order
    if (this.found?.filter !== filter) {
      const fits = nameFilter(filter)
      this.found = { filter, ids: this.wanted.order.filter((id) => fits(this.nameOf(id))) }
    }
    return this.found.ids
  }

  /** Names in the file as it is, of members that are in it. @throws FormatError not-found */
  namesInFile(ids: readonly number[]): string[] {
    this.expectThere(ids)
    return ids.flatMap((id) => (id < this.count ? [this.keyInFile(id)] : []))
  }

  private keyInFile(id: number): string {
    return this.store.members(this.from).at(id)!.key
  }

  private nameOf(id: number): string {
    return this.wanted.names.get(id) ?? this.keyInFile(id)
  }

  private row(id: number): ArchiveRow {
    const { names, bodies } = this.wanted
    const body = bodies.get(id)
    const old = id < this.count ? this.store.members(this.from).at(id)! : undefined
    return {
      id,
      name: this.nameOf(id),
      size: body === undefined ? old!.size : this.bodies.size(body),
      state: !old ? 'new' : body !== undefined ? 'replaced' : names.has(id) ? 'renamed' : 'same',
      was: old && names.has(id) ? old.key : '',
    }
  }

  /**
   * One more step, proven with those before it; what was undone is forgotten.
   * @throws FormatError not-found, invalid-edit, unsupported, changed-on-disk: nothing is planned then
   */
  do(step: ArchiveStep): void {
    this.expectCurrent()
    this.expectThere(idsOf(step))
    const [steps, done, wanted] = [this.steps, this.done, this.wanted]
    this.steps = [...steps.slice(0, done), step]
    this.set(done + 1)
    try {
      this.plan(true)
    } catch (error) {
      this.steps = steps
      this.done = done
      this.wanted = wanted
      this.found = undefined
      throw error
    }
  }

  undo(): void {
    if (this.done > 0) this.set(this.done - 1)
  }

  redo(): void {
    if (this.done < this.steps.length) this.set(this.done + 1)
  }

  private set(done: number): void {
    this.done = done
    this.wanted = this.replay(done)
    this.found = undefined
  }

  /** What a save writes. @param copy into another place, as which images of discs alone are changed @throws FormatError */
  plan(copy: boolean): PlannedChange {
    this.expectCurrent()
    const changes = this.changes()
    if (changes.length === 0) throw new FormatError('invalid-edit', say('archiveEdits.nothingPlanned'), { file: this.ref })
    return planArchiveChange(this.store, this.from, changes, copy)
  }

  private expectCurrent(): void {
    if (this.stale) throw new FormatError('changed-on-disk', say('archiveEdits.stale'), { file: this.from })
  }

  private expectThere(ids: readonly number[]): void {
    if (ids.length === 0) return
    const there = new Set(this.wanted.order)
    const missing = ids.find((id) => !there.has(id))
    if (missing !== undefined)
      throw new FormatError('not-found', say('formats.missing.member', { name: String(missing) }), { file: this.ref })
  }

  private replay(done: number): Wanted {
    const wanted: Wanted = {
      order: Array.from({ length: this.count }, (_, i) => i),
      names: new Map(),
      bodies: new Map(),
      rebuild: false,
    }
    let next = this.count
    for (const step of this.steps.slice(0, done)) next = apply(wanted, step, next, this.count, (id) => this.keyInFile(id))
    return wanted
  }

  /** The steps as few changes: each member is written once, whatever was done to it on the way. */
  private changes(): ArchiveChange[] {
    const { order, names, bodies, rebuild } = this.wanted
    const { count } = this
    const total = [...bodies.values()].reduce((sum, body) => sum + this.bodies.size(body), 0)
    if (total > MOST_PUT)
      throw new FormatError('unsupported', say('files.tooLargeAtOnce', { size: total, most: MOST_PUT }), { file: this.ref })
    const stay = order.filter((id) => id < count).sort((a, b) => a - b)
    const come = order.filter((id) => id >= count)
    const staying = new Set(stay)
    const gone = new Set(Array.from({ length: count }, (_, i) => i).filter((id) => !staying.has(id)))
    const out: ArchiveChange[] = []
    const replaced = stay.filter((id) => bodies.has(id))
    if (replaced.length > 0)
      out.push({ kind: 'put', bodies: new Map(replaced.map((id): [number, Uint8Array] => [id, this.bodies.read(bodies.get(id)!)])) })
    if (gone.size > 0) out.push({ kind: 'remove', members: gone })
    const renamed = stay.flatMap((id, i): [number, string][] => (names.has(id) ? [[i, names.get(id)!]] : []))
    if (renamed.length > 0) out.push({ kind: 'rename', names: new Map(renamed) })
    if (come.length > 0)
      out.push({ kind: 'add', members: come.map((id) => ({ name: names.get(id)!, bytes: this.bodies.read(bodies.get(id)!) })) })
    const left = [...stay, ...come]
    if (order.some((id, i) => left[i] !== id) && this.moved()) {
      const places = new Map(left.map((id, i): [number, number] => [id, i]))
      out.push({ kind: 'reorder', order: order.map((id) => places.get(id)!) })
    }
    if (rebuild) out.push({ kind: 'rebuild' })
    return out
  }

  /** Whether somebody asked for another order: some archives have one of their own. */
  private moved(): boolean {
    return this.steps.slice(0, this.done).some(({ kind }) => kind === 'move')
  }
}

/** What tells one version of an archive's files from another. */
function stampOf(store: FileStore, ref: string): string {
  const open = store.exists(ref) ? store.openArchive(ref) : undefined
  const files = open ? [ref, ...(open.dataRef ? [open.dataRef] : [])] : []
  return files
    .map((file) => {
      const { size, mtimeMs } = statSync(store.diskFile(file))
      return `${size} ${mtimeMs}`
    })
    .join()
}

function idsOf(step: ArchiveStep): readonly number[] {
  if ('ids' in step) return step.kind === 'move' && step.before >= 0 ? [...step.ids, step.before] : step.ids
  return 'id' in step ? [step.id] : []
}

/** @returns the next id */
function apply(wanted: Wanted, step: ArchiveStep, next: number, count: number, inFile: (id: number) => string): number {
  if (step.kind === 'rebuild') wanted.rebuild = true
  else if (step.kind === 'replace') wanted.bodies.set(step.id, step.body)
  else if (step.kind === 'rename') {
    // its own name again is no change
    if (step.id < count && memberKey(step.name, 0) === inFile(step.id)) wanted.names.delete(step.id)
    else wanted.names.set(step.id, step.name)
  } else if (step.kind === 'add')
    for (const { name, body } of step.files) {
      wanted.order.push(next)
      wanted.names.set(next, name)
      wanted.bodies.set(next++, body)
    }
  else {
    const ids = new Set(step.ids)
    const rest = wanted.order.filter((id) => !ids.has(id))
    if (step.kind === 'remove') {
      wanted.order = rest
      for (const id of ids) {
        wanted.names.delete(id)
        wanted.bodies.delete(id)
      }
    } else {
      const at = rest.indexOf(step.before)
      const place = at < 0 ? rest.length : at
      wanted.order = [...rest.slice(0, place), ...step.ids, ...rest.slice(place)]
    }
  }
  return next
}

function labelOf(step: ArchiveStep): string {
  if (step.kind === 'add') return say('archiveEdits.steps.add', { count: step.files.length, name: step.files[0]?.name ?? '' })
  if (step.kind === 'remove') return say('archiveEdits.steps.remove', { count: step.ids.length })
  if (step.kind === 'move') return say('archiveEdits.steps.move', { count: step.ids.length })
  if (step.kind === 'rename') return say('archiveEdits.steps.rename', { name: step.name })
  return say(step.kind === 'replace' ? 'archiveEdits.steps.replace' : 'archiveEdits.steps.rebuild')
}
