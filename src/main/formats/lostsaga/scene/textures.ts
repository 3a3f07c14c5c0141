/** Textures of the scene, found among the model's files by their names. */
import { baseName, stemOf } from '../../../../shared/ref.ts'
import { imageOf } from '../../image/image.ts'
import { say } from '../texts/index.ts'
import type { ModelBinding } from '../../binding.ts'
import type { Diagnostics, Document } from '../../format.ts'
import type { Scene, Texture } from '../../../../shared/scene/types.ts'

export class Textures {
  private readonly scene: Scene
  private readonly binding: ModelBinding
  private readonly load: (ref: string) => Document | undefined

  constructor(scene: Scene, binding: ModelBinding, load: (ref: string) => Document | undefined) {
    this.scene = scene
    this.binding = binding
    this.load = load
  }

  /** Index of a texture by the name a material has; a missing one is in the list too, marked so. */
  find(file: string, report: Diagnostics, path: string): number {
    const { scene } = this
    const stem = stemOf(file)
    const known = scene.textures.findIndex((t) => stemOf(t.name) === stem)
    if (known >= 0) return known
    const ref = this.binding.members.find((m) => m.role === 'textures' && stemOf(m.ref) === stem)?.ref
    let texture: Texture = {
      name: file,
      width: 0,
      height: 0,
      rgba: new Uint8Array(0),
      missing: true,
      hasAlpha: false,
      source: { ref: ref ?? '', path: '' },
    }
    const document = ref ? this.load(ref) : undefined
    try {
      const image = document && imageOf(document)
      if (image) texture = { ...texture, ...image, missing: false, name: baseName(ref!) }
    } catch (error) {
      report.add('warning', 'lostsaga.texture-unreadable', `${file}: ${(error as Error).message}`, path)
    }
    if (texture.missing && !document)
      report.add('warning', 'lostsaga.texture-missing', say('formats.textureNotFound', { texture: file }), path)
    scene.textures.push(texture)
    return scene.textures.length - 1
  }
}
