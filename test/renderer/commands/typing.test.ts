// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchTyping } from '../../../src/renderer/core/commands/typing.ts'

describe('a text field with the focus', () => {
  let watch: ReturnType<typeof watchTyping>
  let input: HTMLInputElement
  const type = (text: string): void => {
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  beforeEach(() => {
    watch = watchTyping(window)
    input = document.createElement('input')
    input.value = '40'
    document.body.append(input)
    input.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  })
  afterEach(() => {
    watch.stop()
    input.remove()
  })

  it('has nothing of its own to take back until something is typed', () => {
    expect(watch.unkept(input)).toBe(false)
    type('41')
    expect(watch.unkept(input)).toBe(true)
    type('40')
    expect(watch.unkept(input)).toBe(false)
  })

  it('of several lines keeps it with Ctrl: Enter alone begins another line', async () => {
    const lines = document.createElement('textarea')
    document.body.append(lines)
    lines.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
    lines.value = 'a'
    lines.dispatchEvent(new Event('input', { bubbles: true }))
    lines.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await Promise.resolve()
    expect(watch.unkept(lines)).toBe(true)
    lines.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    await Promise.resolve()
    expect(watch.unkept(lines)).toBe(false)
    lines.remove()
  })

  it('has none again once its text was kept', async () => {
    type('41')
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    await Promise.resolve()
    expect(watch.unkept(input)).toBe(false)
    type('42')
    input.dispatchEvent(new Event('change', { bubbles: true }))
    expect(watch.unkept(input)).toBe(false)
  })

  it('has none when the model changed it', () => {
    input.value = '55'
    expect(watch.unkept(input)).toBe(false)
  })

  it('is not meant where something else has the focus', () => {
    type('41')
    expect(watch.unkept(document.body)).toBe(false)
    expect(watch.unkept(document.createElement('input'))).toBe(false)
  })
})
