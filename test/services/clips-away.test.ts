/** A model of hundreds of clips: what crosses with it is the clip that is shown first, the others when they are asked for. */
import { afterEach, describe, expect, it } from 'vitest'
import { encodeMessage } from '../../src/shared/api/wire.ts'
import { applyUpdate } from '../../src/shared/scene/scene-update.ts'
import { manyClips } from '../support/many-clips.ts'
import { sampleFiles } from '../support/sample.ts'
import { openGame, serviceBenches } from '../support/service-bench.ts'

const begin = serviceBenches(afterEach)
/** more than go along with their model */
const COUNT = 80

describe('clips of many keys', () => {
  it('stay with the services until they are shown', async () => {
    const bench = begin({ files: manyClips(sampleFiles(), COUNT) })
    const { call } = bench
    const { info, scene } = await openGame(bench, 'adventurer.dff')
    const model = info.id
    expect(scene.clips).toHaveLength(COUNT)
    expect(encodeMessage({ info, scene }).length).toBeLessThan(900_000)
    expect(scene.clips[0]).not.toHaveProperty('away')
    expect(scene.clips[0].tracks.length).toBeGreaterThan(0)
    // name, length and rate of the others are there
    const last = scene.clips.at(-1)!
    expect(last).toMatchObject({
      away: true,
      tracks: [],
      name: `clip_${COUNT - 1}`,
      rate: scene.clips[0].rate,
      end: scene.clips[0].end,
    })
    const { revision, clip } = await call('model.clip', { model, clip: COUNT - 1 })
    expect(revision).toBe(info.revision)
    expect(clip).toEqual({ ...last, away: undefined, tracks: clip.tracks })
    expect(clip.tracks).toHaveLength(scene.clips[0].tracks.length)
    // the clip that a window shows comes with the scene when it comes anew
    const { scene: anew } = await call('model.scene', { model, clip: COUNT - 1 })
    expect(anew.clips.at(-1)).toEqual(clip)

    // an edit sends the key that changed, to a clip that is there; one that is away stays so
    const turn = async (index: number) => {
      const [track] = await call('clips.tracks', { model, clip: index })
      const set = { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values: Float32Array.of(0, 0, 1, 0) }
      return call('clips.editKeys', { model, label: 'Turn', edits: [{ track: track.id, set }] })
    }
    const whole = async (index: number) => (await call('model.clip', { model, clip: index })).clip
    const first = await turn(0)
    expect(encodeMessage(first.scene.clips).length).toBeLessThan(1000)
    const turned = applyUpdate(first.scene, scene)!
    expect(turned.clips[0]).toEqual(await whole(0))
    const other = COUNT - 2
    const before = await whole(other)
    const edited = await turn(other)
    expect(applyUpdate(edited.scene, turned)!.clips).toEqual(turned.clips)
    const now = applyUpdate(edited.scene, { ...turned, clips: turned.clips.with(other, before) })!
    expect(now.clips[other]).toEqual(await whole(other))
    expect(now.clips[other]).not.toEqual(before)
    // what changed is said with its bone, also where the window has no tracks
    const [file] = await call('model.changes', { model })
    const joint = clip.tracks[0].target
    const bone = joint.kind === 'joint' ? scene.skeleton.names[joint.index] : ''
    expect(file.nodes.map((node) => node.bone).filter(Boolean)).toEqual([bone, bone])
    await expect(call('model.clip', { model, clip: COUNT })).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})
