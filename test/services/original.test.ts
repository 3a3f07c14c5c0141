/** What a model was before anybody edited it: shown beside what it is now, in every family, also after a save. */
import { afterEach, describe, expect, it } from 'vitest'
import { openGame, sampleTree, serviceBenches } from '../support/service-bench.ts'

const SAMPLE = sampleTree()
const begin = serviceBenches(afterEach)

const MODELS = [
  ['renderware', 'San Andreas', 'models/peds/adventurer.dff'],
  ['w3d', 'Zero Hour', 'Art/W3D/WALKER_SKN.W3D'],
  ['level5', 'Dark Cloud 2', 'adventurer/adventurer.mds'],
  ['lostsaga', 'Lost Saga', 'resource/skeleton/adventurer.skl'],
] as const

describe.each(MODELS)('the original of a model of %s', (_family, folder, file) => {
  it('is the scene before its edits, saved or not', async () => {
    const files = Object.fromEntries(
      Object.entries(SAMPLE).flatMap(([path, bytes]) => (path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), bytes]] : [])),
    )
    const bench = begin({ files })
    const { info, scene: before } = await openGame(bench, file)
    const { call } = bench
    const tracks = await call('clips.tracks', { model: info.id, clip: 0 })
    const track = tracks.find((t) => t.property === 'rotation' && t.times.length > 2 && !t.limits.readOnly && !t.limits.dense) ?? tracks[0]
    const values = new Float32Array(track.components.length).fill(0.5)
    await call('clips.editKeys', {
      model: info.id,
      label: 'x',
      edits: [{ track: track.id, set: { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values } }],
    })
    const { scene: edited } = await call('model.scene', { model: info.id })
    expect(edited.clips[0]).not.toEqual(before.clips[0])
    expect(await call('model.original', { model: info.id })).toEqual(before)
    await call('save.write', { model: info.id })
    expect(await call('model.original', { model: info.id })).toEqual(before)
    await bench.close()

    const again = begin({ after: bench })
    const later = await openGame(again, file)
    expect(later.scene.clips[0]).not.toEqual(before.clips[0])
    expect(await again.call('model.original', { model: later.info.id })).toEqual(before)
  })
})
