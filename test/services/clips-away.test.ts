/** A model of hundreds of clips: what crosses with it is the clip that is shown first, the others when they are asked for. */
import { afterEach, describe, expect, it } from 'vitest'
import { encodeMessage } from '../../src/shared/api/wire.ts'
import { applyUpdate } from '../../src/shared/scene/scene-update.ts'
import { MANY_CLIPS, manyClips } from '../support/many-clips.ts'
import { sampleFiles } from '../support/sample.ts'
import { openGame, serviceBenches } from '../support/service-bench.ts'

const begin = serviceBenches(afterEach)

describe('clips of many keys', () => {
  it('stay with the services until they are shown', { timeout: 60_000 }, async () => {
    const bench = begin({ files: manyClips(sampleFiles()) })
    const { call } = bench
    const { info, scene } = await openGame(bench, 'adventurer.dff')
    const model = info.id
    expect(scene.clips).toHaveLength(MANY_CLIPS)
    expect(encodeMessage({ info, scene }).length).toBeLessThan(1_000_000)
    expect(scene.clips[0]).not.toHaveProperty('away')
    expect(scene.clips[0].tracks.length).toBeGreaterThan(0)
    // name, length and rate of the others are there
    const last = scene.clips.at(-1)!
    expect(last).toMatchObject({
      away: true,
      tracks: [],
      name: `clip_${MANY_CLIPS - 1}`,
      rate: scene.clips[0].rate,
      end: scene.clips[0].end,
    })
    const { revision, clip } = await call('model.clip', { model, clip: MANY_CLIPS - 1 })
    expect(revision).toBe(info.revision)
    expect(clip).toEqual({ ...last, away: undefined, tracks: clip.tracks })
    expect(clip.tracks).toHaveLength(scene.clips[0].tracks.length)
    // the clip that a window shows comes with the scene when it comes anew
    const { scene: anew } = await call('model.scene', { model, clip: MANY_CLIPS - 1 })
    expect(anew.clips.at(-1)).toEqual(clip)

    // an edit of a clip whose tracks never came sends them, and leaves the others where they are
    const [track] = await call('clips.tracks', { model, clip: MANY_CLIPS - 2 })
    const edited = await call('clips.editKeys', {
      model,
      label: 'Turn',
      edits: [{ track: track.id, set: { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values: Float32Array.of(0, 0, 1, 0) } }],
    })
    const now = applyUpdate(edited.scene, scene)!
    expect(now.clips.at(-2)).toEqual((await call('model.clip', { model, clip: MANY_CLIPS - 2 })).clip)
    expect(now.clips.at(-1)).toEqual(last)
    // what changed is said with its bone, also where the window has no tracks
    const [file] = await call('model.changes', { model })
    const joint = now.clips.at(-2)!.tracks[0].target
    expect(file.nodes.map((node) => node.bone).filter(Boolean)).toEqual([joint.kind === 'joint' ? scene.skeleton.names[joint.index] : ''])
    await expect(call('model.clip', { model, clip: MANY_CLIPS })).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})
