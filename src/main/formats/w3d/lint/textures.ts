/** Materials of a mesh and the textures that it names. */
import { extensionOf, stemOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { leafOf } from '../codecs/chunk.ts'
import { MATERIAL_INFO, SHADERS, materialsIn, textureNamesIn } from '../codecs/material.ts'
import { chunksOn, type Scope } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk } from '../codecs/chunk.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { MaterialSet } from '../codecs/material.ts'
import type { MeshView } from '../codecs/mesh.ts'

export const FIX = {
  materialCount: fix<W3dDocument>(
    'w3d.material-count',
    () => say('lint.fixes.count'),
    (document, { path }) => {
      const parent = chunksOn(document, path).findLast((c): c is ContainerChunk => c.kind === 'container')
      const set = parent && materialsIn(parent)
      if (!set?.info) return
      set.info.passCount = set.passes.length
      set.info.vertexMaterialCount = set.vertexMaterials.length
      set.info.shaderCount = set.shaders?.count ?? 0
      set.info.textureCount = set.textures.length
    },
  ),
}

/** Rules on numbers of materials and textures that a vertex or triangle has. */
const INDEX_RULES = {
  vertexMaterial: 'vertex-material-index',
  shader: 'shader-index',
  shaderMaterial: 'shader-material-index',
  texture: 'texture-index',
} as const

const MOST_COMBINATIONS = 64

/** Combinations of texture, material and shader that triangles of a pass have: what a list of one number says counts for all. */
function combinationsOf({ passes }: MaterialSet, triangles: number): number {
  let most = 0
  for (const pass of passes) {
    const { shaderIds } = pass
    const textures = pass.stages.map(({ textureIds }) => textureIds).filter((ids) => ids.length > 1)
    if (shaderIds.length <= 1 && textures.length === 0) continue
    const seen = new Set<string>()
    for (let t = 0; t < triangles; t++) seen.add([shaderIds.length > 1 ? shaderIds[t] : 0, ...textures.map((ids) => ids[t])].join())
    most = Math.max(most, seen.size)
  }
  return most
}

/** Corners that one list of sorted triangles counts in 16 bits. */
const MOST_SORTED = Math.floor(65535 / 3)

/** Triangles that any pass draws translucent. */
function translucentOf(set: MaterialSet, triangles: number): number {
  let most = 0
  for (const { shaderIds } of set.passes) {
    let n = 0
    if (shaderIds.length > 1) for (const id of shaderIds) n += transparent(set, id) ? 1 : 0
    else if (shaderIds.length === 1 && transparent(set, shaderIds[0])) n = triangles
    most = Math.max(most, n)
  }
  return most
}

/** The second source of a blend: what is behind shines through. */
function transparent({ shaders }: MaterialSet, id: number): boolean {
  return id < (shaders?.count ?? 0) && shaders!.bytes[SHADERS.stride * id + SHADERS.at.destBlend] !== 0
}

export function materials(scope: Scope, mesh: MeshView, parent: ContainerChunk): void {
  const set = materialsIn(parent)
  const vertices = mesh.vertices.length / 3
  const triangles = mesh.triangles?.count ?? 0
  const info = leafOf(parent, MATERIAL_INFO)
  if (info) {
    const real = {
      passCount: set.passes.length,
      vertexMaterialCount: set.vertexMaterials.length,
      shaderCount: set.shaders?.count ?? 0,
      textureCount: set.textures.length,
    }
    Object.entries(real).forEach(([field, count], i) => {
      const stored = info.data[field as keyof typeof real]
      if (stored !== count)
        scope.say('material-count', say('lint.materialCount', { field, stored, count: count }), info, {
          path: field,
          at: 4 * i,
          fix: FIX.materialCount,
        })
    })
  }
  const combinations = combinationsOf(set, triangles)
  if (combinations > MOST_COMBINATIONS) scope.say('material-combinations', say('lint.combinations', { count: combinations }), parent)
  const translucent = translucentOf(set, triangles)
  if (translucent > MOST_SORTED)
    scope.say('translucent-limit', say('lint.translucent', { count: translucent, name: mesh.fullName }), parent)
  if (set.passes.length > 1 && set.passes.some((pass) => pass.shaderIds.some((id) => transparent(set, id))))
    scope.say('transparent-passes', say('lint.transparentPasses', { count: set.passes.length }), parent)
  if (set.passes.length > 4) scope.say('pass-count', say('lint.passCount', { count: set.passes.length }), parent)
  const range = (what: keyof typeof INDEX_RULES, ids: Uint32Array, count: number, one: number, chunk: Chunk, none = false): void => {
    if (ids.length > 1 && ids.length !== one) scope.say('id-count', say(`lint.idCount.${what}`, { count: ids.length, one }), chunk)
    const bad = ids.findIndex((id) => id >= count && !(none && id === 0xffffffff))
    if (bad >= 0) scope.say(INDEX_RULES[what], say(`lint.idOutside.${what}`, { id: ids[bad], count }), chunk)
  }
  for (const pass of set.passes) {
    range('vertexMaterial', pass.vertexMaterialIds, set.vertexMaterials.length, vertices, pass.chunk)
    range('shader', pass.shaderIds, set.shaders?.count ?? 0, triangles, pass.chunk)
    range('shaderMaterial', pass.shaderMaterialIds, set.shaderMaterials.length, triangles, pass.chunk)
    if (pass.stages.length > 2) scope.say('stage-count', say('lint.stageCount', { count: pass.stages.length }), pass.chunk)
    for (const stage of pass.stages) {
      range('texture', stage.textureIds, set.textures.length, triangles, pass.chunk, true)
      if (stage.texcoords.length && stage.texcoords.length !== 2 * vertices)
        scope.say('texcoord-count', say('lint.texcoordCount', { count: stage.texcoords.length / 2, vertices }), pass.chunk)
    }
    if (pass.colors.length && pass.colors.length !== 4 * vertices)
      scope.say('color-count', say('lint.colorCount', { count: pass.colors.length / 4, vertices }), pass.chunk)
  }
}

/** Pictures that the mesh names are somewhere around. */
export function textures(scope: Scope, mesh: ContainerChunk): void {
  for (const texture of textureNamesIn(mesh)) {
    const found = scope.model.around
      .byStem(stemOf(texture.name), scope.folder)
      .find((f) => f.kind === 'texture' || /^(dds|tga|png|jpe?g|bmp)$/.test(extensionOf(f.name)))
    const size = found && scope.model.around.summary(found.ref)?.textures?.[0]
    if (size && !fits(size) && !scope.stretched.has(found.ref)) {
      scope.stretched.add(found.ref)
      const { width, height } = size
      scope.say('texture-sides', say('lint.textureSides', { name: texture.name, width, height }), texture.chunk)
    }
    if (!found) scope.say('texture-missing', say('scene.textureMissing', { name: texture.name }), texture.chunk)
  }
}

/** Sides as the game keeps them: powers of two, none more than eight times the other. */
function fits({ width, height }: { width: number; height: number }): boolean {
  const power = (n: number): boolean => n > 0 && (n & (n - 1)) === 0
  return power(width) && power(height) && Math.max(width, height) <= 8 * Math.min(width, height)
}
