/** One rule at a time: what it finds, and that it is silent on the sound file that the fault was put into. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { ID } from '../../../src/main/formats/renderware/codecs/chunk-ids.ts'
import { childOf, childrenOf, makeRaw } from '../../../src/main/formats/renderware/codecs/chunk.ts'
import { dffFormat } from '../../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../../src/main/formats/renderware/codecs/ifp.ts'
import { readModel } from '../../../src/main/formats/renderware/codecs/model.ts'
import { txdFormat } from '../../../src/main/formats/renderware/codecs/txd.ts'
import { renderware } from '../../../src/main/formats/renderware/family.ts'
import { newDff, newIfp, newTxd } from '../../../src/main/formats/renderware/make.ts'
import { legacyPed } from '../../fixtures/renderware/legacy.ts'
import { encodeDff, pedModel, skinOf } from '../../fixtures/renderware/ped.ts'
import type { DffDocument } from '../../../src/main/formats/renderware/codecs/dff.ts'
import type { IfpDocument } from '../../../src/main/formats/renderware/codecs/ifp-bones.ts'
import type { Document, FileFormat, LintModel } from '../../../src/main/formats/format.ts'
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

describe('rules of pictures', () => {
  it('on names, sizes and platforms', () => {
    expect(inPictures((a) => (a.name = name('x'.repeat(32), 32)))).toEqual(['texture-name-end'])
    expect(inPictures((a) => (a.platform = 0x77))).toEqual(['texture-platform'])
    expect(lint(newTxd([{ name: 'a', width: 6, height: 4, rgba: new Uint8Array(96), raster: '8888' }]))).toEqual(['texture-size'])
  })
})

describe('rules of animations', () => {
  it('on names and numbers', () => {
    expect(inClips((d) => (d.animations[1].name = d.animations[0].name.slice()))).toEqual(['clip-twice'])
    expect(inClips((d) => (d.animations[0].bones[0].floats![1] = NaN), 'ANPK')).toEqual(['key-not-a-number'])
  })
})
