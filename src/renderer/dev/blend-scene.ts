/** A scene for blend modes. Not in the product. */
import { emptyScene, plainMaterial } from '../../shared/scene/types.ts'
import type { Material, Scene } from '../../shared/scene/types.ts'
import { quad, source } from './shapes.ts'

/** A wall of one colour and a pane before it in a blend mode: what a pixel must be can be worked out by hand. */
export function blendScene(blend: Material['blend'], more: Partial<Material> = {}, layer?: Material['layers'][number]): Scene {
  const scene = emptyScene(blend)
  scene.textures.push({ name: 'layer', width: 1, height: 1, rgba: Uint8Array.of(255, 128, 0, 128), missing: false, hasAlpha: true, source })
  scene.materials.push({ ...plainMaterial('wall', source), lit: false, diffuse: [0.4, 0.6, 0.8, 1] })
  scene.materials.push({
    ...plainMaterial('pane', source),
    lit: false,
    diffuse: [0.8, 0.4, 0.2, 0.5],
    blend,
    layers: layer ? [layer] : [],
    ...more,
  })
  scene.meshes.push(quad('wall', -1, [0, 0, 0], 1, 0), quad('pane', -1, [0, 0, 0.1], 0.5, 1))
  return scene
}
