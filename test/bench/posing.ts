/** A pose by inverse kinematics while a pointer drags: a whole body of 70 joints with both feet pinned, on one core. */
import { solvePose, pinAt } from '../../src/shared/motion/posing.ts'
import { momentOf, rigOfFigure, standMoment } from '../../src/shared/motion/rig.ts'
import { plus, vectorAt } from '../../src/shared/motion/turns.ts'
import { biped } from '../shared/motion/figures.ts'
import { atMost, type Row } from './measure.ts'

const JOINTS = 70
/** 60 poses a second */
const ALLOWED = 1000 / 60
const POSES = 400

export function posingRows(): Row[] {
  // a spine of many bones: what leans is the dearest part
  const figure = biped({ spine: 1 + JOINTS - biped({ spine: 1 }).count })
  const rig = rigOfFigure(figure)
  const at = (name: string): number => figure.names.indexOf(name)
  const [from, out] = [momentOf(rig), momentOf(rig)]
  from.parts.translation.set(figure.rest.translation)
  from.parts.rotation.set(figure.rest.rotation)
  standMoment(rig, from)
  const pins = ['L Foot', 'R Foot'].map((name) => pinAt(from, at(name)))
  const row = (joint: string): Row => {
    const start = vectorAt(from.places.place, 3 * at(joint))
    const solve = (i: number): number =>
      solvePose(rig, from, { drag: { joint: at(joint), target: plus(start, [0, -0.1, 1], 0.002 * i) }, pins, follow: true }, out)
    for (let i = 0; i < POSES; i++) solve(i)
    const began = performance.now()
    for (let i = 0; i < POSES; i++) solve(i)
    const ms = (performance.now() - began) / POSES
    return atMost(`posing ${figure.count} joints, feet pinned, ${joint} dragged: a pose`, ms, ALLOWED)
  }
  return [row('Pelvis'), row('R Hand'), row('Head')]
}
