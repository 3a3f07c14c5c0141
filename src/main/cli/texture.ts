/** `marrow texture ...`: one texture of a model or a dictionary, as a PNG and from one. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { readPng } from '../interchange/png.ts'
import { replaceTexture, texturePng, textureReport } from '../interchange/textures.ts'
import { replaceFile, writeAll } from '../workspace/atomic.ts'
import { onlyModel } from './models.ts'
import { listed } from './output.ts'
import type { CommandModels, FoundModel } from './models.ts'
import { saveAll, savedText } from './save-all.ts'
import type { SavedFile, SaveLeave } from './save-all.ts'
import type { TextureReport } from '../../shared/api/types/textures.ts'
import { say } from '../../shared/texts/say.ts'

export interface TextureRow {
  name: string
  width: number
  height: number
  /** as it is stored; '' for a texture that no file has */
  format: string
  levels: number
  /** why it cannot be replaced, '' when it can */
  readOnly: string
  /** the file that it stands in */
  ref: string
}

const MOST_BYTES = 2 ** 27

/** @throws FormatError not-found, invalid-argument */
export async function listTextures(models: CommandModels, path: string): Promise<{ model: string; textures: TextureRow[] }> {
  return models.with(modelMeant(models, path), async (_, model) => {
    const editor = model.family.editor.textures
    return {
      model: model.binding.primary,
      textures: model.assembled.scene.textures.map(({ name, width, height, source, missing }, i) => {
        const storage = editor?.storage(model, i)
        return {
          name,
          width,
          height,
          format: storage?.format ?? '',
          levels: storage?.levels ?? 0,
          readOnly: storage ? storage.readOnly : say('calls.notWritten.textures'),
          ref: missing && !storage?.format ? '' : source.ref,
        }
      }),
    }
  })
}

export async function getTexture(
  models: CommandModels,
  path: string,
  name: string,
  file: string,
  force: boolean,
): Promise<{ model: string; texture: string; width: number; height: number; file: string; bytes: number }> {
  return models.with(modelMeant(models, path, name), async (_, model) => {
    const { textures } = model.assembled.scene
    const texture = textures[textureIndex(textures, name, path)]
    const { bytes } = texturePng(texture)
    const target = resolve(file)
    if (existsSync(target) && !force)
      throw new FormatError('invalid-argument', say('commandLine.isThere', { file: target }), { file: target })
    await replaceFile(target, (handle) => writeAll(handle, bytes))
    return {
      model: model.binding.primary,
      texture: texture.name,
      width: texture.width,
      height: texture.height,
      file: target,
      bytes: bytes.length,
    }
  })
}

export interface TextureSetReport extends TextureReport {
  model: string
  texture: string
  saved: SavedFile[]
}

/** Replaces and saves: the original is kept, writes are atomic. @throws FormatError: nothing is written then */
export async function setTexture(
  models: CommandModels,
  path: string,
  name: string,
  file: string,
  leave: SaveLeave = {},
): Promise<TextureSetReport> {
  const picture = await readPng(readFile(file), file)
  return models.with(modelMeant(models, path, name), async (workspace, model) => {
    const index = textureIndex(model.assembled.scene.textures, name, path)
    const editor = model.family.editor.textures
    if (!editor) throw new FormatError('unsupported', say('calls.notWritten.texturesOf', { family: model.family.label }), { file: path })
    await workspace.edit(model.id, say('steps.replaceTexture'), (session) => replaceTexture(editor, session, index, picture))
    const report = textureReport(editor, model, index, picture)
    const saved = await saveAll(models.images, workspace, model, leave)
    return {
      model: model.binding.primary,
      texture: model.assembled.scene.textures[index].name,
      ...report,
      saved,
    }
  })
}

export function texturesText({ textures }: { textures: TextureRow[] }): string {
  const lines = textures.map(({ name, width, height, levels, format, readOnly }) => {
    const size = width ? `${width} x ${height}` : say('reports.texture.missing')
    const stored = levels > 1 ? say('reports.texture.levels', { format, n: levels }) : format
    return `${name.padEnd(24)} ${size}  ${stored}${readOnly ? `  (${readOnly})` : ''}`
  })
  return `${[...lines, say('reports.texture.count', { n: textures.length })].join('\n')}\n`
}

export function textureSetText({ texture, width, height, storage, colorError, worstColor, worstAlpha, saved }: TextureSetReport): string {
  const off = { error: colorError.toFixed(1), color: worstColor, alpha: worstAlpha }
  const how = worstAlpha
    ? say('reports.texture.alphaOff', off)
    : worstColor
      ? say('reports.texture.colorsOff', off)
      : say('reports.texture.same')
  return `${say('reports.texture.stored', { texture, width, height, format: storage.format, how })}\n${savedText(saved)}\n`
}

function readFile(path: string): Uint8Array {
  try {
    const stat = statSync(path)
    // a pipe or a device has no end
    if (!stat.isFile()) throw new FormatError('io', say('files.noFile', { file: path }), { file: path })
    if (stat.size > MOST_BYTES)
      throw new FormatError('unsupported', say('files.tooLarge', { size: stat.size, most: MOST_BYTES }), { file: path })
    return new Uint8Array(readFileSync(path))
  } catch (error) {
    throw ioError(error, path)
  }
}

/** The one model that is meant: among several the one that has the texture. A dictionary named by itself is one, since all of its pictures can be reached then. */
function modelMeant({ store, finder }: CommandModels, path: string, name?: string): FoundModel {
  if (store.exists(path) && !store.isFolder(path) && store.identify(path)?.format?.alone) return finder.alone(path)
  const wanted = name?.toLowerCase()
  return onlyModel(
    finder.all(path),
    path,
    wanted === undefined
      ? undefined
      : {
          has: (model) => finder.assembleSaved(model).scene.textures.some((t) => t.name.toLowerCase() === wanted),
          words: say('commandLine.aTexture', { name: name ?? '' }),
        },
  )
}

/** Names are compared without case, and with or without their extension. */
function textureIndex(textures: readonly { name: string }[], name: string, path: string): number {
  const wanted = name.toLowerCase()
  const bare = (text: string): string => text.replace(/\.[^.]*$/, '')
  const exact = textures.findIndex((t) => t.name.toLowerCase() === wanted)
  const index = exact >= 0 ? exact : textures.findIndex((t) => bare(t.name.toLowerCase()) === bare(wanted))
  if (index < 0)
    throw new FormatError(
      'not-found',
      say('commandLine.texture.noneCalled', {
        name,
        textures: listed(
          textures.slice(0, 12).map((t) => t.name),
          textures.length,
        ),
      }),
      { file: path },
    )
  return index
}
