/**
 * Motions of real files: onto the figure that each is of, where no key is written and no byte differs, and onto figures of other games, whose soles go
 * into the floor no deeper.
 */
import { afterAll, expect, it } from 'vitest'
import { exportedRest } from '../../src/main/interchange/exported-rest.ts'
import { findWindow } from '../../src/main/services/retarget-clip.ts'
import { legLength } from '../../src/shared/motion/body.ts'
import { figureOf, partsOfMatrices } from '../../src/shared/motion/figure.ts'
import { frameOf } from '../../src/shared/motion/motion.ts'
import { prepareRetarget } from '../../src/shared/motion/retarget.ts'
import { floorOf, solesOf, soleTracks } from '../../src/shared/motion/soles.ts'
import { animationNames } from '../../src/shared/scene/animation-names.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { describeCorpus } from '../support/corpus.ts'
import { modelRows, scanned, scannedSample, serviceBenches } from '../support/service-bench.ts'
import type { Body } from '../../src/shared/motion/body.ts'
import type { Figure } from '../../src/shared/motion/figure.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { Scene } from '../../src/shared/scene/types.ts'
import type { Call } from '../support/caller.ts'

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
  it('a shoe goes no deeper into the floor than that of the figure that walks', { timeout: 240_000 }, async () => {
    const bench = start()
    const { call } = bench
    const libraries = [await scannedSample(bench), await scanned(call, root)]
    const opened = async (file: string): Promise<OpenedModel> => {
      for (const library of libraries) {
        const row = (await modelRows(call, library)).find(({ ref }) => ref.endsWith(file))
        if (row) return call('model.open', { ref: row.ref, library })
      }
      throw new Error(`no model is called ${file}`)
    }
    const walker = await opened('sa-peds/army.dff')
    const trooper = await opened('RIShkTrp_SKN.W3D')
    const [saga, infantry] = [await opened('animodel/adventurer.txt'), await opened('RITslTrp_SKN.W3D')]
    const level5 = await opened('Dark Cloud 2/adventurer/adventurer.mds')
    for (const [from, clip, onto] of [
      [walker, 'WALK_civi', saga],
      [walker, 'WALK_civi', infantry],
      [walker, 'run_civi', infantry],
      [trooper, 'RISHKTRP_MVA', level5],
    ] as const) {
      const what = `${clip} onto ${onto.info.name}`
      const wishes = { model: onto.info.id, source: from.info.id, clip, into: 'soles' }
      const figures = [from.scene, onto.scene].map((scene) => figureOf(scene.skeleton, exportedRest(scene).inverseBind))
      const { map, ratio } = prepareRetarget(figures[0], figures[1])
      const depth = async ({ info }: OpenedModel, name: string, figure: Figure, body: Body): Promise<number> =>
        depthOf(await sceneWith(call, info.id, name), name, figure, body)
      const own = await depth(from, clip, figures[0], map.source!)
      const legs = [map.source!, map.target!].map((body, i) => legLength(figures[i], body.legs!.left))
      const made = async (soles: boolean) => {
        const { report } = await call('retarget.apply', { ...wishes, soles })
        const deep = await depth(onto, 'soles', figures[1], map.target!)
        await call('history.undo', { model: onto.info.id })
        return { report, deep }
      }
      const [without, lifted] = [await made(false), await made(true)]
      // as deep as the source in proportion of the hips, and what fewer keys and packing cost
      const allowed = (own * ratio * legs[0]) / legs[1]
      expect(without.deep, what).toBeGreaterThan(allowed + 0.03)
      expect(lifted.deep, what).toBeLessThan(allowed + 0.005)
      expect(lifted.report.plants, what).toBe(without.report.plants)
      expect(lifted.report.slide, what).toBeLessThan(without.report.slide + 0.001 * figures[1].height)
      expect(lifted.report.error, what).toBeLessThan(0.0011 * figures[1].height)
    }
  })
})

/** With the tracks of a clip, which come when it is asked for. */
async function sceneWith(call: Call, model: string, name: string): Promise<Scene> {
  const { scene } = await call('model.scene', { model })
  const { clip } = findWindow(scene, name)!
  if (!scene.clips[clip].away) return scene
  const clips = [...scene.clips]
  clips[clip] = (await call('model.clip', { model, clip })).clip
  return { ...scene, clips }
}

/** Lengths of the leg that feet go below the floor at most. */
function depthOf(scene: Scene, name: string, figure: Figure, body: Body): number {
  const { clip, start: first, end, rate } = findWindow(scene, name)!
  const frames = Math.floor(((end - first) / rate) * 60 + 1e-6) + 1
  const { count } = figure
  const motion = { frames, translation: new Float64Array(3 * count * frames), rotation: new Float64Array(4 * count * frames) }
  const pose = createPose(scene)
  for (let f = 0; f < frames; f++) {
    sampleClip(scene, scene.clips[clip], first + (f / 60) * rate, pose)
    partsOfMatrices(count, pose.local, frameOf(motion, f, count))
  }
  const soles = solesOf(scene, body)
  const tracks = soleTracks(figure, motion, soles)
  const low = Math.min(...[...tracks.left!, ...tracks.right!])
  return (floorOf(figure, soles) - low) / legLength(figure, body.legs!.left)
}
