// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useModHome } from '../../../src/renderer/features/mod/mod-home.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { ModFile } from '../../../src/shared/api/types/mod.ts'

let changed: ModFile[]
let asked: number
let refuse: boolean

beforeEach(async () => {
  changed = []
  asked = 0
  refuse = false
  setActivePinia(createPinia())
  const inner = createFakeApi()
  const api: Api = {
    on: (name, listener) => inner.on(name, listener),
    async call(name, args, options) {
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

it('says what was found in models that belong to the mod, and in no others', async () => {
  const home = useModHome()
  const models = useModels()
  await models.openRef(useLibrary().rowAt(0)!.ref)
  const problem = { severity: 'error', code: 'x', message: '', file: '', ref: '', path: '', offset: -1 }
  models.active!.problems = [problem, { ...problem, severity: 'warning' }, { ...problem, severity: 'info' }] as never
  expect(home.problems).toEqual([])
  // a file on disk that holds one of the model's
  const disk = models.info!.files[0].ref.split('!')[0]
  changed = [{ ref: disk, path: 'c01a.chr', size: 3, originalSize: 3 }]
  home.shown = true
  await expect
    .poll(() => home.problems.map(({ model, ...counts }) => [model.id, counts]))
    .toEqual([[models.activeId, { errors: 1, warnings: 1 }]])
})

it('says why the files could not be told', async () => {
  refuse = true
  const home = useModHome()
  home.shown = true
  await expect.poll(() => home.failure).toBe('the folder cannot be read')
})
