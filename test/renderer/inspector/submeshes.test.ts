import { describe, expect, it } from 'vitest'
import { submeshRows } from '../../../src/renderer/features/inspector/submeshes.ts'
import { emptyScene, plainMaterial } from '../../../src/shared/scene/types.ts'
import type { Mesh } from '../../../src/shared/scene/types.ts'

describe('rows of submeshes', () => {
  it('count faces and the vertices that they share, and name material and texture', () => {
    const scene = emptyScene('x')
    scene.materials = [plainMaterial('skin', { ref: '', path: '' }), { ...plainMaterial('cloth', { ref: '', path: '' }), texture: 0 }]
    scene.textures = [
      { name: 'a.dds', width: 1, height: 1, rgba: new Uint8Array(4), missing: false, hasAlpha: false, source: { ref: '', path: '' } },
    ]
    const mesh = {
      positions: new Float32Array(15),
      indices: Uint32Array.of(0, 1, 2, 2, 1, 3, 0, 4, 9),
      groups: [
        { start: 0, count: 6, material: 1 },
        { start: 6, count: 3, material: -1 },
        { start: 0, count: 3, material: 0 },
      ],
    } as unknown as Mesh
    expect(submeshRows(scene, mesh)).toEqual([
      { faces: 2, vertices: 4, material: 1, materialName: 'cloth', texture: 0, textureName: 'a.dds' },
      { faces: 1, vertices: 2, material: -1, materialName: '', texture: -1, textureName: '' },
      { faces: 1, vertices: 3, material: 0, materialName: 'skin', texture: -1, textureName: '' },
    ])
  })
})
