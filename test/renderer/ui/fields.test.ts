// @vitest-environment happy-dom
import { createPinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import { createApp, h, nextTick, shallowRef, type App, type Component, type ShallowRef } from 'vue'
import { watchNotes } from '../../../src/renderer/ui/field-note.ts'
import { withLineEnds } from '../../../src/renderer/ui/line-ends.ts'
import NameField from '../../../src/renderer/ui/NameField.vue'
import NumberField from '../../../src/renderer/ui/NumberField.vue'

let app: App | null = null
function mount(component: Component, props: Record<string, unknown>): HTMLInputElement {
  const host = document.createElement('div')
  document.body.append(host)
  app = createApp({ render: () => h(component, props) }).use(createPinia())
  app.mount(host)
  return host.querySelector<HTMLInputElement>('input, textarea')!
}
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})
const type = async (input: HTMLInputElement, text: string): Promise<void> => {
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
  await nextTick()
}
const key = (input: HTMLInputElement, name: string, more: KeyboardEventInit & { isComposing?: boolean } = {}): void => {
  input.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more }))
}

describe('name field', () => {
  it('keeps the name on Enter', async () => {
    const onChange = vi.fn()
    const input = mount(NameField, { value: 'walk', label: 'Name', onChange })
    await type(input, '歩き')
    key(input, 'Enter')
    expect(onChange).toHaveBeenCalledExactlyOnceWith('歩き')
  })

  it('leaves Enter to the input method while it composes', async () => {
    const onChange = vi.fn()
    const input = mount(NameField, { value: 'walk', label: 'Name', onChange })
    await type(input, 'あるき')
    key(input, 'Enter', { isComposing: true })
    expect(onChange).not.toHaveBeenCalled()
  })

  it('brings the old name back on Escape', async () => {
    const onChange = vi.fn()
    const input = mount(NameField, { value: 'walk', label: 'Name', onChange })
    await type(input, 'run')
    key(input, 'Escape')
    input.dispatchEvent(new Event('blur'))
    await nextTick()
    expect(input.value).toBe('walk')
    expect(onChange).not.toHaveBeenCalled()
  })
})

describe('a text of several lines', () => {
  it('keeps its lines, with the ends that they have in the file', async () => {
    const onChange = vi.fn()
    const value = 'UPerSec = 1.4\r\nVPerSec = 0.6\n'
    const input = mount(NameField, { value, label: 'mapperArgs0', lines: true, onChange })
    expect(input.tagName).toBe('TEXTAREA')
    expect(input.value).toBe('UPerSec = 1.4\nVPerSec = 0.6\n')
    key(input, 'Enter', { ctrlKey: true })
    expect(onChange).not.toHaveBeenCalled()
    input.dispatchEvent(new Event('focus'))
    await type(input, 'UPerSec = 1.5\nVPerSec = 0.6\n')
    // begins another line
    key(input, 'Enter')
    expect(onChange).not.toHaveBeenCalled()
    key(input, 'Enter', { ctrlKey: true })
    expect(onChange).toHaveBeenCalledExactlyOnceWith('UPerSec = 1.5\r\nVPerSec = 0.6\n')
  })

  it.each([
    ['a\r\nb', 'a\nb', 'a\r\nb'],
    ['a\r\nb', 'a\nx\nb', 'a\r\nx\r\nb'],
    ['a\r\nb\nc\rd', 'a\nb\nc\nde', 'a\r\nb\nc\rde'],
    ['a\r\nb\nc', 'c', 'c'],
    ['a\r\n\r\nb', 'a\nb', 'a\r\nb'],
    ['a\nb', '', ''],
    ['', 'a\nb', 'a\nb'],
  ])('has the line ends of what it was: %j, typed over as %j', (before, typed, after) => {
    expect(withLineEnds(before, typed)).toBe(after)
  })
})

const leave = async (input: HTMLInputElement): Promise<void> => {
  input.dispatchEvent(new Event('blur'))
  await nextTick()
}

describe('what a number field does not take', () => {
  it.each([
    ['abc', {}, '“abc” is no number'],
    ['1.5', { integer: true }, '“1.5” is no whole number'],
    ['-1', { min: 0 }, '-1 is too small: 0 at least'],
    ['12', { max: 10 }, '12 is too large: 10 at most'],
    ['12', { min: 0, max: 10 }, '12 is outside: 0 to 10'],
  ])('says why below it: %s', async (typed, props, said) => {
    const notes: { field: HTMLElement; text: string }[] = []
    const stop = watchNotes((note) => notes.push(note))
    const input = mount(NumberField, { value: 7, label: 'n', ...props })
    await type(input, typed)
    key(input, 'Enter')
    expect(notes).toEqual([{ field: input, text: said }])
    await type(input, '')
    input.dispatchEvent(new Event('blur'))
    expect(notes).toHaveLength(1)
    stop()
  })

  it('is left to an owner that has words of its own', async () => {
    const notes: unknown[] = []
    const stop = watchNotes((note) => notes.push(note))
    const onRejected = vi.fn()
    const input = mount(NumberField, { value: 7, label: 'n', onRejected })
    await type(input, 'abc')
    key(input, 'Enter')
    expect(onRejected).toHaveBeenCalledExactlyOnceWith('abc')
    expect(notes).toEqual([])
    stop()
  })
})

describe.each([
  ['name', NameField, 'walk', 'run'],
  ['number', NumberField, 7, '9'],
] as const)('a %s that its owner refuses', (_kind, field, value, typed) => {
  function mountRefusable(onChange: () => void): { input: HTMLInputElement; refused: ShallowRef<object | null> } {
    const refused = shallowRef<object | null>(null)
    const host = document.createElement('div')
    document.body.append(host)
    app = createApp({ render: () => h(field as Component, { value, label: 'Value', refused: refused.value, onChange }) }).use(createPinia())
    app.mount(host)
    return { input: host.querySelector('input')!, refused }
  }

  it('is not given: Enter stays, leaving the field brings the old one back', async () => {
    const onChange = vi.fn()
    const { input, refused } = mountRefusable(onChange)
    input.focus()
    await type(input, typed)
    refused.value = {}
    await nextTick()
    expect(input.getAttribute('aria-invalid')).toBe('true')
    key(input, 'Enter')
    await nextTick()
    expect(document.activeElement).toBe(input)
    expect(input.value).toBe(typed)
    await leave(input)
    expect(input.value).toBe(String(value))
    expect(onChange).not.toHaveBeenCalled()
  })

  it('is given when it was mended, also before the owner has said so', async () => {
    const onChange = vi.fn()
    const { input, refused } = mountRefusable(onChange)
    input.focus()
    await type(input, `${typed}0`)
    refused.value = {}
    await nextTick()
    await type(input, typed)
    key(input, 'Enter')
    expect(onChange).toHaveBeenCalledOnce()
  })

  it('goes when the refusal comes after the field was left', async () => {
    const { input, refused } = mountRefusable(() => {})
    await type(input, typed)
    await leave(input)
    expect(input.value).toBe(typed)
    refused.value = {}
    await nextTick()
    expect(input.value).toBe(String(value))
  })
})

describe('number field', () => {
  it('gives the number once, commas read as points', async () => {
    const onChange = vi.fn()
    const input = mount(NumberField, { value: 1, label: 'Speed', onChange })
    await type(input, '0,35')
    key(input, 'Enter')
    input.dispatchEvent(new Event('blur'))
    expect(onChange).toHaveBeenCalledExactlyOnceWith(0.35)
  })

  it('marks and drops what is no number', async () => {
    const onChange = vi.fn()
    const input = mount(NumberField, { value: 7, label: 'Start', integer: true, onChange })
    await type(input, '2.5')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    input.dispatchEvent(new Event('blur'))
    await nextTick()
    expect(input.value).toBe('7')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('does not touch a value that was only looked at', () => {
    const onChange = vi.fn()
    const input = mount(NumberField, { value: 0.123456789012, label: 'Speed', onChange })
    key(input, 'Enter')
    input.dispatchEvent(new Event('blur'))
    expect(onChange).not.toHaveBeenCalled()
  })

  it('steps with the arrows within its bounds', () => {
    const onInput = vi.fn()
    const input = mount(NumberField, { value: 9.5, label: 'n', step: 1, max: 10, onInput })
    key(input, 'ArrowUp')
    expect(onInput).toHaveBeenLastCalledWith(10)
    key(input, 'ArrowDown', { shiftKey: true })
    expect(onInput).toHaveBeenLastCalledWith(0)
  })

  it('steps by a tenth with Ctrl, a whole number by one', () => {
    const onInput = vi.fn()
    key(mount(NumberField, { value: 9.5, label: 'n', step: 1, onInput }), 'ArrowUp', { ctrlKey: true })
    expect(onInput).toHaveBeenLastCalledWith(9.6)
    app!.unmount()
    key(mount(NumberField, { value: 9, label: 'n', integer: true, onInput }), 'ArrowUp', { ctrlKey: true })
    expect(onInput).toHaveBeenLastCalledWith(10)
  })

  describe('steps in a row', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    function stepped(props: Record<string, unknown> = {}): { input: HTMLInputElement; onChange: Mock; onInput: Mock } {
      const [onChange, onInput] = [vi.fn(), vi.fn()]
      const input = mount(NumberField, { value: 7, label: 'n', onChange, onInput, ...props })
      for (let i = 0; i < 3; i++) key(input, 'ArrowUp')
      return { input, onChange, onInput }
    }

    it('are given as one number, once none follows', () => {
      const { onChange, onInput } = stepped()
      expect(onInput.mock.calls).toEqual([[8], [9], [10]])
      expect(onChange).not.toHaveBeenCalled()
      vi.runAllTimers()
      expect(onChange).toHaveBeenCalledExactlyOnceWith(10)
    })

    it.each([
      ['the field is left', (input: HTMLInputElement) => void input.dispatchEvent(new Event('blur'))],
      ['Enter is pressed', (input: HTMLInputElement) => key(input, 'Enter')],
      ['another key of the window is pressed', (input: HTMLInputElement) => key(input, 's', { ctrlKey: true })],
    ])('are given at once where %s', (_how, end) => {
      const { input, onChange } = stepped()
      end(input)
      expect(onChange).toHaveBeenCalledExactlyOnceWith(10)
      vi.runAllTimers()
      expect(onChange).toHaveBeenCalledOnce()
    })

    it.each([
      ['Escape', {}],
      ['z', { ctrlKey: true }],
    ])('are taken back by %s, which does nothing else', (name, more) => {
      const { input, onChange, onInput } = stepped()
      const around = vi.fn()
      document.body.addEventListener('keydown', around, { once: true })
      key(input, name, more)
      vi.runAllTimers()
      expect(around).not.toHaveBeenCalled()
      expect(onInput).toHaveBeenLastCalledWith(7)
      expect(onChange).not.toHaveBeenCalled()
    })

    it('go on from what is typed, which waits for Enter', async () => {
      const { input, onChange } = stepped()
      await type(input, '20')
      vi.runAllTimers()
      expect(onChange).not.toHaveBeenCalled()
      key(input, 'ArrowUp')
      vi.runAllTimers()
      expect(onChange).toHaveBeenCalledExactlyOnceWith(21)
    })

    it('are given one by one where the number leads to a place', () => {
      const { onChange } = stepped({ leads: true })
      expect(onChange.mock.calls).toEqual([[8], [9], [10]])
    })

    it('end with the field', () => {
      const { onChange } = stepped()
      app!.unmount()
      vi.runAllTimers()
      expect(onChange).not.toHaveBeenCalled()
    })
  })

  it('understands arithmetic, and what starts from the number that is there', async () => {
    for (const [typed, value] of [
      ['45/2', 22.5],
      ['+10', 30],
      ['*1,5', 30],
      ['/ 4', 5],
      ['-=5', 15],
      ['-5', -5],
      ['2 * (3 + 1) - -1', 9],
      ['1e2 + .5', 100.5],
    ] as const) {
      const onChange = vi.fn()
      const input = mount(NumberField, { value: 20, label: 'n', onChange })
      await type(input, typed)
      expect(input.getAttribute('aria-invalid'), typed).toBeNull()
      key(input, 'Enter')
      expect(onChange, typed).toHaveBeenCalledExactlyOnceWith(value)
      app!.unmount()
    }
  })

  it.each(['', '+', '1 2', '1/0', '(1', '1)', '2x', 'NaN', 'Infinity', '0x10', '1..2', '**2'])('takes %j for no number', async (typed) => {
    const onChange = vi.fn()
    const input = mount(NumberField, { value: 20, label: 'n', onChange })
    await type(input, typed)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    input.dispatchEvent(new Event('blur'))
    expect(onChange).not.toHaveBeenCalled()
  })

  it('shows a few digits at rest, and every digit in the focus', async () => {
    const stored = Math.fround(1 / 3)
    const onChange = vi.fn()
    const input = mount(NumberField, { value: stored, label: 'n', digits: 4, onChange })
    expect(input.value).toBe('0.3333')
    input.focus()
    await nextTick()
    expect(Math.fround(Number(input.value))).toBe(stored)
    key(input, 'Enter')
    input.blur()
    await nextTick()
    expect(input.value).toBe('0.3333')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('shows as many places below one as it has room for at rest, and is given none of them that nobody typed', async () => {
    const stored = Math.fround(0.00632841)
    const onChange = vi.fn()
    const input = mount(NumberField, { value: stored, label: 'n', digits: 4, places: 4, onChange })
    expect(input.value).toBe('0.0063')
    input.focus()
    await nextTick()
    expect(Math.fround(Number(input.value))).toBe(stored)
    key(input, 'Enter')
    expect(onChange).not.toHaveBeenCalled()
    app!.unmount()
    // what would be nothing in them is shown as what it is
    expect(mount(NumberField, { value: -0.00001742, label: 'n', digits: 4, places: 4 }).value).toBe('-2e-5')
    app!.unmount()
    expect(mount(NumberField, { value: -0.000001742, label: 'n', digits: 4, places: 4 }).value).toBe('0')
  })

  it('takes back what it gave while it was typed, where that ends as no number', async () => {
    const [onChange, onInput] = [vi.fn(), vi.fn()]
    const input = mount(NumberField, { value: 7, label: 'n', onChange, onInput })
    await type(input, '50')
    await type(input, '50x')
    key(input, 'Enter')
    expect(onInput.mock.calls).toEqual([[50], [7]])
    expect(onChange).not.toHaveBeenCalled()
  })

  it('shows what is as good as nothing as 0, and what it is in the focus', async () => {
    const input = mount(NumberField, { value: -4.1e-8, label: 'n' })
    expect(input.value).toBe('0')
    input.focus()
    await nextTick()
    expect(input.value).toBe('-4.1e-8')
  })

  describe('under a drag', () => {
    const point = (input: Element, type: string, clientX: number, held: PointerEventInit = {}): void => {
      input.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, button: 0, pointerId: 1, clientX, ...held }))
    }
    function pressed(props: Record<string, unknown>): HTMLInputElement {
      const input = mount(NumberField, { value: 2, label: 'n', step: 0.5, ...props })
      input.setPointerCapture = () => {}
      point(input, 'pointerdown', 100)
      return input
    }

    it('goes through the numbers and gives the last one, once', async () => {
      const [onChange, onInput] = [vi.fn(), vi.fn()]
      const input = pressed({ onChange, onInput, max: 4 })
      point(input, 'pointermove', 108)
      await nextTick()
      expect(input.value).toBe('3')
      point(input, 'pointermove', 140)
      expect(onInput.mock.calls).toEqual([[3], [4]])
      expect(onChange).not.toHaveBeenCalled()
      point(input, 'pointerup', 140)
      expect(onChange).toHaveBeenCalledExactlyOnceWith(4)
    })

    it('goes by tenths with Ctrl and by tens with Shift, from where it was when the key was pressed', async () => {
      const onChange = vi.fn()
      const input = pressed({ step: 1, onChange })
      const shown = async (...at: [number, PointerEventInit?]): Promise<string> => {
        point(input, 'pointermove', ...at)
        await nextTick()
        return input.value
      }
      expect(await shown(108)).toBe('4')
      expect(await shown(120, { ctrlKey: true })).toBe('4.3')
      expect(await shown(116, { ctrlKey: true })).toBe('4.2')
      expect(await shown(124, { shiftKey: true })).toBe('24')
      point(input, 'pointerup', 124)
      expect(onChange).toHaveBeenCalledExactlyOnceWith(24)
    })

    it('gives nothing when it is taken back', async () => {
      const [onChange, onInput] = [vi.fn(), vi.fn()]
      const input = pressed({ onChange, onInput })
      point(input, 'pointermove', 108)
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
      point(input, 'pointerup', 108)
      await nextTick()
      expect(input.value).toBe('2')
      expect(onInput).toHaveBeenLastCalledWith(2)
      expect(onChange).not.toHaveBeenCalled()
    })

    it('that is none is a click into the text', () => {
      const onChange = vi.fn()
      const input = pressed({ onChange })
      point(input, 'pointerup', 101)
      expect(document.activeElement).toBe(input)
      expect(onChange).not.toHaveBeenCalled()
    })

    it('is its owner’s alone where that takes the press', async () => {
      const [onChange, onInput] = [vi.fn(), vi.fn()]
      const input = mount(NumberField, { value: 2, label: 'n', step: 0.5, onChange, onInput })
      input.setPointerCapture = () => {}
      input.parentElement!.addEventListener('mousedown', (event) => event.preventDefault(), { capture: true })
      point(input, 'pointerdown', 100)
      input.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
      point(input, 'pointermove', 140)
      point(input, 'pointerup', 140)
      await nextTick()
      expect(document.activeElement).not.toBe(input)
      expect(onInput).not.toHaveBeenCalled()
      expect(onChange).not.toHaveBeenCalled()
    })
  })
})
