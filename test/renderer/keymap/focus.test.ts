// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { isInBar, isTextField, ownsKey, scopesAt, watchFocus } from '../../../src/renderer/core/keymap/focus.ts'

const at = (id: string): Element => document.getElementById(id)!
beforeEach(() => {
  document.body.innerHTML = `<input id="t"><input id="c" type="checkbox"><button id="b"></button><select id="s"></select>
    <div role="tree"><span id="r"></span></div><p id="p"></p><canvas id="picture"></canvas>
    <div role="tablist"><span role="tab" id="tab"></span></div><input id="range" type="range">
    <div data-panel="timeline"><div role="grid" id="grid"><input id="cell"></div></div>`
})

describe('the focus', () => {
  it('says which scopes count, the narrowest first', () => {
    expect(scopesAt(at('p'))).toEqual(['window'])
    expect(scopesAt(at('r'))).toEqual(['table', 'window'])
    expect(scopesAt(at('cell'))).toEqual(['field', 'table', 'timeline', 'window'])
    expect(scopesAt(null)).toEqual(['window'])
  })

  it('leaves typing and lists their own keys', () => {
    expect(isTextField(at('t'))).toBe(true)
    expect(isTextField(at('c'))).toBe(false)
    expect(isTextField(at('range'))).toBe(false)
    for (const byKeyboard of [true, false]) {
      expect(ownsKey(at('t'), ' ', byKeyboard)).toBe(true)
      expect(ownsKey(at('r'), 'ArrowLeft', byKeyboard)).toBe(true)
      expect(ownsKey(at('range'), 'ArrowLeft', byKeyboard)).toBe(true)
      // with Shift a value goes by more, and a list goes nowhere
      expect(ownsKey(at('range'), 'ArrowLeft', byKeyboard, true)).toBe(true)
      expect(ownsKey(at('r'), 'ArrowLeft', byKeyboard, true)).toBe(false)
      expect(ownsKey(at('b'), 'Enter', byKeyboard)).toBe(true)
      expect(ownsKey(at('r'), 'Delete', byKeyboard)).toBe(false)
      expect(ownsKey(at('p'), ' ', byKeyboard)).toBe(false)
      expect(ownsKey(at('picture'), 'ArrowLeft', byKeyboard)).toBe(false)
      expect(ownsKey(at('b'), 'ArrowLeft', byKeyboard)).toBe(false)
    }
  })

  it('gives Space and arrows to a control that was gone to by keyboard, not to one that was clicked', () => {
    for (const id of ['b', 'c', 's', 'tab']) {
      expect(ownsKey(at(id), ' ', true), id).toBe(true)
      expect(ownsKey(at(id), ' ', false), id).toBe(false)
    }
    expect(ownsKey(at('tab'), 'ArrowLeft', true)).toBe(true)
    expect(ownsKey(at('tab'), 'ArrowLeft', false)).toBe(false)
    expect(isInBar(at('tab'))).toBe(true)
    expect(isInBar(at('b'))).toBe(false)
    expect(isInBar(at('r'))).toBe(false)
  })

  it('knows how it came', () => {
    const watch = watchFocus(window)
    const send = (type: string): boolean => window.dispatchEvent(new Event(type))
    expect(watch.byKeyboard()).toBe(true)
    send('pointerdown')
    send('focusin')
    expect(watch.byKeyboard()).toBe(false)
    // a key on what was clicked does not make it gone to by keyboard
    send('keydown')
    expect(watch.byKeyboard()).toBe(false)
    send('focusin')
    expect(watch.byKeyboard()).toBe(true)
    // the focus is there already, and then it is clicked
    send('pointerdown')
    expect(watch.byKeyboard()).toBe(false)
    watch.stop()
    send('keydown')
    send('focusin')
    expect(watch.byKeyboard()).toBe(false)
  })
})
