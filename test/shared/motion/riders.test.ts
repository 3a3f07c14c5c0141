/** What hangs on the root alone goes along with the hand or the part of the trunk that it stands at. */
import { describe, expect, it } from 'vitest'
import { placesOf, stand } from '../../../src/shared/motion/figure.ts'
import { frameOf } from '../../../src/shared/motion/motion.ts'
import { prepareRetarget, retarget } from '../../../src/shared/motion/retarget.ts'
import { lengthOf, minus, plus, radiansBetween, rotate, vectorAt } from '../../../src/shared/motion/turns.ts'
import { biped, figureFrom, walk } from './figures.ts'
import type { Figure } from '../../../src/shared/motion/figure.ts'
import type { Vector } from '../../../src/shared/motion/turns.ts'

/** The figure with more joints on its root, at places in scene space. */
function withLoose({ names, parents, count, bind }: Figure, loose: Record<string, Vector>): Figure {
  const added = Object.keys(loose)
  const turns = new Float64Array(4 * (count + added.length))
  for (let i = 0; i < turns.length; i += 4) turns[i + 3] = 1
  turns.set(bind.turn)
  return figureFrom(
    [...names, ...added],
    [...Array.from(parents), ...added.map(() => 0)],
    [...names.map((_, i) => vectorAt(bind.place, 3 * i)), ...added.map((name) => loose[name])],
    turns,
  )
}

describe('a joint that nothing moves', () => {
  const plain = biped()
  const at = (name: string): Vector => vectorAt(plain.bind.place, 3 * plain.names.indexOf(name))
  const figure = withLoose(plain, {
    Sword: plus(at('R Hand'), [0.02, 0.03, 0.05]),
    Cape: plus(at('Pelvis'), [0, 0.1, -0.15]),
  })
  const joint = (name: string): number => figure.names.indexOf(name)
  const motion = walk(plain, 40)

  it('goes with the hand that it stands in, or with the trunk, and keeps its place there', () => {
    const plan = prepareRetarget(plain, figure)
    expect(plan.riders.map(({ joint: rider, on }) => [figure.names[rider], figure.names[on]])).toEqual([
      ['Sword', 'R Hand'],
      ['Cape', expect.stringMatching(/Pelvis|Spine/)],
    ])
    const out = retarget(plan, motion)
    const places = placesOf(figure.count)
    let went = 0
    for (let f = 0; f < out.frames; f++) {
      stand(figure, frameOf(out, f, figure.count), places)
      for (const { joint: rider, on } of plan.riders) {
        const rest = minus(vectorAt(figure.bind.place, 3 * rider), vectorAt(figure.bind.place, 3 * on))
        const way = minus(vectorAt(places.place, 3 * rider), vectorAt(places.place, 3 * on))
        // the same place in the axes of what carries it
        expect(Math.abs(lengthOf(way) - lengthOf(rest))).toBeLessThan(1e-9)
        const turned: Vector = [0, 0, 0]
        rotate(turned, 0, places.turn, 4 * on, plan.riders.find((one) => one.joint === rider)!.place, 0)
        expect(lengthOf(minus(way, turned))).toBeLessThan(1e-9)
        went = Math.max(went, lengthOf(minus(vectorAt(places.place, 3 * rider), vectorAt(figure.bind.place, 3 * rider))))
      }
    }
    expect(went).toBeGreaterThan(0.1 * figure.height)
  })

  it('stays where it rests where that is wished, and all else moves the same', () => {
    const riding = retarget(prepareRetarget(plain, figure), motion)
    const plan = prepareRetarget(plain, figure, { ride: false })
    expect(plan.riders).toEqual([])
    const out = retarget(plan, motion)
    const loose = new Set([joint('Sword'), joint('Cape')])
    for (let f = 0; f < out.frames; f++)
      for (let i = 0; i < figure.count; i++) {
        const o = 4 * (f * figure.count + i)
        if (!loose.has(i)) expect(radiansBetween(out.rotation, o, riding.rotation, o)).toBeLessThan(1e-12)
        else expect(radiansBetween(out.rotation, o, figure.rest.rotation, 4 * i)).toBeLessThan(1e-9)
      }
  })

  it('is none where another joint of the figure moves it', () => {
    expect(prepareRetarget(plain, plain).riders).toEqual([])
    expect(prepareRetarget(figure, figure).riders).toEqual([])
  })
})
