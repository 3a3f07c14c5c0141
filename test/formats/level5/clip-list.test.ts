/** Motions of a track by their windows: numbers stay, new ones come last with their frames behind all others. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { motFormat } from '../../../src/main/formats/level5/codecs/mot.ts'
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

function open(script = dc1Text): MemoryModel {
  const all = { 'hero.mds': mdsBytes(NODES), 'hero.mot': MOT, 'info.cfg': latin(script) }
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
