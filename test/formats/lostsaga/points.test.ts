import { describe, expect, it } from 'vitest'
import { lostsaga } from '../../../src/main/formats/lostsaga/family.ts'
import { msh, type MshDocument } from '../../../src/main/formats/lostsaga/codecs/msh.ts'
import { skl } from '../../../src/main/formats/lostsaga/codecs/skl.ts'
import { changedRanges, memoryModel, type MemoryModel } from '../../support/edit-session.ts'
import { updateWorld } from '../../../src/shared/scene/pose.ts'
import { Bytes, HAN, mshBytes, sklBytes } from '../../fixtures/lostsaga/build.ts'
import type { ModelBinding } from '../../../src/main/formats/binding.ts'

const REF = 'r/mesh/hero.msh'
const points = lostsaga.editor.points!

function open(bytes = mshBytes()): MemoryModel {
  const binding: ModelBinding = {
    family: 'lostsaga',
    name: 'hero',
    primary: REF,
    members: [
      { role: 'mesh', ref: REF, why: 'self', detail: '' },
      { role: 'skeleton', ref: 'r/normal.skl', why: 'bones', detail: '' },
    ],
  }
  return memoryModel(lostsaga, binding, { [REF]: { format: msh, bytes }, 'r/normal.skl': { format: skl, bytes: sklBytes() } })
}

/** A mesh without the points of the fixture: everything up to the faces' end. */
const headOf = (version: number): Uint8Array => mshBytes({ version }).slice(0, mshBytes({ version: 2000 }).length)
const record = (type: string | number[], bone: string, extra: string, ...position: number[]): Uint8Array =>
  new Bytes()
    .string(type)
    .string(bone)
    .string(extra)
    .f32(...position)
    .done()
const file = (...records: Uint8Array[]): Uint8Array =>
  Uint8Array.from([...headOf(2002), ...new Bytes().i32(records.length).done(), ...records.flatMap((r) => [...r])])
const slot = record('slot', 'Bip01', '', 1, 2, 3)

describe('control points', () => {
  it('are listed with all fields of their record, and what the scene draws for them', () => {
    const { points: list, places } = points.list(open())
    expect(list).toMatchObject([{ id: `${REF}#controlPoints[0]`, ref: REF, helper: 0 }])
    expect(list[0].fields.map((f) => [f.key, f.value, f.joint === true])).toEqual([
      ['type', 'slot', false],
      ['linkedBone', 'Bip01', true],
      ['extra', '', false],
      ['position', [1, 2, 3], false],
    ])
    expect(places).toEqual([{ ref: REF, refused: '', note: '' }])
  })
  it('are added in the bone’s space of the scene, behind those that are there', () => {
    const m = open()
    const joint = m.assembled.scene.skeleton.names.indexOf('Bip01 Spine')
    expect(points.add(m, REF, joint, [4, 5, 6])).toBe(`${REF}#controlPoints[1]`)
    expect(m.bytes(REF)).toEqual(file(slot, record('point', 'Bip01 Spine', '', 4, 5, -6)))
    m.settle()
    expect(m.assembled.scene.helpers[1]).toMatchObject({ joint, center: [4, 5, 6] })
  })
  it('turn a mesh that has none into version 2002; nothing else of it changes', () => {
    const bytes = mshBytes({ version: 2000 })
    const m = open(bytes)
    expect(points.list(m).places[0].note).toContain('2002')
    points.add(m, REF, 0, [0, 0, 0])
    expect(m.bytes(REF)).toEqual(file(record('point', 'Bip01', '', 0, 0, 0)))
    expect(changedRanges(bytes, m.bytes(REF).slice(0, bytes.length))).toEqual([[4, 5]])
  })
  it('are refused where nobody knows what follows the faces, and for unknown versions', () => {
    const odd = open(mshBytes({ version: 2000, trailing: [1, 2, 3] }))
    expect(points.list(odd).places[0].refused).toContain('nobody knows')
    expect(() => points.add(odd, REF, 0, [0, 0, 0])).toThrow(/nobody knows/)
    expect(() => points.add(open(mshBytes({ version: 2007 })), REF, 0, [0, 0, 0])).toThrow(/2007/)
  })
  it('moved: four bytes for one number, and none for what the way through the pose rounds', () => {
    const m = open()
    const before = m.bytes(REF)
    points.place(m, `${REF}#controlPoints[0]`, [1.00001, 9.5, -3])
    const at = before.length - 8
    expect(changedRanges(before, m.bytes(REF)).every(([from, to]) => from >= at && to <= at + 4)).toBe(true)
    expect(m.bytes(REF)).toEqual(file(record('slot', 'Bip01', '', 1, 9.5, 3)))
  })
  it('every field is set by itself; names are CP949', () => {
    const m = open()
    const id = `${REF}#controlPoints[0]`
    points.set(m, id, 'type', '한', { keepPlace: false })
    points.set(m, id, 'extra', 'left 2', { keepPlace: false })
    points.set(m, id, 'linkedBone', 'Nobody', { keepPlace: false })
    points.set(m, id, 'position', [1, 2, -0.5], { keepPlace: false })
    expect(m.bytes(REF)).toEqual(file(record(HAN, 'Nobody', 'left 2', 1, 2, -0.5)))
    for (const [key, value] of [
      ['type', [1]],
      ['position', [1, 2]],
      ['position', 'x'],
      ['constructor', 'x'],
      ['position', [1, 2, Infinity]],
      ['type', '🙂'],
    ] as const)
      expect(() => points.set(m, id, key, value as never, { keepPlace: false })).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })
  it('on another bone: stays where it is at rest, or keeps its numbers', () => {
    const id = `${REF}#controlPoints[0]`
    const placeOf = (m: MemoryModel): number[] => {
      const { scene } = m.assembled
      const { joint, center } = scene.helpers[0]
      const world = new Float32Array(16 * scene.skeleton.count)
      updateWorld(scene.skeleton, scene.skeleton.restLocal, world)
      const at = 16 * joint
      return [0, 1, 2].map(
        (c) => world[at + c] * center[0] + world[at + 4 + c] * center[1] + world[at + 8 + c] * center[2] + world[at + 12 + c],
      )
    }
    const m = open()
    const before = m.bytes(REF)
    const place = placeOf(m)
    points.set(m, id, 'linkedBone', 'Bip01 Spine', { keepPlace: true })
    m.settle()
    expect(m.assembled.scene.skeleton.names[m.assembled.scene.helpers[0].joint]).toBe('Bip01 Spine')
    placeOf(m).forEach((v, c) => expect(v).toBeCloseTo(place[c], 3))
    // the spine is turned by a quarter about Z: its X is the file's Y
    expect(m.bytes(REF).slice(0, -12)).toEqual(file(record('slot', 'Bip01 Spine', '', 0, 0, 0)).slice(0, -12))
    expect([...(m.document(REF) as MshDocument).controlPoints![0].position].map((v) => Math.round(v * 1000) / 1000)).toEqual([2, -1, 3])
    points.set(m, id, 'linkedBone', 'Bip01', { keepPlace: true })
    expect([...(m.document(REF) as MshDocument).controlPoints![0].position].map((v) => Math.round(v * 1000) / 1000)).toEqual([1, 2, 3])

    const numbers = open()
    points.set(numbers, id, 'linkedBone', 'Bip01 Spine', { keepPlace: false })
    expect(numbers.bytes(REF)).toEqual(file(record('slot', 'Bip01 Spine', '', 1, 2, 3)))
    // a name that is no bone has no place, nor does a point that has none
    const nobody = open()
    points.set(nobody, id, 'linkedBone', 'Nobody', { keepPlace: true })
    points.set(nobody, id, 'linkedBone', 'Bip01', { keepPlace: true })
    expect(nobody.bytes(REF)).toEqual(before)
  })
  it('copied and removed: the file is the one before', () => {
    const m = open()
    const before = m.bytes(REF)
    const copy = points.duplicate(m, `${REF}#controlPoints[0]`)
    expect(m.bytes(REF)).toEqual(file(slot, slot))
    points.remove(m, copy)
    expect(m.bytes(REF)).toEqual(before)
    points.remove(m, `${REF}#controlPoints[0]`)
    expect(m.bytes(REF)).toEqual(file())
    for (const id of [`${REF}#controlPoints[0]`, 'nobody#controlPoints[0]', `${REF}#bones[0]`])
      expect(() => points.remove(m, id)).toThrow(expect.objectContaining({ code: 'not-found' }))
  })
  it('keep strings that are no CP949 as they are through edits of others', () => {
    const odd = file(record([0xff, 0x80, 0x41], 'Bip01', '', 0, 0, 0), slot)
    const m = open(odd)
    points.set(m, `${REF}#controlPoints[1]`, 'position', [1, 2, 4], { keepPlace: false })
    expect(m.bytes(REF)).toEqual(file(record([0xff, 0x80, 0x41], 'Bip01', '', 0, 0, 0), record('slot', 'Bip01', '', 1, 2, 4)))
    expect((m.document(REF) as MshDocument).controlPoints![0].type.text).toBe('ÿ\u0080A')
  })
})
