/** Animations of a package as a whole: every edit by the bytes that it changes, in packages with junk wherever a field means nothing. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { anmFormat } from '../../../src/main/formats/renderware/codecs/anm.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { newDff, newIfp } from '../../../src/main/formats/renderware/make.ts'
import { encodeDff, payload, pedModel } from '../../fixtures/renderware/ped.ts'
import { memoryModel } from '../../support/edit-session.ts'
import { junk } from '../../support/hostile.ts'
import type { FileFormat } from '../../../src/main/formats/format.ts'
import type { IfpDocument } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'
import type { MemoryModel } from '../../support/edit-session.ts'

const list = renderware.editor.clips!.list!

const text = (s: string, size: number, seed: number): Uint8Array => {
  const out = junk(size, seed)
  out.set(new TextEncoder().encode(s))
  out[s.length] = 0
  return out
}
const ascii = (s: string): Uint8Array => new TextEncoder().encode(s)
const shorts = (...values: number[]): Uint8Array => new Uint8Array(Int16Array.from(values).buffer)
const HALF = 2896 // 4096 * sqrt(1/2)

/** A bone with a name in junk, of packed rotations (type 3) or with translations (type 4). */
const bone3 = (name: string, id: number, ...keys: number[][]): Uint8Array =>
  payload(text(name, 24, id + 1), 3, keys.length, id, ...keys.map((key) => shorts(...key)))
const bone4 = (name: string, id: number, ...keys: number[][]): Uint8Array =>
  payload(text(name, 24, id + 1), 4, keys.length, id, ...keys.map((key) => shorts(...key)))

const WALK = {
  root: bone4('Root', 0, [0, 0, 0, 4096, 0, 0, 0, 1024], [0, 0, HALF, HALF, 30, 0, 1024, 1024], [0, 0, 4096, 0, 60, 0, 2048, 1024]),
  arm: bone3('L Arm', 31, [0, 0, 0, 4096, 10], [4096, 0, 0, 0, 20]),
}
/** Sums of key bytes that are wrong stay wrong by as much. */
const walk = (name: Uint8Array): Uint8Array => payload(name, 2, 3 * 16 + 2 * 10 + 7, 0xa5a5, WALK.root, WALK.arm)
const idle = payload(text('idle', 24, 9), 1, 10, 1, bone3('Root', 0, [0, 0, 0, 4096, 0]))
const SLACK = junk(5, 3)
const TAIL = junk(21, 4)

/** @param off what the header's size is wrong by */
function anp3(animations: readonly Uint8Array[], off = 0): Uint8Array {
  const body = payload(text('ped', 24, 2), animations.length, ...animations, SLACK)
  return payload(ascii('ANP3'), body.length + off, body, TAIL)
}

const WALK_NAME = text('WALK_civi', 24, 3)
const ODD = anp3([walk(WALK_NAME), idle])

function open(files: Record<string, { format: FileFormat; bytes: Uint8Array }>): MemoryModel {
  const all: typeof files = { 'ped.dff': { format: dffFormat, bytes: encodeDff(newDff(pedModel())) }, ...files }
  const refs = Object.keys(all)
  return memoryModel(
    renderware,
    { family: 'renderware', name: 'm', primary: refs[0], members: refs.map((ref) => ({ role: 'x', ref, why: 'name', detail: '' })) },
    all,
  )
}
const packed = (bytes: Uint8Array = ODD): MemoryModel => open({ 'ped.ifp': { format: ifpFormat, bytes } })
const bytesOf = (model: MemoryModel): Uint8Array => model.bytes('ped.ifp')
const names = (model: MemoryModel): string[] => list.list(model).map(({ name }) => name)
const renamed = (name: string, field: Uint8Array): Uint8Array => {
  const out = field.slice()
  out.fill(0, 0, Math.max(out.indexOf(0), name.length + 1))
  out.set(ascii(name))
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

describe('clips of an ANP3 package', () => {
  it('are listed with their times', () => {
    const model = packed()
    expect(list.list(model)).toEqual([
      { name: 'WALK_civi', clip: 0, start: 0, end: 60, rate: 60, unit: 'frame', ref: 'ped.ifp', path: 'animations[0]', refused: {} },
      { name: 'idle', clip: 1, start: 0, end: 0, rate: 60, unit: 'frame', ref: 'ped.ifp', path: 'animations[1]', refused: {} },
    ])
    expect(list.limits(model)).toEqual({ nameBytes: 23, files: ['ped.ifp'] })
  })

  it('are copied to the end, byte for byte but for their name', () => {
    const model = packed()
    expect(list.duplicate(model, 0, 'run')).toEqual([])
    expect(bytesOf(model)).toEqual(anp3([walk(WALK_NAME), idle, walk(renamed('run', WALK_NAME))]))
    model.settle()
    expect(names(model)).toEqual(['WALK_civi', 'idle', 'run'])
    // what stands in memory of one is not in the other's
    const document = model.edit<IfpDocument>('ped.ifp')
    const [first, copy] = [0, 2].map((animation) => document.animations[animation].bones[0].keys)
    const before = first.slice()
    copy.fill(0x5a)
    expect(first).toEqual(before)
  })

  it('get another name in its field alone', () => {
    const model = packed()
    expect(list.rename(model, 1, 'IDLE_stance')).toEqual([
      {
        from: { ref: 'ped.ifp', path: 'animations[1]', name: 'IDLE_stance' },
        to: { ref: 'ped.ifp', path: 'animations[1]', name: 'IDLE_stance' },
      },
    ])
    const expected = idle.slice()
    expected.set(renamed('IDLE_stance', idle.subarray(0, 24)))
    expect(bytesOf(model)).toEqual(anp3([walk(WALK_NAME), expected]))
    // its own name in another case is no other clip
    list.rename(model, 1, 'idle_Stance')
    list.rename(model, 1, 'idle')
    expect(bytesOf(model).subarray(0, 8)).toEqual(ODD.subarray(0, 8))
  })

  it('are taken away whole, and those behind them say where they are', () => {
    const model = packed()
    expect(list.remove(model, 0)).toEqual([
      { from: { ref: 'ped.ifp', path: 'animations[0]' } },
      { from: { ref: 'ped.ifp', path: 'animations[1]' }, to: { ref: 'ped.ifp', path: 'animations[0]', name: 'idle' } },
    ])
    expect(bytesOf(model)).toEqual(anp3([idle]))
  })

  it('change their order', () => {
    const model = packed()
    expect(list.move(model, 1, 0)).toHaveLength(2)
    expect(bytesOf(model)).toEqual(anp3([idle, walk(WALK_NAME)]))
    model.settle()
    list.move(model, 1, 0)
    expect(bytesOf(model)).toEqual(ODD)
  })

  it('begin with the pose of one bone, as the game cannot do without, for a second', () => {
    const model = packed()
    list.add(model, 'new')
    model.settle()
    expect(names(model)).toEqual(['WALK_civi', 'idle', 'new'])
    const [{ bones, numBones, keyBytes, flags }] = model.edit<IfpDocument>('ped.ifp').animations.slice(2)
    expect({ numBones, keyBytes, flags, keys: bones.map((bone) => [bone.type, bone.numKeys, bone.boneId]) }).toEqual({
      numBones: 1,
      keyBytes: 20,
      flags: 1,
      keys: [[3, 2, 0]],
    })
    expect([4, 9].map((i) => bones[0].shorts![i])).toEqual([0, 60])
    expect(bones[0].shorts!.slice(5, 9)).toEqual(bones[0].shorts!.slice(0, 4))
    // what was there: size and count in the header, nothing else
    const bytes = bytesOf(model)
    const end = ODD.length - TAIL.length - SLACK.length
    expect(bytes.subarray(36, end)).toEqual(ODD.subarray(36, end))
    expect(bytes.subarray(bytes.length - TAIL.length - SLACK.length)).toEqual(ODD.subarray(end))
  })

  it('begin with a pose, evaluated between keys as packed as theirs', () => {
    const model = packed()
    list.add(model, 'pose', { clip: 0, start: 15, end: 15 })
    const { bones } = model.edit<IfpDocument>('ped.ifp').animations[2]
    expect(Array.from(bones[0].shorts!)).toEqual([
      0,
      0,
      Math.round(4096 * Math.sin(Math.PI / 8)),
      Math.round(4096 * Math.cos(Math.PI / 8)),
      0,
      0,
      512,
      1024,
    ])
    expect(Array.from(bones[1].shorts!)).toEqual([2896, 0, 0, 2896, 0])
  })

  it('begin with a range: keys between keep their bits, times count from its start', () => {
    const model = packed()
    list.add(model, 'range', { clip: 0, start: 10, end: 30 })
    const { bones, keyBytes } = model.edit<IfpDocument>('ped.ifp').animations[2]
    expect(Array.from(bones[0].shorts!.subarray(8))).toEqual([0, 0, HALF, HALF, 20, 0, 1024, 1024])
    expect(bones[0].shorts![4]).toBe(0)
    // a bone at rest by then has no key at the end
    expect(Array.from(bones[1].shorts!)).toEqual([0, 0, 0, 4096, 0, 4096, 0, 0, 0, 10])
    expect(keyBytes).toBe(2 * 16 + 2 * 10 + 7)
  })

  it('are parted and joined again to the same bytes where the cut is at a key', () => {
    const model = packed(anp3([payload(WALK_NAME, 1, 48, 1, WALK.root), idle]))
    const before = bytesOf(model)
    expect(list.split(model, 0, 30, 'walk 2')).toEqual([
      {
        from: { ref: 'ped.ifp', path: 'animations[0]' },
        to: { ref: 'ped.ifp', path: 'animations[1]', name: 'walk 2' },
        since: 30,
        by: -30,
      },
      { from: { ref: 'ped.ifp', path: 'animations[1]' }, to: { ref: 'ped.ifp', path: 'animations[2]', name: 'idle' } },
    ])
    model.settle()
    expect(list.list(model).map(({ start, end }) => [start, end])).toEqual([
      [0, 30],
      [0, 30],
      [0, 0],
    ])
    const [first, second] = model.edit<IfpDocument>('ped.ifp').animations
    expect(Array.from(first.bones[0].shorts!)).toEqual([0, 0, 0, 4096, 0, 0, 0, 1024, 0, 0, HALF, HALF, 30, 0, 1024, 1024])
    expect(Array.from(second.bones[0].shorts!)).toEqual([0, 0, HALF, HALF, 0, 0, 1024, 1024, 0, 0, 4096, 0, 30, 0, 2048, 1024])
    expect(list.join(model, 0, 1)).toEqual([
      {
        from: { ref: 'ped.ifp', path: 'animations[1]' },
        to: { ref: 'ped.ifp', path: 'animations[0]', name: 'WALK_civi' },
        since: -Infinity,
        by: 30,
      },
      { from: { ref: 'ped.ifp', path: 'animations[2]' }, to: { ref: 'ped.ifp', path: 'animations[1]', name: 'idle' } },
    ])
    expect(bytesOf(model)).toEqual(before)
  })

  it('are joined a tick apart where the poses differ; a bone that one of them lacks holds the pose next to it', () => {
    const turn = (name: string, ...bones: Uint8Array[]) => payload(text(name, 24, 7), bones.length, bones.length * 20, 1, ...bones)
    const spin = bone3('Root', 0, [0, 0, 4096, 0, 5], [0, 0, HALF, HALF, 25])
    const arm = bone3('L Arm', 31, [4096, 0, 0, 0, 9], [0, 0, 0, 4096, 25])
    const leg = bone3('R Leg', 51, [0, 4096, 0, 0, 0], [0, 0, 0, 4096, 25])
    const first = turn('a', bone3('Root', 0, [0, 0, 0, 4096, 0], [0, 0, HALF, HALF, 40]), leg)
    const model = packed(anp3([first, turn('b', spin, arm)]))
    // the second goes from 5 to 25; at 40 the first ends
    expect(list.join(model, 0, 1)).toMatchObject([{ since: -Infinity, by: 36 }])
    const joined = bytesOf(model)
    const whole = payload(
      first.subarray(0, 24),
      3,
      20 + 20 + 20 + 30 + 20 - 20,
      1,
      bone3('Root', 0, [0, 0, 0, 4096, 0], [0, 0, HALF, HALF, 40], [0, 0, 4096, 0, 41], [0, 0, HALF, HALF, 61]),
      leg,
      bone3('L Arm', 31, [4096, 0, 0, 0, 0], [4096, 0, 0, 0, 41], [4096, 0, 0, 0, 45], [0, 0, 0, 4096, 61]),
    )
    // sums of key bytes grow by what came
    new DataView(whole.buffer).setUint32(28, 40 + 20 + 40, true)
    expect(joined).toEqual(anp3([whole]))
    expect(refused(() => list.join(packed(), 1, 0))).toContain('another kind for root')
  })

  it('of other packages come in as they stand there, all or one', () => {
    const model = packed()
    const other = ifpFormat.decode(
      anp3([payload(text('jump', 24, 7), 1, 10, 1, bone3('Root', 0, [0, 0, 0, 4096, 0])), walk(text('fly', 24, 8))], 3),
      'x/other.ifp',
    )
    list.merge(model, other, 'fly')
    expect(bytesOf(model)).toEqual(anp3([walk(WALK_NAME), idle, walk(text('fly', 24, 8))]))
    expect(refused(() => list.merge(packed(), other, 'Fly'))).toContain('no clip "Fly"')
    // one that is there already refuses all of them
    const taken = ifpFormat.decode(anp3([walk(text('walk_CIVI', 24, 8))]), 'x/other.ifp')
    expect(refused(() => list.merge(packed(), taken))).toContain('"WALK_civi"')
  })

  it('move into another package of the model', () => {
    const model = open({ 'ped.ifp': { format: ifpFormat, bytes: ODD }, 'b.ifp': { format: ifpFormat, bytes: anp3([idle], -2) } })
    expect(list.limits(model).files).toEqual(['ped.ifp', 'b.ifp'])
    expect(list.moveTo(model, 0, 'b.ifp')).toEqual([
      { from: { ref: 'ped.ifp', path: 'animations[0]' }, to: { ref: 'b.ifp', path: 'animations[1]', name: 'WALK_civi' } },
      { from: { ref: 'ped.ifp', path: 'animations[1]' }, to: { ref: 'ped.ifp', path: 'animations[0]', name: 'idle' } },
    ])
    expect(model.bytes('ped.ifp')).toEqual(anp3([idle]))
    expect(refused(() => list.moveTo(model, 0, 'b.ifp'))).toContain('"idle"')
  })

  it('refuse what the format cannot hold, and nothing is changed', () => {
    const model = packed()
    for (const [name, why] of [
      ['', 'plain ASCII'],
      [' lead', 'plain ASCII'],
      ['걷기', 'plain ASCII'],
      ['a\0b', 'plain ASCII'],
      ['x'.repeat(24), '23'],
      ['IDLE', '"idle"'],
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
        refused(() => list.split(model, 0, 30, name)),
        name,
      ).toContain(why)
    }
    expect(refused(() => list.split(model, 0, 60, 'b'))).toContain('60 is not inside')
    expect(refused(() => list.split(model, 0, 30.5, 'b'))).toContain('whole ticks')
    expect(refused(() => list.add(model, 'b', { clip: 0, start: 0, end: 61 }))).toContain('not within')
    expect(refused(() => list.join(model, 1, 1))).toContain('itself')
    expect(() => list.duplicate(model, 9, 'b')).toThrow(expect.objectContaining({ code: 'not-found' }))
    expect(bytesOf(model)).toEqual(ODD)
  })

  it('are 2500 at most', () => {
    const one = payload(text('a', 24, 1), 0, 0, 1)
    const many = Array.from({ length: 2500 }, (_, i) => {
      const out = one.slice()
      out.set(ascii(`a${i}\0`))
      return out
    })
    const model = packed(anp3(many))
    expect(refused(() => list.duplicate(model, 0, 'b'))).toContain('2,500')
    expect(refused(() => list.add(model, 'b'))).toContain('2,500')
  })

  it('longer than the counter of ticks are refused', () => {
    const long = (name: string) => payload(text(name, 24, 5), 1, 20, 1, bone3('Root', 0, [0, 0, 0, 4096, 0], [4096, 0, 0, 0, 20000]))
    const model = packed(anp3([long('a'), long('b')]))
    expect(refused(() => list.join(model, 0, 1))).toContain('32767')
    expect(bytesOf(model)).toEqual(anp3([long('a'), long('b')]))
  })
})

describe('clips of an ANPK package', () => {
  const clip = {
    name: 'walk',
    tracks: [
      {
        bone: 'Root',
        id: 0,
        times: [0, 0.5, 1],
        rotations: [0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 1, 0],
        translations: [0, 0, 1, 0, 1, 1, 0, 2, 1],
      },
      { bone: ' Spine', id: 2, times: [0, 1], rotations: [0, 0, 0, 1, 0, 1, 0, 0] },
    ],
  }
  /** Junk in the pads of names and in every word that nobody reads; a size that is wrong. */
  const odd = (): Uint8Array => {
    const document = newIfp('packed', [clip, { name: 'idle', tracks: [clip.tracks[1]] }], 'ANPK')
    document.sizeOff = 3
    document.infoPad = junk(document.infoPad.length, 5)
    for (const animation of document.animations) {
      animation.anpk!.namePad = junk(animation.anpk!.namePad.length, 6)
      animation.anpk!.infoWord = junk(4, 7)
      for (const { anpk } of animation.bones) anpk!.word1 = 0xdeadbeef
    }
    document.trailing = junk(9, 8)
    return encodeDocument(ifpFormat, document).bytes.slice()
  }
  const rangeOf = (model: MemoryModel, i: number): [number, number] => {
    const { start, end } = (ifpFormat.decode(bytesOf(model), 'x') as IfpDocument).animations[i]
    return [start, end]
  }

  it('are copied with their chunks; counts and sizes grow by what came', () => {
    const model = packed(odd())
    const before = bytesOf(model)
    const [start, end] = rangeOf(model, 0)
    list.duplicate(model, 0, 'runs')
    const after = bytesOf(model)
    const [from, to] = rangeOf(model, 2)
    // the name is as long as the old one, but for its junk of padding
    expect(after.length - before.length).toBe(end - start)
    const copy = before.slice(start, end)
    copy.set(ascii('runs\0'), 8)
    copy.fill(0, 13, 16)
    expect(after.subarray(from, to)).toEqual(copy)
    const size = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)
    expect(size(after) - size(before)).toBe(end - start)
    expect(after.subarray(20, from)).toEqual(before.subarray(20, from))
    expect(after.subarray(to)).toEqual(before.subarray(from))
  })

  it('are made, parted and taken away to the bytes of before', () => {
    const model = packed(odd())
    const before = bytesOf(model)
    list.add(model, 'fresh')
    model.settle()
    expect(list.list(model).map(({ name, end, unit }) => [name, end, unit])).toEqual([
      ['walk', 1, 's'],
      ['idle', 1, 's'],
      ['fresh', 1, 's'],
    ])
    expect(model.document('ped.ifp')!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    list.remove(model, 2)
    expect(bytesOf(model)).toEqual(before)
    model.settle()
    list.split(model, 0, 0.5, 'rest')
    model.settle()
    expect(list.list(model).map(({ name, end }) => [name, end])).toEqual([
      ['walk', 0.5],
      ['rest', 0.5],
      ['idle', 1],
    ])
    const played = model.assembled.scene.clips[1].tracks.find(({ property, target }) => property === 'rotation' && target.index === 3)!
    expect(Array.from(played.values.subarray(0, 4), (v) => Number(v.toFixed(4)))).not.toEqual([0, 0, 0, 1])
  })

  it('and those of the other game do not go together', () => {
    const model = packed()
    const other = ifpFormat.decode(odd(), 'other.ifp')
    expect(refused(() => list.merge(model, other))).toContain('ANPK')
    expect(refused(() => list.merge(model, model.document('ped.dff')!))).toContain('no animation package')
  })
})

it('a model without a package has no place for a clip', () => {
  const model = open({})
  expect(refused(() => list.add(model, 'x'))).toContain('no file')
  expect(list.limits(model).files).toEqual([])
  expect(anmFormat.id).not.toBe(ifpFormat.id)
})
