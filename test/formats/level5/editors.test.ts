import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cfgFormat } from '../../../src/main/formats/level5/codecs/cfg.ts'
import { level5 } from '../../../src/main/formats/level5/family.ts'
import { motFormat } from '../../../src/main/formats/level5/codecs/mot.ts'
import { keyFloats, keyFrames } from '../../../src/main/formats/level5/codecs/tracks.ts'
import { wgtFormat } from '../../../src/main/formats/level5/codecs/wgt.ts'
import { cutWindow, keyAtFrame, pasteWindow } from '../../../src/main/formats/level5/edit/window.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { createPose, sampleClip, updateWorld } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import {
  bbpBytes,
  identity,
  imgBytes,
  mdsBytes,
  mdtBytes,
  motTracks,
  tim2Bytes,
  trackListBytes,
  translation,
} from '../../fixtures/level5/bytes.ts'
import { openFolder } from '../../fixtures/level5/folder.ts'
import { dc1Text, dc2Text, latin } from '../../fixtures/level5/text.ts'
import { changedRanges, memoryModel } from '../../support/edit-session.ts'
import { junk } from '../../support/hostile.ts'
import type { RawTrack } from '../../fixtures/level5/bytes.ts'
import type { MemoryModel } from '../../support/edit-session.ts'
import type { NativeWeights, WeightEdit } from '../../../src/shared/api/types/weights.ts'

const editor = level5.editor
const posed = [
  { name: 'root', parent: -1, matrix: identity },
  { name: 'body', parent: 0, matrix: translation(0, 10, 0), mdt: mdtBytes() },
  { name: 'arm', parent: 1, matrix: translation(0, 5, 0) },
  { name: 'hand', parent: 2, matrix: translation(0, 2, 0) },
]
const wgtTracks: RawTrack[] = [
  { node: 1, target: 0, type: 20, keys: [] },
  {
    node: 1,
    target: 1,
    type: 20,
    keys: [
      [0, 100],
      [1, 60],
    ],
    pad: 0xcd,
  },
  {
    node: 1,
    target: 2,
    type: 20,
    keys: [
      [1, 40],
      [2, 100],
    ],
    pad: 0xcd,
  },
]
const files = {
  'hero.mds': mdsBytes(posed),
  'hero.mot': trackListBytes(motTracks),
  'hero.wgt': trackListBytes(wgtTracks),
  'info.cfg': latin(dc1Text),
  'skin.img': imgBytes('IM2', [['skin', tim2Bytes({ imageType: 5, clutType: 3, colors: 256, image: junk(256), clut: junk(1024, 5) })]]),
}

function open(extra: Record<string, Uint8Array> = {}): MemoryModel {
  const all: Record<string, Uint8Array> = { ...files, ...extra }
  const folder = openFolder(all)
  const list = Object.fromEntries(
    Object.entries(all).map(([name, bytes]) => [folder.ref(name), { format: folder.formatOf(folder.ref(name)), bytes }]),
  )
  return memoryModel(level5, folder.binding, list)
}
const ref = (name: string): string => `models/${name}`
const text = (model: MemoryModel): string => Array.from(model.bytes(ref('info.cfg')), (b) => String.fromCharCode(b)).join('')
const windows = (model: MemoryModel): unknown[] => model.assembled.scene.slices.map((s) => [s.name, s.start, s.end, s.speed])

describe('slices', () => {
  const slices = editor.slices!

  it('says what the script can hold', () => {
    expect(slices.limits(open())).toEqual({ native: true, named: true, nameBytes: 0, integerFrames: true, unit: 'frame', newSpeed: 0.5 })
    expect(slices.limits(open({ 'info.cfg': latin(dc2Text) }))).toMatchObject({ native: true, nameBytes: 31 })
    expect(slices.limits(open({ 'info.cfg': latin('BIN\0\0') })).native).toBe(false)
  })

  it('judges values', () => {
    const check = (values: object, model = open()): string[] =>
      slices.check(model, { name: 'a', start: 1, end: 5, speed: 1, ...values }).map((c) => `${c.severity}: ${c.message}`)
    expect(check({})).toEqual([])
    expect(check({ start: 5, end: 5 })).toEqual([])
    expect(check({ end: 0 })).toEqual(['error: the end is before the start'])
    expect(check({ end: 41 })).toEqual(['warning: the last key stands on frame 40: the pose holds from there'])
    expect(check({ start: 1.5 })).toEqual(['error: start is no whole frame'])
    expect(check({ name: '한' })[0]).toContain('error')
    expect(check({ name: 'あ'.repeat(16) }, open({ 'info.cfg': latin(dc2Text) }))[0]).toContain('32 bytes')
  })

  it('changes exactly one KEY, adds, removes, moves and duplicates', () => {
    const model = open()
    slices.set(model, 0, { name: '走り', end: 12 })
    expect(text(model)).toBe(dc1Text.replace('KEY  1,  10,  0.17    //\x97\xa7\x82\xbf 0', 'KEY  1,  12,  0.17    //\x91\x96\x82\xe8'))
    slices.set(model, 0, { name: '立ち 0', end: 10 })
    expect(text(model)).toBe(dc1Text)
    slices.add(model, 2, 0, { name: 'x', start: 3, end: 4, speed: 0.5 })
    model.settle()
    expect(windows(model)[2]).toEqual(['x', 3, 4, 0.5])
    slices.remove(model, 2)
    model.settle()
    expect(text(model)).toBe(dc1Text)
    slices.move(model, 3, 0)
    model.settle()
    expect(windows(model).map((w) => (w as number[])[1])).toEqual([20, 1, 10, 0, 50, 1])
    slices.duplicate(model, 0)
    model.settle()
    expect(windows(model).map((w) => (w as number[])[1])).toEqual([20, 20, 1, 10, 0, 50, 1])
    expect(() => slices.move(model, 0, 6)).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    slices.add(model, 7, 1, { name: '', start: 2, end: 3, speed: 1 })
    model.settle()
    expect(windows(model)[7]).toEqual(['', 2, 3, 1])
  })

  it('refuses wrong values, but lets an odd window be renamed', () => {
    const model = open({ 'info.cfg': latin('MOTION 0, "hero.mot", "", ""\r\nKEY_START 0\r\nKEY 9, 2, 1\r\nMOTION_END\r\n') })
    slices.set(model, 0, { name: 'odd' })
    expect(text(model)).toContain('KEY 9, 2, 1 //odd\r\n')
    expect(() => slices.set(model, 0, { end: 5 })).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => slices.add(model, 0, 0, { name: '', start: 5, end: 4, speed: 1 })).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => slices.set(model, 5, { end: 5 })).toThrowError(expect.objectContaining({ code: 'not-found' }))
  })

  it('opens a list in a MOTION that has none', () => {
    const model = open({ 'info.cfg': latin('MOTION 0, "hero.mot", "", "";\nMOTION_END;\n') })
    slices.add(model, 0, 0, { name: 'new', start: 1, end: 2, speed: 0.5 })
    expect(text(model)).toBe('MOTION 0, "hero.mot", "", "";\nKEY_START;\nKEY "new", 1, 2, 0.50;\nKEY_END;\nMOTION_END;\n')
  })

  it('extracts a window that plays like the master, frames from 1, keys between kept bit by bit', () => {
    const model = open()
    const slice = { ...model.assembled.scene.slices[1] }
    expect([slice.start, slice.end]).toEqual([10, 20])
    const { name, bytes } = slices.extract(model, slice)
    expect(name).toBe('hero_ソ.mot')
    const window = motFormat.decode(bytes, 'w')
    expect(window.tracks.map((t) => Array.from(keyFrames(t)))).toEqual([
      [1, 11],
      [1, 11],
      [1, 11],
      [1, 11],
      [1, 11],
      [1, 11],
      [1, 11],
      [1, 11],
      [1, 11],
      [],
      [1, 11],
      [1, 11],
    ])
    // the key of frame 10 is a key of the master: all its bits
    const master = motFormat.decode(files['hero.mot'], 'm')
    expect(window.tracks[0].keys.slice(1, 8)).toEqual(master.tracks[0].keys.slice(9, 16))
    expect(window.tracks[1].keys[1]).toBe(0xcdcdcdcd)
    expect([window.tracks[2].word6, window.tracks.at(-1)!.next]).toEqual([0xace63701, 0])
    const scene = model.assembled.scene
    const other = openFolder({ 'hero.mds': files['hero.mds'], 'hero.mot': bytes, 'skin.img': files['skin.img'] }).assemble().scene
    const [a, b] = [createPose(scene), createPose(other)]
    for (let frame = 10; frame <= 20; frame += 0.5) {
      sampleClip(scene, scene.clips[0], frame, a)
      sampleClip(other, other.clips[0], frame - 9, b)
      a.local.forEach((v, i) => expect(b.local[i]).toBeCloseTo(v, 5))
    }
  })

  it('puts an untouched window back without a changed byte, whatever the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), (a, b) => {
        const master = motFormat.decode(files['hero.mot'], 'm')
        const [start, end] = [Math.min(a, b), Math.max(a, b)]
        const cut = encodeDocument(motFormat, cutWindow(master, start, end)).bytes
        pasteWindow(master, start, end, motFormat.decode(cut, 'w'))
        expect(encodeDocument(motFormat, master).bytes).toEqual(files['hero.mot'])
      }),
    )
  })

  it('puts an edited window back: the window shows the edit, the frames beside it what they showed', () => {
    const model = open()
    const slice = model.assembled.scene.slices[1]
    const window = motFormat.decode(slices.extract(model, slice).bytes, 'w')
    keyFloats(window.tracks[0])[4] = 50
    keyFloats(window.tracks[0])[12] = 60
    const before = motFormat.decode(files['hero.mot'], 'm')
    slices.replaceWindow(model, slice, encodeDocument(motFormat, window).bytes)
    const after = motFormat.decode(model.bytes(ref('hero.mot')), 'm')
    const x = (document: typeof before, frame: number): number => new Float32Array(keyAtFrame(document.tracks[0], frame)!.buffer)[4]
    expect([x(after, 10), x(after, 20)]).toEqual([50, 60])
    for (const frame of [1, 5, 9, 21, 30, 40]) expect(x(after, frame)).toBeCloseTo(x(before, frame), 5)
    expect(Array.from(keyFrames(after.tracks[0]))).toEqual([1, 9, 10, 20, 21, 40])
    // every other track is as it was
    expect(after.tracks.slice(1).map((t) => t.keys)).toEqual(before.tracks.slice(1).map((t) => t.keys))
    expect(after.tracks[0].next).toBe(32 + 32 * 6)
  })

  it('refuses a window that is too long, and gives a new track the rest pose outside', () => {
    const model = open()
    const slice = model.assembled.scene.slices[1]
    const long = trackListBytes([
      {
        node: 0,
        type: 2,
        keys: [
          [1, 0, 0, 0],
          [12, 0, 0, 0],
        ],
      },
    ])
    expect(() => slices.replaceWindow(model, slice, long)).toThrowError(
      expect.objectContaining({ code: 'invalid-edit', path: 'tracks[0].keys' }),
    )
    slices.replaceWindow(
      model,
      slice,
      trackListBytes([
        {
          node: 3,
          type: 2,
          keys: [
            [1, 9, 9, 9],
            [11, 8, 8, 8],
          ],
        },
      ]),
    )
    const added = motFormat.decode(model.bytes(ref('hero.mot')), 'm').tracks.at(-1)!
    // and holds it over all that the other tracks are played for
    expect(Array.from(keyFrames(added))).toEqual([1, 9, 10, 20, 21, 40])
    expect(Array.from(keyFloats(added).subarray(4, 7))).toEqual([0, 2, 0])
    expect(added.next).toBe(0)
  })
})

describe('clips', () => {
  const clips = editor.clips!

  it('lists tracks as the file has them', () => {
    const tracks = clips.tracks(open(), 0)
    expect(tracks.map((t) => [t.property, t.components.join(''), t.times.length, t.target])).toEqual([
      ['translation', 'xyz', 3, 'root'],
      ['rotation', 'wxyz', 3, 'body'],
      ['scale', 'xyz', 2, 'body'],
      ['opacity', 'x', 3, 'body / skin'],
      ['color', 'rgb', 2, 'body / skin'],
      ['vertex', 'xyz', 2, 'body / vertex 1'],
      ['visibility', 'x', 3, 'root'],
      ['visibility', 'x', 2, 'arm'],
      ['camera', 'xyz', 1, 'hand'],
      ['camera', 'x', 0, 'hand'],
      ['unknown', 'xyzw', 2, 'hand'],
      ['rotation', 'wxyz', 1, 'arm'],
    ])
    expect(Array.from(tracks[3].values)).toEqual([1, 0.25, 1])
    expect(tracks[1].id).toBe('models/hero.mot#tracks[1]')
  })

  it('changes only the floats that differ', () => {
    const model = open()
    const [track] = clips.tracks(model, 0)
    const values = track.values.slice()
    values[4] = 7
    clips.editKeys(model, [{ track: track.id, set: { keys: Uint32Array.of(0, 1, 2), times: track.times, values } }])
    // second key (at 32 + 32), second of its floats
    expect(changedRanges(files['hero.mot'], model.bytes(ref('hero.mot')))).toEqual([[64 + 20 + 2, 64 + 20 + 4]])
    clips.editKeys(model, [{ track: track.id, set: { keys: Uint32Array.of(0, 1, 2), times: track.times, values: track.values } }])
    expect(model.bytes(ref('hero.mot'))).toEqual(files['hero.mot'])
  })

  it('moves, inserts and removes keys in order, with pads like their neighbours', () => {
    const model = open()
    const id = `${ref('hero.mot')}#tracks[1]`
    clips.editKeys(model, [
      {
        track: id,
        remove: Uint32Array.of(0),
        set: { keys: Uint32Array.of(2), times: Float64Array.of(15), values: Float32Array.of(0, 0, 1, 0) },
        insert: { times: Float64Array.of(30, 20), values: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0) },
      },
    ])
    const track = motFormat.decode(model.bytes(ref('hero.mot')), 'm').tracks[1]
    expect(Array.from(keyFrames(track))).toEqual([15, 20, 30])
    expect(Array.from(keyFloats(track).subarray(12, 16))).toEqual([0, 1, 0, 0])
    expect([track.keys[1], track.keys[17], track.keyCount, track.next]).toEqual([0xcdcdcdcd, 0xcdcdcdcd, 3, 128])
    expect(() => clips.editKeys(model, [{ track: id, insert: { times: Float64Array.of(1.5), values: new Float32Array(4) } }])).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => clips.editKeys(model, [{ track: id, remove: Uint32Array.of(77) }])).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => clips.editKeys(model, [{ track: id, insert: { times: Float64Array.of(1), values: new Float32Array(3) } }])).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })

  it('inserts any number of keys in any order as it does one by one', () => {
    const id = `${ref('hero.mot')}#tracks[1]`
    let state = 7
    const times = Float64Array.from({ length: 300 }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 8) % 400)
    const values = Float32Array.from({ length: 4 * 300 }, (_, i) => i)
    const together = open()
    clips.editKeys(together, [{ track: id, insert: { times, values } }])
    const single = open()
    times.forEach((time, i) =>
      clips.editKeys(single, [{ track: id, insert: { times: Float64Array.of(time), values: values.slice(4 * i, 4 * i + 4) } }]),
    )
    const keys = motFormat.decode(together.bytes(ref('hero.mot')), 'm').tracks[1]
    expect(Array.from(keyFrames(keys))).toEqual(Array.from(keyFrames(keys)).sort((a, b) => a - b))
    expect(together.bytes(ref('hero.mot'))).toEqual(single.bytes(ref('hero.mot')))
  })

  it('adds a track with the rest pose, removes it again, and leaves the file as it was', () => {
    const model = open()
    clips.addTrack!(model, 0, 3, 'translation')
    model.settle()
    const tracks = clips.tracks(model, 0)
    expect(tracks).toHaveLength(13)
    expect(Array.from(tracks[12].values)).toEqual([0, 2, 0])
    expect(() => clips.addTrack!(model, 0, 3, 'translation')).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    clips.removeTrack!(model, tracks[12].id)
    expect(model.bytes(ref('hero.mot'))).toEqual(files['hero.mot'])
  })

  it("turns scene values into the file's", () => {
    const model = open()
    const tracks = clips.tracks(model, 0)
    const { scene } = model.assembled
    const inScene = scene.clips[0].tracks[1].values
    for (let k = 0; k < 3; k++)
      expect(Array.from(clips.fromScene(model, tracks[1], inScene.slice(4 * k, 4 * k + 4)))).toEqual(
        Array.from(tracks[1].values.subarray(4 * k, 4 * k + 4)).map((v) => v + 0),
      )
    expect(Array.from(clips.fromScene(model, tracks[0], Float32Array.of(1, 2, 3)))).toEqual([1, 2, 3])
    expect(Array.from(clips.fromScene(model, tracks[3], Float32Array.of(0.75)))).toEqual([0.25])
  })
})

describe('weights', () => {
  const weights = editor.weights!
  const id = `${ref('hero.wgt')}#skin[1]`
  const rows = (w: NativeWeights): [number, number][][] =>
    Array.from({ length: w.vertexCount }, (_, v) =>
      Array.from({ length: w.offsets[v + 1] - w.offsets[v] }, (_, i) => [w.bone[w.offsets[v] + i], w.weight[w.offsets[v] + i]]),
    )
  const edit = (vertices: Record<number, [number, number][]>): WeightEdit => {
    const list = Object.entries(vertices)
    const offsets = [0]
    for (const [, row] of list) offsets.push(offsets.at(-1)! + row.length)
    const flat = list.flatMap(([, row]) => row)
    return {
      id,
      vertices: Uint32Array.from(list, ([v]) => Number(v)),
      offsets: Uint32Array.from(offsets),
      bone: Uint16Array.from(flat, (x) => x[0]),
      weight: Float32Array.from(flat, (x) => x[1]),
    }
  }

  it('reads them on the scale of the file', () => {
    const model = open()
    expect(weights.list(model)).toEqual([{ id, mesh: 'body', sceneMesh: 0, vertexCount: 4 }])
    const read = weights.read(model, id)
    expect(rows(read)).toEqual([
      [[1, 100]],
      [
        [1, 60],
        [2, 40],
      ],
      [[2, 100]],
      [],
    ])
    expect(read.bones.map((b) => b.name)).toEqual(['root', 'body', 'arm', 'hand'])
    expect(read.limits.fullWeight).toBe(100)
  })

  it('changes a weight in place', () => {
    const model = open()
    weights.write(
      model,
      edit({
        1: [
          [1, 55],
          [2, 45],
        ],
      }),
    )
    const at = (group: number, key: number): number => [0, 32, 128][group] + 32 + 32 * key + 16
    const changed = changedRanges(files['hero.wgt'], model.bytes(ref('hero.wgt')))
    expect(changed.every(([a, b]) => (a >= at(1, 1) && b <= at(1, 1) + 4) || (a >= at(2, 0) && b <= at(2, 0) + 4))).toBe(true)
    expect(changed).toHaveLength(2)
    weights.write(
      model,
      edit({
        1: [
          [1, 60],
          [2, 40],
        ],
        0: [[1, 100]],
      }),
    )
    expect(model.bytes(ref('hero.wgt'))).toEqual(files['hero.wgt'])
  })

  it('puts keys into groups and takes them out; empty groups stay', () => {
    const model = open()
    weights.write(
      model,
      edit({
        0: [[2, 100]],
        1: [[2, 100]],
        3: [
          [0, 30],
          [1, 70],
        ],
      }),
    )
    model.settle()
    expect(rows(weights.read(model, id))).toEqual([
      [[2, 100]],
      [[2, 100]],
      [[2, 100]],
      [
        [0, 30],
        [1, 70],
      ],
    ])
    const document = wgtFormat.decode(model.bytes(ref('hero.wgt')), 'w')
    expect(document.tracks.map((t) => [t.target, Array.from(keyFrames(t))])).toEqual([
      [0, [3]],
      [1, [3]],
      [2, [0, 1, 2]],
    ])
    expect(document.tracks[2].keys[1]).toBe(0xcdcdcdcd)
    weights.write(
      model,
      edit({
        0: [[1, 100]],
        1: [
          [1, 60],
          [2, 40],
        ],
        3: [[1, 0]],
      }),
    )
    expect(model.bytes(ref('hero.wgt'))).toEqual(files['hero.wgt'])
  })

  it('opens a group for a bone that has none, with the chain that DC1 needs', () => {
    const model = open({ 'hero.wgt': trackListBytes([wgtTracks[0], wgtTracks[1]]) })
    weights.write(model, edit({ 2: [[3, 100]] }))
    const document = wgtFormat.decode(model.bytes(ref('hero.wgt')), 'w')
    expect(document.tracks.map((t) => [t.node, t.target, t.keyCount, t.next])).toEqual([
      [1, 0, 0, 32],
      [1, 1, 2, 96],
      [1, 2, 0, 32],
      [1, 3, 1, 0],
    ])
    // a list that is no such program gets just the group
    const plain = open({ 'hero.wgt': trackListBytes([wgtTracks[1]]) })
    weights.write(plain, edit({ 2: [[3, 100]] }))
    expect(wgtFormat.decode(plain.bytes(ref('hero.wgt')), 'w').tracks.map((t) => t.target)).toEqual([1, 3])
    const above = open({ 'hero.wgt': trackListBytes([wgtTracks[2]]) })
    weights.write(above, edit({ 0: [[1, 100]] }))
    expect(wgtFormat.decode(above.bytes(ref('hero.wgt')), 'w').tracks.map((t) => t.target)).toEqual([1, 2])
  })

  it('refuses what the model does not have', () => {
    for (const bad of [
      edit({ 9: [[1, 100]] }),
      edit({ 0: [[9, 100]] }),
      edit({ 0: [[1, -1]] }),
      edit({ 0: [[1, Number.NaN]] }),
      edit({ 0: [[1, 100.5]] }),
    ])
      expect(() => weights.write(open(), bad)).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('lets a weight that is out of range stay as it is', () => {
    const model = open({ 'hero.wgt': trackListBytes([{ node: 1, target: 1, type: 20, keys: [[0, 101.5]] }]) })
    weights.write(
      model,
      edit({
        0: [
          [1, 101.5],
          [2, 1],
        ],
      }),
    )
    model.settle()
    expect(rows(weights.read(model, id))[0]).toEqual([
      [1, 101.5],
      [2, 1],
    ])
  })

  it('writes what was asked for, whatever it is', () => {
    const row = fc.uniqueArray(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 100 })), { maxLength: 4, selector: (r) => r[0] })
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('0', '1', '2', '3'), row), (vertices) => {
        const model = open()
        const before = rows(weights.read(model, id))
        weights.write(model, edit(vertices as never))
        model.settle()
        const after = rows(weights.read(model, id))
        for (let v = 0; v < 4; v++)
          expect([...after[v]].sort()).toEqual([...((vertices as Record<string, [number, number][]>)[v] ?? before[v])].sort())
      }),
      { numRuns: 60 },
    )
  })
})

describe('skeleton', () => {
  const skeleton = editor.skeleton!

  it('renames in the name field, junk behind it kept', () => {
    const model = open()
    skeleton.rename!(model, 2, '腕')
    const at = 0x10 + 2 * 0x70 + 8
    expect(changedRanges(files['hero.mds'], model.bytes(ref('hero.mds'))).every(([a, b]) => a >= at && b <= at + 3)).toBe(true)
    expect(Array.from(model.bytes(ref('hero.mds')).subarray(at, at + 4))).toEqual([0x98, 0x72, 0, 0])
    model.settle()
    expect(model.assembled.scene.skeleton.names[2]).toBe('腕')
    expect(() => skeleton.rename!(model, 2, 'x'.repeat(32))).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => skeleton.rename!(model, 2, '')).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('moves, turns and scales; the rest of the matrix keeps its bits', () => {
    const model = open()
    const matrixAt = 0x10 + 2 * 0x70 + 0x30
    skeleton.setField!(model, 2, 'translation', [0, 6, 0], { keepSkin: false })
    expect(changedRanges(files['hero.mds'], model.bytes(ref('hero.mds'))).every(([a, b]) => a >= matrixAt + 52 && b <= matrixAt + 56)).toBe(
      true,
    )
    skeleton.setField!(model, 2, 'rotation', [0, 0, 1, 1], { keepSkin: false })
    skeleton.setField!(model, 2, 'scale', [2, 2, 2], { keepSkin: false })
    const fields = Object.fromEntries(skeleton.fields(model, 2).map((f) => [f.key, f.value]))
    expect((fields.scale as number[]).map((v) => Math.round(v * 1e4) / 1e4)).toEqual([2, 2, 2])
    expect((fields.rotation as number[])[2]).toBeCloseTo(Math.SQRT1_2)
    expect(fields.translation).toEqual([0, 6, 0])
    skeleton.setField!(model, 2, 'matrix', posed[2].matrix, { keepSkin: false })
    expect(model.bytes(ref('hero.mds'))).toEqual(files['hero.mds'])
    expect(() => skeleton.setField!(model, 2, 'scale', [1, 2], { keepSkin: false })).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => skeleton.setField!(model, 2, 'nothing', [1, 2], { keepSkin: false })).toThrowError(
      expect.objectContaining({ code: 'not-found' }),
    )
  })

  /** Skins of the scene at rest: every vertex where the bones' places put it. */
  const atRest = (model: MemoryModel): number[] => {
    const { scene } = model.assembled
    const world = new Float32Array(16 * scene.skeleton.count)
    updateWorld(scene.skeleton, scene.skeleton.restLocal, world)
    return scene.meshes.flatMap((mesh) => {
      if (mesh.skin < 0) return []
      const skin = scene.skins[mesh.skin]
      const positions = new Float32Array(mesh.positions.length)
      skinMesh(mesh, skin, { world }, positions, new Float32Array(0), new Float32Array(16 * skin.joints.length))
      return Array.from(positions, (v) => Math.round(v * 1e3) / 1e3 + 0)
    })
  }
  const bones = [translation(0, 0, 0), translation(0, 10, 0), translation(0, 5, 0), translation(0, 2, 0)]
  const worlds = [0, 10, 15, 17].map((y) => translation(0, y, 0))
  const plain = (tracks: RawTrack[]): RawTrack[] => tracks.filter((t) => t.keys.length)
  const rows = [...wgtTracks, { node: 1, target: 3, type: 20, keys: [[3, 100]] } as RawTrack]

  for (const [form, matrices] of [
    ['local', bones],
    ['model space', worlds],
  ] as const) {
    it(`moves a node and leaves the skin where it is: the bind pose (${form}) follows, in the entries that it must`, () => {
      const extra = { 'hero.bbp': bbpBytes(matrices), 'hero.wgt': trackListBytes(plain(rows)) }
      const model = open(extra)
      const rest = atRest(model)
      skeleton.setField!(model, 2, 'translation', [3, 5, 0], { keepSkin: true })
      const changed = changedRanges(extra['hero.bbp'], model.bytes(ref('hero.bbp')))
      // x of the arm; in model space that of the hand below it too
      const x = (n: number): [number, number] => [64 * n + 48 + 2, 64 * n + 52]
      expect(changed).toEqual(form === 'local' ? [x(2)] : [x(2), x(3)])
      expect(model.bytes(ref('hero.wgt'))).toEqual(extra['hero.wgt'])
      model.settle()
      expect(atRest(model)).toEqual(rest)
      expect(model.assembled.scene.skeleton.restTranslation[3 * 2]).toBe(3)
      skeleton.setField!(model, 2, 'translation', [0, 5, 0], { keepSkin: true })
      expect(model.bytes(ref('hero.bbp'))).toEqual(extra['hero.bbp'])
      expect(model.bytes(ref('hero.mds'))).toEqual(files['hero.mds'])
      // the other way the skin goes along
      skeleton.setField!(model, 2, 'rotation', [0, 0, 1, 1], { keepSkin: false })
      expect(model.bytes(ref('hero.bbp'))).toEqual(extra['hero.bbp'])
      model.settle()
      expect(atRest(model)).not.toEqual(rest)
    })

    it(`hangs a node elsewhere without moving it or its skin (${form})`, () => {
      const extra = { 'hero.bbp': bbpBytes(matrices), 'hero.wgt': trackListBytes(plain(rows)) }
      const model = open(extra)
      const rest = atRest(model)
      skeleton.reparent!(model, 3, 1)
      const node = 0x10 + 3 * 0x70
      // the parent, and y of the place; the rest of the record and every other node stay
      expect(changedRanges(files['hero.mds'], model.bytes(ref('hero.mds')))).toEqual([
        [node + 0x2c, node + 0x2d],
        [node + 0x30 + 52 + 2, node + 0x30 + 55],
      ])
      const bbp = changedRanges(extra['hero.bbp'], model.bytes(ref('hero.bbp')))
      expect(bbp).toEqual(form === 'local' ? [[64 * 3 + 52 + 2, 64 * 3 + 55]] : [])
      model.settle()
      expect(atRest(model)).toEqual(rest)
      const { skeleton: s } = model.assembled.scene
      expect([s.parents[3], Array.from(s.restTranslation.subarray(9, 12))]).toEqual([1, [0, 7, 0]])
      expect(() => skeleton.reparent!(model, 1, 3)).toThrow(/below itself/)
      skeleton.reparent!(model, 3, -1)
      model.settle()
      expect(model.assembled.scene.skeleton.parents[model.assembled.scene.skeleton.names.indexOf('hand')]).toBe(-1)
    })
  }

  it('refuses another parent for a bone of a chain that Dark Cloud 1 walks, and a bind pose that is too short', () => {
    const model = open({ 'hero.bbp': bbpBytes(bones) })
    expect(() => skeleton.reparent!(model, 2, 0)).toThrow(/chain of parents/)
    // no weights hang on the hand
    skeleton.reparent!(model, 3, 0)
    const short = open({ 'hero.bbp': bbpBytes(worlds.slice(0, 2)), 'hero.wgt': trackListBytes(plain(rows)) })
    expect(() => skeleton.setField!(short, 1, 'translation', [1, 10, 0], { keepSkin: true })).toThrow(/no matrix for node 2/)
  })

  it('knows what refers to a node', () => {
    expect(skeleton.references(open(), 1)).toEqual([
      { ref: ref('hero.mot'), what: 'tracks: rotation, scale, material transparency, material colour, vertex position' },
      { ref: ref('hero.wgt'), what: 'bone of 1 weight groups' },
      { ref: ref('hero.wgt'), what: 'owner of a skinned mesh' },
    ])
  })
})

describe('textures', () => {
  it('are replaced in their own format', () => {
    const model = open()
    const rgba = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) & 0xf0))
    editor.textures!.replace(model, 0, 16, 16, rgba)
    model.settle()
    expect(model.assembled.scene.textures[0].rgba).toEqual(rgba)
    expect(model.bytes(ref('skin.img')).length).toBe(files['skin.img'].length)
    expect(() => editor.textures!.replace(model, 0, 8, 8, new Uint8Array(256))).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })
})

describe('compiled scripts', () => {
  it('are not edited', () => {
    expect(cfgFormat.decode(latin('BIN\0'), 'x').readOnly).toBeTruthy()
    const model = open({ 'info.cfg': latin('BIN\0\x01') })
    expect(() => editor.slices!.add(model, 0, 0, { name: '', start: 1, end: 2, speed: 1 })).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })
})
