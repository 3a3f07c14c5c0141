/** The members of a BIG archive, asked for by the ten thousand. */
import { HASH_START, HashColumns, hashOf, hashStep, LazyList } from '../../../binary/lazy-list.ts'
import { structural } from '../../../binary/field-use.ts'
import { record, u32be } from '../../../binary/layout.ts'
import { memberKey } from '../../../../shared/ref.ts'
import type { Stepwise } from '../../../../shared/stepwise.ts'
import type { ArchiveMember, MemberColumns } from '../../archive.ts'

/** An entry up to its name. */
export const ENTRY = record({ offset: structural(u32be, 'body'), size: structural(u32be, 'body') })
// entries are asked where they stand
const OFFSET_AT = ENTRY.at.offset
const SIZE_AT = ENTRY.at.size
const NAME_AT = ENTRY.size

/** names that are compared in one step */
const MANY = 4096

/** A member whose name is read when somebody asks for it: who goes through all of them mostly wants their places. */
class BigMember implements ArchiveMember {
  readonly offset: number
  readonly size: number
  readonly duplicate: number
  private readonly all: BigMembers
  private readonly number: number

  constructor(all: BigMembers, number: number) {
    this.offset = all.offset(number)
    this.size = all.size(number)
    this.duplicate = all.duplicate(number)
    this.all = all
    this.number = number
  }

  get name(): string {
    return this.all.name(this.number)
  }

  get rawName(): Uint8Array {
    return this.all.rawName(this.number)
  }
}

/** The entries of the table as they are stored; a member's object, and its name, are made when somebody asks for them. */
export class BigMembers extends LazyList<ArchiveMember> implements MemberColumns {
  readonly length: number
  private readonly table: Buffer
  private readonly view: DataView
  private readonly starts: Float64Array
  /** of the names as they are compared */
  private readonly hashes: Uint32Array
  /** members whose name a later one has, by their number: the game puts all into one table by name, so that the last counts [E] */
  private readonly duplicates = new Map<number, number>()
  /** numbers of members of one name, in their order */
  readonly twins: number[][] = []

  /** @param starts of the entries in the table, and its end */
  static *reading(table: Uint8Array, starts: Float64Array): Stepwise<BigMembers> {
    const members = new BigMembers(table, starts)
    yield* members.countDuplicates()
    return members
  }

  private constructor(table: Uint8Array, starts: Float64Array) {
    super()
    this.table = Buffer.from(table.buffer, table.byteOffset, table.length)
    this.view = new DataView(table.buffer, table.byteOffset, table.length)
    this.starts = starts
    this.length = starts.length - 1
    this.hashes = new Uint32Array(this.length)
  }

  get columns(): MemberColumns {
    return this
  }

  /** of its entry in the table */
  start(i: number): number {
    return this.starts[i]
  }

  offset(i: number): number {
    return this.view.getUint32(this.starts[i] + OFFSET_AT, false)
  }

  size(i: number): number {
    return this.view.getUint32(this.starts[i] + SIZE_AT, false)
  }

  name(i: number): string {
    return this.table.toString('latin1', this.starts[i] + NAME_AT, this.starts[i + 1] - 1)
  }

  /** names are compared as keys are */
  nameHash(i: number): number {
    return this.hashes[i]
  }

  keyHash(i: number): number {
    const duplicate = this.duplicate(i)
    return duplicate === 0 ? this.hashes[i] : hashOf(memberKey(this.name(i), duplicate).toLowerCase())
  }

  /** as stored, with its end: a view of the table */
  rawName(i: number): Uint8Array {
    const start = this.starts[i] + NAME_AT
    return new Uint8Array(this.table.buffer, this.table.byteOffset + start, this.starts[i + 1] - start)
  }

  duplicate(i: number): number {
    return this.duplicates.get(i) ?? 0
  }

  protected make(i: number): ArchiveMember {
    return new BigMember(this, i)
  }

  private *countDuplicates(): Stepwise<void> {
    const first = new HashColumns(this.length)
    const more = new Map<number, number[]>()
    for (let i = 0; i < this.length; i++) {
      if (i % MANY === 0) yield 0.5 + i / this.length / 2
      let hash = HASH_START
      // without its NUL
      for (let at = this.starts[i] + NAME_AT; at < this.starts[i + 1] - 1; at++) hash = hashStep(hash, FOLDED[this.table[at]])
      this.hashes[i] = hash
      let slot = first.slot(hash)
      while (slot >= 0 && !this.sameName(first.number(slot), i)) slot = first.slot(hash, slot)
      if (slot < 0) first.put(hash, i)
      else {
        const group = more.get(first.number(slot))
        if (group) group.push(i)
        else more.set(first.number(slot), [first.number(slot), i])
      }
    }
    for (const group of more.values()) {
      group.forEach((i, k) => this.duplicates.set(i, group.length - 1 - k))
      this.twins.push(group)
    }
  }

  private sameName(a: number, b: number): boolean {
    const length = this.starts[a + 1] - this.starts[a]
    if (this.starts[b + 1] - this.starts[b] !== length) return false
    for (let k = NAME_AT; k < length; k++)
      if (FOLDED[this.table[this.starts[a] + k]] !== FOLDED[this.table[this.starts[b] + k]]) return false
    return true
  }
}

/** Names are the same without regard to case and kind of slash. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase()
  return lower === '\\' ? 0x2f : lower.charCodeAt(0)
})
