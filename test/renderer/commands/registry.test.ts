// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '../../../src/renderer/core/session.ts'
import { useCommands } from '../../../src/renderer/core/commands/registry.ts'

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
    commands.register([{ id: 'pose.space', when: () => on, run }])
    expect(commands.press(press('x'), ['window'])).toBe(false)
    expect(commands.run('pose.space')).toBe(false)
    on = true
    expect(commands.press(press('x'), ['window'])).toBe(true)
    expect(commands.run('pose.space')).toBe(true)
    expect(run).toHaveBeenCalledTimes(2)
    expect(commands.run('unknown')).toBe(false)
  })

  it("that two components have are the earlier one's again when the later one goes", () => {
    const commands = useCommands()
    const [first, second] = [vi.fn(), vi.fn()]
    const offFirst = commands.register([{ id: 'pose.space', run: first }])
    const offSecond = commands.register([{ id: 'pose.space', run: second }])
    commands.run('pose.space')
    offSecond()
    commands.run('pose.space')
    expect([first, second].map((run) => run.mock.calls.length)).toEqual([1, 1])
    offFirst()
    expect(commands.run('pose.space')).toBe(false)
  })

  it('of one key run where they are meant, and by their own name wherever they can', () => {
    const commands = useCommands()
    const [bone, clip] = [vi.fn(), vi.fn()]
    let ofBone = true
    commands.register([
      { id: 'bone.rename', when: () => ofBone, run: bone },
      { id: 'slice.rename', meant: () => !ofBone, run: clip },
      { id: 'slice.remove', meant: () => !ofBone, run: clip },
    ])
    commands.press(press('F2'), ['window'])
    expect(commands.press(press('Delete'), ['window'])).toBe(false)
    expect(commands.enabled('slice.remove')).toBe(true)
    expect([bone, clip].map((run) => run.mock.calls.length)).toEqual([1, 0])
    ofBone = false
    commands.press(press('F2'), ['window'])
    expect([bone, clip].map((run) => run.mock.calls.length)).toEqual([1, 1])
  })

  it('leave typing alone, but for those that say so', () => {
    const commands = useCommands()
    const plain = vi.fn()
    const always = vi.fn()
    commands.register([
      { id: 'pose.space', run: plain },
      { id: 'slice.rename', run: always },
    ])
    commands.press(press('x'), ['field', 'window'])
    commands.press(press('F2'), ['field', 'window'])
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
    commands.register([{ id: 'file.save', when: () => dirty, run: () => order.push('save') }])
    field.focus()
    expect(commands.press({ ...press('s'), ctrlKey: true }, ['field', 'window'])).toBe(true)
    expect(order).toEqual(['commit', 'save'])
    expect(document.activeElement).toBe(field)
    field.remove()
  })

  it('go away with what registered them', () => {
    const commands = useCommands()
    const off = commands.register([{ id: 'pose.space', run: () => {} }])
    off()
    expect(commands.enabled('pose.space')).toBe(false)
  })

  it('under one key run the first that can, and show its key', () => {
    const commands = useCommands()
    const ran: string[] = []
    let keys = true
    commands.register([
      { id: 'slice.remove', run: () => ran.push('slice') },
      { id: 'key.remove', when: () => keys, run: () => ran.push('keys') },
    ])
    expect(commands.shortcut('slice.remove')).toBe('Del')
    expect(commands.tip('Delete slice', 'slice.remove')).toBe('Delete slice (Del)')
    commands.press(press('Delete'), ['window'])
    keys = false
    commands.press(press('Delete'), ['window'])
    expect(ran).toEqual(['keys', 'slice'])
  })

  it("have the keys of the preset, and over them the user's", () => {
    const commands = useCommands()
    const session = useSession()
    const run = vi.fn()
    commands.register([{ id: 'pose.move', run }])
    expect(commands.shortcut('pose.move')).toBe('G')
    session.settings = { ...session.settings, keys: { preset: 'blockbench', changed: {} } }
    expect(commands.shortcut('pose.move')).toBe('V')
    session.settings = { ...session.settings, keys: { preset: 'blockbench', changed: { 'pose.move': ['Y'] } } }
    expect(commands.press(press('v'), ['window'])).toBe(false)
    expect(commands.press(press('y'), ['window'])).toBe(true)
    expect(run).toHaveBeenCalledOnce()
  })

  it('of a list have their key there and nowhere else', () => {
    const commands = useCommands()
    const run = vi.fn()
    commands.register([{ id: 'weights.add', run }])
    expect(commands.press(press('Insert'), ['window'])).toBe(false)
    expect(commands.press(press('Insert'), ['table', 'window'])).toBe(true)
  })

  it('never take a key that types from a text, whatever key the user gave them', () => {
    const commands = useCommands()
    const session = useSession()
    session.settings = { ...session.settings, keys: { preset: 'marrow', changed: { 'file.save': ['S'] } } }
    const run = vi.fn()
    commands.register([{ id: 'file.save', run }])
    expect(commands.press(press('s'), ['field', 'window'])).toBe(false)
    expect(commands.press(press('s'), ['window'])).toBe(true)
  })
})
