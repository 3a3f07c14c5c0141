/** One rule at a time: what it finds, and that it is silent on the sound file that the fault was put into. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { ID, makeStamp } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { newDff, newIfp, newTxd } from '../../../src/main/formats/renderware/make.ts'
import { legacyPed } from '../../fixtures/renderware/legacy.ts'
import { encodeDff, pedModel, skinOf } from '../../fixtures/renderware/ped.ts'
import { changedRanges } from '../../support/edit-session.ts'
import type { DffDocument } from '../../../src/main/formats/renderware/codecs/dff.ts'
import type { IfpDocument } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'
import type { LintModel } from '../../../src/main/formats/family.ts'
import type { Document, FileFormat } from '../../../src/main/formats/format.ts'
import type { ClumpView } from '../../../src/main/formats/renderware/codecs/model.ts'
import type { Skin } from '../../../src/main/formats/renderware/codecs/skin.ts'
import type { TextureNative } from '../../../src/main/formats/renderware/codecs/texture-native.ts'

const nothing = { around: undefined as never, load: () => undefined } satisfies LintModel

function lint(document: Document): string[] {
  return renderware.lint(document, nothing).map((d) => d.code.slice('renderware.'.length))
}

/** Rules that a file breaks, read again from its bytes. */
function after<D extends Document>(format: FileFormat<D>, document: D, change: (document: D) => void): string[] {
  expect(lint(document)).toEqual([])
  change(document)
  return lint(format.decode(encodeDocument(format, document).bytes.slice(), document.ref))
}

const inModel = (change: (clump: ClumpView, skin: Skin, document: DffDocument) => void): string[] =>
  after(dffFormat, newDff(pedModel()), (document) => change(readModel(document).clumps[0], skinOf(document), document))

const pictures = () =>
  newTxd([
    { name: 'a', width: 8, height: 8, rgba: new Uint8Array(256), raster: '8888' },
    { name: 'b', width: 8, height: 8, rgba: new Uint8Array(256), raster: 'DXT1' },
  ])
const inPictures = (change: (a: TextureNative, b: TextureNative) => void): string[] =>
  after(txdFormat, pictures(), (document) => {
    const [a, b] = childrenOf(document.roots[0], ID.textureNative).map((c) => childOf(c, ID.struct)!.value as TextureNative)
    change(a, b)
  })

const still = [0, 0, 0, 1, 0, 0, 0, 1]
const clips = (kind: 'ANP3' | 'ANPK' = 'ANP3') =>
  newIfp(
    'p',
    [
      { name: 'c', tracks: [{ bone: 'Root', id: 0, times: [0, 1], rotations: still, translations: [0, 0, 0, 0, 1, 0] }] },
      { name: 'd', tracks: [{ bone: 'Root', id: 0, times: [0, 1], rotations: still }] },
    ],
    kind,
    'p.ifp',
  )
const inClips = (change: (document: IfpDocument) => void, kind?: 'ANPK'): string[] => after(ifpFormat, clips(kind), change)
const name = (text: string, size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => text.charCodeAt(i) || 0)

describe('rules of models', () => {
  it('on atomics and what is drawn', () => {
    expect(
      inModel((clump) => ((childOf(clump.atomics[0].chunk, ID.struct)!.value as { geometryIndex: number }).geometryIndex = 4)),
    ).toContain('atomic-geometry')
    expect(
      inModel((clump) => {
        const extension = childOf(clump.geometries[0].chunk, ID.extension)!
        extension.children = extension.children!.filter((c) => c.type !== ID.binMesh)
      }),
    ).toEqual(['no-bin-mesh'])
    expect(inModel((_, __, document) => document.roots.splice(0, 1, makeRaw(0x99, 0x1803ffff, new Uint8Array(4))))).toEqual(['no-clump'])
  })

  it('on weights', () => {
    expect(inModel((_, skin) => skin.indices.set([3, 3], 0))).toEqual(['bone-twice'])
    expect(inModel((_, skin) => (skin.maxWeights = 4))).toEqual(['max-weights-high'])
    expect(inModel((_, skin) => skin.indices.fill(0))).toContain('used-bones-extra')
  })
})

it('finds a skin on the atomic, and names of textures that no dictionary holds', () => {
  expect(lint(dffFormat.decode(encodeDff(legacyPed(['R Arm', 'L Arm'])), 'old.dff'))).toContain('legacy-skin')
  const model = pedModel()
  model.geometries[0].materials[0].texture = 'x'.repeat(32)
  expect(lint(newDff(model))).toEqual(['texture-name-length'])
})

describe('rules of models in numbers', () => {
  const flags = (clump: ClumpView) => clump.frames[clump.tableFrame].hanim!
  it('on geometries', () => {
    const struct = (clump: ClumpView) => clump.geometries[0].struct!
    expect(inModel((clump) => (struct(clump).triangles[0] = 5))).toEqual(['triangle-range'])
    expect(inModel((clump) => (struct(clump).triangles[2] = 9))).toEqual(['triangle-range'])
    expect(
      inModel((clump) => {
        struct(clump).format |= 0x40
        clump.geometries[0].materials[1].struct!.color.set([0, 0, 0])
      }),
    ).toEqual(['black-material'])
    // a vehicle is painted by the game
    for (const [frame, found] of [
      ['chassis', []],
      ['chassis_dummy', []],
      ['wheel_lf_dummy', []],
      ['wheel', ['black-material']],
      ['chassis_table', ['black-material']],
    ] as const) {
      const model = pedModel()
      model.frames[2].name = frame
      model.geometries[0].materials[1].color = [0, 0, 0, 255]
      const document = newDff(model)
      struct(readModel(document).clumps[0]).format |= 0x40
      expect(lint(document), frame).toEqual(found)
    }
    const sphere = newDff(pedModel())
    const before = encodeDff(sphere).slice()
    const morph = readModel(sphere).clumps[0].geometries[0].struct!.morphs[0]
    const radius = morph.sphere[3]
    morph.sphere[3] = 0
    const read = dffFormat.decode(encodeDff(sphere).slice(), 'p.dff')
    const [found] = renderware.lint(read, nothing)
    expect(found).toMatchObject({ code: 'renderware.bounding-sphere', severity: 'info', known: 'one-source' })
    renderware.fixes![found.fixes![0].id](read, found)
    const fixed = readModel(read).clumps[0].geometries[0].struct!.morphs[0].sphere[3]
    expect(fixed).toBeLessThanOrEqual(radius + 1e-3)
    expect(lint(read)).toEqual([])
    const after = encodeDff(read).slice()
    expect(changedRanges(before, after).reduce((n, [a, b]) => n + b - a, 0)).toBeLessThanOrEqual(4)
    const model = pedModel()
    model.geometries[0].materials = Array.from({ length: 51 }, () => ({ color: [255, 255, 255, 255] }))
    expect(lint(newDff(model))).toEqual(['many-materials'])
    model.geometries[0].materials = model.geometries[0].materials.slice(1)
    expect(lint(newDff(model))).toEqual([])
    const uvs = readModel(newDff(pedModel())).clumps[0].geometries[0].struct!
    expect(uvs.uvs).toHaveLength(1)
    expect(
      inModel((clump) => {
        const s = struct(clump)
        s.format = (s.format & ~0xff0000) | 0x30000
        s.uvs.push(s.uvs[0].slice(), s.uvs[0].slice())
      }),
    ).toEqual(['uv-sets'])
    const large = pedModel()
    const n = 65536
    delete large.geometries[0].skin
    Object.assign(large.geometries[0], {
      positions: new Float32Array(3 * n),
      normals: new Float32Array(3 * n),
      uvs: new Float32Array(2 * n),
    })
    expect(lint(newDff(large))).toContain('vertex-limit')
    const bare = pedModel()
    bare.geometries[0].materials = []
    expect(lint(newDff(bare))).toContain('no-material')
  })

  it('on frames and tables', () => {
    expect(
      inModel((clump) => {
        const { children } = clump.frames[1].extension!
        children!.reverse()
      }),
    ).toEqual(['hanim-behind-name'])
    expect(inModel((clump) => (clump.chunk.stamp = makeStamp(0x37000)))).toEqual(['stamp-newer'])
    // a name that is too long even up to its end is not cut: it would be another one
    const named = (text: string): unknown => {
      const document = newDff(pedModel())
      ;(readModel(document).clumps[0].frames[2].nameChunk!.value as { bytes: Uint8Array }).bytes = new TextEncoder().encode(text)
      const read = dffFormat.decode(encodeDff(document).slice(), 'p.dff')
      return renderware.lint(read, nothing).find(({ code }) => code === 'renderware.node-name-length')?.fixes?.length ?? 0
    }
    expect([named(`${'x'.repeat(23)}\0\0`), named(`${'x'.repeat(24)}\0`), named('x'.repeat(25))]).toEqual([1, 0, 0])
    // without its table a figure of San Andreas ends the game; those of earlier games are drawn without one
    const tableless = (version: number): unknown => {
      const document = newDff(pedModel())
      const [clump] = readModel(document).clumps
      delete clump.frames[1].hanim!.table
      clump.frames[1].hanim!.numNodes = 0
      clump.chunk.stamp = makeStamp(version)
      const read = dffFormat.decode(encodeDff(document).slice(), 'p.dff')
      return renderware.lint(read, nothing).find(({ code }) => code === 'renderware.no-hanim-table')!.severity
    }
    expect([0x36003, 0x33002].map(tableless)).toEqual(['error', 'warning'])
    const [was, is] = [newDff(pedModel()), newDff(pedModel())]
    is.roots[0].stamp = makeStamp(0x33002)
    const told = (original?: Document): string[] => renderware.lint(is, { ...nothing, original }).map(({ code }) => code)
    expect(told(is)).toEqual(told())
    expect(told(was)).toEqual([...told(), 'renderware.stamp-changed'])
    expect(inModel((clump) => flags(clump).table!.nodes.forEach((_, i, nodes) => i % 3 === 2 && (nodes[i] |= 2)))).toContain('push-pop')
    const many = (n: number, flag = 2): string[] => {
      const document = newDff(pedModel())
      const hanim = flags(readModel(document).clumps[0])
      hanim.numNodes = n
      // each pushes, so that the stack is as deep as there are nodes
      hanim.table!.nodes = Int32Array.from({ length: 3 * n }, (_, i) => [i / 3, (i - 1) / 3, flag][i % 3])
      return lint(dffFormat.decode(encodeDff(document).slice(), 'p.dff'))
    }
    // one that pops again is no deeper, however many there are
    expect(many(40, 3)).not.toContain('push-depth')
    expect(many(31)).not.toContain('push-depth')
    expect(many(32)).toContain('push-depth')
    expect(many(32)).not.toContain('many-bones')
    expect(many(33)).toContain('many-bones')
    expect(many(257)).toContain('too-many-nodes')
    expect(many(54)).toContain('missing-nodes-at-times')
    expect(many(303)).not.toContain('missing-nodes-at-times')
  })
})

describe('rules of pictures', () => {
  it('on names, sizes and platforms', () => {
    expect(inPictures((a) => (a.name = name('x'.repeat(32), 32)))).toEqual(['texture-name-end'])
    expect(inPictures((a) => (a.platform = 0x77))).toEqual(['texture-platform'])
    expect(lint(newTxd([{ name: 'a', width: 6, height: 4, rgba: new Uint8Array(96), raster: '8888' }]))).toEqual(['texture-size'])
  })
})

it('finds pictures that the card is told wrong things about', () => {
  expect(inPictures((a) => (a.platform = 8))).toContain('texture-of-other-game')
  const older = pictures()
  for (const texture of childrenOf(older.roots[0], ID.textureNative)) texture.stamp = makeStamp(0x34003)
  expect(lint(older)).toEqual(['texture-of-other-game', 'texture-of-other-game'])
  expect(inPictures((a) => (a.filterAddressing = 0x1107))).toEqual(['texture-sampler'])
  expect(inPictures((a) => (a.rasterType = 3))).toEqual(['texture-sampler'])
  expect(inPictures((a) => (a.flags |= 2))).toContain('texture-cube')
  expect(inPictures((a) => (a.name = name('', 32)))).toContain('texture-name-empty')
  const rgba = new Uint8Array(256)
  const one = (raster: 'PAL8' | 'DXT3', width = 8, height = 8) =>
    newTxd([{ name: 'a', width, height, rgba: width === 8 ? rgba : new Uint8Array(4 * width * height), raster }])
  expect(lint(one('PAL8'))).toEqual(['texture-palette'])
  expect(lint(one('DXT3', 4096, 4))).toEqual(['texture-large'])
  expect(
    after(txdFormat, one('DXT3'), (d) => ((childOf(childOf(d.roots[0], ID.textureNative), ID.struct)!.value as TextureNative).flags &= ~1)),
  ).toEqual(['texture-alpha'])
  expect(
    inPictures((a) => {
      for (let i = 1; i < 5; i++) a.levels.push({ data: new Uint8Array(Math.max(4, 256 >> (2 * i))) })
      a.numLevels = a.levels.length
      a.rasterFormat |= 0x8000
    }),
  ).toContain('texture-chain')
  expect(inPictures((a) => (a.rasterFormat |= 0x8000))).toEqual(['texture-mip-flag'])
  expect(
    inPictures((a) => {
      a.levels.push({ data: new Uint8Array(64) })
      a.numLevels = 2
    }),
  ).toEqual(['texture-mip-flag'])
  expect(inPictures((a) => (a.flags |= 8))).toEqual(['texture-raster'])
  expect(inPictures((_, b) => (b.flags &= ~8))).toEqual(['texture-raster'])
  expect(inPictures((a) => (a.alphaOrFormat = 23))).toEqual(['texture-raster'])
  expect(inPictures((_, b) => (b.rasterFormat |= 0x10))).toEqual(['texture-raster'])
  // automatic levels beside stored ones: the fix clears a bit and keeps every other byte
  const mips = newTxd([{ name: 'a', width: 8, height: 8, rgba, raster: '8888', mips: true }])
  const before = encodeDocument(txdFormat, mips).bytes.slice()
  ;(childOf(childOf(mips.roots[0], ID.textureNative), ID.struct)!.value as TextureNative).rasterFormat |= 0x1000
  const read = txdFormat.decode(encodeDocument(txdFormat, mips).bytes.slice(), 't.txd')
  const [found] = renderware.lint(read, nothing)
  expect(found).toMatchObject({ code: 'renderware.texture-auto-mips', severity: 'error' })
  renderware.fixes![found.fixes![0].id](read, found)
  expect(Buffer.from(encodeDocument(txdFormat, read).bytes).equals(before)).toBe(true)
  // the last byte of a Direct3D 8 picture is its compression, and has no such flag
  const dxt = newTxd([{ name: 'a', width: 8, height: 8, rgba, raster: 'DXT5', mips: true, platform: 8 }])
  const native = childOf(childOf(dxt.roots[0], ID.textureNative), ID.struct)!.value as TextureNative
  const coding = native.flags
  expect(coding & 4).toBe(4)
  native.rasterFormat |= 0x1000
  const auto = renderware.lint(dxt, nothing).find(({ code }) => code === 'renderware.texture-auto-mips')!
  renderware.fixes![auto.fixes![0].id](dxt, auto)
  expect([native.rasterFormat & 0x1000, native.flags]).toEqual([0, coding])
})

describe('rules of animations', () => {
  it('on times, ranges and names', () => {
    const turn = (...times: number[]) => ({ bone: 'Spine', id: 2, times, rotations: times.flatMap(() => [0, 0, 0, 1]) })
    const of = (...tracks: object[]): string[] => lint(newIfp('p', [{ name: 'c', tracks: tracks as never }], 'ANPK', 'p.ifp'))
    expect(of(turn(0, 1))).toEqual([])
    expect(of(turn(0.5, 1))).toEqual(['key-first'])
    expect(of(turn(0, 0.01, 1))).toEqual(['key-tick'])
    expect(of(turn(0, 0))).toEqual(['key-no-time'])
    expect(of(turn(0, 547))).toEqual(['packed-range'])
    expect(of(turn(0, 546))).toEqual([])
    expect(of({ ...turn(0, 1), rotations: [0, 0, 0, 1, 0, 0, 0, 9] })).toContain('packed-range')
    const moved = { ...turn(0, 1), translations: [0, 0, 0, 0, 32, 0] }
    expect(of(moved)).toEqual(['packed-range', 'translation-not-root'])
    expect(of({ ...moved, bone: 'Root', id: 0, translations: [0, 0, 0, 0, 31, 0] })).toEqual([])
    for (const place of [NaN, Infinity])
      expect(of({ ...moved, bone: 'Root', id: 0, translations: [0, 0, 0, 0, place, 0] })).toEqual(['key-not-a-number'])
    expect(lint(newIfp('p', [{ name: 'c', tracks: [] }], 'ANP3', 'p.ifp'))).toEqual(['clip-empty'])
    expect(lint(newIfp('p', [{ name: 'c', tracks: [turn(0, 1)] }], 'ANP3', 'q.ifp'))).toEqual(['package-name'])
    expect(inClips((d) => (d.animations[0].bones[0].name = name('x'.repeat(24), 24)))).toEqual(['clip-name-end'])
    const three = newIfp('p', [{ name: 'c', tracks: [turn(0, 1)] }], 'ANPK', 'p.ifp')
    three.animations[0].bones[0].anpk!.links = Int32Array.of(-1, -1)
    expect(lint(three)).toEqual(['bone-ids-ignored'])
  })

  it('whose keys are sorted by time, with all that they hold', () => {
    const keys = (order: number[]) =>
      newIfp(
        'p',
        [{ name: 'c', tracks: [{ bone: 'Root', id: 0, times: order, rotations: order.flatMap((t) => [0, 0, Math.sin(t), Math.cos(t)]) }] }],
        'ANP3',
        'p.ifp',
      )
    const document = keys([0, 0.5, 0.25, 1])
    const [found] = renderware.lint(document, nothing)
    expect(found).toMatchObject({ code: 'renderware.key-order', severity: 'error' })
    renderware.fixes![found.fixes![0].id](document, found)
    expect(Buffer.from(encodeDocument(ifpFormat, document).bytes).equals(encodeDocument(ifpFormat, keys([0, 0.25, 0.5, 1])).bytes)).toBe(
      true,
    )
  })

  it('on names and numbers', () => {
    expect(inClips((d) => (d.animations[1].name = d.animations[0].name.slice()))).toEqual(['clip-twice'])
    expect(inClips((d) => (d.animations[0].bones[0].floats![1] = NaN), 'ANPK')).toEqual(['key-not-a-number'])
  })
})
