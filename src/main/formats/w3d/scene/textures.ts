/** Textures of the scene, found among the model's files by their names. */
import { imageOf } from '../../image/image.ts'
import { extensionOf, stemOf } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics, Document } from '../../format.ts'
import type { Scene, SourceRef } from '../../../../shared/scene/types.ts'

/** Texture names -> textures of the scene, found among the model's files: DDS before TGA, as the engine looks [engine]. */
export class Textures {
  private readonly scene: Scene
  private readonly diagnostics: Diagnostics
  private readonly load: (ref: string) => Document | undefined
  private readonly files = new Map<string, string[]>()
  private readonly known = new Map<string, number>()

  constructor(scene: Scene, refs: readonly string[], load: (ref: string) => Document | undefined, diagnostics: Diagnostics) {
    this.scene = scene
    this.load = load
    this.diagnostics = diagnostics
    for (const ref of refs) {
      const list = this.files.get(stemOf(ref)) ?? []
      list.push(ref)
      this.files.set(stemOf(ref), list)
    }
  }

  /** index into Scene.textures */
  find(name: string, source: SourceRef): number {
    const lower = name.toLowerCase()
    const known = this.known.get(lower)
    if (known !== undefined) return known
    const index = this.scene.textures.length
    this.known.set(lower, index)
    const refs = [...(this.files.get(stemOf(name)) ?? [])].sort((a, b) => preference(a, name) - preference(b, name))
    for (const ref of refs) {
      try {
        const document = this.load(ref)
        const image = document && imageOf(document)
        if (!image) continue
        this.scene.textures.push({
          name,
          width: image.width,
          height: image.height,
          rgba: image.rgba,
          missing: false,
          hasAlpha: image.hasAlpha,
          source: { ref, path: '' },
        })
        return index
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        this.diagnostics.add('warning', 'w3d.texture-unreadable', say('scene.textureUnreadable', { name, why: error.message }), source.path)
      }
    }
    this.scene.textures.push({ name, width: 0, height: 0, rgba: new Uint8Array(0), missing: true, hasAlpha: false, source })
    this.diagnostics.list.push({
      severity: 'warning',
      code: 'w3d.texture-missing',
      message: say('scene.textureMissing', { name }),
      ref: source.ref,
      path: source.path,
      offset: -1,
    })
    return index
  }
}

/** The engine asks for the DDS first, then for the file by its own name. */
export function preference(ref: string, name: string): number {
  const extension = extensionOf(ref)
  return extension === 'dds' ? 0 : extension === extensionOf(name) ? 1 : extension === 'tga' ? 2 : 3
}
