/**
 * Models as binders give them, until there are all: they go into the index in one go, and binders ask the disk, which must not happen while the index is
 * locked. Very many wait in a file beside the index.
 */
import { appendFileSync, closeSync, openSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { dropTemporary, newTemporary, sweepFolder } from '../files/temporaries.ts'
import { sharing } from '../formats/sharing.ts'
import type { FamilyId } from '../../shared/api/types/family.ts'
import type { ModelBinding, ModelMember } from '../formats/binding.ts'

/** Members that are held at a time, about 30 MB. */
const MOST_HELD = 100_000

/** The models of one folder. */
export interface BoundFolder {
  folder: string
  models: readonly ModelBinding[]
}

/** A binding as it is written: what several have is one array in one go. */
interface Plain {
  family: FamilyId
  name: string
  primary: string
  own: ModelMember[]
  shared: ModelMember[][]
}

export class BoundModels {
  private readonly file: string | undefined
  private readonly most: number
  private held: BoundFolder[] = []
  private members = 0
  /** lengths of what waits in the file */
  private readonly waiting: number[] = []

  /** @param index its file, '' for none: then all are held */
  constructor(index: string, most = MOST_HELD) {
    this.most = most
    if (index === '') return
    sweepFolder(dirname(index))
    this.file = newTemporary(dirname(index), basename(index))
  }

  add(folder: string, models: readonly ModelBinding[]): void {
    if (models.length === 0) return
    this.held.push({ folder, models })
    const lists = new Set<readonly ModelMember[]>()
    for (const model of models) {
      this.members += ownMembers(model).length
      for (const list of model.apart?.shared ?? []) lists.add(list)
    }
    for (const list of lists) this.members += list.length
    if (this.file !== undefined && this.members > this.most) this.putAway(this.file)
  }

  /** In the order in which they came. */
  *all(): Generator<BoundFolder> {
    if (this.file !== undefined && this.waiting.length > 0) {
      const fd = openSync(this.file, 'r')
      try {
        for (const length of this.waiting) {
          const bytes = Buffer.alloc(length)
          for (let done = 0; done < length;) {
            const got = readSync(fd, bytes, done, length - done, null)
            if (got === 0) throw new Error(`${this.file} became shorter`)
            done += got
          }
          yield* (deserialize(bytes) as (Omit<BoundFolder, 'models'> & { models: Plain[] })[]).map(({ models, ...rest }) => ({
            ...rest,
            models: models.map(({ own, shared, ...model }) => sharing(model, own, shared)),
          }))
        }
      } finally {
        closeSync(fd)
      }
    }
    yield* this.held
  }

  close(): void {
    if (this.waiting.length > 0) dropTemporary(this.file!)
  }

  private putAway(file: string): void {
    const plain = this.held.map(({ models, ...rest }) => ({
      ...rest,
      models: models.map((model) => {
        const { family, name, primary, apart } = model
        return { family, name, primary, own: ownMembers(model), shared: apart?.shared ?? [] }
      }),
    }))
    const bytes = serialize(plain)
    appendFileSync(file, bytes, { mode: 0o600 })
    this.waiting.push(bytes.length)
    this.held = []
    this.members = 0
  }
}

/** All of its members together are what is not to be made here. */
function ownMembers(model: ModelBinding): readonly ModelMember[] {
  return model.apart?.own ?? model.members
}
