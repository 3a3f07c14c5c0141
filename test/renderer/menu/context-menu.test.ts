// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it, vi } from 'vitest'
import { useCommands } from '../../../src/renderer/core/commands/registry.ts'
import { useContextMenu } from '../../../src/renderer/core/menu/context-menu.ts'

beforeEach(() => setActivePinia(createPinia()))
const at = (): MouseEvent => new MouseEvent('contextmenu', { clientX: 30, clientY: 40, cancelable: true })

it('has what can be done now, in groups that are not empty, with its keystroke', () => {
  const commands = useCommands()
  const run = vi.fn()
  let on = false
  commands.register([
    { id: 'edit.undo', run },
    { id: 'edit.redo', when: () => on, run },
  ])
  const menu = useContextMenu()
  const event = at()
  menu.show(event, 'rows', ['line', 'edit.redo', 'line', 'edit.undo', { label: 'Copy', run }, 'line'])
  expect(event.defaultPrevented).toBe(true)
  expect(menu.open).toMatchObject({ label: 'rows', x: 30, y: 40 })
  expect(menu.open!.groups.map((group) => group.map(({ label, keystroke }) => [label, keystroke]))).toEqual([
    [
      ['Undo', 'Ctrl+Z'],
      ['Copy', ''],
    ],
  ])
  on = true
  menu.show(at(), 'rows', ['edit.redo'])
  menu.open!.groups[0][0].run()
  expect(run).toHaveBeenCalledTimes(1)
})

it('does not open where there is nothing to do', () => {
  const menu = useContextMenu()
  menu.show(at(), 'rows', ['edit.undo', 'line'])
  expect(menu.open).toBeNull()
})
