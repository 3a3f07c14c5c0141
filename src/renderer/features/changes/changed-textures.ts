/** Textures that a change is about: found by the place where each one stands in its file. */
import type { TexturePixels } from '../../../shared/api/types/textures.ts'
import type { Texture } from '../../../shared/scene/types.ts'
import type { ChangeRow } from './change-rows.ts'

/** Whether a place of a file is another one, or in it. */
function isIn(path: string, around: string): boolean {
  return around === '' || path === around || (path.startsWith(around) && '.['.includes(path[around.length]))
}

/** Numbers of the textures whose bytes the row changes; of a row that is a file, all in it that have changes. */
export function changedTextures({ kind, file, node, changes }: ChangeRow, textures: readonly Texture[]): number[] {
  const paths =
    kind === 'file'
      ? [...file.nodes, ...file.changes].map(({ path }) => path)
      : [node?.path ?? changes[0]?.path].filter((p) => p !== undefined)
  return textures.flatMap(({ missing, source }, i) =>
    !missing && source.ref === file.ref && paths.some((path) => isIn(path, source.path)) ? [i] : [],
  )
}

export function samePicture(a: TexturePixels, b: TexturePixels): boolean {
  if (a.width !== b.width || a.height !== b.height || a.rgba.length !== b.rgba.length) return false
  // millions of them: no call for each
  for (let i = 0; i < a.rgba.length; i++) if (a.rgba[i] !== b.rgba[i]) return false
  return true
}
