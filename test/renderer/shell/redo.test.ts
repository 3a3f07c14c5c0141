// @vitest-environment happy-dom
/** What is undone can be redone while that is on its way, and the button lights up when it is there: neither draws beside the services' work. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useCommands } from '../../../src/renderer/core/commands/registry.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { installCommands } from '../../../src/renderer/shell/commands.ts'

let pinia: Pinia
let uninstall: () => void

beforeEach(async () => {
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(createFakeApi())
  await useLibrary(pinia).open('/games/dark-cloud')
  await useModels(pinia).openRef(useLibrary(pinia).rowAt(0)!.ref)
  uninstall = installCommands({ openFolder: () => Promise.resolve() })
})
afterEach(() => uninstall())

const can = (): { undo: boolean; redo: boolean } => {
  const commands = useCommands(pinia)
  return { undo: commands.enabled('edit.undo'), redo: commands.enabled('edit.redo') }
}

it('has its button on once an undo is taken, and its key from the press of that', async () => {
  const models = useModels(pinia)
  expect(can()).toEqual({ undo: false, redo: false })
  const edit = models.edit('slices.set', { slice: 1, values: { end: 80 } })
  expect(models.pending).toBe(1)
  expect(can()).toEqual({ undo: true, redo: false })
  await edit
  expect(can()).toEqual({ undo: true, redo: false })

  const { run } = useCommands(pinia)
  expect(run('edit.redo')).toBe(false)
  const undone = models.undo()
  expect(can().redo).toBe(false)
  expect(run('edit.redo')).toBe(true)
  await undone
  await models.stepsTaken()
  expect(models.scene!.slices[1].end).toBe(80)
  const again = models.undo()
  await again
  expect(can().redo).toBe(true)
  await models.redo()
  expect(can()).toEqual({ undo: true, redo: false })
})
