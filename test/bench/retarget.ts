/** A motion of 300 frames, a key of each joint in each of them, onto a figure of 33 joints: all that a slider of the panel waits for. */
import { retargetStanding } from '../../src/shared/motion/standing.ts'
import { reduceMotion } from '../../src/shared/motion/reduce-motion.ts'
import { prepareRetarget } from '../../src/shared/motion/retarget.ts'
import { biped, randomFrom, walk } from '../shared/motion/figures.ts'
import { atMost, best, type Row } from './measure.ts'

const JOINTS = 33
const FRAMES = 300
const RATE = 30
const ALLOWED = 200

export function retargetRows(): Row[] {
  const spine = 1 + JOINTS - biped({ spine: 1 }).count
  const [source, target] = [biped({ spine }), biped({ spine, arms: 10, legs: 1.2, rolls: randomFrom(1) })]
  const motion = walk(source, FRAMES, RATE)
  const ms = best(5, () => {
    const made = retargetStanding(prepareRetarget(source, target), motion, RATE, true)
    const kept = made.plants.flatMap(({ from, to }) => [from, to])
    reduceMotion(target, made.motion, { bound: 0.001 * target.height, kept })
  })
  return [atMost(`retarget of ${FRAMES} frames onto ${target.count} joints, feet held, keys reduced`, ms, ALLOWED)]
}
