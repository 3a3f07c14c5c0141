/** Rules on plugins, names of files, lists of objects: what each finds, and that it is silent on the sound file. */
import { describe, expect, it } from 'vitest'
import { ID } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, makeContainer, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { ideFormat, modelKey } from '../../../src/main/formats/renderware/codecs/ide.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { newDff, newIfp } from '../../../src/main/formats/renderware/make.ts'
import { encodeDff, payload, pedModel } from '../../fixtures/renderware/ped.ts'
import { nowhere } from '../../support/neighbourhood.ts'
import type { BindFile } from '../../../src/main/formats/binding.ts'
import type { LintModel } from '../../../src/main/formats/family.ts'
import type { Document } from '../../../src/main/formats/format.ts'
import type { Chunk } from '../../../src/main/formats/renderware/codecs/chunk.ts'

const nothing = { around: nowhere, load: () => undefined } satisfies LintModel
const lint = (document: Document, model: LintModel = nothing): string[] =>
  renderware.lint(document, model).map((d) => d.code.slice('renderware.'.length))

const STAMP = 0x1803ffff
const text = (name: string, size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => name.charCodeAt(i) || 0)
/** a text with junk behind its end */
const junkText = (name: string, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => (i < name.length ? name.charCodeAt(i) : i === name.length ? 0 : 0xa5))

/** Rules that a figure breaks whose geometry, or first material, has a plugin more; read again from its bytes. */
function withPlugin(type: number, body: Uint8Array, on: 'geometry' | 'material' = 'geometry', before: Chunk[] = []): string[] {
  const document = newDff(pedModel())
  const geometry = childrenOf(childOf(document.roots[0], ID.geometryList), ID.geometry)[0]
  const owner = on === 'geometry' ? geometry : childrenOf(childOf(geometry, ID.materialList), ID.material)[0]
  childOf(owner, ID.extension)!.children!.push(makeRaw(type, STAMP, body))
  document.roots.unshift(...before)
  return lint(dffFormat.decode(encodeDff(document).slice(), 'p.dff'))
}

const light = (shadow: number, picture: Uint8Array, flags: number): Uint8Array =>
  payload(
    { f32: [1, 2, 3] },
    0,
    76,
    0xff8040ff,
    { f32: [100, 10, 1, shadow] },
    Uint8Array.of(0, 0, 0, 40, flags),
    junkText('coronastar', 24),
    picture,
    Uint8Array.of(0, 1, 0xa5),
  )
const effects = (...list: Uint8Array[]): string[] => withPlugin(ID.effect2d, payload(list.length, ...list))

describe('rules of effects', () => {
  it('know their types, names and what a light asks for', () => {
    const sound = light(8, junkText('shad_exp', 24), 0x40)
    expect(effects(sound)).toEqual([])
    expect(effects(light(0, text('', 24), 0x20))).toEqual([])
    expect(effects(light(8, text('', 24), 0x40))).toEqual(['effect-shadow'])
    expect(effects(light(8, junkText('shad_exp', 24), 1))).toEqual(['effect-hours'])
    expect(effects(light(8, text('x'.repeat(24), 24), 0x40))).toEqual(['effect-name'])
    expect(effects(payload({ f32: [0, 0, 0] }, 77, 0))).toEqual(['effect-type'])
    expect(effects(payload({ f32: [0, 0, 0] }, 1, 23, new Uint8Array(23)))).toEqual(['effect-type'])
    const glare = payload({ f32: [0, 0, 0] }, 4, 0)
    expect(effects(...Array.from({ length: 255 }, () => glare))).toEqual([])
    expect(effects(...Array.from({ length: 256 }, () => glare))).toEqual(['effect-count'])
  })
})

it('night colours go with colours of the day, one a vertex', () => {
  expect(withPlugin(ID.nightColours, payload(0))).toEqual([])
  const { numVertices } = readModel(newDff(pedModel())).clumps[0].geometries[0].struct!
  expect(withPlugin(ID.nightColours, payload(1, new Uint8Array(4 * numVertices)))).toEqual(['night-colours'])
  const bright = newDff(pedModel())
  const geometry = readModel(bright).clumps[0].geometries[0]
  geometry.struct!.format |= 8
  geometry.struct!.prelit = new Uint8Array(4 * numVertices)
  const plugin = (n: number): string[] => {
    childOf(geometry.chunk, ID.extension)!.children!.push(makeRaw(ID.nightColours, STAMP, payload(1, new Uint8Array(4 * n))))
    const found = lint(dffFormat.decode(encodeDff(bright).slice(), 'p.dff'))
    childOf(geometry.chunk, ID.extension)!.children!.pop()
    return found
  }
  expect(plugin(numVertices)).toEqual([])
  expect(plugin(numVertices + 1)).toEqual(['night-colours'])
})

it('pieces of a breakable name vertices and materials that are there', () => {
  const pieces = (corner: number, material: number): string[] =>
    withPlugin(
      ID.breakable,
      payload(
        1,
        1,
        { u16: [3, 0xa5a5] },
        9,
        9,
        9,
        { u16: [1, 0xa5] },
        9,
        9,
        { u16: [1, 0xa5] },
        9,
        9,
        9,
        9,
        new Uint8Array(3 * 24),
        { u16: [0, 1, corner] },
        { u16: [material] },
        new Uint8Array(76),
      ),
    )
  expect(pieces(2, 0)).toEqual([])
  expect(pieces(3, 0)).toEqual(['breakable-range'])
  expect(pieces(2, 1)).toEqual(['breakable-range'])
})

it('animations of texture coordinates are in front of the clump, by names that end', () => {
  const animation = (name: string): Chunk =>
    makeContainer(ID.uvAnimDict, STAMP, [
      makeRaw(ID.struct, STAMP, payload(1)),
      makeRaw(ID.animAnimation, STAMP, payload(0x100, 0x1c0, 0, 0, { f32: [1] }, 0xa5, junkText(name, 32), new Uint8Array(32))),
    ])
  const plugin = (name: Uint8Array, mask = 1): string[] =>
    withPlugin(ID.uvAnim, payload(1, 36, STAMP, mask, name), 'material', [animation('Water')])
  expect(plugin(junkText('water', 32))).toEqual([])
  expect(plugin(junkText('lava', 32))).toEqual(['uv-animation'])
  expect(plugin(text('w'.repeat(32), 32))).toEqual(['uv-animation'])
  expect(plugin(junkText('water', 32), 0x101)).toEqual(['uv-animation'])
})

describe('names and lists', () => {
  it('a file has a name that an archive holds, a texture one of plain letters', () => {
    expect(lint(newDff(pedModel(), `${'n'.repeat(20)}.dff`))).toEqual([])
    expect(lint(newDff(pedModel(), `${'n'.repeat(21)}.dff`))).toEqual(['file-name-length'])
    const model = pedModel()
    model.geometries[0].materials[0].texture = 'h\u00e4nd'
    expect(lint(newDff(model))).toEqual(['texture-name-ascii'])
  })

  it('an object of the map has one atomic, on a frame that does not turn', () => {
    const list = ideFormat.decode(new TextEncoder().encode('objs\n1234, Crate, crate, 100, 0\nend\n'), 'm.ide')
    const file: BindFile = { ref: 'm.ide', name: 'm.ide', folder: '', format: 'renderware.ide', kind: 'text' }
    const around: LintModel = {
      around: { ...nowhere, providing: (key) => (key === modelKey('crate') ? [file] : []), document: () => list },
      load: () => undefined,
    }
    const plain = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2]
    const crate = (names: string[], matrix = plain, ref = 'crate.dff') => {
      const model = pedModel()
      delete model.geometries[0].skin
      delete model.nodes
      model.frames = names.map((name, i) => ({ name, parent: i ? 0 : -1, matrix }))
      model.atomics = names.map((_, frame) => ({ frame, geometry: 0 }))
      return lint(newDff(model, ref), around)
    }
    expect(crate(['crate'])).toEqual([])
    expect(crate(['crate', 'crate_dam'])).toEqual([])
    expect(crate(['crate', 'crate_top'])).toEqual(['object-atomics'])
    expect(crate(['crate', 'crate_top'], plain, 'car.dff')).toEqual([])
    expect(crate(['crate'], [0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0])).toEqual(['object-turned'])
  })
})

describe('rules of packages', () => {
  const still = [0, 0, 0, 1, 0, 0, 0, 1]
  const track = (bone: string, id = -1) => ({ bone, id, times: [0, 1], rotations: still })
  it('on counts, classes and names', () => {
    const many = (n: number): string[] =>
      lint(
        newIfp(
          'p',
          Array.from({ length: n }, (_, i) => ({ name: `c${i}`, tracks: [track('Root', 0)] })),
          'ANP3',
          'p.ifp',
        ),
      )
    expect(many(2500)).toEqual([])
    expect(many(2501)).toEqual(['clip-limit'])
    const crowded = newIfp('p', [{ name: 'c', tracks: [track('Root', 0)] }], 'ANP3', 'p.ifp')
    crowded.animations[0].bones[0].numKeys = 32768
    crowded.animations[0].bones[0].keys = new Uint8Array(0)
    crowded.animations[0].bones[0].shorts = crowded.animations[0].bones[0].floats = null
    expect(lint(crowded)).toContain('clip-counts')
    const mixed = newIfp('p', [{ name: 'c', tracks: [track('Root', 0), track('Spine', 2)] }], 'ANP3', 'p.ifp')
    expect(lint(mixed)).toEqual([])
    const [bone] = mixed.animations[0].bones
    const floats = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0, 1, 1])
    Object.assign(bone, { type: 1, shorts: null, floats, keys: new Uint8Array(floats.buffer) })
    expect(lint(mixed)).toEqual(['clip-mixed'])
    const named = (bone: string, clip = 'c'): string[] => lint(newIfp('p', [{ name: clip, tracks: [track(bone, 2)] }], 'ANPK', 'p.ifp'))
    expect(named('b'.repeat(23), 'c'.repeat(23))).toEqual([])
    expect(named('b'.repeat(24))).toEqual(['clip-name-length'])
    const twice = newIfp('p', [{ name: 'c', tracks: [track('Spine'), track('SPINE')] }], 'ANP3', 'p.ifp')
    expect(lint(twice)).toEqual(['clip-bone-twice'])
  })
  it('on keys for the scale', () => {
    const scaled = newIfp('p', [{ name: 'c', tracks: [track('Root', 0)] }], 'ANPK', 'p.ifp')
    const [bone] = scaled.animations[0].bones
    const floats = Float32Array.from([0, 1].flatMap((time) => [0, 0, 0, 1, 0, 0, 0, 1, 1, 1, time]))
    Object.assign(bone, { floats, keys: new Uint8Array(floats.buffer) })
    bone.anpk!.keyTag = 'KRTS'
    expect(lint(scaled)).toEqual(['key-scale'])
  })
})
