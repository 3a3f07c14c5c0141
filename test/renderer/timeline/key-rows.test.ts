// @vitest-environment happy-dom
/** Rows of the dope sheet follow what they show, and nothing else. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { effectScope, nextTick, type EffectScope } from 'vue'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useKeys } from '../../../src/renderer/core/keys/store.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { nestGroups } from '../../../src/renderer/features/timeline/dope-rows.ts'
import { useKeyRows, type KeyRows } from '../../../src/renderer/features/timeline/key-rows.ts'
import type { CallName } from '../../../src/shared/api/contract.ts'
import type { NativeTrack } from '../../../src/shared/api/types/clips.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

vi.mock('../../../src/renderer/features/timeline/dope-rows.ts', { spy: true })

let pinia: Pinia
let scope: EffectScope
let shown: KeyRows
let revision: number
let native: boolean
let scene: (own: Scene) => Scene
let tracks: (own: NativeTrack[], clip: number) => NativeTrack[]

/** The model of the fake services with a second clip, as the test has it now. */
function api(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name: CallName, args: any, options: never) {
      const answer: unknown = await inner.call(name, args, options)
      if (name === 'clips.tracks') return tracks(answer as NativeTrack[], args.clip)
      if (name === 'clips.changedTracks') return { revision, tracks: tracks((answer as { tracks: NativeTrack[] }).tracks, args.clip) }
      if (name !== 'model.open' && name !== 'model.scene') return answer
      const opened = answer as OpenedModel
      const [clip] = opened.scene.clips
      const clips = [clip, { ...clip, name: 'second', tracks: clip.tracks.slice(0, 2) }]
      return {
        info: { ...opened.info, revision, abilities: { ...opened.info.abilities, clips: native } },
        scene: scene({ ...opened.scene, clips }),
      }
    },
  } as Api
}

/** The services have another state of the model. */
async function changed(): Promise<void> {
  revision++
  await useModels(pinia).reload('m1')
}

async function open(): Promise<void> {
  await useSession(pinia).start(api())
  await useModels(pinia).openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
  usePlayback(pinia).chooseClip(0)
  shown = scope.run(useKeyRows)!
  await expect.poll(() => useKeys(pinia).tracks.length > 0).toBe(native)
}

const names = (): string[] => shown.rows.value.map((row) => `${' '.repeat(row.depth)}${row.name}`)
/** of the row of all keys */
const times = (): number[] => [...new Set(Array.from(shown.rows.value[0].times))]

beforeEach(() => {
  revision = 1
  native = true
  scene = (own) => own
  tracks = (own, clip) => (clip === 0 ? own : own.slice(0, 2))
  pinia = createPinia()
  setActivePinia(pinia)
  scope = effectScope()
})
afterEach(() => scope.stop())

describe('rows of keys', () => {
  it('follow an edit, and its undo', async () => {
    await open()
    const before = times()
    tracks = (own) => own.map((track) => ({ ...track, times: track.times.map((t) => t + 1000) }))
    await changed()
    await expect.poll(times).toEqual(before.map((t) => t + 1000))
    tracks = (own) => own
    await changed()
    await expect.poll(times).toEqual(before)
  })

  it.each([true, false])('follow another clip (keys that can be edited: %s)', async (editable) => {
    native = editable
    await open()
    const first = names()
    usePlayback(pinia).chooseClip(1)
    await expect.poll(() => names().length).toBe(3)
    expect(first.length).toBeGreaterThan(3)
    usePlayback(pinia).chooseClip(0)
    await expect.poll(names).toEqual(first)
  })

  it.each([true, false])('stand below the bone that one comes to hang on (keys that can be edited: %s)', async (editable) => {
    native = editable
    await open()
    expect(names().some((name) => name.startsWith(' '))).toBe(true)
    scene = (own) => ({ ...own, skeleton: { ...own.skeleton, parents: own.skeleton.parents.map(() => -1) } })
    await changed()
    await expect.poll(() => names().some((name) => name.startsWith(' '))).toBe(false)
  })

  it('have the bones as they are called now where their keys cannot be edited', async () => {
    native = false
    await open()
    scene = (own) => ({ ...own, skeleton: { ...own.skeleton, names: own.skeleton.names.map((name) => `${name}!`) } })
    await changed()
    await expect
      .poll(() =>
        names()
          .slice(1)
          .every((name) => name.endsWith('!')),
      )
      .toBe(true)
  })

  it('are not put together anew for what is shown for a moment', async () => {
    await open()
    const before = shown.rows.value
    const { active, preview } = useModels(pinia)
    const made = vi.mocked(nestGroups).mock.calls.length
    const [clip] = active!.scene.clips
    expect(preview(active!, { ...active!.scene, clips: [{ ...clip, end: clip.end + 1 }] })).toBe(true)
    await nextTick()
    expect(shown.rows.value).toBe(before)
    expect(vi.mocked(nestGroups).mock.calls.length).toBe(made)
  })
})
