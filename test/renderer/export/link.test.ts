// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { useImport } from '../../../src/renderer/features/export/import.ts'
import { useLink } from '../../../src/renderer/features/export/link.ts'
import { IMPORT_DEFAULTS } from '../../../src/shared/api/import-options.ts'
import type { CallArgs } from '../../../src/shared/api/contract.ts'
import type { LinkState } from '../../../src/shared/api/types/link.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

let started: CallArgs<'link.start'>[]

beforeEach(async () => {
  started = []
  localStorage.clear()
  setActivePinia(createPinia())
  const inner = createFakeApi()
  const api = {
    on: inner.on.bind(inner),
    async call(name: string, args: never, options: never) {
      if (name === 'link.start') {
        const asked = args as CallArgs<'link.start'>
        started.push(asked)
        return { model: asked.model, path: '/live/x.glb', status: 'waiting', at: 0, step: '' } satisfies LinkState
      }
      if (name === 'link.stop') return null
      return await inner.call(name as never, args, options)
    },
  }
  await useSession().start(api as unknown as Api)
  await useLibrary().open('/games/dark-cloud')
  await useModels().openRef(useLibrary().rowAt(0)!.ref)
})

it('takes saves as the pair of files was taken last, and a new pair as its family', async () => {
  const link = useLink()
  link.open()
  expect(link.manner).toEqual(IMPORT_DEFAULTS)
  link.manner = { ...link.manner, timing: 'take', tolerance: 1, weights: true }
  await link.start()
  expect(started).toMatchObject([{ timing: 'take', tolerance: 1, animations: true, weights: true, rest: false }])

  await link.stop()
  link.open()
  expect(link.manner).toEqual({ ...IMPORT_DEFAULTS, timing: 'take', tolerance: 1, weights: true })
  // the same file, brought by hand
  const imports = useImport()
  const model = useModels().active!
  imports.open({ model, name: `${model.info.name}.glb`, bytes: new Uint8Array() })
  expect(imports.options).toMatchObject({ timing: 'take', tolerance: 1, weights: true })
  imports.open({ model, name: 'another.glb', bytes: new Uint8Array() })
  expect(imports.options).toMatchObject({ timing: 'take', tolerance: 1, weights: false })
})
