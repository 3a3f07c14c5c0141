/** Pictures of IMG and TIM2, written back in their own raster format and pixel order. */
import { notHere, numberIn } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { samePixels } from '../../image/pixels.ts'
import { notesOn, notStored } from '../../image/storage.ts'
import { OPTION, swizzleOf } from '../scene/options.ts'
import { saidSwizzle } from '../codecs/img.ts'
import { PIXEL, clutColors, decodePicture, pixelLabel, setPixels, swizzleBy } from '../codecs/tim2-pixels.ts'
import { say } from '../texts/index.ts'
import type { Document } from '../../format.ts'
import type { TextureDocuments, TextureEditor } from '../../editing.ts'
import type { ImgDocument } from '../codecs/img.ts'
import type { DecodedPicture, Swizzle } from '../codecs/tim2-pixels.ts'
import type { Tim2Document, Tim2Picture } from '../codecs/tim2.ts'

/** The picture, and the order of pixels that its file says. */
function pictureAt(document: Document, path: string): { picture: Tim2Picture; said: Swizzle } | undefined {
  if (document.format === 'level5.tim2') return { picture: (document as Tim2Document).tim2.pictures[0], said: 'auto' }
  const entry = numberIn(path, 'entries')
  if (document.format !== 'level5.img' || entry === undefined) return undefined
  const img = document as ImgDocument
  const body = img.bodies[img.entries[entry]?.body ?? -1]
  return body?.kind === 'tim2' ? { picture: body.tim2.pictures[0], said: saidSwizzle(img, entry) } : undefined
}

/** Its pixels in the order that the user chose, or that the file tells. */
function decoded({ picture, said }: { picture: Tim2Picture; said: Swizzle }, model: TextureDocuments): DecodedPicture | undefined {
  const chosen = model.assembled.options.find((o) => o.key === OPTION.swizzle)
  return decodePicture(picture, swizzleBy(swizzleOf(chosen ? { [OPTION.swizzle]: chosen.value } : {}), said))
}

export const textures: TextureEditor = {
  storage(model, texture) {
    const source = model.assembled.scene.textures[texture]?.source
    const document = source?.ref ? model.document(source.ref) : undefined
    const found = document && pictureAt(document, source.path)
    if (!found?.picture) return notStored(say('edit.textures.notStored'))
    const { picture } = found
    const swizzled = decoded(found, model)?.swizzled
    const colors = picture.imageType === PIXEL.index8 || picture.imageType === PIXEL.index4 ? clutColors(picture).length / 4 : 0
    const type = colors ? picture.clutType & 0x3f : picture.imageType
    const alphaBits = type === PIXEL.rgb32 ? 8 : type === PIXEL.rgb16 ? 1 : 0
    const notes = notesOn({ colors, colorBits: type === PIXEL.rgb16 ? '5' : undefined, alpha: alphaBits, levels: 1 })
    if (alphaBits === 8) notes.push(say('edit.textures.alphaSteps'))
    if (picture.mipMaps > 1) notes.push(say('edit.textures.levelsStay', { count: picture.mipMaps - 1 }))
    return {
      format: say(swizzled ? 'edit.textures.swizzled' : 'edit.textures.format', { pixels: pixelLabel(picture.imageType) }),
      levels: 1,
      colors,
      alphaBits,
      notes,
      sizes: say('edit.textures.size', { width: picture.width, height: picture.height }),
      readOnly: document!.readOnly ?? (swizzled === undefined ? say('edit.textures.unread') : ''),
    }
  },
  pixels(model, texture, level) {
    const { source } = model.assembled.scene.textures[texture] ?? notHere('texture', texture)
    const document = source.ref ? model.document(source.ref) : undefined
    const found = document && pictureAt(document, source.path)
    if (!found?.picture) throw new FormatError('not-found', say('edit.textures.notStored'), { file: source.ref, path: source.path })
    if (level > 0) notHere('level', level, source.ref)
    const picture = decoded(found, model)
    if (!picture) throw new FormatError('unsupported', say('edit.textures.unread'), { file: source.ref, path: source.path })
    return picture
  },
  replace(session, texture, width, height, rgba) {
    const { source } = session.assembled.scene.textures[texture] ?? notHere('texture', texture)
    if (!source.ref) throw new FormatError('invalid-edit', say('edit.textures.inNoFile', { texture }))
    const found = pictureAt(session.edit(source.ref), source.path)
    if (!found?.picture) throw new FormatError('invalid-edit', say('edit.textures.notWritable'), { file: source.ref, path: source.path })
    const before = decoded(found, session)
    if (before?.width === width && before.height === height && samePixels(before.rgba, rgba)) return
    setPixels(found.picture, width, height, rgba, before?.swizzled ?? false)
  },
}
