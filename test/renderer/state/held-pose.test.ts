import { describe, expect, it } from 'vitest'
import { withHeld } from '../../../src/renderer/core/held-pose.ts'

const inClip = { translation: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }
const NONE = { held: null, posed: null }

describe('the numbers of a joint', () => {
  it('are those of the clip where nothing is held of it', () => {
    expect(withHeld(NONE, 1, inClip)).toBe(inClip)
    expect(withHeld({ held: { joint: 2, translation: [9, 9, 9], rotation: [1, 0, 0, 0] }, posed: null }, 1, inClip)).toBe(inClip)
  })

  it('are those that a handle holds, over those of a chain', () => {
    const posed = {
      turned: [1],
      moved: [0],
      translation: Float64Array.of(7, 7, 7, 8, 8, 8),
      rotation: Float64Array.of(0, 0, 0, 1, 0, 1, 0, 0),
    }
    expect(withHeld({ held: null, posed }, 1, inClip)).toEqual({ ...inClip, rotation: Float64Array.of(0, 1, 0, 0) })
    expect(withHeld({ held: null, posed }, 0, inClip)).toEqual({ ...inClip, translation: Float64Array.of(7, 7, 7) })
    const held = { joint: 1, translation: [4, 5, 6], rotation: [1, 0, 0, 0] }
    expect(withHeld({ held, posed }, 1, inClip)).toEqual({ ...inClip, translation: [4, 5, 6], rotation: [1, 0, 0, 0] })
  })
})
