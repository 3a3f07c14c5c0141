/** Textures of dictionaries. */
import { notHere } from '../../address.ts'
import { levelExtent } from '../../image/pixels.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { anySize, notesOn, notStored } from '../../image/storage.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { childOf, chunkPaths, valueOf } from '../codecs/chunk.ts'
import { alphaBits, colorBits, decodeLevel, levelCount, replacePixels, replaceProblem } from '../codecs/raster.ts'
import { PLATFORM, RASTER, dxtKind, nativeTextureStruct, rasterText } from '../codecs/texture-native.ts'
import { say } from '../texts/index.ts'
import type { TextureDocuments, TextureEditor } from '../../editing.ts'
import type { TextureNative } from '../codecs/texture-native.ts'
import type { TxdDocument } from '../codecs/txd.ts'

function nativeAt(document: TxdDocument, path: string): TextureNative | undefined {
  const chunk = [...chunkPaths(document.roots)].find(([, at]) => at === path)?.[0]
  return valueOf(childOf(chunk, ID.struct), nativeTextureStruct)
}

/** The dictionary that a texture of the scene stands in; a missing texture names its material instead. */
function dictionaryOf(model: TextureDocuments, texture: number): TxdDocument | undefined {
  const source = model.assembled.scene.textures[texture]?.source
  const document = source?.ref ? model.document(source.ref) : undefined
  return document?.format === 'renderware.txd' ? (document as TxdDocument) : undefined
}

export const textures: TextureEditor = {
  storage(model, texture) {
    const document = dictionaryOf(model, texture)
    if (!document) return notStored(say('edit.inNoDictionary'))
    const native = nativeAt(document, model.assembled.scene.textures[texture].source.path)
    if (!native) return notStored(say('scene.dataUnread'))
    const problem = document.readOnly ?? replaceProblem(native)
    const dxt = dxtKind(native) > 0
    const alpha = alphaBits(native)
    const colors = native.palette.length / 4
    const grey = (native.rasterFormat & RASTER.mask) === RASTER.lum8 && !dxt
    const console =
      native.platform === PLATFORM.ps2 ? 'PlayStation 2' : native.platform === PLATFORM.xbox ? 'Xbox' : `Direct3D ${native.platform}`
    return {
      format: native.platform === PLATFORM.ps2 ? console : `${rasterText(native)}, ${console}`,
      levels: levelCount(native),
      colors,
      alphaBits: alpha,
      notes: problem ? [] : notesOn({ dxt, colors, grey, colorBits: colorBits(native), alpha, levels: levelCount(native) }),
      sizes: problem ? '' : anySize(dxt),
      readOnly: problem,
    }
  },
  pixels(model, texture, level) {
    const { name, source } = model.assembled.scene.textures[texture] ?? notHere('texture', texture)
    const document = dictionaryOf(model, texture)
    if (!document) throw new FormatError('not-found', say('edit.inNoDictionary'), { file: source.ref })
    const native = nativeAt(document, source.path)
    if (!native) throw new FormatError('not-found', say('edit.textureUnread', { name }), { file: source.ref, path: source.path })
    if (level > 0 && level >= levelCount(native)) notHere('level', level, source.ref)
    return { width: levelExtent(native.width, level), height: levelExtent(native.height, level), rgba: decodeLevel(native, level) }
  },
  replace(session, texture, width, height, rgba) {
    const target = session.assembled.scene.textures[texture]
    if (!target) notHere('texture', texture)
    if (!dictionaryOf(session, texture)) throw new FormatError('invalid-edit', say('edit.notInDictionary', { name: target.name }))
    const native = nativeAt(session.edit<TxdDocument>(target.source.ref), target.source.path)
    if (!native) throw new FormatError('invalid-edit', say('edit.textureUnread', { name: target.name }))
    replacePixels(native, width, height, rgba)
  },
}
