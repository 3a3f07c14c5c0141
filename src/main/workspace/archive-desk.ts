/** An archive with changes that are planned and not written yet: each step is proven when it is made, over the members as they are. */
import { statSync } from 'node:fs'
import { FormatError } from '../binary/format-error.ts'
import { realPath } from '../files/paths.ts'
import { damagedRecords } from '../files/temporaries.ts'
import { KnownChanges, planArchiveChange, whyReadOnly } from './archive-edits.ts'
import { archiveField, archiveNode, WHOLE } from './archive-fields.ts'
import { ArchiveSteps } from './archive-steps.ts'
import { memberKey } from '../../shared/ref.ts'
import type { EditableField } from '../../shared/api/types/fields.ts'
import type { StructureNode } from '../../shared/api/types/structure.ts'
import type { ReadArchive } from './archive-fields.ts'
import type { ArchiveState, ArchiveStep } from '../../shared/api/types/archive.ts'
import type { FileStore } from '../files/store.ts'
import type { StoreMember, StoreMembers } from '../files/store-members.ts'
import type { ArchiveChange, KeyedChange, PlannedChange } from './archive-edits.ts'
import type { DeskBodies, KeptSteps } from './archive-steps.ts'
import { say } from '../../shared/texts/say.ts'

/** Bytes of files that are put in by one save. */
const MOST_PUT = 2 ** 30
/** Bytes of files with which what is known of planned changes is kept. */
const MOST_KNOWN = 2 ** 25

export class ArchiveDesk extends ArchiveSteps {
  readonly from: string
  readonly stamp: string
  private readonly store: FileStore
  private readonly intoCopy: () => boolean
  private known = new KnownChanges()
  /** of the file that `stamp` tells: what becomes of it, steps are made for these */
  private readonly members: StoreMembers

  /** @param intoCopy whether the image of a disc that it stands in is a copy that a save writes to */
  constructor(store: FileStore, ref: string, from: string, bodies: DeskBodies, kept?: KeptSteps, intoCopy = (): boolean => false) {
    super(ref, bodies)
    this.store = store
    this.intoCopy = intoCopy
    this.from = from
    this.stamp = stampOf(store, from)
    this.members = store.members(from)
    this.begin(kept)
  }

  protected get count(): number {
    return this.members.length
  }

  get stale(): boolean {
    return stampOf(this.store, this.from) !== this.stamp
  }

  protected inFile(id: number): StoreMember {
    return this.members.at(id)!
  }

  protected keyInFile(id: number): string {
    return this.members.keyOf(id)
  }

  state(): ArchiveState {
    const open = this.store.openArchive(this.from)!
    const why = this.readOnly()
    const inCopy = why !== '' && whyReadOnly(this.store, open, true) === ''
    const { source, data, dataRef, peers } = open
    const files = [source, ...(dataRef ? [data] : []), ...peers.map((peer) => peer.source)]
    return {
      ref: this.ref,
      name: this.store.nameOf(this.ref),
      label: open.format.label,
      readOnly: inCopy ? '' : why,
      copyOnly: inCopy,
      damagedRecord: this.damagedRecord(),
      size: files.reduce((sum, { size }) => sum + size, 0),
      ...this.stepsState(),
      fresh: null,
    }
  }

  private damagedRecord(): string {
    const open = this.store.openArchive(this.from)!
    const files = [open.ref, open.dataRef, ...open.peers.map(({ ref }) => ref)].filter(Boolean)
    return damagedRecords(files.map((file) => realPath(this.store.diskFile(file))))[0] ?? ''
  }

  protected prove(step: ArchiveStep): void {
    if (step.kind === 'as') throw new FormatError('unsupported', say('archiveEdits.kindStays'), { file: this.ref })
    this.plan(true)
  }

  /** What the directory will say of a member, or (-1) of the archive. @throws FormatError not-found */
  node(id: number): StructureNode {
    const archive = this.planned()
    return archiveNode(archive, this.numberIn(archive, id))
  }

  /** @throws FormatError not-found */
  field(id: number, path: string): EditableField {
    const archive = this.planned()
    const why = archive.format.replaceFiles ? archive.format.readOnly : this.readOnly()
    return archiveField(archive, this.numberIn(archive, id), path, why ?? '')
  }

  private readOnly(): string {
    return whyReadOnly(this.store, this.store.openArchive(this.from)!, this.intoCopy())
  }

  /** The archive as it will be read. */
  private planned(): ReadArchive {
    return this.done === 0 ? this.store.openArchive(this.from)! : this.plan(true).after
  }

  /** Where a member will stand: some archives have an order of their own. */
  private numberIn({ index: { members } }: ReadArchive, id: number): number {
    if (id === WHOLE) return WHOLE
    this.expectThere([id])
    const at = this.wanted.order.indexOf(id)
    const name = memberKey(this.wanted.names.get(id) ?? this.inFile(id).name, 0)
    const fits = (member?: { name: string }): boolean => member !== undefined && memberKey(member.name, 0) === name
    if (fits(members.at(at))) return at
    let i = 0
    for (const member of members) {
      if (fits(member)) return i
      i++
    }
    return at
  }

  /** What a save writes. @param copy into another place, as which images of discs alone are changed @throws FormatError */
  plan(copy: boolean): PlannedChange {
    this.expectCurrent()
    const changes = this.changes()
    if (changes.length === 0) throw new FormatError('invalid-edit', say('archiveEdits.nothingPlanned'), { file: this.ref })
    // what is known holds the bodies that were put in
    if (this.total() > MOST_KNOWN) this.known = new KnownChanges()
    return planArchiveChange(this.store, this.from, changes, copy, this.total() > MOST_KNOWN ? undefined : this.known)
  }

  /** Bytes of files that are put in. */
  private total(): number {
    let sum = 0
    for (const body of this.wanted.bodies.values()) sum += this.bodies.size(body)
    return sum
  }

  /** The steps as few changes: each member is written once, whatever was done to it on the way. */
  private changes(): KeyedChange[] {
    const { order, names, bodies, fields, rebuild } = this.wanted
    const { count } = this
    const total = this.total()
    if (total > MOST_PUT)
      throw new FormatError('unsupported', say('files.tooLargeAtOnce', { size: total, most: MOST_PUT }), { file: this.ref })
    const there = new Uint8Array(count)
    const come: number[] = []
    for (const id of order)
      if (id < count) there[id] = 1
      else come.push(id)
    const [stay, gone]: [number[], Set<number>] = [[], new Set()]
    for (let id = 0; id < count; id++)
      if (there[id]) stay.push(id)
      else gone.add(id)
    const out: KeyedChange[] = []
    const put = (kind: ArchiveChange['kind'], told: unknown, make: () => ArchiveChange): void => {
      out.push({ key: `${kind} ${JSON.stringify(told)}`, make })
    }
    const replaced = [...bodies].filter(([id]) => id < count && there[id] === 1).sort((a, b) => a[0] - b[0])
    if (replaced.length > 0)
      put('put', replaced, () => {
        return { kind: 'put', bodies: new Map(replaced.map(([id, body]): [number, Uint8Array] => [id, this.bodies.read(body)])) }
      })
    if (gone.size > 0) put('remove', [...gone], () => ({ kind: 'remove', members: gone }))
    const renamed = new Map<number, string>()
    if (names.size > 0)
      stay.forEach((id, i) => {
        const name = names.get(id)
        if (name !== undefined) renamed.set(i, name)
      })
    if (renamed.size > 0) put('rename', [...renamed], () => ({ kind: 'rename', names: renamed }))
    const added = come.map((id) => ({ name: names.get(id)!, body: bodies.get(id)! }))
    if (added.length > 0)
      put('add', added, () => ({ kind: 'add', members: added.map(({ name, body }) => ({ name, bytes: this.bodies.read(body) })) }))
    const left = this.moved() ? [...stay, ...come] : []
    if (left.some((id, i) => order[i] !== id)) {
      const places = new Map(left.map((id, i): [number, number] => [id, i]))
      const wanted = order.map((id) => places.get(id)!)
      put('reorder', wanted, () => ({ kind: 'reorder', order: wanted }))
    }
    if (rebuild) put('rebuild', '', () => ({ kind: 'rebuild' }))
    // of the archive as all else leaves it
    const values = fields.map(({ id, path, value }) => ({ member: id === WHOLE ? WHOLE : order.indexOf(id), path, value }))
    if (values.length > 0) put('fields', values, () => ({ kind: 'fields', values }))
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
