import { expect, it } from 'vitest'
import { makeAnimation } from '../../../src/main/formats/w3d/codecs/animation.ts'
import { big, makeBig } from '../../../src/main/formats/w3d/archives/big.ts'
import { FLAVOR, makeCompressedAnimation, timeCodedKeys } from '../../../src/main/formats/w3d/codecs/compressed-animation.ts'
import { encodeDeltas } from '../../../src/main/formats/w3d/codecs/delta-coding.ts'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { hierarchyOf, makeHierarchy, restWorld } from '../../../src/main/formats/w3d/codecs/hierarchy.ts'
import { makeHlod } from '../../../src/main/formats/w3d/codecs/hlod.ts'
import { newBox, newFile, newMesh } from '../../../src/main/formats/w3d/make.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import { expectLossless } from '../../support/hostile.ts'

const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2]
const skeleton = makeHierarchy('BOT_SKL', [
  { name: 'ROOTTRANSFORM', parent: -1, trans: [0, 0, 0], quat: [0, 0, 0, 1] },
  { name: 'HIP', parent: 0, trans: [0, 0, 5], quat: turned },
  { name: 'HEAD', parent: 1, trans: [1, 0, 5], quat: turned },
])
const positions = [0, 0, 4, 1, 0, 4, 0, 1, 9, 1, 1, 10]
const parts = {
  meshName: 'BODY',
  containerName: 'BOT',
  positions,
  normals: [0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0],
  uvs: [0, 0, 1, 0, 1, 1, 0, 1],
  triangles: [0, 1, 2, 1, 3, 2],
  texture: 'bot.tga',
}

it('makes files that read as they were meant, without a complaint but the texture', () => {
  const world = restWorld(hierarchyOf(skeleton))
  const deltas = encodeDeltas(
    Float32Array.from({ length: 31 }, (_, i) => Math.sin(i / 5)),
    31,
    1,
    4,
  )
  const file = newFile([
    newMesh({ ...parts, skin: { world, bones: [1, 1, 2, 2] } }),
    newMesh({
      ...parts,
      meshName: 'COAT',
      skin: { world, bones: [1, 1, 2, 2], second: { bones: [0, 2, 0, 1], percent: [100, 60, 100, 30] } },
    }),
    newMesh({ ...parts, meshName: 'GUN', blend: 'additive' }),
    newBox('BOT.BOX', [0, 0, 5], [1, 2, 3]),
    makeHlod('BOT', 'BOT_SKL', [
      {
        maxScreenSize: 3.4e38,
        objects: [
          { bone: 0, name: 'BOT.BODY' },
          { bone: 0, name: 'BOT.COAT' },
          { bone: 2, name: 'BOT.GUN' },
          { bone: 0, name: 'BOT.BOX' },
        ],
      },
    ]),
    skeleton,
    makeAnimation(
      'BOT_WALK',
      'BOT_SKL',
      3,
      30,
      [{ pivot: 1, type: 2, values: Float32Array.of(0, 1, 2) }],
      [{ pivot: 2, visible: [true, false, true] }],
    ),
    makeCompressedAnimation('BOT_RUN', 'BOT_SKL', 31, 30, FLAVOR.TIME_CODED, [
      { coding: 'time-coded', pivot: 1, vectorLen: 1, type: 0, keys: timeCodedKeys([0, 10, 30], Float32Array.of(0, 1, 0), 1, [0, 1, 0]) },
    ]),
    makeCompressedAnimation('BOT_NOD', 'BOT_SKL', 31, 30, FLAVOR.ADAPTIVE_DELTA, [
      { coding: 'adaptive', numFrames: 31, pivot: 2, vectorLen: 1, type: 1, deltas: deltas.stream },
    ]),
  ])
  const document = expectLossless(w3dFile, file)
  expect(document.diagnostics).toEqual([])
  const library = memoryLibrary({ 'bot.w3d': file })
  expect(w3d.lint(document, { around: library, load: library.load }).map((d) => d.code)).toEqual([
    'w3d.texture-missing',
    'w3d.texture-missing',
    'w3d.texture-missing',
  ])
  const [binding] = w3d.bind('', library)
  const { scene } = w3d.assemble(binding, library.load, {})
  const wanted = Array.from({ length: positions.length }, (_, i) => positions[3 * Math.floor(i / 3) + [1, 2, 0][i % 3]])
  for (const mesh of scene.meshes.slice(0, 2)) mesh.positions.forEach((v, i) => expect(v).toBeCloseTo(wanted[i], 5))
  expect(Array.from(scene.skins[1].offsets)).toEqual([0, 1, 3, 4, 6])
  expect(scene.clips.map((c) => [c.name, c.end, c.tracks.length])).toEqual([
    ['BOT_WALK', 2, 2],
    ['BOT_RUN', 30, 1],
    ['BOT_NOD', 30, 1],
  ])
  expect(scene.materials[2].blend).toBe('additive')
})

it('makes archives that open', () => {
  const bytes = makeBig('BIG4', [
    { name: 'Art\\W3D\\a.w3d', bytes: Uint8Array.of(1, 2) },
    { name: 'b', bytes: Uint8Array.of(3) },
  ])
  const source = { size: bytes.length, ref: 'x.big', read: (at: number, n: number) => bytes.slice(at, at + n) }
  const index = big.open(source, source)
  expect(index.diagnostics).toEqual([])
  expect(index.members.map((m) => [m.name, Array.from(bytes.subarray(m.offset, m.offset + m.size))])).toEqual([
    ['Art\\W3D\\a.w3d', [1, 2]],
    ['b', [3]],
  ])
})
