import { describe, expect, it } from 'vitest'
import { registry } from '../../src/main/formats/registry.ts'
import { Cases } from './cases.ts'
import { check } from './check.ts'
import { collectSeeds } from './seeds.ts'

const seeds = collectSeeds({ corpus: false, largest: 50_000 })
const ids = [
  ...registry.families.flatMap((family) => [...family.formats, ...family.archives].map((format) => format.id)),
  'common.dds',
  'common.tga',
]

describe('damaged files of every format', () => {
  // npm run fuzz goes through many more, in a worker that is ended when one hangs
  it.each(ids)('%s: typed errors, the same bytes again, and a scene without holes', async (id) => {
    const cases = new Cases(20260, id, seeds)
    expect(cases.count, 'sound files of this format').toBeGreaterThan(0)
    const findings: string[] = []
    for (let n = 0; n < 50; n++) {
      const { seed, bytes, siblings, gltf } = cases.get(n)
      for (const finding of (await check(seed, bytes, siblings, { gltf })).findings)
        findings.push(`case ${n} of ${seed.path}: ${finding.kind} in ${finding.stage}: ${finding.message}`)
    }
    expect(findings).toEqual([])
  })
})
