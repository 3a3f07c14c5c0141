// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CameraRig } from '../../../src/renderer/viewport/camera-rig.ts'
import { attachControls } from '../../../src/renderer/viewport/controls.ts'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { FlatData } from '../../../src/renderer/viewport/flat-batch.ts'
import { frameBounds } from '../../../src/renderer/viewport/orbit.ts'
import { PosedModel } from '../../../src/renderer/viewport/posed-model.ts'
import { CameraTool } from '../../../src/renderer/viewport/tools/camera-tool.ts'
import { BoxTool } from '../../../src/renderer/viewport/tools/box-tool.ts'
import { HandleTool, typedNumber } from '../../../src/renderer/viewport/tools/handle-tool.ts'
import type { Tool } from '../../../src/renderer/viewport/tools/tool.ts'
import { defaultDisplay, type PoseDrag, type ViewSelection } from '../../../src/renderer/viewport/types.ts'
import type { ViewState } from '../../../src/renderer/viewport/view-state.ts'

/** A stage without a graphics card. */
class State implements ViewState {
  readonly model = new PosedModel(devScene())
  readonly view = null
  readonly display = { ...defaultDisplay, skeleton: true }
  selection: ViewSelection
  readonly clip = -1
  readonly time = 0
  readonly bounds = this.model.bounds()!
  readonly floor = 0
  readonly rig = new CameraRig(() => {})
  pointer: { x: number; y: number } | null = null
  readonly hovered = -1
  readonly extent = 1.8
  readonly over = null

  constructor() {
    this.selection = { joint: this.model.scene.skeleton.names.indexOf('hand.L'), mesh: -1 }
    this.model.update(-1, 0)
    Object.assign(this.rig, { width: 800, height: 600 })
    this.rig.orbit = { ...this.rig.orbit, ...frameBounds(this.rig.orbit, this.bounds, 4 / 3) }
  }
  helper(): undefined {}
  invalidate(): void {}
  repose(): void {}
}

const at = (x: number, y: number, more: object = {}) => ({ x, y, ctrl: false, shift: false, buttons: 1, ...more })

describe('handles', () => {
  function handles(): { state: State; tool: HandleTool; told: PoseDrag[]; x: number; y: number } {
    const state = new State()
    const told: PoseDrag[] = []
    const tool = new HandleTool(state, { pose: (drag) => told.push(drag), point: () => {} })
    tool.use({ kind: 'rotate', space: 'world' })
    expect(state.selection.joint).toBeGreaterThanOrEqual(0)
    // the outer ring faces the viewer: it is found to the right of the joint
    const p = [0, 0, 0]
    const o = 16 * state.selection.joint + 12
    const { world } = state.model.pose
    state.rig.projector().project(world[o], world[o + 1], world[o + 2], p)
    let x = p[0]
    for (let i = 0; i < 200 && tool.cursor() !== 'grab'; i++) {
      state.pointer = { x: ++x, y: p[1] }
      tool.draw(new FlatData())
    }
    expect(tool.cursor()).toBe('grab')
    return { state, tool, told, x, y: p[1] }
  }

  it('tell of a drag from start to end, and hold what they did until they are let go', () => {
    const { state, tool, told, x, y } = handles()
    expect(tool.down(at(x, y))).toBe(true)
    tool.move(at(x, y + 20))
    tool.up()
    expect(told.map((d) => d.phase)).toEqual(['start', 'drag', 'end'])
    expect(told[2].rotation).toEqual(told[1].rotation)
    expect(told[1].rotation).not.toEqual(told[0].rotation)
    expect(state.model.held?.rotation).toEqual(told[1].rotation)
    tool.letGo()
    expect(state.model.held).toBeNull()
  })

  it('show a joint as typed numbers say, but not while one is in the hand', () => {
    const { state, tool, told, x, y } = handles()
    const { joint } = state.selection
    tool.put(joint, { translation: [1, 2, 3], rotation: [0, 0, 0, 1] }, true)
    expect(state.model.typed).toEqual({ joint, translation: [1, 2, 3], rotation: [0, 0, 0, 1], keepSkin: true })
    tool.letGo()
    expect(state.model.typed).toBeNull()
    expect(told).toEqual([])
    tool.down(at(x, y))
    tool.put(joint, { translation: [1, 2, 3], rotation: [0, 0, 0, 1] }, true)
    expect(state.model.typed).toBeNull()
  })

  it('keep what they hold below numbers that are typed, and taken back', () => {
    const { state, tool, x, y } = handles()
    const { model } = state
    const { joint } = state.selection
    const place = (): number[] => {
      model.update(-1, 0)
      return [...model.pose.local.subarray(16 * joint + 12, 16 * joint + 15)]
    }
    tool.down(at(x, y))
    tool.move(at(x, y + 20))
    tool.up()
    const turned = model.held
    const [x0] = place()
    tool.put(joint, { translation: [x0 + 9, 2, 3], rotation: [0, 0, 0, 1] }, false)
    expect(place()).toEqual([Math.fround(x0 + 9), 2, 3])
    tool.put(joint, null, false)
    expect(model.held).toBe(turned)
    expect(place()[0]).toBeCloseTo(x0, 6)
    // what is taken in the hand next begins with what is seen
    tool.put(joint, { translation: [x0 + 9, 2, 3], rotation: [0, 0, 0, 1] }, false)
    tool.down(at(x, y))
    tool.move(at(x, y + 20))
    expect(model.typed).toBeNull()
  })

  it('put back what is cancelled, once', () => {
    const { state, tool, told, x, y } = handles()
    tool.down(at(x, y))
    tool.move(at(x, y + 20))
    tool.cancel()
    tool.cancel()
    tool.up()
    expect(told.map((d) => d.phase)).toEqual(['start', 'drag', 'cancel'])
    expect(state.model.held).toBeNull()
  })

  it('take steps as soon as Ctrl is down, and no other key', () => {
    const { tool, told, x, y } = handles()
    expect(tool.key(new KeyboardEvent('keydown', { key: 'Control' }))).toBe(false)
    tool.down(at(x, y))
    tool.move(at(x, y + 21))
    const free = told.at(-1)!.rotation
    expect(tool.key(new KeyboardEvent('keydown', { key: 'x' }))).toBe(false)
    expect(tool.key(new KeyboardEvent('keydown', { key: 'Control' }))).toBe(true)
    expect(told.at(-1)!.rotation).not.toEqual(free)
    expect(tool.key(new KeyboardEvent('keyup', { key: 'Control' }))).toBe(true)
    expect(told.at(-1)!.rotation).toEqual(free)
  })

  it('turn by degrees that are typed, and let go with Enter', () => {
    const { state, tool, told, x, y } = handles()
    const press = (key: string): boolean => tool.key(new KeyboardEvent('keydown', { key }))
    expect(press('4')).toBe(false)
    tool.down(at(x, y))
    const from = told[0].rotation
    tool.move(at(x, y + 33))
    for (const key of ['-', '4', '5', '.', '5', 'Backspace', '5']) expect(press(key)).toBe(true)
    const to = told.at(-1)!.rotation
    const dot = Math.abs(from.reduce((sum, c, i) => sum + c * to[i], 0))
    expect((2 * Math.acos(Math.min(1, dot)) * 180) / Math.PI).toBeCloseTo(45.5, 3)
    // the pointer has no say any more
    tool.move(at(x + 40, y - 60))
    expect(told.at(-1)!.rotation).toEqual(to)
    expect(press('Enter')).toBe(true)
    expect(told.at(-1)!.phase).toBe('end')
    expect(state.model.held?.rotation).toEqual(to)
  })

  it('make a number of what is typed, and nothing of other keys', () => {
    const typed = (...keys: string[]): string | null => keys.reduce<string | null>((text, key) => typedNumber(text ?? '', key), '')
    expect(typed('1', '2', '.', '5', '.')).toBe('12.5')
    expect(typed('3', '-')).toBe('-3')
    expect(typed('3', '-', '-')).toBe('3')
    expect(typed('3', 'Backspace')).toBe('')
    expect(typedNumber('3', 'x')).toBeNull()
    expect(typedNumber('3', 'F1')).toBeNull()
  })

  it('leave a press beside them to the camera', () => {
    const { tool, told } = handles()
    expect(tool.down(at(2, 2))).toBe(false)
    expect(told).toEqual([])
  })
})

describe('the pointer on the picture', () => {
  let canvas: HTMLCanvasElement
  let state: State
  let camera: CameraTool
  let told: string[]
  let closing: AbortController
  let takes: boolean
  let ownsMain: boolean
  const tool: Tool = {
    ownsMain: true,
    down: ({ x }) => (takes && told.push(`down ${x}`), takes),
    move: ({ x }) => void told.push(`move ${x}`),
    up: () => void told.push('up'),
    cancel: () => void told.push('cancel'),
    cursor: () => '',
  }

  beforeEach(() => {
    canvas = document.createElement('canvas')
    canvas.setPointerCapture = () => {}
    document.body.append(canvas)
    state = new State()
    camera = new CameraTool(state, () => true)
    told = []
    takes = true
    ownsMain = true
    closing = new AbortController()
    attachControls(
      canvas,
      {
        camera,
        box: new BoxTool(state, ({ joints, vertices }) => told.push(joints ? `box ${joints.length}` : `vertices ${vertices!.join(' ')}`)),
        tool: () => (ownsMain ? tool : camera),
        point: () => {},
        click: (x, y, add) => told.push(`click ${x} ${y}${add ? ' add' : ''}`),
        doubleClick: () => {},
        menu: (place, { x, y }) => told.push(place ? `menu ${place.x} ${place.y} at ${x} ${y}` : 'menu by keyboard'),
      },
      closing.signal,
    )
  })
  afterEach(() => {
    closing.abort()
    canvas.remove()
  })

  function pointer(type: string, x: number, y: number, more: object = {}): void {
    const init = { bubbles: true, cancelable: true, clientX: x, clientY: y, buttons: 1, ...more }
    canvas.dispatchEvent(Object.assign(new MouseEvent(type, init), { pointerId: 1, ...more }))
  }

  it('belongs to the tool that takes its press', () => {
    const before = state.rig.orbit
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 30, 10)
    pointer('pointerup', 30, 10)
    expect(told).toEqual(['down 10', 'move 30', 'up'])
    expect(state.rig.orbit).toBe(before)
  })

  it('turns the camera where the tool takes nothing; a press that stays is a click', () => {
    takes = false
    const { yaw, target } = state.rig.orbit
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 12, 10)
    pointer('pointerup', 12, 10)
    expect(told).toEqual(['click 10 10'])
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 60, 10)
    pointer('pointerup', 60, 10)
    expect(told).toEqual(['click 10 10'])
    expect(state.rig.orbit.yaw).not.toBe(yaw)
    expect(state.rig.orbit.target).toEqual(target)
  })

  it('chooses what is in a box with Ctrl, where no tool has the main button; a click with it adds', () => {
    ownsMain = false
    const before = state.rig.orbit
    pointer('pointerdown', 0, 0, { ctrlKey: true })
    pointer('pointermove', 800, 600, { ctrlKey: true })
    pointer('pointerup', 800, 600, { ctrlKey: true })
    expect(told).toEqual([`box ${state.model.scene.skeleton.count}`])
    expect(state.rig.orbit).toBe(before)
    told.length = 0
    pointer('pointerdown', 10, 10, { ctrlKey: true })
    pointer('pointerup', 10, 10, { ctrlKey: true })
    expect(told).toEqual(['click 10 10 add'])
    // a box that is taken back chooses nothing
    pointer('pointerdown', 0, 0, { ctrlKey: true })
    pointer('pointermove', 800, 600, { ctrlKey: true })
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    expect(told).toHaveLength(1)
  })

  it('chooses the vertices in a box where vertices are what is chosen, each number of the file once', () => {
    ownsMain = false
    state.display.skeleton = false
    const drag = (): void => {
      pointer('pointerdown', 0, 0, { ctrlKey: true })
      pointer('pointermove', 800, 600, { ctrlKey: true })
      pointer('pointerup', 800, 600, { ctrlKey: true })
    }
    const mesh = state.model.meshes.findIndex(({ mesh }) => mesh.nativeVertexCount > 8)
    state.selection = { joint: -1, mesh, vertices: [] }
    drag()
    const all = told.pop()!.split(' ').slice(1).map(Number)
    expect(new Set(all).size).toBe(all.length)
    expect([...all].sort((a, b) => a - b)).toEqual([...new Set(state.model.meshes[mesh].mesh.nativeVertex)].sort((a, b) => a - b))
    // those in front are some of them; from behind others
    state.display.frontOnly = true
    drag()
    const front = told.pop()!.split(' ').slice(1).map(Number)
    expect(front.length).toBeGreaterThan(0)
    expect(front.length).toBeLessThan(all.length)
    expect(front.every((v) => all.includes(v))).toBe(true)
    state.rig.orbit = { ...state.rig.orbit, yaw: state.rig.orbit.yaw + Math.PI }
    drag()
    const behind = told.pop()!.split(' ').slice(1).map(Number)
    expect(behind.some((v) => !front.includes(v))).toBe(true)
    expect(front.some((v) => !behind.includes(v))).toBe(true)
    state.display.frontOnly = false
    // bones that are in sight do not come between
    state.display.skeleton = true
    drag()
    expect(told.pop()).toMatch(/^vertices /)
    state.selection = { joint: -1, mesh: -1 }
    state.display.skeleton = false
    drag()
    expect(told).toEqual([])
  })

  it('never asks the tool with Shift or another button; Shift moves the picture', () => {
    const { yaw } = state.rig.orbit
    pointer('pointerdown', 10, 10, { shiftKey: true })
    pointer('pointermove', 60, 10, { shiftKey: true })
    pointer('pointerup', 60, 10, { shiftKey: true })
    expect(state.rig.orbit.yaw).toBe(yaw)
    // the tool has the main button: the second one turns
    pointer('pointerdown', 10, 10, { button: 2, buttons: 2 })
    pointer('pointermove', 60, 10, { buttons: 2 })
    pointer('pointerup', 60, 10, { button: 2, buttons: 0 })
    expect(state.rig.orbit.yaw).not.toBe(yaw)
    expect(told).toEqual([])
  })

  it('asks for a menu where the right button is let go in the place of its press, whenever the system tells of it', () => {
    const { yaw } = state.rig.orbit
    const right = { button: 2, buttons: 2 }
    pointer('pointerdown', 10, 10, right)
    pointer('contextmenu', 10, 10, right)
    pointer('pointermove', 12, 11, right)
    expect(told).toEqual([])
    pointer('pointerup', 12, 11, { button: 2, buttons: 0 })
    pointer('contextmenu', 12, 11, { button: 2, buttons: 0 })
    expect(told).toEqual(['menu 10 10 at 10 10'])
    expect(state.rig.orbit.yaw).toBe(yaw)
    // one that is dragged moves the camera, and nothing else
    pointer('pointerdown', 10, 10, right)
    pointer('pointermove', 60, 10, right)
    pointer('pointermove', 10, 10, right)
    pointer('pointerup', 10, 10, { button: 2, buttons: 0 })
    pointer('contextmenu', 10, 10, { button: 2, buttons: 0 })
    // the menu key; a long touch is the tool's
    pointer('contextmenu', 0, 0, { button: 0, buttons: 0 })
    pointer('pointerdown', 10, 10)
    pointer('contextmenu', 10, 10, { button: 0 })
    pointer('pointerup', 10, 10)
    expect(told).toEqual(['menu 10 10 at 10 10', 'menu by keyboard', 'down 10', 'up'])
  })

  it.each(['Escape', 'a second finger', 'a lost pointer'])('is taken back by %s', (how) => {
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 30, 10)
    if (how === 'Escape') document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    else if (how === 'a second finger') pointer('pointerdown', 90, 10, { pointerId: 2 })
    else pointer('lostpointercapture', 30, 10)
    pointer('pointermove', 40, 10)
    pointer('pointerup', 40, 10)
    expect(told).toEqual(['down 10', 'move 30', 'cancel'])
  })

  it('puts the camera back on Escape', () => {
    takes = false
    const before = state.rig.orbit
    pointer('pointerdown', 10, 10)
    pointer('pointermove', 60, 40)
    expect(state.rig.orbit).not.toEqual(before)
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    expect(state.rig.orbit).toEqual(before)
  })

  it('zooms by two fingers, goes on with the one that stays, and begins anew when both are up', () => {
    const before = state.rig.orbit
    pointer('pointerdown', 300, 300)
    pointer('pointerdown', 500, 300, { pointerId: 2 })
    pointer('pointermove', 600, 300, { pointerId: 2 })
    expect(state.rig.orbit.distance).toBeLessThan(before.distance)
    pointer('pointerup', 300, 300)
    const { yaw } = state.rig.orbit
    pointer('pointermove', 640, 300, { pointerId: 2 })
    expect(state.rig.orbit.yaw).not.toBe(yaw)
    pointer('pointerup', 640, 300, { pointerId: 2 })
    told = []
    pointer('pointerdown', 10, 10)
    pointer('pointerup', 10, 10)
    expect(told).toEqual(['down 10', 'up'])
  })
})
