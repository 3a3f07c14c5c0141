import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Library } from '../../src/main/library/library.ts'
import { QUAD, cat, hierarchy, hlod, mesh } from '../fixtures/w3d/chunks.ts'
import { emitter, light, sphere } from '../fixtures/w3d/objects.ts'

describe('effects', () => {
  it('are found among the files, by kind and name, and are no models of their own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marrow-effects-'))
    try {
      const hull = mesh({ meshName: 'HULL', ...QUAD })
      const files = {
        'walker.w3d': cat(
          hull,
          hlod('WALKER', 'WALKER_SKL', [
            {
              size: 1,
              objects: [
                [1, 'WALKER.HULL'],
                [2, 'WALKER.SMOKE'],
              ],
            },
          ]),
        ),
        'walker_skl.w3d': hierarchy(),
        'smoke.w3d': emitter(),
        'shield.w3d': sphere(),
        'lamp.w3d': light(),
      }
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
      const library = Library.open(folder, join(folder, 'index.db'))
      const report = await library.scan()
      expect([report.models, report.recognised]).toEqual([2, 5])
      const names = (kind: 'effect' | 'model' | 'skeleton', text = ''): string[] =>
        library.query({ show: 'files', kind, text, sort: 'name', offset: 0, limit: 10 }).rows.map((row) => row.name)
      expect([names('effect'), names('effect', 'smo'), names('model'), names('skeleton')]).toEqual([
        ['lamp.w3d', 'shield.w3d', 'smoke.w3d'],
        ['smoke.w3d'],
        ['walker.w3d'],
        ['walker_skl.w3d'],
      ])
      // the one that a model names opens with it, and no model takes the others
      expect(library.modelOf(join(folder, 'smoke.w3d')).map((model) => model.name)).toEqual(['walker'])
      expect(library.modelOf(join(folder, 'shield.w3d'))).toEqual([])
      library.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
