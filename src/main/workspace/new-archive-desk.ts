/** An archive that is not there yet: its kind and its members are steps like any other, and nothing is written before it is saved somewhere. */
import { FormatError } from '../binary/format-error.ts'
import { NEW_ARCHIVE } from '../../shared/api/types/archive.ts'
import { archiveMakers, makerOf, newName, planNewArchive, proveNewArchive } from './archive-new.ts'
import { ArchiveSteps } from './archive-steps.ts'
import type { ArchiveState, ArchiveStep } from '../../shared/api/types/archive.ts'
import type { FileStore } from '../files/store.ts'
import type { NewFile, PlannedArchive } from './archive-new.ts'
import type { DeskBodies, KeptSteps } from './archive-steps.ts'
import { say } from '../../shared/texts/say.ts'

export class NewArchiveDesk extends ArchiveSteps {
  readonly from = NEW_ARCHIVE
  readonly stamp = ''
  readonly stale = false
  protected readonly count = 0
  private readonly store: FileStore

  constructor(store: FileStore, bodies: DeskBodies, kept?: KeptSteps) {
    super(NEW_ARCHIVE, bodies)
    this.store = store
    this.begin(kept)
  }

  protected inFile(id: number): never {
    throw new FormatError('not-found', say('formats.missing.member', { name: String(id) }), { file: this.ref })
  }

  protected keyInFile(id: number): never {
    return this.inFile(id)
  }

  state(): ArchiveState {
    const maker = this.maker()
    const name = newName(maker)
    const kinds = archiveMakers(this.store.registry).map(({ id, label, limits }) => ({ id, label, limits }))
    return {
      ref: this.ref,
      name,
      label: maker.label,
      readOnly: '',
      copyOnly: false,
      damagedRecord: '',
      size: this.wanted.order.reduce((sum, id) => sum + this.bodies.size(this.wanted.bodies.get(id)!), 0),
      ...this.stepsState(),
      fresh: { kind: maker.id, kinds },
    }
  }

  protected prove(step: ArchiveStep): void {
    if (step.kind === 'field') throw new FormatError('unsupported', say('archiveEdits.notSaved'), { file: this.ref })
    if (step.kind === 'rebuild') throw new FormatError('unsupported', say('archiveEdits.plan.compact'), { file: this.ref })
    // the place is chosen last; what can be said before is said of one that nobody writes to
    const maker = this.maker()
    const files = this.files()
    if (files.length > 0) proveNewArchive(this.store, maker, newName(maker), files)
  }

  /** What a save writes. @param out '' where the place is not chosen yet @throws FormatError */
  plan(out: string): PlannedArchive {
    const files = this.files()
    if (files.length === 0) throw new FormatError('invalid-edit', say('archiveEdits.nothingPlanned'), { file: this.ref })
    const maker = this.maker()
    return out === '' ? proveNewArchive(this.store, maker, newName(maker), files) : planNewArchive(this.store, maker, out, files)
  }

  /** The bytes are still those that were given. @throws FormatError io */
  expectBodies(): void {
    for (const body of new Set(this.wanted.bodies.values())) this.bodies.read(body)
  }

  private maker(): ReturnType<typeof makerOf> {
    const { kind } = this.wanted
    return kind === '' ? archiveMakers(this.store.registry)[0] : makerOf(this.store.registry, '', kind)
  }

  private files(): NewFile[] {
    return this.wanted.order.map((id) => ({ name: this.nameOf(id), ref: this.bodies.file(this.wanted.bodies.get(id)!) }))
  }
}
