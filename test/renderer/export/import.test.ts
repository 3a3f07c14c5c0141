// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { useImport } from '../../../src/renderer/features/export/import.ts'
import { FRESH_IMPORT } from '../../../src/shared/api/import-options.ts'
import type { CallArgs } from '../../../src/shared/api/contract.ts'
import type { AnimationPlace, ImportPreview, ImportReport } from '../../../src/shared/api/types/import.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

const report: ImportReport = {
  imported: [],
  unmatched: [],
  unused: [],
  assumed: [],
  rest: { turned: 0, degrees: 0, moved: [] },
  left: [],
}
let asked: CallArgs<'import.preview'>[]
let places: AnimationPlace[]

beforeEach(async () => {
  asked = []
  places = []
  setActivePinia(createPinia())
  const inner = createFakeApi()
  const api = {
    on: inner.on.bind(inner),
    async call(name: string, args: never, options: never) {
      if (name === 'import.preview') {
        asked.push(args)
        return { basis: -1, scene: {}, report, places } as unknown as ImportPreview
      }
      if (name === 'import.animation') return { report }
      return await inner.call(name as never, args, options)
    },
  }
  await useSession().start(api as unknown as Api)
  await useLibrary().open('/games/dark-cloud')
  await useModels().openRef(useLibrary().rowAt(0)!.ref)
})

/** Opens a file on the shown model. @returns the options that it begins with */
function opened(name: string, family?: string): ReturnType<typeof useImport>['options'] {
  const imports = useImport()
  const model = useModels().active!
  const of = family === undefined ? model : { ...model, info: { ...model.info, family } }
  imports.open({ model: of as typeof model, name, bytes: new Uint8Array() })
  return imports.options
}

describe('options of an import', () => {
  it('are those of the pair of files, and of a new pair how the family went last', async () => {
    const imports = useImport()
    expect(opened('walk.glb')).toEqual(FRESH_IMPORT)
    imports.set({ timing: 'take', tolerance: 0.5, weights: true, into: { walk: 'clip 0' } })
    await imports.apply()
    const walk = { ...FRESH_IMPORT, timing: 'take', tolerance: 0.5, weights: true, into: { walk: 'clip 0' } }
    expect(opened('walk.glb')).toEqual(walk)

    // what is taken and where it goes is of the pair alone
    expect(opened('run.glb')).toEqual({ ...FRESH_IMPORT, timing: 'take', tolerance: 0.5 })
    expect(asked.at(-1)).toMatchObject({ name: 'run.glb', timing: 'take', tolerance: 0.5, weights: false })
    imports.set({ timing: 'keep', tolerance: 1 })
    await imports.apply()
    expect(opened('idle.glb')).toMatchObject({ timing: 'keep', tolerance: 1 })
    expect(opened('walk.glb')).toEqual(walk)

    // of another family nothing is known yet
    expect(opened('idle.glb', 'another')).toEqual(FRESH_IMPORT)
  })

  it('are of each animation of one name by itself', async () => {
    places = ['walk', 'walk 2'].map((animation) => ({ animation, into: 'clip 0', assumed: false }))
    opened('walk.glb')
    const imports = useImport()
    await expect.poll(() => imports.busy).toBe(false)
    imports.set({ into: { 'walk 2': 'clip 1' } })
    expect(asked.at(-1)!.into).toEqual({ 1: 'clip 1' })
    await expect.poll(() => imports.busy).toBe(false)
    imports.set({ into: { 'walk 2': 'clip 1', walk: '' } })
    expect(asked.at(-1)!.into).toEqual({ 0: '', 1: 'clip 1' })
    await imports.apply()
    // as the file has them, the next time too
    opened('walk.glb')
    await expect.poll(() => asked.at(-1)!.into).toEqual({ 0: '', 1: 'clip 1' })
  })

  it('that were not applied are forgotten', () => {
    opened('walk.glb')
    useImport().set({ tolerance: 3 })
    useImport().close()
    expect(opened('walk.glb')).toEqual(FRESH_IMPORT)
  })
})
