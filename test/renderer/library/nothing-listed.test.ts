// @vitest-environment happy-dom
/** Why a list is empty: of a folder that nobody looked through nothing is known, errors neither, and no counts. */
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp, h, type App } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import LibraryBar from '../../../src/renderer/features/library/LibraryBar.vue'
import NothingListed from '../../../src/renderer/features/library/NothingListed.vue'
import StatusBar from '../../../src/renderer/shell/StatusBar.vue'
import type { Api } from '../../../src/shared/api/transport.ts'

let app: App | undefined
let fails = false

const said = (): string => document.body.querySelector('#host')!.textContent!

beforeEach(async () => {
  setActivePinia(createPinia())
  const inner = createFakeApi()
  const counts = { models: 0, files: 0, errors: 0 }
  await useSession().start({
    on: inner.on.bind(inner),
    call: async (name: string, args: never, options: never) => {
      if (name === 'library.query') return { total: 0, rows: [], facets: { families: [], kinds: [], has: [] }, counts }
      if (name === 'library.scan' && fails) throw Object.assign(new Error(), { data: { code: 'io', message: 'away' } })
      if (name === 'library.scan') return { files: 0, recognised: 0, models: 0, errors: [] }
      const answer = await inner.call(name as never, args, options)
      return name === 'library.open' ? { ...(answer as object), scannedAt: 0 } : answer
    },
  } as unknown as Api)
  await useLibrary().open('/games/dark-cloud', { scan: false })
  document.body.innerHTML = '<div id="host"></div>'
  app = createApp({ render: () => [h(LibraryBar, { grid: false }), h(NothingListed), h(StatusBar)] })
  app.mount('#host')
})
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
})

it.each([
  ['models', 'No models in this folder'],
  ['files', 'No known files in this folder'],
  ['errors', 'No errors'],
] as const)('says of %s that nobody looked, until somebody did', async (show, nothing) => {
  const library = useLibrary()
  library.query.show = show
  await expect.poll(said).toContain('Not looked through yet')
  expect(said()).not.toMatch(/\d (models|files|errors)|(Models|Files|Errors) \d/)
  fails = true
  await library.scan()
  await expect.poll(said).toContain('away')
  expect(said()).toContain('Not looked through yet')
  fails = false
  await library.scan()
  library.query.show = show
  await expect.poll(said).toContain(nothing)
  for (const counted of ['Models 0', '0 models', '0 files', '0 errors']) expect(said()).toContain(counted)
})
