import fc from 'fast-check'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { anmFormat } from '../../../src/main/formats/renderware/codecs/anm.ts'
import { ID } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { codecLabel } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { OPTION } from '../../../src/main/formats/renderware/scene/options.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { newDff, newIfp, newTxd } from '../../../src/main/formats/renderware/make.ts'
import { decodeLevel, levelSize } from '../../../src/main/formats/renderware/codecs/raster.ts'
import { boneMatrix, skinPlg } from '../../../src/main/formats/renderware/codecs/skin.ts'
import { splitProblems } from '../../../src/main/formats/renderware/codecs/skin-split.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { rasterText } from '../../../src/main/formats/renderware/codecs/texture-native.ts'
import { texturesOf, txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { createPose, poseRest } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import { FRAME_WORDS } from '../../../src/main/formats/renderware/codecs/frame-list.ts'
import { legacyPed } from '../../fixtures/renderware/legacy.ts'
import { encodeDff, oddDff, payload, pedModel, skinOf } from '../../fixtures/renderware/ped.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { junk } from '../../support/hostile.ts'
import { expectOnlyKeys } from '../../support/edit-ranges.ts'
import { changedRanges, memoryModel } from '../../support/edit-session.ts'
import type { DffDocument } from '../../../src/main/formats/renderware/codecs/dff.ts'
import type { IfpDocument } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'
import type { NewModel, NewRaster } from '../../../src/main/formats/renderware/make.ts'
import type { TextureNative } from '../../../src/main/formats/renderware/codecs/texture-native.ts'
import type { TxdDocument } from '../../../src/main/formats/renderware/codecs/txd.ts'
import type { ModelChoices } from '../../../src/main/formats/binding.ts'
import type { FileFormat } from '../../../src/main/formats/format.ts'
import type { MemoryModel } from '../../support/edit-session.ts'
import type { NativeTrack } from '../../../src/shared/api/types/clips.ts'

const { clips, weights, skeleton, textures } = {
  clips: renderware.editor.clips!,
  weights: renderware.editor.weights!,
  skeleton: renderware.editor.skeleton!,
  textures: renderware.editor.textures!,
}

function open(files: Record<string, { format: FileFormat; bytes: Uint8Array }>, choices: ModelChoices = {}): MemoryModel {
  const refs = Object.keys(files)
  return memoryModel(
    renderware,
    { family: 'renderware', name: 'm', primary: refs[0], members: refs.map((ref) => ({ role: 'x', ref, why: 'name', detail: '' })) },
    files,
    choices,
  )
}

const dff = (bytes = encodeDff(newDff(pedModel()))): { format: FileFormat; bytes: Uint8Array } => ({ format: dffFormat, bytes })
const turn = Math.SQRT1_2
const CLIP = {
  name: 'walk',
  tracks: [
    {
      bone: 'Root',
      id: 0,
      times: [0, 0.5, 1],
      rotations: [0, 0, 0, 1, 0, 0, turn, turn, 0, 0, 1, 0],
      translations: [0, 0, 1, 0, 1, 1, 0, 2, 1],
    },
    { bone: ' Spine', id: 2, times: [0, 1], rotations: [0, 0, 0, 1, 0, turn, 0, turn] },
  ],
}
const ifp = (kind: 'ANP3' | 'ANPK' = 'ANP3'): { format: FileFormat; bytes: Uint8Array } => ({
  format: ifpFormat,
  bytes: encodeDocument(ifpFormat, newIfp('pack', [CLIP, { ...CLIP, name: 'other' }], kind)).bytes.slice(),
})
const track = (model: MemoryModel, property: string, joint: string, clip = 0): NativeTrack =>
  clips.tracks(model, clip).find((t) => t.property === property && t.target.trim() === joint)!
const nothing = { around: undefined as never, load: () => undefined }
const lintCodes = (document: DffDocument): string[] =>
  renderware
    .lint(document, nothing)
    .filter((d) => d.severity !== 'info' || d.code === 'renderware.used-bones-missing')
    .map((d) => d.code)

describe('weights', () => {
  const edit = (model: MemoryModel, vertex: number, pairs: [number, number][]): void => {
    const { id } = weights.list(model)[0]
    weights.write(model, {
      id,
      vertices: Uint32Array.of(vertex),
      offsets: Uint32Array.of(0, pairs.length),
      bone: Uint16Array.from(pairs, (p) => p[0]),
      weight: Float32Array.from(pairs, (p) => p[1]),
    })
  }
  /** offset of the weights in the file */
  const weightsAt = (model: MemoryModel): { indices: number; weights: number } => {
    const node = renderware.formats[0].describe(model.document('ped.dff') as never)
    const walk = (n: typeof node): typeof node | undefined => (n.type === codecLabel(skinPlg) ? n : n.children.map(walk).find(Boolean))
    const fields = walk(node)!.fields
    return {
      indices: fields.find((f) => f.name === 'vertexBoneIndices')!.start,
      weights: fields.find((f) => f.name === 'vertexBoneWeights')!.start,
    }
  }
  it('are read with bones and joints', () => {
    const model = open({ 'ped.dff': dff() })
    const list = weights.list(model)
    expect(list).toMatchObject([{ mesh: 'clump', sceneMesh: 0, vertexCount: 5 }])
    const read = weights.read(model, list[0].id)
    expect(read.bones).toEqual([
      { name: 'Root', joint: 1 },
      { name: 'Spine', joint: 3 },
      { name: 'R Arm', joint: 4 },
      { name: 'L Arm', joint: 2 },
    ])
    expect(Array.from(read.offsets)).toEqual([0, 2, 3, 4, 6, 9])
    expect(Array.from(read.bone.slice(0, 2))).toEqual([3, 1])
    expect(read.limits).toMatchObject({ fullWeight: 1, maxInfluences: 4 })
  })
  it('edited change their own bytes and nothing else', () => {
    const model = open({ 'ped.dff': dff(oddDff()) })
    const at = weightsAt(model)
    const before = model.bytes('ped.dff')
    edit(model, 0, [
      [3, 0.25],
      [1, 0.75],
    ])
    const ranges = changedRanges(before, model.bytes('ped.dff'))
    for (const [a, b] of ranges) expect(a >= at.weights && b <= at.weights + 16, `${a}..${b}`).toBe(true)
    expect(ranges.length).toBeGreaterThan(0)
    // a new bone takes a free slot: its index byte and its weight
    const second = model.bytes('ped.dff')
    edit(model, 1, [
      [2, 0.5],
      [0, 0.5],
    ])
    for (const [a, b] of changedRanges(second, model.bytes('ped.dff')))
      expect((a >= at.weights + 16 && b <= at.weights + 32) || (a >= at.indices + 4 && b <= at.indices + 8)).toBe(true)
    // the same weights again change nothing
    const third = model.bytes('ped.dff')
    const read = weights.read(model, weights.list(model)[0].id)
    weights.write(model, {
      id: read.id,
      vertices: Uint32Array.from({ length: 5 }, (_, i) => i),
      offsets: read.offsets,
      bone: read.bone,
      weight: read.weight,
    })
    expect(model.bytes('ped.dff')).toEqual(third)
  })
  it("keep the lists of the header as the model's choice says", () => {
    const shrunk = (): Uint8Array => {
      const document = newDff(pedModel())
      const skin = skinOf(document)
      // bone 2 has no weights any more
      for (let i = 0; i < skin.indices.length; i++) if (skin.indices[i] === 2 && skin.weights[i] > 0) skin.indices[i] = 1
      skin.used = Uint8Array.of(0, 1, 3)
      skin.numUsed = 3
      skin.maxWeights = 3
      return encodeDff(document)
    }
    const results = ['extend', 'recompute', 'leave'].map((choice) => {
      const model = open({ 'ped.dff': dff(shrunk()) }, { [OPTION.weightLists]: choice })
      expect(model.assembled.options[0]).toMatchObject({ key: OPTION.weightLists, value: choice })
      edit(model, 3, [[2, 1]])
      edit(model, 0, [
        [2, 0.4],
        [1, 0.2],
        [0, 0.2],
        [3, 0.2],
      ])
      model.settle()
      const document = model.document('ped.dff') as DffDocument
      const skin = skinOf(document)
      return [Array.from(skin.used), skin.numUsed, skin.maxWeights, lintCodes(document)]
    })
    expect(results[0]).toEqual([[0, 1, 2, 3], 4, 4, []])
    expect(results[1]).toEqual([[0, 1, 2, 3], 4, 4, []])
    expect(results[2]).toEqual([[0, 1, 3], 3, 3, ['renderware.used-bones-missing', 'renderware.max-weights-low']])
  })
  it('of a divided skin get palettes for their new bones', () => {
    const divided = pedModel({ boneLimit: 3 })
    const rigid = divided.geometries[0].skin!
    rigid.weights.fill(0)
    for (const [v, bone] of [3, 1, 3, 0, 1].entries()) {
      rigid.indices[4 * v] = bone
      rigid.weights[4 * v] = 1
    }
    const model = open({ 'ped.dff': dff(encodeDff(newDff(divided))) })
    edit(model, 2, [
      [2, 0.5],
      [1, 0.5],
    ])
    model.settle()
    const geometry = readModel(model.document('ped.dff') as DffDocument).clumps[0].geometries[0]
    expect(geometry.skin!.split!.boneLimit).toBe(3)
    expect(splitProblems(geometry.skin!, geometry.binMesh)).toEqual([])
    expect(lintCodes(model.document('ped.dff') as DffDocument)).toEqual([])
    // four bones on one mesh do not fit a palette of three
    expect(() =>
      edit(model, 2, [
        [0, 0.25],
        [1, 0.25],
        [2, 0.25],
        [3, 0.25],
      ]),
    ).toThrow(/more than 3 bones/)
  })
  it('that cannot be stored are refused', () => {
    const model = open({ 'ped.dff': dff() })
    expect(() => edit(model, 0, [[4, 1]])).toThrow(/no bone 4/)
    expect(() => edit(model, 9, [[0, 1]])).toThrow(/no vertex 9/)
    expect(() => edit(model, 0, [[0, NaN]])).toThrow(/cannot be stored/)
    expect(() => edit(model, 0, [[0, -1]])).toThrow(/cannot be stored/)
  })
  it('read back as they were written, for any weights', () => {
    fc.assert(
      fc.property(
        fc.nat(4),
        fc.uniqueArray(fc.nat(3), { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 4, maxLength: 4 }),
        (vertex, bones, parts) => {
          const model = open({ 'ped.dff': dff() })
          edit(
            model,
            vertex,
            bones.map((b, i) => [b, parts[i] / 8]),
          )
          model.settle()
          const read = weights.read(model, weights.list(model)[0].id)
          const got = Array.from(read.bone.subarray(read.offsets[vertex], read.offsets[vertex + 1]), (b, i) => [
            b,
            read.weight[read.offsets[vertex] + i],
          ])
          expect(got.sort((a, b) => a[0] - b[0])).toEqual(bones.map((b, i) => [b, parts[i] / 8]).sort((a, b) => a[0] - b[0]))
        },
      ),
    )
  })
})

describe('keys', () => {
  for (const kind of ['ANP3', 'ANPK'] as const) {
    const rate = kind === 'ANP3' ? 60 : 1
    it(`of ${kind} are listed in the file's own values`, () => {
      const model = open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) })
      const list = clips.tracks(model, 0)
      expect(list.map((t) => [t.property, t.target.trim(), t.joint, t.times.length, t.components.join('')])).toEqual([
        ['rotation', 'Root', 1, 3, 'xyzw'],
        ['translation', 'Root', 1, 3, 'xyz'],
        ['rotation', 'Spine', 3, 2, 'xyzw'],
      ])
      expect(Array.from(list[0].times)).toEqual([0, 0.5 * rate, rate])
      expect(Array.from(list[1].values)).toEqual([0, 0, 1, 0, 1, 1, 0, 2, 1])
      expect(list[0].limits.timeStep).toBe(kind === 'ANP3' ? 1 : 0)
      // native <-> scene
      const scene = model.assembled.scene.clips[0].tracks
      for (const [i, t] of [list[0], list[1], list[2]].entries()) {
        const width = t.components.length
        const key = t.times.length - 1
        clips
          .fromScene(model, t, scene[i].values.slice(width * key, width * key + width))
          .forEach((v, c) => expect(v).toBeCloseTo(t.values[width * key + c], 3))
      }
    })
    it(`of ${kind} edited change their own bytes`, () => {
      const model = open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) })
      const before = model.bytes('p.ifp')
      const t = track(model, 'translation', 'Root')
      clips.editKeys(model, [
        { track: t.id, set: { keys: Uint32Array.of(1), times: Float64Array.of(t.times[1]), values: Float32Array.of(0, 1.5, 1) } },
      ])
      const ranges = changedRanges(before, model.bytes('p.ifp'))
      expect(ranges).toHaveLength(1)
      expect(ranges[0][1] - ranges[0][0]).toBeLessThanOrEqual(4)
      // all keys set to what they are
      const again = model.bytes('p.ifp')
      for (const each of clips.tracks(model, 0))
        clips.editKeys(model, [
          { track: each.id, set: { keys: Uint32Array.from(each.times, (_, i) => i), times: each.times, values: each.values } },
        ])
      expect(model.bytes('p.ifp')).toEqual(again)
    })
    it(`of ${kind} change the bytes of each key of each track and no other`, () => {
      const count = clips.tracks(open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) }), 0).length
      for (let at = 0; at < count; at++) {
        const { times } = clips.tracks(open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) }), 0)[at]
        for (const k of times.keys()) {
          const model = open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) })
          const before = model.bytes('p.ifp')
          const t = clips.tracks(model, 0)[at]
          const values = t.property === 'rotation' ? Float32Array.of(0.6, 0, 0, -0.8) : Float32Array.of(0.5, 0.25, -0.125)
          clips.editKeys(model, [{ track: t.id, set: { keys: Uint32Array.of(k), times: Float64Array.of(times[k]), values } }])
          const { changed } = expectOnlyKeys('p.ifp', before, model.bytes('p.ifp'), [
            { track: t, at: (time) => Math.abs(time - times[k]) < 1e-6 },
          ])
          expect([...changed.keys()]).toEqual([t.id])
        }
      }
    })
    it(`of ${kind} put in and taken out move all parts of the bone`, () => {
      const model = open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) })
      clips.editKeys(model, [
        {
          track: track(model, 'rotation', 'Root').id,
          insert: { times: Float64Array.of(0.75 * rate), values: Float32Array.of(0, 0, 0, 1) },
        },
      ])
      model.settle()
      expect(model.document('p.ifp')!.diagnostics).toEqual([])
      const moved = track(model, 'translation', 'Root')
      expect(Array.from(moved.times)).toEqual([0, 0.5 * rate, 0.75 * rate, rate])
      expect(Array.from(moved.values.slice(6, 9))).toEqual([0, 1.5, 1])
      clips.editKeys(model, [{ track: moved.id, remove: Uint32Array.of(0, 2) }])
      model.settle()
      expect(Array.from(track(model, 'rotation', 'Root').times)).toEqual([0.5 * rate, rate])
      expect(Array.from(track(model, 'rotation', 'Spine').times)).toEqual([0, rate])
      expect(track(model, 'rotation', 'Root', 1).times).toHaveLength(3)
    })
    it(`of ${kind} moved past others are put in order`, () => {
      const model = open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) })
      const t = track(model, 'rotation', 'Root')
      clips.editKeys(model, [
        { track: t.id, set: { keys: Uint32Array.of(0), times: Float64Array.of(2 * rate), values: t.values.slice(0, 4) } },
      ])
      model.settle()
      expect(Array.from(track(model, 'translation', 'Root').times)).toEqual([0.5 * rate, rate, 2 * rate])
      expect(Array.from(track(model, 'translation', 'Root').values.slice(6))).toEqual([0, 0, 1])
    })
    it(`of ${kind}: bones and translations come and go, names change`, () => {
      const model = open({ 'ped.dff': dff(), 'p.ifp': ifp(kind) })
      const before = model.bytes('p.ifp')
      const arm = model.assembled.scene.skeleton.names.indexOf('R Arm')
      clips.addTrack!(model, 0, arm, 'rotation')
      model.settle()
      expect(model.document('p.ifp')!.diagnostics).toEqual([])
      expect(track(model, 'rotation', 'R Arm')).toMatchObject({ joint: arm })
      expect((model.document('p.ifp') as IfpDocument).animations[0].bones[2].boneId).toBe(21)
      clips.addTrack!(model, 0, arm, 'translation')
      model.settle()
      expect(Array.from(track(model, 'translation', 'R Arm').values)).toEqual([0.5, 0, 0])
      clips.removeTrack!(model, track(model, 'translation', 'R Arm').id)
      model.settle()
      clips.removeTrack!(model, track(model, 'rotation', 'R Arm').id)
      model.settle()
      expect(model.bytes('p.ifp')).toEqual(before)
      expect(clips.fields!(model, 0)[0].value).toBe('walk')
      clips.setField!(model, 0, 'name', 'stroll_slowly')
      model.settle()
      expect(model.document('p.ifp')!.diagnostics).toEqual([])
      expect(model.assembled.scene.clips.map((c) => c.name)).toEqual(['stroll_slowly', 'other'])
      // games find animations by name, in any case
      expect(() => clips.setField!(model, 0, 'name', 'Other')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
      clips.setField!(model, 0, 'name', 'Stroll_Slowly')
    })
  }
  it('that do not fit are refused', () => {
    const model = open({ 'ped.dff': dff(), 'p.ifp': ifp() })
    const t = track(model, 'translation', 'Root')
    const set = (values: number[], time = 0): void =>
      clips.editKeys(model, [
        { track: t.id, set: { keys: Uint32Array.of(0), times: Float64Array.of(time), values: Float32Array.from(values) } },
      ])
    expect(() => set([40, 0, 0])).toThrow(/does not fit/)
    expect(() => set([NaN, 0, 0])).toThrow(/no number/)
    expect(() => set([0, 0, 0], -1)).toThrow(/before time 0/)
    expect(() => clips.editKeys(model, [{ track: 'p.ifp#animations[9].bones[0].rotation' }])).toThrow(/no track/)
    expect(() => clips.editKeys(model, [{ track: 'nonsense' }])).toThrow(/no track/)
    expect(() => clips.setField!(model, 0, 'name', 'a name that has too many characters')).toThrow(/23/)
  })
  it('of .anm files change in value, and only there', () => {
    const key = (time: number, x: number, previous: number): Uint8Array => payload({ f32: [time, 0, 0, 0, 1, x, 0, 0] }, previous)
    const content = payload(
      0x100,
      1,
      8,
      0,
      { f32: [1] },
      key(0, 0, -1),
      key(0, 1, -1),
      key(0, 2, -1),
      key(0, 3, -1),
      key(1, 4, 0),
      key(1, 5, 36),
      key(1, 6, 72),
      key(1, 7, 108),
    )
    const model = open({
      'ped.dff': dff(),
      'a.anm': { format: anmFormat, bytes: payload(ID.animAnimation, content.length, 0x1803ffff, content) },
    })
    const t = clips.tracks(model, 0).find((x) => x.property === 'translation' && x.target.trim() === 'Spine')!
    expect(Array.from(t.values)).toEqual([1, 0, 0, 5, 0, 0])
    const before = model.bytes('a.anm')
    clips.editKeys(model, [{ track: t.id, set: { keys: Uint32Array.of(1), times: Float64Array.of(1), values: Float32Array.of(5, 2, 0) } }])
    // head of the chunk, that of the animation, five keys before; time and rotation; x. Of y 2.0 has one byte that is not zero
    const y = 12 + 20 + 36 * 5 + 4 + 16 + 4
    expect(changedRanges(before, model.bytes('a.anm'))).toEqual([[y + 3, y + 4]])
    expect(() => clips.editKeys(model, [{ track: t.id, remove: Uint32Array.of(0) }])).toThrow(/cannot be put in or taken out/)
    expect(() =>
      clips.editKeys(model, [
        { track: t.id, set: { keys: Uint32Array.of(1), times: Float64Array.of(2), values: Float32Array.of(5, 2, 0) } },
      ]),
    ).toThrow(/cannot be changed/)
  })
})

describe('frames', () => {
  it('are renamed, and get a name where they have none', () => {
    const model = open({ 'ped.dff': dff(), 'p.ifp': ifp() })
    const before = model.bytes('ped.dff')
    const spine = model.assembled.scene.skeleton.names.indexOf('Spine')
    skeleton.rename!(model, spine, 'Torso')
    expect(changedRanges(before, model.bytes('ped.dff')).every(([a, b]) => b - a <= 5)).toBe(true)
    skeleton.rename!(model, spine, 'Torso of it')
    model.settle()
    expect(model.assembled.scene.skeleton.names[spine]).toBe('Torso of it')
    expect(() => skeleton.rename!(model, spine, 'a name of more than twenty-three')).toThrow(/23 characters/)
    expect(() => skeleton.rename!(model, spine, 'ü')).toThrow(/ASCII/)
    const document = model.edit<DffDocument>('ped.dff')
    readModel(document).clumps[0].frames[3].extension!.children!.pop()
    model.settle()
    expect(model.assembled.scene.skeleton.names[spine]).toBe('frame 3')
    skeleton.rename!(model, spine, 'Again')
    model.settle()
    expect(model.assembled.scene.skeleton.names[spine]).toBe('Again')
  })
  it('move, and change their numbers in the table too', () => {
    const rigid = {
      ...pedModel(),
      nodes: undefined,
      frames: pedModel().frames.map((f) => ({ ...f, nodeId: undefined })),
      geometries: [{ ...pedModel().geometries[0], skin: undefined }],
    }
    const model = open({ 'ped.dff': dff(encodeDff(newDff(rigid))) })
    const before = model.bytes('ped.dff')
    expect(skeleton.fields(model, 3).map((f) => f.key)).toEqual(['name', 'position', 'right', 'up', 'at'])
    skeleton.setField!(model, 3, 'position', [0, 0, 0.75], { keepSkin: false })
    expect(changedRanges(before, model.bytes('ped.dff'))).toHaveLength(1)
    model.settle()
    expect(model.assembled.scene.skeleton.restTranslation[3 * 3 + 1]).toBe(0.75)
    const skinned = open({ 'ped.dff': dff() })
    const bytes = skinned.bytes('ped.dff')
    skeleton.setField!(skinned, 3, 'nodeId', '77', { keepSkin: false })
    // its own number and the table's
    expect(changedRanges(bytes, skinned.bytes('ped.dff')).map(([a, b]) => b - a)).toEqual([1, 1])
    expect(() => skeleton.setField!(skinned, 3, 'nodeId', '21', { keepSkin: false })).toThrow(/another bone/)
    expect(() => skeleton.setField!(skinned, 3, 'position', [1, 2], { keepSkin: false })).toThrow(/three numbers/)
    expect(skeleton.references(skinned, 0)).toEqual([{ ref: 'ped.dff', what: 'carries the mesh clump' }])
  })
})

describe('bones of skins', () => {
  type Change = (model: NewModel) => void
  const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z]
  const bytes = (layout: 'new' | 'old' | 'split', change: Change = () => {}): Uint8Array => {
    const build = (): NewModel => pedModel(layout === 'split' ? { boneLimit: 4 } : { layout })
    const model = build()
    change(model)
    const document = newDff(model)
    // the sphere stays about its middle, and is widened where a vertex leaves it
    const [sphere, old] = [document, newDff(build())].map((d) => readModel(d).clumps[0].geometries[0].struct!.morphs[0].sphere)
    sphere.set(old)
    const { positions } = model.geometries[0]
    let most = sphere[3]
    for (let v = 0; v < positions.length; v += 3)
      most = Math.max(
        most,
        Math.fround(Math.hypot(positions[v] - sphere[0], positions[v + 1] - sphere[1], positions[v + 2] - sphere[2]) * (1 + 1e-6)),
      )
    sphere[3] = most
    return encodeDff(document).slice()
  }
  const named = (model: MemoryModel, name: string): number => model.assembled.scene.skeleton.names.indexOf(name)
  /** the mesh of the scene at rest */
  const atRest = (model: MemoryModel): { positions: Float32Array; normals: Float32Array } => {
    const { scene } = model.assembled
    const pose = createPose(scene)
    poseRest(scene, pose)
    const mesh = scene.meshes[0]
    const skin = scene.skins[mesh.skin]
    const positions = new Float32Array(mesh.positions.length),
      normals = new Float32Array(mesh.positions.length)
    skinMesh(mesh, skin, pose, positions, normals, new Float32Array(16 * skin.joints.length))
    return { positions, normals }
  }
  const nearly = (a: ArrayLike<number>, b: ArrayLike<number>): void => {
    expect(a.length).toBe(b.length)
    for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i]), `number ${i}: ${a[i]}, ${b[i]}`).toBeLessThan(1e-5)
  }

  it.each(['new', 'old', 'split'] as const)('move below a skin that stays, byte by byte (%s)', (layout) => {
    const model = open({ 'ped.dff': dff(bytes(layout)) })
    const before = atRest(model)
    skeleton.setField!(model, named(model, 'Spine'), 'position', [0.25, 0, 0.75], { keepSkin: true })
    // spine and right arm are the bones 1 and 2; the left arm hangs on the root
    expect(model.bytes('ped.dff')).toEqual(
      bytes(layout, (m) => {
        m.frames[3].matrix = at(0.25, 0, 0.75)
        m.geometries[0].skin!.skinToBone.set([-0.25, -0, -1.75], 16 + 12)
        m.geometries[0].skin!.skinToBone.set([-0.75, -0, -1.75], 32 + 12)
      }),
    )
    model.settle()
    nearly(atRest(model).positions, before.positions)
    const { skeleton: bones } = model.assembled.scene
    expect([...bones.restTranslation.subarray(3 * named(model, 'Spine'), 3 * named(model, 'Spine') + 3)]).toEqual([-0.25, 0.75, 0])
  })
  it.each(['new', 'old', 'split'] as const)('take the skin along by its weights, byte by byte (%s)', (layout) => {
    const model = open({ 'ped.dff': dff(bytes(layout)) })
    skeleton.setField!(model, named(model, 'R Arm'), 'position', [0.75, 0, 0], { keepSkin: false })
    expect(model.bytes('ped.dff')).toEqual(
      bytes(layout, (m) => {
        m.frames[4].matrix = at(0.75, 0, 0)
        m.geometries[0].skin!.skinToBone[32 + 12] = -0.75
        m.geometries[0].positions[3] += 0.25
        m.geometries[0].positions[12] += 0.25 / 4
      }),
    )
  })
  it('turn with and without the skin; flags in the padding of a matrix stay', () => {
    for (const keepSkin of [true, false]) {
      const model = open({ 'ped.dff': dff(oddDff()) })
      const before = atRest(model)
      const old = boneMatrix(skinOf(model.document('ped.dff') as DffDocument), 1).slice()
      // a quarter turn about the scene's Y, which is the file's Z
      skeleton.place!(model, named(model, 'Spine'), { rotation: [0, turn, 0, turn] }, { keepSkin })
      model.settle()
      const after = boneMatrix(skinOf(model.document('ped.dff') as DffDocument), 1)
      for (const c of [3, 7, 11, 15])
        expect(new Uint32Array(after.buffer, after.byteOffset, 16)[c]).toBe(new Uint32Array(old.buffer, old.byteOffset, 16)[c])
      const now = atRest(model)
      const scene = model.assembled.scene
      const arm = named(model, 'R Arm')
      expect(scene.skeleton.parents[arm]).toBe(named(model, 'Spine'))
      if (keepSkin) nearly([...now.positions, ...now.normals], [...before.positions, ...before.normals])
      else {
        // vertex 1 is the right arm's alone, and goes round the spine with it, its normal too
        nearly(now.positions.subarray(3, 6), [0, 1.5, 0.6])
        nearly(now.normals.subarray(3, 6), [1, 0, 0])
        nearly(now.positions.subarray(6, 9), before.positions.subarray(6, 9))
      }
      nearly(scene.skeleton.restRotation.subarray(4 * named(model, 'Spine'), 4 * named(model, 'Spine') + 4), [0, turn, 0, turn])
      // there and back; a vertex between bones that were turned apart comes back by undo alone
      if (!keepSkin) continue
      skeleton.place!(model, named(model, 'Spine'), { rotation: [0, 0, 0, 1] }, { keepSkin })
      model.settle()
      nearly(atRest(model).positions, before.positions)
    }
  })
  it('go by the skin where frames stand in another pose, and leave these as they are', () => {
    const posed = (m: NewModel): void => void (m.frames[3].matrix = at(5, 5, 5))
    const model = open({ 'ped.dff': dff(bytes('new', posed)) })
    const spine = named(model, 'Spine')
    expect(skeleton.fields(model, spine).find((f) => f.key === 'position')).toMatchObject({
      value: [0, 0, 0.5],
      note: expect.stringMatching(/another pose/),
    })
    skeleton.setField!(model, spine, 'position', [0, 0, 1.5], { keepSkin: true })
    expect(model.bytes('ped.dff')).toEqual(
      bytes('new', (m) => {
        posed(m)
        m.geometries[0].skin!.skinToBone[16 + 14] = -2.5
        m.geometries[0].skin!.skinToBone[32 + 14] = -2.5
      }),
    )
    expect(() => skeleton.setField!(model, spine, 'up', [0, 0, 0], { keepSkin: true })).toThrow(/without a place/)
  })
  it('hang elsewhere where the order of the skin lets them: parent, place and flags follow', () => {
    const model = open({ 'ped.dff': dff(bytes('new')) })
    const before = atRest(model)
    const file = model.bytes('ped.dff')
    skeleton.reparent!(model, named(model, 'R Arm'), named(model, 'Root'))
    const expected = bytes('new', (m) => {
      m.frames[4].parent = 1
      m.frames[4].matrix = at(0.5, 0, 0.5)
    })
    expect(model.bytes('ped.dff')).toEqual(expected)
    model.settle()
    nearly(atRest(model).positions, before.positions)
    expect(lintCodes(model.document('ped.dff') as DffDocument)).toEqual(lintCodes(dffFormat.decode(file, 'ped.dff')))
    skeleton.reparent!(model, named(model, 'R Arm'), named(model, 'Spine'))
    expect(model.bytes('ped.dff')).toEqual(file)
  })
  it('of a skin on its atomic find their frames again: push and pop of the skin follow, byte by byte', () => {
    const file = (order: Parameters<typeof legacyPed>[0], change?: (document: DffDocument) => void): Uint8Array => {
      const document = dffFormat.decode(encodeDff(legacyPed(order)), 'old.dff')
      change?.(document)
      return encodeDff(document).slice()
    }
    const model = open({ 'old.dff': dff(file(['L Arm', 'R Arm'])) })
    skeleton.reparent!(model, named(model, 'R Arm'), named(model, 'L Arm'))
    expect(model.bytes('old.dff')).toEqual(
      file(['L Arm', 'R Arm'], (document) => {
        const clump = readModel(document).clumps[0]
        clump.frameList!.ints[FRAME_WORDS * 3 + 12] = 2
        clump.frameList!.floats.set([1, 0, 0], FRAME_WORDS * 3 + 9)
        clump.atomics[0].legacySkin!.bones[19 + 2] = 0x5a00
      }),
    )
    model.settle()
    expect([...model.assembled.scene.skeleton.names]).toEqual(['clump', 'Root', 'L Arm', 'R Arm'])
    for (const parent of ['L Arm', 'clump']) {
      const other = open({ 'old.dff': dff(file(['R Arm', 'L Arm'])) })
      expect(() => skeleton.reparent!(other, named(other, 'R Arm'), named(other, parent))).toThrow(/order of the skin/)
    }
  })
  it('stay where the file has no place for them, and say why', () => {
    const model = open({ 'ped.dff': dff(bytes('new')) })
    const hang =
      (bone: string, to: string): (() => void) =>
      () =>
        skeleton.reparent!(model, named(model, bone), to ? named(model, to) : -1)
    expect(hang('Root', 'Spine')).toThrow(/below itself/)
    expect(hang('Spine', '')).toThrow(/one root/)
    expect(hang('clump', 'Spine')).toThrow(/one root/)
    expect(hang('L Arm', 'Spine')).toThrow(/Spine is frame 3, L Arm is frame 2/)
    // the left arm is the last bone of the skin; below it the right one, which stands before it, would not be met on the way
    expect(hang('R Arm', 'L Arm')).toThrow(/order of the skin/)
    const native = open({ 'ped.dff': dff(bytes('new')) })
    readModel(native.document('ped.dff') as DffDocument).clumps[0].geometries[0].struct!.format |= 0x01000000
    expect(() => skeleton.setField!(native, named(native, 'Spine'), 'position', [0, 0, 1], { keepSkin: true })).toThrow(/console/)
  })
  it('are renamed in tracks that go by name when asked, byte by byte', () => {
    const byName = { ...CLIP, tracks: CLIP.tracks.map((t) => ({ ...t, id: -1 })) }
    const pack = (bone = ' Spine'): { format: FileFormat; bytes: Uint8Array } => ({
      format: ifpFormat,
      bytes: encodeDocument(
        ifpFormat,
        newIfp('pack', [{ ...byName, tracks: [byName.tracks[0], { ...byName.tracks[1], bone }] }, CLIP]),
      ).bytes.slice(),
    })
    const model = open({ 'ped.dff': dff(), 'p.ifp': pack() })
    const spine = named(model, 'Spine')
    expect(skeleton.namedBy!(model, spine)).toEqual(['p.ifp'])
    expect(skeleton.namedBy!(model, named(model, 'R Arm'))).toEqual([])
    skeleton.rename!(model, spine, 'Torso', false)
    expect(model.bytes('p.ifp')).toEqual(pack().bytes)
    model.settle()
    expect(skeleton.namedBy!(model, spine)).toEqual([])
    skeleton.rename!(model, spine, 'Spine')
    model.settle()
    skeleton.rename!(model, spine, 'Torso', true)
    expect(model.bytes('p.ifp')).toEqual(pack('Torso').bytes)
    model.settle()
    expect(skeleton.namedBy!(model, spine)).toEqual(['p.ifp'])
  })
})

describe('many keys', () => {
  // what one insert after the other does, key by key
  const oneByOne = (times: number[], inserts: number[]): number[] => {
    const out = [...times]
    for (const time of inserts) {
      if (out.includes(time)) continue
      const next = out.findIndex((t) => t > time)
      out.splice(next < 0 ? out.length : next, 0, time)
    }
    return out
  }
  it.each([
    ['in order', [0, 6, 12, 60], [3, 9, 9, 30, 66]],
    ['from the back', [0, 6, 12, 60], [66, 30, 9, 3, 12]],
    ['among keys that stand out of order', [0, 60, 6, 12, 90], [3, 75, 9, 60, 100, 6]],
  ])('put in %s stand where each alone would', (_, times, inserts) => {
    const tracks = [{ bone: 'Root', id: 0, times: times.map((t) => t / 60), rotations: times.flatMap(() => [0, 0, 0, 1]) }]
    const model = open({
      'ped.dff': dff(),
      'ped.ifp': { format: ifpFormat, bytes: encodeDocument(ifpFormat, newIfp('p', [{ name: 'c', tracks }])).bytes.slice() },
    })
    const { id } = track(model, 'rotation', 'Root')
    clips.editKeys(model, [
      { track: id, insert: { times: Float64Array.from(inserts), values: Float32Array.from(inserts.flatMap(() => [0, 0, 0, 1])) } },
    ])
    const bone = (model.document('ped.ifp') as IfpDocument).animations[0].bones[0]
    expect(Array.from({ length: bone.numKeys }, (_, k) => bone.shorts![5 * k + 4])).toEqual(oneByOne(times, inserts))
  })
})

describe('textures', () => {
  it('are replaced in their own format, and nothing else changes', () => {
    const rgba = new Uint8Array(4 * 64).fill(255)
    const bytes = encodeDocument(
      txdFormat,
      newTxd([
        { name: 'other', width: 8, height: 8, rgba, raster: '8888' },
        { name: 'skin', width: 8, height: 8, rgba, raster: '565', mips: true },
      ]),
    ).bytes.slice()
    const model = open({ 'ped.dff': dff(), 'ped.txd': { format: txdFormat, bytes } })
    const index = model.assembled.scene.textures.findIndex((t) => t.name === 'skin')
    const red = new Uint8Array(4 * 64)
    for (let i = 0; i < 64; i++) red.set([255, 0, 0, 255], 4 * i)
    textures.replace(model, index, 8, 8, red)
    const chunk = texturesOf(model.document('ped.txd') as TxdDocument)[1].chunk
    for (const [a, b] of changedRanges(bytes, model.bytes('ped.txd'))) expect(a >= chunk.start + 24 + 88 && b <= chunk.end).toBe(true)
    model.settle()
    expect(decodeLevel(texturesOf(model.document('ped.txd') as TxdDocument)[1].native!)).toEqual(red)
    textures.replace(model, index, 4, 4, red.slice(0, 64))
    model.settle()
    expect(model.document('ped.txd')!.diagnostics).toEqual([])
    expect(model.assembled.scene.textures[index]).toMatchObject({ width: 4, height: 4 })
    const missing = model.assembled.scene.textures.findIndex((t) => t.missing)
    expect(() => textures.replace(model, missing, 8, 8, red)).toThrow(/no dictionary/)
    expect(textures.storage(model, missing).readOnly).toMatch(/no dictionary/)
  })

  // quarters of red, clear, blue and white, which every format holds but for alpha and grey
  const picture = (width: number, height: number): Uint8Array => {
    const colors = [
      [255, 0, 0, 255],
      [0, 0, 0, 0],
      [0, 0, 255, 255],
      [255, 255, 255, 255],
    ]
    const out = new Uint8Array(4 * width * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) out.set(colors[(y >= height / 2 ? 2 : 0) + (x >= width / 2 ? 1 : 0)], 4 * (y * width + x))
    return out
  }
  const white = new Uint8Array(4 * 64).fill(255)
  const alphaOf: Record<NewRaster, number> = {
    '8888': 8,
    '888': 0,
    '565': 0,
    '1555': 1,
    '4444': 4,
    LUM8: 0,
    PAL8: 8,
    PAL4: 8,
    DXT1: 1,
    DXT3: 4,
    DXT5: 8,
  }
  describe.each([8, 9] as const)('of Direct3D %i', (platform) => {
    it.each(Object.keys(alphaOf) as NewRaster[])('%s: what goes in comes out, levels and flag follow', (raster) => {
      const bytes = encodeDocument(
        txdFormat,
        newTxd([
          { name: 'before', width: 4, height: 4, rgba: white.slice(0, 64), raster: '8888', platform },
          { name: 'skin', width: 8, height: 8, rgba: white, raster, platform, mips: true },
          { name: 'after', width: 4, height: 4, rgba: white.slice(0, 64), raster: '8888', platform },
        ]),
      ).bytes.slice()
      const model = open({ 'a.txd': { format: txdFormat, bytes } })
      const at = (): TextureNative => texturesOf(model.document('a.txd') as TxdDocument)[1].native!
      const flag = (): number => (platform === 9 ? at().flags & 1 : at().alphaOrFormat)
      expect(flag()).toBe(0)
      const storage = textures.storage(model, 1)
      expect(storage).toMatchObject({
        format: `${rasterText(at())}, Direct3D ${platform}`,
        alphaBits: alphaOf[raster],
        levels: 4,
        readOnly: '',
        colors: raster === 'PAL8' ? 256 : raster === 'PAL4' ? 32 : 0,
      })
      expect(storage.notes.length).toBeGreaterThan(0)
      const chunk = texturesOf(model.document('a.txd') as TxdDocument)[1].chunk
      textures.replace(model, 1, 8, 8, picture(8, 8))
      // outside of this texture no byte differs
      for (const [from, to] of changedRanges(bytes, model.bytes('a.txd'))) expect(from >= chunk.start && to <= chunk.end).toBe(true)
      model.settle()
      const expected = picture(8, 8)
      for (let i = 0; i < expected.length; i += 4) {
        if (alphaOf[raster] === 0) expected[i + 3] = 255
        if (raster === 'LUM8') expected.fill(Math.round(0.299 * expected[i] + 0.587 * expected[i + 1] + 0.114 * expected[i + 2]), i, i + 3)
      }
      expect(model.assembled.scene.textures[1].rgba).toEqual(expected)
      expect(flag()).toBe(alphaOf[raster] ? 1 : 0)
      textures.replace(model, 1, 16, 12, picture(16, 12))
      model.settle()
      expect([at().width, at().height, at().numLevels, at().levels.map((l) => l.data.length)]).toEqual([
        16,
        12,
        5,
        Array.from({ length: 5 }, (_, i) => levelSize(at(), i)),
      ])
      textures.replace(model, 1, 8, 8, white)
      expect(flag()).toBe(0)
      // the picture of before in the size of before is the file of before, but for a palette, and bytes that 888 keeps, that have gone
      if (!at().palette.length && raster !== '888') expect(model.bytes('a.txd')).toEqual(bytes)
    })
  })
  it.each(['DXT1', 'DXT5', 'PAL8'] as const)('%s: what a picture does not change keeps its bytes, smaller levels too', (raster) => {
    const document = newTxd([{ name: 'a', width: 32, height: 32, rgba: picture(32, 32), raster, mips: true }])
    // levels and blocks that this project's packer would not make
    for (const level of texturesOf(document)[0].native!.levels)
      junk(level.data.length, level.data.length).forEach((v, i) => (level.data[i] = raster === 'PAL8' ? v % 8 : v))
    const bytes = encodeDocument(txdFormat, document).bytes.slice()
    const model = open({ 'a.txd': { format: txdFormat, bytes } })
    const rgba = model.assembled.scene.textures[0].rgba.slice()
    textures.replace(model, 0, 32, 32, rgba)
    expect(model.bytes('a.txd')).toEqual(bytes)
    // one pixel: one block of each level
    rgba.set(raster === 'PAL8' ? [255, 0, 0, 255] : [9, 200, 77, 255], 4 * (17 * 32 + 9))
    textures.replace(model, 0, 32, 32, rgba)
    const now = texturesOf(model.document('a.txd') as TxdDocument)[0].native!
    const before = texturesOf(txdFormat.decode(bytes, 'a.txd'))[0].native!
    const unit = raster === 'DXT1' ? 8 : raster === 'DXT5' ? 16 : 1
    now.levels.forEach((level, i) => {
      const changed = new Set(
        [...level.data.keys()].filter((k) => level.data[k] !== before.levels[i].data[k]).map((k) => Math.floor(k / unit)),
      )
      const w = 32 >> i
      const at = raster === 'PAL8' ? (17 >> i) * w + (9 >> i) : (17 >> (i + 2)) * Math.ceil(w / 4) + (9 >> (i + 2))
      for (const block of changed) expect([i, block]).toEqual([i, at])
    })
  })
  it('are refused in sizes and forms that cannot be, with the reason', () => {
    const model = open({
      'a.txd': {
        format: txdFormat,
        bytes: encodeDocument(
          txdFormat,
          newTxd([
            { name: 'd', width: 8, height: 8, rgba: white, raster: 'DXT1' },
            { name: 'odd', width: 6, height: 6, rgba: new Uint8Array(144), raster: 'DXT3' },
          ]),
        ).bytes.slice(),
      },
    })
    expect(() => textures.replace(model, 0, 6, 8, new Uint8Array(192))).toThrow(/multiple of 4/)
    expect(() => textures.replace(model, 0, 8192, 8, new Uint8Array(8192 * 32))).toThrow(/outside of 1 to 4096/)
    expect(() => textures.replace(model, 0, 8, 8, new Uint8Array(9))).toThrow(/9 bytes/)
    textures.replace(model, 1, 6, 6, picture(6, 6))
    const native = texturesOf(model.document('a.txd') as TxdDocument)[0].native!
    native.flags |= 2
    expect(textures.storage(model, 0).readOnly).toBe('it is a cube map')
    expect(() => textures.replace(model, 0, 8, 8, white)).toThrow(/cube map/)
  })
  it('of a dictionary without a model are all there', () => {
    const model = open({
      'a.txd': {
        format: txdFormat,
        bytes: encodeDocument(
          txdFormat,
          newTxd([
            { name: 'one', width: 8, height: 8, rgba: white, raster: '8888' },
            { name: 'two', width: 8, height: 8, rgba: white, raster: 'PAL8' },
          ]),
        ).bytes.slice(),
      },
    })
    expect(model.assembled.scene.textures.map((t) => [t.name, t.width, t.source.path])).toEqual([
      ['one', 8, 'texDictionary.textureNative[0]'],
      ['two', 8, 'texDictionary.textureNative[1]'],
    ])
    expect(model.assembled.diagnostics).toEqual([])
  })
})

describeCorpus('renderware', (root) => {
  it('bones of every real figure move below a skin that stays where it was, and no rule finds more wrong than before', () => {
    let moved = 0
    for (const path of filesBelow(root).filter((f) => /(sa-peds|iii-mobile)\/.*\.dff$/i.test(f))) {
      const model = open({ 'ped.dff': dff(readBytes(path)) })
      const { scene } = model.assembled
      const weighted = new Set(scene.skins.flatMap((skin) => Array.from(skin.slots, (slot) => skin.joints[slot])))
      const joint = Array.from({ length: scene.skeleton.count }, (_, j) => j).find(
        (j) => weighted.has(j) && weighted.has(scene.skeleton.parents[j]) && skeleton.fields(model, j).some((f) => f.key === 'position'),
      )
      if (joint === undefined) continue
      const rest = (): number[] => {
        const now = model.assembled.scene
        const pose = createPose(now)
        poseRest(now, pose)
        return now.meshes.flatMap((mesh) => {
          const skin = now.skins[mesh.skin]
          if (!skin) return []
          const out = new Float32Array(mesh.positions.length)
          skinMesh(mesh, skin, pose, out, new Float32Array(0), new Float32Array(16 * skin.joints.length))
          return [...out]
        })
      }
      const before = rest()
      const found = lintCodes(model.document('ped.dff') as DffDocument)
      const from = scene.skeleton.restTranslation.slice(3 * joint, 3 * joint + 3)
      const to = [from[0] + 0.125, from[1] - 0.0625, from[2] + 0.03125]
      skeleton.place!(model, joint, { translation: to }, { keepSkin: true })
      model.settle()
      const after = rest()
      let most = 0
      for (let i = 0; i < before.length; i++) most = Math.max(most, Math.abs(after[i] - before[i]))
      expect(most, path).toBeLessThan(1e-4)
      const place = model.assembled.scene.skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3)
      to.forEach((v, c) => expect(Math.abs(place[c] - v), path).toBeLessThan(1e-4))
      expect(lintCodes(model.document('ped.dff') as DffDocument), path).toEqual(found)
      moved++
    }
    expect(moved).toBeGreaterThan(20)
  })
  it('a ped edited in its weights keeps every other byte and passes the lint', () => {
    for (const path of filesBelow(root).filter((f) => /sa-peds\/(army|cj|wfyjg)\.dff$/.test(f))) {
      const ref = basename(path)
      const before = readBytes(path)
      const model = open({ [ref]: { format: dffFormat, bytes: before } })
      const errors = lintCodes(model.document(ref) as DffDocument)
      const { id } = weights.list(model)[0]
      const read = weights.read(model, id)
      const vertex = Array.from({ length: read.vertexCount }, (_, v) => v).find((v) => read.offsets[v + 1] - read.offsets[v] === 2)!
      const bone = read.bone.slice(read.offsets[vertex], read.offsets[vertex + 1])
      weights.write(model, {
        id,
        vertices: Uint32Array.of(vertex),
        offsets: Uint32Array.of(0, 2),
        bone,
        weight: Float32Array.of(0.625, 0.375),
      })
      const ranges = changedRanges(before, model.bytes(ref))
      expect(ranges.length, path).toBeGreaterThan(0)
      expect(ranges[ranges.length - 1][1] - ranges[0][0], path).toBeLessThanOrEqual(16)
      model.settle()
      expect(lintCodes(model.document(ref) as DffDocument), path).toEqual(errors)
    }
  })
  it('a key of ped.ifp moved changes its own bytes', () => {
    const dffPath = filesBelow(root).find((f) => f.endsWith('army.dff'))!
    const ifpPath = filesBelow(root).find((f) => f.endsWith('/ped.ifp'))!
    const before = readBytes(ifpPath)
    const model = open({ 'army.dff': { format: dffFormat, bytes: readBytes(dffPath) }, 'ped.ifp': { format: ifpFormat, bytes: before } })
    const clip = model.assembled.scene.clips.findIndex((c) => c.name === 'WALK_civi')
    const t = clips.tracks(model, clip).find((x) => x.property === 'rotation' && x.target.trim() === 'L Thigh')!
    const values = t.values.slice(4, 8)
    values[0] += 0.01
    clips.editKeys(model, [{ track: t.id, set: { keys: Uint32Array.of(1), times: Float64Array.of(t.times[1]), values } }])
    const ranges = changedRanges(before, model.bytes('ped.ifp'))
    expect(ranges).toHaveLength(1)
    expect(ranges[0][1] - ranges[0][0]).toBeLessThanOrEqual(2)
  })
})
