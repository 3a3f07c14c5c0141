/** Every motion of real files onto the figure that it is of: no key is written, and no byte differs. */
import { afterAll, expect, it } from 'vitest'
import { animationNames } from '../../src/shared/scene/animation-names.ts'
import { describeCorpus } from '../support/corpus.ts'
import { modelRows, scanned, serviceBenches } from '../support/service-bench.ts'

const start = serviceBenches(afterAll)

describeCorpus('.', (root) => {
  it('a model onto itself changes nothing, with any of its clips and slices', { timeout: 240_000 }, async () => {
    const { call } = start()
    const library = await scanned(call, root)
    const asked = new Map<string, number>()
    // what many figures share is asked for with one of them
    const seen = new Set<string>()
    for (const { ref, family } of await modelRows(call, library)) {
      const { info, scene } = await call('model.open', { ref, library })
      const model = info.id
      // of several with one name the first is meant
      const names = new Map<string, string>()
      const called = animationNames(scene)
      for (const kind of ['slices', 'clips'] as const)
        for (const [i, { source }] of scene.skeleton.count > 0 ? scene[kind].entries() : [])
          if (!names.has(called[kind][i])) names.set(called[kind][i], `${source.ref}#${source.path}`)
      for (const [clip, place] of names) {
        if (seen.has(place)) continue
        seen.add(place)
        const { report } = await call('retarget.apply', { model, source: model, clip, into: clip })
        expect(report, `${ref} ${clip}`).toMatchObject({ score: 1, changed: [], keysWritten: 0, keysRemoved: 0, made: false })
        asked.set(family, (asked.get(family) ?? 0) + 1)
      }
      expect((await call('model.scene', { model })).info.dirty, ref).toBe(false)
      expect(await call('model.changes', { model }), ref).toEqual([])
      await call('model.close', { model })
    }
    expect([...asked.keys()].sort()).toEqual(['level5', 'lostsaga', 'renderware', 'w3d'])
  })
})
