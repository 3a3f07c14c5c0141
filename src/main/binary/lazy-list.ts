/** A list that holds no object for an element: each is made when it is asked for. */
export abstract class LazyList<T> implements Iterable<T> {
  abstract readonly length: number

  /** @param index 0 to length - 1 */
  protected abstract make(index: number): T

  at(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.make(index) : undefined
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.length; i++) yield this.make(i)
  }

  map<U>(make: (element: T, index: number) => U): U[] {
    return Array.from({ length: this.length }, (_, i) => make(this.make(i), i))
  }

  find(wanted: (element: T, index: number) => boolean): T | undefined {
    for (let i = 0; i < this.length; i++) {
      const element = this.make(i)
      if (wanted(element, i)) return element
    }
    return undefined
  }

  slice(start: number, end = this.length): T[] {
    const out: T[] = []
    for (let i = start; i < Math.min(end, this.length); i++) out.push(this.make(i))
    return out
  }
}

/** A hash table in typed arrays (open addressing): from the hash of a text to numbers. The texts themselves stay with the owner. */
export class HashColumns {
  private readonly slots: Int32Array
  private readonly hashes: Uint32Array
  private readonly mask: number

  /** @param most numbers that are put in: 0 to most - 1, each at most once */
  constructor(most: number) {
    let size = 16
    while (size < 2 * most) size *= 2
    this.mask = size - 1
    this.slots = new Int32Array(size).fill(-1)
    this.hashes = new Uint32Array(most)
  }

  /** @returns the first slot with a number of this hash, in the order in which they were put in, -1 for none; `after` is the slot before it */
  slot(hash: number, after = -1): number {
    for (let at = after < 0 ? hash & this.mask : (after + 1) & this.mask; this.slots[at] >= 0; at = (at + 1) & this.mask)
      if (this.hashes[this.slots[at]] === hash) return at
    return -1
  }

  number(slot: number): number {
    return this.slots[slot]
  }

  put(hash: number, number: number): void {
    let at = hash & this.mask
    while (this.slots[at] >= 0) at = (at + 1) & this.mask
    this.slots[at] = number
    this.hashes[number] = hash
  }
}

/** A step of a hash, 32 bits. */
export function hashStep(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x01000193)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** A random seed for each run: nobody can make up names that all fall into one slot. */
export const HASH_START = crypto.getRandomValues(new Uint32Array(1))[0]

export function hashOf(text: string): number {
  let hash = HASH_START
  for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i))
  return hash
}
