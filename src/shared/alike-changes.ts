/** Of what two versions made of one original, what both made alike. */
import type { ComparedChange, ComparedFile } from './api/types/compare.ts'

export interface ChangesOfTwo {
  alike: ComparedChange[]
  a: ComparedChange[]
  b: ComparedChange[]
}

const keyOf = ({ path, key, before, after, whole, moved, offset, bytes }: ComparedChange): string =>
  JSON.stringify([path, key, before, after, whole, moved, offset, bytes])

/** Each change is in one of the lists, in the order of its file. Where a file that came or went lists none there are none. */
export function changesOfTwo(byA: ComparedFile | undefined, byB: ComparedFile | undefined): ChangesOfTwo {
  const [a, b] = [byA?.changes ?? [], byB?.changes ?? []]
  const inB = new Set(b.map(keyOf))
  const both = new Set(a.map(keyOf).filter((key) => inB.has(key)))
  const own = (list: readonly ComparedChange[]): ComparedChange[] => list.filter((change) => !both.has(keyOf(change)))
  return { alike: a.filter((change) => both.has(keyOf(change))), a: own(a), b: own(b) }
}
