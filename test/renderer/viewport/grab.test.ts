// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CameraRig } from '../../../src/renderer/viewport/camera-rig.ts'
import { attachGrab } from '../../../src/renderer/viewport/grab-controls.ts'
import { jointSubject } from '../../../src/renderer/viewport/gizmo.ts'
import { Grab, nextHold, topmost } from '../../../src/renderer/viewport/grab.ts'
import { basis, frameBounds } from '../../../src/renderer/viewport/orbit.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import { GrabTool } from '../../../src/renderer/viewport/tools/grab-tool.ts'
import { defaultDisplay } from '../../../src/renderer/viewport/types.ts'
import type { GrabShown, PointDrag, PoseDrag, ReachDrag, ViewSelection } from '../../../src/renderer/viewport/types.ts'
import type { ViewState } from '../../../src/renderer/viewport/view-state.ts'
import { devScene } from '../../../src/renderer/dev/figure.ts'

/** A stage without a graphics card. */
class State implements ViewState {
  model = new PosedModel(devScene())
  readonly view = null
  readonly display = { ...defaultDisplay }
  selection: ViewSelection = { joint: -1, mesh: -1 }
  clip = 0
  time = 0
  readonly bounds = this.model.bounds()!
  readonly floor = 0
  readonly rig = new CameraRig(() => {})
  pointer: { x: number; y: number } | null = { x: 400, y: 300 }
  readonly hovered = -1
  readonly extent = 1.8
  readonly over = null

  constructor() {
    this.update()
    Object.assign(this.rig, { width: 800, height: 600 })
    this.rig.orbit = { ...this.rig.orbit, yaw: 0, pitch: 0, ...frameBounds({ ...this.rig.orbit, yaw: 0, pitch: 0 }, this.bounds, 4 / 3) }
  }
  update(): void {
    this.model.update(this.clip, this.time)
  }
  joint(name: string): number {
    return this.model.scene.skeleton.names.indexOf(name)
  }
  place(joint: number): number[] {
    return [...this.model.pose.world.subarray(16 * joint + 12, 16 * joint + 15)]
  }
  helper(index: number | undefined) {
    return index === undefined ? undefined : this.model.scene.helpers[index]
  }
  invalidate(): void {}
  repose(): void {
    this.update()
  }
}

const key = (name: string, more: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })
const at = (x: number, y: number, ctrl = false) => ({ x, y, ctrl, shift: false, buttons: 0 })

describe('what a grab is held to', () => {
  it('is the axis of the scene, then its own, then nothing, by the same letter; another letter begins anew', () => {
    const x = nextHold(null, 0, false)
    expect(x).toEqual({ axis: 0, across: false, local: false })
    const own = nextHold(x, 0, false)
    expect(own).toEqual({ axis: 0, across: false, local: true })
    expect(nextHold(own, 0, false)).toBeNull()
    expect(nextHold(own, 2, false)).toEqual({ axis: 2, across: false, local: false })
    expect(nextHold(own, 0, true)).toEqual({ axis: 0, across: true, local: false })
  })

  it('is the joints that no other chosen one carries', () => {
    expect(topmost([-1, 0, 1, 1, 0], [3, 1, 4])).toEqual([1, 4])
    expect(topmost([-1, 0, 1], [2])).toEqual([2])
  })

  it('lets the pointer count along it alone, or across it', () => {
    const state = new State()
    const joint = state.joint('hand.L')
    const { skeleton } = state.model.scene
    const grab = new Grab('move', [jointSubject(skeleton, joint, state.model.pose)])
    const view = state.rig.projector()
    const camera = basis(state.rig.orbit)
    const [from, to] = [
      { x: 400, y: 300 },
      { x: 460, y: 270 },
    ]
    grab.to({ view, camera, from, at: to, hold: null, step: 0 })
    const [x, y, z] = grab.amounts
    expect(x).toBeGreaterThan(0)
    expect(y).toBeGreaterThan(0)
    expect(z).toBeCloseTo(0, 6)
    expect(x / y).toBeCloseTo(2, 6)
    grab.to({ view, camera, from, at: to, hold: { axis: 1, across: false, local: false }, step: 0 })
    expect(grab.amounts[0]).toBe(0)
    expect(grab.amounts[1]).toBeGreaterThan(0)
    grab.to({ view, camera, from, at: to, hold: { axis: 1, across: true, local: false }, step: 0 })
    expect(grab.amounts[1]).toBe(0)
    // steps, and numbers in place of the pointer
    grab.to({ view, camera, from, at: to, hold: { axis: 0, across: false, local: false }, step: 0.05 })
    expect(grab.amounts[0] / 0.05).toBeCloseTo(Math.round(grab.amounts[0] / 0.05), 9)
    grab.to({ view, camera, from: null, at: null, hold: { axis: 2, across: false, local: false }, step: 0, exact: -1.5 })
    expect(grab.amounts).toEqual([0, 0, -1.5])
  })

  it('follows the pointer about the pivot more than once', () => {
    const state = new State()
    const joint = state.joint('hand.L')
    const grab = new Grab('rotate', [jointSubject(state.model.scene.skeleton, joint, state.model.pose)])
    const p = [0, 0, 0]
    state.rig.projector().project(...grab.pivot, p)
    const spot = (degrees: number) => ({
      x: p[0] + 80 * Math.cos((degrees * Math.PI) / 180),
      y: p[1] - 80 * Math.sin((degrees * Math.PI) / 180),
    })
    for (let degrees = 0; degrees <= 400; degrees += 20)
      grab.to({
        view: state.rig.projector(),
        camera: basis(state.rig.orbit),
        from: spot(0),
        at: spot(degrees),
        hold: { axis: 2, across: false, local: false },
        step: 0,
      })
    expect((grab.amounts[2] * 180) / Math.PI).toBeCloseTo(400, 6)
  })
})

describe('a grab', () => {
  let state: State
  let tool: GrabTool
  let told: (PoseDrag | ReachDrag | PointDrag)[]
  let shown: (GrabShown | null)[]
  let canvas: HTMLCanvasElement
  let closing: AbortController

  beforeEach(() => {
    state = new State()
    told = []
    shown = []
    const note = (drag: PoseDrag | ReachDrag | PointDrag): void => void told.push(drag)
    tool = new GrabTool(state, { pose: note, reach: note, point: note, grab: (now) => shown.push(now) })
    canvas = document.createElement('canvas')
    document.body.append(canvas)
    closing = new AbortController()
    attachGrab(canvas, tool, closing.signal)
  })
  afterEach(() => {
    closing.abort()
    canvas.remove()
  })

  const choose = (...names: string[]): number[] => {
    const joints = names.map((name) => state.joint(name))
    state.selection = { joint: joints[0], joints, mesh: -1 }
    return joints
  }
  const press = (name: string, more: KeyboardEventInit = {}): boolean => {
    const event = key(name, more)
    document.body.dispatchEvent(event)
    return event.defaultPrevented
  }
  const type = (text: string): void => [...text].forEach((letter) => press(letter))
  const last = (): ReachDrag => told.at(-1) as ReachDrag

  it('takes nothing without a choice, and no key before it began', () => {
    expect(tool.begin('move')).toBe(false)
    expect(press('x')).toBe(false)
    expect(told).toEqual([])
  })

  it('moves a bone by a number along an axis, and Enter keeps it as one step', () => {
    const [hand] = choose('hand.L')
    const before = state.place(hand)
    expect(tool.begin('move')).toBe(true)
    type('x-0.25')
    expect(shown.at(-1)).toMatchObject({ kind: 'move', hold: { axis: 0, across: false, local: false }, typed: '-0.25', joints: [hand] })
    const after = state.place(hand)
    expect(after[0] - before[0]).toBeCloseTo(-0.25, 5)
    expect(after[1]).toBeCloseTo(before[1], 5)
    expect(after[2]).toBeCloseTo(before[2], 5)
    expect(press('Enter')).toBe(true)
    expect(told.map(({ phase }) => phase).filter((phase) => phase !== 'drag')).toEqual(['start', 'end'])
    expect(last()).toMatchObject({ joint: hand, grabbed: { kind: 'move', count: 1 }, pose: { turned: [], moved: [hand] } })
    expect(shown.at(-1)).toBeNull()
    expect(tool.going).toBe(false)
  })

  it('turns several bones about their own places; what hangs on a chosen one goes with it', () => {
    const [left, right] = choose('arm.L', 'arm.R', 'hand.L')
    const places = [left, right].map((joint) => state.place(joint))
    tool.begin('rotate')
    type('y30')
    expect([left, right].map((joint) => state.place(joint))).toEqual(places)
    press('Enter')
    expect(last().pose.turned).toEqual([left, right])
    expect(last().pose.moved).toEqual([])
    expect(last().grabbed).toEqual({ kind: 'rotate', count: 2 })
    const quat = [...last().pose.rotation.subarray(4 * left, 4 * left + 4)]
    expect(Math.hypot(...quat)).toBeCloseTo(1, 6)
  })

  it('takes all back on Escape and on the right button, and leaves what was posed before it', () => {
    const [hand] = choose('hand.L')
    const before = state.place(hand)
    tool.begin('move')
    type('y1')
    expect(press('Escape')).toBe(true)
    expect(state.place(hand)).toEqual(before)
    expect(state.model.posed).toBeNull()
    tool.begin('move')
    type('y1')
    press('Enter')
    const kept = state.place(hand)
    tool.begin('rotate')
    type('x40')
    canvas.dispatchEvent(Object.assign(new MouseEvent('pointerdown', { bubbles: true, cancelable: true, button: 2 }), { pointerId: 1 }))
    expect(tool.going).toBe(false)
    expect(state.place(hand)).toEqual(kept)
    expect(last()).toMatchObject({ phase: 'cancel', pose: { moved: [hand], turned: [] } })
  })

  it('follows the pointer with no button held from where it was, and a press keeps it without pressing what is below', () => {
    const [hand] = choose('hand.L')
    const before = state.place(hand)
    const button = document.createElement('button')
    document.body.append(button)
    let pressed = 0
    button.addEventListener('click', () => pressed++)
    const pointer = (type: string, x: number, y: number, target: Element, more: object = {}): void => {
      const init = { bubbles: true, cancelable: true, clientX: x, clientY: y, buttons: 0, ...more }
      target.dispatchEvent(Object.assign(new MouseEvent(type, init), { pointerId: 1 }))
    }
    tool.begin('move')
    pointer('pointermove', 400, 240, document.body)
    expect(state.place(hand)[1]).toBeGreaterThan(before[1])
    // with the middle button the camera is moved meanwhile
    pointer('pointermove', 100, 100, canvas, { buttons: 4 })
    pointer('pointerdown', 400, 240, button)
    pointer('click', 400, 240, button)
    expect(tool.going).toBe(false)
    expect(pressed).toBe(0)
    expect(last().phase).toBe('end')
    pointer('pointerdown', 400, 240, button)
    pointer('click', 400, 240, button)
    expect(pressed).toBe(1)
    button.remove()
  })

  it('takes steps with Ctrl, changes between moving and turning, and takes every other key from the window', () => {
    choose('hand.L')
    tool.begin('rotate')
    tool.move(at(500, 250))
    tool.move(at(520, 200))
    press('Control')
    const [{ value }] = shown.at(-1)!.amounts
    expect((value * 36) / Math.PI).toBeCloseTo(Math.round((value * 36) / Math.PI), 6)
    expect(press('Delete')).toBe(true)
    expect(press('z', { ctrlKey: true })).toBe(true)
    expect(press('F5')).toBe(false)
    press('g')
    expect(shown.at(-1)).toMatchObject({ kind: 'move', hold: null })
    // across an axis, by its letter with Shift; another layout types another letter
    press('X', { shiftKey: true })
    expect(shown.at(-1)!.hold).toEqual({ axis: 0, across: true, local: false })
    press('я', { code: 'KeyZ' })
    expect(shown.at(-1)!.hold).toEqual({ axis: 2, across: false, local: false })
  })

  it('that goes nowhere is none', () => {
    choose('hand.L')
    tool.begin('move')
    press('Enter')
    expect(told.map(({ phase }) => phase)).toEqual(['start', 'cancel'])
  })

  it('moves a joint at rest, and holds it until its edit is there or refused', () => {
    state.clip = -1
    state.update()
    const [hand] = choose('hand.L')
    const before = state.place(hand)
    tool.begin('move', true)
    type('z0.5')
    expect(state.model.held).toMatchObject({ joint: hand, keepSkin: true })
    press('Enter')
    expect(told.at(-1)).toMatchObject({ joint: hand, kind: 'move', phase: 'end' })
    expect(state.place(hand)[2] - before[2]).toBeCloseTo(0.5, 5)
    tool.letGo()
    expect(state.place(hand)).toEqual(before)
  })

  it('goes on in another scene of the same model, and ends where that has other joints', () => {
    const [hand] = choose('hand.L')
    tool.begin('move')
    type('x1')
    state.model = new PosedModel(devScene())
    state.update()
    tool.adopt(state.model)
    expect(state.model.posed?.moved).toEqual([hand])
    const shorter = new PosedModel(devScene())
    shorter.scene.skeleton.count--
    tool.adopt(shorter)
    expect(tool.going).toBe(false)
  })
})
