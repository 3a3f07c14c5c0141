/** Animations of W3D files as a whole: every edit by the bytes that it changes, in files with junk, unknown chunks and odd orders. */
import { describe, expect, it } from 'vitest'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { createPose, sampleClip } from '../../../src/shared/scene/pose.ts'
import { memoryModel } from '../../support/edit-session.ts'
import {
  adaptive,
  animation,
  bitChannel,
  cat,
  channel,
  chunk,
  compressed,
  f32,
  hierarchy,
  motionDeltas,
  motionKeys,
  timeCoded,
  u16,
  u32,
  u8,
} from '../../fixtures/w3d/chunks.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import { junk } from '../../support/hostile.ts'
import type { ModelMember } from '../../../src/main/formats/binding.ts'
import type { MemoryModel } from '../../support/edit-session.ts'

const list = w3d.editor.clips!.list!
const SKL = hierarchy(undefined, { name: 'WALKER_SKL' })

function open(files: Record<string, Uint8Array>): MemoryModel {
  const all: Record<string, Uint8Array> = { 'a_skl.w3d': SKL, ...files }
  const binding = w3d.bind('', memoryLibrary(all)).find((b) => b.primary === 'a_skl.w3d')!
  return memoryModel(w3d, binding, Object.fromEntries(Object.entries(all).map(([ref, bytes]) => [ref, { format: w3dFile, bytes }])))
}

/** Raw channels with junk in their pads and behind their values. */
const walk = (name = 'WALK', channels = RAW): Uint8Array => animation(name, 'WALKER_SKL', 4, channels)
const RAW = [
  channel(1, 0, 0, [0, 1, 2, 3], 1, junk(12)),
  channel(1, 6, 1, [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2], 4, junk(9)),
  bitChannel(3, 0, [1, 0, 0, 1]),
  chunk(0x2ff, false, junk(7)),
]
const DELTAS = Array.from({ length: 16 }, (_, i) => (i % 16) - 8)
const RUN = [
  timeCoded(1, 0, [
    { time: 0, value: [1] },
    { time: 10, value: [2], step: true },
    { time: 32, value: [3] },
  ]),
  timeCoded(2, 6, [
    { time: 0, value: [0, 0, 0, 1] },
    { time: 32, value: [0, 0, 1, 0] },
  ]),
  chunk(0x283, false, u32(2), u16(3), u8(0, 1), u32(0, 0x80000005)),
  motionKeys(2, 1, [0, 4, 32], [1, 2, 3]),
  motionDeltas(2, 2, 4, 33, 0.5, [1], [[[16, ...DELTAS]], [[20, ...DELTAS.map((d) => -1 - d)]]]),
]
const run = (name = 'RUN', channels = RUN): Uint8Array => compressed(name, 'WALKER_SKL', 33, 0, channels)
const idle = (name = 'IDLE'): Uint8Array =>
  compressed(name, 'WALKER_SKL', 33, 1, [adaptive(1, 2, 33, 2, [0.5], [[[16, ...DELTAS]], [[17, ...DELTAS]]])])
const ODD = cat(chunk(0x12345678, false, junk(11)), walk(), chunk(0x4324, true, junk(13)), run(), idle(), junk(5))
/** A clip with another name in its header, whose junk behind it stays. */
const called = (name: string, clip: Uint8Array): Uint8Array => {
  const out = clip.slice()
  out.fill(0, 20, 20 + Math.max(out.subarray(20).indexOf(0), name.length + 1))
  out.set(new TextEncoder().encode(name), 20)
  return out
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
const file = (model: MemoryModel): Uint8Array => model.bytes('walk.w3d')
/** What lint has to say of where clips stand. */
const unfound = (model: MemoryModel): string[] => {
  const refs = model.binding.members.map(({ ref }) => ref)
  const library = memoryLibrary(Object.fromEntries(refs.map((ref) => [ref, model.bytes(ref)])))
  return refs.filter((ref) =>
    w3d.lint(library.load(ref)!, { around: library, load: library.load }).some(({ code }) => code === 'w3d.clip-file'),
  )
}
/** What the joints do in each frame of a clip. */
const played = (model: MemoryModel, clip: number, from: number, to: number): number[][] => {
  const { scene } = model.assembled
  const pose = createPose(scene)
  return Array.from({ length: to - from + 1 }, (_, i) => {
    sampleClip(scene, scene.clips[clip], from + i, pose)
    return Array.from(pose.local, (v) => Number(v.toFixed(4)) + 0)
  })
}

/** The same between the frames. */
const fractions = (model: MemoryModel, clip: number): number[] => {
  const { scene } = model.assembled
  const pose = createPose(scene)
  return Array.from({ length: 97 }, (_, i) => {
    sampleClip(scene, scene.clips[clip], i / 3, pose)
    return Array.from(pose.local)
  }).flat()
}

describe('clips of W3D files', () => {
  it('are listed in file order', () => {
    const model = open({ 'walk.w3d': ODD })
    expect(list.list(model).map(({ name, start, end, path }) => [name, start, end, path])).toEqual([
      ['WALK', 0, 3, 'animation[0]'],
      ['RUN', 0, 32, 'compressedAnimation[0]'],
      ['IDLE', 0, 32, 'compressedAnimation[1]'],
    ])
    expect(list.limits(model)).toEqual({ nameBytes: 15, files: ['a_skl.w3d', 'walk.w3d'] })
    // where there are clips alone the game finds one by the file's name
    expect(list.limits(open({ 'walk.w3d': cat(walk(), run()) })).files).toEqual(['a_skl.w3d'])
  })

  it.each([
    ['raw', 0, walk],
    ['time-coded, motion', 1, run],
    ['adaptive', 2, idle],
  ] as const)('are copied in their coding, into a file of their name: %s', (_, clip, made) => {
    const model = open({ 'walk.w3d': ODD })
    list.duplicate(model, clip, 'COPY')
    expect(file(model)).toEqual(ODD)
    expect(model.bytes('COPY.w3d')).toEqual(called('COPY', made()))
    expect(unfound(model)).toEqual([])
    model.settle()
    const last = model.assembled.scene.clips.length - 1
    expect(played(model, last, 0, 3)).toEqual(played(model, clip, 0, 3))
  })

  it.each([
    [
      'motion',
      1,
      (values: number[]) =>
        run('RUN', [...RUN.slice(0, 4), chunk(0x284, false, u8(0, 0, 1, 2), u16(33, 2), u16(...values.keys()), u8(0, 0), f32(...values))]),
    ],
    [
      'adaptive',
      2,
      (values: number[]) =>
        compressed('IDLE', 'WALKER_SKL', 33, 0, [
          timeCoded(
            1,
            2,
            values.map((value, time) => ({ time, value: [value] })),
          ),
        ]),
    ],
  ] as const)('are stored plain with the bits of every frame, each of which is for itself then: %s', (_, clip, made) => {
    const model = open({ 'walk.w3d': ODD })
    const track = () => w3d.editor.clips!.tracks(model, clip).at(-1)!
    const before = track()
    const shown = fractions(model, clip)
    const parts = [walk(), run(), idle()]
    const expected = parts.with(clip, made(Array.from(before.values)))
    expect(list.list(model).map(({ packed }) => packed?.tracks)).toEqual([undefined, 1, 1])
    expect(list.list(model)[clip].packed?.adds).toBe(expected[clip].length - parts[clip].length)
    expect(list.unpack!(model, clip)).toEqual([])
    const whole = (all: readonly Uint8Array[]): Uint8Array =>
      cat(chunk(0x12345678, false, junk(11)), all[0], chunk(0x4324, true, junk(13)), all[1], all[2], junk(5))
    expect(file(model)).toEqual(whole(expected))
    model.settle()
    expect(fractions(model, clip)).toEqual(shown)
    expect(track().values).toEqual(before.values)
    expect(track().limits.spreads).toBeUndefined()
    expect(list.list(model)[clip].packed).toBeUndefined()
    expect(refused(() => list.unpack!(model, clip))).toBe('no channel of the clip is packed as deltas')
    // far beyond what the deltas reached
    const values = before.values.slice()
    values[20] += 500
    w3d.editor.clips!.editKeys(model, [
      { track: track().id, set: { keys: Uint32Array.of(20), times: Float64Array.of(20), values: values.slice(20, 21) } },
    ])
    expect(file(model)).toEqual(whole(parts.with(clip, made(Array.from(values)))))
  })

  it('are not stored plain where other bytes would be read as keys then', () => {
    const odd = compressed('IDLE', 'WALKER_SKL', 17, 1, [adaptive(1, 2, 17, 2, [0.5], [[[16, ...DELTAS]]]), chunk(0x282, false, junk(9))])
    const model = open({ 'walk.w3d': odd })
    expect(refused(() => list.unpack!(model, 0))).toBe('a channel of the clip cannot be read, and would be taken for another one')
    expect(file(model)).toEqual(odd)
  })

  it('get another name, are taken away and put in order, whole chunks each', () => {
    const model = open({ 'walk.w3d': ODD })
    list.rename(model, 1, 'RUNA')
    expect(file(model)).toEqual(
      cat(chunk(0x12345678, false, junk(11)), walk(), chunk(0x4324, true, junk(13)), called('RUNA', run()), idle(), junk(5)),
    )
    model.settle()
    expect(list.move(model, 2, 0)).toEqual([
      { from: { ref: 'walk.w3d', path: 'compressedAnimation[0]' }, to: { ref: 'walk.w3d', path: 'compressedAnimation[1]', name: 'RUNA' } },
      { from: { ref: 'walk.w3d', path: 'compressedAnimation[1]' }, to: { ref: 'walk.w3d', path: 'compressedAnimation[0]', name: 'IDLE' } },
    ])
    expect(file(model)).toEqual(
      cat(chunk(0x12345678, false, junk(11)), idle(), walk(), chunk(0x4324, true, junk(13)), called('RUNA', run()), junk(5)),
    )
    model.settle()
    expect(list.remove(model, 0)).toEqual([
      { from: { ref: 'walk.w3d', path: 'compressedAnimation[0]' } },
      { from: { ref: 'walk.w3d', path: 'compressedAnimation[1]' }, to: { ref: 'walk.w3d', path: 'compressedAnimation[0]', name: 'RUNA' } },
    ])
    expect(file(model)).toEqual(
      cat(chunk(0x12345678, false, junk(11)), walk(), chunk(0x4324, true, junk(13)), called('RUNA', run()), junk(5)),
    )
  })

  it('begin with a header for the skeleton alone', () => {
    const model = open({ 'walk.w3d': ODD })
    list.add(model, 'NEW')
    expect(file(model)).toEqual(ODD)
    const made = model.bytes('NEW.w3d')
    expect([made.length, w3dFile.summarize(w3dFile.decode(made, 'NEW.w3d')).provides]).toEqual([
      8 + 8 + 44,
      expect.arrayContaining(['w3d.animation-of:WALKER_SKL']),
    ])
    expect(unfound(model)).toEqual([])
    model.settle()
    expect(list.list(model).at(-1)).toMatchObject({ name: 'NEW', start: 0, end: 29, rate: 30 })
  })

  it('begin with a range: keys keep their bits, the poses of both ends are there', () => {
    const model = open({ 'walk.w3d': ODD })
    list.add(model, 'PART', { clip: 0, start: 1, end: 2 })
    const raw = animation('WALK', 'WALKER_SKL', 2, [
      channel(1, 0, 0, [1, 2], 1, junk(12)),
      channel(1, 6, 0, [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2], 4, junk(9)),
      bitChannel(3, 0, [0, 0]),
      chunk(0x2ff, false, junk(7)),
    ])
    // bits behind the last frame are nobody's, and stay
    raw[raw.length - 16] = 8
    expect(file(model)).toEqual(ODD)
    expect(model.bytes('PART.w3d')).toEqual(called('PART', raw))
    const other = open({ 'walk.w3d': ODD })
    list.add(other, 'PART', { clip: 1, start: 16, end: 32 })
    other.settle()
    const last = other.assembled.scene.clips.length - 1
    // deltas from a multiple of 16 on come out bit for bit
    expect(played(other, last, 0, 16)).toEqual(played(other, 1, 16, 32))
    list.add(other, 'POSE', { clip: 1, start: 5, end: 5 })
    other.settle()
    expect(played(other, last + 1, 0, 0)).toEqual(played(other, 1, 5, 5))
    expect(other.assembled.scene.clips[last + 1].end).toBe(0)
  })

  it.each([
    ['raw', 0, 2],
    ['time-coded, motion', 1, 16],
    ['adaptive', 2, 16],
  ] as const)('are parted, and joined to what they were: %s', (_, clip, at) => {
    const model = open({ 'walk.w3d': ODD })
    const end = model.assembled.scene.clips[clip].end
    const whole = played(model, clip, 0, end)
    expect(list.split(model, clip, at, 'REST')).toMatchObject([{ to: { name: 'REST' }, since: at, by: -at }])
    model.settle()
    const last = model.assembled.scene.clips.findIndex(({ name }) => name === 'REST')
    const first = model.assembled.scene.clips.findIndex(
      ({ source }) => source.path === ['animation[0]', 'compressedAnimation[0]', 'compressedAnimation[1]'][clip],
    )
    expect(played(model, first, 0, at)).toEqual(whole.slice(0, at + 1))
    expect(played(model, last, 0, end - at)).toEqual(whole.slice(at))
    list.join(model, first, last)
    model.settle()
    expect(model.assembled.scene.clips[clip].end).toBe(end)
    const again = played(model, clip, 0, end)
    again.forEach((frame, f) => frame.forEach((value, i) => expect(value, `frame ${f}`).toBeCloseTo(whole[f][i], 2)))
    expect(model.assembled.scene.clips).toHaveLength(3)
  })

  it('with channels of their own are joined a frame apart, at rest where they say nothing', () => {
    const other = animation('B', 'WALKER_SKL', 2, [channel(2, 1, 0, [5, 6]), bitChannel(1, 0, [0, 1])])
    const model = open({ 'walk.w3d': cat(walk(), other) })
    const [a, b] = [played(model, 0, 0, 3), played(model, 1, 0, 1)]
    list.join(model, 0, 1)
    model.settle()
    const { clips } = model.assembled.scene
    expect(clips.map(({ name, end }) => [name, end])).toEqual([['WALK', 5]])
    const joined = played(model, 0, 0, 5)
    expect(joined.slice(0, 4)).toEqual(a)
    expect(joined.slice(4)).toEqual(b)
  })

  it('of another file come in as they stand there, if they are for this skeleton', () => {
    const model = open({ 'walk.w3d': ODD })
    const other = w3dFile.decode(cat(run('JUMP'), idle('FLY')), 'x/other.w3d')
    list.merge(model, other, 'FLY')
    expect(file(model)).toEqual(ODD)
    expect(model.bytes('FLY.w3d')).toEqual(idle('FLY'))
    const both = open({ 'walk.w3d': ODD })
    list.merge(both, other)
    expect([both.bytes('JUMP.w3d'), both.bytes('FLY.w3d')]).toEqual([run('JUMP'), idle('FLY')])
    expect(unfound(both)).toEqual([])
    const foreign = w3dFile.decode(animation('HOP', 'FROG_SKL', 4, RAW), 'x/hop.w3d')
    expect(refused(() => list.merge(open({ 'walk.w3d': ODD }), foreign))).toContain('FROG_SKL')
    expect(refused(() => list.merge(open({ 'walk.w3d': ODD }), w3dFile.decode(walk('run'), 'x.w3d')))).toContain('"RUN"')
  })

  it('move into another file of the model', () => {
    const model = open({ 'walk.w3d': ODD })
    const [place] = list.moveTo(model, 0, 'a_skl.w3d')
    expect(place).toMatchObject({
      from: { ref: 'walk.w3d', path: 'animation[0]' },
      to: { ref: 'a_skl.w3d', path: 'animation[0]', name: 'WALK' },
    })
    expect(model.bytes('a_skl.w3d')).toEqual(cat(SKL, walk()))
    expect(file(model)).toEqual(cat(chunk(0x12345678, false, junk(11)), chunk(0x4324, true, junk(13)), run(), idle(), junk(5)))
  })

  it('that have a file to themselves take it along: to another name, away, behind another clip', () => {
    const alone = cat(walk(), junk(5))
    const model = open({ 'walk.w3d': alone })
    expect(list.list(model)[0].refused).toEqual({ move: expect.stringContaining('no order') })
    expect(list.rename(model, 0, 'STROLL')).toEqual([
      { from: { ref: 'walk.w3d', path: 'animation[0]', name: 'WALK' }, to: { ref: 'STROLL.w3d', path: 'animation[0]', name: 'STROLL' } },
    ])
    expect(model.document('walk.w3d')).toBeUndefined()
    expect(model.bytes('STROLL.w3d')).toEqual(called('STROLL', alone))
    model.settle()
    // the disks of the game tell no case apart
    list.rename(model, 0, 'stroll')
    expect(model.bytes('STROLL.w3d')).toEqual(called('stroll', alone))
    model.settle()
    list.duplicate(model, 0, 'B')
    model.settle()
    const at = (name: string): number => list.list(model).findIndex((clip) => clip.name === name)
    expect(list.join(model, at('stroll'), at('B'))[0]).toMatchObject({ from: { ref: 'B.w3d' }, to: { ref: 'STROLL.w3d' } })
    expect(model.document('B.w3d')).toBeUndefined()
    model.settle()
    expect(list.remove(model, 0)).toEqual([{ from: { ref: 'STROLL.w3d', path: 'animation[0]' } }])
    expect(model.document('STROLL.w3d')).toBeUndefined()
  })

  it('that the game finds by the name of a file with others in it keep their names, and none is put where it is not found', () => {
    const model = open({ 'walk.w3d': cat(walk(), run()), 'odd.w3d': idle() })
    const at = (name: string): number => list.list(model).findIndex((clip) => clip.name === name)
    const [first, second, odd] = ['WALK', 'RUN', 'IDLE'].map((name) => list.list(model)[at(name)])
    expect(first.refused).toEqual({ rename: expect.stringContaining('walk.w3d') })
    expect([second.refused, odd.refused]).toEqual([{}, { move: expect.any(String) }])
    expect(refused(() => list.rename(model, at('WALK'), 'STROLL'))).toContain('walk.w3d')
    expect(refused(() => list.moveTo(model, at('RUN'), 'odd.w3d'))).toContain('would look for RUN')
    expect(model.bytes('walk.w3d')).toEqual(cat(walk(), run()))
    // what is not found by its file's name stays in the file
    list.rename(model, at('RUN'), 'RUNA')
    list.rename(model, at('IDLE'), 'IDLA')
    expect(model.bytes('walk.w3d')).toEqual(cat(walk(), called('RUNA', run())))
    expect(model.bytes('odd.w3d')).toEqual(called('IDLA', idle()))
    // a clip that comes to where its file's name has it found
    model.settle()
    list.rename(model, at('IDLA'), 'ODD')
    expect(model.bytes('odd.w3d')).toEqual(called('ODD', idle()))
  })

  it('of an archive go behind the skeleton there, which the game has read by then, and keep the names of their files', () => {
    const all = { 'x.big!a_skl.w3d': SKL, 'x.big!walk.w3d': walk(), 'x.big!both.w3d': cat(run(), idle()) }
    const members = Object.keys(all).map((ref): ModelMember => ({ role: 'animation', ref, why: 'explicit', detail: '' }))
    const model = memoryModel(
      w3d,
      { family: 'w3d', name: 'a', primary: 'x.big!a_skl.w3d', members },
      Object.fromEntries(Object.entries(all).map(([ref, bytes]) => [ref, { format: w3dFile, bytes }])),
    )
    const at = (name: string): number => list.list(model).findIndex((clip) => clip.name === name)
    expect(refused(() => list.rename(model, at('WALK'), 'STROLL'))).toContain('archive')
    expect(refused(() => list.remove(model, at('WALK')))).toContain('archive')
    list.remove(model, at('IDLE'))
    expect(model.bytes('x.big!both.w3d')).toEqual(run())
    model.settle()
    list.duplicate(model, at('WALK'), 'COPY')
    expect(model.bytes('x.big!a_skl.w3d')).toEqual(cat(SKL, called('COPY', walk())))
    expect(model.bytes('x.big!walk.w3d')).toEqual(walk())
  })

  it('refuse what the format cannot hold, and nothing is changed', () => {
    const model = open({ 'walk.w3d': ODD })
    for (const [name, why] of [
      ['', 'plain ASCII'],
      ['歩く', 'plain ASCII'],
      ['x'.repeat(16), '15'],
      ['idle', '"IDLE"'],
    ] as const) {
      expect(
        refused(() => list.duplicate(model, 0, name)),
        name,
      ).toContain(why)
      expect(
        refused(() => list.add(model, name)),
        name,
      ).toContain(why)
      expect(
        refused(() => list.rename(model, 0, name)),
        name,
      ).toContain(why)
      expect(
        refused(() => list.split(model, 0, 1, name)),
        name,
      ).toContain(why)
    }
    expect(refused(() => list.split(model, 0, 1.5, 'B'))).toContain('whole frames')
    expect(refused(() => list.split(model, 0, 3, 'B'))).toContain('not inside')
    expect(refused(() => list.join(model, 0, 1))).toContain('compressed')
    expect(refused(() => list.add(model, 'B', { clip: 0, start: 2, end: 9 }))).toContain('not within')
    expect(file(model)).toEqual(ODD)
    for (const name of ['a/b', 'A.B', 'con', 'a!b'])
      expect(
        refused(() => list.duplicate(model, 0, name)),
        name,
      ).toContain('file of its name')
    const long = open({ 'walk.w3d': cat(animation('A', 'WALKER_SKL', 40000, RAW), animation('B', 'WALKER_SKL', 40000, RAW)) })
    expect(refused(() => list.join(long, 0, 1))).toContain('65535')
  })
})
