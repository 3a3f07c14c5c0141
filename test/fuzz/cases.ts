/** Cases by number: the same seed, format and number give the same bytes. */
import { dirname } from 'node:path'
import { mutate, sweep, sweepSize } from './mutate.ts'
import { Random } from './random.ts'
import { collectSeeds } from './seeds.ts'
import type { Seed } from './seeds.ts'

export interface Case {
  seed: Seed
  bytes: Uint8Array
  siblings: Seed[]
  gltf: boolean
}

export class Cases {
  readonly seeds: Seed[]
  private readonly chosen: Seed[]
  private readonly number: number
  private readonly sweeps: { seed: Seed; size: number }[]
  private readonly total: number

  constructor(number: number, format: string | undefined, seeds: Seed[] = collectSeeds()) {
    this.seeds = seeds
    this.number = number
    this.chosen = this.seeds.filter((seed) => !format || seed.format === format || seed.format.startsWith(`${format}.`))
    this.sweeps = this.chosen.filter((seed) => seed.bytes.length <= 16_384).map((seed) => ({ seed, size: sweepSize(seed.bytes) }))
    this.total = this.sweeps.reduce((sum, s) => sum + s.size, 0)
  }

  get count(): number {
    return this.chosen.length
  }

  get(n: number): Case {
    const random = new Random(this.number, n)
    let seed: Seed
    let bytes: Uint8Array
    if (n % 2 === 1 && this.total > 0) {
      // a prime step goes through all places of all small files before one comes again
      let at = Number((BigInt(n >> 1) * 2_147_483_647n + BigInt(this.number)) % BigInt(this.total))
      let i = 0
      while (at >= this.sweeps[i].size) at -= this.sweeps[i++].size
      seed = this.sweeps[i].seed
      bytes = sweep(seed.bytes, at)
    } else {
      // large files are slow: small ones more often
      seed = random.pick(this.chosen)
      for (let k = 0; k < 4 && seed.bytes.length > 32_768; k++) seed = random.pick(this.chosen)
      bytes = mutate(seed, this.seeds, random)
    }
    return { seed, bytes, siblings: this.siblings(seed), gltf: random.chance(8) }
  }

  /** What stands around a file, as far as binders look. */
  private siblings(seed: Seed): Seed[] {
    const folder = dirname(seed.path)
    const top = seed.path.split('/').slice(0, 2).join('/')
    const near = this.seeds.filter((s) => s !== seed && !s.archive && dirname(s.path) === folder).slice(0, 24)
    const far = this.seeds
      .filter((s) => s !== seed && !s.archive && s.path.startsWith(`${top}/`) && dirname(s.path) !== folder)
      .slice(0, 12)
    return [...near, ...far]
  }
}
