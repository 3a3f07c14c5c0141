// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useLibraryLint } from '../../../src/renderer/features/problems/library-lint.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { LintProgress } from '../../../src/shared/api/types/lint.ts'
import type { Problem } from '../../../src/shared/api/types/model.ts'

const ROOT = '/games/dark-cloud'
let tell: (progress: LintProgress) => void
let finish: () => void
let asked: { onlyNew?: boolean }[]
let fixed: { model: string; code: string; fix: string; onlyNew?: boolean }[]
let live: Problem[]

const fix = { id: 'level5.sort', label: 'Sort' }
const problem = (ref: string, code = 'level5.key-order'): Problem => ({
  ref,
  code,
  severity: 'error',
  message: 'wrong',
  path: 'list',
  offset: 1,
  file: ref,
  fixes: [fix],
})

beforeEach(async () => {
  asked = []
  fixed = []
  live = []
  setActivePinia(createPinia())
  const inner = createFakeApi()
  const api: Api = {
    on: (name, listener) => {
      if (name !== 'lint.progress') return inner.on(name, listener)
      tell = listener as never
      return () => {}
    },
    async call(name, args, options) {
      if (name === 'lint.rules') return [] as never
      if (name === 'model.problems') return live as never
      if (name === 'model.fixAll') {
        fixed.push(args as never)
        throw Object.assign(new Error('gone'), { data: { code: 'not-found', message: 'gone' } })
      }
      if (name !== 'lint.library') return inner.call(name, args, options)
      asked.push(args as never)
      return new Promise((done, fail) => {
        finish = () => done({ files: 2, problems: 2, omitted: 0 } as never)
        options?.signal?.addEventListener('abort', () =>
          fail(Object.assign(new Error('no'), { data: { code: 'cancelled', message: 'stopped' } })),
        )
      })
    },
  }
  await useSession().start(api)
  await useLibrary().open(ROOT)
})

const step = (done: number, problems: Problem[]): LintProgress => ({
  library: useLibrary().info!.id,
  done,
  total: 2,
  current: 'x',
  problems,
})

it('asks once it is shown, follows findings as they come, and ends with the page', async () => {
  const lint = useLibraryLint()
  lint.shown = true
  await expect.poll(() => asked).toHaveLength(1)
  tell(step(1, [problem(`${ROOT}/a`)]))
  expect(lint.progress).toMatchObject({ done: 1, total: 2 })
  await expect.poll(() => lint.problems.map(({ ref }) => ref)).toEqual([`${ROOT}/a`])
  tell({ ...step(2, [problem('/other')]), library: 'another' })
  tell(step(2, [problem(`${ROOT}/b`)]))
  finish()
  await expect.poll(() => lint.result).toEqual({ files: 2, problems: 2, omitted: 0 })
  expect(lint.problems.map(({ ref }) => ref)).toEqual([`${ROOT}/a`, `${ROOT}/b`])
  // what is found stays, and is not asked for again
  lint.shown = false
  await new Promise((resolve) => setTimeout(resolve))
  lint.shown = true
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toHaveLength(1)
  lint.onlyNew = true
  await expect.poll(() => asked.at(-1)).toMatchObject({ onlyNew: true })
  expect(lint.problems).toEqual([])
  lint.stop()
  await expect.poll(() => lint.stopped).toBe(true)
})

it('hides what is switched off at once, and takes what an open model has in the place of its files', async () => {
  const lint = useLibraryLint()
  const models = useModels()
  lint.shown = true
  await expect.poll(() => asked).toHaveLength(1)
  const { ref } = useLibrary().rowAt(0)!
  await models.openRef(ref)
  const primary = models.info!.files[0].ref
  tell(step(1, [problem(primary), problem(primary, 'level5.other')]))
  finish()
  await expect.poll(() => lint.result).not.toBeNull()
  // the open model has none, below the library's folder or not
  if (primary.startsWith(ROOT)) expect(lint.problems).toEqual([])
  await useSession().change({ rulesOff: ['level5.other'] })
  expect(lint.problems.some(({ code }) => code === 'level5.other')).toBe(false)
})

it('a repair whose findings are gone opens nothing that stays', async () => {
  const lint = useLibraryLint()
  const models = useModels()
  lint.shown = true
  await expect.poll(() => asked).toHaveLength(1)
  await lint.fixAll('level5.key-order', { ...fix, count: 1, refs: [`${ROOT}/none`] })
  expect(fixed).toMatchObject([{ code: 'level5.key-order', fix: fix.id }])
  expect([models.open.length, lint.fixing]).toEqual([0, null])
})
