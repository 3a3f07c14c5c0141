// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { useLibraryChoice } from '../../../src/renderer/core/library-choice.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { MOST_CHOSEN } from '../../../src/shared/api/types/library.ts'
import type { LibraryRow } from '../../../src/shared/api/types/library.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

beforeEach(async () => {
  setActivePinia(createPinia())
  await useSession().start(createFakeApi())
  await useLibrary().open('/games/dark-cloud')
})
const refs = (): string[] => useLibraryChoice().rows.map((row) => row.ref)
const ref = (index: number): string => useLibrary().rowAt(index)!.ref

it('is the active row until there are several', () => {
  const choice = useLibraryChoice()
  choice.only(3)
  expect([refs(), choice.isChosen(3), choice.isChosen(0)]).toEqual([[ref(3)], true, false])
  choice.turn(5)
  expect(refs()).toEqual([ref(3), ref(5)])
  choice.turn(3)
  expect(refs()).toEqual([ref(5)])
  choice.only(1)
  expect(refs()).toEqual([ref(1)])
})

it('is none before the user chose one, and after the last was taken out of it: no row is shown as chosen while nothing is about it', async () => {
  const library = useLibrary()
  const choice = useLibraryChoice()
  const drawn = () => [0, 1, 2, 3].filter((index) => choice.isChosen(index))
  expect([library.active, drawn(), refs()]).toEqual([0, [], []])
  // Ctrl chooses what it is pressed on, and not the row where the keyboard is
  choice.turn(2)
  expect([drawn(), refs()]).toEqual([[2], [ref(2)]])
  choice.turn(2)
  expect([library.active, drawn(), refs()]).toEqual([2, [], []])
  // from the search to the list
  choice.first()
  expect([drawn(), refs()]).toEqual([[2], [ref(2)]])
  choice.first()
  choice.only(1)
  choice.first()
  expect([drawn(), refs()]).toEqual([[1], [ref(1)]])
  library.query.text = 'a'
  await nextTick()
  await expect.poll(() => library.active).toBe(0)
  expect([drawn(), refs()]).toEqual([[], []])
})

it('reaches from the row that was chosen last, either way, over rows that are still to be fetched', async () => {
  const library = useLibrary()
  const choice = useLibraryChoice()
  choice.only(190)
  await choice.reach(450)
  expect(refs()).toEqual(Array.from({ length: 261 }, (_, i) => ref(190 + i)))
  await choice.reach(188)
  expect(refs()).toEqual([188, 189, 190].map(ref))
  expect(library.active).toBe(188)
})

it('is as much as can be chosen at one time', async () => {
  useLibrary().query.show = 'files'
  await nextTick()
  await expect.poll(() => useLibrary().total).toBeGreaterThan(MOST_CHOSEN)
  await useLibraryChoice().all()
  expect(useLibraryChoice().several.size).toBe(MOST_CHOSEN)
})

it('ends with another list', async () => {
  const choice = useLibraryChoice()
  choice.only(0)
  choice.turn(2)
  useLibrary().query.family = 'alpha'
  await nextTick()
  expect(choice.several.size).toBe(0)
})

it.each([2, 300])(
  'stays on the row that was chosen when a scan puts %i rows before it, also where that is on no page that is there',
  async (more) => {
    setActivePinia(createPinia())
    let changed = (_event: { library: string }): void => {}
    const fake = createFakeApi()
    let added: LibraryRow[] = []
    await useSession().start({
      call: async (name: string, args: any, options: any) => {
        const asked = name === 'library.query' ? { ...args, offset: 0, limit: 500 } : args
        const answer: any = await fake.call(name as 'library.query', asked, options)
        if (name === 'library.place') {
          const all: any = await fake.call('library.query', { ...args, offset: 0, limit: 500 })
          return [...added, ...all.rows].findIndex((row) => row.ref === args.ref)
        }
        if (name !== 'library.query') return answer
        const rows = [...added, ...answer.rows].slice(args.offset, args.offset + args.limit)
        return { ...answer, total: answer.total + added.length, rows }
      },
      on: (name: string, listener: never) => {
        if (name === 'library.changed') changed = listener
        return fake.on(name as 'library.changed', listener)
      },
    } as unknown as Api)
    const library = useLibrary()
    await library.open('/games/dark-cloud')
    const choice = useLibraryChoice()
    choice.only(3)
    const chosen = refs()
    const above = library.rowAt(2)!
    added = Array.from({ length: more }, (_, i) => i + 1).map((n) => ({ ...above, ref: `new-${n}` }))
    changed({ library: library.info!.id })
    await expect.poll(() => library.active).toBe(3 + more)
    expect([refs(), library.rowAt(0)!.ref]).toEqual([chosen, 'new-1'])
    // a range begins at it, too
    await choice.reach(4 + more)
    expect(refs()).toEqual([...chosen, ref(4 + more)])
  },
)
