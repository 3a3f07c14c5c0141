/** Rotations of one joint in degrees: of the angles that are the same turn those next to the ones that were typed last, so that 100° about y stay 100. */
import { shallowRef, watch, type WatchSource } from 'vue'
import { degreesNear } from '../../../shared/keys/degrees.ts'
import { eulerDegrees, quaternionOfDegrees } from '../../../shared/keys/value.ts'

type Quaternion = [number, number, number, number]

export function rotationOf(degrees: ArrayLike<number>): Quaternion {
  const out: Quaternion = [0, 0, 0, 1]
  quaternionOfDegrees(out, degrees)
  return out
}

/** Values of which one is another. */
export function withPart(values: readonly number[], at: number, part: number): number[] {
  return values.map((value, i) => (i === at ? part : value))
}

export interface Pose {
  translation: ArrayLike<number>
  rotation: ArrayLike<number>
  scale?: ArrayLike<number>
}

/** A pose of which one property is as typed, a rotation in degrees. */
export function withTyped(pose: Pose, property: keyof Pose, values: readonly number[]): Pose {
  return { ...pose, [property]: property === 'rotation' ? rotationOf(values) : values }
}

/** @param whose what was typed of another one is of no use */
export function useTypedAngles(whose: WatchSource[]) {
  const typed = shallowRef<readonly number[] | null>(null)
  watch(whose, () => (typed.value = null))

  function degreesOf(rotation: ArrayLike<number>): number[] {
    const out = [0, 0, 0]
    if (typed.value) degreesNear(out, rotation, typed.value)
    else eulerDegrees(out, rotation)
    return out
  }

  return { degreesOf, typed: (degrees: readonly number[]): void => void (typed.value = degrees) }
}
