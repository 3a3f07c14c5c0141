import { describe, expect, it } from 'vitest'
import type { HeldPose } from '../../../src/renderer/viewport/types.ts'
import type { PointField } from '../../../src/shared/api/types/points.ts'
import { withHeld, withHeldPoint } from '../../../src/renderer/core/held-pose.ts'

const inClip = { translation: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }
const NONE = { held: null, posed: null, point: null }

describe('the numbers of a joint', () => {
  it('are those of the clip where nothing is held of it', () => {
    expect(withHeld(NONE, 1, inClip)).toBe(inClip)
    expect(withHeld({ ...NONE, held: { joint: 2, translation: [9, 9, 9], rotation: [1, 0, 0, 0] } }, 1, inClip)).toBe(inClip)
  })

  it('are those that a handle holds, over those of a chain', () => {
    const posed = {
      turned: [1],
      moved: [0],
      translation: Float64Array.of(7, 7, 7, 8, 8, 8),
      rotation: Float64Array.of(0, 0, 0, 1, 0, 1, 0, 0),
    }
    expect(withHeld({ ...NONE, posed }, 1, inClip)).toEqual({ ...inClip, rotation: Float64Array.of(0, 1, 0, 0) })
    expect(withHeld({ ...NONE, posed }, 0, inClip)).toEqual({ ...inClip, translation: Float64Array.of(7, 7, 7) })
    const held = { joint: 1, translation: [4, 5, 6], rotation: [1, 0, 0, 0] }
    expect(withHeld({ ...NONE, held, posed }, 1, inClip)).toEqual({ ...inClip, translation: [4, 5, 6], rotation: [1, 0, 0, 0] })
  })
})

describe('the numbers of a point', () => {
  const fields: PointField[] = [
    { key: 'type', label: 'Type', value: 'head' },
    { key: 'position', label: 'Position', value: [1, 2, 3], place: [1, 1, -1] },
  ]
  it('are those of the file where it is not held, and else those of the picture, as the file counts', () => {
    expect(withHeldPoint(NONE, 4, fields)).toBe(fields)
    const point: HeldPose['point'] = { helper: 4, center: [7, 8, 9] }
    expect(withHeldPoint({ ...NONE, point }, 3, fields)).toBe(fields)
    expect(withHeldPoint({ ...NONE, point }, 4, fields)).toEqual([fields[0], { ...fields[1], value: [7, 8, -9] }])
    const [, onPlane] = withHeldPoint({ ...NONE, point: { ...point, center: [1, 2, 0] } }, 4, fields)
    expect(onPlane.value).toEqual([1, 2, 0])
  })
})
