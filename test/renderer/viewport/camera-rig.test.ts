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

  it('comes to it also where the model is framed meanwhile', () => {
    const rig = new CameraRig(() => {})
    Object.assign(rig, { width: 800, height: 600 })
    rig.show(BOUNDS)
    rig.zoom(5, BOUNDS)
    rig.look('top', BOUNDS)
    const near = rig.orbit.distance
    rig.step(performance.now() + 20)
    rig.frame(BOUNDS)
    rig.step(performance.now() + 1000)
    expect(rig.orbit.pitch).toBeCloseTo(Math.PI / 2)
    expect(rig.orbit.distance).toBeLessThan(near)
  })
})

describe('what is framed', () => {
  /** Where it is seen. @param beside pixels that are free of tools at either side of the middle */
  function seen(height: number, beside: number): { head: number; foot: number; left: number } {
    const rig = new CameraRig(
      () => {},
      () => beside,
    )
    Object.assign(rig, { width: 1000, height })
    rig.show(BOUNDS)
    rig.toggleParallel()
    rig.look('front', BOUNDS)
    rig.step(performance.now() + 1000)
    const view = rig.projector()
    const at = (x: number, y: number): number[] => {
      const out = [0, 0, 0]
      view.project(x, y, 0, out)
      return out
    }
    return { head: at(0, 2)[1], foot: at(0, 0)[1], left: at(-1, 1)[0] }
  }

  it.each([120, 180, 266, 374, 600, 1200])(
    'stands between the tools at the head and the foot of a picture of %i pixels, and is not small',
    (height) => {
      const { head, foot } = seen(height, 0)
      expect(head).toBeGreaterThan(39)
      expect(height - foot).toBeGreaterThan(39)
      expect(foot - head).toBeGreaterThan(Math.min(height - 82, 0.69 * height))
    },
  )

  it.each([90, 120, 180, 266])('stands beside the tools of a picture of %i pixels, where it has the room there', (height) => {
    const { head, foot, left } = seen(height, 120)
    expect(foot - head).toBeGreaterThan(0.69 * height)
    expect(500 - left).toBeLessThan(120)
    // and between them where it has not
    const between = seen(height, 10)
    expect(between.foot - between.head).toBeLessThan(Math.max(height - 79, 0.31 * height))
  })
})
