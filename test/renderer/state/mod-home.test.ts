// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useModCheck } from '../../../src/renderer/features/mod/mod-check.ts'
import { useModHome } from '../../../src/renderer/features/mod/mod-home.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { ModFile, ModFileReport } from '../../../src/shared/api/types/mod.ts'

let changed: ModFile[]
let asked: number
let refuse: boolean
let answer: (found: ModFileReport[]) => void

beforeEach(async () => {
  changed = []
  asked = 0
  refuse = false
  setActivePinia(createPinia())
  const inner = createFakeApi()
  const api: Api = {
    on: (name, listener) => inner.on(name, listener),
    async call(name, args, options) {
      if (name === 'mod.check')
        return new Promise((done, fail) => {
          answer = (found) => done(found as never)
          const end = (): void => fail(Object.assign(new Error('no'), { data: { code: 'cancelled', message: 'stopped' } }))
          options?.signal?.addEventListener('abort', end)
        })
      if (name !== 'mod.files') return inner.call(name, args, options)
      asked++
      if (refuse) throw Object.assign(new Error('no'), { data: { code: 'io', message: 'the folder cannot be read' } })
      return changed as never
    },
  }
  await useSession().start(api)
  await useLibrary().open('/games/dark-cloud')
})

it('asks once it is shown, and again when a save may have changed the disk', async () => {
  const home = useModHome()
  const models = useModels()
  await models.openRef(useLibrary().rowAt(0)!.ref)
  expect(asked).toBe(0)
  home.shown = true
  await expect.poll(() => home.loaded).toBe(true)
  expect([asked, home.files, home.unsaved]).toEqual([1, [], []])
  models.active!.info = { ...models.info!, dirty: true }
  await expect.poll(() => home.unsaved.map(({ id }) => id)).toEqual([models.activeId])
  changed = [{ ref: '/games/dark-cloud/a.cfg', path: 'a.cfg', size: 3, originalSize: 2 }]
  models.active!.info = { ...models.info!, dirty: false }
  await expect.poll(() => home.files).toEqual(changed)
  expect(home.unsaved).toEqual([])
})

it('has all changed files checked once they are known, tells how far that is, and ends it with the page', async () => {
  changed = [{ ref: '/games/dark-cloud/a.cfg', path: 'a.cfg', size: 3, originalSize: 2 }]
  const home = useModHome()
  const check = useModCheck()
  home.shown = true
  await expect.poll(() => check.progress).toMatchObject({ done: 0, total: 1 })
  const report = { ref: changed[0].ref, path: 'a.cfg', changes: 1, changedBytes: 1, places: [], omitted: 0, problems: [], unread: '' }
  answer([report])
  await expect.poll(() => check.reports.get(report.ref)).toEqual(report)
  expect(check.running).toBe(false)
  // what was found stays while it is looked for again, and where that is ended
  home.check()
  await expect.poll(() => check.running).toBe(true)
  home.shown = false
  await expect.poll(() => check.stopped).toBe(true)
  expect([check.running, check.failure, check.reports.size]).toEqual([false, '', 1])
})

it('says why the files could not be told', async () => {
  refuse = true
  const home = useModHome()
  home.shown = true
  await expect.poll(() => home.failure).toBe('the folder cannot be read')
})
