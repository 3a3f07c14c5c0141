/** A texture of a model as a PNG, and a PNG as a texture: what window and command line share. */
import { FormatError } from '../binary/format-error.ts'
import { baseName } from '../../shared/ref.ts'
import { safeName } from '../files/file-names.ts'
import { writePng } from './png.ts'
import { encodeProven } from '../formats/format.ts'
import type { EditSession, TextureDocuments, TextureEditor } from '../formats/editing.ts'
import type { ModelOption } from '../formats/binding.ts'
import type { Document, FileFormat } from '../formats/format.ts'
import type { Texture } from '../../shared/scene/types.ts'
import type { TexturePixels, TextureReport } from '../../shared/api/types/textures.ts'
import type { Picture } from './png.ts'
import { say } from '../../shared/texts/say.ts'

/** @throws FormatError refused for a picture that is not there */
export function texturePng(texture: Texture): { name: string; bytes: Uint8Array } {
  if (texture.missing || texture.rgba.length !== 4 * texture.width * texture.height || texture.width === 0)
    throw new FormatError('refused', say('exportedModel.noPixels', { name: texture.name }))
  return { name: `${safeName(baseName(texture.name).replace(/\.(dds|tga|png|bmp)$/i, ''))}.png`, bytes: writePng(texture) }
}

/** @throws FormatError invalid-edit for a texture that no picture can be put into */
export function checkReplaceable(editor: TextureEditor, model: TextureDocuments, texture: number): void {
  const { readOnly } = editor.storage(model, texture)
  if (readOnly)
    throw new FormatError(
      'invalid-edit',
      say('pictures.notReplaced', { name: model.assembled.scene.textures[texture]?.name ?? '', readOnly }),
    )
}

/** Puts a picture in as part of an edit. @throws FormatError invalid-edit: nothing is kept then */
export function replaceTexture(
  editor: TextureEditor,
  session: TextureDocuments & Pick<EditSession, 'edit'>,
  texture: number,
  picture: Picture,
): void {
  checkReplaceable(editor, session, texture)
  try {
    editor.replace(session, texture, picture.width, picture.height, picture.rgba)
  } catch (error) {
    // the error says which sizes can be stored, too
    if (error instanceof FormatError && error.code === 'invalid-edit')
      throw new FormatError(
        'invalid-edit',
        say('pictures.withSizes', { what: error.message, sizes: editor.storage(session, texture).sizes }),
        error,
      )
    throw error
  }
}

/** A texture and the file that it stands in, without the rest of the model. */
export interface StoredTexture {
  bytes: Uint8Array
  texture: Texture
  /** of the assembled model */
  options: readonly ModelOption[]
}

/**
 * The bytes of the texture's file with a picture put in, proven. Needs no open model, so that it can be done where nobody waits.
 * @throws FormatError invalid-edit
 */
export function storePicture(
  editor: TextureEditor,
  format: FileFormat,
  { bytes, texture, options }: StoredTexture,
  picture: Picture,
): Uint8Array {
  const { document, model } = alone(format, bytes, texture, options)
  replaceTexture(editor, { ...model, edit: <D extends Document>(ref: string) => model.document(ref) as D }, 0, picture)
  return encodeProven(format, document).bytes
}

/** A level of a texture out of the bytes of its file: those of now, or of the original. @throws FormatError as TextureEditor.pixels */
export function storedPixels(
  editor: TextureEditor,
  format: FileFormat,
  { bytes, texture, options }: StoredTexture,
  level: number,
): TexturePixels {
  const { width, height, rgba } = editor.pixels(alone(format, bytes, texture, options).model, 0, level)
  return { width, height, rgba }
}

/** A model of nothing but the texture and its file. */
function alone(
  format: FileFormat,
  bytes: Uint8Array,
  texture: Texture,
  options: readonly ModelOption[],
): { document: Document; model: TextureDocuments } {
  const { ref } = texture.source
  const document: Document = format.decode(bytes, ref)
  const own = (wanted: string): Document => {
    if (wanted !== ref) throw new FormatError('internal', say('pictures.otherFile'), { file: wanted })
    return document
  }
  return { document, model: { assembled: { scene: { textures: [texture] }, options }, document: own } }
}

/** What became of a picture that was put in. */
export function textureReport(editor: TextureEditor, model: TextureDocuments, texture: number, picture: Picture): TextureReport {
  const stored = model.assembled.scene.textures[texture]
  let sum = 0
  let seen = 0
  let worstColor = 0
  let worstAlpha = 0
  for (let i = 0; i < picture.rgba.length; i += 4) {
    worstAlpha = Math.max(worstAlpha, Math.abs(picture.rgba[i + 3] - stored.rgba[i + 3]))
    // the colour of a clear pixel is not seen
    if (picture.rgba[i + 3] === 0 || stored.rgba[i + 3] === 0) continue
    seen++
    for (let c = 0; c < 3; c++) {
      const d = Math.abs(picture.rgba[i + c] - stored.rgba[i + c])
      sum += d * d
      if (d > worstColor) worstColor = d
    }
  }
  return {
    width: picture.width,
    height: picture.height,
    storage: editor.storage(model, texture),
    colorError: seen ? Math.sqrt(sum / (3 * seen)) : 0,
    worstColor,
    worstAlpha,
  }
}
