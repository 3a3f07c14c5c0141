/**
 * Steps that are planned in an archive and not written yet, and what they leave of its members. Members are known by ids that stay: numbers of
 * the file's own, and behind those of what was added.
 */
import { FormatError } from '../binary/format-error.ts'
import { nameFilter } from '../../shared/name-filter.ts'
import { memberKey } from '../../shared/ref.ts'
import type { ArchiveRow, ArchiveState, ArchiveStep } from '../../shared/api/types/archive.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import { WHOLE } from './archive-fields.ts'
import { say } from '../../shared/texts/say.ts'

/** Files that steps put in, by what `put` answered. */
export interface DeskBodies {
  read(body: string): Uint8Array
  size(body: string): number
  /** where it stands on disk */
  file(body: string): string
}

/** Steps of an earlier run. */
export interface KeptSteps {
  steps: ArchiveStep[]
  done: number
}

type FieldStep = Extract<ArchiveStep, { kind: 'field' }>

/** What the steps leave. */
interface Wanted {
  /** ids in their order */
  order: number[]
  /** names that differ from the file's, and those of members that were added */
  names: Map<number, string>
  bodies: Map<number, string>
  /** fields of the directory, the last value of each */
  fields: FieldStep[]
  rebuild: boolean
  /** kind of a new archive, '' where none was asked for */
  kind: string
}

/** Names that are looked at in one step. */
const MANY = 4096

/** Ids that are sought one by one rather than in a set that has to be made. */
const FEW = 16

const NOTHING: Wanted = { order: [], names: new Map(), bodies: new Map(), fields: [], rebuild: false, kind: '' }

export abstract class ArchiveSteps {
  readonly ref: string
  steps: ArchiveStep[] = []
  /** steps that count; the others can be done again */
  done = 0
  /** what tells the archive's files from other versions of them */
  abstract readonly stamp: string
  /** the archive that is read: the copy in the mod folder where there is one */
  abstract readonly from: string
  protected readonly bodies: DeskBodies
  protected wanted = NOTHING
  private found: { filter: string; ids: number[] } | undefined

  constructor(ref: string, bodies: DeskBodies) {
    this.ref = ref
    this.bodies = bodies
  }

  /** Its files are not those any more that the steps were made for. */
  abstract get stale(): boolean
  /** members of the file as it is */
  protected abstract get count(): number
  protected abstract inFile(id: number): { key: string; size: number }
  protected abstract keyInFile(id: number): string
  /** @throws FormatError for what the archive cannot hold as it is planned */
  protected abstract prove(step: ArchiveStep): void
  abstract state(): ArchiveState

  /** To be called once what is read is known. */
  protected begin({ steps, done }: KeptSteps = { steps: [], done: 0 }): void {
    this.steps = steps
    this.set(done)
  }

  /** What a state says of the steps. */
  protected stepsState(): Pick<ArchiveState, 'members' | 'steps' | 'undo' | 'redo' | 'stale'> {
    return {
      members: this.wanted.order.length,
      steps: this.done,
      undo: this.done > 0 ? labelOf(this.steps[this.done - 1]) : '',
      redo: this.done < this.steps.length ? labelOf(this.steps[this.done]) : '',
      stale: this.stale,
    }
  }

  *rows(filter: string, offset: number, limit: number): Stepwise<{ total: number; rows: ArchiveRow[] }> {
    const ids = yield* this.ids(filter)
    return { total: ids.length, rows: ids.slice(offset, offset + limit).map((id) => this.row(id)) }
  }

  /** Ids of the members whose names a filter means, in their order. */
  private *ids(filter: string): Stepwise<number[]> {
    const { wanted } = this
    if (filter.trim() === '') return wanted.order
    if (this.found?.filter === filter) return this.found.ids
    const fits = nameFilter(filter)
    const ids: number[] = []
    for (const [i, id] of wanted.order.entries()) {
      if (i % MANY === 0) yield i / wanted.order.length
      if (fits(this.nameOf(id))) ids.push(id)
    }
    // others change what is planned between two steps: what is found is of one state
    if (this.wanted !== wanted) return yield* this.ids(filter)
    this.found = { filter, ids }
    return ids
  }

  /** Names in the file as it is, of members that are in it. @throws FormatError not-found */
  namesInFile(ids: readonly number[]): string[] {
    this.expectThere(ids)
    return ids.flatMap((id) => (id < this.count ? [this.keyInFile(id)] : []))
  }

  protected nameOf(id: number): string {
    return this.wanted.names.get(id) ?? this.keyInFile(id)
  }

  private row(id: number): ArchiveRow {
    const { names, bodies, fields } = this.wanted
    const body = bodies.get(id)
    const old = id < this.count ? this.inFile(id) : undefined
    return {
      id,
      name: this.nameOf(id),
      size: body === undefined ? old!.size : this.bodies.size(body),
      state: !old
        ? 'new'
        : body !== undefined
          ? 'replaced'
          : names.has(id)
            ? 'renamed'
            : fields.some((one) => one.id === id)
              ? 'fields'
              : 'same',
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
      this.prove(step)
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

  protected expectCurrent(): void {
    if (this.stale) throw new FormatError('changed-on-disk', say('archiveEdits.stale'), { file: this.from })
  }

  protected expectThere(ids: readonly number[]): void {
    if (ids.length === 0) return
    const { order } = this.wanted
    // few are looked for, of very many
    const there = ids.length > FEW ? new Set(order) : undefined
    const missing = ids.find((id) => !(there ? there.has(id) : order.includes(id)))
    if (missing !== undefined)
      throw new FormatError('not-found', say('formats.missing.member', { name: String(missing) }), { file: this.ref })
  }

  private replay(done: number): Wanted {
    const wanted: Wanted = {
      ...NOTHING,
      order: Array.from({ length: this.count }, (_, i) => i),
      names: new Map(),
      bodies: new Map(),
      fields: [],
    }
    let next = this.count
    for (const step of this.steps.slice(0, done)) next = apply(wanted, step, next, this.count, (id) => this.keyInFile(id))
    return wanted
  }
}

function idsOf(step: ArchiveStep): readonly number[] {
  if ('ids' in step) return step.kind === 'move' && step.before >= 0 ? [...step.ids, step.before] : step.ids
  return 'id' in step && step.id !== WHOLE ? [step.id] : []
}

/** @returns the next id */
function apply(wanted: Wanted, step: ArchiveStep, next: number, count: number, inFile: (id: number) => string): number {
  if (step.kind === 'rebuild') wanted.rebuild = true
  else if (step.kind === 'as') wanted.kind = step.format
  else if (step.kind === 'replace') wanted.bodies.set(step.id, step.body)
  else if (step.kind === 'field') {
    wanted.fields = [...wanted.fields.filter(({ id, path }) => id !== step.id || path !== step.path), step]
  } else if (step.kind === 'rename') {
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
      wanted.fields = wanted.fields.filter(({ id }) => !ids.has(id))
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
  if (step.kind === 'field') return say('archiveEdits.steps.field', { field: step.path })
  if (step.kind === 'as') return say('archiveEdits.steps.as')
  return say(step.kind === 'replace' ? 'archiveEdits.steps.replace' : 'archiveEdits.steps.rebuild')
}
