/** Fields whose values are packed, stand in rows, or are names within a column: set in their own bytes alone. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { editableField, fieldsIn, findField } from '../../src/main/formats/fields.ts'
import { ani } from '../../src/main/formats/lostsaga/codecs/ani.ts'
import { anmFormat } from '../../src/main/formats/renderware/codecs/anm.ts'
import { ID, makeStamp } from '../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, makeRaw } from '../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { newDff } from '../../src/main/formats/renderware/make.ts'
import { withFields } from '../../src/main/formats/set-field.ts'
import { w3dFile } from '../../src/main/formats/w3d/codecs/file.ts'
import { aniBytes } from '../fixtures/lostsaga/build.ts'
import { encodeDff, payload, pedModel } from '../fixtures/renderware/ped.ts'
import { QUAD, chunk, compressed, mesh, timeCoded } from '../fixtures/w3d/chunks.ts'
import { changedRanges } from '../support/edit-session.ts'
import { junk } from '../support/hostile.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import type { EditableField } from '../../src/shared/api/types/fields.ts'

function opened<D extends Document>(format: FileFormat<D>, bytes: Uint8Array, name: string) {
  const document = format.decode(bytes, name)
  const root = format.describe(document)
  return {
    /** the one path that ends so */
    path(ending: string): string {
      const found = [...fieldsIn(root)].map(({ path }) => path).filter((path) => path.endsWith(ending))
      expect(found, ending).toHaveLength(1)
      return found[0]
    },
    told: (path: string): EditableField => editableField(findField(root, path, format.scalars)!, bytes, () => []),
    /** what it is told as afterwards, and the bytes that differ */
    set(path: string, value: string): { value: string; changed: [number, number][] } {
      const now = withFields(format, { bytes, document }, [{ path, value }])
      expect(encodeDocument(format, now.document).bytes).toEqual(now.bytes)
      const field = findField(format.describe(now.document), path, format.scalars)!
      return { value: editableField(field, now.bytes, () => []).value, changed: changedRanges(bytes, now.bytes) }
    },
  }
}

const within = (ranges: [number, number][], from: number, to: number): boolean =>
  ranges.length > 0 && ranges.every(([start, end]) => start >= from && end <= to)

describe('packed rotations of Lost Saga', () => {
  it.each([
    [4001, 4, 0.002],
    [4002, 8, 0.0001],
  ] as const)('%i: four numbers, scaled to length 1, in %i bytes', (coding, size, exact) => {
    const bytes = aniBytes({ coding })
    const file = opened(ani, bytes, 'a.ani')
    const path = 'tracks[0].keys[1].rotation'
    const before = file.told(path)
    expect(before).toMatchObject({ form: 'numbers', refused: '' })
    expect(before.names).toHaveLength(4)
    // as it is told it stays
    expect(file.set(path, before.value).changed).toEqual([])
    const { value, changed } = file.set(path, '0, 1.2, 0, 1.6')
    value.split(', ').forEach((v, i) => expect(Math.abs(Number(v) - [0, 0.6, 0, 0.8][i])).toBeLessThan(exact))
    const start = findField(ani.describe(ani.decode(bytes, 'a')), path, ani.scalars)!.start
    expect(within(changed, start, start + size)).toBe(true)
    // beside the place and the time of the same key
    const whole = file.told('tracks[0].keys[1]').value.split(', ')
    const now = file.set('tracks[0].keys[1]', ['0, 0, 0, 1', '7', ...whole.slice(5)].join(', ')).value.split(', ')
    expect([Math.round(Number(now[3])), now[4], now.length]).toEqual([1, '7', whole.length])
    for (const wrong of ['0 0 0', '0 0 0 0', '0 0 0 x', '0 0 0 1 1', ''])
      expect(() => file.set(path, wrong), wrong).toThrow(expect.objectContaining({ code: 'invalid-edit', path }))
  })
})

describe('times of W3D', () => {
  const bytes = compressed('WALK', 'SKL', 10, 0, [
    timeCoded(1, 2, [
      { time: 0, value: [1] },
      { time: 3, step: true, value: [2] },
      { time: 9, value: [3] },
    ]),
  ])
  it('are set with their mark or without it, which keeps the bit', () => {
    const file = opened(w3dFile, bytes, 'a.w3d')
    const path = `${file.path('.keys')}[1].time`
    expect(file.told(path)).toMatchObject({ value: '3 held', form: 'numbers', refused: '' })
    expect(file.set(path, '4').value).toBe('4 held')
    expect(file.set(path, '3 moving')).toMatchObject({ value: '3' })
    expect(file.set(path, '3 moving').changed.reduce((n, [a, b]) => n + b - a, 0)).toBe(1)
    expect(file.set(path.replace('[1]', '[2]'), '8 held').value).toBe('8 held')
    for (const wrong of ['-1', '2147483648', 'held', '1 2', '1 odd'])
      expect(() => file.set(path, wrong), wrong).toThrow(expect.objectContaining({ code: 'invalid-edit', path }))
  })
})

it('short floats of RenderWare are set within their range', () => {
  const key = (time: number) => payload({ f32: [time] }, { u16: [1, 2, 3, 0x7000, 5, 6, 7] }, 0)
  const content = payload(0x100, 2, 1, 0, { f32: [1] }, key(0), { f32: [0, 0, 0, 1, 1, 1] })
  const bytes = payload(ID.animAnimation, content.length, makeStamp(0x36003), content)
  const file = opened(anmFormat, bytes, 'a.anm')
  const path = `${file.path('.keys')}[0].rotation.w`
  expect(file.told(path)).toMatchObject({ form: 'number', refused: '', whole: false })
  const { value, changed } = file.set(path, '-0.5')
  expect(value).toBe('-0.5')
  expect(changed.reduce((n, [a, b]) => n + b - a, 0)).toBeLessThanOrEqual(2)
  expect(() => file.set(path, '2')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
})

describe('columns', () => {
  const model = newDff(pedModel())
  const geometry = childrenOf(childOf(model.roots[0], ID.geometryList), ID.geometry)[0]
  const field = (name: string): Uint8Array =>
    Uint8Array.from({ length: 32 }, (_, i) => (i < name.length ? name.charCodeAt(i) : i === name.length ? 0 : 0xa5))
  childOf(geometry, ID.extension)!.children!.push(
    makeRaw(
      ID.breakable,
      0x1803ffff,
      payload(
        1,
        1,
        { u16: [0, 0xa5] },
        9,
        9,
        9,
        { u16: [0, 0xa5] },
        9,
        9,
        { u16: [2, 0xa5] },
        9,
        9,
        9,
        9,
        field('wood'),
        field('glass'),
        junk(64),
        new Uint8Array(24),
      ),
    ),
  )
  const dff = opened(dffFormat, encodeDff(model).slice(), 'p.dff')

  it('of names: each in its own bytes, what stands behind its end stays', () => {
    const path = `${dff.path('breakable.textures')}[1]`
    expect(dff.told(path)).toMatchObject({ value: 'glass', form: 'text', refused: '', mostBytes: 31 })
    const { value, changed } = dff.set(path, 'grass')
    expect(value).toBe('grass')
    expect(changed.reduce((n, [a, b]) => n + b - a, 0)).toBe(1)
    expect(dff.set(path, 'glass').changed).toEqual([])
    for (const wrong of ['x'.repeat(32), 'a\0b', '한'])
      expect(() => dff.set(path, wrong)).toThrow(expect.objectContaining({ code: 'invalid-edit', path }))
    expect(() => dff.set(dff.path('breakable.textures'), 'x')).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })

  it('of rows: one number of a matrix, and all of them', () => {
    const path = dff.path('bones[1].skinToBoneMatrix')
    const whole = dff.told(path)
    expect(whole).toMatchObject({ form: 'numbers', refused: '' })
    expect(whole.names!.slice(0, 5)).toEqual(['0,0', '0,1', '0,2', '0,3', '1,0'])
    const { value, changed } = dff.set(`${path}[3][1]`, '2.5')
    expect(value).toBe('2.5')
    const at = dff.told(path)
    expect(changed.reduce((n, [a, b]) => n + b - a, 0)).toBeLessThanOrEqual(4)
    const next = at.value.split(', ').map((v, i) => (i === 13 ? '2.5' : v))
    expect(dff.set(path, next.join(', ')).changed).toEqual(changed)
  })

  it('of colours', () => {
    const bytes = mesh({ meshName: 'A', ...QUAD, chunks: [chunk(0x38, true, chunk(0x3b, false, junk(16)))] })
    const file = opened(w3dFile, bytes, 'a.w3d')
    const path = `${file.path('dcg.values')}[2]`
    expect(file.told(path)).toMatchObject({ form: 'color', refused: '', alpha: true })
    const { value, changed } = file.set(path, '#10203040')
    expect(value).toBe('#10203040')
    expect(changed.reduce((n, [a, b]) => n + b - a, 0)).toBeLessThanOrEqual(4)
    expect(file.set(`${path}.g`, '255').value).toBe('255')
  })
})
