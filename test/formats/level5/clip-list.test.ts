/** Motions of a track by their windows: numbers stay, new ones come last with their frames behind all others. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { motFormat } from '../../../src/main/formats/level5/codecs/mot.ts'
import { KEY_WORDS } from '../../../src/main/formats/level5/codecs/tracks.ts'
import { TRACK_TYPE } from '../../../src/main/formats/level5/codecs/track-types.ts'
import { level5 } from '../../../src/main/formats/level5/family.ts'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { identity, mdsBytes, motTracks, trackListBytes, translation } from '../../fixtures/level5/bytes.ts'
import { openFolder } from '../../fixtures/level5/folder.ts'
import { dc1Text, dc2Text, latin } from '../../fixtures/level5/text.ts'
import { memoryModel } from '../../support/edit-session.ts'
import type { MemoryModel } from '../../support/edit-session.ts'

const list = level5.editor.clips!.list!
const NODES = ['root', 'body', 'arm', 'hand'].map((name, i) => ({ name, parent: i - 1, matrix: i ? translation(0, 5, 0) : identity }))
const MOT = trackListBytes(motTracks)

function open(script = dc1Text, motBytes = MOT): MemoryModel {
  const all = { 'hero.mds': mdsBytes(NODES), 'hero.mot': motBytes, 'info.cfg': latin(script) }
  const folder = openFolder(all)
  const files = Object.entries(all).map(([name, bytes]) => [folder.ref(name), { format: folder.formatOf(folder.ref(name)), bytes }])
  return memoryModel(level5, folder.binding, Object.fromEntries(files))
}
const script = (model: MemoryModel): string => Buffer.from(model.bytes('models/info.cfg')).toString('latin1')
const mot = (model: MemoryModel): Uint8Array => model.bytes('models/hero.mot')
const windows = (model: MemoryModel) => list.list(model).map(({ name, start, end }) => [name, start, end])
const named = (model: MemoryModel, wanted: string) => windows(model).find(([name]) => name === wanted) as [string, number, number]
const frames = (model: MemoryModel, from: number, to: number): number[][] => {
  const { scene } = model.assembled
  const pose = createPose(scene)
  return Array.from({ length: to - from + 1 }, (_, i) => {
    sampleClip(scene, scene.clips[0], from + i, pose)
    return Array.from(pose.local, (v) => Number(v.toFixed(4)) + 0)
  })
}
const refused = (edit: () => unknown): string => {
  try {
    edit()
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid-edit' })
    return (error as Error).message
  }
  throw new Error('was not refused')
}

describe.each([
  ['Dark Cloud 1', dc1Text],
  ['Dark Cloud 2', dc2Text],
])('motions of %s', (_, text) => {
  it('are copied behind all others; the script gets a line, the frames that were there keep their poses', () => {
    const model = open(text)
    const before = windows(model)
    const [, start, end] = before[0] as [string, number, number]
    const last = Math.max(model.assembled.scene.clips[0].end, ...before.map((window) => window[2] as number))
    const poses = frames(model, 1, last)
    const lines = script(model).split('\n')
    list.duplicate(model, 0, 'copy')
    // one line more, the others byte for byte
    const after = script(model).split('\n')
    expect(after).toHaveLength(lines.length + 1)
    const at = after.findIndex((line, i) => line !== lines[i])
    expect(after.toSpliced(at, 1)).toEqual(lines)
    model.settle()
    expect(windows(model).filter(([name]) => name !== 'copy')).toEqual(before)
    expect(named(model, 'copy')).toEqual(['copy', last + 1, last + 1 + end - start])
    expect(frames(model, 1, last)).toEqual(poses)
    expect(frames(model, last + 1, last + 1 + end - start)).toEqual(poses.slice(start - 1, end))
  })

  it('get another name in their line alone; those of the middle leave a placeholder, the last one goes', () => {
    const model = open(text)
    const before = script(model)
    const count = windows(model).length
    list.rename(model, 0, 'other')
    expect(mot(model)).toEqual(MOT)
    expect(
      script(model)
        .split('\n')
        .filter((line, i) => line !== before.split('\n')[i]),
    ).toHaveLength(1)
    model.settle()
    list.remove(model, 0)
    model.settle()
    expect(windows(model)).toHaveLength(count)
    expect(windows(model)[0]).toEqual(['', 0, 0])
    list.remove(model, count - 1)
    model.settle()
    expect(windows(model)).toHaveLength(count - 1)
  })

  it('begin with a pose that is held, or with a range', () => {
    const model = open(text)
    list.add(model, 'still')
    model.settle()
    const [name, start, end] = named(model, 'still')
    expect([name, end - start]).toEqual(['still', 29])
    const held = frames(model, start, end)
    for (const frame of held) expect(frame).toEqual(held[0])
    const [, from] = windows(model)[0] as [string, number, number]
    expect(held[0]).toEqual(frames(model, from, from)[0])
    list.add(model, 'part', { clip: 0, start: from + 1, end: from + 3 })
    model.settle()
    const part = named(model, 'part')
    expect(frames(model, part[1], part[2])).toEqual(frames(model, from + 1, from + 3))
  })

  it('are parted and joined in the script alone', () => {
    const model = open(text)
    const before = script(model)
    const [, start, end] = windows(model)[0] as [string, number, number]
    list.split(model, 0, start + 3, 'rest')
    model.settle()
    expect(windows(model)[0].slice(1)).toEqual([start, start + 3])
    expect(named(model, 'rest')).toEqual(['rest', start + 3, end])
    list.join(
      model,
      0,
      windows(model).findIndex(([name]) => name === 'rest'),
    )
    expect(script(model)).toBe(before)
    expect(mot(model)).toEqual(MOT)
  })

  it('reach over all windows with every track, as the games hold neither first nor last key', () => {
    // a track that holds one value from its last key on, and one that the model has not
    const held: [number, ...number[]][] = [
      [1, 1, 0, 0],
      [40, 1, 0, 0],
    ]
    const own = trackListBytes([...motTracks, { node: 2, type: TRACK_TYPE.visibility, keys: held }])
    const model = open(text, own)
    const covered = (): void => {
      const all = windows(model) as [string, number, number][]
      const used = all.filter(([, start, end]) => end > start)
      const [first, last] = [Math.min(...used.map(([, start]) => start)), Math.max(...used.map(([, , end]) => end))]
      for (const track of motFormat.decode(mot(model), 'm').tracks) {
        if (track.keyCount === 0) continue
        expect(track.keys[0], `${track.node} ${track.type}`).toBeLessThanOrEqual(first)
        expect(track.keys[KEY_WORDS * (track.keyCount - 1)], `${track.node} ${track.type}`).toBeGreaterThanOrEqual(last)
      }
    }
    for (const edit of [
      () => list.add(model, 'still'),
      () => list.duplicate(model, 0, 'copy'),
      () => list.add(model, 'part', { clip: 0, start: windows(model)[0][1] as number, end: (windows(model)[0][1] as number) + 2 }),
      () =>
        list.merge(
          model,
          motFormat.decode(
            trackListBytes([
              {
                node: 3,
                type: TRACK_TYPE.scale,
                keys: [
                  [1, 2, 2, 2],
                  [9, 3, 3, 3],
                ],
              },
            ]),
            'x/grow.mot',
          ),
        ),
    ]) {
      const [poses, last] = [frames(model, 1, 40), windows(model).length]
      const before = motFormat.decode(mot(model), 'm').tracks
      edit()
      model.settle()
      // every key that was there is there, bit for bit, and others stand behind it
      for (const [i, { keys }] of motFormat.decode(mot(model), 'm').tracks.entries())
        if (before[i]) expect(keys.subarray(0, before[i].keys.length), `${i}`).toEqual(before[i].keys)
      expect(windows(model)).toHaveLength(last + 1)
      covered()
      expect(frames(model, 1, 40)).toEqual(poses)
    }
    // what the other file does not move is where it rests
    const [, start, end] = named(model, 'grow')
    const { scene } = model.assembled
    const [rest, pose] = [createPose(scene), createPose(scene)]
    for (const frame of [start, end]) {
      sampleClip(scene, scene.clips[0], frame, pose)
      for (let v = 0; v < 16 * 3; v++) expect(pose.local[v]).toBeCloseTo(rest.local[v], 5)
    }
  })

  it('come from another MOT as it stands; what the script or the game cannot take is refused', () => {
    const model = open(text)
    const other = motFormat.decode(encodeDocument(motFormat, motFormat.decode(MOT, 'x')).bytes.slice(), 'x/jump.mot')
    list.merge(model, other)
    model.settle()
    const [name, start, end] = named(model, 'jump')
    expect([name, end - start]).toEqual(['jump', 39])
    expect(frames(model, start, end)).toEqual(frames(model, 1, 40))
    const fresh = open(text)
    expect(refused(() => list.move(fresh, 0, 1))).toContain('number')
    expect(refused(() => list.moveTo(fresh, 0, 'x'))).toContain('number')
    expect(refused(() => list.duplicate(fresh, 0, '한'))).toBeTruthy()
    expect(refused(() => list.rename(fresh, 0, 'two\nlines'))).toBeTruthy()
    expect(refused(() => list.merge(fresh, fresh.document('models/info.cfg')!))).toContain('no clips')
    expect(mot(fresh)).toEqual(MOT)
    expect(fresh.bytes('models/info.cfg')).toEqual(latin(text))
  })
})
