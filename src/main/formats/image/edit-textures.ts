/** Pictures in files of their own, DDS and TGA, written back in their own pixel format: for every family that uses them. */
import { notHere } from '../address.ts'
import { FormatError } from '../../binary/format-error.ts'
import { ddsAlphaBits, ddsLevels, ddsPixels, ddsReplaceProblem, pixelFormatName, setDdsPixels } from './dds.ts'
import { anySize, notesOn, notStored } from './storage.ts'
import { setTgaPixels, tgaAlphaBits, tgaPixels, tgaReplaceProblem } from './tga.ts'
import { say } from '../../../shared/texts/say.ts'
import type { TextureStorage } from '../../../shared/api/types/textures.ts'
import type { Document } from '../format.ts'
import type { TextureEditor } from '../editing.ts'
import type { DdsDocument } from './dds.ts'
import type { TgaDocument } from './tga.ts'

export const imageTextures: TextureEditor = {
  storage(model, texture) {
    const found = model.assembled.scene.textures[texture]
    const document = found?.source.ref ? model.document(found.source.ref) : undefined
    if (document?.format === 'common.dds') return ddsStorage(document as DdsDocument)
    if (document?.format === 'common.tga') return tgaStorage(document as TgaDocument)
    return notStored(found?.missing === false ? say('images.noImage') : say('images.noFile'))
  },
  pixels(model, texture, level) {
    const { ref } = (model.assembled.scene.textures[texture] ?? notHere('texture', texture)).source
    const document = ref ? model.document(ref) : undefined
    const { levels, readOnly } = this.storage(model, texture)
    if (!levels) throw new FormatError('not-found', readOnly, { file: ref })
    if (level >= levels) notHere('level', level, ref)
    return document!.format === 'common.dds' ? ddsPixels(document as DdsDocument, level) : tgaPixels(document as TgaDocument)
  },
  replace(session, texture, width, height, rgba) {
    const { ref } = (session.assembled.scene.textures[texture] ?? notHere('texture', texture)).source
    const storage = this.storage(session, texture)
    if (storage.readOnly) throw new FormatError('invalid-edit', say('images.textureNotReplaced', { why: storage.readOnly }), { file: ref })
    const document = session.edit<Document>(ref)
    if (document.format === 'common.dds') setDdsPixels(document as DdsDocument, width, height, rgba)
    else setTgaPixels(document as TgaDocument, width, height, rgba)
  },
}

function ddsStorage(document: DdsDocument): TextureStorage {
  const format = pixelFormatName(document)
  const alphaBits = ddsAlphaBits(document)
  const levels = ddsLevels(document)
  const dxt = document.dx10 !== null || /^DXT/.test(format)
  const { header } = document
  const colorBits = !dxt && header.rgbBitCount === 16 ? say('images.notes.fiveOrSix') : undefined
  return {
    format,
    levels,
    colors: 0,
    alphaBits,
    notes: notesOn({ dxt, colorBits, grey: !dxt && (header.pfFlags & 0x20000) !== 0, alpha: alphaBits, levels }),
    sizes: anySize(dxt),
    readOnly: document.readOnly ?? ddsReplaceProblem(document),
  }
}

function tgaStorage(document: TgaDocument): TextureStorage {
  const mapped = document.imageType === 1 || document.imageType === 9
  const grey = document.imageType === 3 || document.imageType === 11
  const depth = mapped ? document.colorMapBits : document.bits
  const alphaBits = tgaAlphaBits(document)
  const colors = mapped ? Math.min(document.colorMapLength, 256) : 0
  const format = say(`images.tga.format.${mapped ? 'palette' : grey ? 'grey' : 'plain'}`, { bits: document.bits })
  return {
    format: document.imageType > 8 ? say('images.tga.coded', { format }) : format,
    levels: 1,
    colors,
    alphaBits,
    notes: notesOn({ colors, grey, colorBits: !grey && depth <= 16 ? '5' : undefined, alpha: alphaBits, levels: 1 }),
    sizes: anySize(false),
    readOnly: document.readOnly ?? tgaReplaceProblem(document),
  }
}
