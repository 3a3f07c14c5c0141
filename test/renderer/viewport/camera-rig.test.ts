// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { CameraRig } from '../../../src/renderer/viewport/camera-rig.ts'

const BOUNDS = { min: [-1, 0, -1], max: [1, 2, 1] } satisfies { min: [number, number, number]; max: [number, number, number] }

describe('a camera that glides', () => {
  it('comes to the view that was asked for, also where perspective is switched meanwhile', () => {
    const rig = new CameraRig(() => {})
    Object.assign(rig, { width: 800, height: 600 })
    rig.show(BOUNDS)
    rig.look('front', BOUNDS)
    rig.step(performance.now() + 20)
    expect(rig.orbit.yaw).toBeGreaterThan(0)
    rig.toggleParallel()
    expect(rig.orbit.parallel).toBe(true)
    rig.step(performance.now() + 1000)
    expect(rig.orbit).toMatchObject({ yaw: 0, pitch: 0, parallel: true })
    rig.look('left', BOUNDS)
    rig.toggleParallel()
    rig.step(performance.now() + 2000)
    expect(rig.orbit.yaw).toBeCloseTo(-Math.PI / 2)
    expect(rig.orbit.parallel).toBeUndefined()
  })
})
