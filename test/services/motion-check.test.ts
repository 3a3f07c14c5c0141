/** What an edit did to a motion, in numbers: how far joints are from the original, and how feet slide while they stand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { LibraryRow } from '../../src/shared/api/types/library.ts'
import { Deviation } from '../../src/shared/motion/deviation.ts'
import { momentsOf } from '../../src/shared/motion/moments.ts'
import { rigOf } from '../../src/shared/motion/rig.ts'
import { FootPlaces, totalsOf } from '../../src/shared/motion/slide.ts'
import { modelRows, openPosable, plainClip, scannedSample, serviceBenches } from '../support/service-bench.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench
let rows: LibraryRow[] = []
let library = ''

beforeAll(async () => {
  library = await scannedSample(bench)
  rows = await modelRows(call, library)
})

describe('moments of a clip', () => {
  it('are a frame apart, both ends among them, and never too many', () => {
    expect([...momentsOf(1, 4, 1)]).toEqual([1, 2, 3, 4])
    expect([...momentsOf(0, 2.5, 1)]).toEqual([0, 1, 2, 2.5])
    expect([...momentsOf(3, 3, 1)]).toEqual([3])
    expect(momentsOf(0, 0.1, 1 / 30)).toHaveLength(4)
    const long = momentsOf(0, 1e9, 1)
    expect(long.length).toBe(20_001)
    expect(long.at(-1)).toBe(1e9)
  })
})

for (const family of ['level5', 'lostsaga', 'renderware', 'w3d'] as const satisfies readonly FamilyId[])
  describe(family, () => {
    it('differs by what was edited and by nothing else, of all bones or of those that are asked for', async () => {
      const model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const { clip, tracks } = await plainClip(call, model)
      const before = await call('model.original', { model: id })
      const own = model.scene.clips[clip]
      const rig = rigOf(model.scene)
      const { height } = rig.figure
      const step = own.unit === 'frame' ? 1 : own.unit === 'ms' ? 1000 / 30 : 1 / 30
      const times = momentsOf(own.start, own.end, step)
      const was = { scene: before, clip: before.clips[clip] }
      const same = new Deviation({ scene: model.scene, clip: own }, was, times, height)
      expect(same.take(Infinity)).toBe(false)
      expect(same.most.every((share) => share === 0)).toBe(true)
      expect(same.worst.every((joint) => joint === -1)).toBe(true)

      const root = Math.min(...tracks.filter((t) => t.property === 'translation' && t.joint >= 0 && t.times.length > 1).map((t) => t.joint))
      const offsets = [{ joint: root, axes: 'parent' as const, move: [0, 0.05 * height, 0] }]
      await call('clips.offset', { model: id, clip, label: 'Up', offsets, start: own.start, end: own.end, easeIn: 0, easeOut: 0 })
      const { scene } = await call('model.scene', { model: id })
      const now = { scene, clip: scene.clips[clip] }
      const up = new Deviation(now, was, times, height)
      // as many at a time as there is time for
      let asked = 0
      while (up.take(3)) asked++
      expect(asked).toBe(Math.ceil(times.length / 3) - 1)
      for (const share of up.most) expect(share).toBeCloseTo(0.05, 2)
      expect(up.worst.every((joint) => joint >= 0)).toBe(true)
      await call('history.undo', { model: id })

      // a hand that turns leaves the feet where they are
      const { arms, legs } = rig.body!
      const end = arms!.left.end >= 0 ? arms!.left.lower : arms!.left.upper
      const turn = [0.6 * Math.sin(0.3), 0.8 * Math.sin(0.3), 0, Math.cos(0.3)]
      const [from, to] = [times[Math.floor(times.length / 3)], times[Math.floor((2 * times.length) / 3)]]
      const wish = { model: id, clip, label: 'Turn', start: from, end: to, easeIn: step, easeOut: step }
      await call('clips.offset', { ...wish, offsets: [{ joint: end, axes: 'own', turn }] })
      const turned = await call('model.scene', { model: id })
      const after = { scene: turned.scene, clip: turned.scene.clips[clip] }
      const arm = new Deviation(after, was, times, height)
      const foot = new Deviation(after, was, times, height, [legs!.left.end >= 0 ? legs!.left.end : legs!.left.lower])
      arm.take(Infinity)
      foot.take(Infinity)
      expect(arm.most.some((share) => share > 0.01)).toBe(true)
      times.forEach((time, k) => {
        // packed keys beside the range may give a little
        if (time < from - step || time > to + step) expect(arm.most[k]).toBeLessThan(0.002)
      })
      expect(foot.most.every((share) => share === 0)).toBe(true)
      await call('history.undo', { model: id })
      expect((await call('model.changes', { model: id })).flatMap((f) => f.changes)).toEqual([])
    })

    it('tells how feet that stand slide after the figure was shoved aside, and that they did not before', async () => {
      const model = await openPosable(call, library, rows, family)
      const id = model.info.id
      const rig = rigOf(model.scene)
      const { height } = rig.figure
      // a motion in which feet stand: of walks in place the game takes the way
      let found: { clip: number; start: number; end: number } | undefined
      const spans = [
        ...model.scene.slices.map(({ clip, start, end }) => ({ clip, start, end })),
        ...model.scene.clips.map(({ start, end }, clip) => ({ clip, start, end })),
      ]
      const slides = (scene: typeof model.scene, span: NonNullable<typeof found>, also: Parameters<FootPlaces['slides']>[1] = []) => {
        const own = scene.clips[span.clip]
        const step = own.unit === 'frame' ? 1 : own.unit === 'ms' ? 1000 / 30 : 1 / 30
        const feet = new FootPlaces(rig, scene, own, momentsOf(span.start, span.end, step))
        while (feet.take(7)) continue
        return { ...feet.slides(own.rate / step, also), times: feet.times, step }
      }
      for (const span of spans) {
        const { feet, times } = slides(model.scene, span)
        if (times.length > 8 && feet.some(({ stands }) => stands.filter(Boolean).length > 0.9 * times.length)) found = span
        if (found) break
      }
      if (!found) return
      const was = slides(model.scene, found)
      const { clip, start, end } = found
      const tracks = await call('clips.tracks', { model: id, clip })
      if (tracks.some((t) => /deltas/.test(t.limits.packed))) return
      const root = Math.min(...tracks.filter((t) => t.property === 'translation' && t.joint >= 0 && t.times.length > 1).map((t) => t.joint))
      const ease = Math.floor(was.times.length / 3) * was.step
      const offsets = [{ joint: root, axes: 'parent' as const, move: [0.1 * height, 0, 0] }]
      await call('clips.offset', { model: id, clip, label: 'Aside', offsets, start, end, easeIn: ease, easeOut: ease })
      const { scene } = await call('model.scene', { model: id })
      const now = slides(scene, found, was.plants)
      for (const foot of now.feet) {
        const before = totalsOf(was.feet.find(({ side }) => side === foot.side)!)
        if (before.frames < 0.9 * was.times.length) continue
        const total = totalsOf(foot)
        expect(total.frames).toBeGreaterThanOrEqual(before.frames)
        // there and back again, on top of what little they slid by themselves
        expect(total.sum).toBeGreaterThan(0.15 * height)
        expect(total.sum).toBeLessThan(0.25 * height + before.sum)
        expect(before.sum).toBeLessThan(0.1 * height)
        expect(total.most).toBe(foot.slide[total.at])
      }
      await call('history.undo', { model: id })
    })
  })
