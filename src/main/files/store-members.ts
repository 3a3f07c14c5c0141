/** Members of an open archive by their keys; an object is made for a member when somebody asks for it. */
import { HASH_START, HashColumns, hashOf, LazyList } from '../binary/lazy-list.ts'
import { memberKey, memberRef } from '../../shared/ref.ts'
import type { Stepwise } from '../../shared/stepwise.ts'
import type { ArchiveIndex } from '../formats/archive.ts'

export interface StoreMember {
  ref: string
  /** as in the reference: separators are `/`, duplicates numbered */
  key: string
  /** last part of the key */
  name: string
  /** number in ArchiveIndex.members */
  index: number
  offset: number
  size: number
}

/** Members whose names are put into the table in one step. */
const MANY = 2048

export class StoreMembers extends LazyList<StoreMember> {
  readonly length: number
  private readonly archive: string
  private readonly index: ArchiveIndex
  /** by keys in lower case */
  private readonly table: HashColumns
  /** keys that are not what name and number make */
  private readonly renamed = new Map<number, string>()

  private constructor(archive: string, index: ArchiveIndex) {
    super()
    this.archive = archive
    this.index = index
    this.length = index.members.length
    this.table = new HashColumns(this.length)
  }

  /** @param told where the body of each member stands */
  static *listing(archive: string, index: ArchiveIndex, told: (offset: number, size: number) => void): Stepwise<StoreMembers> {
    const members = new StoreMembers(archive, index)
    yield* members.list(told)
    return members
  }

  private *list(told: (offset: number, size: number) => void): Stepwise<void> {
    const { columns } = this.index.members
    for (let i = 0; i < this.length; i++) {
      if (i % MANY === 0) yield i / this.length
      if (columns) {
        told(columns.offset(i), columns.size(i))
        this.put(i, columns.keyHash(i))
      } else {
        const member = this.index.members.at(i)!
        told(member.offset, member.size)
        this.put(i, hashOf(this.keyOf(i, member).toLowerCase()))
      }
    }
  }

  private put(i: number, hash: number): void {
    if (hash === HASH_START && this.keyOf(i) === '') hash = this.rename(i, `#${i + 1}`)
    // a member may be called like the number that another one got
    if (this.table.slot(hash) >= 0) {
      const key = this.keyOf(i)
      if (this.numbersOf(key).exact >= 0) hash = this.rename(i, `${key}#${i + 1}`)
    }
    this.table.put(hash, i)
  }

  /** @returns the hash of its new key */
  private rename(i: number, key: string): number {
    this.renamed.set(i, key)
    return hashOf(key.toLowerCase())
  }

  /** The member with this key, or the first whose key differs in case only. */
  byKey(key: string): StoreMember | undefined {
    const { exact, alike } = this.numbersOf(key)
    return this.at(exact >= 0 ? exact : alike)
  }

  /** @param prefix in lower case, with its `/` @returns the first folder of this name as it is spelled */
  folder(prefix: string): string | undefined {
    for (let i = 0; i < this.length; i++) {
      const key = this.keyOf(i)
      if (key.toLowerCase().startsWith(prefix)) return key.slice(0, prefix.length - 1)
    }
    return undefined
  }

  protected make(i: number): StoreMember {
    const member = this.index.members.at(i)!
    const key = this.keyOf(i, member)
    const { offset, size } = member
    return { ref: memberRef(this.archive, key), key, name: lastPart(key), index: i, offset, size }
  }

  /** of the member of this number, alone */
  keyOf(i: number, { name, duplicate } = this.index.members.at(i)!): string {
    return this.renamed.get(i) ?? memberKey(name, duplicate)
  }

  private numbersOf(key: string): { exact: number; alike: number } {
    const lower = key.toLowerCase()
    const hash = hashOf(lower)
    let alike = -1
    for (let slot = this.table.slot(hash); slot >= 0; slot = this.table.slot(hash, slot)) {
      const found = this.keyOf(this.table.number(slot))
      if (found === key) return { exact: this.table.number(slot), alike }
      if (alike < 0 && found.toLowerCase() === lower) alike = this.table.number(slot)
    }
    return { exact: -1, alike }
  }
}

/** Of a key, without its folders. */
export function lastPart(key: string): string {
  const trimmed = key.replace(/\/+$/, '')
  return trimmed.slice(trimmed.lastIndexOf('/') + 1) || key
}
