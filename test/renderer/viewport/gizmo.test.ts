import { describe, expect, it } from 'vitest'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { FlatData } from '../../../src/renderer/viewport/flat-batch.ts'
import { fillGizmo, GizmoDrag, gizmoFrame, jointSubject, pickHandle, pointSubject } from '../../../src/renderer/viewport/gizmo.ts'
import type { GizmoKind, GizmoSpace, Handle } from '../../../src/renderer/viewport/gizmo.ts'
import { basis, defaultOrbit, frameBounds, projector } from '../../../src/renderer/viewport/orbit.ts'
import type { Orbit } from '../../../src/renderer/viewport/orbit.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'

const scene = devScene()
const joint = scene.skeleton.names.indexOf('forearm.L')
const hand = scene.skeleton.names.indexOf('hand.L')

function setUp(kind: GizmoKind, space: GizmoSpace, more: Partial<Orbit> = {}) {
  const model = new PosedModel(scene)
  model.update(0, 7)
  const orbit = { ...defaultOrbit(), ...more }
  Object.assign(orbit, frameBounds(orbit, model.bounds()!, 4 / 3))
  const view = projector(orbit, 800, 600)
  const frame = gizmoFrame(kind, space, jointSubject(scene.skeleton, joint, model.pose), view, basis(orbit))
  const pixel = (p: number[]): number[] => {
    const out = [0, 0, 0]
    view.project(p[0], p[1], p[2], out)
    return out
  }
  const drag = (handle: Handle, x: number, y: number) =>
    new GizmoDrag(frame, handle, jointSubject(scene.skeleton, joint, model.pose), view, x, y)
  return { model, view, frame, pixel, drag }
}

const at = (model: PosedModel, j: number): number[] => [0, 1, 2].map((c) => model.pose.world[16 * j + 12 + c])

describe('a joint that is held', () => {
  it('has the scale that it is held with, and else the one of the clip', () => {
    const model = new PosedModel(scene)
    model.update(0, 7)
    const size = (): number => Math.hypot(...model.pose.world.subarray(16 * joint, 16 * joint + 3))
    const before = size()
    const still = { joint, translation: scene.skeleton.restTranslation.slice(3 * joint, 3 * joint + 3), rotation: [0, 0, 0, 1] }
    model.held = still
    model.update(0, 7)
    expect(size()).toBeCloseTo(before, 5)
    model.held = { ...still, scale: [3, 1, 1] }
    model.update(0, 7)
    expect(size()).toBeCloseTo(3 * before, 4)
  })
})

describe('gizmo', () => {
  it('stands on the joint along the axes of its space, as large on screen at any distance', () => {
    const world = setUp('move', 'world')
    expect(world.frame.axes).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ])
    expect(world.frame.origin).toEqual(at(world.model, joint))
    const local = setUp('move', 'local').frame.axes[1]
    expect(local[1]).toBeLessThan(0.99)
    const parent = setUp('move', 'parent')
    const p = scene.skeleton.parents[joint]
    expect(parent.frame.axes[0][0]).toBeCloseTo(parent.model.pose.world[16 * p], 4)
    const a = world.pixel(world.frame.origin),
      b = world.pixel([world.frame.origin[0], world.frame.origin[1] + world.frame.size, world.frame.origin[2]])
    expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeGreaterThan(60)
    expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeLessThan(90)
  })

  it('is taken by the handle under the pointer, and by nothing beside it', () => {
    const { frame, view, pixel } = setUp('move', 'world')
    for (const axis of [0, 1, 2] as const) {
      const p = pixel(frame.origin.map((x, c) => x + frame.axes[axis][c] * frame.size * 0.8))
      expect(pickHandle(frame, view, p[0], p[1])).toBe(axis)
    }
    const o = pixel(frame.origin)
    expect(pickHandle(frame, view, o[0], o[1])).toBe('screen')
    expect(pickHandle(frame, view, o[0] + 200, o[1])).toBeNull()
  })

  it('moves the joint along an axis, with the pointer on it', () => {
    for (const space of ['world', 'parent', 'local'] as const) {
      const { model, frame, view, pixel, drag } = setUp('move', space)
      const from = frame.origin.map((x, c) => x + frame.axes[1][c] * frame.size * 0.5)
      const to = frame.origin.map((x, c) => x + frame.axes[1][c] * frame.size * 1.5)
      const a = pixel(from),
        b = pixel(to)
      const local = drag(1, a[0], a[1]).to(view, b[0], b[1])
      model.held = { joint, ...local }
      model.update(0, 7)
      at(model, joint).forEach((x, c) => expect(x).toBeCloseTo(frame.origin[c] + frame.axes[1][c] * frame.size, 3))
    }
  })

  it('moves a point in the space of the joint that carries it, which turns with the clip', () => {
    const { model, view, pixel } = setUp('move', 'local')
    const subject = pointSubject({ joint, center: [0.1, 0.2, -0.1] }, model.pose)
    const frame = gizmoFrame('move', 'local', subject, view, basis(defaultOrbit()))
    const from = frame.origin.map((x, c) => x + frame.axes[2][c] * frame.size * 0.5)
    const to = frame.origin.map((x, c) => x + frame.axes[2][c] * frame.size * 1.5)
    const a = pixel(from),
      b = pixel(to)
    const moved = new GizmoDrag(frame, 2, subject, view, a[0], a[1]).to(view, b[0], b[1]).translation
    expect(moved[0]).toBeCloseTo(0.1, 4)
    expect(moved[1]).toBeCloseTo(0.2, 4)
    const scale = Math.hypot(...[8, 9, 10].map((i) => model.pose.world[16 * joint + i]))
    expect(moved[2]).toBeCloseTo(-0.1 + frame.size / scale, 3)
    const free = pointSubject({ joint: -1, center: [1, 2, 3] }, model.pose)
    expect([...free.world.subarray(12, 15)]).toEqual([1, 2, 3])
    expect(free.parent).toBeNull()
  })

  it('moves in the plane of the screen', () => {
    const { model, frame, view, pixel, drag } = setUp('move', 'world')
    const a = pixel(frame.origin)
    model.held = { joint, ...drag('screen', a[0], a[1]).to(view, a[0] + 50, a[1] - 30) }
    model.update(0, 7)
    const b = pixel(at(model, joint))
    expect(b[0]).toBeCloseTo(a[0] + 50, 1)
    expect(b[1]).toBeCloseTo(a[1] - 30, 1)
  })

  it('turns about an axis through the joint: it stays, what hangs on it goes round', () => {
    for (const space of ['world', 'parent', 'local'] as const) {
      for (const axis of [0, 1, 2] as const) {
        const { model, frame, view, pixel, drag } = setUp('rotate', space, { yaw: 0.7, pitch: 0.6 })
        const before = at(model, hand)
        const n = frame.axes[axis]
        const u = Math.abs(n[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]
        const cross = (p: number[], q: number[]): number[] => [
          p[1] * q[2] - p[2] * q[1],
          p[2] * q[0] - p[0] * q[2],
          p[0] * q[1] - p[1] * q[0],
        ]
        const unit = (p: number[]): number[] => p.map((x) => x / Math.hypot(...p))
        const e1 = unit(cross(n, u)),
          e2 = cross(n, e1)
        const onRing = (t: number): number[] =>
          pixel(frame.origin.map((x, c) => x + (e1[c] * Math.cos(t) + e2[c] * Math.sin(t)) * frame.size * 0.92))
        const a = onRing(0.3),
          b = onRing(0.8)
        const local = drag(axis, a[0], a[1]).to(view, b[0], b[1])
        model.held = { joint, ...local }
        model.update(0, 7)
        at(model, joint).forEach((x, c) => expect(x).toBeCloseTo(frame.origin[c], 4))
        // the hand has gone half a radian about the axis, by Rodrigues' formula
        const v = before.map((x, c) => x - frame.origin[c])
        const d = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
        const w = cross([...n], v)
        at(model, hand).forEach((x, c) =>
          expect(x - frame.origin[c]).toBeCloseTo(v[c] * Math.cos(0.5) + w[c] * Math.sin(0.5) + n[c] * d * (1 - Math.cos(0.5)), 3),
        )
      }
    }
  })

  it('turns a ring that is seen from its edge, and rounds on request', () => {
    const { view, frame, pixel, drag } = setUp('rotate', 'world', { yaw: 0, pitch: 0 })
    const o = pixel(frame.origin)
    const turned = drag(1, o[0], o[1]).to(view, o[0] + 60, o[1])
    const still = drag(1, o[0], o[1]).to(view, o[0], o[1])
    expect(Math.abs(turned.rotation.reduce((s, x, i) => s + x * still.rotation[i], 0))).toBeLessThan(0.98)
    const step = Math.PI / 36
    const rounded = drag(1, o[0], o[1]).to(view, o[0] + 60, o[1], step)
    const angle = 2 * Math.acos(Math.min(1, Math.abs(rounded.rotation.reduce((s, x, i) => s + x * still.rotation[i], 0))))
    expect(angle / step).toBeCloseTo(Math.round(angle / step), 2)
  })

  it('leaves alone what a handle does not touch', () => {
    const { model, view, frame, pixel, drag } = setUp('rotate', 'local')
    const o = pixel(frame.origin)
    const local = drag('screen', o[0] + 80, o[1]).to(view, o[0], o[1] + 80)
    const l = model.pose.local
    local.translation.forEach((x, c) => expect(x).toBe(l[16 * joint + 12 + c]))
  })

  it('draws finite ribbons', () => {
    for (const kind of ['move', 'rotate'] as const) {
      const data = new FlatData()
      fillGizmo(data, setUp(kind, 'local').frame, 0)
      expect(data.indexCount).toBeGreaterThan(0)
      for (let i = 0; i < 3 * data.vertexCount; i++) expect(Number.isFinite(data.positions[i])).toBe(true)
    }
  })
})
