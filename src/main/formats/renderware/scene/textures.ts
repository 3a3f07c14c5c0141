/** Textures of the scene, found by their names in the dictionaries of a model. */
import { hasTransparency } from '../../image/pixels.ts'
import { kept } from '../../kept.ts'
import { chunkPath } from '../codecs/chunk.ts'
import { decodeLevel, rasterProblem } from '../codecs/raster.ts'
import { texturesOf } from '../codecs/txd.ts'
import { say } from '../texts/index.ts'
import type { Diagnostics } from '../../format.ts'
import type { Scene, SourceRef, Texture } from '../../../../shared/scene/types.ts'
import type { TxdDocument, TxdTexture } from '../codecs/txd.ts'

export class Textures {
  private readonly scene: Scene
  private readonly diagnostics: Diagnostics
  private readonly found = new Map<string, { texture: TxdTexture; document: TxdDocument }>()
  private readonly index = new Map<string, number>()
  /** what is missing may stand in a dictionary that is not in the library */
  private readonly shared: boolean
  readonly missing: string[] = []

  /** @param documents of two textures with one name the first counts */
  constructor(scene: Scene, documents: readonly TxdDocument[], diagnostics: Diagnostics, shared: boolean) {
    this.scene = scene
    this.diagnostics = diagnostics
    this.shared = shared
    for (const document of documents) {
      for (const texture of texturesOf(document)) {
        const key = texture.name.toLowerCase()
        if (key && !this.found.has(key)) this.found.set(key, { texture, document })
      }
    }
  }

  /** Index of a texture by the name a material has; a missing one is in the list too, marked so. @param source the material that asks */
  find(name: string, source: SourceRef): number {
    const key = name.toLowerCase()
    const known = this.index.get(key)
    if (known !== undefined) return known
    const found = this.found.get(key)
    if (!found) {
      this.missing.push(name)
      if (this.shared) this.diagnostics.add('info', 'renderware.texture-missing', say('lint.textureShared', { name }), source.path)
      else this.diagnostics.add('warning', 'renderware.texture-missing', say('lint.textureMissing', { name }), source.path)
    }
    const texture = found
      ? textureOf(found.texture, found.document, name, this.diagnostics, source.path)
      : missingTexture(name, { ref: source.ref, path: source.path })
    const index = this.scene.textures.length
    this.scene.textures.push(texture)
    this.index.set(key, index)
    return index
  }
}

/** Every picture of a dictionary that belongs to no model. */
export function addPictures(scene: Scene, document: TxdDocument, diagnostics: Diagnostics): void {
  scene.textures = texturesOf(document).map((texture) => textureOf(texture, document, texture.name, diagnostics, ''))
}

function missingTexture(name: string, source: SourceRef): Texture {
  return { name, width: 0, height: 0, rgba: new Uint8Array(0), missing: true, hasAlpha: false, source }
}

/** @param path of the material that asks for it, for a word on pixels that are not read */
function textureOf({ native, chunk }: TxdTexture, document: TxdDocument, name: string, diagnostics: Diagnostics, path: string): Texture {
  const texture = missingTexture(name, { ref: document.ref, path: chunkPath(document.roots, chunk) })
  const problem = native ? rasterProblem(native) : say('scene.dataUnread')
  if (problem) {
    diagnostics.add('warning', 'renderware.texture-unread', say('scene.textureUnread', { name, why: problem }), path)
    return texture
  }
  const pixels = kept(document, chunk, 'pixels', () => {
    const rgba = decodeLevel(native!)
    return { rgba, hasAlpha: hasTransparency(rgba) }
  })
  return { ...texture, width: native!.width, height: native!.height, ...pixels, missing: false }
}
