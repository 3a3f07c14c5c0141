/** The archive whose page is open: its members as the planned steps leave them, fetched as they scroll into view, and the steps themselves. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue'
import type { ArchivePage, ArchiveRow, ArchiveState, ArchiveStep } from '../../../shared/api/types/archive.ts'
import { useArchivePage } from '../../core/archive-page.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useSession } from '../../core/session.ts'
import { saveAs } from '../../ui/files.ts'
import type { DroppedFile } from '../../ui/files.ts'

const PAGE = 200
/** Rows that are followed to where a step left them; more than a user chose one by one. */
const FOLLOWED = 2000

export const useArchive = defineStore('archive', () => {
  const session = useSession()
  const page = useArchivePage()
  const state = shallowRef<ArchiveState | null>(null)
  const text = ref('')
  const total = ref(0)
  const pages = shallowReactive(new Map<number, ArchiveRow[]>())
  const active = ref(0)
  /** places in the list */
  const chosen = shallowRef<ReadonlySet<number>>(new Set())
  /** why the last thing that was asked for was not done */
  const failure = ref('')
  const busy = ref(false)
  /** the fields of the directory are shown */
  const fields = ref(false)
  const reading = shallowRef<{ done: number; total: number } | null>(null)
  const begin = latestAnswer()
  let wanted = begin()
  const asked = new Set<number>()
  let anchor = 0
  /** places of the first and the last row that the list shows */
  let inView: readonly [number, number] = [0, 0]

  const editable = computed(() => state.value !== null && state.value.readOnly === '' && !state.value.stale)
  const count = computed(() => chosen.value.size)

  function rowAt(index: number): ArchiveRow | undefined {
    return pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  }

  const askPage = (own: string, at: number): Promise<ArchivePage> =>
    session.call('archive.members', { ref: own, text: text.value, offset: at * PAGE, limit: PAGE })

  async function fetchPage(at: number): Promise<void> {
    const own = page.shown
    if (!own || asked.has(at)) return
    const stillWanted = wanted
    asked.add(at)
    try {
      const answer = await askPage(own, at)
      if (!stillWanted()) return
      total.value = answer.total
      pages.set(at, answer.rows)
    } catch (error) {
      if (!stillWanted()) return
      asked.delete(at)
      failure.value = errorData(error).message
    }
  }

  function fetchRows(first: number, last: number): void {
    inView = [first, last]
    for (let at = Math.floor(first / PAGE); at <= Math.floor(last / PAGE); at++) void fetchPage(at)
  }

  /** The rows that are chosen, where all of them are at hand. */
  function chosenAtHand(): ArchiveRow[] {
    const rows = [...chosen.value].slice(0, FOLLOWED + 1).flatMap((place) => rowAt(place) ?? [])
    return rows.length === chosen.value.size && rows.length <= FOLLOWED ? rows : []
  }

  /** What is chosen is members: after a step each may stand elsewhere in the list. */
  function follow(before: readonly ArchiveRow[], activeId: number | undefined): void {
    if (before.length === 0) return
    const places = new Map([...pages].flatMap(([at, rows]) => rows.map(({ id }, i) => [id, at * PAGE + i] as const)))
    const left = before.flatMap(({ id }) => places.get(id) ?? [])
    if (left.length === 0) return only(active.value)
    chosen.value = new Set(left)
    active.value = anchor = (activeId === undefined ? undefined : places.get(activeId)) ?? left[0]
  }

  /**
   * Asks again for what is in view; the old rows stay until all of the new ones are there. With a state, what the steps left: it is shown with
   * its rows, and what is chosen stays chosen wherever it stands now.
   */
  async function refresh(after?: ArchiveState): Promise<void> {
    const stillWanted = (wanted = begin())
    const own = page.shown
    const near = [...new Set([...inView, active.value].map((place) => Math.floor(place / PAGE)))]
    asked.clear()
    for (const at of near) asked.add(at)
    try {
      const answers = await Promise.all(near.map((at) => askPage(own, at)))
      if (!stillWanted()) return
      const [rows, activeId] = [after ? chosenAtHand() : [], rowAt(active.value)?.id]
      answers.forEach((answer, i) => pages.set(near[i], answer.rows))
      for (const at of [...pages.keys()]) if (!asked.has(at)) pages.delete(at)
      total.value = answers[0].total
      active.value = Math.max(0, Math.min(active.value, total.value - 1))
      follow(rows, activeId)
    } catch (error) {
      if (!stillWanted()) return
      asked.clear()
      failure.value = errorData(error).message
    } finally {
      if (after && page.shown === own) state.value = after
    }
  }

  /** The rows at these places, wherever the list stands. */
  async function rowsAt(places: Iterable<number>): Promise<ArchiveRow[]> {
    const list = [...places].sort((a, b) => a - b)
    for (const at of new Set(list.map((place) => Math.floor(place / PAGE)))) if (!pages.has(at)) await fetchPage(at)
    return list.flatMap((place) => rowAt(place) ?? [])
  }

  const chosenRows = (): Promise<ArchiveRow[]> => rowsAt(chosen.value)

  function only(index: number): void {
    active.value = anchor = index
    chosen.value = new Set([index])
  }

  function turn(index: number): void {
    active.value = anchor = index
    const next = new Set(chosen.value)
    if (!next.delete(index)) next.add(index)
    chosen.value = next
  }

  function reach(index: number): void {
    active.value = index
    const [first, last] = [Math.min(anchor, index), Math.max(anchor, index)]
    chosen.value = new Set(Array.from({ length: last - first + 1 }, (_, i) => first + i))
  }

  function all(): void {
    chosen.value = new Set(Array.from({ length: total.value }, (_, i) => i))
  }

  /** Sets a field of the directory. @throws what the services have against it: its control says that */
  async function setField(id: number, path: string, value: string): Promise<void> {
    const own = page.shown
    if (!own) return
    const now = await session.call('archive.change', { ref: own, step: { kind: 'field', id, path, value } })
    if (page.shown === own) await refresh(now)
  }

  /** Something that changes what is planned. @returns whether it was done */
  async function ask(task: (ref: string) => Promise<ArchiveState>): Promise<boolean> {
    const own = page.shown
    if (!own) return false
    busy.value = true
    failure.value = ''
    try {
      const now = await task(own)
      if (page.shown !== own) return false
      await refresh(now)
      return true
    } catch (error) {
      const { code, message } = errorData(error)
      failure.value = message
      // what became of it, and what can be done, the state says
      if (code === 'changed-on-disk') state.value = await session.call('archive.open', { ref: own }).catch(() => state.value)
      return false
    } finally {
      busy.value = false
    }
  }

  const step = (made: ArchiveStep): Promise<boolean> => ask((own) => session.call('archive.change', { ref: own, step: made }))

  async function remove(): Promise<void> {
    const ids = (await chosenRows()).map(({ id }) => id)
    if (ids.length > 0) await step({ kind: 'remove', ids })
  }

  /** Puts what is chosen in front of the row at a place of the list as it is; what is chosen stays so. */
  async function moveTo(place: number): Promise<void> {
    const rows = await chosenRows()
    if (rows.length === 0 || text.value.trim() !== '') return
    const ids = rows.map(({ id }) => id)
    const gone = new Set(ids)
    // the first row from there on that stays
    let before = -1
    for (let at = place; at < total.value && before < 0; at++) {
      const [row] = await rowsAt([at])
      if (row && !gone.has(row.id)) before = row.id
    }
    const stay = [...chosen.value].filter((at) => at < place).length
    if (!(await step({ kind: 'move', ids, before }))) return
    const first = Math.max(0, Math.min(place, total.value) - stay)
    chosen.value = new Set(ids.map((_, i) => first + i))
    active.value = anchor = first
  }

  const first = (): number => Math.min(...chosen.value)
  const up = (): Promise<void> => (first() > 0 ? moveTo(first() - 1) : Promise.resolve())
  const down = (): Promise<void> => {
    const last = Math.max(...chosen.value)
    return last < total.value - 1 ? moveTo(last + 2) : Promise.resolve()
  }

  async function hold(own: string, file: File): Promise<string> {
    const bytes = new Uint8Array(await file.arrayBuffer())
    return (await session.call('archive.hold', { ref: own, bytes })).body
  }

  async function add(files: readonly DroppedFile[]): Promise<void> {
    if (files.length === 0) return
    const done = await ask(async (own) => {
      const list: { name: string; body: string }[] = []
      try {
        for (const { path, file } of files) {
          reading.value = { done: list.length + 1, total: files.length }
          list.push({ name: path, body: await hold(own, file) })
        }
      } finally {
        reading.value = null
      }
      return session.call('archive.change', { ref: own, step: { kind: 'add', files: list } })
    })
    if (done && text.value === '') only(total.value - 1)
  }

  const replace = (id: number, file: File): Promise<boolean> =>
    ask(async (own) => session.call('archive.change', { ref: own, step: { kind: 'replace', id, body: await hold(own, file) } }))
  const undo = (): Promise<boolean> => ask((own) => session.call('archive.undo', { ref: own }))
  const redo = (): Promise<boolean> => ask((own) => session.call('archive.redo', { ref: own }))
  const discard = (): Promise<boolean> => ask((own) => session.call('archive.discard', { ref: own }))

  /** Files of the library, read where they stand. */
  async function take(from: readonly string[]): Promise<void> {
    const done = await ask(async (own) => {
      reading.value = { done: 0, total: from.length }
      try {
        const { files } = await session.call('archive.take', { ref: own, from: [...from] })
        if (files.length === 0) return session.call('archive.open', { ref: own })
        return await session.call('archive.change', { ref: own, step: { kind: 'add', files } })
      } finally {
        reading.value = null
      }
    })
    if (done) only(Math.max(0, total.value - 1))
  }

  /** Chosen members that stand in the file, by their ids. */
  async function carried(): Promise<number[]> {
    return (await chosenRows()).flatMap(({ id, state: is }) => (is === 'new' ? [] : [id]))
  }

  /** Out of the window as files: the application drags them, a browser saves them. */
  async function carry(how: 'drag' | 'download'): Promise<void> {
    failure.value = ''
    try {
      const ids = await carried()
      if (ids.length === 0 || !page.shown) return
      if (how === 'drag') await session.call('archive.drag', { ref: page.shown, ids })
      else {
        const { name, bytes } = await session.call('archive.download', { ref: page.shown, ids })
        saveAs(name, bytes)
      }
    } catch (error) {
      failure.value = errorData(error).message
    }
  }

  async function load(): Promise<void> {
    state.value = null
    pages.clear()
    total.value = 0
    text.value = ''
    fields.value = false
    only(0)
    const from = page.coming
    page.coming = []
    if (!(await ask((own) => session.call('archive.open', { ref: own })))) return
    if (from.length > 0) await take(from)
  }

  watch(
    () => page.shown,
    (own) => own && void load(),
    { immediate: true },
  )
  watch(text, () => {
    only(0)
    void refresh()
  })

  return {
    state,
    text,
    total,
    active,
    chosen,
    count,
    failure,
    fields,
    busy,
    reading,
    editable,
    rowAt,
    fetchRows,
    rowsAt,
    chosenRows,
    only,
    turn,
    reach,
    all,
    step,
    remove,
    moveTo,
    carry,
    up,
    down,
    add,
    replace,
    setField,
    undo,
    redo,
    discard,
    ask,
  }
})
