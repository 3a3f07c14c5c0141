import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Reader } from '../../../src/main/binary/reader.ts'
import { Writer } from '../../../src/main/binary/writer.ts'
import { ID, makeStamp } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { newDff } from '../../../src/main/formats/renderware/make.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { GEOMETRY } from '../../../src/main/formats/renderware/codecs/geometry.ts'
import { boneMatrix, boneStride, neededWeights, skinPlg, weightedBones } from '../../../src/main/formats/renderware/codecs/skin.ts'
import { makeSplit, meshPalette, splitProblems } from '../../../src/main/formats/renderware/codecs/skin-split.ts'
import { encodeDff, payload, pedModel, skinOf } from '../../fixtures/renderware/ped.ts'
import { expectLossless, junk } from '../../support/hostile.ts'
import type { BinMesh } from '../../../src/main/formats/renderware/codecs/bin-mesh.ts'
import type { Skin } from '../../../src/main/formats/renderware/codecs/skin.ts'

const stamp = makeStamp(0x36003)

/** Reads skin content for a geometry of nv vertices; the rest that was not read comes along. */
function read(content: Uint8Array, nv: number): { skin: Skin; rest: number } {
  const reader = new Reader(content, 'skin')
  const skin = skinPlg.read(reader, {
    stamp,
    size: content.length,
    geometry: { numVertices: nv, format: 0 },
    nested: () => {
      throw new Error('none')
    },
  })
  return { skin, rest: reader.remaining }
}

function write(skin: Skin): Uint8Array {
  const out = new Writer()
  skinPlg.write(skin, out)
  return out.finish().slice()
}

const bytes = (...b: number[]): Uint8Array => Uint8Array.from(b)

describe('Skin PLG layouts', () => {
  it('reads the new layout with its split words', () => {
    const content = payload(bytes(2, 1, 1, 0x5a), bytes(1), junk(20 * 3), junk(64 * 2), 0, 0, 0)
    const { skin, rest } = read(content, 3)
    expect(skin).toMatchObject({
      layout: 'new',
      numBones: 2,
      numUsed: 1,
      maxWeights: 1,
      pad: 0x5a,
      split: { boneLimit: 0, numMeshes: 0, numRLE: 0 },
    })
    expect(rest).toBe(0)
    expect(write(skin)).toEqual(content)
  })
  it('reads split data as pairs of bytes', () => {
    const content = payload(
      bytes(3, 2, 2, 0),
      bytes(0, 2),
      junk(20),
      junk(64 * 3),
      2,
      2,
      3,
      bytes(0, 0xff, 1),
      bytes(0, 2, 2, 1),
      bytes(0, 1, 2, 1, 1, 1),
    )
    const { skin } = read(content, 1)
    expect(skin.split).toEqual({
      boneLimit: 2,
      numMeshes: 2,
      numRLE: 3,
      remap: bytes(0, 0xff, 1),
      rleCount: bytes(0, 2, 2, 1),
      rle: bytes(0, 1, 2, 1, 1, 1),
    })
    expect(meshPalette(skin, 0)).toEqual(bytes(0, 2))
    expect(meshPalette(skin, 1)).toEqual(bytes(1))
    expect(write(skin)).toEqual(content)
  })
  it('reads the old layout, whatever the stamp: a dead word before each matrix and no split words', () => {
    const content = payload(bytes(2, 0, 0, 0), junk(20 * 4), 0xdeaddead, junk(64, 1), 0x12345678, junk(64, 2))
    const { skin, rest } = read(content, 4)
    expect(skin).toMatchObject({ layout: 'old', split: null })
    expect(rest).toBe(0)
    expect(boneStride(skin)).toBe(17)
    expect(new Uint8Array(boneMatrix(skin, 1).buffer, boneMatrix(skin, 1).byteOffset, 64)).toEqual(junk(64, 2))
    expect(write(skin)).toEqual(content)
  })
  it('goes by size where the header disagrees', () => {
    // no maximum of weights, and the size of the new layout
    expect(read(payload(bytes(2, 1, 0, 0), bytes(0), junk(20), junk(128), 0, 0, 0), 1).skin).toMatchObject({
      layout: 'new',
      numUsed: 1,
      maxWeights: 0,
    })
    // a maximum, no list, and the size of the old one
    expect(read(payload(bytes(2, 0, 4, 0), junk(20), junk(136)), 1).skin).toMatchObject({ layout: 'old', maxWeights: 4 })
    // old with a list in front
    const listed = payload(bytes(2, 3, 0, 0), junk(3), junk(20), junk(136))
    expect(read(listed, 1).skin).toMatchObject({ layout: 'old', numUsed: 3 })
    expect(write(read(listed, 1).skin)).toEqual(listed)
  })
  it('goes by the header where both sizes are the same: three bones, no list', () => {
    const body = [junk(20), junk(204)] as const
    expect(body[1].length).toBe(3 * 68)
    // the last 12 bytes are the split words of the new reading
    const content = payload(bytes(3, 0, 0, 0), body[0], body[1].subarray(0, 192), 0, 0, 0)
    expect(read(content, 1).skin.layout).toBe('old')
    const other = payload(bytes(3, 0, 4, 0), body[0], body[1].subarray(0, 192), 0, 0, 0)
    expect(read(other, 1).skin.layout).toBe('new')
    expect(write(read(other, 1).skin)).toEqual(other)
  })
  it('sees the dead words where both sizes are the same', () => {
    const matrices = [1, 2, 3].flatMap((seed) => [0xdeaddead, junk(64, seed)])
    expect(read(payload(bytes(3, 0, 4, 0), junk(20), ...matrices), 1).skin.layout).toBe('old')
    // four listed bones of four
    expect(read(payload(bytes(4, 4, 4, 0), bytes(0, 1, 2, 3), junk(20), junk(256), 0, 0, 0), 1).skin.layout).toBe('new')
  })
  it('keeps what follows a skin whose size fits no layout', () => {
    const document = newDff(pedModel())
    const geometry = childrenOf(childOf(document.roots[0], ID.geometryList), ID.geometry)[0]
    const extension = childOf(geometry, ID.extension)!
    const at = extension.children!.findIndex((c) => c.type === ID.skin)
    extension.children![at] = makeRaw(ID.skin, stamp, payload(write(skinOf(document)), 1, 2))
    const again = expectLossless(dffFormat, encodeDff(document))
    expect(again.diagnostics.map((d) => d.code)).toEqual(['renderware.left-over'])
    expect(skinOf(again).numBones).toBe(4)
  })
  it('reads the legacy layout on an atomic, and native skins as they are', () => {
    const document = newDff(pedModel())
    const clump = document.roots[0]
    const atomic = childOf(clump, ID.atomic)!
    childOf(atomic, ID.extension)!.children!.push(makeRaw(ID.skin, stamp, payload(2, 3, junk(60), 7, 0, 2, junk(64), 8, 1, 1, junk(64))))
    const geometry = childrenOf(childOf(clump, ID.geometryList), ID.geometry)[0]
    const struct = childOf(geometry, ID.struct)!
    const extension = childOf(geometry, ID.extension)!
    struct.codec = null
    struct.data = payload(GEOMETRY.native | 0x10076, 3, 5, 1, { f32: [0, 0, 0, 1] }, 0, 0)
    extension.children = [
      makeRaw(ID.nativeData, stamp, payload(1, 20, stamp, 4, junk(16))),
      makeRaw(ID.skin, stamp, payload(1, 300, stamp, 4, bytes(32, 28, 4, 0), junk(100))),
    ]
    const again = expectLossless(dffFormat, encodeDff(document))
    expect(again.diagnostics).toEqual([])
    const view = readModel(again).clumps[0]
    expect(view.atomics[0].legacySkin).toMatchObject({ layout: 'legacy', numBones: 2, numVertices: 3 })
    expect(view.geometries[0].native).toBe(true)
    expect(JSON.stringify(dffFormat.describe(again))).toContain('PlayStation 2')
  })
  it('is lossless for every size', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(6), fc.nat(6), fc.nat(5), fc.boolean(), fc.nat(3), fc.nat(4), (nv, nb, nu, mw, old, meshes, runs) => {
        const content = old
          ? payload(bytes(nb, 0, mw, 1), junk(20 * nv), junk(68 * nb))
          : payload(
              bytes(nb, nu, mw, 1),
              junk(nu),
              junk(20 * nv),
              junk(64 * nb),
              3,
              meshes,
              meshes ? runs : 0,
              ...(meshes ? [junk(nb), junk(2 * meshes), junk(2 * runs)] : []),
            )
        const { skin, rest } = read(content, nv)
        expect(rest).toBe(0)
        expect(write(skin)).toEqual(content)
      }),
    )
  })
})

describe('used bones and maximum of weights', () => {
  it('are counted as the game would', () => {
    const skin = skinOf(newDff(pedModel()))
    expect(weightedBones(skin)).toEqual(bytes(0, 1, 2, 3))
    expect(neededWeights(skin)).toBe(3)
    skin.weights.fill(0)
    skin.weights[3] = 1
    skin.indices[3] = 2
    expect(weightedBones(skin)).toEqual(bytes(2))
    // a weight in the last slot needs all four
    expect(neededWeights(skin)).toBe(4)
  })
})

describe('split data', () => {
  const bins = (groups: number[][]): BinMesh => ({
    flags: 0,
    numMeshes: groups.length,
    totalIndices: 0,
    meshes: groups.map((g, m) => ({ numIndices: g.length, material: m, indices: Uint32Array.from(g) })),
  })
  /** one bone per vertex */
  const rigid = (numBones: number, bones: number[]): Skin => {
    const indices = new Uint8Array(4 * bones.length)
    const weights = new Float32Array(4 * bones.length)
    bones.forEach((b, v) => {
      indices[4 * v] = b
      weights[4 * v] = 1
    })
    return {
      layout: 'new',
      numBones,
      numUsed: 0,
      maxWeights: 1,
      pad: 0,
      used: bytes(),
      numVertices: bones.length,
      indices,
      weights,
      bones: new Uint32Array(16 * numBones),
      split: null,
    }
  }
  it('gives every bone one slot that is right in all palettes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.array(fc.nat(39), { minLength: 3, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        (numBones, groups) => {
          const skin = rigid(
            numBones,
            groups.flat().map((b) => b % numBones),
          )
          let next = 0
          const mesh = bins(
            groups.map((g) => {
              const list = g.slice(0, 3 * Math.floor(g.length / 3)).map((_, i) => next + i)
              next += g.length
              return list
            }),
          )
          skin.split = makeSplit(skin, mesh, 64)
          expect(splitProblems(skin, mesh)).toEqual([])
          expect(write(read(write(skin), skin.numVertices).skin)).toEqual(write(skin))
        },
      ),
    )
  })
  it('refuses a mesh that needs more than the limit', () => {
    const skin = rigid(6, [0, 1, 2, 3, 4, 5])
    expect(() => makeSplit(skin, bins([[0, 1, 2, 3, 4, 5]]), 5)).toThrow(/more than 5 bones/)
    const split = makeSplit(
      skin,
      bins([
        [0, 1, 2],
        [3, 4, 5],
      ]),
      3,
    )
    expect(split).toEqual({
      boneLimit: 3,
      numMeshes: 2,
      numRLE: 2,
      remap: bytes(0, 1, 2, 0, 1, 2),
      rleCount: bytes(0, 1, 1, 1),
      rle: bytes(0, 3, 3, 3),
    })
  })
  it('tells what an edit has broken', () => {
    const skin = rigid(6, [0, 1, 2, 3, 4, 5])
    const mesh = bins([
      [0, 1, 2],
      [3, 4, 5],
    ])
    skin.split = makeSplit(skin, mesh, 3)
    skin.indices[0] = 5
    expect(splitProblems(skin, mesh)).toEqual(['the palette of mesh 0 lacks the weighted bones 5'])
    expect(splitProblems(skin, bins([[0, 1, 2]]))[0]).toMatch(/describes 2 meshes, BinMesh has 1/)
    skin.split.rleCount[1] = 9
    expect(splitProblems(skin, mesh)).toContain('the runs of mesh 0 are out of range')
  })
})
