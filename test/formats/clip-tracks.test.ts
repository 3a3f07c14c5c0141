/** Clips whose tracks are made when somebody looks at them. */
import { expect, test } from 'vitest'
import { clipAway, clipOfLater, trackBytes } from '../../src/main/formats/clip-tracks.ts'
import type { Document } from '../../src/main/formats/format.ts'
import { keepNothing } from '../../src/main/formats/kept.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { renderware } from '../../src/main/formats/renderware/family.ts'
import { clipsAway } from '../../src/main/services/clips-away.ts'
import type { Clip, Scene, Track } from '../../src/shared/scene/types.ts'
import { memoryModel } from '../support/edit-session.ts'
import { manyClips } from '../support/many-clips.ts'
import { sampleFiles } from '../support/sample.ts'

const HEAD: Omit<Clip, 'tracks'> = {
  ...{ name: 'walk', start: 0, end: 1, rate: 60, unit: 'frame', loop: 'wrap', fit: { matched: 1, total: 1 }, events: [] },
  source: { ref: 'x', path: '' },
}

function later(bytes = 20): { clip: Clip; document: Document; state: { of: string; times: number } } {
  const document = {} as Document
  const state = { of: 'as read', times: 0 }
  const make = (): Track[] => {
    state.times++
    return [{ label: state.of } as Track]
  }
  return { clip: clipOfLater(document, HEAD, { tracks: 1, bytes }, make), document, state }
}

test('are made once, of the document as it was read, however it is changed', () => {
  const { clip, document, state } = later()
  expect(trackBytes(clip)).toBe(220)
  expect(clipAway(clip)).toEqual({ ...HEAD, tracks: [], away: true })
  expect(state.times).toBe(0)
  keepNothing(document)
  state.of = 'changed'
  expect(clip.tracks).toEqual([{ label: 'as read' }])
  expect({ ...clip }).toEqual({ ...HEAD, tracks: [{ label: 'as read' }] })
  expect(state.times).toBe(1)
})

test('are not made to leave them behind', () => {
  const [shown, left] = [later(), later(1e6)]
  const { clips } = clipsAway({ slices: [], clips: [shown.clip, left.clip] } as unknown as Scene, 0)
  expect(clips).toEqual([
    { ...HEAD, tracks: [{ label: 'as read' }] },
    { ...HEAD, tracks: [], away: true },
  ])
  expect(left.state.times).toBe(0)
})

test('of an animation package are those that are sent, and an edit leaves the scene before it as it was', () => {
  const files = manyClips(sampleFiles(), 40)
  const model = memoryModel(
    renderware,
    {
      ...{ family: 'renderware', name: 'adventurer', primary: 'adventurer.dff' },
      members: ['adventurer.dff', 'adventurer.ifp'].map((ref) => ({ role: 'x', ref, why: 'name', detail: '' })),
    },
    {
      'adventurer.dff': { format: dffFormat, bytes: files['adventurer.dff'] },
      'adventurer.ifp': { format: ifpFormat, bytes: files['adventurer.ifp'] },
    },
  )
  const { scene } = model.assembled
  const sent = clipsAway(scene)
  expect(sent.clips.filter(({ away }) => away).length).toBeGreaterThan(10)
  // those that stay behind are told of without their tracks, in the same words
  for (const [i, clip] of scene.clips.entries()) {
    const told = trackBytes(clip)
    const made = { ...clip }
    expect(told).toBe(trackBytes(made))
    expect(sent.clips[i]).toEqual(sent.clips[i].away ? clipAway(made) : made)
  }

  const again = memoryModel(renderware, model.binding, {
    'adventurer.dff': { format: dffFormat, bytes: files['adventurer.dff'] },
    'adventurer.ifp': { format: ifpFormat, bytes: files['adventurer.ifp'] },
  })
  const before = again.assembled.scene.clips[3]
  const [track] = renderware.editor.clips!.tracks(again, 3).filter(({ property }) => property === 'rotation')
  const set = { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values: Float32Array.of(0, 0, 1, 0) }
  renderware.editor.clips!.editKeys(again, [{ track: track.id, set }])
  again.settle()
  expect(before.tracks).toEqual(scene.clips[3].tracks)
  expect(again.assembled.scene.clips[3].tracks).not.toEqual(before.tracks)
})
