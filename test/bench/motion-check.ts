/** What is looked at above the keys after each edit, over a quarter of a million of them: while the window is idle, a few milliseconds at a time. */
import { Deviation } from '../../src/shared/motion/deviation.ts'
import { momentsOf } from '../../src/shared/motion/moments.ts'
import { rigOfFigure } from '../../src/shared/motion/rig.ts'
import { FootPlaces } from '../../src/shared/motion/slide.ts'
import { biped } from '../shared/motion/figures.ts'
import { clip, sceneOf, track } from '../shared/scene/fixtures.ts'
import { MANY_KEYS } from '../support/many-keys.ts'
import { atMost, best, type Row } from './measure.ts'

/** A part of the work, which a frame of the window has room for; and all of it, until which the strips are as they were. */
const PART = 8
const ALL = 3000
/** frames a part, as the window takes them */
const AT_ONCE = 4

export function motionCheckRows(): Row[] {
  const figure = biped({ spine: 40 })
  const { rest, names, parents, count } = figure
  const scene = sceneOf(
    names.map((name, i) => ({
      name,
      parent: parents[i],
      t: [...rest.translation.subarray(3 * i, 3 * i + 3)],
      q: [...rest.rotation.subarray(4 * i, 4 * i + 4)],
    })),
  )
  const frames = Math.ceil(MANY_KEYS / count)
  const times = Array.from({ length: frames }, (_, k) => k)
  const own = (swing: number) =>
    clip(
      names.map((_, i) =>
        track(
          i,
          'rotation',
          times,
          times.flatMap((k) => [Math.sin(swing * Math.sin(k / 9 + i)), 0, 0, Math.cos(swing * Math.sin(k / 9 + i))]),
        ),
      ),
      { end: frames - 1 },
    )
  const [now, before] = [own(0.2), own(0.21)]
  const moments = momentsOf(0, frames - 1, 1)
  const row = (name: string, make: () => { take(count: number): boolean }): Row[] => {
    const all = best(5, () => {
      const work = make()
      while (work.take(AT_ONCE)) continue
    })
    return [
      atMost(`${name}, ${MANY_KEYS} keys: ${AT_ONCE} frames at once`, (all * AT_ONCE) / frames, PART),
      atMost(`${name}, ${MANY_KEYS} keys: all ${frames} frames`, all, ALL),
    ]
  }
  return [
    ...row('difference from the original', () => new Deviation({ scene, clip: now }, { scene, clip: before }, moments, figure.height)),
    ...row('feet', () => new FootPlaces(rigOfFigure(figure), scene, now, moments)),
  ]
}
