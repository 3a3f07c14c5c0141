// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pointerDrag, type PointerDrag } from '../../../src/renderer/ui/pointer-drag.ts'

let element: HTMLElement
let captured: number[]
let told: string[]

beforeEach(() => {
  element = document.createElement('div')
  captured = []
  told = []
  element.setPointerCapture = (id) => void captured.push(id)
  document.body.append(element)
})
afterEach(() => element.remove())

function pointer(type: string, x: number, y = 0, pointerId = 7): void {
  element.dispatchEvent(Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y }), { pointerId }))
}

function press(options: Partial<PointerDrag> = {}): () => void {
  let stop = (): void => {}
  const drag: PointerDrag = {
    move: ({ dx, dy }) => told.push(`move ${dx} ${dy}`),
    end: (moved) => told.push(moved ? 'end' : 'click'),
    cancel: (moved) => told.push(moved ? 'cancel' : 'cancel unmoved'),
    ...options,
  }
  element.addEventListener('pointerdown', (event) => (stop = pointerDrag(event, drag)), { once: true })
  pointer('pointerdown', 100, 50)
  return () => stop()
}

describe('a drag of the pointer', () => {
  it('tells where it is from its beginning, and when it ends; nothing after that', () => {
    press()
    expect(captured).toEqual([7])
    pointer('pointermove', 103, 49)
    pointer('pointerup', 103, 49)
    pointer('pointermove', 120)
    pointer('lostpointercapture', 103)
    expect(told).toEqual(['move 3 -1', 'end'])
  })

  it('is a click below its threshold, in the direction that counts', () => {
    press({ threshold: 4 })
    pointer('pointermove', 103, 52)
    pointer('pointerup', 103, 52)
    press({ threshold: 4, sideways: true })
    pointer('pointermove', 101, 90)
    pointer('pointerup', 101, 90)
    press({ threshold: 4 })
    pointer('pointermove', 101, 54)
    // a hand that came back has dragged all the same
    pointer('pointermove', 100, 50)
    pointer('pointerup', 100, 50)
    expect(told).toEqual(['click', 'click', 'move 1 4', 'move 0 0', 'end'])
  })

  it('is taken back by Escape, which nobody else hears', () => {
    const heard: string[] = []
    const listener = (event: KeyboardEvent): void => void heard.push(event.key)
    document.addEventListener('keydown', listener)
    press()
    pointer('pointermove', 110, 50)
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    pointer('pointermove', 120)
    pointer('pointerup', 120)
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    document.removeEventListener('keydown', listener)
    expect(told).toEqual(['move 10 0', 'cancel'])
    // until the button is up
    expect(captured).toEqual([7])
    expect(heard).toEqual(['a', 'Escape'])
  })

  describe('that edits', () => {
    const key = (keys: KeyboardEventInit): boolean => element.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...keys }))
    const second = (): void =>
      void element.dispatchEvent(
        Object.assign(new MouseEvent('pointermove', { bubbles: true, buttons: 3, clientX: 110 }), { pointerId: 7 }),
      )
    const asked: string[] = []
    const heard: string[] = []
    let listening: AbortController
    beforeEach(() => {
      asked.length = heard.length = 0
      listening = new AbortController()
      document.addEventListener('keydown', ({ key }) => void heard.push(key), { signal: listening.signal })
      document.addEventListener('contextmenu', ({ type }) => void asked.push(type), { signal: listening.signal })
      press({ edits: true })
      pointer('pointermove', 110, 50)
    })
    afterEach(() => listening.abort())

    it('has the keyboard to itself, but for what says how it goes on', () => {
      for (const name of ['Delete', ' ', 'Tab', 'Shift', 'Control']) key({ key: name })
      expect(heard).toEqual(['Shift', 'Control'])
      pointer('pointerup', 110, 50)
      key({ key: 'Delete' })
      expect(heard).toEqual(['Shift', 'Control', 'Delete'])
      expect(told).toEqual(['move 10 0', 'end'])
    })

    it('is taken back by undo, which undoes nothing else', () => {
      key({ key: 'z', ctrlKey: true })
      pointer('pointerup', 110, 50)
      expect(heard).toEqual([])
      expect(told).toEqual(['move 10 0', 'cancel'])
    })

    it('is taken back by the second button, whose menu does not come', async () => {
      second()
      element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, button: 2 }))
      expect(told).toEqual(['move 10 0', 'cancel'])
      pointer('pointerup', 110, 50)
      // systems ask for it at the press, or once all is let go
      element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, button: 2 }))
      expect(asked).toEqual([])
      await new Promise((done) => setTimeout(done))
      element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, button: 2 }))
      expect(asked).toEqual(['contextmenu'])
    })
  })

  it.each(['pointercancel', 'lostpointercapture'])('is taken back by %s', (type) => {
    press()
    pointer('pointermove', 110, 50)
    pointer(type, 110)
    pointer('pointerup', 110)
    expect(told).toEqual(['move 10 0', 'cancel'])
  })

  it('is taken back by who began it, once', () => {
    const stop = press({ threshold: 3 })
    stop()
    stop()
    expect(told).toEqual(['cancel unmoved'])
  })

  it('does not heed another finger', () => {
    press()
    pointer('pointermove', 300, 0, 8)
    pointer('pointerup', 300, 0, 8)
    pointer('pointerup', 100, 50)
    expect(told).toEqual(['click'])
  })
})
