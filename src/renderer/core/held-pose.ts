/** Numbers of a joint or a point as the picture has it, while tools hold it elsewhere than its file does. */
import type { PointField } from '../../shared/api/types/points.ts'
import type { HeldPose } from '../viewport/types.ts'

interface JointPose {
  translation: ArrayLike<number>
  rotation: ArrayLike<number>
}

/** @returns the same object where nothing is held of the joint */
export function withHeld<P extends JointPose>({ held, posed }: HeldPose, joint: number, pose: P): P {
  let out = pose
  if (posed?.turned.includes(joint)) out = { ...out, rotation: posed.rotation.subarray(4 * joint, 4 * joint + 4) }
  if (posed?.moved.includes(joint)) out = { ...out, translation: posed.translation.subarray(3 * joint, 3 * joint + 3) }
  return held?.joint === joint ? { ...out, translation: held.translation, rotation: held.rotation } : out
}

/** Fields of a point, its place as it is held. */
export function withHeldPoint({ point }: HeldPose, helper: number, fields: readonly PointField[]): readonly PointField[] {
  if (point?.helper !== helper) return fields
  return fields.map((field) => (field.place ? { ...field, value: field.place.map((sign, c) => 0 + sign * point.center[c]) } : field))
}
