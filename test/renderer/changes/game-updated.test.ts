// @vitest-environment happy-dom
/** What the game updated, compared: it stands as long as it is of the same files, whenever the list of them comes anew. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp, nextTick, type App } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useGameUpdates } from '../../../src/renderer/core/game-updates.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import GameUpdated from '../../../src/renderer/features/changes/GameUpdated.vue'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { FileChanges } from '../../../src/shared/api/types/changes.ts'
import type { ModComparison, ModUpdate } from '../../../src/shared/api/types/mod.ts'

/** of the field that both changed, as the game has it on disk */
let game = '5'
let updated: ModUpdate[] = []
let app: App | undefined

const nothing: FileChanges = { ref: '', name: 'c01a.mds', originalSize: 4, size: 4, nodes: [], changes: [], omitted: 0, changedBytes: 0 }
const comparison = (): ModComparison => ({
  game: nothing,
  mine: nothing,
  conflicts: [{ path: 'header.flags', base: '1', game, mine: '2' }],
})

const host = (): HTMLElement => document.body.querySelector('#host')!
const button = (text: string): HTMLButtonElement | undefined =>
  [...host().querySelectorAll('button')].find((b) => b.textContent!.trim() === text)
const settled = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve))
  await nextTick()
}

beforeEach(async () => {
  game = '5'
  setActivePinia(createPinia())
  const inner = createFakeApi()
  await useSession().start({
    on: inner.on.bind(inner),
    call: (name: string, args: never, options: never) => {
      if (name === 'mod.updates') return Promise.resolve(structuredClone(updated))
      if (name === 'mod.compare') return Promise.resolve(comparison())
      return inner.call(name as never, args, options)
    },
  } as unknown as Api)
  await useLibrary().open('/games/dark-cloud')
  await useModels().openRef(useLibrary().rowAt(0)!.ref)
  const { ref, name } = useModels().info!.files[0]
  updated = [{ ref, name, where: name, target: `/mod/${name}`, sizeThen: 4, sizeNow: 4 }]
  Object.assign(useSession().settings, { saveMode: 'mod-folder', modFolder: '/mod' })
  await useGameUpdates().load()
  document.body.innerHTML = '<div id="host"></div>'
  app = createApp(GameUpdated)
  app.mount('#host')
  await settled()
})
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})

it('stays open while the list of updated files comes anew, and says what the game has now', async () => {
  button('Compare')!.click()
  await settled()
  const move = button('Move what fits')
  expect(move).toBeDefined()
  expect(host().textContent).toContain('game 5')

  game = '6'
  await useGameUpdates().load()
  await settled()
  // the same button: a press on its way does not go into nothing
  expect(button('Move what fits')).toBe(move)
  expect(host().textContent).toContain('game 6')

  updated = []
  await useGameUpdates().load()
  await settled()
  expect(host().textContent).toBe('')
})

it('stays closed once it was closed, whatever is on its way', async () => {
  button('Compare')!.click()
  await settled()
  const loaded = useGameUpdates().load()
  await settled()
  button('Hide differences')!.click()
  await loaded
  await settled()
  expect(button('Compare')).toBeDefined()
  expect(button('Hide differences')).toBeUndefined()
})
