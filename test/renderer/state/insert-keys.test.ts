// @vitest-environment happy-dom
/** What stands at the playhead, and where keys are put: on frames while snapping, in the tracks of what was chosen last; what a tool says of keys that it leaves no room. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useAdjust } from '../../../src/renderer/core/adjust.ts'
import { useKeys } from '../../../src/renderer/core/keys/store.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'
import type { KeyEdit } from '../../../src/shared/api/types/clips.ts'

let pinia: Pinia
let sent: KeyEdit[][]

function api(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name: never, args: never, options: never) {
      if (name !== ('clips.editKeys' as never)) return inner.call(name, args, options)
      sent.push((args as { edits: KeyEdit[] }).edits)
      const { info, scene } = await inner.call('model.scene', { model: 'm1' })
      return { info: { ...info, history: { undo: ['Insert'], redo: [], top: `step${sent.length}` } }, scene, diagnostics: [] }
    },
  } as Api
}

beforeEach(async () => {
  sent = []
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(api())
  await useModels(pinia).openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
  usePlayback(pinia).chooseClip(0)
  await expect.poll(() => useKeys(pinia).tracks.length).toBeGreaterThan(3)
})

/** Plays until the playhead stands between two frames. */
function playOn(): void {
  const playback = usePlayback(pinia)
  playback.play()
  playback.tick(1000)
  playback.tick(1103)
  expect(playback.state.time % 1).not.toBe(0)
}

const joints = (): number[] => {
  const keys = useKeys(pinia)
  return [...new Set(sent.at(-1)!.map((edit) => keys.tracks.find((t) => t.id === edit.track)!.joint))]
}

describe('a pause', () => {
  it('stops on a frame while snapping, where it is without', () => {
    const playback = usePlayback(pinia)
    playOn()
    const passed = playback.state.time
    playback.toggle()
    expect(playback.state.time).toBe(Math.round(passed))
    playback.snap = false
    playOn()
    const between = playback.state.time
    playback.toggle()
    expect(playback.state.time).toBe(between)
    // nothing was playing: what was set by hand stays
    playback.snap = true
    playback.seek(12.5)
    playback.play(false)
    expect(playback.state.time).toBe(12.5)
  })
})

describe('keys at the playhead', () => {
  it('go to a whole frame while snapping, also while playing', async () => {
    playOn()
    const at = Math.round(usePlayback(pinia).state.time)
    expect(await useKeys(pinia).insert()).toBe(true)
    expect(useAdjust(pinia).shown?.values.time).toBe(at)
    const playback = usePlayback(pinia)
    playback.snap = false
    playback.seek(at + 0.25)
    expect(await useKeys(pinia).insert()).toBe(true)
    expect(useAdjust(pinia).shown?.values.time).toBe(at + 0.25)
  })

  it('go into the bone that was chosen after keys of others, and into the keys that were chosen last', async () => {
    const keys = useKeys(pinia)
    const selection = useSelection(pinia)
    const [one, other] = [...new Set(keys.tracks.map((t) => t.joint))].filter((j) => j >= 0)
    usePlayback(pinia).seek(11)
    // of all tracks: then those are the chosen ones
    await keys.insert()
    expect(joints().length).toBeGreaterThan(2)
    expect(keys.count).toBeGreaterThan(2)
    usePlayback(pinia).seek(14)
    selection.joint(one)
    await nextTick()
    await keys.insert()
    expect(useAdjust(pinia).shown?.values.on).toBe('bone')
    expect(joints()).toEqual([one])

    // a key of one track of a bone: that track alone
    const track = keys.tracks.find((t) => t.joint === other)!
    keys.chooseWithin([track.id], track.times[0], track.times[0], 'only')
    selection.joint(other)
    await nextTick()
    usePlayback(pinia).seek(17)
    await keys.insert()
    expect(useAdjust(pinia).shown?.values.on).toBe('chosen')
    expect(sent.at(-1)!.map((edit) => edit.track)).toEqual([track.id])
  })
})

describe('chosen keys', () => {
  it('are meant until something else than a bone of theirs is chosen, and again when one is pressed', async () => {
    const keys = useKeys(pinia)
    const selection = useSelection(pinia)
    const track = keys.tracks.find((t) => t.joint >= 0)!
    const meantAfter = async (act: () => void): Promise<boolean> => {
      act()
      await nextTick()
      return keys.meant
    }
    keys.take([track.id], track.times[0])
    expect(await meantAfter(() => selection.joint(track.joint))).toBe(true)
    expect(await meantAfter(() => selection.joint(track.joint + 1))).toBe(false)
    expect(await meantAfter(() => keys.take([track.id], track.times[0]))).toBe(true)
    expect(await meantAfter(() => selection.slice(0))).toBe(false)
    expect(keys.count).toBe(1)
    expect(await meantAfter(keys.chooseAll)).toBe(true)
  })

  it('leave their place to a bone that not all of them are of, also to one that was chosen before them and is again', async () => {
    const keys = useKeys(pinia)
    const selection = useSelection(pinia)
    const track = keys.tracks.find((t) => t.joint >= 0)!
    const boneAfter = async (act: () => void): Promise<boolean> => {
      act()
      await nextTick()
      return keys.boneIsMeant
    }
    expect(await boneAfter(() => selection.joint(track.joint + 1))).toBe(false)
    expect(await boneAfter(() => keys.take([track.id], track.times[0]))).toBe(false)
    expect(await boneAfter(() => selection.slice(0))).toBe(false)
    expect(await boneAfter(() => selection.joint(track.joint + 1))).toBe(true)
    // what is no bone leaves the curves of one
    expect(await boneAfter(() => selection.slice(0))).toBe(true)
    expect(await boneAfter(() => selection.joint(track.joint))).toBe(false)
    expect(await boneAfter(keys.chooseAll)).toBe(false)
    expect(await boneAfter(() => selection.joint(track.joint + 1))).toBe(true)
    expect(await boneAfter(() => selection.clear())).toBe(false)
  })
})

describe('keys that are scaled below one frame each', () => {
  it('are said to give way, and the step is about all of them', async () => {
    const keys = useKeys(pinia)
    const track = keys.tracks.find((t) => t.times.length > 3 && t.limits.timeStep === 1)!
    const [start, end] = [track.times[0], track.times.at(-1)!]
    keys.chooseWithin([track.id], start, end, 'only')
    expect(await keys.stretch(start + 1)).toBe(true)
    const [{ remove, set }] = sent.at(-1)!
    expect(remove!.length + set!.keys.length).toBe(track.times.length)
    expect(useAdjust(pinia).shown?.words).toBe(`${remove!.length} keys gave way to others at the same time`)
    expect(set!.keys).toHaveLength(2)
  })
})
