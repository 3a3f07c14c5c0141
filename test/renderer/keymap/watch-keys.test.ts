// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useCommands } from '../../../src/renderer/core/commands/registry.ts'
import { watchFocus } from '../../../src/renderer/core/keymap/focus.ts'
import { watchKeys } from '../../../src/renderer/shell/watch-keys.ts'

describe('keys of the window', () => {
  let stop: () => void
  let ran: string[]
  beforeEach(() => {
    setActivePinia(createPinia())
    ran = []
    const note = (id: string) => (): unknown => ran.push(id)
    useCommands().register([
      { id: 'play.toggle', run: note('play') },
      { id: 'play.next', run: note('next') },
      { id: 'pose.move', run: note('move') },
    ])
    const focus = watchFocus(window)
    const stopKeys = watchKeys(focus, () => true)
    stop = () => {
      stopKeys()
      focus.stop()
    }
    document.body.innerHTML = `<canvas id="picture" tabindex="0"></canvas><div role="tree" id="row" tabindex="0"></div>
      <div role="toolbar"><button id="button"></button></div><div role="tablist"><button role="tab" id="tab"></button></div>
      <input id="field"><select id="select"></select><button id="mark"></button>`
    // bars and marks have arrows of their own
    for (const element of document.querySelectorAll('[role=toolbar],[role=tablist],#mark'))
      element.addEventListener('keydown', (event) => {
        if (!(event as KeyboardEvent).key.startsWith('Arrow')) return
        ran.push('own')
        event.preventDefault()
        event.stopPropagation()
      })
  })
  afterEach(() => stop())

  const at = (id: string): HTMLElement => document.getElementById(id)!
  function go(id: string, how: 'click' | 'Tab'): void {
    if (how === 'click') at(id).dispatchEvent(new Event('pointerdown', { bubbles: true }))
    else document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }))
    at(id).dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  }
  /** @returns what ran, and whether the element still gets the key */
  function press(id: string, key: string): [string[], boolean] {
    ran = []
    const left = at(id).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return [ran, left]
  }

  it.each(['picture', 'row', 'button', 'tab', 'select', 'mark'])('mean the same after a click on: %s', (id) => {
    go(id, 'click')
    expect(press(id, ' ')).toEqual([['play'], false])
    expect(press(id, 'g')).toEqual([['move'], false])
  })

  it.each(['button', 'tab', 'select', 'mark'])('leave Space to a control that was gone to by keyboard: %s', (id) => {
    go(id, 'Tab')
    expect(press(id, ' ')).toEqual([[], true])
    expect(press(id, 'g')).toEqual([['move'], false])
  })

  it('step by arrows after a click on the picture and on bars, which have them once gone to by keyboard', () => {
    for (const id of ['picture', 'button', 'tab']) {
      go(id, 'click')
      expect(press(id, 'ArrowRight'), id).toEqual([['next'], false])
    }
    go('button', 'Tab')
    expect(press('button', 'ArrowRight')).toEqual([['own'], false])
  })

  it('are not taken from lists and from marks that move by them, clicked or not', () => {
    for (const how of ['click', 'Tab'] as const) {
      go('row', how)
      expect(press('row', 'ArrowRight')).toEqual([[], true])
      go('mark', how)
      expect(press('mark', 'ArrowRight')).toEqual([['own'], false])
    }
  })

  it('are not taken from a text', () => {
    go('field', 'click')
    for (const key of [' ', 'g', 'ArrowRight']) expect(press('field', key)).toEqual([[], true])
  })

  it('do not press the button under Space when it goes up', () => {
    go('button', 'click')
    press('button', ' ')
    const up = (): boolean => at('button').dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true, cancelable: true }))
    expect(up()).toBe(false)
    expect(up()).toBe(true)
  })
})
