/** Tracks of the clip that plays, the keys that are chosen in them, and edits of those. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { withDifference } from '../../../shared/scene/difference.ts'
import { latestAnswer } from '../latest.ts'
import { useModels, type OpenModel } from '../models.ts'
import { usePlayback } from '../playback.ts'
import { useSession } from '../session.ts'
import { chosenKeys } from './chosen.ts'
import { keyCopies } from './copies.ts'
import { keyEdits } from './edits.ts'
import { keyToolRuns } from './key-tool.ts'
import { keyNudge } from './nudge.ts'

export const useKeys = defineStore('keys', () => {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const tracks = shallowRef<NativeTrack[]>([])
  const own = chosenKeys(tracks)
  const loading = ref(false)
  const editable = computed(() => models.info?.abilities.clips === true && tracks.value.length > 0)
  const ask = latestAnswer()

  /** of which clip of which model the tracks are, '' for none */
  let of = ''
  /** where the tracks that came last are from */
  let known: { model: string; clip: number; revision: number; tracks: NativeTrack[] } | undefined

  /** After an edit what it changed: what it left alone stays the same data. */
  async function brought({ id: model, info }: OpenModel, clip: number): Promise<NonNullable<typeof known>> {
    const { revision } = info
    const from = known
    if (from?.model !== model || from.clip !== clip)
      return { model, clip, revision, tracks: await session.call('clips.tracks', { model, clip }) }
    const now = await session.call('clips.changedTracks', { model, clip, since: from.revision })
    const list = 'tracks' in now ? now.tracks : now.change ? withDifference(from.tracks, now.change) : from.tracks
    return { model, clip, revision: now.revision, tracks: list }
  }

  /** the question that is on its way */
  let asked: { model: string; clip: number; revision: number; answer?: Promise<void> } | undefined

  /** Whoever asks for the same state waits for the same answer: after an edit the tool that made it and who shows the keys do. */
  function load(): Promise<void> {
    const question: typeof asked = { model: models.activeId, clip: playback.state.clip, revision: models.info?.revision ?? -1 }
    const same = asked?.model === question.model && asked.clip === question.clip && asked.revision === question.revision
    if (same && asked?.answer) return asked.answer
    asked = question
    return (question.answer = bring().finally(() => {
      if (asked === question) asked = undefined
    }))
  }

  async function bring(): Promise<void> {
    const model = models.active
    const clip = playback.state.clip
    const wanted = ask()
    const there = model?.info.abilities.clips ? model.scene.clips[clip] : undefined
    const shown = there ? `${models.activeId} ${clip}` : ''
    if (of !== shown) {
      of = shown
      tracks.value = []
      own.chosen.value = new Map()
    }
    loading.value = false
    // keys and picture are of the same state: they come when its tracks are there
    if (!model || !there || there.away) return
    if (known?.model === model.id && known.clip === clip && known.revision === model.info.revision) {
      tracks.value = known.tracks
      return
    }
    loading.value = true
    try {
      const next = await brought(model, clip)
      if (!wanted()) return
      known = next
      tracks.value = next.tracks
    } catch {
      if (!wanted()) return
      known = undefined
      tracks.value = []
    } finally {
      if (wanted()) loading.value = false
    }
  }

  // another coding of the same values changes no scene, but what may be done with the keys
  watch(
    [() => models.activeId, () => playback.state.clip, () => models.active?.viewScene, () => models.info?.revision],
    () => void load(),
    { immediate: true },
  )

  const runs = keyToolRuns(load, own.choose)
  const edits = keyEdits(tracks, own, runs)
  const copies = keyCopies(tracks, own, runs, edits.remove)

  const nudge = keyNudge(tracks, own, edits.shift)

  return { tracks, loading, editable, load, ...own, ...runs, ...edits, ...copies, nudge }
})
