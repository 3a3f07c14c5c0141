/**
 * Small pictures of what lists show. Kept ones are asked for in one call for all rows in view; missing ones are looked for among those of copies, and
 * drawn by workers, one being put together while another is drawn, while the window has nothing better to do and their rows are in view.
 */
import { defineStore } from 'pinia'
import { refAutoReset } from '@vueuse/core'
import { onScopeDispose, ref, shallowReactive, watch } from 'vue'
import type { LibraryRow, ModelPicture } from '../../../shared/api/types/library.ts'
import type { Scene } from '../../../shared/scene/types.ts'
import type { DrawWork } from './draw-pictures.ts'
import { errorData } from '../../core/errors.ts'
import { watchInput } from '../../core/last-input.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSession } from '../../core/session.ts'
import { webWorker } from '../../core/worker/web-line.ts'

/** `url` is '' while there is none; `note` says why there will be none. */
export interface RowPicture {
  url: string
  note: string
  broken: boolean
}

/** Pictures that the window holds; the service has the rest. */
const MOST_HELD = 2000
/** Scrolling asks once it pauses. */
const ASK_MS = 60
const MOST_ASKED = 200
/** Missing ones that are looked for among copies in one call. */
const MOST_ADOPTED = 16
/** Under way at once: put together by the service, and drawn. */
const AT_ONCE = 2
/** A picture that is not drawn by then holds up the others. */
const DRAW_MS = 20_000
/** Between two letters of who types slowly: what they find until then changes with the next, and its rows go first. */
const TYPING_MS = 500
/** On the page of a model, between two edits: what is put together and drawn between them makes the next one late. */
const WORKING_MS = 2000

/** Rows that a picture is made of. */
export function hasPicture(row: Pick<LibraryRow, 'type' | 'kind'>): boolean {
  return row.type === 'model' || (row.type === 'file' && (row.kind === 'model' || row.kind === 'texture'))
}

export const usePictures = defineStore('pictures', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const playback = usePlayback()
  const held = shallowReactive(new Map<string, RowPicture>())
  /** references that lists show now, one set for each list */
  const views = new Map<symbol, readonly string[]>()
  /** asked for, and to be drawn when their turn comes */
  const missing = new Set<string>()
  /** held, and to be asked for again: shown until there is another */
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | null = null
  /** this machine draws none */
  const never = ref(false)
  /** a text is being typed: what is shown now changes with the next letter */
  const typing = refAutoReset(false, TYPING_MS)
  const input = watchInput(window)
  onScopeDispose(input.stop)
  const artist = webWorker<DrawWork>('pictures', () => new Worker(new URL('./draw-pictures.ts', import.meta.url), { type: 'module' }))

  /** What a list shows; nothing when it goes away. */
  function show(list: symbol, rows: readonly LibraryRow[]): void {
    if (rows.length > 0)
      views.set(
        list,
        rows.filter(hasPicture).map((row) => row.ref),
      )
    else views.delete(list)
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), ASK_MS)
  }

  function inView(): Set<string> {
    return new Set([...views.values()].flat())
  }

  function keep(ref: string, picture: ModelPicture): void {
    drop(ref)
    const row =
      'png' in picture
        ? { url: URL.createObjectURL(new Blob([picture.png as Uint8Array<ArrayBuffer>], { type: 'image/png' })), note: '', broken: false }
        : { url: '', note: picture.reason, broken: picture.broken }
    held.set(ref, row)
    if (held.size <= MOST_HELD) return
    const seen = inView()
    for (const old of held.keys()) {
      if (held.size <= MOST_HELD) break
      if (!seen.has(old)) drop(old)
    }
  }

  function drop(ref: string): void {
    stale.delete(ref)
    const url = held.get(ref)?.url
    if (url) URL.revokeObjectURL(url)
    held.delete(ref)
  }

  async function ask(): Promise<void> {
    const info = library.info
    if (!info) return
    const seen = inView()
    for (const ref of missing) if (!seen.has(ref)) missing.delete(ref)
    const refs = [...seen].filter((ref) => (!held.has(ref) || stale.has(ref)) && !missing.has(ref)).slice(0, MOST_ASKED)
    if (refs.length > 0) {
      try {
        const pictures = await session.call('library.pictures', { library: info.id, refs })
        if (library.info?.id !== info.id) return
        pictures.forEach((picture, i) => {
          if (picture) keep(refs[i], picture)
          else missing.add(refs[i])
        })
      } catch {
        // the list works without pictures; they are asked for again when its rows change
        return
      }
    }
    void draw()
  }

  /** Draws what is missing until nothing in view is. */
  async function draw(): Promise<void> {
    if (running || never.value) return
    const mine = new AbortController()
    running = mine
    try {
      while (library.info && !mine.signal.aborted && !never.value) {
        // rows further up come first
        const refs = [...inView()].filter((r) => missing.has(r)).slice(0, MOST_ADOPTED)
        if (refs.length === 0) return
        await idle(mine.signal)
        if (busy()) {
          await new Promise((done) => setTimeout(done, 250))
          continue
        }
        const { id } = library.info
        for (const ref of refs) missing.delete(ref)
        const left = await adopt(id, refs, mine.signal)
        const line = async (): Promise<void> => {
          while (left.length > 0 && !mine.signal.aborted && !never.value && !busy()) {
            const ref = left.shift()!
            if (inView().has(ref)) await make(id, ref, mine.signal)
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, line))
        // put off, not given up
        if (library.info?.id === id) for (const ref of refs) if (!held.has(ref) || stale.has(ref)) missing.add(ref)
      }
    } finally {
      if (running === mine) running = null
    }
  }

  /** Something that the user waits for or looks at goes on. */
  function busy(): boolean {
    const working = models.page === 'model' && input.quietFor() < WORKING_MS
    return (
      typing.value || working || document.hidden || library.scanning || library.loading || playback.state.playing || models.opening !== ''
    )
  }

  /** Those that are still to be drawn. */
  async function adopt(id: string, refs: string[], signal: AbortSignal): Promise<string[]> {
    try {
      const pictures = await session.call('library.adoptPictures', { library: id, refs }, { signal })
      if (signal.aborted) return []
      pictures.forEach((picture, i) => picture && keep(refs[i], picture))
      return refs.filter((_, i) => !pictures[i])
    } catch {
      return signal.aborted ? [] : refs
    }
  }

  async function make(id: string, ref: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await session.call('library.pictureScene', { library: id, ref }, { signal })
      if (signal.aborted) return
      if (!('scene' in answer)) return keep(ref, answer)
      const rgba = await drawScene(ref, answer.scene, signal)
      if (rgba) keep(ref, await session.call('library.putPicture', { library: id, ref, rgba }))
    } catch (error) {
      if (signal.aborted) return
      const { code, message } = errorData(error)
      if (code !== 'cancelled') keep(ref, { reason: message, broken: true })
    }
  }

  /** Null where it cannot be drawn, which is kept, or is wanted no more. */
  async function drawScene(ref: string, scene: Scene, signal: AbortSignal): Promise<Uint8Array | null> {
    try {
      const rgba = await artist.run('draw', scene, { signal, limit: DRAW_MS })
      return signal.aborted ? null : rgba
    } catch (error) {
      if (signal.aborted) return null
      const { code, message } = errorData(error)
      if (code === 'unsupported') never.value = true
      else keep(ref, { reason: message, broken: false })
      return null
    }
  }

  /** What is asked for and drawn now takes the machine from what the user waits for. */
  function stop(): void {
    running?.abort()
    running = null
  }

  function clear(): void {
    stop()
    missing.clear()
    for (const ref of [...held.keys()]) drop(ref)
  }

  watch(() => library.info?.id, clear)
  watch(
    () => library.query.text,
    () => {
      typing.value = true
      stop()
    },
    { flush: 'sync' },
  )
  watch(typing, (still) => void (still || draw()))
  // a model that is opened needs the machine for itself
  watch(
    () => models.opening,
    (opening) => {
      if (opening) stop()
      else void draw()
    },
  )
  // files may have changed: what is in view is asked for again
  watch(
    () => library.scanning,
    (scanning) => {
      if (scanning) return
      for (const ref of held.keys()) stale.add(ref)
      void ask()
    },
  )

  return { held, never, typing, show, forget: drop }
})

function idle(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done()
    requestIdleCallback(() => done(), { timeout: 1000 })
  })
}
