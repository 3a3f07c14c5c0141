import { describe, expect, it } from 'vitest'
import { createPose, poseRest, sampleClip, updateWorld } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import { stemOf } from '../../../src/shared/ref.ts'
import { angleBetween, ani, convertAni, keyRotation } from '../../../src/main/formats/lostsaga/codecs/ani.ts'
import { flipRotations, flipVectors, flipWinding } from '../../../src/main/formats/lostsaga/scene/basis.ts'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { lostsaga } from '../../../src/main/formats/lostsaga/family.ts'
import { INVERSE_POSITION, LOCAL_POSITION, skl } from '../../../src/main/formats/lostsaga/codecs/skl.ts'
import { msh } from '../../../src/main/formats/lostsaga/codecs/msh.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { describeCorpus, filesBelow, readBytes } from '../../support/corpus.ts'
import { changedRanges, memoryModel, type MemoryModel } from '../../support/edit-session.ts'
import { expectLossless } from '../../support/hostile.ts'
import { aniBytes, Bytes, cmsBytes, HAN, MATERIAL_TEXT, MODEL_TEXT, mshBytes, sklBytes, text } from '../../fixtures/lostsaga/build.ts'
import type { BindFile, Neighbourhood } from '../../../src/main/formats/binding.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'

/** A neighbourhood over files in memory, named by their refs. */
function around(files: Record<string, Uint8Array>): Neighbourhood & { files: Record<string, { format: FileFormat; bytes: Uint8Array }> } {
  const known: Record<string, { format: FileFormat; bytes: Uint8Array; document: Document; file: BindFile }> = {}
  for (const [ref, bytes] of Object.entries(files)) {
    const format = identify(bytes.subarray(0, 4096), ref, bytes.length)?.format
    if (!format) continue
    const name = ref.slice(ref.lastIndexOf('/') + 1)
    known[ref] = {
      format,
      bytes,
      document: format.decode(bytes, ref),
      file: { ref, name, folder: ref.slice(0, ref.lastIndexOf('/')), format: format.id, kind: format.kind },
    }
  }
  const all = Object.values(known)
  const withKey = (part: 'provides' | 'needs', key: string): BindFile[] =>
    all.filter((k) => k.format.summarize(k.document)[part]?.some((p) => p.toLowerCase() === key.toLowerCase())).map((k) => k.file)
  return {
    files: known,
    inFolder: (folder) => all.filter((k) => k.file.folder === folder).map((k) => k.file),
    byStem: (stem) => all.filter((k) => stemOf(k.file.name) === stem.toLowerCase()).map((k) => k.file),
    providing: (key) => withKey('provides', key),
    needing: (key) => withKey('needs', key),
    summary: (ref) => known[ref] && known[ref].format.summarize(known[ref].document),
    document: (ref) => known[ref]?.document,
  }
}

const FILES = (coding: 4000 | 4001 | 4002 = 4000): Record<string, Uint8Array> => ({
  'r/mesh/hero.msh': mshBytes(),
  'r/mesh/wall.cms': cmsBytes(),
  'r/skeleton/normal.skl': sklBytes(),
  'r/animation/walk.ani': aniBytes({ coding }),
  'r/material/hero.txt': text(MATERIAL_TEXT),
  'r/model/hero.txt': text(MODEL_TEXT),
})

/** Files of the library, by what they give or look for. */
const NAMING_BIP01 = { 'lostsaga.bone:bip01': ['r/mesh/hero.msh'], 'lostsaga.track:bip01': ['r/animation/walk.ani'] }

function open(coding: 4000 | 4001 | 4002 = 4000, primary = 'r/model/hero.txt'): MemoryModel {
  const a = around(FILES(coding))
  const binding = lostsaga.bind(primary.slice(0, primary.lastIndexOf('/')), a).find((b) => b.primary === primary)!
  return memoryModel(lostsaga, binding, a.files, {}, NAMING_BIP01)
}

describe('a damaged animation', () => {
  it('with keys in any order is played in the order of their times', () => {
    const files = FILES()
    const document = ani.decode(files['r/animation/walk.ani'], 'r/animation/walk.ani')
    const track = document.tracks.find((t) => t.words.length >= 16)!
    const first = track.words.slice(0, 8)
    track.words.copyWithin(0, 8, 16)
    track.words.set(first, 8)
    const a = around({ ...files, 'r/animation/walk.ani': encodeDocument(ani, document).bytes.slice() })
    const binding = lostsaga.bind('r/model', a)[0]
    const { scene } = lostsaga.assemble(binding, (ref) => a.document(ref), {})
    const sound = open().assembled.scene
    expect(scene.clips[0].tracks.map((t) => [...t.times])).toEqual(sound.clips[0].tracks.map((t) => [...t.times]))
    expect(scene.clips[0].tracks.map((t) => t.values)).toEqual(sound.clips[0].tracks.map((t) => t.values))
  })
})

describe('basis', () => {
  it('is its own inverse and keeps rotations and vectors together', () => {
    const v = new Float32Array([1, 2, 3, -4, 5, -6]),
      q = new Float32Array([0.1, 0.2, 0.3, 0.9]),
      t = new Uint32Array([0, 1, 2])
    expect(flipVectors(flipVectors(v.slice()))).toEqual(v)
    expect(flipRotations(flipRotations(q.slice()))).toEqual(q)
    expect(flipWinding(flipWinding(t.slice()))).toEqual(t)
    // rotating then flipping is flipping both, then rotating: 90 degrees about x takes y to z here, and to -z in the scene
    const s = Math.SQRT1_2
    const turned = flipRotations(new Float32Array([s, 0, 0, s]))
    ;[-s, 0, 0, s].forEach((x, i) => expect(turned[i]).toBeCloseTo(x, 6))
  })
})

describe('binding', () => {
  it('follows the model text, then names, then bones', () => {
    const m = open()
    expect(m.binding.members.map((x) => [x.role, x.ref, x.why])).toEqual([
      ['model', 'r/model/hero.txt', 'self'],
      ['mesh', 'r/mesh/hero.msh', 'explicit'],
      ['material', 'r/material/hero.txt', 'name'],
      ['skeleton', 'r/skeleton/normal.skl', 'explicit'],
      ['animation', 'r/animation/walk.ani', 'explicit'],
    ])
    const mesh = open(4000, 'r/mesh/hero.msh')
    expect(mesh.binding.members.find((x) => x.role === 'skeleton')).toMatchObject({ why: 'bones', fit: { matched: 2, total: 2 } })
    expect(mesh.binding.members.find((x) => x.role === 'animation')).toMatchObject({ why: 'bones', fit: { matched: 2, total: 3 } })
  })
})

describe('scene', () => {
  it('has the bones in order of parents, the mesh at its bind place, the clip with its fit', () => {
    const { scene, diagnostics } = open().assembled
    expect(scene.skeleton.names).toEqual(['Bip01', 'Bip01 Spine', '한'])
    expect([...scene.skeleton.nativeIndex]).toEqual([0, 2, 1])
    const mesh = scene.meshes[0]
    expect([...mesh.indices]).toEqual([0, 1, 2, 1, 3, 2])
    expect(mesh.groups).toMatchObject([
      { start: 0, count: 3, material: 0 },
      { start: 3, count: 3, material: 1 },
    ])
    expect(mesh.uvs.length).toBe(2)
    expect([...mesh.colors.subarray(0, 4)].map((c) => Math.round(c * 255))).toEqual([0x22, 0x33, 0x44, 0x11])
    expect(scene.materials[0]).toMatchObject({ blend: 'alpha', doubleSided: true, wrapU: 'clamp', filter: 'nearest' })
    expect(scene.clips[0]).toMatchObject({ unit: 'ms', rate: 1000, end: 120, fit: { matched: 2, total: 3 } })
    expect(scene.clips[0].events.map((e) => e.info)).toEqual(['emotion/a.wav', ''])
    expect(scene.helpers[0]).toMatchObject({ joint: 0, center: [1, 2, -3] })
    expect(diagnostics.map((d) => d.code)).toContain('lostsaga.texture-missing')
    // inverse binds of the fixture are those of its rest pose
    const pose = createPose(scene)
    const out = new Float32Array(mesh.positions.length),
      normals = new Float32Array(out.length)
    skinMesh(mesh, scene.skins[0], pose, out, normals, new Float32Array(16 * 2))
    out.forEach((x, i) => expect(x).toBeCloseTo(mesh.positions[i], 3))
  })
})

describe('materials by the kind of mesh', () => {
  const sceneOf = (bytes: Uint8Array, script = 'material\n{\ntexture a.dds\n}\nmaterial\n{\n}\n') => {
    const a = around({
      ...FILES(),
      'r/mesh/hero.msh': bytes,
      'r/material/hero.txt': text(script.replace('{\n', '{ technique { pass {\n').replace('\n}', '\n} } }')),
    })
    return lostsaga.assemble(lostsaga.bind('r/mesh', a)[0], (ref) => a.document(ref), {}).scene
  }
  const typed = (meshType: number, mask?: number): Uint8Array => {
    const document = msh.decode(mshBytes({ mask }), 'x')
    document.meshType = meshType
    return encodeDocument(msh, document).bytes.slice()
  }
  it('a lightmap mesh draws its picture by the second coordinates, others by the first', () => {
    expect([0, 1, 2, 6].map((type) => sceneOf(typed(type)).materials[0]?.uvSet)).toEqual([0, 0, 1, 0])
    // no second coordinates: the first
    expect(sceneOf(typed(2, 0x101)).materials[0].uvSet).toBe(0)
  })
  it('vertex colours are drawn where the mask has them; billboards turn to the viewer', () => {
    expect(sceneOf(typed(6)).materials[0].vertexColors).toBe(true)
    expect(sceneOf(typed(0, 0x121)).materials[0].vertexColors).toBe(false)
    expect([0, 1, 2, 3, 4, 5, 6].map((type) => sceneOf(typed(type)).meshes[0].billboard)).toEqual([
      undefined,
      undefined,
      undefined,
      'full',
      'full',
      undefined,
      undefined,
    ])
  })
})

describe('editing', () => {
  const REF = 'r/animation/walk.ani'
  it.each([4000, 4001, 4002] as const)('%i: one key changes its own bytes, the others keep theirs', (coding) => {
    const m = open(coding)
    const before = m.bytes(REF)
    const [rotation, position] = lostsaga.editor.clips!.tracks(m, 0)
    expect([rotation.property, position.property, rotation.times.length]).toEqual(['rotation', 'translation', 3])
    const all = Uint32Array.from([0, 1, 2])
    lostsaga.editor.clips!.editKeys(m, [
      { track: rotation.id, set: { keys: all, times: rotation.times, values: rotation.values } },
      { track: position.id, set: { keys: all, times: position.times, values: position.values } },
    ])
    expect(m.bytes(REF)).toEqual(before)
    const values = position.values.slice(3, 6)
    values[1] = -7
    lostsaga.editor.clips!.editKeys(m, [
      { track: position.id, set: { keys: Uint32Array.from([1]), times: position.times.slice(1, 2), values } },
    ])
    const ranges = changedRanges(before, m.bytes(REF))
    expect(ranges.length).toBe(1)
    expect(ranges[0][1] - ranges[0][0]).toBeLessThanOrEqual(4)
  })
  it('inserts, moves and removes records, and refuses two at one time', () => {
    const m = open()
    const [rotation] = lostsaga.editor.clips!.tracks(m, 0)
    lostsaga.editor.clips!.editKeys(m, [
      { track: rotation.id, insert: { times: Float64Array.of(25), values: Float32Array.of(0, 0, 0, 1) } },
    ])
    m.settle()
    let now = lostsaga.editor.clips!.tracks(m, 0)
    expect([...now[0].times]).toEqual([10, 25, 40, 100])
    expect([...now[1].values.subarray(3, 6)]).toEqual([0.5, 80.5, -0.5])
    lostsaga.editor.clips!.editKeys(m, [
      {
        track: rotation.id,
        remove: Uint32Array.of(0),
        set: { keys: Uint32Array.of(3), times: Float64Array.of(30), values: now[0].values.slice(12) },
      },
    ])
    m.settle()
    now = lostsaga.editor.clips!.tracks(m, 0)
    expect([...now[0].times]).toEqual([25, 30, 40])
    expect(() =>
      lostsaga.editor.clips!.editKeys(m, [
        { track: rotation.id, insert: { times: Float64Array.of(30), values: Float32Array.of(0, 0, 0, 1) } },
      ]),
    ).toThrow(/two keys/)
  })
  it('the length of the clip grows with keys that are put behind it, and with nothing else', () => {
    const m = open()
    const length = (): number => Number(lostsaga.editor.clips!.fields!(m, 0).find(({ key }) => key === 'totalTime')!.value)
    const [rotation, position] = lostsaga.editor.clips!.tracks(m, 0)
    lostsaga.editor.clips!.setField!(m, 0, 'totalTime', 50)
    const before = m.bytes(REF)
    // the last key stands at 100, behind what the file says
    const values = position.values.slice(3, 6)
    values[0] += 1
    const key = { keys: Uint32Array.of(1), times: position.times.slice(1, 2) }
    lostsaga.editor.clips!.editKeys(m, [{ track: position.id, set: { ...key, values } }])
    expect(length()).toBe(50)
    expect(changedRanges(before, m.bytes(REF))).toHaveLength(1)
    lostsaga.editor.clips!.editKeys(m, [{ track: position.id, remove: Uint32Array.of(1) }])
    expect(length()).toBe(50)
    lostsaga.editor.clips!.editKeys(m, [
      { track: rotation.id, insert: { times: Float64Array.of(120), values: Float32Array.of(0, 0, 0, 1) } },
    ])
    expect(length()).toBe(120)
  })
  it('an event changes its own bytes and what follows from its length', () => {
    const m = open()
    const before = m.bytes(REF)
    lostsaga.editor.events!.set(m, 0, 0, { time: 12.5 })
    const ranges = changedRanges(before, m.bytes(REF))
    expect(ranges.length).toBe(1)
    lostsaga.editor.events!.set(m, 0, 0, { time: 0, info: 'x.wav' })
    const after = m.bytes(REF)
    // 13 characters became 5; the length field says so; everything behind is the same
    const at = 12 + 4 + 12
    expect([...after.subarray(at, at + 9)]).toEqual([5, 0, 0, 0, ...text('x.wav')])
    expect(after.subarray(at + 9)).toEqual(before.subarray(at + 17))
    expect(after.subarray(0, at)).toEqual(before.subarray(0, at))
    lostsaga.editor.events!.add(m, 0, { time: 3, type: '한', info: 'a' })
    lostsaga.editor.events!.remove(m, 0, 2)
    expect(m.bytes(REF)).toEqual(after)
  })
  it('a bone gets a new name everywhere in one step', () => {
    const m = open()
    lostsaga.editor.skeleton!.rename!(m, 0, 'Root')
    m.settle()
    expect(m.assembled.scene.skeleton.names[0]).toBe('Root')
    expect(m.assembled.scene.clips[0].fit.matched).toBe(2)
    expect(lostsaga.editor.weights!.read(m, 'r/mesh/hero.msh#influences').bones[0]).toEqual({ name: 'Root', joint: 0 })
    expect(() => lostsaga.editor.skeleton!.rename!(m, 0, 'bip01 spine')).toThrow(/there is a bone/)
    expect(() => lostsaga.editor.skeleton!.reparent!(m, 0, 1)).toThrow(/below itself/)
  })
  const SKL = 'r/skeleton/normal.skl'
  /** Where the mesh's vertices are at rest. */
  const atRest = (m: MemoryModel): number[] => {
    const { scene } = m.assembled
    const world = new Float32Array(16 * scene.skeleton.count)
    updateWorld(scene.skeleton, scene.skeleton.restLocal, world)
    const mesh = scene.meshes.find((x) => x.skin >= 0)!
    const skin = scene.skins[mesh.skin]
    const out = new Float32Array(mesh.positions.length)
    skinMesh(mesh, skin, { world }, out, new Float32Array(0), new Float32Array(16 * skin.joints.length))
    return Array.from(out, (v) => Math.round(v * 100) / 100 + 0)
  }
  /** Ranges of a bone in the file: floats of its transform. */
  const floatsOf = (m: MemoryModel, index: number): number => {
    const { bones } = m.document(SKL) as unknown as { bones: { name: { raw: Uint8Array }; range: { start: number } }[] }
    return bones[index].range.start + 4 + bones[index].name.raw.length
  }
  it('a bone moves and the skin stays: the inverse bind of the bone and of those below follows, nothing else', () => {
    const m = open()
    const before = m.bytes(SKL)
    const rest = atRest(m)
    const skeleton = lostsaga.editor.skeleton!
    // joint 1 is the spine, bone 2 of the file; bone 1 hangs below it
    skeleton.setField!(m, 1, 'localPosition', [0, 4, 0], { keepSkin: true })
    const changed = changedRanges(before, m.bytes(SKL))
    const allowed = [
      [2, LOCAL_POSITION, 3],
      [2, INVERSE_POSITION, 3],
      [1, INVERSE_POSITION, 3],
    ].map(([bone, from, count]) => [floatsOf(m, bone) + 4 * from, floatsOf(m, bone) + 4 * (from + count)])
    expect(changed.every(([a, b]) => allowed.some(([from, to]) => a >= from && b <= to))).toBe(true)
    for (const [from, to] of allowed) expect(changed.some(([a, b]) => a >= from && b <= to)).toBe(true)
    m.settle()
    expect(atRest(m)).toEqual(rest)
    expect(m.assembled.scene.skeleton.restTranslation[3 + 1]).toBe(4)
    // without, the bone alone
    const plain = open()
    skeleton.setField!(plain, 1, 'localPosition', [0, 4, 0], { keepSkin: false })
    const [from, to] = allowed[0]
    expect(changedRanges(before, plain.bytes(SKL)).every(([a, b]) => a >= from && b <= to)).toBe(true)
    plain.settle()
    expect(atRest(plain)).not.toEqual(rest)
  })
  it('a bone hangs elsewhere and stays in place with its skin', () => {
    const m = open()
    const { skeleton: s } = m.assembled.scene
    const leaf = s.parents.indexOf(1)
    const world = new Float32Array(16 * s.count)
    updateWorld(s, s.restLocal, world)
    const place = Array.from(world.subarray(16 * leaf + 12, 16 * leaf + 15))
    const rest = atRest(m)
    lostsaga.editor.skeleton!.reparent!(m, leaf, 0)
    m.settle()
    const now = m.assembled.scene.skeleton
    const joint = now.names.indexOf(s.names[leaf])
    expect(now.parents[joint]).toBe(0)
    updateWorld(now, now.restLocal, world)
    Array.from(world.subarray(16 * joint + 12, 16 * joint + 15)).forEach((v, c) => expect(v).toBeCloseTo(place[c], 3))
    expect(atRest(m)).toEqual(rest)
    const bones = (m.document(SKL) as unknown as { bones: { children: { text: string }[] }[] }).bones
    expect(bones.map((b) => b.children.length)).toEqual([2, 0, 0])
  })
  it('a new name reaches files of the library that are no part of the model', () => {
    const files = { ...FILES(), 'other/swim.ani': aniBytes(), 'other/cape.msh': mshBytes() }
    const a = around(files)
    const binding = lostsaga.bind('r/model', around(FILES())).find((b) => b.primary === 'r/model/hero.txt')!
    const m = memoryModel(
      lostsaga,
      binding,
      a.files,
      {},
      { 'lostsaga.bone:bip01': ['r/mesh/hero.msh', 'other/cape.msh'], 'lostsaga.track:bip01': ['r/animation/walk.ani', 'other/swim.ani'] },
    )
    lostsaga.editor.skeleton!.rename!(m, 0, 'Wurzel')
    const latin = (text: string): string => Buffer.from(new Uint8Array(new Int32Array([text.length]).buffer)).toString('latin1') + text
    // every string that is the bone's name, its length in front, and no other byte: tracks, weights, the control point that hangs on it
    for (const ref of [SKL, 'r/animation/walk.ani', 'r/mesh/hero.msh', 'other/swim.ani', 'other/cape.msh']) {
      const expected = Buffer.from(files[ref as keyof typeof files])
        .toString('latin1')
        .replaceAll(latin('Bip01'), latin('Wurzel'))
      expect(Buffer.from(m.bytes(ref)).toString('latin1') === expected, ref).toBe(true)
    }
    expect(lostsaga.editor.skeleton!.references(open(), 0)).toEqual(
      expect.arrayContaining([{ ref: 'r/mesh/hero.msh', what: 'a control point hangs on it' }]),
    )
  })
  it('a linked skeleton is part of the model: its own bones hang on those that they name, and are edited in its file', () => {
    const LINKED = 'r/skeleton/linked_skl.skl'
    const linked = new Bytes().ascii('SKL\0').i32(1000, 4)
    const bone = (name: string, parent: string, ...children: string[]): void => {
      linked
        .string(name)
        .f32(0, 5, 0, 0, 0, 0, 1, 0, -5, 0, 0, 0, 0, 1, ...new Array<number>(16).fill(0))
        .string(parent)
        .i32(children.length)
      for (const child of children) linked.string(child)
    }
    bone('bip01', 'NoParent')
    bone('Wing', 'Bip01 Spine', 'Feather')
    bone('Feather', 'Wing')
    bone('Stray', 'Nobody')
    linked.string('normal.skl')
    const files = { ...FILES(), [LINKED]: linked.done() }
    const a = around(files)
    const binding = lostsaga.bind('r/model', a).find((b) => b.primary === 'r/model/hero.txt')!
    // it links back: each file is a member once
    expect(binding.members.filter(({ role }) => /skeleton/.test(role)).map(({ role, ref, detail }) => [role, ref, detail])).toEqual([
      ['skeleton', 'r/skeleton/normal.skl', '#SKELETON'],
      ['linked-skeleton', LINKED, 'linked skeleton of normal.skl'],
    ])
    const m = memoryModel(lostsaga, binding, a.files)
    const { skeleton } = m.assembled.scene
    const parentOf = (name: string): string | undefined => skeleton.names[skeleton.parents[skeleton.names.indexOf(name)]]
    expect([...skeleton.names].sort()).toEqual(['Bip01', 'Bip01 Spine', 'Feather', 'Stray', 'Wing', '한'].sort())
    expect(['Wing', 'Feather', 'Stray', 'Bip01'].map(parentOf)).toEqual(['Bip01 Spine', 'Wing', undefined, undefined])
    expect(m.assembled.diagnostics.filter(({ ref }) => ref === LINKED)).toMatchObject([
      { code: 'lostsaga.linked-skeleton', message: expect.stringContaining('3 of 4 bones') },
      { code: 'lostsaga.unknown-parent' },
    ])
    const wing = skeleton.names.indexOf('Wing')
    expect(() => lostsaga.editor.skeleton!.reparent!(m, wing, 0)).toThrow(/different skeletons/)
    const before = m.bytes('r/skeleton/normal.skl')
    lostsaga.editor.skeleton!.setField!(m, wing, 'localPosition', [1, 5, 0], { keepSkin: false })
    expect(changedRanges(files[LINKED], m.bytes(LINKED))).toHaveLength(1)
    expect(m.bytes('r/skeleton/normal.skl')).toEqual(before)
  })
  it('a name of no code page is copied byte by byte into tracks and points', () => {
    const odd = [0xff, 0x80, 0xa1]
    const files = FILES()
    const at = Buffer.from(files['r/skeleton/normal.skl']).indexOf(Buffer.from([2, 0, 0, 0, ...HAN]))
    // the bone of two bytes becomes one of three, everywhere
    const patched = Buffer.from(
      Buffer.from(files['r/skeleton/normal.skl'])
        .toString('latin1')
        .replaceAll(String.fromCharCode(2, 0, 0, 0, ...HAN), String.fromCharCode(3, 0, 0, 0, ...odd)),
      'latin1',
    )
    expect(at).toBeGreaterThan(0)
    const a = around({ ...files, 'r/skeleton/normal.skl': new Uint8Array(patched) })
    const m = memoryModel(lostsaga, lostsaga.bind('r/model', a)[0], a.files)
    const joint = m.assembled.scene.skeleton.names.indexOf('ÿ\u0080¡')
    lostsaga.editor.clips!.addTrack!(m, 0, joint, 'rotation')
    lostsaga.editor.points!.add(m, 'r/mesh/hero.msh', joint, [0, 0, 0])
    for (const ref of [REF, 'r/mesh/hero.msh'])
      expect(Buffer.from(m.bytes(ref)).includes(Buffer.from([3, 0, 0, 0, ...odd])), ref).toBe(true)
    m.settle()
    expect(m.assembled.scene.helpers[1].joint).toBe(joint)
  })
  it('codings are offered with what they cost this clip, in the mode that is chosen', () => {
    const field = (m: MemoryModel) => lostsaga.editor.clips!.fields!(m, 0).find((f) => f.key === 'coding')!
    const m = open(4000)
    const { value, options } = field(m)
    expect(value).toBe('4000')
    expect(options!.map((o) => o.value)).toEqual(['4000', '4001', '4002'])
    expect(options![0].label).toBe('4000 plain, as it is')
    expect(options![1].label).toMatch(/^4001 COMP4, differs by 0\.\d+°, rounded$/)
    const before = m.bytes(REF)
    const told = Number(/by ([\d.]+)°/.exec(options![2].label)![1])
    lostsaga.editor.clips!.setField!(m, 0, 'coding', '4002')
    expect(m.bytes(REF).length).toBe(before.length - 5 * 8)
    const [was, is] = [ani.decode(before, 'x'), ani.decode(m.bytes(REF), 'x')]
    let worst = 0
    was.tracks.forEach((track, t) => {
      for (let k = 0; k < track.words.length / 8; k++) {
        const q = [0, 0, 0, 0]
        keyRotation(4002, is.tracks[t], k, q)
        worst = Math.max(worst, angleBetween(track.floats.subarray(8 * k, 8 * k + 4), q))
      }
    })
    expect(worst).toBeCloseTo(told, 4)
    m.settle()
    expect(field(m).options![0].label).toBe('4000 plain, exact')
  })
  it('a weight changes its own floats; unused slots keep their junk', () => {
    const m = open()
    const ref = 'r/mesh/hero.msh'
    const before = m.bytes(ref)
    lostsaga.editor.weights!.write(m, {
      id: `${ref}#influences`,
      vertices: Uint32Array.of(1),
      offsets: Uint32Array.of(0, 2),
      bone: Uint16Array.of(1, 0),
      weight: Float32Array.of(0.75, 0.25),
    })
    expect(m.bytes(ref)).toEqual(before)
    lostsaga.editor.weights!.write(m, {
      id: `${ref}#influences`,
      vertices: Uint32Array.of(1),
      offsets: Uint32Array.of(0, 2),
      bone: Uint16Array.of(0, 1),
      weight: Float32Array.of(0.5, 0.5),
    })
    const changed = changedRanges(before, m.bytes(ref))
    const at = (m.document(ref) as unknown as { places: Record<string, number> }).places.influences + 32
    expect(changed.every(([from, to]) => from >= at && to <= at + 24)).toBe(true)
    expect(() =>
      lostsaga.editor.weights!.write(m, {
        id: `${ref}#influences`,
        vertices: Uint32Array.of(1),
        offsets: Uint32Array.of(0, 1),
        bone: Uint16Array.of(5),
        weight: Float32Array.of(1),
      }),
    ).toThrow(/no bone 5/)
  })
})

describe('lint', () => {
  it('finds what the game chokes on', () => {
    const a = around({ ...FILES(), 'r/mesh/odd.msh': mshBytes({ mask: 0x129, version: 2000 }) })
    const codes = (ref: string): string[] => lostsaga.lint(a.document(ref)!, { around: a, load: (r) => a.document(r) }).map((d) => d.code)
    expect(codes('r/mesh/hero.msh')).toEqual([])
    expect(codes('r/mesh/odd.msh')).toEqual(['lostsaga.weights-without-indices'])
    expect(codes('r/material/hero.txt')).toEqual(['lostsaga.colour-of-three', 'lostsaga.texture-missing'])
    expect(codes('r/animation/walk.ani')).toEqual(['lostsaga.non-unit-rotation', 'lostsaga.event-time'])
    expect(codes('r/skeleton/normal.skl')).toEqual(['lostsaga.parent-order', 'lostsaga.bind-is-not-rest'])
  })
})

describeCorpus('lostsaga', (root) => {
  const files = Object.fromEntries(filesBelow(root).map((path) => [path.replaceAll('\\', '/'), readBytes(path)]))
  it('every file is recognised and lossless', () => {
    let n = 0
    for (const [path, bytes] of Object.entries(files)) {
      const format = identify(bytes.subarray(0, 4096), path, bytes.length)?.format
      expect(format?.id, path).toBeDefined()
      expectLossless(format as FileFormat, bytes, path)
      n++
    }
    expect(n).toBe(14)
  })
  it('the real animation plays upright on the skeleton, hands on their sides, facing +Z', () => {
    const a = around(files)
    const folder = Object.keys(files)
      .find((p) => p.endsWith('.skl'))!
      .replace(/\/[^/]*$/, '')
    const binding = lostsaga.bind(folder, a).find((b) => b.primary.endsWith('.skl'))!
    const { scene } = lostsaga.assemble(binding, (ref) => a.document(ref), {})
    expect(scene.clips.length).toBe(3)
    for (const clip of scene.clips) expect(clip.fit.matched).toBe(clip.fit.total)
    const at = (name: string, pose: ReturnType<typeof createPose>): number[] => [
      ...pose.world.subarray(16 * scene.skeleton.names.indexOf(name) + 12, 16 * scene.skeleton.names.indexOf(name) + 15),
    ]
    const pose = createPose(scene)
    poseRest(scene, pose)
    expect(at('Bip01 Pelvis', pose)[1]).toBeCloseTo(81.56, 1)
    expect(at('Bip01 L Hand', pose)[0]).toBeCloseTo(52.6, 0)
    expect(at('Bip01 R Hand', pose)[0]).toBeCloseTo(-52.6, 0)
    const clip = scene.clips.find((c) => c.name.includes('music'))!
    for (const time of [10, 500, 1000]) {
      sampleClip(scene, clip, time, pose)
      expect(at('Bip01 Head', pose)[1]).toBeGreaterThan(at('Bip01 Pelvis', pose)[1] + 20)
    }
    // toes in front of the heels: the character faces +Z
    poseRest(scene, pose)
    const toe = scene.skeleton.names.findIndex((n) => /L Toe0$/.test(n)),
      foot = scene.skeleton.names.findIndex((n) => /L Foot$/.test(n))
    expect(pose.world[16 * toe + 14]).toBeGreaterThan(pose.world[16 * foot + 14])
  })
  it('4000 to 4002 and back stays within the stated error; the derived skeleton reads whole', () => {
    const real = Object.keys(files).find((p) => p.includes('w_music'))!
    const document = ani.decode(files[real], real)
    const there = convertAni(document, 4002)
    expect(there).toBeLessThanOrEqual(0.0055)
    expect(convertAni(document, 4000)).toBeLessThanOrEqual(0.0055)
    const comp4 = ani.decode(files[real], real)
    expect(convertAni(comp4, 4001)).toBeLessThanOrEqual(0.567)
    expect(skl.decode(files[Object.keys(files).find((p) => p.endsWith('.skl'))!], 'x').bones.length).toBe(52)
  })
})
