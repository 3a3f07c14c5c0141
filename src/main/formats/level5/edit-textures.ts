/** Pictures of IMG and TIM2, written back in their own raster format and pixel order. */
import { FormatError } from '../../binary/format-error.ts'
import { OPTION } from './assemble.ts'
import { saysSwizzled } from './img.ts'
import { decodePicture, setPixels } from './tim2.ts'
import type { Document } from '../format.ts'
import type { OpenDocuments, TextureEditor } from '../editing.ts'
import type { ImgDocument } from './img.ts'
import type { Swizzle, Tim2Document, Tim2Picture } from './tim2.ts'

/** The picture, and whether its file says that it is swizzled. */
function pictureAt(document: Document, path: string): { picture: Tim2Picture; swizzled: boolean } | undefined {
  if (document.format === 'level5.tim2') return { picture: (document as Tim2Document).tim2.pictures[0], swizzled: false }
  const match = /^entries\[(\d+)\]\.image/.exec(path)
  if (document.format !== 'level5.img' || !match) return undefined
  const img = document as ImgDocument
  const body = img.bodies[img.entries[Number(match[1])]?.body ?? -1]
  return body?.kind === 'tim2' ? { picture: body.tim2.pictures[0], swizzled: saysSwizzled(img, Number(match[1])) } : undefined
}

function swizzleOf(model: OpenDocuments): Swizzle {
  const value = model.assembled.options.find((o) => o.key === OPTION.swizzle)?.value
  return value === 'linear' || value === 'swizzled' ? value : 'auto'
}

export const textures: TextureEditor = {
  replace(session, texture, width, height, rgba) {
    const source = session.assembled.scene.textures[texture]?.source
    if (!source?.ref) throw new FormatError('invalid-edit', `texture ${texture} is in no file of this model`)
    const found = pictureAt(session.edit(source.ref), source.path)
    if (!found?.picture) throw new FormatError('invalid-edit', 'this picture cannot be written', { file: source.ref, path: source.path })
    const chosen = swizzleOf(session)
    setPixels(found.picture, width, height, rgba, decodePicture(found.picture, chosen === 'auto' && found.swizzled ? 'swizzled' : chosen)?.swizzled ?? false)
  },
}
