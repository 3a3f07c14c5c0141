/** Shaders that most models of the games ask for, compiled before there is a model: the first one would wait for them. */
import { Matrix } from '@babylonjs/core/Maths/math.vector'
import type { Scene as Stage } from '@babylonjs/core/scene'
import { emptyScene, plainMaterial } from '../../shared/scene/types.ts'
import type { Material, Mesh } from '../../shared/scene/types.ts'
import { idle } from '../ui/idle.ts'
import { FlatBatch } from './flat-batch.ts'
import { drawnFrom, meshGeometry } from './mesh-geometry.ts'
import { surfaceShader } from './surface-shader.ts'
import { TextureSet } from './textures.ts'

const NOWHERE = { ref: '', path: '' } as const
const PICTURED = { ...plainMaterial('', NOWHERE), texture: 0 }

/** A surface with a picture, as solid, with holes, as light, and with its light painted on: nine of ten of what games have; beside them what grid and bones are drawn with. */
const SURFACES: readonly Material[] = [
  PICTURED,
  { ...PICTURED, blend: 'alpha' },
  { ...PICTURED, blend: 'additive' },
  { ...PICTURED, vertexColors: true, prelit: true },
]

/** One triangle without a size: what a shader is compiled for is told from its buffers. */
const triangle = (colored: boolean): Mesh => ({
  name: '',
  joint: -1,
  positions: new Float32Array(9),
  normals: new Float32Array(9),
  uvs: [new Float32Array(6)],
  colors: new Float32Array(colored ? 12 : 0),
  indices: Uint32Array.of(0, 1, 2),
  groups: [],
  skin: -1,
  nativeVertex: Uint32Array.of(0, 1, 2),
  nativeVertexCount: 3,
  visible: true,
  lod: -1,
  source: NOWHERE,
})

/**
 * Begins to compile; the engine keeps what comes of it. One after the other, each when the window has nothing to do: in one piece it would stand
 * between a letter of a search and its rows.
 * @param wanted false once there is a model, or no stage any more
 */
export async function compileAhead(stage: Stage, wanted: () => boolean): Promise<void> {
  const picture = { name: '', width: 1, height: 1, rgba: new Uint8Array(4), hasAlpha: false, missing: false, source: NOWHERE }
  const textures = new TextureSet(stage, { ...emptyScene(''), textures: [picture] })
  for (const material of SURFACES) {
    await idle()
    if (!wanted()) break
    const mesh = triangle(material.vertexColors)
    const posed = {
      mesh,
      skin: null,
      positions: mesh.positions,
      normals: mesh.normals,
      world: new Float32Array(16),
      visible: true,
      moved: false,
    }
    const { geometry } = meshGeometry(stage, 'ahead', posed)
    const drawn = drawnFrom(geometry, 'ahead', stage, Matrix.Identity())
    const shader = surfaceShader(stage, textures, material, mesh)
    shader.isReady(drawn)
    drawn.dispose(true, false)
    geometry.dispose()
    shader.dispose(false, false)
  }
  if (!stage.isDisposed) textures.dispose()
  await idle()
  if (!wanted()) return
  const flat = new FlatBatch('ahead', stage, { lines: true, depth: 'over', order: 0 })
  flat.data.line([0, 0, 0], [0, 0, 0], [0, 0, 0, 0])
  flat.upload()
  flat.isReady()
  flat.dispose()
}
