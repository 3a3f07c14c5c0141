/**
 * The nearest of very many files without looking at all of them. Game folders that were unpacked again and again hold
 * one file a thousand times; of files with one name only the nearest few can be meant.
 */
import { nearestFirst, stepsApart } from '../files/memory-neighbourhood.ts'
import { partsOf } from '../../shared/ref.ts'
import type { BindFile } from '../formats/binding.ts'

/** Of files with one name, as many are given. */
export const MOST_COPIES = 8
/** Files in one answer; what stands in the very folder that is asked for is all given. */
export const MOST_CANDIDATES = 1000
const MOST_CHAINS = 100_000

/** Files of one name, so many that they are found from where one stands: per folder the ones highest up below it. */
interface Crowd {
  total: number
  /** folder, as `parts` joined -> the first MOST_COPIES files at or below it, by depth */
  below: Map<string, BindFile[]>
}

export class Nearby {
  /** files of names with few copies */
  private readonly few: BindFile[] = []
  private readonly crowds: Crowd[] = []
  /** for caches: references held */
  readonly weight: number

  private readonly chains: Chains

  /** @param files in the order that decides between equally near ones */
  constructor(files: readonly BindFile[], chains: Chains = new Chains()) {
    this.chains = chains
    let weight = files.length
    const names = new Map<string, BindFile[]>()
    for (const file of files) {
      const key = file.name.toLowerCase()
      const list = names.get(key)
      if (list) list.push(file)
      else names.set(key, [file])
    }
    for (const list of names.values()) {
      if (list.length <= MOST_COPIES) {
        for (const file of list) this.few.push(file)
        continue
      }
      const below = new Map<string, BindFile[]>()
      const depths = new Map(list.map((file) => [file, chains.of(file.folder).length]))
      for (const file of [...list].sort((a, b) => depths.get(a)! - depths.get(b)!)) {
        for (const folder of chains.of(file.folder)) {
          const first = below.get(folder)
          if (!first) below.set(folder, [file])
          else if (first.length < MOST_COPIES) first.push(file)
        }
      }
      weight += 2 * below.size
      this.crowds.push({ total: list.length, below })
    }
    this.weight = weight
  }

  /** Names of which not all files are given, and how many there are. */
  crowded(): [string, number][] {
    return this.crowds.map(({ total, below }) => [below.get('')![0].name.toLowerCase(), total])
  }

  /** Nearest first, equally near ones by reference. */
  from(near: string): BindFile[] {
    const found = [...this.few]
    if (this.crowds.length > 0) {
      const chain = this.chains.of(near)
      for (const { below } of this.crowds) {
        // the nearest are among the first below each folder on the way up: what is further down is further away
        const candidates = new Set<BindFile>()
        for (const folder of chain) for (const file of below.get(folder) ?? []) candidates.add(file)
        for (const file of nearestFirst([...candidates], near).slice(0, MOST_COPIES)) found.push(file)
      }
    }
    const sorted = nearestFirst(found, near)
    if (sorted.length <= MOST_CANDIDATES) return sorted
    // what stands beside it is never left out
    let most = MOST_CANDIDATES
    while (most < sorted.length && stepsApart(sorted[most].folder, near) === 0) most++
    return sorted.slice(0, most)
  }
}

/** A folder and those around it, innermost first; '' is around everything. Each is one string, however many ask. */
export class Chains {
  private readonly known = new Map<string, readonly string[]>()

  of(folder: string): readonly string[] {
    const known = this.known.get(folder)
    if (known) return known
    const parts = partsOf(folder.toLowerCase())
    const parent = parts.length > 0 ? this.of(parts.slice(0, -1).join('/')) : []
    const chain = [parts.map((part) => `/${part}`).join(''), ...parent]
    if (this.known.size >= MOST_CHAINS) this.known.clear()
    this.known.set(folder, chain)
    return chain
  }
}
