// @vitest-environment happy-dom
/** A first scan belongs to the folder that is shown: another one that is opened meanwhile has its own. */
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

interface Scan {
  library: string
  signal: AbortSignal
  end: () => void
}
let scans: Scan[]

const open = (name: string): Promise<boolean> => useLibrary().open(`/games/${name}`)
const going = (): string[] => scans.filter(({ signal }) => !signal.aborted).map(({ library }) => library)

beforeEach(async () => {
  scans = []
  setActivePinia(createPinia())
  const inner = createFakeApi()
  await useSession().start({
    on: inner.on.bind(inner),
    call: async (name: string, args: any, options: any) => {
      if (name === 'library.open') return { id: args.root, root: args.root, name: args.root, files: 0, models: 0, errors: 0, scannedAt: 0 }
      if (name === 'library.query')
        return { total: 0, rows: [], facets: { families: [], kinds: [], has: [] }, counts: { models: 0, files: 0, errors: 0 } }
      if (name !== 'library.scan') return inner.call(name as never, args as never, options)
      return new Promise((resolve, reject) => {
        scans.push({ library: args.library, signal: options.signal, end: () => resolve({ recognised: 1, models: 1, errors: [] }) })
        options.signal.addEventListener('abort', () => reject(Object.assign(new Error(), { data: { code: 'cancelled', message: '' } })))
      })
    },
  } as unknown as Api)
})

it('ends where another folder is opened, which is looked through at once', async () => {
  const library = useLibrary()
  await open('one')
  await open('two')
  expect(going()).toEqual(['/games/two'])
  await expect.poll(() => library.progress?.library).toBe('/games/two')
  expect(library.walked).toBe(true)
  scans.at(-1)!.end()
  await expect.poll(() => library.scanning).toBe(false)
  expect(library.info?.scannedAt).toBeGreaterThan(0)
})

it('goes on where its folder is opened once more', async () => {
  const library = useLibrary()
  await open('one')
  await open('one')
  expect(scans).toHaveLength(1)
  expect([going(), library.scanning, library.walked]).toEqual([['/games/one'], true, true])
})

it('that is ended by hand leaves a folder of which nothing is known', async () => {
  const library = useLibrary()
  await open('one')
  library.cancelScan()
  await expect.poll(() => [library.scanning, library.walked]).toEqual([false, false])
})
