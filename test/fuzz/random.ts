/** Numbers that are the same for the same seed: a case is found again by its number. */
export class Random {
  private state: number

  constructor(...seeds: number[]) {
    let h = 0x9e3779b9
    for (const seed of seeds) {
      h = Math.imul(h ^ (seed | 0), 0x85ebca6b)
      h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
      h ^= h >>> 16
    }
    this.state = h >>> 0 || 1
  }

  u32(): number {
    let s = this.state
    s ^= s << 13
    s ^= s >>> 17
    s ^= s << 5
    this.state = s >>> 0
    return this.state
  }
  /** 0 .. n-1 */
  below(n: number): number {
    return n > 0 ? this.u32() % n : 0
  }
  /** small numbers more often than large ones, at most n */
  small(n: number): number {
    return Math.floor(n ** ((this.u32() % 1000) / 1000))
  }
  chance(one: number): boolean {
    return this.below(one) === 0
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]
  }
}
