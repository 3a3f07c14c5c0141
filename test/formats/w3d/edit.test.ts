import { describe, expect, it } from 'vitest'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { meshesOf } from '../../../src/main/formats/w3d/codecs/mesh.ts'
import { createPose, poseRest, sampleClip } from '../../../src/shared/scene/pose.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { expectOnlyKeys } from '../../support/edit-ranges.ts'
import { changedRanges, memoryModel } from '../../support/edit-session.ts'
import {
  QUAD,
  adaptive,
  animation,
  bitChannel,
  cat,
  channel,
  chunk,
  compressed,
  f32,
  hierarchy,
  hlod,
  mesh,
  motionDeltas,
  motionKeys,
  timeCoded,
  u16,
  u32,
  u8,
} from '../../fixtures/w3d/chunks.ts'
import { skin, twoBoneSkin } from '../../fixtures/w3d/files.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import { junk } from '../../support/hostile.ts'
import type { KeyEdit, NativeTrack } from '../../../src/shared/api/types/clips.ts'

const clips = w3d.editor.clips!
const weights = w3d.editor.weights!
const skeleton = w3d.editor.skeleton!

function open(
  files: Record<string, Uint8Array>,
  others: Record<string, string[]> = {},
  primary = Object.keys(files)[0],
  outside: string[] = [],
) {
  const library = memoryLibrary(Object.fromEntries(Object.entries(files).filter(([ref]) => !outside.includes(ref))))
  const folder = primary.slice(0, Math.max(0, primary.lastIndexOf('/')))
  const binding = w3d.bind(folder, library).find((b) => b.primary === primary)!
  return memoryModel(
    w3d,
    binding,
    Object.fromEntries(Object.entries(files).map(([ref, bytes]) => [ref, { format: w3dFile, bytes }])),
    {},
    others,
  )
}

const round = (v: ArrayLike<number>): number[] => Array.from(v, (x) => Math.round(x * 1e4) / 1e4 + 0)
const set = (track: NativeTrack, keys: number[], values: number[], times = keys.map((k) => track.times[k])): KeyEdit => ({
  track: track.id,
  set: { keys: Uint32Array.from(keys), times: Float64Array.from(times), values: Float32Array.from(values) },
})
/** first place of a run of bytes in a file */
function find(bytes: Uint8Array, wanted: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted)
}

describe('clips', () => {
  const withClip = (clip: Uint8Array) => {
    const model = open({ 'a_skl.w3d': hierarchy(undefined, { name: 'WALKER_SKL' }), 'walk.w3d': clip })
    return { model, before: clip, tracks: () => clips.tracks(model, 0), after: () => model.bytes('walk.w3d') }
  }

  it('show every channel in file axes with the limits of its coding', () => {
    const { tracks } = withClip(
      cat(
        animation('WALK', 'WALKER_SKL', 4, [
          channel(2, 1, 0, [1, 2, 3, 4]),
          channel(2, 6, 1, [0, 0, 0, 1, 0, 0, 1, 0]),
          bitChannel(3, 0, [1, 0, 1, 1]),
          channel(99, 0, 0, [1, 2, 3, 4]),
          channel(2, 3, 0, [1, 2, 3, 4]),
        ]),
      ),
    )
    expect(
      tracks().map((t) => [
        t.id,
        t.target,
        t.joint,
        t.property,
        t.label,
        t.components.join(''),
        t.limits.dense,
        t.limits.stepped,
        t.limits.readOnly !== '',
      ]),
    ).toEqual([
      ['walk.w3d#animation[0].channel[0]', 'TURRET', 2, 'translation', 'Y', 'y', true, false, false],
      ['walk.w3d#animation[0].channel[1]', 'TURRET', 2, 'rotation', 'Q', 'xyzw', true, false, false],
      ['walk.w3d#animation[0].bitChannel[0]', 'MUZZLE01', 3, 'visibility', 'visibility', 'visible', true, true, false],
      ['walk.w3d#animation[0].channel[2]', 'pivot 99', -1, 'translation', 'X', 'x', true, false, false],
      ['walk.w3d#animation[0].channel[3]', 'TURRET', 2, 'unknown', 'unknown', '0', true, false, true],
    ])
    expect(Array.from(tracks()[1].times)).toEqual([1, 2])
  })

  it('change one value of an uncompressed channel and nothing else', () => {
    const { model, before, tracks, after } = withClip(
      animation('WALK', 'WALKER_SKL', 4, [channel(1, 0, 0, [10, 11, 12, 13], 1, junk(12)), channel(2, 6, 1, [0, 0, 0, 1, 0, 0, 1, 0])]),
    )
    clips.editKeys(model, [set(tracks()[0], [1, 2], [11, 99])])
    const at = find(before, f32(12))
    expect(changedRanges(before, after())).toEqual([[at, at + 4]].map(([a]) => [a + 2, a + 4]))
    expect(new DataView(after().buffer).getFloat32(at, true)).toBe(99)
  })

  const STEPS = Array.from({ length: 16 }, (_, i) => (i % 5) - 2)
  it.each([
    [
      'raw',
      animation('WALK', 'WALKER_SKL', 4, [channel(1, 0, 0, [10, 11, 12, 13], 1, junk(12)), channel(2, 6, 1, [0, 0, 0, 1, 0, 0, 1, 0])]),
    ],
    [
      'raw bits',
      animation('WALK', 'WALKER_SKL', 19, [
        bitChannel(
          3,
          2,
          Array.from({ length: 17 }, (_, i) => i % 2),
        ),
        bitChannel(4, 0, [1, 0, 1]),
      ]),
    ],
    [
      'time-coded',
      compressed('WALK', 'WALKER_SKL', 33, 0, [
        timeCoded(1, 0, [
          { time: 0, value: [1] },
          { time: 10, value: [2], step: true },
          { time: 32, value: [3] },
        ]),
        timeCoded(2, 6, [
          { time: 0, value: [0, 0, 0, 1] },
          { time: 32, value: [0, 0, 1, 0] },
        ]),
      ]),
    ],
    ['time-coded bits', compressed('WALK', 'WALKER_SKL', 33, 0, [chunk(0x283, false, u32(3), u16(3), u8(0, 1), u32(0, 0x80000005, 12))])],
    ['motion keys', compressed('WALK', 'WALKER_SKL', 33, 0, [motionKeys(2, 1, [0, 4, 32], [1, 2, 3])])],
    [
      'motion deltas of 4 bits',
      compressed('WALK', 'WALKER_SKL', 33, 0, [motionDeltas(2, 2, 4, 33, 0.5, [1], [[[16, ...STEPS]], [[16, ...STEPS]]])]),
    ],
    [
      'motion deltas of 8 bits',
      compressed('WALK', 'WALKER_SKL', 33, 0, [motionDeltas(2, 2, 8, 33, 0.5, [1], [[[16, ...STEPS]], [[16, ...STEPS]]])]),
    ],
    ['adaptive deltas', compressed('WALK', 'WALKER_SKL', 33, 1, [adaptive(1, 2, 33, 2, [0.5], [[[16, ...STEPS]], [[17, ...STEPS]]])])],
  ])('change the bytes of each key of each track and no other: %s', (_, clip) => {
    const file = cat(chunk(0x12345678, false, junk(11)), clip, chunk(0x4324, true, junk(13)), junk(5))
    for (const [at, { times, components }] of withClip(file).tracks().entries())
      for (const k of times.keys()) {
        const { model, before, tracks, after } = withClip(file)
        const track = tracks()[at]
        const width = components.length
        const old = [...track.values.slice(k * width, (k + 1) * width)]
        const value = track.limits.stepped
          ? old.map((bit) => 1 - bit)
          : width === 4
            ? [0.6, 0, 0, 0.8]
            : [old[0] + (track.limits.spreads ? 0.01 : 1)]
        clips.editKeys(model, [set(track, [k], value)])
        const { changed } = expectOnlyKeys('walk.w3d', before, after(), [{ track, at: (time) => time === times[k] }])
        if (!track.limits.spreads) expect([...changed]).toEqual([[track.id, new Set([times[k]])]])
      }
  })

  it('take and give keys at the ends of an uncompressed channel alone', () => {
    const { model, tracks, after } = withClip(animation('WALK', 'WALKER_SKL', 9, [channel(1, 0, 2, [2, 3, 4])]))
    const [track] = tracks()
    expect(() => clips.editKeys(model, [{ track: track.id, remove: Uint32Array.of(1) }])).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => clips.editKeys(model, [{ track: track.id, remove: Uint32Array.of(0, 1, 2) }])).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    clips.editKeys(model, [
      { track: track.id, remove: Uint32Array.of(0), insert: { times: Float64Array.of(5), values: Float32Array.of(5) } },
    ])
    expect(after()).toEqual(animation('WALK', 'WALKER_SKL', 9, [channel(1, 0, 3, [3, 4, 5])]))
  })

  it('turn single bits of a visibility channel', () => {
    const { model, before, tracks, after } = withClip(
      animation('WALK', 'WALKER_SKL', 11, [bitChannel(3, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1])]),
    )
    clips.editKeys(model, [set(tracks()[0], [9], [1])])
    expect(changedRanges(before, after())).toHaveLength(1)
    expect(after().at(-1)).toBe(7)
  })

  it('keep steps and other keys of a time-coded channel bit by bit', () => {
    const keys = [
      { time: 0, value: [1] },
      { time: 10, value: [2], step: true },
      { time: 30, value: [3] },
    ]
    const { model, before, tracks, after } = withClip(
      compressed('RUN', 'WALKER_SKL', 31, 0, [timeCoded(1, 0, keys), timeCoded(2, 2, keys)]),
    )
    const [track] = tracks()
    expect([track.limits.dense, track.limits.maxTime, track.label, ...track.stepInto!]).toEqual([false, 30, 'X (time-coded)', 0, 1, 0])
    clips.editKeys(model, [set(track, [1], [2.5], [12])])
    const moved = compressed('RUN', 'WALKER_SKL', 31, 0, [
      timeCoded(1, 0, [keys[0], { time: 12, value: [2.5], step: true }, keys[2]]),
      timeCoded(2, 2, keys),
    ])
    expect(after()).toEqual(moved)
    clips.editKeys(model, [
      { track: track.id, remove: Uint32Array.of(1), insert: { times: Float64Array.of(20, 5), values: Float32Array.of(7, 6) } },
    ])
    expect(after()).toEqual(
      compressed('RUN', 'WALKER_SKL', 31, 0, [
        timeCoded(1, 0, [keys[0], { time: 5, value: [6] }, { time: 20, value: [7] }, keys[2]]),
        timeCoded(2, 2, keys),
      ]),
    )
    expect(before.length + 8).toBe(after().length)
    expect(() => clips.editKeys(model, [{ track: track.id, insert: { times: Float64Array.of(5), values: Float32Array.of(7) } }])).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => clips.editKeys(model, [{ track: track.id, insert: { times: Float64Array.of(5.5), values: Float32Array.of(7) } }])).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => clips.editKeys(model, [{ track: track.id, insert: { times: Float64Array.of(6), values: Float32Array.of(NaN) } }])).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })

  it('write time-coded bits and motion keys', () => {
    const bits = chunk(0x283, false, u32(2), u16(3), u8(0, 1), u32(0, 0x80000005))
    const { model, tracks, after } = withClip(
      compressed('RUN', 'WALKER_SKL', 31, 0, [bits, motionKeys(1, 0, [0, 4, 30], [1, 2, 3])], 0x10000),
    )
    const [visible, x] = tracks()
    clips.editKeys(model, [
      { track: visible.id, insert: { times: Float64Array.of(9), values: Float32Array.of(0) } },
      { track: x.id, insert: { times: Float64Array.of(6), values: Float32Array.of(8) } },
    ])
    const changed = chunk(0x283, false, u32(3), u16(3), u8(0, 1), u32(0, 0x80000005, 9))
    expect(after()).toEqual(compressed('RUN', 'WALKER_SKL', 31, 0, [changed, motionKeys(1, 0, [0, 4, 6, 30], [1, 2, 8, 3])], 0x10000))
  })

  it('code adaptive deltas again in the block of the edit, and say how exact they are', () => {
    const still = [16, ...new Array<number>(16).fill(0)]
    const moving = [16, ...Array.from({ length: 16 }, (_, i) => (i % 4 < 2 ? 1 : -1))]
    const bytes = compressed('IDLE', 'WALKER_SKL', 49, 1, [adaptive(1, 2, 49, 0.5, [1], [[moving], [moving], [still]])])
    const { model, before, tracks, after } = withClip(bytes)
    const [track] = tracks()
    expect(track.limits).toMatchObject({ dense: true })
    expect(track.limits.packed).toContain('4 bit')
    clips.editKeys(model, [set(track, [20], [track.values[20] + 1])])
    const ranges = changedRanges(before, after())
    const block = find(before, f32(0.5, 1)) + 8 + 9
    expect(ranges.every(([a, b]) => a >= block && b <= block + 9)).toBe(true)
    model.settle()
    const edited = tracks()[0].values
    expect(Math.abs(edited[20] - (track.values[20] + 1))).toBeLessThan(0.15)
    expect(() => clips.editKeys(model, [set(track, [20], [1], [21])])).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('edit motion channels of 8 bits closely', () => {
    const deltas = Array.from({ length: 4 }, (_, c) => [30 + c, ...Array.from({ length: 16 }, (__, i) => ((i * 7 + c * 3) % 40) - 20)])
    const { model, tracks } = withClip(
      compressed('RUN', 'WALKER_SKL', 17, 0, [motionDeltas(1, 6, 8, 17, 0.05, [0, 0, 0, 1], [deltas])], 0x10000),
    )
    const [track] = tracks()
    const wanted = Array.from(track.values.subarray(4 * 9, 4 * 10), (v) => v + 0.01)
    clips.editKeys(model, [set(track, [9], wanted)])
    model.settle()
    const now = tracks()[0].values
    // two steps in a component, which is what its length may be off; every other frame is as it was
    for (let i = 36; i < 40; i++) expect(Math.abs(now[i] - wanted[i - 36])).toBeLessThan(0.005)
    expect(now.subarray(0, 36)).toEqual(track.values.subarray(0, 36))
    expect(now.subarray(40)).toEqual(track.values.subarray(40))
  })

  it('add and remove tracks in the coding of their clip', () => {
    const { model, before, after } = withClip(animation('WALK', 'WALKER_SKL', 3, [channel(1, 0, 0, [1, 2, 3])]))
    clips.addTrack!(model, 0, 1, 'translation')
    clips.addTrack!(model, 0, 3, 'rotation')
    clips.addTrack!(model, 0, 3, 'visibility')
    model.settle()
    const all = clips.tracks(model, 0)
    expect(all.map((t) => [t.target, t.label, t.times.length])).toEqual([
      ['BODY', 'X', 3],
      ['BODY', 'Y', 3],
      ['BODY', 'Z', 3],
      ['MUZZLE01', 'Q', 3],
      ['MUZZLE01', 'visibility', 3],
    ])
    expect(() => clips.addTrack!(model, 0, 3, 'rotation')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    for (const t of all.slice(1).reverse()) clips.removeTrack!(model, t.id)
    expect(after()).toEqual(before)

    const coded = withClip(compressed('RUN', 'WALKER_SKL', 31, 0, [timeCoded(1, 0, [{ time: 0, value: [1] }])]))
    clips.addTrack!(coded.model, 0, 2, 'rotation')
    coded.model.settle()
    expect(Array.from(clips.tracks(coded.model, 0)[1].times)).toEqual([0, 30])
    const motion = withClip(
      compressed(
        'RUN',
        'WALKER_SKL',
        31,
        0,
        [motionDeltas(1, 0, 4, 31, 1, [0], [[[16, ...new Array<number>(16).fill(0)]], [[16, ...new Array<number>(16).fill(0)]]])],
        0x10000,
      ),
    )
    clips.addTrack!(motion.model, 0, 2, 'rotation')
    motion.model.settle()
    expect(clips.tracks(motion.model, 0)[1]).toMatchObject({ label: 'Q (motion 8 bit)' })
    expect(round(clips.tracks(motion.model, 0)[1].values.subarray(120, 124))).toEqual([0, 0, 0, 1])
    const deltas = withClip(
      compressed('RUN', 'WALKER_SKL', 17, 1, [adaptive(1, 0, 17, 1, [0], [[[16, ...new Array<number>(16).fill(0)]]])]),
    )
    clips.addTrack!(deltas.model, 0, 2, 'translation')
    expect(clips.tracks(deltas.model, 0).map((t) => t.label)).toEqual(['X (adaptive)', 'X (adaptive)', 'Y (adaptive)', 'Z (adaptive)'])
  })

  it('change name, skeleton, length and rate in the header alone', () => {
    const { model, before, after } = withClip(animation('WALK', 'WALKER_SKL', 4, [channel(1, 0, 0, [1, 2, 3, 4])]))
    expect(clips.fields!(model, 0).map((f) => [f.key, f.value])).toEqual([
      ['name', 'WALK'],
      ['hierarchyName', 'WALKER_SKL'],
      ['numFrames', 4],
      ['frameRate', 30],
    ])
    clips.setField!(model, 0, 'frameRate', 24)
    expect(changedRanges(before, after())).toEqual([[56, 57]])
    const rated = after()
    // the file, by whose name the game finds the clip, goes along; name at 20, its junk behind the NUL stays
    clips.setField!(model, 0, 'name', 'RUN')
    expect(changedRanges(rated, model.bytes('RUN.w3d'))).toEqual([[20, 24]])
    expect(model.document('walk.w3d')).toBeUndefined()
    model.settle()
    expect(() => clips.setField!(model, 0, 'name', 'A NAME OF 16 CHS')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => clips.setField!(model, 0, 'frameRate', 0)).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => clips.setField!(model, 0, 'name', '')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => clips.setField!(model, 0, 'name', 'ÄÖ')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('turn a pose of the scene into the values that give it', () => {
    const { model, tracks } = withClip(
      animation('WALK', 'WALKER_SKL', 1, [
        channel(2, 0, 0, [0]),
        channel(2, 1, 0, [0]),
        channel(2, 2, 0, [0]),
        channel(2, 6, 0, [0, 0, 0, 1]),
      ]),
    )
    const t = Float32Array.of(1, 2, 3)
    const r = Float32Array.of(0.5, 0.5, 0.5, 0.5)
    for (const track of tracks())
      clips.editKeys(model, [set(track, [0], Array.from(clips.fromScene(model, track, track.property === 'rotation' ? r : t)))])
    model.settle()
    const { scene } = model.assembled
    const pose = createPose(scene)
    sampleClip(scene, scene.clips[0], 0, pose)
    expect(round(pose.local.subarray(32, 48))).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 2, 3, 1])
  })
})

describe('pivots', () => {
  const walker = () =>
    cat(
      skin(),
      mesh({ meshName: 'GUN', ...QUAD }),
      hlod('WALKER', 'WALKER_SKL', [
        {
          size: 1,
          objects: [
            [0, 'WALKER.SKIN'],
            [3, 'WALKER.GUN'],
          ],
        },
      ]),
    )
  const files = () => ({
    'walker.w3d': walker(),
    'walker_skl.w3d': hierarchy(),
    'walk.w3d': animation('WALK', 'WALKER_SKL', 2, [channel(2, 0, 0, [1, 1])]),
  })

  it('are renamed in their sixteen bytes', () => {
    const all = files()
    const model = open(all)
    skeleton.rename!(model, 3, 'FX')
    const from = find(all['walker_skl.w3d'], Uint8Array.from(Buffer.from('MUZZLE01')))
    expect(changedRanges(all['walker_skl.w3d'], model.bytes('walker_skl.w3d'))).toEqual([[from, from + 8]])
    expect(model.bytes('walker.w3d')).toEqual(all['walker.w3d'])
    expect(() => skeleton.rename!(model, 3, 'A NAME OF 16 CHS')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('move in the bytes of their translation alone', () => {
    const all = files()
    const model = open(all)
    const { scene } = model.assembled
    skeleton.setField!(model, 2, 'translation', [1, 0, 9], { keepSkin: false })
    const pivot = find(all['walker_skl.w3d'], Uint8Array.from(Buffer.from('TURRET')))
    const ranges = changedRanges(all['walker_skl.w3d'], model.bytes('walker_skl.w3d'))
    expect(ranges.every(([a, b]) => a >= pivot + 28 && b <= pivot + 32)).toBe(true)
    expect(ranges).not.toEqual([])
    expect(model.bytes('walker.w3d')).toEqual(all['walker.w3d'])
    model.settle()
    // the vertex of the turret went along
    expect(model.assembled.scene.meshes[0].positions[7] - scene.meshes[0].positions[7]).toBeCloseTo(7, 5)
  })

  it('keep euler angles and quaternion in step', () => {
    const model = open(files())
    skeleton.setField!(model, 2, 'euler', [90, 0, 0], { keepSkin: false })
    let fields = Object.fromEntries(skeleton.fields(model, 2).map((f) => [f.key, f.value]))
    expect(round(fields.quaternion as number[])).toEqual(round([Math.SQRT1_2, 0, 0, Math.SQRT1_2]))
    skeleton.setField!(model, 2, 'quaternion', [0, 3, 0, 3], { keepSkin: false })
    fields = Object.fromEntries(skeleton.fields(model, 2).map((f) => [f.key, f.value]))
    expect(round(fields.quaternion as number[])).toEqual(round([0, Math.SQRT1_2, 0, Math.SQRT1_2]))
    expect((fields.euler as number[])[1]).toBeCloseTo(90, 2)
    expect(() => skeleton.setField!(model, 2, 'quaternion', [0, 0, 0, 0], { keepSkin: false })).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => skeleton.setField!(model, 2, 'translation', [0, NaN, 0], { keepSkin: false })).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })

  it('leave the skin where it is when asked, in other files too, in both streams', () => {
    const cloak = cat(twoBoneSkin(), hlod('CLOAK', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.CLOAK']] }]))
    const unrelated = cat(skin(), hlod('OTHER', 'OTHER_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }]))
    const all = { ...files(), 'mods/cloak.w3d': cloak, 'mods/other.w3d': unrelated }
    const model = open(all, { 'w3d.skin-of:walker_skl': ['mods/cloak.w3d', 'mods/other.w3d', 'walker.w3d'] }, 'walker.w3d', [
      'mods/cloak.w3d',
      'mods/other.w3d',
    ])
    const rest = model.assembled.scene.meshes.map((m) => [round(m.positions), round(m.normals)])
    skeleton.setField!(model, 2, 'euler', [30, 40, 50], { keepSkin: true })
    skeleton.setField!(model, 1, 'translation', [1, 2, 3], { keepSkin: true })
    model.settle()
    const { scene } = model.assembled
    const skinIndex = scene.meshes.findIndex((m) => m.skin >= 0)
    expect([round(scene.meshes[skinIndex].positions), round(scene.meshes[skinIndex].normals)]).toEqual(rest[skinIndex])
    expect(scene.skeleton.restTranslation.subarray(3, 6)).toEqual(Float32Array.of(2, 3, 1))
    expect(model.bytes('mods/other.w3d')).toEqual(all['mods/other.w3d'])
    expect(model.bytes('walk.w3d')).toEqual(all['walk.w3d'])
    // the cloak, assembled with the moved skeleton, is where it was
    const before = open({ 'c.w3d': cloak, 'walker_skl.w3d': hierarchy() }).assembled.scene.meshes[0]
    const after = open({ 'c.w3d': model.bytes('mods/cloak.w3d'), 'walker_skl.w3d': model.bytes('walker_skl.w3d') }).assembled.scene
      .meshes[0]
    expect(round(after.positions)).toEqual(round(before.positions))
    expect(round(after.normals)).toEqual(round(before.normals))
    // and changed in its two streams of places and normals alone
    const [view] = meshesOf(w3dFile.decode(cloak, 'c'))
    expect(view.influences!.twoBone).toBe(true)
    const places = [0x02, 0x03, 0xc00, 0xc01].map((id) => find(cloak, u32(id, 36)) + 8)
    expect(changedRanges(cloak, model.bytes('mods/cloak.w3d')).every(([a, b]) => places.some((p) => a >= p && b <= p + 36))).toBe(true)
  })

  it('get another parent without moving, and none that hangs below them', () => {
    const all = files()
    const model = open(all)
    const worlds = () => {
      const pose = createPose(model.assembled.scene)
      poseRest(model.assembled.scene, pose)
      return round(pose.world)
    }
    const before = worlds()
    skeleton.reparent!(model, 3, 1)
    model.settle()
    expect(Array.from(model.assembled.scene.skeleton.parents)).toEqual([-1, 0, 1, 1])
    expect(worlds()).toEqual(before)
    for (const [joint, parent] of [
      [1, 2],
      [1, 1],
      [0, 1],
      [2, -1],
    ])
      expect(() => skeleton.reparent!(model, joint, parent), `${joint} ${parent}`).toThrow(
        expect.objectContaining({ code: 'invalid-edit' }),
      )
  })

  it('stand behind a new parent, and every file that counts them follows', () => {
    const all = {
      ...files(),
      'mods/cloak.w3d': cat(
        twoBoneSkin(),
        hlod('CLOAK', 'WALKER_SKL', [
          {
            size: 1,
            objects: [
              [0, 'WALKER.CLOAK'],
              [3, 'WALKER.GUN'],
            ],
          },
        ]),
      ),
      'mods/other.w3d': animation('OTHER', 'OTHER_SKL', 2, [channel(2, 0, 0, [1, 1])]),
    }
    const keys = { 'w3d.hierarchy:walker_skl': ['mods/cloak.w3d'], 'w3d.skin-of:walker_skl': ['mods/cloak.w3d'] }
    const model = open(all, keys, 'walker.w3d', ['mods/cloak.w3d', 'mods/other.w3d'])
    const state = () => {
      const { scene } = model.assembled
      const pose = createPose(scene)
      poseRest(scene, pose)
      const at = scene.skeleton.names.map((name, j) => [name, round(pose.world.subarray(16 * j, 16 * j + 16))] as const)
      return { at: Object.fromEntries(at), meshes: scene.meshes.map((m) => [m.name, scene.skeleton.names[m.joint], round(m.positions)]) }
    }
    skeleton.reparent!(model, 3, 1)
    model.settle()
    const before = state()
    skeleton.reparent!(model, 2, 3)
    model.settle()
    expect(Array.from(model.assembled.scene.skeleton.parents)).toEqual([-1, 0, 1, 2])
    expect(model.assembled.scene.skeleton.names[2]).toBe('MUZZLE01')
    expect(state()).toEqual(before)
    // the channel of pivot 2 is one of pivot 3 now: two bytes' low half, and nothing else of the animation
    expect(model.bytes('walk.w3d')).toEqual(animation('WALK', 'WALKER_SKL', 2, [channel(3, 0, 0, [1, 1])]))
    expect(model.bytes('mods/other.w3d')).toEqual(all['mods/other.w3d'])
    const numbers = changedRanges(all['mods/cloak.w3d'], model.bytes('mods/cloak.w3d'))
    expect(numbers.length).toBeGreaterThan(0)
    expect(numbers.every(([a, b]) => b - a === 1)).toBe(true)
    // with two skeletons of the name it cannot be told whose pivots are counted
    const twins = open(files(), { 'w3d.hierarchy:walker_skl': ['walker.w3d'] }, 'walker.w3d')
    skeleton.reparent!(twins, 3, 1)
    twins.settle()
    twins.providing = () => ['a.w3d', 'b.w3d']
    expect(() => skeleton.reparent!(twins, 2, 3)).toThrow(/cannot be told whose/)
  })

  it('tell what refers to them', () => {
    const model = open(files(), { 'w3d.hierarchy:walker_skl': ['elsewhere.w3d', 'walker.w3d'] })
    expect(skeleton.references(model, 2)).toEqual([
      { ref: 'walker_skl.w3d', what: 'parent of MUZZLE01' },
      { ref: 'walker.w3d', what: '1 vertex of WALKER.SKIN' },
      { ref: 'walk.w3d', what: 'moved by the animation WALK' },
      { ref: 'elsewhere.w3d', what: 'names the skeleton WALKER_SKL' },
    ])
    expect(skeleton.references(model, 3)).toContainEqual({ ref: 'walker.w3d', what: 'WALKER.GUN hangs on it' })
  })
})

describe('weights', () => {
  const one = () => ({ 'walker.w3d': cat(skin(), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.SKIN']] }]), hierarchy()) })
  const two = () => ({
    'walker.w3d': cat(twoBoneSkin(), hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.CLOAK']] }]), hierarchy()),
  })
  const edit = (id: string, vertices: number[], rows: [number, number][][]) => ({
    id,
    vertices: Uint32Array.from(vertices),
    offsets: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).reduce((n, r) => n + r.length, 0))]),
    bone: Uint16Array.from(rows.flat().map(([b]) => b)),
    weight: Float32Array.from(rows.flat().map(([, w]) => w)),
  })

  it('are read in the scale of the file', () => {
    const a = open(one())
    expect(weights.list(a)).toEqual([{ id: 'walker.w3d#mesh[0]', mesh: 'WALKER.SKIN', sceneMesh: 0, vertexCount: 4 }])
    const single = weights.read(a, 'walker.w3d#mesh[0]')
    expect(single.limits).toMatchObject({ fullWeight: 1, maxInfluences: 1, readOnly: '' })
    expect([Array.from(single.bone), Array.from(single.weight)]).toEqual([
      [1, 1, 2, 3],
      [1, 1, 1, 1],
    ])
    expect(single.bones.map((b) => b.name)).toEqual(['ROOTTRANSFORM', 'BODY', 'TURRET', 'MUZZLE01'])
    const double = weights.read(open(two()), 'walker.w3d#mesh[0]')
    expect(double.limits).toMatchObject({ fullWeight: 100, maxInfluences: 2, step: 1 })
    expect([Array.from(double.offsets), Array.from(double.bone), Array.from(double.weight)]).toEqual([
      [0, 1, 3, 5],
      [1, 1, 2, 1, 2],
      [100, 75, 25, 50, 50],
    ])
  })

  it('write a vertex in the space of its new bone, so that it stays in place', () => {
    const files = one()
    const model = open(files)
    const before = model.assembled.scene.meshes[0]
    weights.write(model, edit('walker.w3d#mesh[0]', [1, 2], [[[3, 1]], [[2, 1]]]))
    model.settle()
    const after = model.assembled.scene.meshes[0]
    expect(round(after.positions)).toEqual(round(before.positions))
    expect(round(after.normals)).toEqual(round(before.normals))
    expect(Array.from(weights.read(model, 'walker.w3d#mesh[0]').bone)).toEqual([1, 3, 2, 3])
    // vertex 1: its place, its bone; vertex 2 and all padding stay. The normal points up for both bones
    const bytes = files['walker.w3d']
    const places = find(bytes, u32(0x02, 48)) + 8 + 12
    const bone = find(bytes, u32(0x0e, 32)) + 8 + 8
    expect(
      changedRanges(bytes, model.bytes('walker.w3d')).every(([a, b]) => (a >= places && b <= places + 12) || (a >= bone && b <= bone + 2)),
    ).toBe(true)
    expect(() =>
      weights.write(
        model,
        edit(
          'walker.w3d#mesh[0]',
          [0],
          [
            [
              [1, 1],
              [2, 1],
            ],
          ],
        ),
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => weights.write(model, edit('walker.w3d#mesh[0]', [0], [[[77, 1]]]))).toThrow(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(() => weights.write(model, edit('walker.w3d#mesh[0]', [0], [[]]))).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('leave every bit of a place that a bone keeps', () => {
    const places = f32(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    const norm = Math.hypot(0.1, 0.2, 0.3, 0.9)
    const bones = hierarchy([
      { name: 'R', parent: -1, trans: [0, 0, 0] },
      { name: 'A', parent: 0, trans: [0.7, 0.1, 5.3], quat: [0.1 / norm, 0.2 / norm, 0.3 / norm, 0.9 / norm] },
      { name: 'B', parent: 1, trans: [0.3, 0.9, 0.1], quat: [0.3 / norm, 0.1 / norm, 0.2 / norm, 0.9 / norm] },
    ])
    const body = mesh({
      meshName: 'A',
      version: 0x50000,
      attributes: 0x20000,
      vertices: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
      triangles: [[0, 1, 0]],
      chunks: [
        chunk(0xc00, false, places),
        chunk(0xc01, false, f32(0, 0, 1, 0, 0, 1)),
        chunk(0x0e, false, u16(1, 0, 100, 0, 1, 0, 100, 0)),
      ],
    })
    const file = cat(body, hlod('WALKER', 'WALKER_SKL', [{ size: 1, objects: [[0, 'WALKER.A']] }]), bones)
    const model = open({ 'walker.w3d': file })
    const rest = round(model.assembled.scene.meshes[0].positions)
    weights.write(
      model,
      edit(
        'walker.w3d#mesh[0]',
        [0],
        [
          [
            [1, 60],
            [2, 40],
          ],
        ],
      ),
    )
    const first = find(file, u32(0x02, 24)) + 8
    const second = find(file, u32(0xc00, 24)) + 8
    const after = model.bytes('walker.w3d')
    expect(after.subarray(first, first + 24)).toEqual(places)
    expect(after.subarray(second, second + 12)).not.toEqual(places.subarray(0, 12))
    expect(after.subarray(second + 12, second + 24)).toEqual(places.subarray(12))
    // the first bone goes: the second keeps its place, which moves into the first stream
    const kept = after.slice(second, second + 12)
    model.settle()
    weights.write(model, edit('walker.w3d#mesh[0]', [0], [[[2, 100]]]))
    expect(model.bytes('walker.w3d').subarray(first, first + 12)).toEqual(kept)
    expect(model.bytes('walker.w3d').subarray(second, second + 12)).toEqual(kept)
    model.settle()
    expect(round(model.assembled.scene.meshes[0].positions)).toEqual(rest)
  })

  it('write two bones as whole percents that sum to 100', () => {
    const files = two()
    const model = open(files)
    const before = model.assembled.scene.meshes[0]
    weights.write(
      model,
      edit(
        'walker.w3d#mesh[0]',
        [0, 1, 2],
        [
          [
            [1, 2],
            [3, 1],
          ],
          [
            [2, 25],
            [1, 75],
          ],
          [[2, 100]],
        ],
      ),
    )
    model.settle()
    expect(round(model.assembled.scene.meshes[0].positions)).toEqual(round(before.positions))
    const table = meshesOf(w3dFile.decode(model.bytes('walker.w3d'), 'x'))[0].influences!.table.u16
    expect(Array.from(table)).toEqual([1, 3, 67, 33, 1, 2, 75, 25, 2, 0, 100, 0])
  })
})

describeCorpus('w3d', (root) => {
  it('edits real files in few bytes, and plays what was edited', () => {
    const folder = filesBelow(`${root}/bfme-elladan`)
    const files = Object.fromEntries(folder.filter((f) => f.endsWith('.w3d')).map((f) => [f.slice(root.length + 1), readBytes(f)]))
    const model = open(files, {}, 'bfme-elladan/auelladan.w3d')
    const { scene } = model.assembled
    const rest = scene.meshes.map((m) => m.positions.slice())
    const joint = scene.skeleton.names.indexOf('BAT_SPINE1') >= 0 ? scene.skeleton.names.indexOf('BAT_SPINE1') : 3
    const t = Array.from(skeleton.fields(model, joint).find((f) => f.key === 'translation')!.value as number[])
    skeleton.setField!(model, joint, 'translation', [t[0] + 1, t[1], t[2] - 2], { keepSkin: true })
    model.settle()
    model.assembled.scene.meshes.forEach((m, i) => m.positions.forEach((v, k) => expect(Math.abs(v - rest[i][k])).toBeLessThan(1e-4)))
    const skl = 'bfme-elladan/gufaramir_skl.w3d'
    expect(changedRanges(files[skl], model.bytes(skl)).length).toBeLessThanOrEqual(8)
    for (const ref of Object.keys(files)) if (/_(atnf|idla|runa|diea)\./.test(ref)) expect(model.bytes(ref)).toEqual(files[ref])

    const clip = scene.clips.findIndex((c) => c.name === 'AUELLADAN_IDLA')
    for (const track of clips.tracks(model, clip)) {
      const k = Math.floor(track.times.length / 2)
      const size = model.bytes(track.ref).length
      const value = Array.from(track.values.subarray(k * track.components.length, (k + 1) * track.components.length), (v) => v + 0.001)
      clips.editKeys(model, [set(track, [k], value)])
      expect(model.bytes(track.ref).length).toBe(size)
      const now = clips.tracks(model, clip).find((x) => x.id === track.id)!
      const near = track.limits.packed ? 0.02 : 1e-6
      for (let i = 0; i < now.values.length; i++) expect(Math.abs(now.values[i] - track.values[i])).toBeLessThan(near + 0.0011)
    }
  })
})
