// @vitest-environment happy-dom
/** What is chosen on the page of an archive is members, wherever a step leaves them, and whatever is chosen while its answer is awaited. */
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it, vi } from 'vitest'
import { useArchivePage } from '../../../src/renderer/core/archive-page.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { useArchive } from '../../../src/renderer/features/archive/archive.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { ArchiveRow, ArchiveStep } from '../../../src/shared/api/types/archive.ts'

let rows: ArchiveRow[] = []
/** ends what `archive.change` waits for */
let answerStep = (): void => {}
let held = false

const state = (): object => ({ name: 'x.big', readOnly: '', stale: false, members: rows.length, undo: '', redo: '' })
const take = (ids: readonly number[]): void => void (rows = rows.filter(({ id }) => !ids.includes(id)))

function change(step: ArchiveStep): void {
  if (step.kind === 'remove') take(step.ids)
  if (step.kind === 'move') {
    const moved = rows.filter(({ id }) => step.ids.includes(id))
    take(step.ids)
    const at = rows.findIndex(({ id }) => id === step.before)
    rows = at < 0 ? [...rows, ...moved] : [...rows.slice(0, at), ...moved, ...rows.slice(at)]
  }
}

const answers: Record<string, (args: any) => unknown> = {
  'app.info': () => ({ version: '1', host: 'web', platform: '', sample: '', recent: [] }),
  'settings.get': () => ({}),
  'archive.open': state,
  'archive.members': ({ offset, limit }) => ({ total: rows.length, rows: rows.slice(offset, offset + limit) }),
  'archive.change': async ({ step }) => {
    if (held) await new Promise<void>((resolve) => (answerStep = resolve))
    change(step)
    return state()
  },
}

beforeEach(async () => {
  setActivePinia(createPinia())
  held = false
  rows = Array.from({ length: 450 }, (_, id) => ({ id, name: `m${id}`, size: 1, state: 'same' }) as ArchiveRow)
  const api = {
    call: async (name: string, args: unknown) => (answers[name] ?? (() => ({})))(args),
    on: () => () => {},
  }
  await useSession().start(api as unknown as Api)
  useArchivePage().shown = 'x.big'
})

async function opened(): Promise<ReturnType<typeof useArchive>> {
  const archive = useArchive()
  await vi.waitFor(() => expect(archive.state).not.toBeNull())
  archive.fetchRows(0, 30)
  return archive
}
const names = async (archive: ReturnType<typeof useArchive>): Promise<string[]> => (await archive.chosenRows()).map(({ name }) => name)

it('keeps the member that was clicked while a step before it was on its way', async () => {
  const archive = await opened()
  archive.only(1)
  archive.reach(3)
  held = true
  const removed = archive.remove()
  await vi.waitFor(() => expect(archive.busy).toBe(true))
  archive.only(5)
  answerStep()
  await removed
  expect(await names(archive)).toEqual(['m5'])
  expect(archive.rowAt(archive.active)?.name).toBe('m5')
})

it('stays at the place of what is gone', async () => {
  const archive = await opened()
  archive.only(1)
  archive.reach(3)
  await archive.remove()
  expect([archive.active, archive.total, archive.rowAt(1)?.name, ...(await names(archive))]).toEqual([3, 447, 'm4', 'm6'])
})

it('goes with what is moved, over the pages of the list', async () => {
  const archive = await opened()
  archive.only(2)
  archive.turn(4)
  await archive.moveTo(10)
  expect(await names(archive)).toEqual(['m2', 'm4'])
  archive.fetchRows(190, 210)
  await vi.waitFor(() => expect(archive.rowAt(205)).toBeDefined())
  archive.only(205)
  await archive.moveTo(195)
  expect([archive.active, ...(await names(archive))]).toEqual([195, 'm205'])
})

it('shows what is planned and its rows at once', async () => {
  const archive = await opened()
  const seen: string[] = []
  archive.$subscribe(() => seen.push(`${archive.state?.members} ${archive.total}`), { flush: 'sync' })
  archive.only(0)
  await archive.remove()
  expect(seen.filter((now) => now === '449 450')).toEqual([])
  expect(seen.at(-1)).toBe('449 449')
})
