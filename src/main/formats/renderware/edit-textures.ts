/** Textures of dictionaries. */
import { FormatError } from '../../binary/format-error.ts'
import { ID } from './chunk-ids.ts'
import { childOf, chunkPaths, valueOf } from './chunk.ts'
import { replacePixels } from './raster.ts'
import { nativeTextureStruct } from './texture-native.ts'
import type { TxdDocument } from './txd.ts'
import type { TextureEditor } from '../editing.ts'

export const textureEditor: TextureEditor = {
  replace(session, texture, width, height, rgba) {
    const target = session.assembled.scene.textures[texture]
    if (!target) throw new FormatError('invalid-edit', `the model has no texture ${texture}`)
    if (!target.source.path.startsWith('texDictionary')) throw new FormatError('invalid-edit', `no dictionary of this model has "${target.name}"`)
    const document = session.edit<TxdDocument>(target.source.ref)
    const chunk = [...chunkPaths(document.roots)].find(([, path]) => path === target.source.path)?.[0]
    const native = valueOf(childOf(chunk, ID.struct), nativeTextureStruct)
    if (!native) throw new FormatError('invalid-edit', `"${target.name}" could not be read and cannot be replaced`)
    replacePixels(native, width, height, rgba)
  },
}
