// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchPresses } from '../../../src/renderer/shell/press-after-field.ts'

describe('a press on a button right after typing', () => {
  let stop: () => void
  let clicks: number
  let field: HTMLInputElement
  let button: HTMLButtonElement
  beforeEach(() => {
    stop = watchPresses()
    clicks = 0
    document.body.innerHTML = '<input><button>Apply</button><p></p>'
    field = document.querySelector('input')!
    button = document.querySelector('button')!
    button.addEventListener('click', () => clicks++)
  })
  afterEach(() => stop())

  const pointer = (type: string, on: Element, x: number, which = 0): boolean =>
    on.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: x, clientY: 10, button: which }))
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

  function type(): void {
    field.focus()
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** The browser makes a click where both ends are on the same thing that is on. */
  async function press(does: () => void = () => undefined, { up = button as Element, upAt = 10, which = 0 } = {}): Promise<void> {
    pointer('pointerdown', button, 10, which)
    field.dispatchEvent(new Event('change', { bubbles: true }))
    button.focus()
    does()
    pointer('pointerup', up, upAt, which)
    if (up === button && !button.disabled && which === 0) button.click()
    await turn()
  }

  it('is one click where nothing came between', async () => {
    type()
    await press()
    expect(clicks).toBe(1)
  })

  it('is a click although the button went from under the pointer', async () => {
    type()
    await press(undefined, { up: document.querySelector('p')! })
    expect(clicks).toBe(1)
  })

  it('waits for a button that is off until an answer is there', async () => {
    type()
    await press(() => (button.disabled = true))
    expect(clicks).toBe(0)
    button.disabled = false
    await turn()
    expect(clicks).toBe(1)
    button.disabled = true
    button.disabled = false
    await turn()
    expect(clicks).toBe(1)
  })

  it.each<[string, () => void | Promise<void>]>([
    ['a key is pressed', () => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))],
    ['something else is pressed', () => void pointer('pointerdown', field, 1)],
    ['it says another thing', () => void (button.textContent = 'Replace')],
    ['it is gone', () => button.remove()],
  ])('is not waited with when %s', async (_when, happens) => {
    type()
    await press(() => (button.disabled = true))
    await happens()
    button.disabled = false
    await turn()
    expect(clicks).toBe(0)
  })

  it.each<[string, () => Promise<void>]>([
    [
      'that was let go elsewhere',
      async () => {
        type()
        await press(undefined, { up: document.querySelector('p')!, upAt: 60 })
      },
    ],
    [
      'with the other button of the pointer',
      async () => {
        type()
        await press(undefined, { which: 2 })
      },
    ],
    ['after nothing was typed', () => press(undefined, { up: document.querySelector('p')! })],
    [
      'on what was off',
      async () => {
        type()
        button.disabled = true
        await press()
        button.disabled = false
        await turn()
      },
    ],
  ])('is none %s', async (_what, act) => {
    await act()
    expect(clicks).toBe(0)
  })
})
