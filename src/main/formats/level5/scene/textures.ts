/** Textures of the scene: the pictures of the model's files, found by the names that materials have. */
import { stemOf } from '../../../../shared/ref.ts'
import { keptOf } from '../../kept.ts'
import { imgPictures, saidSwizzle } from '../codecs/img.ts'
import { swizzleOption } from './options.ts'
import { decodePicture, swizzleBy } from '../codecs/tim2-pixels.ts'
import type { ModelOption } from '../../binding.ts'
import type { Document } from '../../format.ts'
import type { Scene, Texture } from '../../../../shared/scene/types.ts'
import type { ImgDocument } from '../codecs/img.ts'
import type { Swizzle, SwizzleChoice } from '../codecs/tim2-pixels.ts'
import type { Tim2Document, Tim2Picture } from '../codecs/tim2.ts'

export class Textures {
  /** 8-bit pictures that could be swizzled */
  private paletted = 0
  private turned = 0
  private readonly scene: Scene
  private readonly swizzle: SwizzleChoice
  private readonly pictures = new Map<string, { name: string; document: Document; path: string; picture: Tim2Picture; said: Swizzle }>()
  private readonly index = new Map<string, number>()

  constructor(scene: Scene, images: readonly ImgDocument[], loose: readonly Tim2Document[], swizzle: SwizzleChoice) {
    this.scene = scene
    this.swizzle = swizzle
    const put = (name: string, document: Document, path: string, picture: Tim2Picture | undefined, said: Swizzle = 'auto'): void => {
      const key = stemOf(name)
      if (picture && !this.pictures.has(key)) this.pictures.set(key, { name, document, path, picture, said })
    }
    for (const document of images)
      for (const p of imgPictures(document))
        put(p.name, document, `entries[${p.entry}].image.pictures[0]`, p.tim2.pictures[0], saidSwizzle(document, p.entry))
    for (const document of loose) put(stemOf(document.ref), document, 'pictures[0]', document.tim2.pictures[0])
    // every picture of the model's files, also those that no material names (texture animations exchange them)
    for (const key of this.pictures.keys()) this.find(key)
  }

  /** Index of a texture by the name a material has; a missing one is in the list too, marked so. */
  find(name: string): number {
    const key = stemOf(name)
    const known = this.index.get(key)
    if (known !== undefined) return known
    const found = this.pictures.get(key)
    const swizzle = found && swizzleBy(this.swizzle, found.said)
    const decoded = found && keptOf(found.document, `pixels ${found.path} ${swizzle}`, () => decodePicture(found.picture, swizzle))
    if (found?.picture.imageType === 5 && decoded) {
      this.paletted++
      if (decoded.swizzled) this.turned++
    }
    const texture: Texture = decoded
      ? {
          name: found.name,
          width: decoded.width,
          height: decoded.height,
          rgba: decoded.rgba,
          missing: false,
          hasAlpha: decoded.hasAlpha,
          source: { ref: found.document.ref, path: found.path },
        }
      : {
          name,
          width: 0,
          height: 0,
          rgba: new Uint8Array(0),
          missing: true,
          hasAlpha: false,
          source: { ref: found?.document.ref ?? '', path: found?.path ?? '' },
        }
    this.scene.textures.push(texture)
    this.index.set(key, this.scene.textures.length - 1)
    return this.scene.textures.length - 1
  }

  /** What to ask the user: nothing where no picture could be swizzled. */
  options(): ModelOption[] {
    return this.paletted ? [swizzleOption(this.swizzle, this.paletted, this.turned)] : []
  }
}
