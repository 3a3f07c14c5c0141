/** The open library: its query, the rows that were fetched, and the scan that runs. */
import { defineStore } from 'pinia'
import { computed, nextTick, reactive, ref, shallowReactive, shallowRef, watch } from 'vue'
import type { CallArgs } from '../../shared/api/contract.ts'
import type { FamilyId, FileKind } from '../../shared/api/types/family.ts'
import type { LibraryInfo, LibraryPage, LibraryPart, LibraryQuery, LibraryRow, ScanProgress } from '../../shared/api/types/library.ts'
import { latestAnswer } from './latest.ts'
import { useSession } from './session.ts'
import { errorData } from './errors.ts'

/** Rows are fetched in pages of this size as they scroll into view: about a screen, so that the first one is there soon. */
const PAGE = 60

/** @returns undefined for a row that was not fetched */
export function rowIn(pages: ReadonlyMap<number, readonly LibraryRow[]>, index: number): LibraryRow | undefined {
  return pages.get(Math.floor(index / PAGE))?.[index % PAGE]
}

/** The whole list, by name. */
const everything = () => ({ text: '', family: null, kind: null, has: [], folder: '', sort: 'name' as const, descending: false })

export const useLibrary = defineStore('library', () => {
  const session = useSession()
  const info = shallowRef<LibraryInfo | null>(null)
  const query = reactive({
    text: '',
    family: null as FamilyId | null,
    kind: null as FileKind | null,
    has: [] as LibraryPart[],
    /** place of the folder that it is narrowed to, '' for all */
    folder: '',
    show: 'models' as LibraryQuery['show'],
    sort: 'name' as LibraryQuery['sort'],
    descending: false,
  })
  const total = ref(0)
  const facets = shallowRef<LibraryPage['facets']>({ families: [], kinds: [], has: [] })
  const counts = shallowRef<LibraryPage['counts']>({ models: 0, files: 0, errors: 0 })
  /** page number -> rows */
  const pages = shallowReactive(new Map<number, LibraryRow[]>())
  /** goes up with each answer to another list, or to what the folder holds now */
  const round = ref(0)
  const loading = ref(false)
  const failure = ref('')
  const progress = shallowRef<ScanProgress | null>(null)
  /** it is looked through, or was: not only looked into for a file */
  const walked = ref(false)
  /** how much there is is known: the folder was looked through to its end, or some of it was found */
  const counted = computed(() => {
    const { models, files, errors } = counts.value
    return Boolean(info.value?.scannedAt) || models + files + errors > 0
  })
  const scanning = computed(() => progress.value !== null)
  /** index of the row that keyboard and pointer chose */
  const active = ref(0)
  /** its reference, where it was there when it was chosen */
  let activeRef: string | undefined
  watch(active, (index) => (activeRef = rowAt(index)?.ref), { flush: 'sync' })

  /** begins a round of questions; pages that belong to an earlier query are dropped */
  const begin = latestAnswer()
  let wanted = begin()
  let asked = new Set<number>()
  let scanAbort: AbortController | null = null
  /** the folder that is looked through */
  let scanned = ''
  /** a text is being asked for, and has changed since */
  let searching = false
  let typed = false
  let listening = false
  /** the folder, or what is left out of it, changed while it was looked through */
  let behind = false

  function listen(): void {
    if (listening || !session.api) return
    listening = true
    session.api.on('scan.progress', (event) => {
      if (event.library !== info.value?.id) return
      if (event.phase === 'done' || event.phase === 'cancelled') progress.value = null
      else progress.value = event
    })
    session.api.on('folder.changed', (event) => {
      if (event.library === info.value?.id) follow()
    })
    session.api.on('library.changed', (event) => {
      if (event.library !== info.value?.id) return
      void refresh(true)
      if (behind && !scanAbort) follow()
    })
  }

  /** What is listed, as calls are told it. */
  function selection({ id }: LibraryInfo): Omit<CallArgs<'library.query'>, 'offset' | 'limit'> {
    return {
      library: id,
      text: query.text.trim() || undefined,
      family: query.family ?? undefined,
      kind: query.kind ?? undefined,
      has: query.has.length > 0 ? [...query.has] : undefined,
      folder: query.folder || undefined,
      show: query.show,
      sort: query.sort,
      descending: query.descending || undefined,
    }
  }

  /** Number of the row whose name begins with a text: the first from `from` on, else the first of all; -1 for none, or in another list by now. */
  async function seek(begin: string, from: number): Promise<number> {
    if (!info.value) return -1
    const stillWanted = wanted
    const found = await session.call('library.seek', { ...selection(info.value), begin, from }).catch(() => -1)
    return stillWanted() ? found : -1
  }

  /** Rows of a part of the list, fetched where they are not there yet; those that could not be are left out. */
  async function rowsIn(first: number, last: number): Promise<LibraryRow[]> {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) if (!pages.has(page)) await fetchPage(page)
    return Array.from({ length: last - first + 1 }, (_, i) => rowAt(first + i)).filter((row) => row !== undefined)
  }

  async function fetchPage(page: number): Promise<void> {
    if (!info.value || asked.has(page)) return
    const stillWanted = wanted
    asked.add(page)
    loading.value = true
    try {
      const result = await session.call('library.query', {
        ...selection(info.value),
        offset: page * PAGE,
        limit: PAGE,
      })
      if (!stillWanted()) return
      total.value = result.total
      facets.value = result.facets
      counts.value = result.counts
      pages.set(page, result.rows)
      failure.value = ''
    } catch (error) {
      if (!stillWanted()) return
      asked.delete(page)
      failure.value = errorData(error).message
    } finally {
      if (stillWanted()) loading.value = false
    }
  }

  /** Asks again; `keep` leaves the old rows on screen until the new ones come, and the active one active wherever it stands then. */
  async function refresh(keep = false): Promise<void> {
    const stillWanted = (wanted = begin())
    asked = new Set()
    const shown = keep ? [...pages.keys()] : []
    activeRef = keep ? (activeRef ?? rowAt(active.value)?.ref) : undefined
    if (!keep) active.value = 0
    await fetchPage(0)
    if (stillWanted() && pages.has(0)) round.value++
    for (const page of [...pages.keys()]) if (page !== 0 && !shown.includes(page)) pages.delete(page)
    for (const page of shown)
      if (page !== 0 && stillWanted()) {
        if (page * PAGE < total.value) await fetchPage(page)
        else pages.delete(page)
      }
    if (!keep) for (const page of [...pages.keys()]) if (page !== 0) pages.delete(page)
    if (!keep || !stillWanted()) return
    const chosen = activeRef
    const now = chosen === undefined ? -1 : await placeOf(chosen)
    if (now >= 0) await rowsIn(now, now)
    // another one was chosen meanwhile
    if (!stillWanted() || activeRef !== chosen) return
    active.value = Math.max(0, Math.min(now >= 0 ? now : active.value, total.value - 1))
  }

  /** All models or all files, whatever was searched or narrowed before. */
  async function listAll(show: 'models' | 'files'): Promise<void> {
    Object.assign(query, everything(), { show })
    // what watches the query asks, too: the list is there once, and stays
    await nextTick()
    typed = false
    await refresh()
  }

  /**
   * Asks at once. What is typed before the answer came is asked for when it did, and only as it stands then: the library answers one question after
   * the other, and none has to wait for those that nobody wants any more.
   */
  async function search(): Promise<void> {
    typed = true
    if (searching) return
    searching = true
    while (typed) {
      typed = false
      await refresh()
    }
    searching = false
  }

  function ensure(first: number, last: number): void {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(Math.max(first, last) / PAGE); page++) void fetchPage(page)
  }

  function rowAt(index: number): LibraryRow | undefined {
    return rowIn(pages, index)
  }

  /** Where a row stands in the list, fetched or not; -1 where it is none of it, or the list is another one by now. */
  async function placeOf(ref: string): Promise<number> {
    for (const [page, rows] of pages) {
      const at = rows.findIndex((row) => row.ref === ref)
      if (at >= 0) return page * PAGE + at
    }
    if (!info.value) return -1
    const stillWanted = wanted
    const found = await session.call('library.place', { ...selection(info.value), ref }).catch(() => -1)
    return stillWanted() ? found : -1
  }

  async function use(opened: LibraryInfo, first = true): Promise<void> {
    listen()
    info.value = opened
    // as it is known until the list is asked for: those of another folder are not this one's
    const { models, files, errors } = opened
    counts.value = { models, files, errors }
    if (scanned !== opened.id) leaveScan()
    Object.assign(query, everything(), { show: 'models' })
    pages.clear()
    total.value = 0
    walked.value = Boolean(opened.scannedAt) || scanAbort !== null
    await refresh()
    if (!opened.scannedAt && first) void scan()
  }

  /** `scan` false: a folder that is only looked into for one file is not walked through unasked */
  async function open(root: string, options: { scan?: boolean } = {}): Promise<boolean> {
    try {
      await use(await session.call('library.open', { root }), options.scan)
      void session.refreshApp()
      return true
    } catch (error) {
      session.report(error)
      return false
    }
  }

  async function openSample(): Promise<boolean> {
    try {
      await use(await session.call('library.openSample', {}))
      void session.refreshApp()
      return true
    } catch (error) {
      session.report(error)
      return false
    }
  }

  /** @param quiet nobody asked for it: a folder that is away, or that another window looks through, is nothing to tell */
  async function scan({ full = false, quiet = false } = {}): Promise<void> {
    if (!info.value || scanAbort) return
    const library = info.value
    const abort = (scanAbort = new AbortController())
    scanned = library.id
    walked.value = true
    progress.value = { library: library.id, phase: 'walk', done: 0, total: 0, current: '', errors: 0 }
    try {
      const report = await session.call('library.scan', { library: library.id, full: full || undefined }, { signal: abort.signal })
      if (info.value?.id === library.id) {
        info.value = { ...info.value, scannedAt: Date.now(), files: report.recognised, models: report.models, errors: report.errors.length }
      }
    } catch (error) {
      if (info.value?.id === library.id) walked.value = Boolean(library.scannedAt)
      if (!quiet && errorData(error).code !== 'cancelled') session.report(error)
    } finally {
      // that of another folder may have begun
      if (scanAbort === abort) leaveScan(behind)
      if (info.value?.id === library.id) await refresh(true)
      if (behind) follow()
    }
  }

  /** Ends it, or it is over: nobody waits for that of a folder which is not shown any more. @param more it is looked through once more */
  function leaveScan(more = false): void {
    scanAbort?.abort()
    scanAbort = null
    scanned = ''
    progress.value = null
    behind = more
  }

  /** Looks through what another choice of folders is in the library now: a scan that runs is of the one before, and ends. */
  async function rescan(): Promise<void> {
    if (!scanning.value) return scan()
    behind = true
    scanAbort?.abort()
  }

  /** Looks through a folder that changed on disk; what changes while it is looked through is looked for behind that. */
  function follow(): void {
    behind = scanning.value
    if (!behind) void scan({ quiet: true })
  }

  function cancelScan(): void {
    scanAbort?.abort()
  }

  function close(): void {
    leaveScan()
    wanted = begin()
    info.value = null
    pages.clear()
  }

  watch(
    () => query.text,
    () => void search(),
  )
  watch(
    [
      () => query.family,
      () => query.kind,
      () => query.has.join(),
      () => query.folder,
      () => query.show,
      () => query.sort,
      () => query.descending,
    ],
    () => {
      if (info.value) void refresh()
    },
  )

  return {
    info,
    query,
    total,
    facets,
    counts,
    counted,
    pages,
    round,
    loading,
    failure,
    progress,
    scanning,
    walked,
    active,
    selection,
    refresh,
    listAll,
    ensure,
    rowAt,
    placeOf,
    rowsIn,
    seek,
    use,
    open,
    openSample,
    scan,
    rescan,
    cancelScan,
    close,
  }
})
