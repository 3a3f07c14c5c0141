// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { useLibraryChoice } from '../../../src/renderer/core/library-choice.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { MOST_CHOSEN } from '../../../src/shared/api/types/library.ts'

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
