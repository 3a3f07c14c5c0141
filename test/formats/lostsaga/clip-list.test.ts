/** Animations of Lost Saga as files: every edit by the bytes that it writes, in files with junk, odd orders and a model text that names them. */
import { describe, expect, it } from 'vitest'
import { ani } from '../../../src/main/formats/lostsaga/codecs/ani.ts'
import { lostsaga } from '../../../src/main/formats/lostsaga/family.ts'
import { memoryModel } from '../../support/edit-session.ts'
import { aniBytes, Bytes, HAN, MODEL_TEXT, mshBytes, sklBytes, text } from '../../fixtures/lostsaga/build.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import type { AniOptions } from '../../fixtures/lostsaga/build.ts'
import type { ModelMember } from '../../../src/main/formats/binding.ts'
import type { FileFormat } from '../../../src/main/formats/format.ts'
import type { MemoryModel } from '../../support/edit-session.ts'

const list = lostsaga.editor.clips!.list!
const WALK = 'r/animation/walk.ani'
const RUN = 'r/animation/run.ANI'
const TEXT = 'r/model/hero.txt'
/** bits of a number that is none, which an event of the fixture has for its time */
const SIGNALLING = [1, 0, 0xa0, 0x7f]
const CODINGS = [4000, 4001, 4002] as const

/** Keys before and behind the ranges that are cut, in no order, and a bone that the skeleton has and the other clip does not. */
const runBytes = (): Uint8Array => {
  const b = new Bytes().ascii('ANI\0').i32(4000, 1)
  b.string('hit').string('').f32(50)
  b.i32(80, 2)
  b.string('BIP01').f32(0.5).i32(2)
  b.f32(0, 0, 1, 0, 7, 8, 9).i32(60).f32(0, 1, 0, 0, 4, 5, 6).i32(20)
  b.string(HAN).f32(1).i32(1)
  b.f32(1, 0, 0, 0, 1, 2, 3).i32(0)
  return b.raw([9, 9]).done()
}

function open(walk: AniOptions = {}, words = MODEL_TEXT): MemoryModel {
  const bytes: Record<string, Uint8Array> = {
    'r/mesh/hero.msh': mshBytes(),
    'r/skeleton/normal.skl': sklBytes(),
    [WALK]: aniBytes({ trailing: [1, 2, 3], ...walk }),
    [RUN]: runBytes(),
    [TEXT]: text(words),
  }
  const roles: Record<string, string> = {
    'r/mesh/hero.msh': 'mesh',
    'r/skeleton/normal.skl': 'skeleton',
    [WALK]: 'animation',
    [RUN]: 'animation',
    [TEXT]: 'model',
  }
  const files = Object.fromEntries(
    Object.entries(bytes).map(([ref, body]): [string, { format: FileFormat; bytes: Uint8Array }] => [
      ref,
      { format: identify(body.subarray(0, 4096), ref, body.length)!.format!, bytes: body },
    ]),
  )
  const members = Object.entries(roles).map(([ref, role]): ModelMember => ({ role, ref, why: 'name', detail: '' }))
  return memoryModel(lostsaga, { family: 'lostsaga', name: 'hero', primary: TEXT, members }, files)
}

const names = (model: MemoryModel): string[] => list.list(model).map(({ name }) => name)
const refused = (edit: () => unknown): string => {
  try {
    edit()
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid-edit' })
    return (error as Error).message
  }
  throw new Error('was not refused')
}
/** What the fixture's text says with another line in the place of `walk`. */
const listing = (line: string[], words = MODEL_TEXT): Uint8Array =>
  text(
    words
      .split('\r\n')
      .flatMap((each) => (each === 'walk' ? line : [each]))
      .join('\r\n'),
  )

describe('clips that are files', () => {
  it('have the names of their files as they are spelled, and no order', () => {
    const model = open()
    expect(names(model)).toEqual(['walk', 'run'])
    expect(list.list(model)[0]).toMatchObject({ ref: WALK, path: '', refused: { move: expect.any(String), moveTo: expect.any(String) } })
    expect(list.limits(model)).toEqual({ nameBytes: 200, files: [] })
    expect(refused(() => list.move(model, 0, 1))).toContain('no order')
    expect(refused(() => list.moveTo(model, 0, RUN))).toContain('file of its own')
  })

  it.each(CODINGS)('are copied byte for byte, beside the one that they are made of (%i)', (coding) => {
    const model = open({ coding })
    expect(list.duplicate(model, 0, 'Walk two')).toEqual([])
    expect(list.duplicate(model, 1, 'run2')).toEqual([])
    model.settle()
    expect(names(model)).toEqual(['walk', 'run', 'Walk two', 'run2'])
    expect(model.bytes('r/animation/Walk two.ani')).toEqual(aniBytes({ coding, trailing: [1, 2, 3] }))
    // the spelling of the neighbour's ending is kept
    expect(model.bytes('r/animation/run2.ANI')).toEqual(runBytes())
    expect(model.bytes(WALK)).toEqual(aniBytes({ coding, trailing: [1, 2, 3] }))
  })

  it('that are cut keep the words of keys within, and get a pose at an end between two keys', () => {
    const model = open()
    list.add(model, 'part', { clip: 0, start: 25, end: 60 })
    const half = [0.05, 0, 0, 1].map((v) => v / Math.hypot(0.05, 1))
    const [from, to] = [Math.fround(0.1), Math.fround(0.2)]
    const third = from * (2 / 3) + to / 3
    const b = new Bytes().ascii('ANI\0').i32(4000, 1)
    b.string(HAN).string('').raw(SIGNALLING)
    b.i32(35, 3)
    b.string('Bip01').f32(1).i32(3)
    b.f32(...half, 0.5, 80.5, -0.5).i32(0)
    b.f32(0.1, 0, 0, 1, 1, 81, -1).i32(15)
    b.f32(third / Math.hypot(third, 1), 0, 0, 1 / Math.hypot(third, 1), 1 + 1 / 3, 81 + 1 / 3, -1 - 1 / 3).i32(35)
    b.string('Bip01 Nobody').f32(1).i32(2)
    const at = (time: number): number[] => {
      const x = (Math.fround(0.1) * time) / 120
      return [x / Math.hypot(x, 1), 0, 0, 1 / Math.hypot(x, 1), time / 120, 80 + time / 120, -time / 120]
    }
    b.f32(...at(25)).i32(0)
    b.f32(...at(60)).i32(35)
    b.string('Bip01 Spine').f32(1).i32(0)
    const made = ani.decode(model.bytes('r/animation/part.ani'), 'part')
    const expected = ani.decode(b.raw([1, 2, 3]).done(), 'part')
    expect(made.events).toEqual(expected.events)
    expect([made.totalTime, made.trailing]).toEqual([35, Uint8Array.of(1, 2, 3)])
    for (const [i, { bone, weight, floats, words }] of expected.tracks.entries()) {
      expect([made.tracks[i].bone.text, made.tracks[i].weight[0], made.tracks[i].words.length]).toEqual([
        bone.text,
        weight[0],
        words.length,
      ])
      floats.forEach((value, k) => expect(made.tracks[i].floats[k], `${bone.text} ${k}`).toBeCloseTo(value, 5))
      for (let k = 7; k < words.length; k += 8) expect(made.tracks[i].words[k]).toBe(words[k])
    }
    // a key that stands in the range is word for word what it was
    expect(made.tracks[0].words.slice(8, 15)).toEqual(expected.tracks[0].words.slice(8, 15))
  })

  it('begin with one pose of another one where that is asked', () => {
    const model = open()
    list.add(model, 'pose', { clip: 1, start: 20, end: 20 })
    const b = new Bytes().ascii('ANI\0').i32(4000, 0, 0, 2)
    b.string('BIP01').f32(0.5).i32(1)
    b.f32(0, 1, 0, 0, 4, 5, 6).i32(0)
    b.string(HAN).f32(1).i32(1)
    b.f32(1, 0, 0, 0, 1, 2, 3).i32(0)
    expect(model.bytes('r/animation/pose.ANI')).toEqual(b.raw([9, 9]).done())
    expect(refused(() => list.add(model, 'x', { clip: 1, start: 0, end: 500 }))).toContain('not within')
    expect(refused(() => list.add(model, 'x', { clip: 1, start: 0.5, end: 20 }))).toContain('whole number')
  })

  it('without movement have every bone at rest, by which the binder knows whose they are', () => {
    const model = open()
    list.add(model, 'still', undefined, 2)
    model.settle()
    const { scene } = model.assembled
    const clip = scene.clips.find(({ name }) => name === 'still')!
    expect(clip).toMatchObject({ end: 2000, fit: { matched: 3, total: 3 } })
    const rest = scene.skeleton.restTranslation
    for (const { target, property, values } of clip.tracks)
      if (property === 'translation') expect([...values]).toEqual([...rest.subarray(3 * target.index, 3 * target.index + 3)])
  })

  it('that get another name are the same bytes elsewhere, and the model text follows', () => {
    const model = open()
    expect(list.rename(model, 0, 'stroll')).toEqual([
      { from: { ref: WALK, path: '' }, to: { ref: 'r/animation/stroll.ani', path: '', name: 'stroll' } },
    ])
    expect(model.document(WALK)).toBeUndefined()
    expect(model.bytes('r/animation/stroll.ani')).toEqual(aniBytes({ trailing: [1, 2, 3] }))
    expect(model.bytes(TEXT)).toEqual(listing(['stroll']))
    // an ending and a comment stay, and only the list of animations is meant
    const spelled = MODEL_TEXT.replace('\r\nwalk\r\n', '\r\n  Walk.ANI\t; first\r\n').replace('x y z', 'walk')
    const other = open({}, spelled)
    list.rename(other, 0, 'stroll')
    expect(other.bytes(TEXT)).toEqual(text(spelled.replace('Walk.ANI', 'stroll.ANI')))
    expect(list.rename(open(), 1, 'run')).toEqual([])
    for (const [name, why] of [
      ['RUN', 'already'],
      ['a/b', 'cannot be a name'],
      ['a.b', 'cannot be a name'],
      ['con', 'cannot be a name'],
      ['a!b', 'cannot be a name'],
      ['', 'cannot be a name'],
      ['Walk', 'same file'],
      ['x'.repeat(201), '201'],
    ])
      expect(
        refused(() => list.rename(open(), 0, name)),
        name,
      ).toContain(why)
  })

  it('that go leave the model text without their line', () => {
    const model = open()
    expect(list.remove(model, 0)).toEqual([{ from: { ref: WALK, path: '' } }])
    expect(model.bytes(TEXT)).toEqual(listing([]))
    model.settle()
    expect(names(model)).toEqual(['run'])
  })

  it('are parted at a time: the pose there is in both, events go with their part', () => {
    const model = open()
    expect(list.split(model, 1, 50, 'run b')).toEqual([
      { from: { ref: RUN, path: '' }, to: { ref: 'r/animation/run b.ANI', path: '', name: 'run b' }, since: 50, by: -50 },
    ])
    const [first, second] = [RUN, 'r/animation/run b.ANI'].map((ref) => ani.decode(model.bytes(ref), ref))
    expect([first.totalTime, second.totalTime]).toEqual([50, 30])
    expect([first.events.length, second.events.map(({ time }) => time[0])]).toEqual([0, [0]])
    const times = (document: typeof first): number[][] =>
      document.tracks.map(({ words }) => Array.from({ length: words.length / 8 }, (_, k) => words[8 * k + 7]))
    expect(times(first)).toEqual([[20, 50], [0]])
    expect(times(second)).toEqual([[0, 10], [0]])
    expect([...first.tracks[0].floats.subarray(8, 15)]).toEqual([...second.tracks[0].floats.subarray(0, 7)])
    expect(refused(() => list.split(open(), 1, 80, 'x'))).toContain('not inside')
  })

  it.each([20, 50, 60])('that were parted are one again, as long as before, with the key that parted them: at %i', (time) => {
    const model = open()
    const before = ani.decode(model.bytes(RUN), RUN)
    list.split(model, 1, time, 'run b')
    model.settle()
    const [first, second] = [names(model).indexOf('run'), names(model).indexOf('run b')]
    expect(list.join(model, first, second)).toMatchObject([{ by: time }])
    const { totalTime, tracks, events } = ani.decode(model.bytes(RUN), RUN)
    expect([totalTime, events.map((event) => event.time[0])]).toEqual([before.totalTime, before.events.map((event) => event.time[0])])
    const timesOf = (i: number): number[] => Array.from({ length: tracks[i].words.length / 8 }, (_, k) => tracks[i].words[8 * k + 7])
    expect(timesOf(0)).toEqual([...new Set([20, time, 60])])
    // a bone that never moves has the key that it had, and no other
    expect(tracks[1].words).toEqual(before.tracks[1].words)
  })

  it('are joined: a bone that one of the two says nothing of is at rest there', () => {
    const model = open()
    const [moved] = list.join(model, 0, 1)
    expect(moved).toEqual({ from: { ref: RUN, path: '' }, to: { ref: WALK, path: '', name: 'walk' }, since: -Infinity, by: 121 })
    expect(model.document(RUN)).toBeUndefined()
    const made = ani.decode(model.bytes(WALK), WALK)
    const keys = (i: number): [number, number[]][] =>
      Array.from({ length: made.tracks[i].words.length / 8 }, (_, k) => [
        made.tracks[i].words[8 * k + 7],
        [...made.tracks[i].floats.subarray(8 * k + 4, 8 * k + 7)],
      ])
    expect(made.tracks.map(({ bone }) => bone.text)).toEqual(['Bip01', 'Bip01 Nobody', 'Bip01 Spine', '한'])
    expect(keys(0)).toEqual([
      [10, [0, 80, -0]],
      [40, [1, 81, -1]],
      [100, [2, 82, -2]],
      [120, [2, 82, -2]],
      [121, [4, 5, 6]],
      [141, [4, 5, 6]],
      [181, [7, 8, 9]],
    ])
    // nobody's bone has no rest
    expect(keys(1).map(([time]) => time)).toEqual([0, 120])
    expect(keys(2)).toEqual([[121, [0, 0, 0]]])
    expect(keys(3)).toEqual([
      [0, [0, 20, 3]],
      [120, [0, 20, 3]],
      [121, [1, 2, 3]],
    ])
    expect([made.totalTime, made.events.map(({ time }) => time[0]).slice(2)]).toEqual([201, [171]])
    expect(refused(() => list.join(open(), 1, 1))).toContain('itself')
    expect(refused(() => list.join(open({ coding: 4002 }), 0, 1))).toContain('coded')
  })

  it('are taken from other files that move the bones of this skeleton', () => {
    const model = open()
    const bytes = aniBytes({ coding: 4001 })
    expect(list.merge(model, ani.decode(bytes, 'C:\\other\\jump.ani'))).toEqual([])
    expect(model.bytes('r/animation/jump.ani')).toEqual(bytes)
    expect(refused(() => list.merge(model, ani.decode(bytes, 'x/walk.ani')))).toContain('already')
    expect(refused(() => list.merge(model, ani.decode(bytes, 'x/jog.ani'), 'other'))).toContain('no clip "other"')
    const strange = new Bytes().ascii('ANI\0').i32(4000, 0, 10, 1).string('Tail').f32(1).i32(0).done()
    expect(refused(() => list.merge(model, ani.decode(strange, 'x/wag.ani')))).toContain('other bones')
  })
})
