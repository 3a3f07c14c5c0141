/** A motion of 300 frames, a key of each joint in each of them, onto a figure of 33 joints: all that a slider of the panel waits for. */
import { retargetStanding } from '../../src/shared/motion/standing.ts'
import { reduceMotion } from '../../src/shared/motion/reduce-motion.ts'
import { prepareRetarget } from '../../src/shared/motion/retarget.ts'
import { solesOf } from '../../src/shared/motion/soles.ts'
import { biped, randomFrom, shod, walk } from '../shared/motion/figures.ts'
import { atMost, best, type Row } from './measure.ts'

const JOINTS = 33
const FRAMES = 300
const RATE = 30
const ALLOWED = 200

export function retargetRows(): Row[] {
  const spine = 1 + JOINTS - biped({ spine: 1 }).count
  const [source, target] = [biped({ spine }), biped({ spine, arms: 10, legs: 1.2, rolls: randomFrom(1) })]
  const motion = walk(source, FRAMES, RATE, 0.7, 35)
  // as many vertices as a close-up has
  const scenes = [shod(source, 0.16, 40), shod(target, 0.3, 40)]
  const ms = best(5, () => {
    const plan = prepareRetarget(source, target)
    const soles = { source: solesOf(scenes[0], plan.map.source!), target: solesOf(scenes[1], plan.map.target!) }
    const made = retargetStanding(plan, motion, RATE, { plants: true, soles })
    const kept = made.plants.flatMap(({ from, to }) => [from, to])
    reduceMotion(target, made.motion, { bound: 0.001 * target.height, kept })
  })
  return [atMost(`retarget of ${FRAMES} frames onto ${target.count} joints, feet held, keys reduced`, ms, ALLOWED)]
}
