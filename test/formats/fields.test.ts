/** Fields by their paths in every format of the sample: found, told, and set without touching another byte. */
import { beforeAll, describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { editableField, fieldsIn, findField, foundIn } from '../../src/main/formats/fields.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { ID } from '../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, makeContainer, makeRaw } from '../../src/main/formats/renderware/codecs/chunk.ts'
import { newDff } from '../../src/main/formats/renderware/make.ts'
import { withFields } from '../../src/main/formats/set-field.ts'
import { sampleFiles } from '../support/sample.ts'
import { encodeDff, payload, pedModel } from '../fixtures/renderware/ped.ts'
import { junk } from '../support/hostile.ts'
import { changedRanges } from '../support/edit-session.ts'
import type { Document, FileFormat } from '../../src/main/formats/format.ts'
import type { EditableField } from '../../src/shared/api/types/fields.ts'

interface Opened {
  path: string
  format: FileFormat
  bytes: Uint8Array
  document: Document
}

let files: Opened[] = []
beforeAll(() => {
  files = sampleFiles().flatMap(({ path, bytes }) => {
    const format = registry.identify(bytes.subarray(0, 4096), path.split('/').at(-1)!, bytes.length)?.format as FileFormat | undefined
    if (!format) return []
    const document = format.decode(bytes, path)
    return document.readOnly ? [] : [{ path, format, bytes, document }]
  })
})

const open = (ending: string): Opened => files.find(({ path }) => path.endsWith(ending))!

function told({ format, document, bytes }: Opened, path: string): EditableField {
  const root = format.describe(document)
  return editableField(findField(root, path, format.scalars)!, bytes, () => [])
}

function set(file: Opened, path: string, value: string): Opened {
  const { bytes, document } = withFields(file.format, file, [{ path, value }])
  expect(encodeDocument(file.format, document).bytes).toEqual(bytes)
  return { ...file, bytes, document }
}

const refusal = (file: Opened, path: string, value: string): unknown => {
  try {
    set(file, path, value)
  } catch (error) {
    return error
  }
  return undefined
}

/** Another value than it has. */
function other({ form, value, most, choices, bits, type }: EditableField): string {
  const next = (text: string): string => String(most !== undefined && Number(text) + 1 > most ? Number(text) - 1 : Number(text) + 1)
  if (form === 'choice') return choices!.find((choice) => choice.value !== value)!.value
  if (form === 'flags') return bits!.map(({ name, value }) => `${name}=${value === 0 ? 1 : 0}`).slice(0, 1)[0]
  if (form === 'color') return value.startsWith('#123456') ? '#654321' : '#123456'
  if (form === 'text') return type === 'number' ? '3' : type === 'line' ? '0.5 0.5 0.5' : 'Ab'
  return value
    .split(', ')
    .map((text, i) => (i === 0 ? next(text) : text))
    .join(', ')
}

describe('fields of the sample', () => {
  it('are found by the paths that they are listed by, and are set in their own bytes alone', { timeout: 120_000 }, () => {
    const seen = new Set<string>()
    let set = 0
    for (const { format, bytes, document, path: file } of files) {
      const root = format.describe(document)
      for (const { path, field, around } of fieldsIn(root)) {
        const kind = `${format.id} ${path.replaceAll(/\[\d+\]|:\d+/g, '')}`
        if (seen.has(kind)) continue
        seen.add(kind)
        expect(findField(root, path, format.scalars)?.field, `${file} ${path}`).toBe(field)
        const whole = editableField(foundIn(field, path, around, format.scalars), bytes, () => [])
        const target = whole.entries === undefined ? path : `${path}[${whole.entries - 1}]`
        const found = findField(root, target, format.scalars)!
        const one = editableField(found, bytes, () => [])
        if (one.form === 'none') {
          expect(one.refused, kind).not.toBe('')
          continue
        }
        let done: { bytes: Uint8Array } | undefined
        try {
          done = withFields(format, { bytes, document }, [{ path: target, value: other(one) }])
        } catch (error) {
          expect(error, kind).toMatchObject({ code: 'invalid-edit', path: target, file })
        }
        if (!done) continue
        set++
        if (done.bytes.length === bytes.length)
          for (const [start, end] of changedRanges(bytes, done.bytes))
            expect(start >= found.start && end <= found.start + found.size, `${file} ${target}: ${start}-${end}`).toBe(true)
        else {
          // what stands before and behind is the same but for sizes
          const more = done.bytes.length - bytes.length
          expect(done.bytes.subarray(found.start + found.size + more)).toEqual(bytes.subarray(found.start + found.size))
          expect(field.use?.is, kind).toBe('text')
        }
      }
    }
    expect(set).toBeGreaterThan(150)
  })
})

describe('a field that is set', () => {
  it('of W3D: a colour, a flag, a choice, bits with a name, a name that grows with the sizes of its chunks', () => {
    const file = open('WALKER_SKN.W3D')
    const info = 'mesh[0].vertexMaterials.vertexMaterial[0].info'
    expect(told(file, `${info}.diffuse`)).toMatchObject({ form: 'color', value: '#ffffff', alpha: false })
    const at = findField(file.format.describe(file.document), `${info}.diffuse`)!.start
    const red = set(file, `${info}.diffuse`, '#f00')
    expect(changedRanges(file.bytes, red.bytes)).toEqual([[at + 1, at + 3]])
    expect(told(red, `${info}.diffuse.g`)).toMatchObject({ form: 'number', value: '0', least: 0, most: 255 })

    const header = 'mesh[0].header.attributes'
    const shown = set(file, header, '+twoSided')
    expect(told(shown, `${header}.twoSided`).value).toBe('1')
    expect(told(shown, `${header}.geometry`)).toMatchObject({ form: 'choice', value: 'skin' })
    expect(set(shown, header, '-twoSided').bytes).toEqual(file.bytes)
    expect(set(shown, `${header}.twoSided`, 'off').bytes).toEqual(file.bytes)
    expect(set(file, 'mesh[0].shaders.shader[0].srcBlend', 'srcAlpha').document).toBeDefined()
    expect(told(set(file, `${info}.attributes`, 'mapper0=environment'), `${info}.attributes.mapper0`).value).toBe('environment')

    const name = 'mesh[0].textures.texture[0].name.text'
    const longer = set(file, name, 'a_longer_name.tga')
    expect(longer.bytes.length).toBe(file.bytes.length + 'a_longer_name.tga'.length - told(file, name).value.length)
    expect(set(longer, name, told(file, name).value).bytes).toEqual(file.bytes)
  })
  it('of RenderWare: a colour, part of the filter word, a string that keeps its room or takes more in fours', () => {
    const file = open('peds/adventurer.dff')
    const paths = [...fieldsIn(file.format.describe(file.document))].map(({ path }) => path)
    const material = paths.find((path) => path.endsWith('.struct.color'))!.replace('.struct.color', '')
    const at = findField(file.format.describe(file.document), `${material}.struct.color`)!.start
    expect(changedRanges(file.bytes, set(file, `${material}.struct.color`, '#ffffff80').bytes)).toEqual([[at + 3, at + 4]])
    const clamped = set(file, `${material}.texture.struct.filterAddressing.addressU`, 'clamp')
    expect(told(clamped, `${material}.texture.struct.filterAddressing.addressU`).value).toBe('clamp')
    const atomic = told(
      file,
      paths.find((path) => path.endsWith('.frameIndex'))!,
    )
    expect(atomic).toMatchObject({ form: 'reference' })
    expect(atomic.choices!.map(({ label }) => label)).toContain('adventurer')
    const name = paths.find((path) => path.startsWith(`${material}.texture.string`) && path.endsWith('.text'))!
    expect(told(file, name).form).toBe('text')
    const short = set(file, name, 'skin')
    expect(short.bytes.length).toBe(file.bytes.length)
    const long = set(file, name, 'a name of thirty characters xx')
    expect((long.bytes.length - file.bytes.length) % 4).toBe(0)
    expect(told(long, name).value).toBe('a name of thirty characters xx')
    // no longer than the game keeps, with what fills it up
    expect(told(file, name).mostBytes).toBe(31)
    expect(refusal(file, name, 'x'.repeat(32))).toMatchObject({ code: 'invalid-edit', path: name })
    const frame = paths.find((path) => path.endsWith('nodeName.name'))!
    expect(told(file, frame).mostBytes).toBe(23)
    expect(refusal(file, frame, 'x'.repeat(24))).toMatchObject({ code: 'invalid-edit', path: frame })
    expect(told(set(file, frame, 'x'.repeat(23)), frame).value).toBe('x'.repeat(23))
  })
  it('of RenderWare: lights of a clump and of a 2d effect by the names of their flags and kinds, where a dummy stands', () => {
    const document = newDff(pedModel())
    const [clump] = document.roots
    const [geometry] = childrenOf(childOf(clump, ID.geometryList), ID.geometry)
    // a corona with a look direction, and bits that have no name
    const effect = payload(
      1,
      { f32: [1, 2, 3] },
      0,
      80,
      0xff8040ff,
      { f32: [100, 10, 1, 8] },
      Uint8Array.of(6, 1, 0, 40, 0x46),
      junk(48, 3),
      Uint8Array.of(0, 0xe4, 1, 2, 3, 0xa5, 0x5a),
    )
    childOf(geometry, ID.extension)!.children!.push(makeRaw(ID.effect2d, clump.stamp, effect))
    const light = payload({ f32: [10, 1, 0.5, 0.25, 0.1] }, 0x80fc01)
    const extension = makeContainer(ID.extension, clump.stamp, [])
    clump.children!.splice(
      -1,
      0,
      makeRaw(ID.struct, clump.stamp, payload(1)),
      makeContainer(ID.light, clump.stamp, [makeRaw(ID.struct, clump.stamp, light), extension]),
    )
    const bytes = encodeDff(document).slice()
    const format = dffFormat as FileFormat
    const file: Opened = { path: 'x.dff', format, bytes, document: format.decode(bytes, 'x.dff') }
    const root = format.describe(file.document)
    const changed = (path: string, value: string): [number, number][] =>
      changedRanges(bytes, set(file, path, value).bytes).map(([from, to]) => [from - findField(root, path)!.start, to - from])

    expect(told(file, 'clump.light.struct.color')).toMatchObject({ form: 'color', value: '1, 0.5, 0.25' })
    expect(told(set(file, 'clump.light.struct.color', '#ff8000'), 'clump.light.struct.color').value).toBe('#ff8000')
    const flags = 'clump.light.struct.typeAndFlags'
    expect(
      told(file, flags)
        .bits!.filter(({ value }) => value)
        .map(({ name }) => name),
    ).toEqual(['lightsModels', 'type'])
    expect(told(set(file, `${flags}.type`, 'spot'), `${flags}.type`).value).toBe('spot')
    expect(changed(`${flags}`, '+lightsWorld')).toEqual([[0, 1]])
    expect(changed(`${flags}.type`, 'ambient')).toEqual([[2, 1]])
    expect(changed('clump.light.struct.radius', '12')).toHaveLength(1)

    const corona = 'clump.geometryList.geometry[0].extension.effect2d.effects[0]'
    expect(told(file, `${corona}.coronaShowMode`)).toMatchObject({ form: 'choice', value: '6' })
    expect(told(set(file, `${corona}.coronaShowMode`, 'trafficLight'), `${corona}.coronaShowMode`).value).toBe('trafficLight')
    expect(told(file, `${corona}.flags1`).bits).toMatchObject([
      { name: 'checkObstacles', value: 0 },
      { name: 'fogType', value: 3, most: 3 },
      { name: 'withoutCorona', value: 0 },
      { name: 'onlyFarAway', value: 0 },
      { name: 'atDay', value: 0 },
      { name: 'atNight', value: 1 },
      { name: 'blinking1', value: 0 },
    ])
    expect(changed(`${corona}.flags1`, '-atNight')).toEqual([[0, 1]])
    // what has no name stays
    const lit = set(file, `${corona}.flags2`, '+blinking2')
    expect(lit.bytes[findField(root, `${corona}.flags2`)!.start]).toBe(0xe6)
    expect(changed(`${corona}.lookDirection`, '1, 2, -4')).toEqual([[2, 1]])
    // a frame on which nothing hangs
    expect(changed('clump.frameList.struct.frames[0].position[1]', '2.5')).toHaveLength(1)
  })
  it('of Level-5: a float of a colour, a number of a matrix, a name in CP932, a number of a script', () => {
    const file = open('adventurer.mds')
    const mesh = [...fieldsIn(file.format.describe(file.document))].find(({ path }) => path.endsWith('materials[0].diffuse'))!
    const half = set(file, `${mesh.path}[3]`, '0.5')
    expect(
      changedRanges(file.bytes, half.bytes).every(([start, end]) => start >= mesh.field.start + 12 && end <= mesh.field.start + 16),
    ).toBe(true)
    expect(told(half, mesh.path).value).toBe('1, 1, 1, 0.5')
    const kanji = set(file, 'nodes[1].name', '腰')
    expect(told(kanji, 'nodes[1].name').value).toBe('腰')
    expect(refusal(file, 'nodes[1].name', '한')).toMatchObject({ code: 'invalid-edit', path: 'nodes[1].name' })
    expect(refusal(file, 'nodes[1].name', 'x'.repeat(32))).toMatchObject({ code: 'invalid-edit', path: 'nodes[1].name' })
    expect(told(file, 'nodes[1].parent')).toMatchObject({ form: 'reference', value: '0' })
    expect(told(file, 'nodes[1].parent').choices!.slice(0, 2)).toEqual([
      { value: '-1', label: '' },
      { value: '0', label: told(file, 'nodes[0].name').value },
    ])
    const script = open('info.cfg')
    expect(told(set(script, 'motions[0].keys[0].speed', '0.25'), 'motions[0].keys[0].speed').value).toBe('0.25')
    expect(refusal(script, 'motions[0].keys[0].speed', 'fast')).toMatchObject({ code: 'invalid-edit' })
  })
  it('of Lost Saga: strings with their lengths, lines of a script', () => {
    const mesh = open('adventurer.msh')
    const spine = set(mesh, 'controlPoints[0].linkedBone', 'Bip01 한')
    expect(told(spine, 'controlPoints[0].linkedBone').value).toBe('Bip01 한')
    expect(set(spine, 'controlPoints[0].linkedBone', told(mesh, 'controlPoints[0].linkedBone').value).bytes).toEqual(mesh.bytes)
    const script = open('material/adventurer.txt')
    const half = set(script, 'materials[0].diffuse', '0.5 0.5 0.5 1')
    expect(Buffer.from(half.bytes).toString('latin1')).toContain('diffuse 0.5 0.5 0.5 1')
    expect(refusal(script, 'materials[0].diffuse', 'red')).toMatchObject({ code: 'invalid-edit', path: 'materials[0].diffuse' })
  })
  it('is refused with its path: what follows from the file, what is no number, what is outside, what is not there', () => {
    const file = open('WALKER_SKN.W3D')
    for (const [path, value] of [
      ['mesh[0].header.numTris', '1'],
      ['mesh[0].size', '1'],
      ['mesh[0].header.sortLevel', 'high'],
      ['mesh[0].header.sortLevel', '1.5'],
      ['mesh[0].header.sortLevel', '2147483648'],
      ['mesh[0].header.sphRadius', 'Infinity'],
      ['mesh[0].header.sphRadius', '1e39'],
      ['mesh[0].header.min', '1, 2'],
      ['mesh[0].header.meshName', 'x'.repeat(16)],
      ['mesh[0].header.meshName', 'a\0b'],
      ['mesh[0].header.attributes', 'shiny'],
      ['mesh[0].shaders.shader[0].srcBlend', 'no'],
      ['mesh[0].shaders.shader[0].srcBlend', '256'],
      ['mesh[0].vertices.values', '1, 2, 3'],
      ['mesh[0].vertexMaterials.vertexMaterial[0].info.diffuse', '#12'],
    ])
      expect(refusal(file, path, value), `${path} ${value}`).toMatchObject({ code: 'invalid-edit', path, file: file.path })
    for (const path of [
      'mesh[0].header.nobody',
      'mesh[99].header.min',
      'mesh[0].vertices.values[99999]',
      'mesh[0].header',
      '',
      'mesh[0].header.min[3]',
    ])
      expect(refusal(file, path, '1'), path).toMatchObject({ code: 'not-found' })
    expect(refusal(open('adventurer_walk.ani'), 'tracks[0].keyCount', '99')).toMatchObject({ code: 'invalid-edit' })
  })
  it('keeps the bits of what it does not name, also of a number that is none', () => {
    const file = open('WALKER_SKN.W3D')
    const { start } = findField(file.format.describe(file.document), 'mesh[0].header.min')!
    const bytes = file.bytes.slice()
    // a signalling NaN
    bytes.set([1, 0, 0xa0, 0x7f], start)
    const odd = { ...file, bytes, document: file.format.decode(bytes, file.path) }
    const next = set(odd, 'mesh[0].header.min[1]', '7')
    expect([...next.bytes.subarray(start, start + 4)]).toEqual([1, 0, 0xa0, 0x7f])
    expect(next.bytes.length).toBe(bytes.length)
  })
  it('names the second of several of one name', () => {
    const file = open('material/adventurer.txt')
    const paths = [...fieldsIn(file.format.describe(file.document))].map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
  })
})
