// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { rowChoice, type RowEmits } from '../../../src/renderer/ui/row-choice.ts'
import { typeAhead } from '../../../src/renderer/ui/type-ahead.ts'

const key = (name: string, timeStamp: number, more: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({ key: name, timeStamp, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false, ...more }) as KeyboardEvent

it('letters lead on until a pause; the same one again leads to the next row that begins so', () => {
  const seek = vi.fn()
  const typed = typeAhead(seek)
  expect([typed(key('a', 0)), typed(key('d', 100)), typed(key(' ', 200)), typed(key('x', 300))]).toEqual([true, true, true, true])
  expect(seek.mock.calls).toEqual([
    ['a', true],
    ['ad', false],
    ['ad ', false],
    ['ad x', false],
  ])
  seek.mockClear()
  typed(key('s', 2000))
  typed(key('s', 2100))
  expect(seek.mock.calls).toEqual([
    ['s', true],
    ['s', true],
  ])
  // a space alone, signs that are commands, names of keys and keystrokes with Ctrl are none
  const others = [key(' ', 9000), key('/', 9050), key('Home', 9100), key('a', 9200, { ctrlKey: true })]
  expect(others.map(typed)).toEqual([false, false, false, false])
})

function list(multi: boolean, chosen: readonly number[] = []) {
  const told: unknown[] = []
  const emit = <K extends keyof RowEmits>(name: K, ...args: RowEmits[K]): void => void told.push([name, ...args])
  const rows = { count: 10, active: 4, multi, ranges: multi, chosen: (i: number) => chosen.includes(i) }
  return { choice: rowChoice(rows, emit, () => null), told }
}
const press = (more: Partial<MouseEvent> = {}): MouseEvent =>
  ({ button: 0, ctrlKey: false, metaKey: false, shiftKey: false, ...more }) as MouseEvent

it('a press chooses one row, with Ctrl one more, with Shift all up to it, where several can be chosen', () => {
  for (const multi of [true, false]) {
    const { choice, told } = list(multi)
    choice.press(1, press())
    choice.press(2, press({ ctrlKey: true }))
    choice.press(3, press({ shiftKey: true }))
    expect(told.map((one) => (one as string[])[0])).toEqual(multi ? ['update:active', 'turn', 'reach'] : Array(3).fill('update:active'))
  }
})

it('other buttons choose nothing: what the right one is about says who shows a menu', () => {
  const { choice, told } = list(true, [2, 3])
  for (const index of [2, 7]) for (const button of [1, 2]) choice.press(index, press({ button }))
  expect(told).toEqual([])
})

it('keys reach as far as there are rows', () => {
  const { choice, told } = list(true)
  expect(choice.go(40, key('End', 0))).toBe(9)
  expect(choice.go(-3, key('Home', 0, { shiftKey: true }))).toBe(0)
  expect(told).toEqual([
    ['update:active', 9],
    ['reach', 0],
  ])
})
