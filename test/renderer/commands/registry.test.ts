// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { isTextField, ownsKey, useCommands } from '../../../src/renderer/core/commands/registry.ts'

beforeEach(() => setActivePinia(createPinia()))
const press = (key: string): { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean } => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
})

describe('commands', () => {
  it('run by id and by key, unless they cannot run now', () => {
    const commands = useCommands()
    const run = vi.fn()
    let on = false
    commands.register([{ id: 'a', title: 'A', group: 'g', keys: ['X'], when: () => on, run }])
    expect(commands.press(press('x'), false)).toBe(false)
    expect(commands.run('a')).toBe(false)
    on = true
    expect(commands.press(press('x'), false)).toBe(true)
    expect(commands.run('a')).toBe(true)
    expect(run).toHaveBeenCalledTimes(2)
    expect(commands.run('unknown')).toBe(false)
  })

  it('leave typing alone, but for those that say so', () => {
    const commands = useCommands()
    const plain = vi.fn()
    const always = vi.fn()
    commands.register([
      { id: 'a', title: 'A', group: 'g', keys: ['X'], run: plain },
      { id: 'b', title: 'B', group: 'g', keys: ['F2'], run: always, inFields: true },
    ])
    commands.press(press('x'), true)
    commands.press(press('F2'), true)
    expect(plain).not.toHaveBeenCalled()
    expect(always).toHaveBeenCalledOnce()
  })

  it('that save let the field commit what is typed in it first, and keep it', () => {
    const commands = useCommands()
    const order: string[] = []
    const field = document.createElement('input')
    document.body.append(field)
    field.addEventListener('blur', () => order.push('commit'))
    let dirty = false
    field.addEventListener('blur', () => (dirty = true))
    commands.register([
      { id: 's', title: 'Save', group: 'g', keys: ['F2'], inFields: true, commits: true, when: () => dirty, run: () => order.push('save') },
    ])
    field.focus()
    expect(commands.press(press('F2'), true)).toBe(true)
    expect(order).toEqual(['commit', 'save'])
    expect(document.activeElement).toBe(field)
    field.remove()
  })

  it('go away with what registered them', () => {
    const commands = useCommands()
    const off = commands.register([{ id: 'a', title: 'A', group: 'g', run: () => {} }])
    off()
    expect(commands.enabled('a')).toBe(false)
  })
})

describe('focus', () => {
  it('keeps keys with the element that uses them', () => {
    document.body.innerHTML =
      '<input id="t"><input id="c" type="checkbox"><button id="b"></button><div role="tree"><span id="r"></span></div><p id="p"></p>'
    const at = (id: string): Element => document.getElementById(id)!
    expect(isTextField(at('t'))).toBe(true)
    expect(isTextField(at('c'))).toBe(false)
    expect(ownsKey(at('b'), ' ')).toBe(true)
    expect(ownsKey(at('b'), 'ArrowLeft')).toBe(false)
    expect(ownsKey(at('r'), 'ArrowLeft')).toBe(true)
    expect(ownsKey(at('r'), 'Delete')).toBe(false)
    expect(ownsKey(at('p'), ' ')).toBe(false)
  })
})
