/** Writes a scene, or its textures, into a folder. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { FormatError } from '../binary/format-error.ts'
import { expectNoLink } from '../files/real-place.ts'
import type { ExportParts } from '../../shared/api/export-options.ts'
import type { Scene } from '../../shared/scene/types.ts'
import { replaceFile, writeAll } from '../workspace/atomic.ts'
import { writeGltf, writeTextures } from './gltf-writer.ts'
import { say } from '../../shared/texts/say.ts'

export interface ExportTarget {
  to: 'gltf' | 'glb' | 'png'
  /** made when it is not there */
  folder: string
  /** a folder around it that links must not lead out of; itself when absent */
  root?: string
  /** base name of the files */
  name: string
  /** what of the model is written, beyond or instead of what is by default */
  parts?: ExportParts
  /** false: a file that is there already is an error, and nothing is written */
  overwrite: boolean
}

/**
 * @returns paths of the files, and in words what the format has no place for
 * @throws FormatError refused, io
 */
export async function exportScene(scene: Scene, target: ExportTarget): Promise<{ files: string[]; left: string[] }> {
  const { to, folder, name, parts } = target
  const { files, left } = to === 'png' ? { files: writeTextures(scene), left: [] } : await writeGltf(scene, { ...parts, format: to, name })
  if (files.length === 0) throw new FormatError('refused', say('exportedModel.noTextures'), { file: folder })
  const paths = files.map((file) => join(folder, file.name))
  // before a folder is made, which a link would lead elsewhere too
  for (const path of paths) expectNoLink(target.root ?? folder, path)
  await makeFolder(folder)
  const there = paths.find((path) => existsSync(path))
  if (there && !target.overwrite) throw new FormatError('refused', say('files.isThere', { file: there }), { file: there })
  for (let i = 0; i < files.length; i++) await replaceFile(paths[i], (handle) => writeAll(handle, files[i].bytes))
  return { files: paths, left }
}
